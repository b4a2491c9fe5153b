package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/sample"
)

func TestKeysMoveTheCursor(t *testing.T) {
	const first, last = "◐ hash-kubelet-upgrade ▸ 4 restarts on n3", "● node-reboot node-agent-…/agent"
	const second = "? unknown worker-7c5…/worker"
	for script, want := range map[string]string{
		"": first, "k": first, "up up": first, "G": last, "end": last, "G j down": last,
		"G g": first, "end home": first, "j": second, "down j k": second,
		"pgdown": last, "space": last, "ctrl+f": last, "pgdown pgup": first,
		"l h": first, "right left": first, "enter esc": first, "esc esc esc": first,
		"j enter esc": second, "? ? j": second, "? esc j": second, "? m m ? j": second,
		"/ text:oom enter": "● oom-container-limit shop/cache-0/redis",
		// Dropping the filter leaves the cursor on what was found.
		"/ text:oom enter esc": "● oom-container-limit shop/cache-0/redis",
		"/ text:oom esc":       "● oom-container-limit shop/cache-0/redis",
	} {
		if got := drive(t, fixture(t), "80x24").play(script).underCursor(); !strings.HasPrefix(got, want) {
			t.Errorf("%q\n got %s\nwant %s", script, got, want)
		}
	}
}

func TestAPasteGoesIntoThePrompt(t *testing.T) {
	d := drive(t, fixture(t), "80x24")
	d.send(tea.PasteMsg{Content: "oom"})
	if d.List().N != 11 {
		t.Error("a paste into the list filtered it")
	}
	d.play("/")
	d.send(tea.PasteMsg{Content: "oo\x1b[31mm\n"})
	if d.m.top().Typist().Line().Text() != "oo[31mm" {
		t.Errorf("the prompt holds %q", d.m.top().Typist().Line().Text())
	}
}

// The line of every filter and search is edited in place; up and down move the list
// meanwhile.
func TestALineIsEditedWhereItsCursorIs(t *testing.T) {
	d := drive(t, fixture(t), "120x40").play("/ text:edis home text:r").sees("/redis", "1 of 14  enter keeps")
	d.play("end text:x left left backspace").sees("/redsx").play("right backspace text:i left right end backspace")
	if got := d.m.top().Typist().Line().Text(); got != "redi" {
		t.Errorf("the filter is %q", got)
	}
	d.play("ctrl+u text:shop home down down")
	if d.List().Cursor != 2 || d.m.prompting() == nil {
		t.Errorf("the cursor is at %d", d.List().Cursor)
	}
	drive(t, fixture(t), "80x24").play("enter enter / text:tored home text:s enter").sees("/stored").misses("not found")
	foresee(t, foretold(), settings{}, "80x24").play("/ text:art home text:c").sees("/cart")
}

func TestAFilterTypedBeforeTheIndexIsThereWaitsForIt(t *testing.T) {
	d := &driver{t: t, m: newModel(t.Context(), options(fixture(t)), settings{})}
	d.play("80x24 / text:oom")
	if n := d.List().N; n != 11 {
		t.Errorf("without an index %d rows are shown, want all 11", n)
	}
	d.run(d.m.Init())
	if n := d.List().N; n != 1 {
		t.Errorf("with the index %d rows are shown, want 1", n)
	}
}

func TestAFilterGivesEverythingBack(t *testing.T) {
	d := drive(t, fixture(t), "120x40")
	all := d.screen()
	d.play("/ text:redis enter").sees("1 of 14")
	d.play("/ text:zzzz").sees("no restart matches the filter")
	d.play("enter enter ] j G esc esc esc g")
	if got := d.screen(); got != all {
		t.Errorf("after the filter:\n%s\nbefore:\n%s", got, all)
	}
}

func TestAnIncidentThatTheReportDoesNotHoldDoesNotHideItsItems(t *testing.T) {
	r := &report.Report{Items: []report.Item{{Pod: "a", Incident: "gone"}, {Pod: "b", Incident: "gone"}}}
	r.Normalise()
	if n := drive(t, r, "80x24").List().N; n != 2 {
		t.Errorf("%d rows, want 2", n)
	}
}

// Whoever asks about one pod that keeps failing reads the answer below the list, before any key.
func TestARepeatedContainerIsAnsweredBelowTheList(t *testing.T) {
	r := sample.Repeated()
	r.Incidents = nil
	for i := range r.Items {
		r.Items[i].Incident = ""
	}
	r.Items[0].Verdict.Actions = []string{"read its last log"}
	drive(t, r, "120x40").sees("app-exit-error (proven)", "What to do", "Read its last log",
		"the newest of 2 (1 proven, 1 likely); enter lists them")
}
