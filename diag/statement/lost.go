package statement

import (
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// suppressed reads the journal's own line that it dropped messages of a unit that wrote too many: "Suppressed 12
// messages from kubelet.service" (systemd journald-server.c; a cgroup path instead of the unit before v236), or of the
// kernel: "Missed 3 kernel messages" (journald-kmsg.c).
func (r *Router) suppressed(e evidence.Entry) {
	if !logger(e.Unit) {
		return
	}
	at := " at " + e.Time.UTC().Format(time.RFC3339)
	if count, is := strings.CutSuffix(e.Message, " kernel messages"); is && strings.HasPrefix(count, "Missed ") {
		r.hole(evidence.SourceKernelLog)
		r.gap(evidence.SourceKernelLog, "read "+r.o.Where+": the journal missed "+
			strings.TrimPrefix(count, "Missed ")+" messages of the kernel"+at)
		return
	}
	if slices.ContainsFunc(pauses, func(word string) bool { return strings.Contains(e.Message, word) }) {
		r.Hole()
		return
	}
	rest, is := strings.CutPrefix(e.Message, "Suppressed ")
	count, unit, from := strings.Cut(rest, " messages from ")
	if !is || !from {
		if loses(e.Message) {
			r.holeSince(e.Time.Add(-lossBefore))
			r.gap(evidence.SourceKubeletLog, "read "+r.o.Where+": "+e.Unit+" lost lines"+at)
		}
		return
	}
	unit = unit[strings.LastIndexByte(unit, '/')+1:]
	kind := evidence.SourceKubeletLog
	switch writerOf(unit) {
	case writerKubelet:
	case writerRuntime:
		kind = evidence.SourceRuntimeLog
	default:
		return
	}
	r.hole(kind)
	r.gap(kind, "read "+r.o.Where+": the journal dropped "+count+" messages of "+unit+at)
}

// lossBefore is how long before its report a logger may have lost lines: rsyslog reports at the end of its rate-limit
// interval (imjournal Ratelimit.Interval, ten minutes).
const lossBefore = 10 * time.Minute

// holeSince makes a hole in every source that began before the last entry.
func (r *Router) holeSince(t time.Time) {
	for _, c := range r.reach {
		if c.Until.After(t) {
			c.Until = t
		}
	}
	r.Hole()
	r.closed = slices.DeleteFunc(r.closed, func(c evidence.Coverage) bool { return c.Until.Before(c.From) })
}

// lose records what a failing disk may have lost.
func (r *Router) lose(from, until time.Time) {
	l := evidence.Loss{Node: r.o.Node, Source: evidence.SourceKernelLog, From: from, Until: until}
	if r.o.Vague {
		l = l.Anywhere()
	}
	r.b.Lose(l)
}

// logger reports whether a unit is a logging daemon.
func logger(unit string) bool {
	return strings.HasPrefix(unit, "systemd-journal") || strings.HasPrefix(unit, "rsyslog") ||
		strings.HasPrefix(unit, "syslog")
}

// losses are phrases of a logger that lost lines, or writes them under another time from now on: rsyslog "imuxsock lost
// 5 messages from pid 7 due to rate-limiting", "imjournal: begin to drop messages due to rate-limiting", "action
// suspended"; journald "Forwarding to syslog missed 3 messages.", "File … corrupted or uncleanly shut down", "Time
// jumped backwards, rotating.", "Journal stopped", "Journal file … is truncated, ignoring file."; syslog-ng "Log
// statistics; dropped=…" is not a loss while the count is 0. If the disk is full or broken, journald says "Failed to
// write entry (9 items, 300 bytes), ignoring: No space left on device", "Failed to rotate", "IO error, rotating.", and
// rsyslog "file '/var/log/messages'[7] write error", "queue full, dropping …".
var losses = []string{" lost", "drop messages", "messages dropped", "missed ",
	"discard", "rate-limiting", "suspended", "corrupted", "truncated", "time jumped", "journal stopped",
	"failed to write entry", "failed to create new", "failed to rotate", "failed to open system journal",
	"io error", "write error", "queue full", "dropping messages"}

// pauses are phrases of a logger that stops or was started again: one that crashed logged nothing before.
var pauses = []string{"Journal started", "Received SIGTERM", "exiting on signal"}

// ofJournald reads journald's messages about itself, which it writes to the kernel's buffer. Anyone with access to that
// buffer could fake them: lost lines never help to prove anything.
func (r *Router) ofJournald(e *evidence.Entry) bool {
	rest, ok := strings.CutPrefix(e.Message, journald+"[")
	if !ok {
		return false
	}
	lost := *e
	if _, lost.Message, ok = strings.Cut(rest, "]: "); ok {
		lost.Unit = journald
		r.suppressed(lost)
	}
	return true
}

// journalService is systemd's name for it where it has only descriptions: "Stopping Journal Service...".
const journald, journalService = "systemd-journald", "Journal Service"

func loses(msg string) bool {
	lower := strings.ToLower(msg)
	for _, word := range losses {
		if strings.Contains(lower, word) {
			return true
		}
	}
	return false
}
