package demo

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag"
	"github.com/restartwhy/kubectl-restartwhy/diag/apiobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/bundle"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
)

func recording(t *testing.T) *evidence.Snapshot {
	t.Helper()
	b, err := bundle.Read("demo", bytes.NewReader(Named(Incident)),
		bundle.Options{Now: time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)})
	if err != nil {
		t.Fatal(err)
	}
	s := diag.Observe(diag.Load(b, apiobject.Hasher{}), b.Manifest.CollectedAt)
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestStoriesOfTheRecording shows what a viewer of the recording can unfold.
func TestStoriesOfTheRecording(t *testing.T) {
	told := analyzer.AnalyzeWithDetails(recording(t), analyzer.Options{})
	for _, c := range []struct{ name, pod, container, cause string }{
		{"upgrade", "steady", "app", "hash-kubelet-upgrade"},
		{"liveness", "bows-out", "app", "liveness-probe-failed"},
		{"oom", "eats-memory", "app", "oom-container-limit"},
		{"image", "edited", "app", "spec-image-changed"},
		{"sandbox", "pauseless", "app", "sandbox-died"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, it := range told.Report.Items {
				if it.Pod == c.pod && it.Container == c.container && it.Verdict.Cause == c.cause && it.Kind == report.Restart {
					s, err := told.Details.ItemDetail(it.ID)
					if err != nil {
						t.Fatal(err)
					}
					golden(t, c.name, storyText(s))
					return
				}
			}
			t.Errorf("the recording has no restart of %s by %s", c.pod, c.cause)
		})
	}
	t.Run("node", func(t *testing.T) {
		s, err := told.Details.NodeDetail("n2")
		if err != nil {
			t.Fatal(err)
		}
		golden(t, "node", nodeText(s))
	})
}

// TestReplayedDecisionsAgreeWithWhatHappened holds the kubelet that is modelled
// to what a real one did.
func TestReplayedDecisionsAgreeWithWhatHappened(t *testing.T) {
	told := analyzer.AnalyzeWithDetails(recording(t), analyzer.Options{})
	replayed := 0
	for _, it := range told.Report.Items {
		s, err := told.Details.ItemDetail(it.ID)
		if err != nil {
			t.Fatal(err)
		}
		d := s.Decision
		if d == nil {
			continue
		}
		replayed++
		if it.Verdict.Confidence == report.Proven && !d.Agrees {
			t.Errorf("%s %s, %s is proven, and the replayed decision differs: %v",
				it.Pod, it.Container, it.Verdict.Cause, d.Differs)
		}
		if len(d.Branches) == 0 || d.Outcome == "" {
			t.Errorf("%s %s: a decision without branches or outcome: %+v", it.Pod, it.Container, d)
		}
	}
	if replayed < len(told.Report.Items)/2 {
		t.Errorf("%d of %d decisions could be replayed", replayed, len(told.Report.Items))
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	filetest.Golden(t, filepath.Join("testdata", name+".golden"), got)
}

func clock(t *time.Time) string {
	if t == nil {
		return "…"
	}
	return t.Format("15:04:05.000")
}

func storyText(s *report.ItemDetail) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s – %s\n", clock(s.Start), clock(s.End))
	lanesText(&b, s.Lanes)
	if d := s.Decision; d != nil {
		fmt.Fprintf(&b, "\ndecision of kubelet %s, modelled as %s: %s; agrees %v %v\n",
			d.Kubelet, d.ModelledAs, d.Outcome, d.Agrees, d.Differs)
		fmt.Fprintf(&b, "  supposed %q\n  assumed %q\n", d.Supposed, d.Assumed)
		fmt.Fprintf(&b, "  %d branches, taken:\n", len(d.Branches))
		for _, x := range d.Branches {
			if x.Answer {
				fmt.Fprintf(&b, "    %s: %s %s\n", x.Function, x.Question, x.Then)
			}
		}
	}
	if h := s.Hashes; h != nil {
		b.WriteString("\nhashes\n")
		for _, x := range h.Stored {
			fmt.Fprintf(&b, "  %s by %s: %s %q\n", x.Hash, x.Kubelet, x.Sentence, x.Notes)
		}
		fmt.Fprintf(&b, "  the present spec by %d kubelets\n", len(h.Items))
	}
	fmt.Fprintf(&b, "\n%d pieces of evidence beside the report's\n", len(s.Evidence))
	return b.String()
}

func nodeText(s *report.NodeDetail) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: kubelet %s, %s, kernel %s, %s\n%s – %s\n", s.Node,
		s.KubeletVersion, s.Runtime, s.Kernel, s.OS, clock(s.Start), clock(s.End))
	lanesText(&b, s.Lanes)
	b.WriteString("\nsettings\n  " + strings.Join(s.Settings, "\n  ") + "\n")
	for _, n := range s.Notes {
		fmt.Fprintf(&b, "\nnote: %s\n  %s\n", n.Text, n.Hint)
	}
	fmt.Fprintf(&b, "\n%d pieces of evidence beside the report's\n", len(s.Evidence))
	return b.String()
}

func lanesText(b *strings.Builder, lanes []report.Lane) {
	for _, l := range lanes {
		fmt.Fprintf(b, "\n%s: %s\n", l.Kind, l.Name)
		for _, s := range l.Spans {
			bad := ""
			if s.Bad {
				bad = "!"
			}
			fmt.Fprintf(b, "  %s – %s %s%s [%d]\n", clock(s.From), clock(s.To), bad, s.Text, len(s.Evidence))
		}
		for _, m := range l.Marks {
			sign := " "
			if m.Decisive {
				sign = "*"
			}
			fmt.Fprintf(b, "  %s %s%s [%d]\n", m.At.Format("15:04:05.000"), sign, m.Text, len(m.Evidence))
		}
	}
}
