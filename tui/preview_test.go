package tui

import (
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// few is the fixture with so many of its restarts.
func few(t *testing.T, n int) *report.Report {
	r := fixture(t)
	r.Items, r.Incidents = r.Items[:n], nil
	for i := range r.Items {
		r.Items[i].Incident = ""
	}
	return r
}

// A short list leaves its room to a look at the row under the cursor; a long one
// keeps its rows and says what happened.
func TestWhatTheCursorIsOnStandsBelow(t *testing.T) {
	d := drive(t, few(t, 3), "80x24").sees("What to do", "What happened")
	d.play("j").sees("Raise resources.limits.memory of redis")
	d.play("60x20").sees("Raise resources.limits.memory")
	d = drive(t, fixture(t), "80x24").play("2").misses("What to do").sees("nothing that was collected says who.")
	d.play("j").sees("redis needed more than its limit of 256Mi, and the kernel killed it.")
	d.play("/ text:worker").sees("What to do", "Collect the node's logs soon") // fewer rows, more room
	d.play("esc").misses("What to do")
	d.play("80x28").sees("What to do")
	drive(t, newer(t, 60), "160x45").play("2").sees("What to do")
}

// From 80 columns on every row has its cause and the beginning of what happened. A narrow one has the glyph of its
// confidence alone: the line below the list says what that means.
func TestEveryRowHasItsCauseAndASentence(t *testing.T) {
	for _, size := range []string{"80x24", "100x30", "120x40", "160x45"} {
		for _, from := range [][]string{nil, {"bundle.tar.zst"}} {
			r := fixture(t)
			r.Scope.From = from
			d := drive(t, r, size).play("2").sees("CAUSE", "WHERE", "WHAT HAPPENED", "proven")
			if narrow := strings.Contains(d.screen(), "── ● proven  ◐ likely  ○ possible  ? unknown ──"); narrow ==
				strings.Contains(d.screen(), "CONFIDENCE") {
				t.Errorf("%s: the confidences are said twice or not at all:\n%s", size, d.screen())
			}
			rows := strings.Split(d.screen(), "\n")[3 : 3+min(len(r.Items), d.List().Height)]
			for n, row := range rows {
				it := &r.Items[n]
				if s := it.Verdict.Summary[:16]; !strings.Contains(row, it.Verdict.Cause) || !strings.Contains(row, s) {
					t.Errorf("%s: %q lacks %s or %q", size, row, it.Verdict.Cause, s)
				}
			}
		}
	}
}

// A row says no more of the container than the column of where has not said.
func TestTheSentenceLeavesTheContainerOut(t *testing.T) {
	r := few(t, 2)
	r.Items[0].Verdict.Summary = "container worker: the kubelet killed it"
	drive(t, r, "160x45").sees("the kubelet killed it").misses("container worker:")
}

// Grouped by cause the rows say where, not the cause again, and the keys stay in
// sight.
func TestAGroupDoesNotSayItsNameTwice(t *testing.T) {
	d := drive(t, fixture(t), "120x40").play("2 b").sees("grouped by cause  enter open",
		"? help  q quit", "3 workloads ×4")
	for _, row := range strings.Split(d.screen(), "\n")[3:14] {
		if f := strings.Fields(row); strings.Count(row, f[2]) > 1 && f[2] != "unknown" {
			t.Errorf("%q is said twice: %s", f[2], row)
		}
	}
	d.play("j").misses("grouped by")
	if d.play("b").sees("grouped by node"); strings.Contains(strings.Split(d.screen(), "\n")[2], "NODE") {
		t.Error("grouped by node there is a column of nodes")
	}
}

func TestColumnsThatSayNothingAreNotThere(t *testing.T) {
	head := func(r *report.Report) string {
		return strings.Split(drive(t, r, "160x45").play("2").screen(), "\n")[2]
	}
	if h := head(fixture(t)); !strings.Contains(h, "KIND") || !strings.Contains(h, "NODE") {
		t.Errorf("several kinds and nodes: %q", h)
	}
	r := few(t, 3)
	for i := range r.Items {
		r.Items[i].Kind, r.Items[i].Node = report.Restart, "n1"
	}
	if h := head(r); strings.Contains(h, "KIND") || strings.Contains(h, "NODE") {
		t.Errorf("one kind and one node: %q", h)
	}
}

// A key that means nothing here says where the keys are.
func TestAKeyWithoutAMeaningSaysWhereTheKeysAre(t *testing.T) {
	for _, script := range []string{"x", "enter enter z", "? w", "3 b", "enter enter b"} {
		drive(t, fixture(t), "80x24").play(script).sees("? lists the keys").play("j").misses("? lists the keys")
	}
}
