package forensics

import (
	"cmp"
	"slices"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/history"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Questions returns a question for every container of a pod: its instances as known from the runtime's records, the API
// and old kubelets' messages.
func Questions(s *evidence.Snapshot, pod *evidence.Pod) []Question {
	t := history.Build(s)
	lives := map[string][]*timeline.Instance{}
	for _, life := range t.Lives(pod.UID) {
		lives[life.Container] = append(lives[life.Container], life.Instances...)
	}
	if runtime := pod.RuntimeUID(); runtime != pod.UID {
		for _, life := range t.Lives(runtime) {
			lives[life.Container] = append(lives[life.Container], life.Instances...)
		}
	}
	seconds, said := secondHashes(s), saidHashes(t, pod)
	node := t.Nodes[pod.Node]
	var out []Question
	for i := range pod.Containers {
		q := Question{Spec: pod.Containers[i]}
		if node != nil {
			q.Kubelet = node.Info.KubeletVersion
		}
		for _, in := range lives[q.Spec.Name] {
			q.Stored = append(q.Stored, stored(in, node, seconds[in.ID], said[in]))
		}
		slices.SortStableFunc(q.Stored, func(a, b Stored) int {
			return cmp.Or(a.Created.Compare(b.Created), cmp.Compare(a.Attempt, b.Attempt),
				cmp.Compare(a.ContainerID, b.ContainerID))
		})
		out = append(out, q)
	}
	return out
}

func stored(in *timeline.Instance, node *timeline.NodeStory, second, said string) Stored {
	s := Stored{ContainerID: in.ID, Attempt: in.Attempt, Image: in.Image,
		Runtime: in.Runtime, Hash: in.Hash, Second: second, Created: in.Created, Evidence: in.Records}
	if s.Created.IsZero() {
		s.Created = in.Started
	}
	if version, certain := node.VersionAt(s.Created); certain && !s.Created.IsZero() {
		s.Kubelet = version // what the node reports now says nothing about then
	}
	if s.Hash == "" {
		s.Hash = said
	}
	return s
}

// secondHashes returns the hashes without resources, by container id. A record keeps one only if its kubelet stored it.
func secondHashes(s *evidence.Snapshot) map[string]string {
	out := map[string]string{}
	for i := range s.Observations {
		o := &s.Observations[i]
		if r, ok := o.Fact.(evidence.ContainerRecord); ok && r.HashWithoutResources != "" {
			out[o.Subject.ContainerID] = r.HashWithoutResources
		}
	}
	return out
}

// saidHashes returns the stored hashes that kubelets of v1.8–v1.13 logged when they killed an instance.
func saidHashes(t *timeline.History, pod *evidence.Pod) map[*timeline.Instance]string {
	out := map[*timeline.Instance]string{}
	for _, r := range t.Restarts {
		if r.PodUID != pod.UID && r.PodUID != pod.RuntimeUID() || r.From.Hash != "" {
			continue
		}
		if old := finding.Derive(t, r).Hashes.Old; old != "" {
			out[r.From] = old
		}
	}
	return out
}

// OfRestart answers for the two instances of a restart; nil where neither's hash is known.
func OfRestart(t *timeline.History, f *finding.Findings) *report.HashListing {
	r := f.R
	if f.Hashes.Old == "" && f.Hashes.New == "" {
		return nil
	}
	q := Question{Spec: evidence.Container{Name: r.Container, Kind: r.ContainerKind}, Kubelet: f.Versions.At}
	items := []report.HashItem{}
	seconds, node := secondHashes(t.Snapshot), t.Nodes[r.Node]
	for i, in := range []*timeline.Instance{r.From, r.To} {
		if in != nil {
			q.Stored = append(q.Stored, stored(in, node, seconds[in.ID], [...]string{f.Hashes.Old, f.Hashes.New}[i]))
		}
	}
	if r.Spec != nil {
		q.Spec = *r.Spec
		items = ByVersion(r.Spec, 1, EveryMinor(), false)
	} else { // with nothing to compare it with, no image counts as another one
		for i := range q.Stored {
			q.Stored[i].Image = ""
		}
	}
	return &report.HashListing{Items: items, Stored: Examine(q)}
}
