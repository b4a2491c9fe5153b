package kernel

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

const (
	// maxRows bounds the table of one report; a cgroup has fewer tasks.
	maxRows = 4096
	// shownRows is how many of the rows a record keeps.
	shownRows = 8
	// pageSize is the unit of the table. arm64 and ppc64 have kernels with larger pages; there the figures come out too
	// small, never too large.
	pageSize = 4096
)

// report is what the kernel prints around a kill: whose limit was reached and which tasks there were (mm/oom_kill.c
// dump_header, dump_tasks; mm/memcontrol.c mem_cgroup_print_oom_meminfo).
type report struct {
	limit   int64
	full    string // the cgroup that was full: the first one with figures in the report
	columns []string
	rows    []evidence.OOMProcess
	// told: a record already uses this report. The next record is of another kill, whose own report is missing; the
	// rows are still valid for the rest of a group.
	told bool
	// asked: someone requested the kill; memory was not short.
	asked bool
}

// partOfReport reports whether the kernel writes this line only around a kill for memory (mm/oom_kill.c dump_header,
// oom_reap_task; mm/memcontrol.c mem_cgroup_print_oom_context).
func partOfReport(s string) bool {
	switch {
	case strings.HasPrefix(s, "oom_reaper: reaped process "), strings.HasPrefix(s, "Memory cgroup stats for "),
		strings.HasPrefix(s, "Tasks in ") && strings.Contains(s, "memory.oom.group set"),
		strings.HasPrefix(s, "OOM victim "), strings.HasPrefix(s, "memory: usage ") && strings.Contains(s, " failcnt "),
		strings.HasPrefix(s, "Tasks state (memory values in pages):"), strings.HasPrefix(s, "[  pid  ]   uid  tgid "),
		strings.HasPrefix(strings.TrimLeft(s, " ?"), "out_of_memory+0x"),
		strings.HasPrefix(strings.TrimLeft(s, " ?"), "mem_cgroup_out_of_memory+0x"),
		strings.HasPrefix(strings.TrimLeft(s, " ?"), "oom_kill_process"):
		return true
	}
	return strings.Contains(s, " invoked oom-killer: ")
}

// openings begin lines that the kernel writes only around a kill for memory.
var openings = []string{"oom-kill:constraint=", "Memory cgroup out of memory: ", "Out of memory: Kill", "Task in /"}

// Reports reports whether a line, of any log, is one that the kernel writes around a kill for memory or when it boots.
// A stamp may be in front.
func Reports(line string) bool {
	if _, text, ok := Uptime(line); ok {
		line = text
	}
	for _, begin := range openings {
		if strings.HasPrefix(line, begin) {
			return true
		}
	}
	return partOfReport(line) || Booted(line)
}

// stamped matches the time since the boot that the kernel puts in front.
var stamped = regexp.MustCompile(`\[ *\d+\.\d{6}\](?:\[ *[TC]\d+\])? `)

// Begins returns where such a line begins behind a prefix, with its stamp; -1 if there is none.
func Begins(s string) int {
	if m := stamped.FindStringIndex(s); m != nil {
		if Reports(s[m[0]:]) {
			return m[0]
		}
		return -1
	}
	for _, begin := range openings {
		if at := strings.Index(s, begin); at == 0 || at > 0 && (s[at-1] == ' ' || s[at-1] == '\t') {
			return at
		}
	}
	return -1
}

// add reads a line of a report and reports whether it is one.
func (r *report) add(s string) bool {
	switch {
	case strings.Contains(s, " invoked oom-killer: "):
		_, how, _ := strings.Cut(s, " invoked oom-killer: ")
		asked := r.asked && !r.told || strings.Contains(how, ", order=-1, ") // mm/oom_kill.c is_sysrq_oom, 4.2+
		*r = report{asked: asked}
	case strings.HasSuffix(s, "Manual OOM execution"): // drivers/tty/sysrq.c; the report follows
		*r = report{asked: true}
	case strings.HasPrefix(s, "memory: usage "):
		r.limit = kilobytes(s, " limit ")
	case strings.HasPrefix(s, "Memory cgroup stats for "):
		if path, _, ok := strings.Cut(strings.TrimPrefix(s, "Memory cgroup stats for "), ":"); ok && r.full == "" {
			r.full = path
		}
	case strings.HasPrefix(s, "[") && strings.Contains(s, "total_vm") && strings.Contains(s, "] "):
		// [  pid  ]   uid  tgid total_vm      rss … oom_score_adj name
		_, names, _ := strings.Cut(s, "]")
		r.columns, r.rows = strings.Fields(names), nil
	case strings.HasPrefix(s, "[") && len(r.columns) > 0:
		r.row(s)
	default:
		return false
	}
	return true
}

// row reads "[   4711]     0  4711      256      100   …   999 tail".
func (r *report) row(s string) {
	pid, rest, ok := strings.Cut(s[1:], "]")
	n, err := strconv.Atoi(strings.TrimSpace(pid))
	if !ok || err != nil || len(r.rows) >= maxRows {
		return
	}
	p := evidence.OOMProcess{PID: n}
	for _, column := range r.columns {
		rest = strings.TrimLeft(rest, " ")
		var value string
		value, rest, _ = strings.Cut(rest, " ")
		if pages, err := strconv.ParseInt(value, 10, 64); column == "rss" && err == nil && pages >= 0 && pages < 1<<48 {
			p.RSS = pages * pageSize
		}
	}
	r.rows = append(r.rows, p)
}

// complete copies the report's figures into the record of its kill.
func (r *report) complete(k *evidence.OOMKill) {
	if r.told {
		return
	}
	k.Limit, k.Asked = r.limit, r.asked
	if len(r.rows) > 0 {
		largest := slices.Clone(r.rows)
		slices.SortStableFunc(largest, func(a, b evidence.OOMProcess) int { return cmp.Compare(b.RSS, a.RSS) })
		k.Tasks, k.First, k.Last = len(r.rows), r.rows[0].PID, r.rows[0].PID
		for _, p := range r.rows {
			k.First, k.Last = min(k.First, p.PID), max(k.Last, p.PID)
		}
		k.Processes = slices.Clip(largest[:min(len(largest), shownRows)])
	}
}

// kilobytes reads the number after a key in "usage 204800kB, limit 204800kB". A figure that means no limit, such as
// 9007199254740988kB, counts as none.
func kilobytes(s, key string) int64 {
	_, s, ok := strings.Cut(s, key)
	number, _, unit := strings.Cut(s, "kB")
	n, err := strconv.ParseInt(number, 10, 64)
	if !ok || !unit || err != nil || n < 0 || n >= 1<<50 {
		return 0
	}
	return n << 10
}
