package forensics

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// story is a pod whose container was killed and started again.
func story(change func(old, new *evidence.ContainerRecord)) *analyzertest.Story {
	return analyzertest.New().Events().Status(10, 42.5, 137, "Error", 43).Records(10, 42.5, 137, "Error", 43, change)
}

// asked returns the stored hashes of the story's only container.
func asked(t *testing.T, s *analyzertest.Story) Question {
	t.Helper()
	snapshot := s.Snapshot()
	all := Questions(snapshot, &snapshot.Pods[0])
	if len(all) != 1 || all[0].Spec.Name != "a" {
		t.Fatalf("%+v", all)
	}
	return all[0]
}

// forms returns what is stored in a short form, for comparison.
func forms(q Question) (out []string) {
	for _, s := range q.Stored {
		out = append(out, strings.Join([]string{s.Hash, s.Second, s.Kubelet}, "|"))
	}
	return out
}

func TestWhatIsStoredWithTheInstancesOfAPod(t *testing.T) {
	const text = "Container spec hash changed (1559107639 vs 1428860573).. Container will be killed and recreated."
	said := evidence.KillDecided{Reason: evidence.KillDefinition, Message: safetext.Clean(text), Count: 1}
	about := evidence.Subject{PodUID: analyzertest.PodUID, Container: "a", ContainerID: analyzertest.OldID}
	both := func(old, new *evidence.ContainerRecord) {
		old.Hash, new.Hash, old.HashWithoutResources = "aaaa", "bbbb", "cccc"
	}
	for name, test := range map[string]struct {
		story *analyzertest.Story
		want  []string
	}{
		"the runtime's records": {story(both), []string{"aaaa|cccc|", "bbbb||"}},
		"nothing":               {story(nil), []string{"||", "||"}},
		"a log tells the version of both": {story(both).KubeletLog().KubeletStarts(-500, "v1.30.1", 80),
			[]string{"aaaa|cccc|v1.30.1", "bbbb||v1.30.1"}},
		"a log tells the version that made only one": {story(both).KubeletLog().KubeletStarts(-500,
			"v1.30.1", 80).KubeletStarts(42.6, "v1.31.0", 81), []string{"aaaa|cccc|v1.30.1", "bbbb||v1.31.0"}},
		"a kubelet that started later": {story(both).KubeletStarts(42.6, "v1.31.0", 81),
			[]string{"aaaa|cccc|", "bbbb||v1.31.0"}},
		"the kubelet's own words": {
			story(nil).KubeletLog().Add(evidence.SourceKubeletLog, 40, about, said), []string{"5cee1837||", "||"},
		},
		"the runtime's record before the kubelet's words": {
			story(both).KubeletLog().Add(evidence.SourceKubeletLog, 40, about, said), []string{"aaaa|cccc|", "bbbb||"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, forms(asked(t, test.story))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// The runtime knows a static pod by another UID than the API does.
func TestInstancesOfAStaticPodAreThoseOfItsRuntimeUID(t *testing.T) {
	s := story(func(old, new *evidence.ContainerRecord) { old.Hash, new.Hash = "aaaa", "bbbb" })
	snapshot := s.Snapshot()
	pod := snapshot.Pods[0]
	pod.Mirror, pod.ConfigHash, pod.UID = true, pod.UID, "mirror-uid"
	snapshot.Pods[0] = pod
	all := Questions(snapshot, &snapshot.Pods[0])
	if len(all) != 1 || len(all[0].Stored) < 2 || all[0].Stored[0].Hash != "aaaa" {
		t.Errorf("%+v", all)
	}
}

func TestAPodThatNobodyRanHasNoInstances(t *testing.T) {
	s := &evidence.Snapshot{Pods: []evidence.Pod{{UID: "u", Name: "p",
		Containers: []evidence.Container{{Name: "a"}, {Name: "b"}}}}}
	all := Questions(s, &s.Pods[0])
	if len(all) != 2 || len(all[0].Stored)+len(all[1].Stored) != 0 || len(Examine(all[0])) != 0 {
		t.Errorf("%+v", all)
	}
}

// Every story of a changed definition with hashes gets the same origin here as from the rules.
func TestTheStoriesOfChangedDefinitions(t *testing.T) {
	want := map[string]report.HashOrigin{
		"hash-kubelet-upgrade":  report.FromThisSpec,
		"spec-image-changed":    report.FromAnotherImage,
		"hash-apiserver-change": report.FromAnotherSpec,
		"spec-changed":          report.FromUnknown,
	}
	seen := map[string]bool{}
	for _, told := range analyzertest.Stories() {
		origin, ok := want[told.Cause]
		if !ok || told.Confidence != "proven" {
			continue
		}
		s := told.Story().Snapshot()
		for _, q := range Questions(s, &s.Pods[0]) {
			all := Examine(q)
			if len(all) == 0 || all[0].Origin == report.HashMissing {
				continue
			}
			seen[told.Cause] = true
			if all[0].Origin != origin {
				t.Errorf("%s: %s (%s), want %s", told.Name, all[0].Origin, all[0].Sentence, origin)
			}
		}
	}
	if !seen["hash-kubelet-upgrade"] || !seen["spec-image-changed"] {
		t.Errorf("only %v were looked at", seen)
	}
}
