package kernel

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// fault reads the kernel's line about a process that got a fatal signal because of a fault:
//
//	tail[123]: segfault at 0 ip …                        x86, mm/fault.c
//	traps: tail[123] general protection fault ip:…       x86, kernel/traps.c; "trap invalid opcode ip:…"
//	tail[123]: unhandled level 2 translation fault (11)  arm64, kernel/traps.c; since 4.19 "unhandled exception: DABT …",
//	                                                     riscv "unhandled signal 11 code 0x1 …",
//	                                                     arm "undefined instruction: pc=…"
//	Memory failure: 0x12: Sending SIGBUS to java:123 due to hardware memory corruption  mm/memory-failure.c
func fault(e evidence.Entry, emit func(evidence.Observation)) bool {
	s := e.Message
	f, ok := corruption(s)
	if !ok {
		f, ok = trap(s)
	}
	if ok {
		f.Task, f.Kind = ident(f.Task), ident(f.Kind)
		emit(evidence.Observation{Time: e.Time, Fact: f, Text: safetext.Clean(s)})
	}
	return ok
}

// trapped matches a task, its number and what it did. A task chooses its name (at most 15 bytes, TASK_COMM_LEN) and the
// name of its file, so the pattern takes the last number that a name of that length can still precede.
var trapped = regexp.MustCompile(`^(.{0,15})\[(\d+)\] (?:trap )?([a-z][a-z ]*) ip:`)

func trap(s string) (evidence.Segfault, bool) {
	text, isTrap := strings.CutPrefix(s, "traps: ")
	kind := ""
	end := -1
	for _, k := range []string{"segfault", "unhandled", "undefined"} {
		if i := strings.Index(text, "]: "+k+" "); i >= 0 {
			end, kind = i, k
			break
		}
	}
	switch {
	case kind == "unhandled", kind == "undefined":
		kind, _, _ = strings.Cut(text[end+len("]: "):], " (")
		kind, _, _ = strings.Cut(kind, ": ")
		kind, _, _ = strings.Cut(kind, " code ")
	case end < 0 && isTrap:
		m := trapped.FindStringSubmatch(text)
		if m == nil {
			return evidence.Segfault{}, false
		}
		pid, err := strconv.Atoi(m[2])
		return evidence.Segfault{Task: m[1], PID: pid, Kind: m[3]}, err == nil
	}
	if end < 0 {
		return evidence.Segfault{}, false
	}
	start := strings.LastIndexByte(text[:end], '[')
	if start < 0 {
		return evidence.Segfault{}, false
	}
	pid, err := strconv.Atoi(text[start+1 : end])
	return evidence.Segfault{Task: text[:start], PID: pid, Kind: kind}, err == nil
}

// corruption reads "Sending SIGBUS to", "Killing" and "forcibly killing" (with SIGKILL): a process used broken memory
// (mm/memory-failure.c kill_proc, kill_procs; arch/x86/mm/fault.c do_sigbus). A task's name may contain colons.
func corruption(s string) (evidence.Segfault, bool) {
	const kind = evidence.Corruption
	s, _, ok := strings.Cut(s, " due to "+kind)
	_, who, found := strings.Cut(s, "Sending SIGBUS to ")
	if !found {
		_, who, found = strings.Cut(s, ": Killing ")
	}
	if failed, because, forced := strings.Cut(s, " because of failure to unmap corrupted page"); forced && because == "" {
		_, who, found = strings.Cut(failed, ": forcibly killing ")
		ok = true
	}
	who = strings.TrimSuffix(who, " early")
	i := strings.LastIndexByte(who, ':')
	if !ok || !found || i < 0 {
		return evidence.Segfault{}, false
	}
	pid, err := strconv.Atoi(who[i+1:])
	return evidence.Segfault{Task: who[:i], PID: pid, Kind: kind}, err == nil
}

// hung reads "INFO: task jbd2/sda1-8:123 blocked for more than 120 seconds."
// (kernel/hung_task.c) and "watchdog: BUG: soft lockup - CPU#1 stuck for 22s!
// [java:123]" (kernel/watchdog.c).
func hung(e evidence.Entry, emit func(evidence.Observation)) {
	var f evidence.HungTask
	var who, seconds string
	if rest, ok := strings.CutPrefix(e.Message, "INFO: task "); ok {
		f.Kind = "blocked"
		who, seconds, _ = strings.Cut(rest, " blocked for more than ")
		seconds, _, _ = strings.Cut(seconds, " seconds")
	} else if _, rest, ok := strings.Cut(e.Message, "BUG: soft lockup - CPU#"); ok {
		f.Kind = "soft-lockup"
		_, rest, _ = strings.Cut(rest, " stuck for ")
		seconds, who, _ = strings.Cut(rest, "s! [")
		who = strings.TrimSuffix(who, "]")
	}
	i := strings.LastIndexByte(who, ':')
	if i < 0 {
		return
	}
	var err1, err2 error
	f.Task = ident(who[:i])
	f.PID, err1 = strconv.Atoi(who[i+1:])
	f.Seconds, err2 = strconv.Atoi(seconds)
	if err1 == nil && err2 == nil {
		emit(evidence.Observation{Time: e.Time, Fact: f, Text: safetext.Clean(e.Message)})
	}
}
