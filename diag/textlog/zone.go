package textlog

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/klogline"
)

// halfYear is the search range around a date with a year for one without.
const halfYear = 183 * 24 * time.Hour

// anchor is a complete date in a kubelet's or runtime's own line.
type anchor struct {
	at   time.Time
	zone *time.Location
	name string // the zone's name in the line
}

// findAnchor looks for a line in which the kubelet prints the time again, with year and zone, as Go prints a time just
// taken: "2026-11-21 07:21:32.0299 +0100 CET m=+0.24" ("Observed pod startup duration", cAdvisor's "Machine:
// {Timestamp:", ≤v1.20 "Node became not ready"). It counts only if it is the time in the line's header, in local time
// and within two minutes: a time of an earlier event may be in another zone, or have none.
func findAnchor(head []byte) (anchor, bool) {
	for line := range bytes.Lines(head) {
		if a, ok := runtimeAnchor(line); ok {
			return a, true
		}
		at := bytes.Index(line, []byte(" m="))
		if at < 0 || len(line) > 64<<10 {
			continue
		}
		s := string(line)
		header, ok := headerIn(s)
		if !ok {
			continue
		}
		for ; at >= 0; at = next(s, at) {
			if a, ok := anchorBefore(s[:at]); ok && a.agrees(header) {
				return a, true
			}
		}
	}
	return anchor{}, false
}

// runtimeTime matches when a runtime wrote a line, in logrus's format: time="2026-11-21T08:32:38.1+01:00", or as JSON.
var runtimeTime = regexp.MustCompile(`^(?:time=|\{.*"time":)"(20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d))"`)

// journalLag is how much later than its writer syslog may date a line for both times to be the same.
const journalLag = 5 * time.Second

// runtimeAnchor compares the time in a runtime's line with the one that syslog put before it: the first has year and
// zone, the second is in the machine's zone, so they differ by a number of quarter hours.
func runtimeAnchor(line []byte) (anchor, bool) {
	if !bytes.Contains(line, []byte("time")) {
		return anchor{}, false
	}
	var e Envelope
	if !cut(FormatSyslog, strings.TrimRight(string(line[:min(len(line), 4<<10)]), "\r\n"), &e) {
		return anchor{}, false
	}
	m := runtimeTime.FindStringSubmatch(e.Message)
	if m == nil {
		return anchor{}, false
	}
	at, err := time.Parse(time.RFC3339Nano, m[1])
	if err != nil || at.Year() < 2014 {
		return anchor{}, false
	}
	local := klogline.WithYear(e.at.month, e.at.day, e.at.clock, at.Add(24*time.Hour), time.UTC)
	offset := local.Sub(at).Round(15 * time.Minute)
	if lag := local.Sub(at) - offset; lag < -time.Second || lag > journalLag || offset.Abs() > 14*time.Hour {
		return anchor{}, false
	}
	if offset == 0 {
		return anchor{at: at, name: "UTC", zone: time.UTC}, true
	}
	zone := time.FixedZone("", int(offset/time.Second))
	return anchor{at: at, name: at.In(zone).Format("-07:00"), zone: zone}, true
}

func next(s string, at int) int {
	i := strings.Index(s[at+1:], " m=")
	if i < 0 {
		return -1
	}
	return at + 1 + i
}

// headerIn finds the klog header in a line with any envelope.
func headerIn(s string) (klogline.Header, bool) {
	if h, _, ok := klogline.ParseHeader(s); ok {
		return h, true
	}
	var e Envelope
	if cut(FormatSyslog, s, &e) {
		h, _, ok := klogline.ParseHeader(e.Message)
		return h, ok
	}
	return klogline.Header{}, false
}

// anchorBefore parses the time at the end of s.
func anchorBefore(s string) (anchor, bool) {
	if len(s) > 64 {
		s = s[len(s)-64:]
	}
	words := strings.Fields(s)
	if len(words) < 4 {
		return anchor{}, false
	}
	words = words[len(words)-4:]
	day := words[0]
	if len(day) > len("2026-11-21") {
		day = day[len(day)-len("2026-11-21"):] // `="`, `{Timestamp:`
	}
	at, err := time.Parse("2006-01-02 15:04:05.999999999 -0700", day+" "+words[1]+" "+words[2])
	if err != nil || at.Year() < 2014 {
		return anchor{}, false
	}
	_, offset := at.Zone()
	a := anchor{at: at, name: words[3], zone: time.UTC}
	if offset != 0 || a.name != "UTC" {
		a.zone = time.FixedZone(a.name, offset)
		a.name = at.Format("-07:00")
	}
	return a, true
}

// agrees reports whether the anchor is the wall-clock time of a header.
func (a anchor) agrees(h klogline.Header) bool {
	d := h.Time(a.at.Add(time.Hour), a.zone).Sub(a.at)
	return d > -time.Second && d < 2*time.Minute
}

// settle completes the assumptions about the times of a format with information from the log's own lines, or else from
// those of another log of the node. said is the gap to report, "" if nothing is assumed; vague is true if the zone may
// differ somewhere in the file.
func settle(f Format, t Times, sibling *time.Location, head []byte) (out Times, said string, vague bool) {
	if f == FormatMonotonic {
		// Lines before the kubelet's first need the time of the boot.
		defer func() { out.boot = firstBoot(head, out) }()
	}
	out = t
	switch f {
	case FormatSyslog, FormatKlog, FormatBare, FormatMonotonic:
	case FormatFullLocal:
		if t.Zone != nil {
			return t, "", false
		}
		return t, "the abbreviation of its time zone is ambiguous: UTC was assumed", true
	case FormatRecord:
		return t, "it comes from a log store or a tool that reprints lines: journald's trusted fields are lost and a query " +
			"may have left out lines, so nothing is proven by it alone", true
	default:
		return t, "", false
	}
	if t.Zone != nil && !t.Reference.IsZero() {
		return t, "", f == FormatMonotonic
	}
	a, found := findAnchor(head)
	if t.Reference.IsZero() { // the file is not from a collection
		switch end, ok := journalEnd(head); {
		case ok:
			out.Reference = end
		case found:
			out.Reference = a.at.Add(halfYear)
		default:
			return t, "its times have no year, and it is not known when the file was written", true
		}
	}
	if t.Zone != nil {
		return out, "", f == FormatMonotonic
	}
	switch {
	case !found && sibling != nil:
		out.Zone = sibling
		return out, fmt.Sprintf("its times (%s) have no zone: another log of the node shows %s", f,
			t.Reference.In(sibling).Format("-07:00")), true
	case !found:
		return out, fmt.Sprintf("its times (%s) have no zone: UTC was assumed", f), true
	}
	out.Zone = a.zone
	if a.zone == time.UTC && f != FormatMonotonic {
		return out, "", false
	}
	// UTC has no daylight saving time; any other offset may change within the file.
	return out, fmt.Sprintf("its times (%s) have no zone: its own lines show %s", f, a.name), f == FormatMonotonic ||
		a.zone != time.UTC
}

// reaching matches the first line of journalctl up to v247: "-- Logs begin at Fri 2017-11-03 08:46:02 UTC, end at Sat
// 2017-11-04 10:01:02 UTC. --", v248: "-- Journal begins at …, ends at …. --".
var reaching = regexp.MustCompile(
	`(?m)^-- (?:Logs begin|Journal begins) at .{0,40}, ends? at \w{3} (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)`)

// journalEnd is when the journal behind a printed text ended: it gives the year.
func journalEnd(head []byte) (time.Time, bool) {
	m := reaching.FindSubmatch(head)
	if m == nil {
		return time.Time{}, false
	}
	end, err := time.Parse(time.DateTime, string(m[1]))
	return end, err == nil && end.Year() >= 2014
}

// firstBoot is when the machine booted, by the first line that shows it.
func firstBoot(head []byte, t Times) time.Time {
	for line := range bytes.Lines(head) {
		var x Envelope
		if cut(FormatMonotonic, strings.TrimRight(string(line), "\r\n"), &x) {
			if boot := x.bootedAt(t); !boot.IsZero() {
				return boot
			}
		}
	}
	return time.Time{}
}
