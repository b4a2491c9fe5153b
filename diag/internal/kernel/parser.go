package kernel

import (
	"strconv"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/cgroup"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/mask"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// Parser reads kernel lines in order, because one kill may take several lines. The zero value is ready to use.
type Parser struct {
	// pending is the record of a kernel before 5.0 that waits for its victim.
	pending *evidence.Observation
	// last is the pid of the last victim reported, so that a line that repeats it does not count as another kill.
	last int
	// group is the cgroup whose tasks are all killed (memory.oom.group); groupRecord is the record before it. The next
	// record ends it.
	group       string
	groupRecord evidence.OOMKill
	// report is what was printed before the record of a kill.
	report report
	// open is a report for which no line has named the kill yet; killed is the time of the last kill reported.
	open   *evidence.Observation
	killed time.Time
	// at is the time of the last line that was kept. Lines that come much later are of another kill, also if the first
	// lines of that one are missing.
	at time.Time
	// booting: a line of a boot was read, at bootedAt; version: that of its version, too, which has only one.
	booting, version bool
	bootedAt         time.Time
}

// reportTakes is how much later than the line before it a line of one report may be: a serial console prints some
// hundred lines in that time.
const reportTakes = 10 * time.Second

// Add reads one kernel line. The observations it emits have Time, Subject, Fact and Text; node and source are up to the
// caller. lost reports that the line is from a kill in a cgroup whose record is missing: the kernel writes at most ten
// of those in five seconds (mm/oom_kill.c oom_kill_process, oom_rs). At such a moment, the absence of a record proves
// nothing about any cgroup.
func (p *Parser) Add(e evidence.Entry, emit func(evidence.Observation)) (lost bool) {
	s := e.Message
	late := e.Time.Sub(p.at).Abs() > reportTakes
	if late || strings.Contains(s, " invoked oom-killer: ") { // another report begins
		p.Close(emit)
		p.group, p.groupRecord = "", evidence.OOMKill{}
	}
	if late {
		p.report, p.last = report{}, 0
	}
	p.begun(e)
	switch {
	case strings.HasPrefix(s, "oom-kill:constraint="): // mm/oom_kill.c dump_oom_summary, 5.0+
		p.summary(e, emit)
	case strings.HasPrefix(s, "Task in "): // mm/memcontrol.c mem_cgroup_print_oom_info, <5.0
		p.taskIn(e, emit)
	case strings.HasPrefix(s, "Tasks in ") && strings.HasSuffix(s, " are going to be killed due to memory.oom.group set"):
		p.group = strings.TrimSuffix(strings.TrimPrefix(s, "Tasks in "),
			" are going to be killed due to memory.oom.group set")
	case strings.HasPrefix(s, "Memory cgroup out of memory: "), strings.HasPrefix(s, "Out of memory"),
		strings.HasPrefix(s, "Killed process "):
		lost = p.kill(e, emit)
	case p.report.add(s):
	case fault(e, emit), signalled(e, emit):
		return false
	case strings.HasPrefix(s, "INFO: task "), strings.Contains(s, "BUG: soft lockup - CPU#"):
		hung(e, emit)
		return false
	case Booted(s):
		p.boot(e, emit)
		return false
	default:
		return false
	}
	p.at = e.Time
	return lost
}

// Dropped reports whether the kernel says in this line that it left messages out: either its buffer was full because a
// console was slow (kernel/printk/printk.c "** 3 printk messages dropped **"), or it wrote so many reports of the
// out-of-memory killer that it stopped (lib/ratelimit.c "… callbacks suppressed").
func Dropped(s string) bool {
	return strings.HasPrefix(s, "** ") && strings.Contains(s, " messages dropped **") ||
		strings.HasSuffix(s, " callbacks suppressed") && (strings.Contains(s, "oom") || strings.HasPrefix(s, "__ratelimit"))
}

// Booted reports whether s is one of the kernel's first lines: "Booting Linux on physical CPU 0x0" (arm64), "Linux
// version 6.1.0-13-amd64 (…", "Command line: BOOT_IMAGE=…" (x86). The name of a process may hold a line break and then
// the first fourteen bytes of that, so that a record of its kill looks like two lines. It has no room for what is
// required here.
func Booted(s string) bool {
	if number, ok := strings.CutPrefix(s, "Linux version "); ok {
		return number != "" && number[0] >= '0' && number[0] <= '9'
	}
	return strings.HasPrefix(s, "Booting Linux on physical CPU ") || commandLine(s)
}

// commandLine reports whether s is the line in which a kernel repeats its command line.
func commandLine(s string) bool {
	given, ok := strings.CutPrefix(s, "Command line: ")
	if !ok {
		given, ok = strings.CutPrefix(s, "Kernel command line: ")
	}
	return ok && (strings.Contains(given, "root=") || strings.Contains(given, "BOOT_IMAGE="))
}

// firstLines is how long a kernel takes for its first lines, as a log dates them: in a log that was filtered, any of
// them may be the only one.
const firstLines = time.Minute

// boot emits a boot, at the first of its lines.
func (p *Parser) boot(e evidence.Entry, emit func(evidence.Observation)) {
	version := strings.HasPrefix(e.Message, "Linux version ")
	if !p.booting || version && p.version || e.Time.Sub(p.bootedAt) > firstLines {
		emit(evidence.Observation{Time: e.Time, Fact: evidence.KernelBooted{BootID: ident(e.BootID)},
			Text: safetext.Clean(e.Message)})
		p.version = false
	}
	p.booting, p.version, p.bootedAt = true, p.version || version, e.Time
}

// begun remembers a line that the kernel writes only around a kill for memory, until another line names the kill. If
// the report was cut or filtered, this line may be all that is left.
func (p *Parser) begun(e evidence.Entry) {
	recent := p.last != 0 && e.Time.Sub(p.killed) <= reportTakes
	if p.open == nil && p.pending == nil && partOfReport(e.Message) && !recent {
		p.open = &evidence.Observation{Time: e.Time, Fact: evidence.OOMKill{}, Text: safetext.Clean(e.Message)}
	}
}

// told remembers a kill that has a record.
func (p *Parser) told(e evidence.Entry, pid int) { p.open, p.killed, p.last = nil, e.Time, pid }

// Close emits the kill of a report or record whose victim's line never came.
func (p *Parser) Close(emit func(evidence.Observation)) {
	if p.open != nil {
		emit(*p.open)
		p.open = nil
	}
	if p.pending == nil {
		return
	}
	o := *p.pending
	if k, ok := o.Fact.(evidence.OOMKill); ok {
		p.report.complete(&k)
		o.Fact = k
	}
	p.pending, p.report = nil, report{}
	emit(o)
}

// summary reads oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=…,
// mems_allowed=0,oom_memcg=/…,task_memcg=/…,task=tail,pid=123,uid=0. If the whole machine ran out of memory, global_oom
// takes the place of oom_memcg.
func (p *Parser) summary(e evidence.Entry, emit func(evidence.Observation)) {
	p.open = nil
	p.Close(emit)
	s := strings.TrimPrefix(e.Message, "oom-kill:constraint=")
	constraint, s, _ := strings.Cut(s, ",")
	// The process chooses the task's name, so it is found by what surrounds it, from both ends.
	end := strings.LastIndex(s, ",pid=")
	start := strings.Index(s, ",task=")
	if end < 0 || start < 0 || end < start {
		p.cut(e, ident(constraint), s)
		return
	}
	pid, _, _ := strings.Cut(s[end+len(",pid="):], ",")
	n, err := strconv.Atoi(pid)
	if err != nil {
		return
	}
	k := evidence.OOMKill{Constraint: ident(constraint), Task: ident(s[start+len(",task=") : end]), PID: n}
	where(&k, ","+s[:start]+",")
	p.report.complete(&k)
	p.report.told = true
	p.told(e, n)
	p.group, p.groupRecord = "", k
	emit(evidence.Observation{Time: e.Time, Subject: victim(k), Fact: k, Text: safetext.Clean(e.Message)})
}

// where reads which cgroup was full, and which one the victim was in. Processes choose the names of cgroups below their
// own, so one of these keys may be part of a name: a line that has a key twice names no cgroup.
func where(k *evidence.OOMKill, fields string) {
	const full, victim = ",oom_memcg=", ",task_memcg="
	if strings.Count(fields, full) > 1 || strings.Count(fields, victim) > 1 {
		return
	}
	if k.OOMMemcg, k.TaskMemcg = ident(after(fields, full)), ident(after(fields, victim)); mask.In(k.TaskMemcg) {
		k.OOMMemcg, k.TaskMemcg = "", "" // someone masked the cgroup
	}
	k.Global = strings.Contains(fields, ",global_oom,") && k.Constraint != "CONSTRAINT_MEMCG" // or it is a cgroup's name
}

// cut reads a summary whose last part a terminal or a search left out. The victim is inside the cgroup that was full:
// if that cgroup is a container's, the victim was in that container.
func (p *Parser) cut(e evidence.Entry, constraint, s string) {
	k := evidence.OOMKill{Constraint: constraint}
	where(&k, ","+s[:strings.LastIndexByte(s, ',')+1]) // the last field may be half of one
	if ref, ok := cgroup.ParsePath(k.OOMMemcg); ok && ref.ContainerID != "" && k.TaskMemcg == "" {
		k.TaskMemcg = k.OOMMemcg
	}
	if k.TaskMemcg == "" {
		return // a later line may say more
	}
	p.report.complete(&k)
	p.report.told = true
	p.pending = &evidence.Observation{Time: e.Time, Subject: victim(k), Fact: k, Text: safetext.Clean(e.Message)}
}

// taskIn reads "Task in <victim's cgroup> killed as a result of limit of <cgroup>".
func (p *Parser) taskIn(e evidence.Entry, emit func(evidence.Observation)) {
	p.open = nil
	p.Close(emit)
	p.group = ""
	task, limit, ok := strings.Cut(strings.TrimPrefix(e.Message, "Task in "), " killed as a result of limit of ")
	if !ok || !strings.HasPrefix(task+"/", strings.TrimSuffix(limit, "/")+"/") {
		return // the full cgroup contains its victim; if not, the line is cut
	}
	k := evidence.OOMKill{OOMMemcg: ident(limit), TaskMemcg: ident(task)}
	if mask.In(task) {
		k = evidence.OOMKill{Constraint: "CONSTRAINT_MEMCG"}
	}
	p.pending = &evidence.Observation{Time: e.Time, Subject: victim(k), Fact: k, Text: safetext.Clean(e.Message)}
}

// kill reads "[Memory cgroup out|Out] of memory[ (reason)]: Kill[ed] process 123 (name) …", or only "Killed process 123
// (name) …" (<5.0).
func (p *Parser) kill(e evidence.Entry, emit func(evidence.Observation)) (lost bool) {
	s, before := e.Message, p.last
	i := strings.Index(s, "process ")
	if i < 0 {
		return false
	}
	pid, rest, _ := strings.Cut(s[i+len("process "):], " (")
	pid = strings.TrimSuffix(pid, ",") // "Killed process 123, UID 0, (name)"
	pid, _, _ = strings.Cut(pid, ",")
	n, err := strconv.Atoi(pid)
	if err != nil {
		return false
	}
	// The name may contain brackets; the text after it does not.
	name := rest
	if cut := strings.LastIndexByte(rest, ')'); cut >= 0 {
		name = rest[:cut]
	}
	if at := strings.Index(name, ") total-vm:"); at >= 0 {
		name = name[:at]
	}
	if at := strings.Index(name, ") score "); at >= 0 {
		name = name[:at]
	}
	p.told(e, n)
	o := evidence.Observation{Time: e.Time, Text: safetext.Clean(s)}
	var k evidence.OOMKill
	switch {
	case p.pending != nil:
		o = *p.pending
		o.Text = safetext.Clean(o.Text.String() + "; " + s)
		k, _ = o.Fact.(evidence.OOMKill)
	case n == before: // repeats the same victim
		return false
	case p.group != "" && strings.HasPrefix(s, "Memory cgroup out of memory: "):
		k = p.ofGroup()
		k.TaskMemcg, k.Group = ident(p.group), true
	case strings.HasPrefix(s, "Out of memory"): // <5.0: the whole machine, no cgroup named
		k.Global = true
	case strings.HasPrefix(s, "Memory cgroup out of memory: "):
		// Some cgroup's limit killed it; only the figures before this line can say which one.
		if k.Constraint = "CONSTRAINT_MEMCG"; !p.report.told {
			k.OOMMemcg = ident(p.report.full)
		}
		if ref, ok := cgroup.ParsePath(k.OOMMemcg); ok && ref.ContainerID != "" {
			k.TaskMemcg = k.OOMMemcg // the victim is in the cgroup that was full
		}
		lost = k.TaskMemcg == ""
	default: // <5.0: the line with the reason is missing
	}
	k.Task, o.Subject = ident(name), victim(k)
	k.Unscored = strings.HasSuffix(rest[strings.LastIndexByte(rest, ')')+1:], " oom_score_adj:0")
	if chosen := strings.Contains(s, ": Kill process "); chosen {
		// Up to 5.0 the kernel kills a child of whom it chose if it can (mm/oom_kill.c oom_kill_process). The line "Killed
		// process" of the victim follows.
		o.Fact, p.pending = k, &o
		return lost
	}
	k.PID = n
	p.report.complete(&k)
	p.report.told = true
	o.Fact, p.pending = k, nil
	emit(o)
	return lost
}

// Killed reads a single line of a kill, as node-problem-detector repeats it in an event: who was killed, and not in
// which cgroup.
func Killed(line string) (k evidence.OOMKill, ok bool) {
	if strings.Contains(line, "illed process ") {
		(&Parser{}).kill(evidence.Entry{Message: line}, func(o evidence.Observation) { k, ok = o.Fact.(evidence.OOMKill) })
	}
	return k, ok
}

// ofGroup returns the record of the kill that the group follows: its victim was in the group, and a cgroup was full, as
// the line of each member says. If that record is missing, the last one is of another kill.
func (p *Parser) ofGroup() evidence.OOMKill {
	k := p.groupRecord
	if k.Global || !strings.HasPrefix(k.TaskMemcg+"/", strings.TrimSuffix(p.group, "/")+"/") {
		return evidence.OOMKill{Constraint: "CONSTRAINT_MEMCG"}
	}
	return k
}

// victim finds pod and container in the victim's cgroup. A cgroup that the container created itself belongs to it.
func victim(k evidence.OOMKill) evidence.Subject {
	ref, ok := cgroup.ParsePath(k.TaskMemcg)
	if !ok {
		return evidence.Subject{ContainerID: dockers(k.TaskMemcg)}
	}
	return evidence.Subject{PodUID: ref.PodUID, ContainerID: ref.ContainerID}
}

// dockers finds the container in a cgroup that Docker creates if no parent is given: /docker/<id>,
// /system.slice/docker-<id>.scope. Kubelets before 1.6 gave none.
func dockers(memcg string) string {
	parts := strings.Split(memcg, "/")
	name, scope := strings.CutSuffix(parts[len(parts)-1], ".scope")
	if scope {
		name, scope = strings.CutPrefix(name, "docker-")
	}
	if !scope && (len(parts) < 2 || parts[len(parts)-2] != "docker") ||
		!evidence.IsContainerID(name, evidence.WholeID) {
		return ""
	}
	return name
}

func after(s, key string) string {
	_, s, ok := strings.Cut(s, key)
	if !ok {
		return ""
	}
	s, _, _ = strings.Cut(s, ",")
	return s
}

func ident(s string) string { return safetext.Ident(s) }
