package kubeletlog

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/klogline"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/searched"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// Parser reads the lines of one kubelet in order. Apart from single lines, it notices new kubelet processes by the PID
// in the header, and how much the kubelet logs.
type Parser struct {
	// Known is true when the envelope says that the lines are a kubelet's. Otherwise a new PID counts only after a line
	// that no other component writes.
	Known bool

	asm  Assembler
	room Arena
	runs map[int]*run
	run  *run // of the last line
	// proven is true once a run was certainly a kubelet's.
	proven bool
	counts bool // the kubelet's PIDs are those of the journal
	// working are the verbosities of runs that reached their sync loop.
	working []int
	last    time.Time // time of the last line
	claimed bool      // only Docker says that it is the kubelet
	lost    []Lost
}

// Lost is a stretch with missing lines: one process wrote before it and another one after it, whose start was not
// logged. Every kubelet begins by logging its version.
type Lost struct{ From, Until time.Time }

// run is one kubelet process.
type run struct {
	pid      int
	first    time.Time
	began    time.Time // time of its first line, by the line's own clock where that is earlier
	text     string
	announce bool      // a start that was not emitted yet
	before   time.Time // time of the previous process's last line
	by, back time.Time // when another process had started, after which this one wrote again; when it first did
	heir     bool      // and that one logged its start
	proven   bool      // certainly a kubelet
	ran      bool      // wrote lines of a running kubelet, after its start
	told     bool
	toldAt   time.Time // when its version was last logged
	version  string
	level    int
	files    []string // up to unfiltered different source files that wrote lines known to a rule
	calm     searched.Log
	output   output
	working  bool
	crashed  bool // its panic was emitted
	// pressed is the resource for which a pod was last evicted, evicted that pod.
	pressed   string
	pressedAt time.Time
	evicted   evidence.Subject
	hooks     bool // writes "Failed to execute PostStartHook"
	// held are statements that wait for proof that this is a kubelet: every component prints its version and flags.
	held []evidence.Observation
}

// Add reads the next entry. Emitted observations have Time, Subject, Fact and Text; the caller sets node and source.
func (p *Parser) Add(e evidence.Entry, emit func(evidence.Observation)) {
	if !p.asm.open && p.asm.closed.IsZero() && p.asm.broken.IsZero() && !strings.HasSuffix(e.Message, "=<") &&
		!opensRaw(e.Message) {
		p.read(e, emit)
		return
	}
	p.asm.Add(e, func(e evidence.Entry) { p.read(e, emit) })
}

func (p *Parser) read(e evidence.Entry, emit func(evidence.Observation)) {
	p.room.Reset()
	r := p.room.Read(e.Message, Peek(e.Message))
	p.message(&e, &r, emit)
}

// AddRead is Add for an entry whose message was read before.
func (p *Parser) AddRead(e *evidence.Entry, r *Parsed, emit func(evidence.Observation)) {
	if p.asm.open || !p.asm.closed.IsZero() || !p.asm.broken.IsZero() || r.open {
		p.Add(*e, emit)
		return
	}
	p.message(e, r, emit)
}

// Close reads what is still open and emits starts that no line announced.
func (p *Parser) Close(emit func(evidence.Observation)) {
	p.asm.Flush(func(e evidence.Entry) { p.read(e, emit) })
	p.tell(emit)
}

// Boot forgets the PIDs: after a reboot they restart from low numbers.
func (p *Parser) Boot(emit func(evidence.Observation)) {
	p.Close(emit)
	p.count()
	p.runs, p.run = nil, nil
}

// Proven reports whether any of the lines were certainly a kubelet's.
func (p *Parser) Proven() bool { return p.proven }

// Torn reports once that lines were inside of another message, where only a container that wrote into it can have put
// them: what else is missing there is unknown.
func (p *Parser) Torn() bool {
	torn := p.asm.torn
	p.asm.torn = false
	return torn
}

// Lost returns where lines are missing, in order. It is complete after Close.
func (p *Parser) Lost() []Lost { return p.lost }

// Verbosity is the klog level that every working run demonstrably logged at: 0 when one of them wrote no line
// above level 0, or only lines of one source file.
func (p *Parser) Verbosity() int {
	p.count()
	if len(p.working) == 0 {
		return 0
	}
	return slices.Min(p.working)
}

// unfiltered is from how many of the kubelet's source files a log must have lines before silence means anything.
const unfiltered = 3

// count adds the verbosities of the runs that worked to the list.
func (p *Parser) count() {
	for _, r := range p.runs {
		if r.working {
			if len(r.files) < unfiltered || !r.calm.Whole() {
				r.level = 0
			}
			p.working = append(p.working, r.level)
			r.working = false
		}
	}
}

func (p *Parser) message(e *evidence.Entry, r *Parsed, emit func(evidence.Observation)) {
	pid := r.pid
	switch {
	case r.json:
		pid = e.PID // the envelope's, perhaps 0: the line has none
	case pid == 0:
		p.crash(e, emit)
		return
	case p.foreign(pid, e):
		return
	}
	if p.run == nil || p.run.pid != pid {
		p.change(pid, e, r.text, emit)
	}
	if !p.run.ran {
		p.run.ran = r.proves()
	}
	p.beside(e, emit)
	if !p.run.proven && (p.Known || p.run.ran) {
		p.prove(emit)
	}
	p.run.calm.Add(e.Message)
	if r.rule != nil {
		p.statements(r, e, emit)
	}
	if e.Time.After(p.last) {
		p.last = e.Time
	}
}

// foreign reports whether a line was written by the kubelet but came from elsewhere. Up to v1.20 the kubelet prints the
// output of a failed probe unescaped, in as many lines as it has, so a container can write lines with a header; and a
// helper in its unit may print what a pod's author chose. The journal knows the writers: the kubelet's own lines have
// its PID, if both count the same processes.
func (p *Parser) foreign(pid int, e *evidence.Entry) bool {
	p.counts = p.counts || e.PID != 0 && e.PID == pid
	return p.counts && e.PID != 0 && pid != e.PID
}

// evicting is how long after deciding to evict a pod the kubelet may report it: it waits for the pod's end
// (eviction_manager.go evictPod).
const evicting = 5 * time.Minute

// crashes are the beginnings of the Go runtime's last lines. They have no header.
var crashes = []string{"panic: ", "fatal error: ", "SIGABRT: abort"}

// crash reports that a kubelet died of a panic. The envelope must confirm the writer: any log may hold such a line.
func (p *Parser) crash(e *evidence.Entry, emit func(evidence.Observation)) {
	if !p.Known || p.run == nil || p.run.crashed {
		return
	}
	for _, c := range crashes {
		if strings.HasPrefix(e.Message, c) {
			p.run.crashed = true
			emit(evidence.Observation{Time: e.Time, Fact: evidence.KubeletExited{Message: safetext.Clean(e.Message)},
				Text: safetext.Clean(e.Message)})
			return
		}
	}
}

// maxRuns limits the processes that are remembered. A kubelet that restarts every minute takes three days to reach it;
// then its first ones are forgotten.
const maxRuns = 4096

// maxLost limits the stretches that are remembered.
const maxLost = 4096

// maxHeld limits the statements that wait for proof that their writer is a kubelet.
const maxHeld = 64

// statements emits what a line states.
func (p *Parser) statements(by *Parsed, e *evidence.Entry, emit func(evidence.Observation)) {
	r := p.run
	r.see(by)
	for i := range by.said {
		o := &by.said[i]
		if o.Time.IsZero() {
			o.Time, _, _ = klogline.Written(e)
		}
		o.Source.Inside = e.Inside
		r.printed(o, e)
		_, start := o.Fact.(evidence.KubeletStarted)
		if _, oom := o.Fact.(evidence.OOMSeen); !start && (!by.rule.weak || oom) && !r.proven {
			p.prove(emit) // only kubelets write such lines
		}
		switch f := o.Fact.(type) {
		case evidence.KubeletStarted:
			f.PID = r.pid
			o.Fact = f
			if !r.start(f, o.Time) {
				continue
			}
			r.told = r.told || r.proven
		case evidence.HookFailed:
			if strings.HasPrefix(by.msg, "Failed to execute") {
				r.hooks = true
			} else if f.Hook == "PostStart" && r.hooks {
				continue // the line of the hook itself reported it already
			}
		case evidence.EvictionPressure:
			switch {
			case f.State == evidence.EvictionRelieved:
				r.pressed = ""
			// After the line about what it tries to reclaim comes the one about the pods to evict, unless the log was
			// filtered.
			case f.State == evidence.EvictionMustEvict, f.State == evidence.EvictionReclaiming && r.pressed == "":
				r.pressed, r.pressedAt, r.evicted = f.Resource, o.Time, evidence.Subject{}
			}
		case evidence.PodEvicted:
			// The line of the success names the pod, and the one before it the resource. One pod is evicted for each
			// such line (eviction_manager.go synchronize); one that exceeds its own limit is evicted without it
			// (localStorageEviction).
			since, first := o.Time.Sub(r.pressedAt), r.evicted == evidence.Subject{}
			if f.Reason == "Evicted" && f.Message.Empty() && r.pressed != "" && since >= 0 && since < evicting &&
				(first || r.evicted.Namespace == o.Subject.Namespace && r.evicted.Pod == o.Subject.Pod) {
				r.evicted, f.Resource = o.Subject, r.pressed
				o.Fact, o.Time = f, r.pressedAt // it was decided then, and the pod ended before this line
			}
		case evidence.KillStarted:
			if by.msg == "Killing container with a grace period override" && r.version != "" &&
				!strings.HasPrefix(r.version, "v1.21.") {
				continue
			}
		}
		if !r.proven {
			if len(r.held) < maxHeld {
				r.held = append(r.held, *o)
			}
			continue
		}
		emit(*o)
	}
}

// prove marks the current run as a kubelet's, and emits what was held back.
func (p *Parser) prove(emit func(evidence.Observation)) {
	r := p.run
	r.proven, p.proven = true, true
	for _, o := range r.held {
		if _, start := o.Fact.(evidence.KubeletStarted); start {
			r.told = true
		}
		emit(o)
	}
	r.held = nil
}

// change handles a switch to another process.
func (p *Parser) change(pid int, e *evidence.Entry, text string, emit func(evidence.Observation)) {
	p.tell(emit)
	if p.runs == nil {
		p.runs = map[int]*run{}
	}
	r, seen := p.runs[pid]
	if !seen {
		if len(p.runs) >= maxRuns {
			p.count()
			clear(p.runs)
		}
		// The first process of a log may have started long before its first line.
		r = &run{pid: pid, first: e.Time, began: own(e), before: p.last, announce: p.run != nil, working: p.run == nil}
		p.runs[pid] = r
		if text == "" {
			_, text, _ = klogline.ParseHeader(e.Message)
		}
		r.text = strings.Clone(text[:min(len(text), safetext.MaxText)]) // it outlives the line
	}
	if o := p.run; seen && o.proven && r.back.IsZero() {
		if r.by, r.heir = o.toldAt, !o.toldAt.IsZero(); !r.heir {
			r.by = o.began
		}
		if r.began.Before(r.by) && r.toldAt.Before(r.by) {
			r.back = own(e)
		}
	}
	p.run = r
}

// tell emits the start of the current run if only its PID showed it.
func (p *Parser) tell(emit func(evidence.Observation)) {
	r := p.run
	if r == nil || r.told || !r.announce || !r.proven {
		return
	}
	r.told = true
	if r.ran && len(p.lost) < maxLost && r.first.After(r.before) {
		// a run that fails at its flags does not get as far as its version
		p.lost = append(p.lost, Lost{r.before, r.first})
	}
	emit(evidence.Observation{Time: r.first, Fact: evidence.KubeletStarted{PID: r.pid}, Text: safetext.Clean(r.text)})
}

// sameRun is how far apart one process may announce its version twice, in several lines or copies of a line. Much later
// it is another process with the same PID, as happens with kubelets after a boot.
const sameRun = time.Minute

// start reports whether a line that announces a start is new.
func (r *run) start(f evidence.KubeletStarted, at time.Time) bool {
	if f.Version == "" {
		return !r.told
	}
	again := !r.toldAt.IsZero() && at.Sub(r.toldAt) > sameRun
	if f.Version == r.version && r.told && !again {
		return false
	}
	r.version, r.toldAt = f.Version, at
	return true
}

// see updates, from a line, how much the run logs, and how much of that is here.
func (r *run) see(by *Parsed) {
	if len(r.files) < unfiltered && by.file != "" && !slices.Contains(r.files, by.file) {
		r.files = append(r.files, strings.Clone(by.file))
	}
	if level, ok := strings.CutPrefix(by.msg, `FLAG: --v="`); ok {
		if n, err := strconv.Atoi(strings.TrimSuffix(level, `"`)); err == nil {
			r.level = n
		}
	}
	if by.rule.level > r.level {
		r.level = by.rule.level
	}
	if strings.HasPrefix(by.msg, "Starting kubelet main sync loop") {
		r.working = true
	}
}

// kubeletFiles are source files that only the kubelet has. server.go, which prints the version, exists in every
// component.
var kubeletFiles = map[string]bool{
	"kubelet.go": true, "kuberuntime_manager.go": true, "kuberuntime_container.go": true, "kubelet_node_status.go": true,
	"pod_workers.go": true, "prober.go": true, "kuberuntime_sandbox.go": true, "container_manager_linux.go": true,
	"eviction_manager.go": true, "pod_container_deletor.go": true, "kubelet_getters.go": true, "docker_manager.go": true,
	"setters.go": true, "kuberuntime_gc.go": true, "kubelet_pods.go": true,
}
