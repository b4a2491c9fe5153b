package textlog

import (
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/klogline"
)

// stamp is a time in an envelope's notation.
type stamp struct {
	year  int // 0 where the envelope has none
	month time.Month
	day   int
	clock time.Duration // since midnight
	zoned bool          // offset is known
	// offset is the zone's, positive east of Greenwich.
	offset time.Duration
	// since is the time since the machine's boot, instead of all the others.
	since     time.Duration
	monotonic bool
}

// key orders the stamps of one file as well as possible without year and zone, in microseconds.
func (s stamp) key() int64 {
	if s.monotonic {
		return int64(s.since / time.Microsecond)
	}
	day := (int64(s.year)*12+int64(s.month))*31 + int64(s.day)
	return day*86400e6 + int64((s.clock-s.offset)/time.Microsecond)
}

// Time completes a stamp with the assumed year and zone. It returns zero for a monotonic one.
func (s stamp) Time(t Times) time.Time {
	switch {
	case s.monotonic:
		return time.Time{}
	case s.year == 0:
		return klogline.WithYear(s.month, s.day, s.clock, t.Reference, t.zone())
	case s.zoned:
		return time.Date(s.year, s.month, s.day, 0, 0, 0, 0, time.UTC).Add(s.clock - s.offset)
	}
	return time.Date(s.year, s.month, s.day, int(s.clock/time.Hour), int(s.clock%time.Hour/time.Minute),
		int(s.clock%time.Minute/time.Second), int(s.clock%time.Second), t.zone())
}

// days completes stamps; it caches the last day in UTC, because completing a date without a year takes a search.
type days struct {
	month    time.Month
	day      int
	midnight time.Time // zero when unknown
}

func (d *days) time(s stamp, t Times) time.Time {
	if s.monotonic || s.year != 0 || t.zone() != time.UTC {
		return s.Time(t)
	}
	if s.month == d.month && s.day == d.day && !d.midnight.IsZero() {
		return d.midnight.Add(s.clock)
	}
	d.month, d.day, d.midnight = s.month, s.day, time.Time{}
	// The whole day must be in the same year, which it is not if part of it is still in the future.
	first, last := s, s
	first.clock, last.clock = 0, 24*time.Hour-1
	if a, b := first.Time(t), last.Time(t); a.Year() == b.Year() {
		d.midnight = a
	}
	return s.Time(t)
}

// valid reports whether the parts are a valid date and time of day; a leap second is.
func (s stamp) valid() bool {
	return s.month >= 1 && s.month <= 12 && s.day >= 1 && s.day <= 31 && s.clock < 24*time.Hour+time.Second
}

func klogStamp(h klogline.Header) stamp { return stamp{month: h.Month, day: h.Day, clock: h.Clock} }

// SyslogStamp parses "Nov 21 07:21:31" or "Nov 1 07:21:31.823345"; rest begins after the following blank.
func SyslogStamp(s string) (t stamp, rest string, ok bool) {
	const short = len("21 07:21:31")
	if len(s) < short+5 {
		return stamp{}, "", false
	}
	if s[3] == ' ' {
		t.month, s = klogline.Month(s[:3]), s[4:]
	} else {
		t.month, s = foreignMonth(s)
	}
	if t.month == 0 || len(s) < short+2 || s[2] != ' ' {
		return stamp{}, "", false
	}
	day, ok := digits(strings.TrimLeft(s[:2], " "))
	t.day = day
	if !ok {
		return stamp{}, "", false
	}
	t.clock, rest, ok = clockOf(s[3:])
	if !ok || !t.valid() || rest == "" || rest[0] != ' ' {
		return stamp{}, "", false
	}
	return t, rest[1:], true
}

// foreignMonth parses a month that is not three bytes long, "4月 " or "févr. ", and returns the rest; 0 for any other
// word.
func foreignMonth(s string) (time.Month, string) {
	word, _, ok := strings.Cut(s[:min(len(s), 12)], " ")
	if !ok {
		return 0, ""
	}
	return klogline.Month(word), s[len(word)+1:]
}

// clockOf parses "07:21:31" or "07:21:31.823345" (or with a comma) and returns the rest.
func clockOf(s string) (clock time.Duration, rest string, ok bool) {
	const length = len("07:21:31")
	if len(s) < length || s[2] != ':' || s[5] != ':' {
		return 0, "", false
	}
	hour, ok1 := digits(s[:2])
	minute, ok2 := digits(s[3:5])
	second, ok3 := digits(s[6:8])
	if !ok1 || !ok2 || !ok3 || hour > 23 || minute > 59 || second > 60 {
		return 0, "", false
	}
	clock = time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute + time.Duration(second)*time.Second
	rest = s[length:]
	if rest == "" || rest[0] != '.' && rest[0] != ',' {
		return clock, rest, true
	}
	n, i := 0, 1
	for ; i < len(rest) && rest[i] >= '0' && rest[i] <= '9'; i++ {
		if i <= 9 {
			n = n*10 + int(rest[i]-'0')
		}
	}
	if i == 1 || i > 10 {
		return 0, "", false
	}
	for range 10 - i {
		n *= 10
	}
	return clock + time.Duration(n), rest[i:], true
}

// dateOf parses "2026-11-21" and returns the rest.
func dateOf(s string) (t stamp, rest string, ok bool) {
	const length = len("2026-11-21")
	if len(s) < length || s[4] != '-' || s[7] != '-' {
		return stamp{}, "", false
	}
	year, ok1 := digits(s[:4])
	month, ok2 := digits(s[5:7])
	day, ok3 := digits(s[8:10])
	t = stamp{year: year, month: time.Month(month), day: day}
	return t, s[length:], ok1 && ok2 && ok3 && year > 0 && t.valid()
}

// ISOStamp parses an RFC 3339 time, also with +0000 (journalctl short-iso); rest begins after the following blank.
func ISOStamp(s string) (t stamp, rest string, ok bool) {
	t, rest, ok = dateOf(s)
	if !ok || rest == "" || rest[0] != 'T' {
		return stamp{}, "", false
	}
	if t.clock, rest, ok = clockOf(rest[1:]); !ok {
		return stamp{}, "", false
	}
	zone, rest, ok := strings.Cut(rest, " ")
	if t.offset, t.zoned = offsetOf(zone); !ok || !t.zoned {
		return stamp{}, "", false
	}
	return t, rest, true
}

// offsetOf parses "Z", "+01:00", "+0100" or "+01".
func offsetOf(s string) (time.Duration, bool) {
	if s == "Z" || s == "z" {
		return 0, true
	}
	if len(s) < 3 || len(s) > 6 || s[0] != '+' && s[0] != '-' {
		return 0, false
	}
	hours, ok1 := digits(s[1:3])
	minutes, ok2 := 0, true
	if tail := strings.TrimPrefix(s[3:], ":"); tail != "" {
		minutes, ok2 = digits(tail)
		ok2 = ok2 && len(tail) == 2
	}
	d := time.Duration(hours)*time.Hour + time.Duration(minutes)*time.Minute
	if s[0] == '-' {
		d = -d
	}
	return d, ok1 && ok2 && hours < 24 && minutes < 60
}

// fullStamp parses "Sat 2026-11-21 07:21:31[.823345] UTC" (systemd format_timestamp); rest begins after the following
// blank. Only the abbreviation UTC identifies a zone.
func fullStamp(s string) (t stamp, zone, rest string, ok bool) {
	if len(s) < len("Sat 2026-11-21 07:21:31 UTC ") || s[3] != ' ' || s[14] != ' ' {
		return stamp{}, "", "", false
	}
	if t, _, ok = dateOf(s[4:14]); !ok {
		return stamp{}, "", "", false
	}
	if t.clock, rest, ok = clockOf(s[15:]); !ok || rest == "" || rest[0] != ' ' {
		return stamp{}, "", "", false
	}
	zone, rest, ok = strings.Cut(rest[1:], " ")
	if !ok || zone == "" || len(zone) > 6 {
		return stamp{}, "", "", false
	}
	if t.offset, t.zoned = offsetOf(zone); !t.zoned {
		t.zoned = zone == "UTC" || zone == "GMT"
	}
	return t, zone, rest, true
}

// unixStamp parses "1795245885.454287"; rest begins after the following blank.
func unixStamp(s string) (t stamp, rest string, ok bool) {
	at, rest, ok := strings.Cut(s, " ")
	seconds, fraction, dotted := strings.Cut(at, ".")
	sec, ok1 := number(seconds)
	micro, ok2 := digits(fraction)
	if !ok || !dotted || !ok1 || !ok2 || len(fraction) != 6 || len(seconds) < 9 || len(seconds) > 11 {
		return stamp{}, "", false
	}
	u := time.Unix(sec, int64(micro)*1000).UTC()
	midnight := time.Date(u.Year(), u.Month(), u.Day(), 0, 0, 0, 0, time.UTC)
	return stamp{year: u.Year(), month: u.Month(), day: u.Day(), clock: u.Sub(midnight), zoned: true}, rest, true
}

// monotonicStamp parses "[ 5.123456] " or "[ 5.123456 < 0.000100 >] " (short-delta) and returns the rest.
func monotonicStamp(s string) (t stamp, rest string, ok bool) {
	inner, rest, ok := strings.Cut(s, "] ")
	inner, bracket := strings.CutPrefix(inner, "[")
	words := strings.Fields(inner)
	if !ok || !bracket || len(inner) > 64 || len(words) == 0 {
		return stamp{}, "", false
	}
	seconds, fraction, dotted := strings.Cut(words[0], ".")
	sec, ok1 := number(seconds)
	micro, ok2 := digits(fraction)
	if !dotted || !ok1 || !ok2 || len(fraction) != 6 || len(seconds) > 9 {
		return stamp{}, "", false
	}
	return stamp{monotonic: true, since: time.Duration(sec)*time.Second + time.Duration(micro)*time.Microsecond},
		rest, true
}

func digits(s string) (int, bool) {
	if len(s) > 9 {
		return 0, false
	}
	n, ok := number(s)
	return int(n), ok
}

// number parses up to 18 decimal digits.
func number(s string) (int64, bool) {
	if s == "" || len(s) > 18 {
		return 0, false
	}
	var n int64
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = n*10 + int64(s[i]-'0')
	}
	return n, true
}
