package tui

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"charm.land/bubbles/v2/key"
	"github.com/google/go-cmp/cmp"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/clock"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/sample"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/screen"
	"github.com/restartwhy/kubectl-restartwhy/tui/pane"
)

// The footer names as many keys as there is room for, and always help and quit.
func TestTheFooterAlwaysNamesHelpAndQuit(t *testing.T) {
	for _, name := range some(scripts) {
		script := scripts[name]
		for _, size := range []string{"60x20", "80x24", "200x50"} {
			d := drive(t, fixture(t), size).play(script)
			lines := strings.Split(strings.TrimRight(d.screen(), "\n"), "\n")
			foot := lines[len(lines)-1]
			if d.m.prompting() != nil || strings.HasPrefix(foot, "/") || d.m.status != "" {
				continue
			}
			if !strings.HasSuffix(foot, "? help  q quit") {
				t.Errorf("%s at %s: %q", name, size, foot)
			}
		}
	}
}

// What the footer names does something on that screen.
func TestEveryKeyThatAFooterNamesIsTakenThere(t *testing.T) {
	for _, name := range some(scripts) {
		script := scripts[name]
		d := drive(t, fixture(t), "120x40").play(script)
		if d.m.prompting() != nil || name == "filter-nothing" {
			continue
		}
		for _, b := range d.m.top().Hints(&d.m.Keys) {
			d := drive(t, fixture(t), "120x40").play(script)
			d.m.status = ""
			before, depth := d.screen(), len(d.m.stack)
			d.play(b.Keys()[0])
			if d.screen() == before && len(d.m.stack) == depth && d.clipboard == "" {
				// A text that is seen as a whole has no further page, a timeline may be
				// fitted already.
				if !key.Matches(press(t, b.Keys()[0]), d.m.Keys.PageDown, d.m.Keys.NextMark, d.m.Keys.ZoomOut, d.m.Keys.Fold) {
					t.Errorf("%s: %s does nothing", name, b.Help().Key)
				}
			}
		}
	}
}

func TestEveryKeyOfATimelineHasItsAction(t *testing.T) {
	k := screen.Keys()
	seen := map[pane.Action]string{}
	for _, name := range strings.Fields("up down left right pgup pgdown home end + - 0 n p space") {
		a, ok := k.Action(press(t, name))
		if other, twice := seen[a]; !ok || twice {
			t.Errorf("%s: %v %v, as %q", name, a, ok, other)
		}
		seen[a] = name
	}
	if len(seen) != pane.Actions {
		t.Errorf("%d of %d actions can be reached", len(seen), pane.Actions)
	}
	for _, name := range strings.Fields("q e y enter esc tab /") {
		if _, ok := k.Action(press(t, name)); ok {
			t.Errorf("%s is an action", name)
		}
	}
}

func TestATimelineTakesItsKeys(t *testing.T) {
	d := drive(t, fixture(t), "120x40").play("enter enter 2")
	fit := d.screen()
	if d.play("+"); d.screen() == fit {
		t.Error("+ does not zoom")
	}
	if d.play("right right"); len(d.m.stack) != 3 {
		t.Error("right leaves the timeline")
	}
	if d.play("left left left"); len(d.m.stack) != 3 {
		t.Error("left leaves the timeline")
	}
	d.play("0").sees("[2 Timeline]")
	d.play("G g n p").sees("[2 Timeline]")
	d.play("esc")
	if len(d.m.stack) != 2 {
		t.Error("escape does not leave the timeline")
	}
}

func TestNodesAreListedByWhatHappenedThere(t *testing.T) {
	r := fixture(t)
	r.NodeNotes = []report.NodeNote{{Node: "n9", Text: "its clock is wrong"},
		{Node: "n9", Text: "a second thing"}, {Node: "n2", Text: "low on memory"}}
	d := drive(t, r, "120x40").play("3")
	var got []string
	for _, line := range strings.Split(d.screen(), "\n")[3:7] {
		got = append(got, strings.Join(strings.Fields(strings.TrimPrefix(line, d.m.Look.Glyphs.Cursor)), " "))
	}
	want := []string{"n1 5 v1.30.14 -", "n3 5 v1.31.0 -", "n2 4 v1.31.0 low on memory", "n9 0 - its clock is wrong"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	d.play("G enter").sees("node n9", "restarts  0")
}

func TestWithoutRestartsTheCatalogueIsStillThereToRead(t *testing.T) {
	o := options(&report.Report{})
	driveWith(t, o, settings{}, "80x24").play("4").sees("oom-container-limit",
		"The evidence does not show the cause").play("j enter").sees("It used more memory")
	driveWith(t, Options{Report: &report.Report{}}, settings{},
		"80x24").play("4 enter y c e").sees("the list of causes is not available here")
}

func TestAProviderMayFailEverywhere(t *testing.T) {
	o := options(fixture(t))
	o.Details = broken{}
	d := driveWith(t, o, settings{}, "120x40").play("enter enter")
	d.sees("hash-kubelet-upgrade (proven)")
	d.play("2").sees("no timeline: the disk is gone").play("3").sees("no decision of the kubelet: the disk is gone").play(
		"4").sees("no hash: the disk is gone")
	d.play("1 enter").sees("the disk is gone").play("esc N").sees("nothing more could be read: the disk is gone").play(
		"2").sees("no timeline: the disk is gone")
}

type broken struct{}

var errGone = errors.New("the disk is gone")

func (broken) ItemDetail(string) (*report.ItemDetail, error)    { return nil, errGone }
func (broken) NodeDetail(string) (*report.NodeDetail, error)    { return nil, errGone }
func (broken) Neighbors(string, int) ([]report.Evidence, error) { return nil, errGone }

// A story may lack any of its parts.
func TestAStoryMayBeEmpty(t *testing.T) {
	o := options(fixture(t))
	o.Details = silent{}
	d := driveWith(t, o, settings{}, "120x40").play("enter enter 2").sees(
		"nothing in the evidence about this restart has a time")
	d.play("3").sees("the pod's spec or the kubelet's version is not in the evidence")
	d.play("4").sees("no stored hash of this container is in the evidence")
	d.play("1 enter").sees("its source has no other lines")
	d.play("esc N").sees("none in the evidence").play("2").sees("nothing in the evidence about this node has a time")
}

type silent struct{}

func (silent) ItemDetail(string) (*report.ItemDetail, error)    { return &report.ItemDetail{}, nil }
func (silent) NodeDetail(string) (*report.NodeDetail, error)    { return &report.NodeDetail{}, nil }
func (silent) Neighbors(string, int) ([]report.Evidence, error) { return nil, nil }

// Long neighbours are cut, the piece itself never.
func TestOnlyNeighboursAreCut(t *testing.T) {
	r := fixture(t)
	long := strings.Repeat("word ", 200) + "the very end"
	o := options(r)
	o.Details = around{details{r}, []report.Evidence{{ID: "x", Text: long}, {ID: "e9", Text: long}}}
	d := driveWith(t, o, settings{}, "80x50").play("enter enter enter")
	if n := strings.Count(d.screen(), "the very end"); n != 1 {
		t.Errorf("the end is there %d times, want once:\n%s", n, d.screen())
	}
	d.play("k enter").sees("the very end") // the neighbour, opened
}

type around struct {
	details
	lines []report.Evidence
}

func (a around) Neighbors(string, int) ([]report.Evidence, error) { return a.lines, nil }

func TestTheTitleSaysHowCompleteTheEvidenceIs(t *testing.T) {
	r := fixture(t)
	drive(t, r, "120x40").sees("13 restarts, 1 incident · all namespaces · last 24h", "2 gaps (m)")
	r.Gaps, r.Scope = nil, report.Scope{Namespace: "shop"}
	drive(t, r, "120x40").sees("13 restarts, 1 incident · shop").misses("gap")
	one := &report.Report{Items: fixture(t).Items[:1]}
	drive(t, one, "120x40").sees("shop/worker-7c5d9f6b4-q8zlm/worker").play("esc").sees("1 restart on 2026-11-21")
}

// Keys are drawn in time when there are many restarts: half of them within a frame
// of 60 a second, however busy the machine is.
func TestAKeyIsDrawnInTimeWithManyRestarts(t *testing.T) {
	r := &report.Report{}
	for i := range 20_000 {
		it := *sample.Restart()
		it.ID, it.Pod = fmt.Sprint("r", i), fmt.Sprint("web-", i)
		r.Items = append(r.Items, it)
	}
	r.Normalise()
	m := newModel(t.Context(), Options{Report: r}, settings{})
	m.Update(indexing(m.Data)())
	var took []time.Duration
	for _, script := range []string{"120x40 2 j j G k pgup g b j b r esc / text:web esc 1 3 4 2 enter esc enter 2 1 esc"} {
		d := &driver{t: t, m: m}
		for _, word := range strings.Fields(script) {
			elapsed := clock.Stopwatch()
			if strings.HasPrefix(word, "text:") || strings.Contains(word, "x4") {
				d.play(word)
				continue
			}
			m.Update(press(t, word))
			m.View()
			took = append(took, elapsed())
		}
	}
	slow := 0
	for _, d := range took {
		// Ten times the budget: the machine may be busy, and a list that is drawn whole takes longer than that.
		if d > 160*time.Millisecond {
			slow++
		}
	}
	if slow > len(took)/2 {
		t.Errorf("%d of %d keys took more than 160 ms: %v", slow, len(took), took)
	}
}
