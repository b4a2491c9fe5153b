package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/screens"
)

// A first-time user finds, with arrows, enter and escape alone,
// the root of a mass restart, its proof, and a container with another cause.
func TestAFirstVisitFindsTheRootAndTheOneThatDiffers(t *testing.T) {
	d := drive(t, fixture(t), "120x40")
	d.sees("4 restarts on n3", "hash-kubelet-upgrade", "The kubelet on n3 was upgraded from v1.30.14 to v1.31.0")
	d.play("enter").sees("shop/image-edit-0/a", "shop/self-sigkill-77f4b")
	d.play("enter").sees("[1 Verdict]", "What to do", "What happened")
	d.play("down down enter").sees("evidence 1 of 2 for this line", "journal · n3 · kubelet.service",
		"In context", "the line itself")
	d.play("esc esc esc").sees("[1 Overview]")
	d.play("down down enter").sees("shop/cache-0/redis", "oom-container-limit")
	d.play("esc").sees("[1 Overview]")
	if got := d.underCursor(); !strings.Contains(got, "oom-container-limit") {
		t.Errorf("back on %q", got)
	}
}

// Enter goes in, escape goes out, from everywhere, and escape never quits.
func TestEscapeLeadsOutStepByStep(t *testing.T) {
	for script, want := range map[string]string{
		"enter":                "[1 Overview]",
		"enter enter":          "hash-kubelet-upgrade  3 proven, 1 likely",
		"enter enter enter":    "[1 Verdict]",
		"enter enter 2 enter":  "[2 Timeline]",
		"enter enter N":        "[1 Verdict]",
		"enter enter N 2":      "[1 Verdict]",
		"3 enter":              "[3 Nodes]",
		"3 enter 3 enter":      "[3 Restarts]",
		"/ text:redis enter e": "1 of 14",
		"?":                    "[1 Overview]",
		"? m":                  "help",
		"m":                    "[1 Overview]",
		"2 b enter":            "[2 Restarts]",
		"esc esc esc esc":      "[1 Overview]",
	} {
		d := drive(t, fixture(t), "120x40").play(script + " esc")
		d.sees(want)
		if d.quit {
			t.Errorf("%q: escape quits", script)
		}
	}
}

func TestOnlyQuitKeysQuit(t *testing.T) {
	for script, want := range map[string]bool{
		"q": true, "j enter q": true, "? q": true, "ctrl+c": true, "j enter ctrl+c": true,
		"/ ctrl+c": true, "59x9 q": true, "enter enter 2 q": true,
		"/ q": false /* a letter of the filter */, "esc": false, "j enter esc esc": false, "/ text:oom esc": false,
	} {
		if d := drive(t, fixture(t), "80x24").play(script); d.quit != want {
			t.Errorf("%q: quit is %v, want %v", script, d.quit, want)
		}
	}
}

func TestSuspendKeySuspends(t *testing.T) {
	_, cmd := drive(t, fixture(t), "80x24").m.Update(press(t, "ctrl+z"))
	if cmd == nil {
		t.Fatal("no command")
	}
	if _, ok := cmd().(tea.SuspendMsg); !ok {
		t.Error("the command does not suspend")
	}
}

func TestTabsGoRoundAndNumbersGoThere(t *testing.T) {
	d := drive(t, fixture(t), "120x40")
	for _, step := range []struct{ key, want string }{
		{"tab", "[2 Restarts]"}, {"tab", "[3 Nodes]"}, {"tab", "[4 Causes]"},
		{"tab", "[1 Overview]"}, {"shift+tab", "[4 Causes]"}, {"2", "[2 Restarts]"}, {"5", "[2 Restarts]"},
		{"enter", "[1 Verdict]"}, {"tab", "[2 Timeline]"}, {"3", "[3 Decision]"},
		{"shift+tab", "[2 Timeline]"}, {"6", "? lists the keys"}, {"N", "node n2"},
	} {
		d.play(step.key).sees(step.want)
	}
}

// [ and ] walk the list that a restart was opened from, with the same pane open.
func TestTheNextRestartKeepsItsPane(t *testing.T) {
	d := drive(t, fixture(t), "120x40").play("2 enter 2")
	d.sees("shop/worker-7c5d9f6b4-q8zlm/worker", "[2 Timeline]")
	d.play("]").sees("shop/cache-0/redis", "[2 Timeline]")
	d.play("[ [").sees("shop/worker-7c5d9f6b4-q8zlm/worker", "this is the first one of the list")
	d.play("] ] esc")
	if got := d.underCursor(); !strings.Contains(got, "shop/api-6d8f9c7b5d-2") {
		t.Errorf("the list stands on %q", got)
	}
}

// Every line of a verdict that cites something leads there.
func TestEveryLineOfAVerdictLeadsToItsEvidence(t *testing.T) {
	r := fixture(t)
	for i := range r.Items {
		d := drive(t, r, "120x40")
		d.m.push(screens.NewRestart(d.m.Data, int32(i)))
		cites := 0
		p := d.page()
		for n := 0; n < p.Stops(); n++ {
			if p.Go(n); p.Toggle() {
				continue
			}
			at := *p.At()
			cites += len(at.Evidence)
			d.play("enter")
			opened := strings.HasPrefix(d.m.top().Title(&d.m.Frame), "evidence")
			if opened != (len(at.Evidence) > 0) {
				t.Errorf("item %d, stop %d cites %v, and enter opened: %v", i, n, at.Evidence, opened)
			}
			if opened {
				d.sees("In context")
				d.play("esc")
			}
		}
		if v := &r.Items[i].Verdict; cites < len(v.Cited()) {
			t.Errorf("item %d: %d citations can be reached, the verdict has %d", i, cites, len(v.Cited()))
		}
	}
}

func TestEvidenceIsShownAmongItsNeighbours(t *testing.T) {
	d := drive(t, fixture(t), "120x40").play("enter enter enter")
	d.sees("the line itself", "line -8", "line 7", "a long line")
	d.misses("line -9")
	d.play("+").sees("16 lines on each side")
	d.play("g").sees("line -16")
	d.play("- - - -").sees("1 line on each side").misses("line -2")
	d.play("-").misses("line -2")
	d.play("]").sees("evidence 2 of")
	d.play("[ [").sees("evidence 4 of 4")
	d.play("o").sees("no file can be written here")
}

func TestANeighbourCanBeOpenedToo(t *testing.T) {
	d := drive(t, fixture(t), "120x40").play("enter enter enter j enter")
	d.sees("line 1")
	if d.m.top().Title(&d.m.Frame) != "evidence" || len(d.m.stack) != 5 {
		t.Errorf("%d screens, the top is %T", len(d.m.stack), d.m.top())
	}
}

func TestWhatAProviderCannotTellIsSaid(t *testing.T) {
	d := drive(t, fixture(t), "120x40")
	d.play("/ text:canary enter enter 2").sees("no timeline: tell story of r-12: nothing about it has a time")
	d.play("esc 3 enter").sees("nothing more could be read: tell story of node n1: nothing of it was collected")
	r := fixture(t)
	r.Items[0].Verdict.Chain[0].Evidence = []string{"e3"}
	drive(t, r, "120x40").play("2 enter enter").sees("show lines around e3: its file is gone")
}

func TestTheNodeOfARestartIsAKeyAway(t *testing.T) {
	d := drive(t, fixture(t), "120x40").play("enter enter N")
	d.sees("node n3", "containerd 1.7.13", "kubelet and runtime use different cgroup drivers", "cgroupDriver", "systemd")
	d.play("enter").sees("kubelet-log · n3 · kubelet.log", "the line itself")
	d.play("esc 3").sees("[3 Restarts]", "hash-kubelet-upgrade")
}

func TestAnEmptyReportSaysSo(t *testing.T) {
	r := &report.Report{}
	r.Normalise()
	d := drive(t, r, "80x24").play("j k G g enter h / enter pgdown ? esc m esc 120x40 enter 2 b r enter 3 enter 4 1")
	d.sees("no restarts")
	r.Gaps = []report.Gap{{Source: "kubelet-log", Why: "denied"}}
	drive(t, r, "80x24").sees("no restarts in the evidence")
}

func TestEvidenceThatIsNotInTheReportIsNamed(t *testing.T) {
	r := fixture(t)
	r.Evidence = nil
}

func TestTimesAreUTC(t *testing.T) {
	r := fixture(t)
	r.Items[1].Time = new(r.Items[1].Time.In(fixedZone))
	if got := drive(t, r, "120x40").play("2 j").underCursor(); !strings.Contains(got, "08:58") {
		t.Errorf("the row shows another zone: %s", got)
	}
}

// The mouse does nothing until it is asked for; then it scrolls, chooses and opens.
func TestTheMouseIsOptional(t *testing.T) {
	d := drive(t, fixture(t), "120x40")
	if d.m.View().MouseMode != tea.MouseModeNone {
		t.Error("the mouse is taken at first")
	}
	d.play("M").sees("M returns it")
	if d.m.View().MouseMode == tea.MouseModeNone {
		t.Error("M does not take the mouse")
	}
	click := func(x, y int) { d.send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft}) }
	click(10, 5) // the third row: title, panes, header, rows
	if got := d.underCursor(); !strings.Contains(got, "oom-container-limit") {
		t.Errorf("the click chose %q", got)
	}
	click(10, 5)
	d.sees("[1 Verdict]", "shop/cache-0/redis")
	d.send(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
	if d.page().Cursor() == 0 {
		t.Error("the wheel does not scroll")
	}
	click(18, 1)
	d.sees("[2 Timeline]")
	click(1, 1)
	d.sees("[1 Verdict]")
	d.play("esc")
	click(22, 1)
	d.sees("[2 Restarts]")
	click(0, 0)
	click(0, 39)
	click(500, 500)
	d.send(tea.MouseClickMsg{X: 5, Y: 5, Button: tea.MouseRight})
	d.sees("[2 Restarts]")
	if d.play("M"); d.m.View().MouseMode != tea.MouseModeNone {
		t.Error("M does not give the mouse back")
	}
}
