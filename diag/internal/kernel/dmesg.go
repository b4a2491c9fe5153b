package kernel

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/klogline"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// undecorated removes what dmesg's options put before a line's time: colours (-L), "<6>" (--raw), "kern :info : " (-x).
// It brings a line of dmesg --json into the usual form. ours is false if the prefix shows that a program wrote the line
// to /dev/kmsg: the kernel never gives such lines its own facility, 0 (kernel/printk/printk.c devkmsg_write).
func undecorated(s string) (line string, ours bool) {
	if strings.IndexByte(s, 0x1b) == 0 || strings.HasPrefix(s, "kern") && strings.IndexByte(s, 0x1b) > 0 {
		s = safetext.Uncoloured(s)
	}
	if rest, ok := strings.CutPrefix(s, "<"); ok {
		if n, after, ok := strings.Cut(rest, ">"); ok && n != "" && strings.Trim(n, "0123456789") == "" {
			return after, kernelPriority(n)
		}
	}
	if facility, rest, ok := strings.Cut(s, ":"); ok && lower(facility) {
		if level, text, ok := strings.Cut(rest, ": "); ok && lower(level) {
			return text, strings.TrimSpace(facility) == "kern"
		}
	}
	if trimmed := strings.Trim(s, " \t,}{"); strings.HasPrefix(trimmed, `"`) {
		return fromJSON(s)
	}
	return s, true
}

// kernelPriority reports whether a priority has the kernel's own facility, 0: it is below 8.
func kernelPriority(n string) bool { return len(n) == 1 && n < "8" }

// lower reports whether s is one of dmesg's padded words: "kern ", "info ".
func lower(s string) bool {
	s = strings.TrimRight(s, " ")
	return s != "" && len(s) <= 8 && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789") == ""
}

// fromJSON reads a record of dmesg --json that is on one line. dmesg itself prints a record over several lines; then
// its message has no time.
func fromJSON(s string) (line string, ours bool) {
	var record struct {
		Pri  int      `json:"pri"`
		Time *float64 `json:"time"`
		Msg  string   `json:"msg"`
	}
	s = strings.Trim(s, " \t,")
	if json.Unmarshal([]byte(s), &record) != nil || record.Time == nil {
		return s, true
	}
	return fmt.Sprintf("[%12.6f] %s", *record.Time, record.Msg), record.Pri>>3 == 0
}

// coarse reads the times of dmesg -e and -H: "[Dec15 23:40] text", or relative to the previous line, "[ +0.000004]
// text".
func coarse(s string) (text string, ok bool) {
	s, ok = strings.CutPrefix(s, "[")
	stamp, text, closed := strings.Cut(s, "] ")
	if !ok || !closed {
		return "", false
	}
	if delta, is := strings.CutPrefix(strings.TrimLeft(stamp, " "), "+"); is {
		return text, delta != "" && strings.Trim(delta, "0123456789.") == ""
	}
	_, err := time.Parse("Jan_2 15:04", stamp)
	return text, err == nil
}

// Ctime reads the time of dmesg -T: "Thu Apr 17 22:43:41 2025". It is printed in the user's locale (util-linux
// dmesg.c record_ctime: strftime "%a %b %e %H:%M:%S %Y"): "四 4月 17 22:43:41 2025". The day of the week is not read.
// A time with a fraction is another program's: Apache's error log has the same form.
func Ctime(s string, zone *time.Location) (at time.Time, ok bool) {
	words := strings.Fields(s)
	if len(words) != 5 || len(words[3]) != len("15:04:05") {
		return time.Time{}, false
	}
	month := klogline.Month(words[1])
	at, err := time.ParseInLocation("2 15:04:05 2006", strings.Join(words[2:], " "), zone)
	if month == 0 || err != nil {
		return time.Time{}, false
	}
	day := at.Day()
	at = time.Date(at.Year(), month, day, at.Hour(), at.Minute(), at.Second(), 0, zone)
	return at, at.Day() == day
}
