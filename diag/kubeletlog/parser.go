package kubeletlog

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// Parse reads one message (blocks joined) into its header and statements. The
// observations have a Subject, a Fact and a Text, but neither time nor source:
// the envelope knows those. Most lines have no statement.
func Parse(message string) (Header, []evidence.Observation) {
	l, interesting := split(message)
	if !interesting {
		return l.header, nil
	}
	return l.header, l.observe()
}

// observe applies the rule that knows the line.
func (l *line) observe() []evidence.Observation {
	r := l.rule()
	if r == nil {
		return nil
	}
	var out []evidence.Observation
	r.read(l, func(sub evidence.Subject, f evidence.Fact) {
		out = append(out, evidence.Observation{Subject: sub, Fact: f, Text: safetext.Clean(l.text)})
	})
	// The first sync loop line after a start lists every pod of the node: quoting
	// it whole for each of them would cost the square of their number.
	if len(out) > 1 {
		for i := range out {
			if c, is := out[i].Fact.(evidence.PodConfig); is {
				out[i].Text = safetext.Clean(fmt.Sprintf("SyncLoop %s, %q: %s/%s (%d of %d)", c.Op, c.Origin, out[i].Subject.Namespace, out[i].Subject.Pod, i+1, len(out)))
			}
		}
	}
	return out
}

func (l *line) rule() *rule {
	if l.structured {
		if r, ok := structured[l.msg]; ok {
			return &r
		}
		return nil
	}
	return classicFind(l.msg)
}

// Parser reads the lines of one kubelet in order. Beyond what single lines say
// it notices new kubelet processes by the PID in the header, and how much the
// kubelet logs.
type Parser struct {
	// Known is true when the envelope says that the lines are a kubelet's. Where
	// nothing says so, a new PID counts only after a line that no other component
	// writes.
	Known bool

	asm  Assembler
	runs map[int]*run
	run  *run // of the last line
	// proven is true once a run was certainly a kubelet's.
	proven bool
	// working are the verbosities of runs that reached their sync loop.
	working []int
}

// run is one kubelet process.
type run struct {
	pid      int
	first    time.Time
	text     string
	announce bool // a start that is not told yet
	proven   bool // certainly a kubelet
	told     bool
	version  string
	level    int
	working  bool
	hooks    bool // writes "Failed to execute PostStartHook"
	// held is a version line that waits for the proof: every component prints one.
	held []evidence.Observation
}

// Add reads the next entry. Emitted observations have Time, Subject, Fact and
// Text; node and source are the caller's business.
func (p *Parser) Add(e evidence.Entry, emit func(evidence.Observation)) {
	if !p.asm.open && !strings.HasSuffix(e.Message, "=<") {
		p.message(e, emit)
		return
	}
	p.asm.Add(e, func(e evidence.Entry) { p.message(e, emit) })
}

// Close reads what is still open and tells starts that no line announced.
func (p *Parser) Close(emit func(evidence.Observation)) {
	p.asm.Flush(func(e evidence.Entry) { p.message(e, emit) })
	p.tell(emit)
}

// Boot forgets the PIDs: after a reboot they start again from low numbers.
func (p *Parser) Boot(emit func(evidence.Observation)) {
	p.Close(emit)
	p.count()
	p.runs, p.run = nil, nil
}

// Proven tells whether any of the lines were certainly a kubelet's.
func (p *Parser) Proven() bool { return p.proven }

// Verbosity is the klog level that every working run demonstrably logged at: 0
// when one of them wrote no line above level 0.
func (p *Parser) Verbosity() int {
	p.count()
	if len(p.working) == 0 {
		return 0
	}
	return slices.Min(p.working)
}

// count moves the verbosities of the runs that worked to the list.
func (p *Parser) count() {
	for _, r := range p.runs {
		if r.working {
			p.working = append(p.working, r.level)
			r.working = false
		}
	}
}

func (p *Parser) message(e evidence.Entry, emit func(evidence.Observation)) {
	l, interesting := split(e.Message)
	pid := l.header.PID
	switch {
	case l.json:
		pid = e.PID // the envelope's, perhaps 0: the line has none
	case pid == 0:
		return
	}
	if p.run == nil || p.run.pid != pid {
		p.change(pid, e, l.text, emit)
	}
	r := p.run
	if !r.proven && (p.Known || kubeletFiles[l.header.File] || l.msg == "Kubelet version" || strings.HasPrefix(l.msg, "Started kubelet")) {
		p.prove(emit)
	}
	if interesting {
		p.statements(l, e, emit)
	}
}

// statements tells what a line says. It is a function of its own because the
// line escapes here: the others must not cost an allocation.
func (p *Parser) statements(l line, e evidence.Entry, emit func(evidence.Observation)) {
	r := p.run
	rule := l.rule()
	r.see(&l, rule)
	for _, o := range l.observe() {
		o.Time = e.Time
		if _, start := o.Fact.(evidence.KubeletStarted); !start && !r.proven {
			p.prove(emit) // only kubelets say such things
		}
		switch f := o.Fact.(type) {
		case evidence.KubeletStarted:
			f.PID = r.pid
			o.Fact = f
			if !r.start(f) {
				continue
			}
			if !r.proven {
				r.held = []evidence.Observation{o}
				continue
			}
			r.told = true
		case evidence.HookFailed:
			if strings.HasPrefix(l.msg, "Failed to execute") {
				r.hooks = true
			} else if f.Hook == "PostStart" && r.hooks {
				continue // told already, by the line of the hook itself
			}
		case evidence.KillStarted:
			if l.msg == "Killing container with a grace period override" && r.version != "" && !strings.HasPrefix(r.version, "v1.21.") {
				continue
			}
		}
		emit(o)
	}
}

// prove notes that the present run is a kubelet's, and tells what waited for it.
func (p *Parser) prove(emit func(evidence.Observation)) {
	r := p.run
	r.proven, p.proven = true, true
	for _, o := range r.held {
		r.told = true
		emit(o)
	}
	r.held = nil
}

// change notes that another process writes now.
func (p *Parser) change(pid int, e evidence.Entry, text string, emit func(evidence.Observation)) {
	p.tell(emit)
	if p.runs == nil {
		p.runs = map[int]*run{}
	}
	r, seen := p.runs[pid]
	if !seen {
		// The first process of a log may have started long before its first line.
		r = &run{pid: pid, first: e.Time, text: text, announce: p.run != nil, working: p.run == nil}
		p.runs[pid] = r
		if text == "" {
			_, r.text, _ = ParseHeader(e.Message)
		}
	}
	p.run = r
}

// tell emits the start of the present run if only its PID showed it.
func (p *Parser) tell(emit func(evidence.Observation)) {
	r := p.run
	if r == nil || r.told || !r.announce || !r.proven {
		return
	}
	r.told = true
	emit(evidence.Observation{Time: r.first, Fact: evidence.KubeletStarted{PID: r.pid}, Text: safetext.Clean(r.text)})
}

// start tells whether a line that announces a start is news.
func (r *run) start(f evidence.KubeletStarted) bool {
	if f.Version == "" || f.Version == r.version {
		return !r.told
	}
	r.version = f.Version
	return true
}

// see learns the verbosity from a line.
func (r *run) see(l *line, by *rule) {
	if level, ok := strings.CutPrefix(l.msg, `FLAG: --v="`); ok {
		if n, err := strconv.Atoi(strings.TrimSuffix(level, `"`)); err == nil {
			r.level = n
		}
	}
	if by != nil && by.level > r.level {
		r.level = by.level
	}
	if strings.HasPrefix(l.msg, "Starting kubelet main sync loop") {
		r.working = true
	}
}

// kubeletFiles are source files that only the kubelet has. server.go, which
// prints the version, is everybody's.
var kubeletFiles = map[string]bool{
	"kubelet.go": true, "kuberuntime_manager.go": true, "kuberuntime_container.go": true, "kubelet_node_status.go": true,
	"pod_workers.go": true, "prober.go": true, "kuberuntime_sandbox.go": true, "container_manager_linux.go": true,
	"eviction_manager.go": true, "pod_container_deletor.go": true, "kubelet_getters.go": true, "docker_manager.go": true,
	"setters.go": true, "kuberuntime_gc.go": true, "kubelet_pods.go": true,
}
