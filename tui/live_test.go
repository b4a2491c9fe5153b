package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/dataset"
)

// bring sends an update as the collection does.
func (d *driver) bring(u Update) *driver {
	d.t.Helper()
	d.send(updated{u, true})
	return d
}

func waitingFor(t *testing.T, size string) *driver {
	o := options(fixture(t))
	o.Report, o.Details = nil, nil
	o.Updates = make(chan Update)
	return driveWith(t, o, settings{}, size)
}

var began = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

func TestTheFirstScreenIsThereAtOnceAndFills(t *testing.T) {
	d := waitingFor(t, "80x24")
	d.sees("collecting evidence", "nothing has been read yet")
	d.play("j k enter 2 / text:x esc 3 4 1 m esc ? esc") // every key is safe meanwhile
	d.bring(Update{Progress: &Progress{Source: "api server", At: began}})
	d.sees("api server: reading", "reading 1 source")
	d.bring(Update{Progress: &Progress{Source: "kubelet log of n1", At: began}})
	d.bring(Update{Progress: &Progress{Source: "api server", Done: true, At: began.Add(time.Second)}})
	d.sees("reading 1 source", "1 source done").misses("api server: reading")
	d.send(tick(began.Add(7 * time.Second)))
	d.sees("kubelet log of n1: reading for 7s, slow", "1 slow (m)")
	r := fixture(t)
	d.bring(Update{Report: r, Details: details{r}})
	d.sees("13 restarts, 1 incident", "4 restarts on n3").misses("collecting evidence")
	d.play("m").sees("kubelet log of n1: reading for 7s, slow", "What could not be read")
	d.send(updated{Update{}, false})
	d.play("esc").sees("2 gaps (m)").misses("reading")
}

func TestNoTickComesWithoutAReason(t *testing.T) {
	d := waitingFor(t, "80x24")
	if d.m.ticking {
		t.Error("it ticks although nothing is read")
	}
	d.bring(Update{Progress: &Progress{Source: "a", At: began}})
	if !d.m.ticking {
		t.Error("it does not tick although something is read")
	}
	d.bring(Update{Progress: &Progress{Source: "a", Done: true, At: began}})
	d.send(tick(began.Add(time.Second)))
	if d.m.ticking {
		t.Error("it ticks on although nothing is read any more")
	}
	d.bring(Update{Progress: &Progress{Source: "b", At: began}})
	d.send(updated{Update{}, false})
	d.send(tick(began.Add(time.Second)))
	if d.m.ticking {
		t.Error("it ticks on although the collection has ended")
	}
}

func TestANoticeIsShownUntilTheNextKey(t *testing.T) {
	d := drive(t, fixture(t), "80x24").bring(Update{Notice: "ask api.example: connection refused"})
	d.sees("connection refused")
	d.play("j").misses("connection refused")
}

// newer is the fixture with n more restarts at the top, of other pods.
func newer(t *testing.T, n int) *report.Report {
	r := fixture(t)
	for i := range n {
		it := r.Items[7] // an exit of its own
		at := began.Add(time.Duration(i) * time.Minute)
		it.ID, it.Pod, it.PodUID, it.Time, it.From = fmt.Sprintf("new-%d", i),
			fmt.Sprintf("new-%d", i), fmt.Sprintf("uid-%d", i), &at, nil
		r.Items = slices.Insert(r.Items, 0, it)
	}
	return r
}

// New restarts come in above; the row that the reader looks at stays under the
// cursor, on its line of the screen.
func TestNewRestartsDoNotMoveWhatIsLookedAt(t *testing.T) {
	for _, script := range []string{"2 j j j", "2 G", "j j j", "2 b j j", "2 r j j j"} {
		d := drive(t, newer(t, 60), "80x24").play(script)
		tb := d.List()
		row, line := d.underCursor(), tb.Cursor-tb.Top
		next := newer(t, 75)
		d.bring(Update{Report: next, Details: details{next}})
		d.sees("15 new (f)")
		tb = d.List()
		if got := d.underCursor(); got != row && !strings.Contains(script, "b") {
			t.Errorf("%q: the cursor went from\n%s to\n%s", script, row, got)
		}
		if got := tb.Cursor - tb.Top; got != line && tb.Top > 0 && tb.Top+tb.Height < tb.N {
			t.Errorf("%q: the row went from line %d to %d", script, line, got)
		}
		if d.play("f"); d.List().Cursor != 0 {
			t.Errorf("%q: f does not go to the newest", script)
		}
		d.misses("new (f)")
	}
}

// An open restart stays open and gets its better verdict; what is open above it
// stays too.
func TestAnOpenRestartFollowsItsBetterEvidence(t *testing.T) {
	d := drive(t, fixture(t), "120x40").play("2 enter j j")
	d.sees("unknown", "shop/worker-7c5d9f6b4-q8zlm/worker")
	stop := d.page().Cursor()
	better := newer(t, 2)
	it := &better.Items[2]
	it.ID = "another-id" // better evidence makes another id
	it.Verdict.Cause, it.Verdict.Confidence, it.Verdict.Summary = "killed-externally",
		report.Proven, "an operator stopped it by hand"
	d.bring(Update{Report: better, Details: details{better}})
	d.sees("killed-externally (proven)", "An operator stopped it by hand", "2 new (f)")
	if got := d.page().Cursor(); got != stop {
		t.Errorf("the cursor of the page went from %d to %d", stop, got)
	}
	d.play("2").sees("[2 Timeline]", "decides to kill the container")
	d.play("] esc").sees("[2 Restarts]")
}

func TestWhatIsGoneFromANewerReportStaysOnTheScreen(t *testing.T) {
	d := drive(t, fixture(t), "120x40").play("enter enter enter")
	before := d.screen()
	empty := &report.Report{}
	empty.Normalise()
	d.bring(Update{Report: empty, Details: details{empty}})
	if got := d.screen(); strings.ReplaceAll(got, "2 gaps (m)", "") != strings.ReplaceAll(before, "2 gaps (m)", "") &&
		!strings.Contains(got, "the line itself") {
		t.Errorf("the evidence went away:\n%s", got)
	}
	d.play("esc").sees("shop/steady-5b7d4c9f68-lk2vp/web", "[1 Verdict]")
	d.play("] [ 3 4 5 1 y c o esc").sees("4 restarts on n3")
	d.play("j enter esc esc").sees("no restarts")
}

// A report that was overtaken while its index was built is not shown.
func TestAnOvertakenReportIsNotShown(t *testing.T) {
	d := waitingFor(t, "80x24")
	old, now := fixture(t), newer(t, 3)
	d.send(indexed{dataset.New(now, nil).Indexed(), 2})
	d.send(indexed{dataset.New(old, nil).Indexed(), 1})
	if d.m.Data.Report != now {
		t.Error("the older report is shown")
	}
}

func TestArrivalsCountsEndsAndNotVerdicts(t *testing.T) {
	a, b := dataset.New(fixture(t), nil), fixture(t)
	for i := range b.Items {
		b.Items[i].ID += "-again"
		b.Items[i].Verdict.Cause = "unknown"
	}
	if n := dataset.Arrivals(a, dataset.New(b, nil)); n != 0 {
		t.Errorf("%d arrivals of nothing new", n)
	}
	if n := dataset.Arrivals(a, dataset.New(newer(t, 4), nil)); n != 4 {
		t.Errorf("%d arrivals, want 4", n)
	}
}

// How newer reports come in is told as long as it stands.
func TestAWatchThatIsBrokenIsShownUntilItMends(t *testing.T) {
	say := func(text string) Update { return Update{Watch: &text} }
	d := drive(t, fixture(t), "120x40").bring(say("watch pods: the API server cannot be reached; trying again"))
	d.sees("trying again", "not live (m)")
	d.play("j").misses("trying again").sees("not live (m)")
	d.play("m").sees("Collection", "watch pods: the API server cannot be reached; trying again").misses("0 sources done")
	d.bring(say(""))
	d.misses("trying again").misses("not live")
	d.play("esc").sees("2 gaps (m)")
	d.bring(Update{Notice: "something else"}).sees("something else").misses("not live")
}
