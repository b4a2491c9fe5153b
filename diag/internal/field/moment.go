package field

import (
	"strconv"
	"strings"
	"time"
)

// layouts are the time formats of stores, their exports and tables; those without a zone are UTC there. Go parses a
// fraction after the seconds of any of them.
var layouts = []string{
	time.RFC3339, "2006-01-02T15:04:05Z0700", "2006-01-02 15:04:05", "2006-01-02T15:04:05",
	"2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05 -0700",
	"2006-01-02 15:04:05 -0700 MST", "2006-01-02 15:04:05 MST", "2006-01-02T15:04:05 MST",
	"1/2/2006, 3:04:05 PM", "1/2/2006 3:04:05 PM", "Jan 2, 2006 @ 15:04:05", "Jan 2, 2006, 3:04:05 PM",
	"2006/01/02 15:04:05", "02/Jan/2006:15:04:05 -0700", time.ANSIC, time.UnixDate, time.RFC1123Z,
}

// Moment parses a time in any store's format: text, or a number of seconds, milliseconds, microseconds or nanoseconds
// since 1970, depending on its size.
func Moment(s string) (time.Time, bool) {
	s = strings.TrimSpace(s)
	if len(s) < 9 || len(s) > 64 {
		return time.Time{}, false
	}
	if t, ok := epoch(s); ok {
		return t, true
	}
	if c := s[0]; (c < '0' || c > '9') && (c < 'A' || c > 'Z') {
		return time.Time{}, false
	}
	plain := strings.Replace(s, ",", ".", 1) // logback's fractions
	for _, l := range layouts {
		for _, text := range []string{s, plain} {
			if t, ok := parse(l, text); ok && sensible(t) {
				return t.UTC(), true
			}
		}
	}
	return time.Time{}, false
}

// epoch reads "1747025915181", "1747025915.181219", "1.747025915e+09".
func epoch(s string) (time.Time, bool) {
	whole, fraction, _ := strings.Cut(s, ".")
	n, err := strconv.ParseInt(whole, 10, 64)
	if err != nil || strings.Trim(fraction, "0123456789") != "" {
		f, err := strconv.ParseFloat(s, 64)
		if err != nil || f < 1e8 || f > 1e19 {
			return time.Time{}, false
		}
		n, fraction = int64(f), ""
	}
	var t time.Time
	switch {
	case n < 1e8:
		return time.Time{}, false
	case n < 1e11:
		t = time.Unix(n, nanos(fraction, 9))
	case n < 1e14:
		t = time.UnixMilli(n).Add(time.Duration(nanos(fraction, 6)))
	case n < 1e17:
		t = time.UnixMicro(n)
	default:
		t = time.Unix(0, n)
	}
	return t.UTC(), sensible(t)
}

// nanos parses the digits after a decimal point, in units of 10^-digits.
func nanos(fraction string, digits int) int64 {
	if len(fraction) > digits {
		fraction = fraction[:digits]
	}
	n, _ := strconv.ParseInt(fraction+strings.Repeat("0", digits-len(fraction)), 10, 64)
	return n
}

// sensible reports whether a time is plausible: Kubernetes is from 2014, and a log is not from the next century.
func sensible(t time.Time) bool { return t.Year() >= 2014 && t.Year() < 2100 }
