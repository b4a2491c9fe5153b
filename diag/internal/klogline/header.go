package klogline

import (
	"strings"
	"time"
)

// Header is what klog and glog write before every text line: "I1121 07:24:45.454287 24911 kubelet.go:1823] ". It has no
// year, and its time is the node's local time.
type Header struct {
	Severity byte // I, W, E, F; 0 for JSON lines
	Month    time.Month
	Day      int
	Clock    time.Duration // since midnight, in the node's time zone
	PID      int           // of the kubelet; 0 for JSON lines, which have none
	File     string        // "kubelet.go", without the line number
}

// ParseHeader splits the klog header off a line; rest is the text after "] ". It returns false for a line without such
// a header. It does not allocate.
func ParseHeader(s string) (h Header, rest string, ok bool) {
	const fixed = len("I1121 07:24:45.454287 ")
	if len(s) < fixed || s[5] != ' ' || s[8] != ':' || s[11] != ':' || s[14] != '.' || s[21] != ' ' {
		return Header{}, "", false
	}
	switch s[0] {
	case 'I', 'W', 'E', 'F':
	default:
		return Header{}, "", false
	}
	month, ok1 := two(s[1], s[2])
	day, ok2 := two(s[3], s[4])
	hour, ok3 := two(s[6], s[7])
	minute, ok4 := two(s[9], s[10])
	second, ok5 := two(s[12], s[13])
	micro1, ok6 := two(s[15], s[16])
	micro2, ok7 := two(s[17], s[18])
	micro3, ok8 := two(s[19], s[20])
	if !(ok1 && ok2 && ok3 && ok4 && ok5 && ok6 && ok7 && ok8) || month < 1 ||
		month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59 || second > 60 {
		return Header{}, "", false
	}
	at, pid := fixed, 0
	for at < len(s) && s[at] == ' ' {
		at++
	}
	digits := at
	for ; at < len(s) && s[at]-'0' <= 9; at++ {
		if at-digits > 9 {
			return Header{}, "", false
		}
		pid = pid*10 + int(s[at]-'0')
	}
	if at == digits || at == len(s) || s[at] != ' ' {
		return Header{}, "", false
	}
	at++
	end := strings.IndexByte(s[at:], ']')
	if end < 0 || end > 255 {
		return Header{}, "", false
	}
	h.Severity, h.Month, h.Day, h.PID = s[0], time.Month(month), day, pid
	h.Clock = time.Duration(((hour*60+minute)*60+second)*1_000_000+(micro1*100+micro2)*100+micro3) * time.Microsecond
	h.File = s[at : at+end]
	if colon := strings.IndexByte(h.File, ':'); colon >= 0 {
		h.File = h.File[:colon]
	}
	rest = s[at+end+1:]
	if rest != "" && rest[0] == ' ' {
		rest = rest[1:]
	}
	return h, rest, true
}

// Time returns the header's time in the zone of the node, with the year that ref suggests. See WithYear.
func (h Header) Time(ref time.Time, zone *time.Location) time.Time {
	return WithYear(h.Month, h.Day, h.Clock, ref, zone)
}

// WithYear completes a date without a year: it returns the latest such date that is not more than a day after ref. The
// extra day is for clocks and time zones that differ. It returns zero if ref is zero, or if there is no such date
// within eight years (29 February).
func WithYear(month time.Month, day int, clock time.Duration, ref time.Time, zone *time.Location) time.Time {
	if ref.IsZero() {
		return time.Time{}
	}
	latest := ref.Add(24 * time.Hour)
	for year := latest.In(zone).Year(); year > latest.Year()-9; year-- {
		if time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Month() != month {
			continue // 29 February of a common year
		}
		// Hour and minute are passed separately: midnight plus the clock gives another time on a day when the clocks
		// change.
		t := time.Date(year, month, day, int(clock/time.Hour), int(clock%time.Hour/time.Minute),
			int(clock%time.Minute/time.Second), int(clock%time.Second), zone)
		if !t.After(latest) {
			return t
		}
	}
	return time.Time{}
}

// Yearless reads a time without a year, and completes it as WithYear does; zero if it is none.
func Yearless(layout, text string, ref time.Time, zone *time.Location) time.Time {
	t, err := time.Parse(layout, text)
	if err != nil {
		return time.Time{}
	}
	return WithYear(t.Month(), t.Day(), t.Sub(t.Truncate(24*time.Hour)), ref, zone)
}

// two reads two decimal digits.
func two(a, b byte) (int, bool) {
	a, b = a-'0', b-'0'
	return int(a)*10 + int(b), a <= 9 && b <= 9
}
