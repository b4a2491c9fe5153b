package statement

import (
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// suppressed reads the journal's own line that it dropped messages of a unit
// that wrote too many: "Suppressed 12 messages from kubelet.service" (systemd
// journald-server.c; a path of its cgroup in place of the unit before v236), or
// of the kernel: "Missed 3 kernel messages" (journald-kmsg.c).
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

// lossBefore is how long before its word of it a logger may have lost lines: rsyslog tells it when the
// interval of its limit is over (imjournal Ratelimit.Interval, ten minutes).
const lossBefore = 10 * time.Minute

// holeSince is a hole of every source that began before the last entry.
func (r *Router) holeSince(t time.Time) {
	for _, c := range r.reach {
		if c.Until.After(t) {
			c.Until = t
		}
	}
	r.Hole()
	r.closed = slices.DeleteFunc(r.closed, func(c evidence.Coverage) bool { return c.Until.Before(c.From) })
}

// lose takes note of what a disk that failed may have lost.
func (r *Router) lose(from, until time.Time) {
	l := evidence.Loss{Node: r.o.Node, Source: evidence.SourceKernelLog, From: from, Until: until}
	if r.o.Vague {
		l = l.Anywhere()
	}
	r.b.Lose(l)
}

// logger tells a daemon that writes what others say.
func logger(unit string) bool {
	return strings.HasPrefix(unit, "systemd-journal") || strings.HasPrefix(unit, "rsyslog") ||
		strings.HasPrefix(unit, "syslog")
}

// losses are words of a logger that lost lines, or writes them under another time from now on:
// rsyslog "imuxsock lost 5 messages from pid 7 due to rate-limiting", "imjournal: begin to drop
// messages due to rate-limiting", "action suspended"; journald "Forwarding to syslog missed 3
// messages.", "File … corrupted or uncleanly shut down", "Time jumped backwards, rotating.",
// "Journal stopped", "Journal file … is truncated, ignoring file."; syslog-ng "Log statistics; dropped=…" is no loss
// while it is none. Where the disk is full or broken, journald says "Failed to write entry (9 items, 300 bytes),
// ignoring: No space left on device", "Failed to rotate", "IO error, rotating.", and rsyslog
// "file '/var/log/messages'[7] write error", "queue full, dropping …".
var losses = []string{" lost", "drop messages", "messages dropped", "missed ",
	"discard", "rate-limiting", "suspended", "corrupted", "truncated", "time jumped", "journal stopped",
	"failed to write entry", "failed to create new", "failed to rotate", "failed to open system journal",
	"io error", "write error", "queue full", "dropping messages"}

// pauses are words of a logger that ends, or that was started anew: one that crashed says nothing before.
var pauses = []string{"Journal started", "Received SIGTERM", "exiting on signal"}

// ofJournald takes journald's words about itself, which it writes to the kernel's buffer. Anyone with that buffer
// could: that lines were lost makes nothing proven.
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

// journalService is what systemd calls it where it has only descriptions: "Stopping Journal Service...".
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
