package kernel

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/hostlog"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/oneline"
)

// errCut means that the log ends within a line.
var errCut = errors.New("the last line is cut")

// maxLine is the longest line that is kept. The kernel's own limit is 8 KiB.
const maxLine = 64 << 10

// Assumed says what a reader had to assume about times.
type Assumed struct {
	// NoTime: the log counts from a boot whose time it does not contain.
	NoTime bool
	// Zone: the times are local times of an unknown zone and were read as UTC.
	Zone bool
	// Coarse: the times are minutes of an unknown year (dmesg -e, -H). They are left out: with a time that is exact
	// only to the minute, one kill may be mistaken for another.
	Coarse bool
}

// Read reads a kernel log and passes its lines to yield as entries, in order: records of /dev/kmsg
// ("6,1234,5678901234,-;text"), or dmesg's text ("[ 123.456] text", "[Sun Dec 15 23:40:19 2019] text",
// "2019-12-15T23:40:19,123456+00:00 text", "[Dec15 23:40] text"). Each may have the priority in front ("<6>", "kern
// :info : "), colours, or the form of dmesg --json. A first line "# kmsg boottime=<RFC 3339> bootid=<id>" gives the
// boot; without it, entries of the first two forms have no time. A last line without a line break is not read: half of
// a number is a different number. zone applies to times without a zone; nil means UTC.
func Read(r io.Reader, zone *time.Location, yield func(evidence.Entry)) (Assumed, error) {
	var a Assumed
	if zone == nil {
		zone, a.Zone = time.UTC, true
	}
	zoneUsed := false
	var boot time.Time
	var bootID string
	br := bufio.NewReaderSize(r, 64<<10)
	var held evidence.Entry // its last part may be on the next line
	holds := false
	for {
		raw, _, err := oneline.Read(br, maxLine)
		line := string(raw)
		if rest, ok := strings.CutPrefix(line, "# kmsg "); ok {
			boot, bootID = header(rest)
		} else if line != "" && line[0] != ' ' && err == nil { // a blank opens a record's key=value lines
			if e, ok := parse(line, boot, zone, &a, &zoneUsed); ok {
				if holds {
					yield(held)
				}
				e.BootID = bootID
				held, holds = e, true
			} else if holds && wrapped(held.Message, line) {
				held.Message += line
			}
		}
		if err != nil {
			if holds {
				yield(held)
			}
			a.Zone = a.Zone && zoneUsed
			if errors.Is(err, io.EOF) && line == "" {
				return a, nil
			}
			if errors.Is(err, io.EOF) {
				err = errCut
			}
			return a, fmt.Errorf("read kernel log: %w", err)
		}
	}
}

func parse(line string, boot time.Time, zone *time.Location, a *Assumed, zoneUsed *bool) (evidence.Entry, bool) {
	e := evidence.Entry{Kernel: true}
	line, ours := undecorated(line)
	since, text, ok := sinceBoot(line)
	switch {
	case ok && boot.IsZero():
		a.NoTime = true
	case ok:
		e.Time = boot.Add(since)
	default:
		var local bool
		if e.Time, text, local, ok = wallClock(line, zone); local {
			*zoneUsed = true
		}
		if !ok {
			text, ok = coarse(line)
			a.Coarse = a.Coarse || ok
		}
	}
	if priority, _, found := strings.Cut(line, ","); found && !kernelPriority(priority) &&
		strings.Trim(priority, "0123456789") == "" {
		ours = false // a record of /dev/kmsg: "12,34,567,-;text"
	}
	switch {
	case strings.HasPrefix(text, "[talos] "):
		e.Message, e.Unit, e.Kernel = text, hostlog.Talos, false
	case ours, strings.HasPrefix(text, "systemd-journald["): // which reports what it lost
		e.Message = text // anyone else may have written anything here
	}
	if seq, known := sequence(line); known {
		e.Seq, e.SeqID, e.Writer = seq, evidence.KernelBuffer, evidence.Vouched // its priority has a facility
	}
	return e, ok
}

// wrapped reports whether line is the rest of the line before, broken by a terminal within a word that contains a
// cgroup path.
func wrapped(before, line string) bool {
	path := before[strings.LastIndexByte(before, ' ')+1:]
	return strings.Contains(path, "/") && len(before) >= leastWrapped && strings.Trim(line, hostPath) == "" &&
		strings.Trim(line, "-_./:,=") != "" // a line of only these signs separates two logs
}

// A terminal breaks a line at its own width, and the part it breaks off is the rest of a word.
const (
	leastWrapped = 50
	hostPath     = "abcdefghijklmnopqrstuvwxyz0123456789-_./:,="
)

// sequence reads the number of a record of /dev/kmsg: "6,1234,5678901234,-;text".
func sequence(s string) (uint64, bool) {
	head, _, record := strings.Cut(s, ";")
	fields := strings.SplitN(head, ",", 4)
	if !record || len(fields) != 4 {
		return 0, false
	}
	n, err := strconv.ParseUint(fields[1], 10, 64)
	return n, err == nil && strings.Trim(fields[0], "0123456789") == ""
}

func header(s string) (boot time.Time, id string) {
	for _, f := range strings.Fields(s) {
		key, value, _ := strings.Cut(f, "=")
		switch key {
		case "boottime":
			boot, _ = time.Parse(time.RFC3339Nano, value)
		case "bootid":
			id = value
		}
	}
	return boot, id
}

// sinceBoot reads a kmsg record or a dmesg line that counts from the boot.
func sinceBoot(s string) (time.Duration, string, bool) {
	if head, text, ok := strings.Cut(s, ";"); ok && head != "" && head[0] >= '0' && head[0] <= '9' {
		fields := strings.SplitN(head, ",", 4)
		if len(fields) == 4 {
			n, err := strconv.ParseInt(fields[2], 10, 64)
			return time.Duration(n) * time.Microsecond, text, err == nil && n >= 0 && n < 1<<52
		}
	}
	stamp, text, ok := Uptime(s)
	if !ok {
		return 0, "", false
	}
	seconds, err := strconv.ParseFloat(strings.TrimSpace(stamp), 64)
	if err != nil || seconds < 0 || seconds > 1e9 {
		return 0, "", false
	}
	return time.Duration(seconds * float64(time.Second)), text, true
}

// Uptime splits "[  123.456] text" into the seconds since the boot and the text.
// Kernels with CONFIG_PRINTK_CALLER put the caller between: "[  123.456][  T42]". A number without a fraction is the
// process of a row in the table of an out-of-memory report.
func Uptime(s string) (stamp, text string, ok bool) {
	s, ok = strings.CutPrefix(s, "[")
	stamp, s, closed := strings.Cut(s, "]")
	if caller, rest, found := strings.Cut(strings.TrimPrefix(s, "["), "]"); found &&
		strings.HasPrefix(s, "[") && isCaller(caller) {
		s = rest
	}
	text, spaced := strings.CutPrefix(s, " ")
	return stamp, text, ok && closed && spaced && strings.Contains(stamp, ".") &&
		strings.Trim(stamp, " 0123456789.") == ""
}

// isCaller reports whether s is a thread ("T42") or a processor ("C3"), right-aligned.
func isCaller(s string) bool {
	s = strings.TrimLeft(s, " ")
	return len(s) > 1 && (s[0] == 'T' || s[0] == 'C') && strings.Trim(s[1:], "0123456789") == ""
}

// wallClock reads dmesg's human-readable times: -T (local, without a zone) and --time-format iso.
func wallClock(s string, zone *time.Location) (at time.Time, text string, local, ok bool) {
	if rest, found := strings.CutPrefix(s, "["); found {
		stamp, text, found := strings.Cut(rest, "] ")
		t, is := Ctime(stamp, zone)
		return t, text, found && is, found && is
	}
	stamp, text, found := strings.Cut(s, " ")
	t, err := time.Parse(time.RFC3339Nano, strings.Replace(stamp, ",", ".", 1))
	return t, text, false, found && err == nil
}
