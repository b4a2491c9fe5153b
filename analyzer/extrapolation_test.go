package analyzer_test

import (
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// of replaces the kubelet version in a story everywhere.
func of(s *analyzertest.Story, version string) *analyzertest.Story {
	s.NodeInfo.KubeletVersion = version
	for i := range s.Observations {
		if f, ok := s.Observations[i].Fact.(evidence.KubeletStarted); ok && f.Version != "" {
			f.Version = version
			s.Observations[i].Fact = f
		}
	}
	return s
}

// Whatever a kubelet that is not modelled did, nothing is proven, and the report says so.
func TestNothingIsProvenOfAKubeletThatIsNotModelled(t *testing.T) {
	proven := 0
	for _, version := range []string{"v1.98.0", "v2.1.0", "v1.4.12"} {
		for _, story := range analyzertest.Stories() {
			t.Run(version+"/"+story.Name, func(t *testing.T) {
				if story.Confidence == string(report.Proven) {
					proven++
				}
				r := judge(of(story.Story(), version))
				for i := range r.Items {
					v := &r.Items[i].Verdict
					if v.Confidence == report.Proven {
						t.Errorf("%s is proven: %s", v.Cause, v.Summary)
					}
					if v.Missing[0].What == "" || !strings.Contains(v.Missing[0].What, version) {
						t.Errorf("what is missing does not begin with the kubelet: %+v", v.Missing)
					}
					for _, e := range v.Eliminated {
						if strings.Contains(e.Because, version) && !strings.Contains(e.Because, "was already") &&
							!strings.Contains(e.Because, "the same kubelet version") {
							t.Errorf("ruled out by what nobody knows: %s", e.Because)
						}
					}
				}
				if len(r.Extrapolated) != 1 || r.Extrapolated[0].KubeletVersion != version ||
					len(r.Extrapolated[0].Items) != len(r.Items) {
					t.Errorf("extrapolated: %+v of %d items", r.Extrapolated, len(r.Items))
				}
				if len(r.NodeNotes) == 0 || !strings.Contains(r.NodeNotes[0].Text, version) {
					t.Errorf("node notes: %+v", r.NodeNotes)
				}
			})
		}
	}
	if proven == 0 {
		t.Error("no story is proven by a kubelet that is modelled: the test shows nothing")
	}
}

// A static pod under a kubelet that is not modelled: the old and the new one may compute the same UID, or not.
func TestAStaticPodUnderAKubeletThatIsNotModelled(t *testing.T) {
	for _, story := range analyzertest.Stories() {
		if story.Name != "another kubelet and the same static manifest" {
			continue
		}
		s := story.Story()
		s.NodeInfo.KubeletVersion = "v1.98.0"
		last := -1
		for i := range s.Observations {
			if _, ok := s.Observations[i].Fact.(evidence.KubeletStarted); ok {
				last = i
			}
		}
		if last < 0 {
			t.Fatal("the story has no start of a kubelet")
		}
		f := s.Observations[last].Fact.(evidence.KubeletStarted)
		f.Version = "v1.98.0"
		s.Observations[last].Fact = f
		v := newest(t, s)
		if v.Cause != "static-pod-kubelet-upgrade" || v.Confidence == report.Proven {
			t.Errorf("%s (%s): %s", v.Cause, v.Confidence, v.Summary)
		}
		for _, e := range v.Eliminated {
			if strings.Contains(e.Because, "same UIDs") {
				t.Error(e.Because)
			}
		}
		return
	}
	t.Fatal("no such story")
}
