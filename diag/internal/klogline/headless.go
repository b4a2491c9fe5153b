package klogline

import (
	"fmt"
	"regexp"
	"strings"
	"time"
)

// This file restores the header of kubelet lines that lost it: people who paste a line into a question often cut off
// its beginning, up to the file name or up to the message.

var (
	// cutHead is the rest of a header: the file with the line number, maybe with a process, a time, a date before it.
	cutHead = regexp.MustCompile(`^(?:[A-Z]{1,7}[: ]?)?(?:(\d{4})[ T])?(?:(\d{1,2}:\d\d:\d\d)([.,]\d{1,9})?\s+)?` +
		`(?:\d{1,7}\s+)?([a-z][a-z0-9_]{2,40}\.go:\d{1,5})\]\s+(\S.*)$`)
	// cutWhole is a whole kubelet message without header: structured, with a value after it that names a pod or
	// container.
	cutWhole = regexp.MustCompile(`^"[A-Z][A-Za-z(][^"]{4,120}" (?:[a-zA-Z]+=(?:"[^"]*"|\S+) )*` +
		`(?:pod|podUID|pods|containerName|containerID|probe|probeType|resourceName)=`)
	// cutClassic matches beginnings of unstructured messages that no other program writes.
	cutClassic = regexp.MustCompile(`^(?:SyncLoop \(|Killing container "|Killing unwanted container |` +
		`eviction manager: |Container "[^"]+" \(\{"|checking backoff for container |No ready sandbox for pod |` +
		`(?:Liveness|Startup) probe for "\S+" failed )`)
	// onlyTime matches a time, which may be left before such a message.
	onlyTime = regexp.MustCompile(`^(\d\d:\d\d:\d\d)([.,]\d{1,9})?\s+(\S.*)$`)
	// cutInside is a line of syslog or the journal that lost the part of the kubelet's header before the file name.
	cutInside = regexp.MustCompile(`^((?:<\d{1,3}>)?([A-Z][a-z]{2} [ \d]\d) (\d\d:\d\d:\d\d)(\.\d{1,9})? (?:\S+ )?` +
		`(?:hyperkube|k3s|rke2|origin-node|[\w.-]*kubel[\w.-]*)(?:\[\d+\])?: )([a-z][a-z0-9_]{2,40}\.go:\d{1,5})\]\s+(\S.*)$`)
	wholeHead = regexp.MustCompile(`[IWEF]\d{4} \d\d:\d\d:\d\d\.\d{6} +\d+ \S+:\d+\]`)
)

// Restore adds headers to the lines that lost theirs. A line without a time gets that of the line before; if there is
// none, the time at which the text was printed.
func Restore(lines []string, printed time.Time) {
	at := printed.UTC()
	if printed.IsZero() {
		at = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	for i, line := range lines {
		file, headed := "kubelet.go:1", strings.Contains(line, ".go:")
		if m := ""; headed {
			if m = wholeHead.FindString(line); m != "" {
				at = clock(at, m[1:5], m[6:14], m[14:21])
				continue
			}
		}
		text, message, before := strings.Trim(strings.TrimSpace(line), "`"), "", ""
		if m := []string(nil); headed {
			if m = cutInside.FindStringSubmatch(text); m != nil {
				if d, err := time.Parse("Jan _2", m[2]); err == nil {
					at = clock(at, d.Format("0102"), m[3], m[4])
				}
				before, file, message = m[1], m[5], m[6]
			} else if m = cutHead.FindStringSubmatch(text); m != nil {
				at = clock(at, m[1], m[2], m[3])
				file, message = m[4], m[5]
			}
		}
		if m := onlyTime.FindStringSubmatch(text); m != nil && message == "" {
			at, text = clock(at, "", m[1], m[2]), m[3]
		}
		switch {
		case message != "" || text == "":
		case text[0] == '"' && cutWhole.MatchString(text),
			strings.IndexByte("SKeCcNL", text[0]) >= 0 && cutClassic.MatchString(text):
			message = text
		}
		if message == "" {
			continue
		}
		at = at.Add(time.Microsecond) // keeps the order of the text
		lines[i] = before + fmt.Sprintf("I%s %7d %s] %s", at.Format("0102 15:04:05.000000"), 1, file, message)
	}
}

// LostInside reports whether a line of syslog lost the kubelet's own header.
func LostInside(line string) bool {
	return strings.Contains(line, ".go:") && cutInside.MatchString(strings.TrimRight(line, "\r\n"))
}

// LostPart reports whether a line has only a part of its header left, at least from the file name on.
func LostPart(line string) bool { return strings.Contains(line, ".go:") && cutHead.MatchString(line) }

// clock sets the known parts of a time: month and day, the time of day, its fraction.
func clock(at time.Time, day, clock, fraction string) time.Time {
	if d, err := time.Parse("0102", day); err == nil {
		at = time.Date(at.Year(), d.Month(), d.Day(), at.Hour(), at.Minute(), at.Second(), at.Nanosecond(), time.UTC)
	}
	if c, err := time.Parse("15:04:05.999999999", clock+strings.Replace(fraction, ",", ".", 1)); err == nil {
		at = time.Date(at.Year(), at.Month(), at.Day(), c.Hour(), c.Minute(), c.Second(), c.Nanosecond(), time.UTC)
	}
	return at
}
