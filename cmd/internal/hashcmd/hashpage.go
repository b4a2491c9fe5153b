package hashcmd

import (
	"slices"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/forensics"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/hash"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// lastWithDefaults is the last minor whose hash covers what the API server sets.
const lastWithDefaults = 30

// page is the table as people read it.
func (t *Listing) page() *report.HashTable {
	out := &report.HashTable{Pod: t.Pod, Namespace: t.Namespace, Node: t.Node,
		NodeKubelet: t.NodeKubelet, Asked: t.Stored != nil}
	for i := range t.Stored {
		out.Stored = append(out.Stored, hashAnswer(&t.Stored[i]))
	}
	before := Item{}
	for _, r := range t.Runs() {
		item := r.First
		pod := item.Pod
		if pod != "" && item.Namespace != "" {
			pod = item.Namespace + "/" + pod
		}
		out.Rows = append(out.Rows, report.HashRow{
			Pod: pod, Container: item.Container, Kind: item.Kind, Kubelets: r.Versions(), Continues: item.Place == before.Place,
			Hash: item.Hash, Decimal: item.Decimal, Algorithm: item.Algorithm,
			Second: item.Algorithm == hash.FNV32aJSONWithoutResources,
		})
		before = item
	}
	out.Steps, out.Compared = t.Steps()
	out.Undefaulted = t.undefaulted &&
		slices.ContainsFunc(t.Items, func(i Item) bool { return i.Version.Minor <= lastWithDefaults })
	out.Static = t.StaticRows()
	return out
}

// Steps are the changes between versions that change a hash, in the order in which the
// versions were asked for, and whether there was more than one version.
func (t *Listing) Steps() (out []report.HashStep, compared bool) {
	type step struct{ from, to kubelet.Version }
	var order []step
	changed := map[step][]string{}
	last := map[int]Item{}
	places := map[int]bool{}
	for _, item := range t.Items {
		places[item.Place] = true
		if item.Algorithm == hash.FNV32aJSONWithoutResources {
			continue
		}
		before, ok := last[item.Place]
		last[item.Place] = item
		if !ok || before.Version == item.Version {
			continue // a pod's patches may give several for one version
		}
		compared = true
		if before.Hash == item.Hash {
			continue
		}
		s := step{before.Version, item.Version}
		if changed[s] == nil {
			order = append(order, s)
		}
		name := item.Container
		if item.Pod != "" {
			name = item.Pod + "/" + name
		}
		changed[s] = append(changed[s], name)
	}
	slices.SortStableFunc(order, func(a, b step) int { return a.to.Minor - b.to.Minor })
	for _, s := range order {
		out = append(out, report.HashStep{From: s.from.String(), To: s.to.String(),
			Containers: changed[s], All: len(changed[s]) == len(places)})
	}
	return out, compared
}

// hashAnswer is an answer without what only programs read.
func hashAnswer(a *forensics.Provenance) report.HashAnswer {
	out := report.HashAnswer{
		Container: a.Container, Kind: a.Kind, Hash: a.Hash, ContainerID: a.ContainerID,
		Kubelet: a.Kubelet, Attempt: a.Attempt, Created: a.Created,
		Sentence: a.Sentence, Found: len(a.MadeBy) > 0, OneIn: a.OneIn, Tried: a.Tried, Notes: a.Notes,
	}
	for _, d := range a.Difference {
		out.Difference = append(out.Difference, report.HashDifference{Field: d.Field, Then: d.Then, Now: d.Now})
	}
	return out
}
