package analyzer_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// ordinary are facts that a healthy node has about itself and about every container: they explain no end.
func ordinary(story *analyzertest.Story) []evidence.Observation {
	s := story.Snapshot()
	var out []evidence.Observation
	add := func(kind evidence.SourceKind, sub evidence.Subject, f evidence.Fact) {
		out = append(out, evidence.Observation{ID: "x" + f.Statement() + sub.ContainerID,
			Time: s.CollectedAt, Subject: sub, Source: evidence.Source{Kind: kind, Node: sub.Node},
			Fact: f, Text: safetext.Clean(f.Statement())})
	}
	for i := range s.Observations {
		sub := s.Observations[i].Subject
		if sub.PodUID == "" || sub.ContainerID == "" || sub.Container == "" ||
			slices.ContainsFunc(out, func(o evidence.Observation) bool { return o.Subject.ContainerID == sub.ContainerID }) {
			continue
		}
		named := evidence.Subject{Node: sub.Node, Namespace: sub.Namespace, Pod: sub.Pod,
			PodUID: sub.PodUID, Container: sub.Container}
		add("kubelet-dir", named, evidence.ContainerLogs{Attempts: filesOf(s, named)})
		add("kubelet-dir", named, evidence.ResourceRecord{})
		add(evidence.SourceCgroup, evidence.Subject{Node: sub.Node, PodUID: sub.PodUID, ContainerID: sub.ContainerID},
			evidence.CgroupPlacement{Path: "/kubepods/podx/c", Expected: "/kubepods/podx", Exists: true, DriverFrom: "tree"})
	}
	if len(s.Nodes) == 0 {
		return out
	}
	node := evidence.Subject{Node: s.Nodes[0].Name}
	for _, f := range []evidence.Fact{
		evidence.KubeletSettings{}, evidence.CheckpointState{Name: "actuated_pods_state", Exists: true, Checksum: "ok"},
		evidence.CgroupControllers{Version: 2},
		evidence.RuntimeEndpoint{Name: "containerd", Used: true}, evidence.RuntimeSettings{CgroupDriver: "systemd"},
		evidence.StaticManifest{Path: "/m"},
		evidence.PackageChanged{Package: "kubelet"}, evidence.HungTask{Kind: "blocked"},
	} {
		add("host", node, f)
	}
	return out
}

// Other facts about a node raise no confidence and change no verdict.
func TestOrdinaryFactsOfANodeChangeNoVerdict(t *testing.T) {
	added := 0
	for _, told := range slices.Concat(analyzertest.Stories(), misleading()) {
		plain, more := told.Story(), told.Story()
		extra := ordinary(more)
		added += len(extra)
		more.Observations = append(more.Observations, extra...)
		want, got := judge(plain), judge(more)
		if len(got.Items) != len(want.Items) {
			t.Fatalf("%s: %d items, were %d", told.Name, len(got.Items), len(want.Items))
		}
		for i := range want.Items {
			a, b := want.Items[i].Verdict, got.Items[i].Verdict
			if d := cmp.Diff([]string{a.Cause, a.Mechanism, string(a.Confidence), a.Summary},
				[]string{b.Cause, b.Mechanism, string(b.Confidence), b.Summary}); d != "" {
				t.Errorf("%s: %s", told.Name, d)
			}
		}
		if len(got.NodeNotes) != len(want.NodeNotes) {
			t.Errorf("%s: notes about a sound node: %+v", told.Name, got.NodeNotes)
		}
	}
	if added < 200 {
		t.Errorf("only %d facts were added", added)
	}
}

// filesOf returns the log files of a container: one for each known id.
func filesOf(s *evidence.Snapshot, of evidence.Subject) (files []evidence.LoggedAttempt) {
	seen := map[string]bool{}
	for i := range s.Observations {
		if o := &s.Observations[i]; o.Subject.PodUID == of.PodUID && o.Subject.Container == of.Container &&
			o.Subject.ContainerID != "" && !seen[o.Subject.ContainerID] {
			seen[o.Subject.ContainerID] = true
			files = append(files, evidence.LoggedAttempt{Number: len(files)})
		}
	}
	return files
}
