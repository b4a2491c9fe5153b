package tui

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// steps are all that a person can do, and what the terminal may do meanwhile.
var steps = strings.Fields(`j k up down g G home end pgup pgdown enter esc h l ] [ n p ? m space tab / / text:web text:oom text:! text:界 text:/
	backspace ctrl+w ctrl+u left right 80x24 40x10 39x9 1x1 200x60 60x30 110x29 120x30`)

// TestAnyWalkKeepsItsShapeAndFindsBack walks at random: no frame breaks its
// rectangle, and however deep one is, escape leads back to the whole list.
func TestAnyWalkKeepsItsShapeAndFindsBack(t *testing.T) {
	reports := map[string]*report.Report{"full": fixture(t), "empty": {}, "torn": torn(t)}
	for name, r := range reports {
		for seed := range uint64(40) {
			random := rand.New(rand.NewPCG(seed, 7))
			d := drive(t, r, "80x24")
			var walk []string
			for range 60 {
				step := steps[random.IntN(len(steps))]
				walk = append(walk, step)
				func() {
					defer func() {
						if p := recover(); p != nil {
							t.Fatalf("%s report: %v after: %s", name, p, strings.Join(walk, " "))
						}
					}()
					d.play(step)
				}()
				if c := d.m.list.cursor; c != 0 && c >= len(d.m.list.rows) {
					t.Fatalf("%s report: the cursor stands on %d of %d after: %s", name, c, len(d.m.list.rows), strings.Join(walk, " "))
				}
			}
			d.play("80x24 esc esc esc esc esc esc esc esc")
			if d.m.screen() != screenList || d.m.prompt.typing || d.m.prompt.text != "" {
				t.Fatalf("%s report: escape does not lead back after: %s\n%s", name, strings.Join(walk, " "), d.screen())
			}
		}
	}
}

// torn is a report whose references lead nowhere: a viewer shows what there is.
func torn(t *testing.T) *report.Report {
	r := fixture(t)
	r.Evidence, r.GeneratedAt = nil, time.Time{}
	for i := range r.Items {
		it := &r.Items[i]
		switch i % 4 {
		case 0:
			it.From, it.To, it.Time = nil, nil, nil
		case 1:
			it.Incident = "no-such-incident"
		case 2:
			it.Verdict = report.Verdict{Confidence: "certain"}
		case 3:
			it.Pod, it.Namespace, it.Container, it.Node = "", "", "", ""
		}
	}
	for i := range r.Incidents {
		r.Incidents[i].Items = []string{"no-such-item"}
	}
	return r
}

// An incident opens and closes without moving anything else.
func TestAnIncidentOpensAndCloses(t *testing.T) {
	d := drive(t, fixture(t), "120x40")
	before := d.screen()
	rows := len(d.m.list.rows)
	at := -1
	for i, r := range d.m.list.rows {
		if r.item == none {
			at = i
			break
		}
	}
	if at < 0 {
		t.Fatal("the fixture has no incident")
	}
	d.play(strings.Repeat("j ", at) + "enter")
	group := d.m.rows.group(d.m.list.rows[at].incident)
	if got := len(d.m.list.rows); got != rows+len(group.items) {
		t.Errorf("%d rows after opening, want %d", got, rows+len(group.items))
	}
	d.play("j esc") // from inside
	if len(d.m.list.rows) != rows || d.m.list.cursor != at {
		t.Errorf("closed from inside: %d rows, cursor on %d; want %d and %d", len(d.m.list.rows), d.m.list.cursor, rows, at)
	}
	d.play("enter enter g")
	if d.screen() != before {
		t.Errorf("opening and closing left a trace:\n%s", d.screen())
	}
}

// While it is typed, a filter shows what it finds; what it hides is not lost.
func TestAFilterShowsOpenIncidentsAndGivesEverythingBack(t *testing.T) {
	d := drive(t, fixture(t), "120x40")
	all := d.screen()
	item := &d.m.report.Items[len(d.m.report.Items)-1]
	d.play("/ text:" + item.Container + " enter")
	found := 0
	for _, r := range d.m.list.rows {
		if r.item != none {
			found++
		}
	}
	if found == 0 || !strings.Contains(d.screen(), fmt.Sprintf("%d of %d", found, len(d.m.report.Items))) {
		t.Errorf("%d found:\n%s", found, d.screen())
	}
	d.play("/ text:zzzz")
	if !strings.Contains(d.screen(), "no restart matches the filter") {
		t.Errorf("nothing found:\n%s", d.screen())
	}
	d.play("enter enter ] j G esc esc esc")
	if got := d.screen(); got != all {
		t.Errorf("after the filter:\n%s\nbefore:\n%s", got, all)
	}
}

// What is pasted comes from anywhere. It is shown in the prompt, so nothing in
// it may steer the terminal.
func TestWhatIsPastedCannotSteerTheTerminal(t *testing.T) {
	var p prompt
	p.insert("a\x1b[31mb\u009b31mc\u202ed\u200be\x7f\x00\ufefff\u2028\xffg界")
	if p.text != "a[31mb31mcdefg界" {
		t.Errorf("the prompt holds %q", p.text)
	}
}

func TestWideAndNarrowScreensLookAsTheyShould(t *testing.T) {
	for _, size := range []string{"60x24", "200x50"} {
		d := drive(t, fixture(t), size)
		golden(t, "walk-list-"+size, d.screen())
		d.play("G enter")
		golden(t, "walk-restart-"+size, d.screen())
		d.play("?")
		golden(t, "walk-help-"+size, d.screen())
	}
	for _, size := range []string{"60x24", "200x50"} {
		golden(t, "walk-empty-"+size, drive(t, &report.Report{}, size).screen())
	}
}

func TestNoLineIsLostWhenATextIsReadAtAnotherWidth(t *testing.T) {
	words := func(d *driver) string {
		var all []string
		for _, l := range d.m.text.lines {
			all = append(all, strings.Fields(ansi.Strip(l))...)
		}
		return strings.Join(all, " ")
	}
	for i := range fixture(t).Items {
		d := drive(t, fixture(t), "120x40")
		d.m.screens = append(d.m.screens, screenRestart)
		d.m.read(int32(i))
		wide := words(d)
		if d.play("199x40 120x40"); words(d) != wide {
			t.Errorf("item %d reads differently after a resize and back", i)
		}
	}
}
