package hashcmd

import (
	"fmt"
	"slices"
	"strings"

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
	out.Rows = t.Rows()
	out.Steps, out.Compared = t.Steps()
	out.Undefaulted = t.undefaulted &&
		slices.ContainsFunc(t.Items, func(i Item) bool { return i.Version.Minor <= lastWithDefaults })
	out.Static = t.StaticRows()
	return out
}

// run is the first and the last of neighbouring versions that make the same.
type run[T any] struct{ first, last T }

// runs joins neighbours among those of one key.
func runs[T any](items []T, key func(*T) string, join func(last, next *T) bool) (out []run[T]) {
	open := map[string]int{} // the last run of a key
	for i := range items {
		of := key(&items[i])
		if n, ok := open[of]; ok && join(&out[n].last, &items[i]) {
			out[n].last = items[i]
			continue
		}
		open[of] = len(out)
		out = append(out, run[T]{items[i], items[i]})
	}
	return out
}

// span names the versions of a run, and the one that a newer one is taken for.
func span(first, last, as string) string {
	text := strings.TrimPrefix(first, "v")
	if first != last {
		text += "–" + strings.TrimPrefix(last, "v")
	}
	if as != "" {
		text += " (as " + strings.TrimPrefix(as, "v") + ")"
	}
	return text
}

// Rows join what neighbouring minors agree on. Versions that were asked for by patch stay apart.
func (t *Listing) Rows() (out []report.HashRow) {
	place := 0
	for _, r := range runs(t.Items, func(i *Item) string { return fmt.Sprint(i.Place, i.Algorithm) },
		func(last, next *Item) bool { return last.Hash == next.Hash && joins(last.Version, next.Version) }) {
		i := &r.first
		out = append(out, report.HashRow{Pod: qualified(i.Namespace, i.Pod), Container: i.Container, Kind: i.Kind,
			Kubelets: span(i.Kubelet, r.last.Kubelet, r.last.ModelledAs), Continues: i.Place == place,
			Hash: i.Hash, Decimal: i.Decimal, Algorithm: i.Algorithm,
			Second: i.Algorithm == hash.FNV32aJSONWithoutResources})
		place = i.Place
	}
	return out
}

// qualified is a pod with its namespace, where both are given.
func qualified(namespace, pod string) string {
	if namespace == "" || pod == "" {
		return pod
	}
	return namespace + "/" + pod
}

// joins: b is the minor after a, and neither names a patch.
func joins(a, b kubelet.Version) bool {
	plain := func(v kubelet.Version) bool { return v.Patch == kubelet.PatchNotGiven && v.Suffix == "" }
	return plain(a) && plain(b) && a.Minor+1 == b.Minor
}

// StaticRows are one row per run of versions that may make the same UID: they differ in nothing else.
func (t *Listing) StaticRows() (out []report.StaticPodRow) {
	same := func(s *StaticPodItem) string {
		return fmt.Sprint(s.Namespace, "/", s.Pod, s.Algorithm, s.UID, s.UIDRun, s.ModelledAs)
	}
	for _, r := range runs(t.StaticPods, same, func(_, _ *StaticPodItem) bool { return true }) {
		i := &r.first
		from := i.Algorithm
		if i.UID != "" {
			from += " (" + i.UID + ")"
		}
		out = append(out, report.StaticPodRow{Pod: i.Namespace + "/" + i.Pod,
			Kubelets: span(i.Kubelet, r.last.Kubelet, r.last.ModelledAs), UIDFrom: from, Why: i.Why})
	}
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
