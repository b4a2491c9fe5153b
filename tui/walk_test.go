package tui

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/clock"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/sample"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/screen"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/screens"
)

// steps are all that a person can do, and what the terminal may do meanwhile.
var steps = strings.Fields(
	`j k up down g G home end pgup pgdown enter enter enter esc h l ] [ n p ? m space tab shift+tab 1 2 3 4 5 6 / text:web text:oom text:! text:界 text:/
	backspace ctrl+w ctrl+u left right + - 0 b r f e y c o s N M 80x24 60x20 59x20 1x1 200x60 61x30 110x29 120x30`)

// reports are those that a viewer may meet.
func reports(t testing.TB) map[string]*report.Report {
	return map[string]*report.Report{"full": fixture(t), "empty": {}, "torn": torn(t), "repeated": sample.Repeated()}
}

// TestAnyWalkKeepsItsShapeAndFindsBack walks at random: no frame breaks its
// rectangle, and however deep one is, escape leads back to the lowest screen.
func TestAnyWalkKeepsItsShapeAndFindsBack(t *testing.T) {
	for name, r := range reports(t) {
		for seed := range walks() {
			random := rand.New(rand.NewPCG(seed, 7))
			var walk []string
			for range 60 {
				walk = append(walk, steps[random.IntN(len(steps))])
			}
			walkAll(t, name, r, walk)
		}
	}
}

func walkAll(t *testing.T, name string, r *report.Report, walk []string) {
	t.Helper()
	d := drive(t, r, "80x24")
	for n, step := range walk {
		func() {
			defer func() {
				if p := recover(); p != nil {
					t.Fatalf("%s report: %v after: %s", name, p, strings.Join(walk[:n+1], " "))
				}
			}()
			d.play(step)
			if n == len(walk)/2 { // newer reports come in
				next := &report.Report{Items: append(sample.Repeated().Items, r.Items...),
					Incidents: r.Incidents, Evidence: r.Evidence}
				next.Normalise()
				d.bring(Update{Report: next, Details: details{next}})
			}
		}()
	}
	d.play("80x24" + strings.Repeat(" esc", len(d.m.stack)+3))
	if len(d.m.stack) != 1 || d.m.prompting() != nil || d.m.asking != nil {
		t.Fatalf("%s report: escape does not lead back after: %s\n%s", name, strings.Join(walk, " "), d.screen())
	}
}

// FuzzKeys lets the fuzzer choose the keys: any sequence, on any report.
func FuzzKeys(f *testing.F) {
	f.Add([]byte("enter"), uint8(0))
	f.Add([]byte{10, 10, 10, 24, 25, 26, 30, 31, 32}, uint8(1))
	f.Add([]byte{34, 35, 10, 11, 12, 13, 40, 41, 42, 50, 51, 52}, uint8(2))
	f.Fuzz(func(t *testing.T, keys []byte, which uint8) {
		if len(keys) > 40 {
			return
		}
		names := []string{"empty", "full", "repeated", "torn"}
		name := names[int(which)%len(names)]
		walk := make([]string, 0, len(keys)+1)
		for _, k := range keys {
			walk = append(walk, steps[int(k)%len(steps)])
		}
		walkAll(t, name, reports(t)[name], append(walk, "j"))
	})
}

// torn is a report whose references lead nowhere: a viewer shows what there is.
func torn(t testing.TB) *report.Report {
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

// Every frame of every size holds its rectangle: driver.check fails otherwise.
func TestEverySizeKeepsItsShape(t *testing.T) {
	for w := screen.MinWidth; w <= 200; w += 45 {
		for h := screen.MinHeight; h <= 60; h += 20 {
			d := drive(t, fixture(t), fmt.Sprintf("%dx%d", w, h))
			for _, name := range some(scripts) {
				d.play(scripts[name] + strings.Repeat(" esc", 6) + " 1 g")
			}
		}
	}
}

func TestOverlongAndWideNamesKeepTheShape(t *testing.T) {
	r := fixture(t)
	for i := range r.Items {
		r.Items[i].Container = strings.Repeat("界", 40)
		r.Items[i].Verdict.Cause = strings.Repeat("x", 300)
		r.Items[i].Verdict.Summary = strings.Repeat("漢字", 400)
		r.Items[i].Node = strings.Repeat("n", 200)
	}
	for i := range r.Evidence {
		r.Evidence[i].Text = strings.Repeat("界x ", 300)
	}
	drive(t, r, "80x24").play("enter enter j enter G esc 120x40 60x20 2 3 4 5 N esc esc esc 2 b b b b 3 enter 4 y c")
}

// What a verdict says is the same at every width, but for spaces.
func TestNothingIsLostWhenATextIsReadAtAnotherWidth(t *testing.T) {
	text := func(d *driver) string {
		lines := strings.Split(d.screen(), "\n")
		return strings.Join(strings.Fields(strings.Join(lines[2:len(lines)-2], " ")), "")
	}
	for i := range fixture(t).Items {
		d := drive(t, fixture(t), "110x400")
		d.m.push(screens.NewRestart(d.m.Data, int32(i)))
		d.play("G enter")
		wide := text(d)
		if narrow := text(d.play("61x400")); narrow != wide {
			t.Errorf("item %d reads differently at 61:\n%s\n%s", i, narrow, wide)
		}
		if again := text(d.play("110x400")); again != wide {
			t.Errorf("item %d reads differently after a resize and back", i)
		}
	}
}

// A frame is asked for after every message: nothing in it may wait, or look at a
// clock.
func TestUpdateDoesNothingThatTakesTime(t *testing.T) {
	slow := slowDetails{details{fixture(t)}, make(chan struct{})}
	defer close(slow.wait)
	o := options(fixture(t))
	o.Details = slow
	m := newModel(t.Context(), o, settings{})
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	elapsed := clock.Stopwatch()
	for _, k := range strings.Fields("enter enter 3 4 5 N 2 esc 1 enter + esc esc esc") {
		m.Update(press(t, k))
		m.View()
	}
	if took := elapsed(); took > 2*time.Second {
		t.Errorf("the keys took %v", took)
	}
}

// slowDetails answers when the test is over.
type slowDetails struct {
	details
	wait chan struct{}
}

func (s slowDetails) ItemDetail(id string) (*report.ItemDetail, error) {
	<-s.wait
	return s.details.ItemDetail(id)
}

func (s slowDetails) NodeDetail(name string) (*report.NodeDetail, error) {
	<-s.wait
	return s.details.NodeDetail(name)
}

func (s slowDetails) Neighbors(id string, n int) ([]report.Evidence, error) {
	<-s.wait
	return s.details.Neighbors(id, n)
}
