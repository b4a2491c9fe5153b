package describe

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// ages is how kubectl prints a duration (apimachinery util/duration HumanDuration): "5m22s", "3h5m", "47h", "2d5h",
// "1y20d".
var ages = regexp.MustCompile(`^(?:(\d+)y)?(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$`)

func age(s string) (time.Duration, bool) {
	m := ages.FindStringSubmatch(s)
	if m == nil || s == "" {
		return 0, false
	}
	var d time.Duration
	for i, unit := range []time.Duration{365 * 24 * time.Hour, 24 * time.Hour, time.Hour, time.Minute, time.Second} {
		if m[i+1] == "" {
			continue
		}
		n, err := strconv.Atoi(m[i+1])
		if err != nil || n > 100_000 {
			return 0, false
		}
		d += time.Duration(n) * unit
	}
	return d, true
}

// width returns the uncertainty of an age: a duration is truncated to the last printed unit.
func width(s string) time.Duration {
	word, _, _ := strings.Cut(strings.TrimSpace(s), " ")
	switch {
	case strings.HasSuffix(word, "s"):
		return time.Second
	case strings.HasSuffix(word, "m"):
		return time.Minute
	case strings.HasSuffix(word, "h"):
		return time.Hour
	}
	return 24 * time.Hour
}

// seen is the age column of an event: "5m22s (x3 over 10m)", or "5m22s".
type seen struct {
	last, first time.Duration
	count       int
	known       bool
	width       time.Duration // the uncertainty of the last age
}

func parseSeen(s string) (out seen) {
	word, rest, _ := strings.Cut(strings.TrimSpace(s), " ")
	out.last, out.known = age(word)
	out.width = width(word)
	out.first, out.count = out.last, 1
	inner, ok := strings.CutPrefix(strings.TrimSpace(rest), "(x")
	count, over, found := strings.Cut(strings.TrimSuffix(inner, ")"), " over ")
	if n, err := strconv.Atoi(count); ok && found && err == nil && n > 0 {
		out.count = n
		if d, ok := age(over); ok {
			out.first = d
		}
	}
	return out
}

// times are those of a description.
type times struct{ latest time.Time }

// time parses a printed time and remembers the latest.
func (t *times) time(s string) (string, bool) {
	at, ok := printedTime(s)
	if !ok {
		return "", false
	}
	if at.After(t.latest) {
		t.latest = at
	}
	return at.Format(time.RFC3339), true
}

// printedTime parses "Sat, 21 Nov 2026 07:21:31 +0000", which a dashboard may have written with GMT.
func printedTime(s string) (time.Time, bool) {
	s = strings.TrimSpace(s)
	if at, ok := strings.CutSuffix(s, "GMT"); ok {
		s = at + "+0000"
	} else if at, ok := strings.CutSuffix(s, "UTC"); ok {
		s = at + "+0000"
	}
	t, err := time.Parse(time.RFC1123Z, s)
	return t.UTC(), err == nil && t.Year() >= 2014 && t.Year() < 2100
}
