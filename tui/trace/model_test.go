package trace

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/pane"
	"github.com/restartwhy/kubectl-restartwhy/tui/pane/panetest"
)

// play makes a pane of 120 by 60 and leads it through some actions.
func play(d *report.Decision, actions ...pane.Action) *Model {
	m := New(panetest.Plain(), d)
	m.Resize(120, 60)
	for _, a := range actions {
		m.Do(a)
	}
	return &m
}

// under returns the line under the cursor, in single spaces.
func under(m *Model) string {
	for _, line := range m.Lines() {
		if rest, ok := strings.CutPrefix(line, m.look.Glyphs.Cursor); ok {
			return strings.Join(strings.Fields(rest), " ")
		}
	}
	return ""
}

func shows(m *Model, text string) bool { return strings.Contains(strings.Join(m.Lines(), "\n"), text) }

func TestTheCursorGoesWhereTheReaderAsks(t *testing.T) {
	for _, c := range []struct {
		name    string
		actions []pane.Action
		want    string
	}{
		{"it begins at the first yes", nil, "● yes Does the kubelet take this pod up again after its own start? · it started at 08:33:56"},
		{"next goes on to the yes that decided", []pane.Action{pane.Next}, "● yes Does the stored hash of web differ from the hash of its spec? · stored c87f01d2, computed 5d6b2a10"},
		{"next stays at the last yes", []pane.Action{pane.Next, pane.Next}, "● yes Does the stored hash of web differ from the hash of its spec? · stored c87f01d2, computed 5d6b2a10"},
		{"previous comes back", []pane.Action{pane.Next, pane.Previous}, "● yes Does the kubelet take this pod up again after its own start? · it started at 08:33:56"},
		{"top is what was supposed", []pane.Action{pane.Top}, "supposed the kubelet was restarted: it admits the pod again and has forgotten probe results and back-off"},
		{"up from the first question is its function", []pane.Action{pane.Up}, "▾ HandlePodAdditions · kubelet.go"},
		{"bottom is the last function", []pane.Action{pane.Bottom}, "▸ doBackOff · 1 question, no · kuberuntime/kuberuntime_manager.go"},
		{"folding takes the cursor to the function", []pane.Action{pane.Toggle}, "▸ HandlePodAdditions · 2 questions, 1 yes · kubelet.go"},
		{"left folds too", []pane.Action{pane.Next, pane.Left}, "▸ computePodActions goes on · 4 questions, 1 yes"},
		{"right unfolds what is folded", []pane.Action{pane.Bottom, pane.Right, pane.Down}, "○ no Must web wait after its last crash? · no crash is remembered → It is started now."},
		{"folding all keeps the place", []pane.Action{pane.Next, pane.ZoomOut}, "▸ computePodActions goes on · 4 questions, 1 yes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if d := cmp.Diff(c.want, under(play(upgradeDecision(), c.actions...))); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestFoldingHidesWhatAFunctionCalled(t *testing.T) {
	m := play(upgradeDecision(), pane.ZoomIn)
	for _, question := range []string{"in place?", "without any sandbox", "phase Succeeded", "last crash"} {
		if !shows(m, question) {
			t.Errorf("unfolded, %q is not to be seen", question)
		}
	}
	m.Do(pane.ZoomOut)
	if shows(m, "PodSandboxChanged") || shows(m, "in place?") {
		t.Error("folded, the called function is still to be seen")
	}
	if !shows(m, "computePodActions · 3 questions, all no") {
		t.Errorf("the fold does not say what it hides:\n%s", strings.Join(m.Lines(), "\n"))
	}
	m.Do(pane.Fit)
	if !shows(m, "Does the stored hash of web differ") || shows(m, "in place?") {
		t.Error("fit does not unfold exactly the functions with a yes")
	}
}

func TestAFoldCountsInPlainWords(t *testing.T) {
	for answers, want := range map[string]string{
		"n": "1 question, no", "y": "1 question, yes", "nn": "2 questions, all no", "yy": "2 questions, all yes", "nyn": "3 questions, 1 yes",
	} {
		d := &report.Decision{}
		for _, a := range answers {
			d.Branches = append(d.Branches, report.Branch{Function: "f", Answer: a == 'y'})
		}
		if got := under(play(d, pane.ZoomOut)); got != "▸ f · "+want {
			t.Errorf("%s: %q, want %q", answers, got, want)
		}
	}
}

// A yes must never begin out of sight.
func TestACallerOfAFunctionWithAYesBeginsUnfolded(t *testing.T) {
	d := upgradeDecision()
	for i := range d.Branches {
		d.Branches[i].Answer = d.Branches[i].Function == "PodSandboxChanged" && strings.Contains(d.Branches[i].Question, "ceased")
	}
	m := play(d)
	if want := "● yes Has the newest sandbox ceased to be ready? · SANDBOX_READY"; under(m) != want {
		t.Errorf("under the cursor: %q, want %q", under(m), want)
	}
}

func TestAFunctionThatIsCalledTwiceDoesNotGoOn(t *testing.T) {
	d := upgradeDecision()
	d.Branches = append(d.Branches[:12:12], d.Branches[9], d.Branches[11])
	m := play(d, pane.ZoomIn)
	text := strings.Join(m.Lines(), "\n")
	if n := strings.Count(text, "computePodActions goes on"); n != 2 {
		t.Errorf("computePodActions goes on %d times, want 2:\n%s", n, text)
	}
	if strings.Contains(text, "ShouldContainerBeRestarted goes on") {
		t.Errorf("a second call is taken for the first:\n%s", text)
	}
}

func TestTheHeadSaysWhetherItIsWhatHappened(t *testing.T) {
	base := func() *report.Decision { return upgradeDecision() }
	for _, c := range []struct {
		name   string
		mutate func(*report.Decision)
		want   string
	}{
		{"it is", func(*report.Decision) {}, "✓ This is what happened."},
		{"it is not, and why is known", func(d *report.Decision) { d.Agrees, d.Differs = false, []string{"log was killed too"} }, "✗ This is not what happened: log was killed too"},
		{"it is not, and why is not known", func(d *report.Decision) { d.Agrees = false }, "✗ This is not what happened: the outcome is another one."},
		{"the version is the one modelled", func(*report.Decision) {}, "decided by kubelet v1.31.0"},
		{"v1.3 is not modelled by v1.31", func(d *report.Decision) { d.Kubelet, d.ModelledAs = "v1.31.0", "v1.3" }, "decided by kubelet v1.31.0, modelled as v1.3"},
		{"a newer one is modelled as an older", func(d *report.Decision) { d.Kubelet = "v1.40.1"; d.ModelledAs = "v1.36" }, "decided by kubelet v1.40.1, modelled as v1.36"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := base()
			c.mutate(d)
			m := play(d)
			found := false
			for _, line := range m.Lines()[:4] {
				found = found || line == c.want
			}
			if !found {
				t.Errorf("no line says %q:\n%s", c.want, strings.Join(m.Lines()[:4], "\n"))
			}
			if word := strings.TrimLeft(c.want, "✓✗ "); !strings.Contains(m.Plain(), word) {
				t.Errorf("the plain text does not say %q", word)
			}
		})
	}
}

func TestALongHeadLeavesHalfOfTheRoom(t *testing.T) {
	d := upgradeDecision()
	d.Agrees, d.Differs = false, []string{strings.Repeat("something else happened ", 40)}
	m := New(panetest.Plain(), d)
	m.Resize(60, 12)
	lines := m.Lines()
	panetest.Fits(t, lines, 60, 12)
	if !strings.HasSuffix(lines[5], "…") || lines[6] != "" || !strings.HasPrefix(lines[7], " ") && !strings.HasPrefix(lines[7], "❯") {
		t.Errorf("the head is not cut in the middle:\n%s", strings.Join(lines, "\n"))
	}
}

func TestPlainTextHoldsEveryBranchWhateverIsFolded(t *testing.T) {
	d := otherwise()
	m := play(d, pane.ZoomOut)
	text := m.Plain()
	for _, b := range d.Branches {
		for _, want := range []string{b.Question, b.Fact, b.Then, b.Function, b.File} {
			if !strings.Contains(text, want) {
				t.Errorf("%q is missing", want)
			}
		}
	}
	for _, want := range append(append(d.Supposed, d.Assumed...), d.Outcome) {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing", want)
		}
	}
}

func TestAContainerIsNamedWhereTheQuestionDoesNot(t *testing.T) {
	m := play(upgradeDecision(), pane.ZoomIn)
	if !shows(m, "log: Does the restart policy want it started?") || shows(m, "web: Is web stopped") {
		t.Errorf("containers are not named as they should:\n%s", strings.Join(m.Lines(), "\n"))
	}
}

func TestAnEmptyDecisionIsNoPanic(t *testing.T) {
	m := play(&report.Decision{}, pane.Down, pane.Toggle, pane.Left, pane.ZoomOut, pane.Bottom, pane.Previous)
	panetest.Fits(t, m.Lines(), 120, 60)
	if m.Evidence() != nil {
		t.Error("evidence without a branch")
	}
}

func FuzzAnyUseFits(f *testing.F) {
	f.Add([]byte{1, 1, 13, 250, 60, 20, 10, 11, 250, 3, 2, 1, 0}, 2, "Has it ended?")
	f.Add([]byte{11, 9, 250, 0, 0, 8, 250, 200, 50, 5}, 0, "a\tb\x1b[31mc\u00852❤")
	f.Fuzz(func(t *testing.T, script []byte, containers int, text string) {
		d := long(max(min(containers, 8), 0))
		for i := range d.Branches {
			if i%3 == 0 {
				d.Branches[i].Question, d.Branches[i].Then, d.Branches[i].Function = text, text, text
				d.Branches[i].Depth += len(text) % 9
			}
		}
		d.Outcome += text
		m := New(panetest.Colour(), d)
		panetest.Play(t, &m, script[:min(len(script), 200)])
	})
}

func BenchmarkAKeyInADecisionOf2000Branches(b *testing.B) {
	m := New(panetest.Colour(), long(500))
	m.Resize(200, 50)
	m.Do(pane.ZoomIn)
	keys := []pane.Action{pane.Down, pane.PageDown, pane.Next, pane.Toggle, pane.Toggle, pane.Up}
	n := 0
	for b.Loop() {
		m.Do(keys[n%len(keys)])
		n++
		if len(m.Lines()) != 50 {
			b.Fatal("no frame")
		}
	}
}

func ExampleModel_Plain() {
	m := New(panetest.ASCII(), nil)
	fmt.Print(m.Plain())
	// Output: The kubelet's decision cannot be replayed: the pod's spec or the kubelet's version is unknown.
}
