package textlog

import (
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// A log whose lines have no year may tell it elsewhere.
func TestTheYearOfALogIsInItsHead(t *testing.T) {
	const line = "I0227 15:02:19.771205   22013 server.go:417] Version: v1.18.20\n"
	until := time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		text string
		want int
	}{
		"klog's own file": {"Log file created at: 2023/02/27 15:02:10\nRunning on machine: m1\n" +
			"Log line format: [IWEF]mmdd hh:mm:ss.uuuuuu threadid file:line] msg\n" + line, 2023},
		"journalctl": {"-- Logs begin at Fri 2022-11-03 08:46:02 UTC, end at Mon 2023-02-27 15:03:00 UTC. --\n" +
			"Feb 27 15:02:19 n1 kubelet[22013]: " + line, 2023},
		"within a line": {line + "I0227 15:02:20.771205   22013 x.go:1] Log file created at: 2023/02/27 15:02:10\n", 0},
		"of the future": {"Log file created at: 2031/02/27 15:02:10\n" + line, 0},
		"none":          {line, 0},
	} {
		d := Dates(evidence.Bytes("kubelet.log", []byte(c.text)), until)
		if got := d.Whole.Year(); got != max(c.want, 1) || !d.Bare {
			t.Errorf("%s: %v, want %d", name, d.Whole, c.want)
		}
		if c.want > 0 {
			if y := YearOf([]Dated{d}, until); y.Reference.Year() != c.want || y.Guess != "" {
				t.Errorf("%s: %+v", name, y)
			}
		}
	}
}

// Logs that end shortly before they were copied leave no doubt about their year; others do.
func TestWhenAYearIsOnlyAGuess(t *testing.T) {
	at := time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	log := func(month time.Month, day int) Dated {
		d := Dated{Bare: true}
		d.last.month, d.last.day = month, day
		return d
	}
	for name, c := range map[string]struct {
		all   []Dated
		guess bool
	}{
		"a log of today":           {[]Dated{log(11, 28)}, false},
		"one of the day before":    {[]Dated{log(11, 27)}, false},
		"one of last month":        {[]Dated{log(10, 20)}, true},
		"one of the summer":        {[]Dated{log(7, 1)}, true},
		"one of them is older":     {[]Dated{log(11, 28), log(7, 1)}, true},
		"a date later in the year": {[]Dated{log(12, 24)}, true},
	} {
		if y := YearOf(c.all, at); (y.Guess != "") != c.guess || y.Files != len(c.all) {
			t.Errorf("%s: %+v", name, y)
		}
	}
}

// The time of an event that a table has by its age was counted back from when the file was written.
func TestATimeThatWasCountedBackTellsNoYear(t *testing.T) {
	until := time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	const event = `{"kind":"Event","metadata":{"name":"a"VERSION},"lastTimestamp":"2026-11-28T10:00:00Z"}`
	for version, want := range map[string]int{"": 1, `,"resourceVersion":"12"`: 2026} {
		d := ObjectDates(evidence.Bytes("e.json", []byte(strings.Replace(event, "VERSION", version, 1))), until)
		if d.Whole.Year() != want {
			t.Errorf("%q: %+v", version, d)
		}
	}
}
