package html

import (
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
)

var t0 = time.Date(2026, 11, 21, 7, 11, 58, 0, time.UTC)

func at(seconds int) time.Time { return t0.Add(time.Duration(seconds) * time.Second) }

func FuzzNoTextBecomesMarkup(f *testing.F) {
	for _, a := range []string{`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`,
		"' onmouseover='x", "--></title>"} {
		f.Add(a)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var m markup
		m.open("a", "title", "x"+text)
		m.text(text)
		m.close("a")
		got := m.b.String()
		if strings.Count(got, "<") != 2 || strings.Count(got, ">") != 2 || strings.Count(got, `"`) != 2 ||
			strings.Contains(got, "'") {
			t.Errorf("%q became %q", text, got)
		}
	})
}

// Where a word of a cell may be broken, and that it is escaped there too.
func TestLongWordsOfACellMayBeBroken(t *testing.T) {
	for text, want := range map[string]string{
		"a cause of mine":            "a cause of mine",
		"hash-kubelet-upgrade":       "hash-kubelet-upgrade",
		"aaaaaaaaaaaabbbb cc":        "aaaaaaaaaaaa<wbr/>bbbb cc",
		"<b>aaaaaaaaaaaaaaaaaaaaaaa": "&lt;b&gt;aaaaaaaaa<wbr/>aaaaaaaaaaaa<wbr/>aa",
	} {
		m := markup{cell: true}
		if m.text(text); m.b.String() != want {
			t.Errorf("%q became %q, want %q", text, m.b.String(), want)
		}
	}
}

func TestTicksAreFewAndRound(t *testing.T) {
	for _, span := range []time.Duration{10 * time.Second, time.Minute, 7 * time.Minute,
		time.Hour, 26 * time.Hour, 40 * 24 * time.Hour, 20 * 365 * 24 * time.Hour} {
		p := picture{document.Timeline{Start: t0, End: t0.Add(span)}}
		all := p.ticks()
		if len(all) == 0 || len(all) > mostTicks+1 {
			t.Errorf("%s: %d ticks", span, len(all))
		}
		for i, k := range all {
			at := time.Unix(0, k.At)
			if at.Before(t0) || at.After(t0.Add(span)) || k.Text == "" || i > 0 && all[i-1].At >= k.At {
				t.Errorf("%s: tick %+v", span, k)
			}
		}
	}
}

// Every shape lies within the drawing, whatever the times are.
func TestNothingIsDrawnOutside(t *testing.T) {
	tl := picture{document.Timeline{Start: t0, End: t0.Add(time.Minute)}}
	for _, s := range []int{-1e6, -1, 0, 30, 60, 61, 1e6} {
		if x := tl.x(t0.Add(time.Duration(s) * time.Second)); x < svgLabels || x > svgWidth-svgRight {
			t.Errorf("%d s is drawn at %f", s, x)
		}
	}
}

// A ring that comes later lies below the diamond and leaves it its number.
func TestWhatTheVerdictRestsOnIsSeen(t *testing.T) {
	tl := picture{document.Timeline{Start: t0, End: t0.Add(time.Minute),
		Lanes: []document.Lane{{Name: "kubelet", Marks: []document.Mark{
			{At: at(30), Text: "decisive", Decisive: true, Number: 1}, {At: at(30), Text: "ring", Number: 2},
			{At: at(50), Text: "far", Number: 3}, {At: at(90), Text: "outside", Number: 4},
		}}}}}
	var m markup
	tl.draw(&m)
	got := m.b.String()
	if strings.Index(got, "decisive</title>") < strings.Index(got, "ring</title>") {
		t.Error("the ring lies on the diamond")
	}
	for text, want := range map[string]bool{">1</text>": true, ">2</text>": false,
		">3</text>": true, ">4</text>": false, "outside": false} {
		if strings.Contains(got, text) != want {
			t.Errorf("%s is drawn: %v, want %v", text, !want, want)
		}
	}
}
