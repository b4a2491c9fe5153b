package hostprint

import (
	"regexp"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/field"
)

var (
	// since when a unit has been in its state, and how long ago that was when the status was printed
	sinceAgo = regexp.MustCompile(`^\s*Active: .* since [A-Z][a-z]{2} (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) (` + zone +
		`); ((?:\d+h)? ?(?:\d+min)? ?(?:\d+s)?) ago\s*$`)
	// the current boot in journalctl's list, up to its last entry
	untilNow = regexp.MustCompile(`^\s*0\s+[0-9a-f]{32}\s.*[—\s][A-Z][a-z]{2} (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) (` + zone + `)\s*$`)
	// Mon Nov 29 08:55:12 UTC 2021, of date
	ofDate = regexp.MustCompile(`^[A-Z][a-z]{2} ([A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d) (` + zone + `) (\d{4})\s*$`)
)

// Clock returns when a terminal's output was printed, from what its tools say about the time: a unit's status, date,
// uptime. Ages in the same output are computed from then, even if someone saved it later. printed is the latest
// possible time. It returns false if the output does not say, or has times that are far apart.
func Clock(text string, printed time.Time) (at time.Time, ok bool) {
	var first time.Time
	dated := false
	for line := range strings.Lines(text) {
		t, sure := told(strings.TrimRight(line, "\r\n"), printed)
		if t.IsZero() || t.After(printed.Add(time.Minute)) || dated && !sure {
			continue
		}
		if !dated && sure { // a date is better than a time of day
			first, at, dated = t, t, true
		}
		if first.IsZero() {
			first = t
		}
		at = t
	}
	return at, !at.IsZero() && at.Sub(first).Abs() < time.Hour
}

// told returns the time that a line contains, and whether it has a date.
func told(line string, printed time.Time) (at time.Time, dated bool) {
	switch {
	case strings.Contains(line, " since "):
		m := sinceAgo.FindStringSubmatch(line)
		if m == nil {
			return at, false
		}
		ago, err := time.ParseDuration(strings.ReplaceAll(strings.ReplaceAll(m[3], "min", "m"), " ", ""))
		began, ok := read(m[1], m[2], printed)
		if err != nil || !ok {
			return at, false
		}
		return began.at.Add(ago), true
	case strings.Contains(line, "load average: "):
		m := up.FindStringSubmatch(line)
		if m == nil {
			return at, false
		}
		clock, err := time.Parse("15:04:05", m[1])
		if err != nil || printed.IsZero() {
			return at, false
		}
		day := printed.UTC().Truncate(24 * time.Hour)
		at = day.Add(clock.Sub(clock.Truncate(24 * time.Hour)))
		if at.After(printed) {
			at = at.Add(-24 * time.Hour)
		}
		return at, false
	}
	if m := untilNow.FindStringSubmatch(line); m != nil {
		until, ok := read(m[1], m[2], printed)
		return until.at, ok
	}
	if m := ofDate.FindStringSubmatch(line); m != nil {
		t, err := time.Parse("Jan _2 15:04:05 2006", m[1]+" "+m[3])
		ahead, known := field.AheadOfUTC(m[2])
		if err == nil && known {
			return t.Add(-ahead), true
		}
	}
	return at, false
}
