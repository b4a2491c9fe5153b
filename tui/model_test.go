package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

func TestScreensLookAsTheyShould(t *testing.T) {
	for name, script := range map[string]string{
		"list":             "",
		"incident-open":    "enter",
		"liveness":         "j j j enter",
		"oom":              "j j enter",
		"unknown":          "j enter",
		"unknown-end":      "j enter G",
		"upgrade":          "enter j enter",
		"upgrade-likely":   "enter j j j j enter",
		"never-started":    "/ text:canary enter j enter",
		"no-restart":       "/ text:readiness enter enter",
		"filter-typing":    "/ text:oom",
		"filter-no-match":  "/ text:nosuchthing enter",
		"filter-incident":  "/ text:self-sigkill enter",
		"help":             "?",
		"gaps":             "m",
		"help-over-detail": "j enter ?",
	} {
		for _, size := range []string{"80x24", "120x40"} {
			t.Run(name+"/"+size, func(t *testing.T) {
				golden(t, name+"-"+size, drive(t, fixture(t), size).play(script).screen())
			})
		}
	}
}

func TestSmallScreensLookAsTheyShould(t *testing.T) {
	for name, script := range map[string]string{
		"list-60x20":   "60x20",
		"detail-60x20": "60x20 j enter",
		"list-40x10":   "40x10",
		"notice-39x10": "39x10",
		"notice-80x9":  "80x9",
	} {
		t.Run(name, func(t *testing.T) {
			golden(t, name, drive(t, fixture(t), "80x24").play(script).screen())
		})
	}
}

func TestAnASCIITerminalGetsASCIIMarks(t *testing.T) {
	d := &driver{t: t, m: newModel(fixture(t), settings{ascii: true})}
	d.play("120x40 enter j")
	got := d.screen()
	golden(t, "ascii-120x40", got)
	// The texts of the report may hold any rune; the list's own marks may not.
	for _, mark := range []string{"●", "◐", "▾", "└", "❯", "─", "…"} {
		if strings.Contains(got, mark) {
			t.Errorf("%q is on an ASCII screen", mark)
		}
	}
}

func TestKeysMoveTheCursor(t *testing.T) {
	const first, last = "◐ likely 11-21 08:33 ▸ 4 containers on n3 hash-kubelet-upgrade", "● proven 11-20 18:04 kube-system/node-agen…/agent node-reboot"
	for script, want := range map[string]string{
		"":                 first,
		"k":                first,
		"up up":            first,
		"G":                last,
		"end":              last,
		"G j down":         last,
		"G g":              first,
		"end home":         first,
		"j":                "? unknown 11-21 09:02 shop/worker-7c5d9f6b…/worker unknown",
		"down j k":         "? unknown 11-21 09:02 shop/worker-7c5d9f6b…/worker unknown",
		"pgdown":           last,
		"space":            last,
		"pgdown pgup":      first,
		"80x12 pgdown":     "◐ likely 11-20 23:15 shop/steady-5b7d4c9f68-…/web readiness-flip",
		"l":                strings.Replace(first, "▸", "▾", 1),
		"l h":              first,
		"right left":       first,
		"enter enter":      first,
		"enter j j esc":    first,
		"enter j enter h":  "● proven 11-21 08:33 └ shop/steady-5b7d4c9f6…/web hash-kubelet-upgrade",
		"esc esc esc":      first,
		"j enter esc":      "? unknown 11-21 09:02 shop/worker-7c5d9f6b…/worker unknown",
		"j enter ] ] esc":  "● proven 11-21 08:42 shop/api-6d8f9c7b5d-2xk…/api liveness-probe-failed",
		"j enter ] [ esc":  "? unknown 11-21 09:02 shop/worker-7c5d9f6b…/worker unknown",
		"j enter [ [ esc":  "? unknown 11-21 09:02 shop/worker-7c5d9f6b…/worker unknown",
		"/ text:oom enter": "● proven 11-21 08:58 shop/cache-0/redis oom-container-limit",
		"/ text:oom esc":   "● proven 11-21 08:58 shop/cache-0/redis oom-container-limit",
		"? ? j":            "? unknown 11-21 09:02 shop/worker-7c5d9f6b…/worker unknown",
		"? esc j":          "? unknown 11-21 09:02 shop/worker-7c5d9f6b…/worker unknown",
		"? m m j":          "? unknown 11-21 09:02 shop/worker-7c5d9f6b…/worker unknown",
	} {
		if got := drive(t, fixture(t), "80x24").play(script).underCursor(); got != want {
			t.Errorf("%q\n got %s\nwant %s", script, got, want)
		}
	}
}

func TestOnlyQuitKeysQuit(t *testing.T) {
	for script, want := range map[string]bool{
		"q":                 true,
		"j enter q":         true,
		"? q":               true,
		"ctrl+c":            true,
		"j enter ctrl+c":    true,
		"/ ctrl+c":          true,
		"/ q":               false, // a letter of the filter
		"esc":               false,
		"j enter esc esc":   false,
		"/ text:oom esc":    false,
		"39x9 q":            true,
		"enter j enter esc": false,
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

func TestTheTextScrollsAndStopsAtItsEnds(t *testing.T) {
	d := drive(t, fixture(t), "80x24").play("j enter")
	end := len(d.m.text.lines) - d.m.text.height
	for _, step := range []struct {
		script string
		want   int
	}{
		{"k", 0}, {"j", 1}, {"down", 2}, {"up", 1}, {"pgdown", min(1+d.m.text.height, end)}, {"G", end}, {"j", end}, {"space", end}, {"g", 0}, {"pgup", 0},
	} {
		if d.play(step.script); d.m.text.top != step.want {
			t.Errorf("after %s the text is at %d, want %d", step.script, d.m.text.top, step.want)
		}
	}
	// A larger terminal shows the end without a hole below it.
	if d.play("G 80x200"); d.m.text.top != 0 {
		t.Errorf("all fits, but the text is at %d", d.m.text.top)
	}
	// The next restart starts at its top.
	if d.play("80x24 G ]"); d.m.text.top != 0 {
		t.Errorf("the next restart starts at %d", d.m.text.top)
	}
}

func TestAFilterTypedBeforeTheIndexIsThereWaitsForIt(t *testing.T) {
	d := &driver{t: t, m: newModel(fixture(t), settings{})}
	d.play("80x24 / text:oom")
	if n := len(d.m.list.rows); n != 11 {
		t.Errorf("without an index %d rows are shown, want all 11", n)
	}
	d.send(d.m.Init()())
	if n := len(d.m.list.rows); n != 1 {
		t.Errorf("with the index %d rows are shown, want 1", n)
	}
}

func TestPasteGoesIntoTheFilterOnly(t *testing.T) {
	d := drive(t, fixture(t), "80x24")
	d.send(tea.PasteMsg{Content: "oom"})
	if len(d.m.list.rows) != 11 {
		t.Error("a paste into the list filtered it")
	}
	d.play("/")
	d.send(tea.PasteMsg{Content: "oo\x1b[31mm\n"})
	if d.m.prompt.text != "oo[31mm" {
		t.Errorf("the prompt holds %q", d.m.prompt.text)
	}
}

func TestAnIncidentOfOneItemIsNoGroup(t *testing.T) {
	d := drive(t, fixture(t), "80x24")
	if len(d.m.rows.groups) != 1 {
		t.Fatalf("%d groups, want 1: the incident i-2 has one item only", len(d.m.rows.groups))
	}
	for _, r := range d.m.list.rows[1:] {
		if r.item == none {
			t.Errorf("incident %d stands as a group", r.incident)
		}
	}
}

func TestAGroupClaimsNoMoreThanItsWeakestMember(t *testing.T) {
	for name, tt := range map[string]struct {
		members []report.Confidence
		want    report.Confidence
	}{
		"all proven":  {[]report.Confidence{report.Proven, report.Proven}, report.Proven},
		"one likely":  {[]report.Confidence{report.Proven, report.Likely}, report.Likely},
		"one unknown": {[]report.Confidence{report.Possible, report.Unknown, report.Proven}, report.Unknown},
	} {
		r := &report.Report{Incidents: []report.Incident{{ID: "i"}}}
		for _, c := range tt.members {
			r.Items = append(r.Items, report.Item{Incident: "i", Verdict: report.Verdict{Confidence: c}})
		}
		if got := newRows(r).groups[0].weakest; got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}

func TestAnEmptyReportSaysSo(t *testing.T) {
	r := &report.Report{}
	r.Normalise()
	d := drive(t, r, "80x24").play("j k G g enter h / enter pgdown ? esc m esc 120x40 enter")
	if !strings.Contains(d.screen(), "nothing restarted here") {
		t.Errorf("the screen does not say so:\n%s", d.screen())
	}
}

func TestAnIncidentThatTheReportDoesNotHoldDoesNotHideItsItems(t *testing.T) {
	r := &report.Report{Items: []report.Item{{Pod: "a", Incident: "gone"}, {Pod: "b", Incident: "gone"}}}
	r.Normalise()
	if n := len(drive(t, r, "80x24").m.list.rows); n != 2 {
		t.Errorf("%d rows, want 2", n)
	}
}

func TestEvidenceThatIsNotInTheReportIsNamed(t *testing.T) {
	r := fixture(t)
	r.Evidence = nil
	if got := drive(t, r, "80x24").play("j enter G").screen(); !strings.Contains(got, "e1 is not in this report") {
		t.Errorf("the screen does not say so:\n%s", got)
	}
}

// Every frame of every size holds its rectangle: driver.check fails otherwise.
func TestEverySizeKeepsItsShape(t *testing.T) {
	for w := minWidth; w <= 200; w += 7 {
		for h := minHeight; h <= 60; h += 9 {
			drive(t, fixture(t), fmt.Sprintf("%dx%d", w, h)).play("enter j enter G pgup ] ? G esc esc m esc / text:e enter 41x11 120x40")
		}
	}
}

func TestOverlongAndWideNamesKeepTheShape(t *testing.T) {
	r := fixture(t)
	for i := range r.Items {
		r.Items[i].Container = strings.Repeat("界", 40)
		r.Items[i].Verdict.Cause = strings.Repeat("x", 300)
		r.Items[i].Verdict.Summary = strings.Repeat("漢字", 400)
	}
	drive(t, r, "80x24").play("enter j enter G esc 120x40 60x20 40x10 enter")
}

func TestTimesAreUTC(t *testing.T) {
	r := fixture(t)
	local := r.Items[1].Time.In(time.FixedZone("east", 9*3600))
	r.Items[1].Time = &local
	if got := drive(t, r, "80x24").play("j j").underCursor(); !strings.Contains(got, "08:58") {
		t.Errorf("the row shows another zone: %s", got)
	}
}
