package timelineview

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/pane"
)

// around returns what the pane tells of all lanes, in single spaces.
func around(m *Model) []string {
	lines := m.Lines()
	i := slices.Index(lines, "All lanes around this time")
	if i < 0 {
		return nil
	}
	var out []string
	for _, line := range lines[i+1:] {
		if text := strings.Join(strings.Fields(line), " "); text != "" {
			out = append(out, text)
		}
	}
	return out
}

func TestAllLanesAreToldInOneOrderOfTime(t *testing.T) {
	m := play(upgrade().Activity)
	m.Resize(110, 28)
	want := []string{
		"08:33:30.711 probes • readiness probe succeeded",
		"08:33:54.870 systemd • stopped kubelet.service",
		"08:33:55.902 systemd ◆ started kubelet.service",
		"08:33:56.003 kubelet ◆ kubelet v1.31.0 started; before it ran v1.30.14",
		"08:33:56.310 kubelet • admitted pod shop/steady again",
		"❯ 08:33:57.120 kubelet ◆ container web definition changed, will be restarted: the stored hash c87f01d2 is …",
		"❯ 08:33:57.125 kubelet • killing container web with a grace period of 2 s",
		"08:33:57.130 containerd • StopContainer 6d0c with timeout 2 s",
		"08:33:59.131 containerd • Kill container 6d0c with SIGKILL",
		"08:33:59.480 web ✗ ends: attempt 0 ran, exit 137 Error",
	}
	if d := cmp.Diff(want, around(m)); d != "" {
		t.Error(d)
	}
	m = play(upgrade().Activity, pane.Up, pane.Up, pane.Up, pane.Top)
	if first := around(m)[0]; first != "❯ 08:32:58.211 web ┣ begins: attempt 0 ran, exit 137 Error" {
		t.Errorf("at the beginning it tells first %q", first)
	}
	m.Do(pane.Bottom)
	if last := around(m); last[len(last)-1] != "08:34:01 API • event Started: started container web" {
		t.Errorf("at the end it tells last %q", last[len(last)-1])
	}
}

func TestWithoutRoomTheOtherLanesAreNotTold(t *testing.T) {
	m := play(upgrade().Activity)
	m.Resize(110, 17)
	if got := around(m); got != nil {
		t.Errorf("told in no room: %v", got)
	}
}

func TestAtOneMomentAnEndComesBeforeABegin(t *testing.T) {
	d := report.Activity{Lanes: []report.Lane{{Name: "x", Spans: []report.Span{
		span("08:00:05", "08:00:09", "second", false),
		span("08:00:00", "08:00:05", "first", false),
	}}}}
	want := []string{"08:00:00 x ┣ begins: first", "08:00:05 x ┫ ends: first",
		"08:00:05 x ┣ begins: second", "08:00:09 x ┫ ends: second"}
	got := around(play(d))
	for i := range got {
		got[i] = strings.TrimPrefix(got[i], "❯ ")
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestATimeOfAnotherDaySaysItsDay(t *testing.T) {
	far := at("08:00:00").AddDate(0, 0, -3)
	d := report.Activity{
		Lanes: []report.Lane{{Name: "x", Marks: []report.Mark{{At: far, Text: "long ago"},
			decisive(mark("08:00:00", "now"))}}}}
	want := []string{"2026-11-18 08:00:00 x • long ago", "❯ 08:00:00 x ◆ now"}
	if d := cmp.Diff(want, around(play(d))); d != "" {
		t.Error(d)
	}
}

func TestAnEmptyColumnNamesItsNeighbours(t *testing.T) {
	m := play(upgrade().Activity, pane.Right, pane.Right)
	text := strings.Join(strings.Fields(screen(m)), " ")
	for _, want := range []string{"before 08:33:57.125 killing container web",
		"next 08:34:00.121 started container web"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing:\n%s", want, text)
		}
	}
}
