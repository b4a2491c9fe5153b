package statement

import (
	"fmt"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/controllerlog"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/kernel"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/klogline"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/runtimelog"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/searched"
	"github.com/restartwhy/kubectl-restartwhy/diag/kubeletlog"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// Options describe what the entries of one file have in common.
type Options struct {
	// Node is the node that the file is from. If empty, the host name of the entries is used.
	Node string
	// Where is the file's path in the bundle.
	Where string
	// Until is up to when the log was read: until then nothing is missing at its end. Zero when unknown; then the last
	// entry counts.
	Until time.Time
	// Vague: the zone of the times is a guess. The log is read, but no coverage is claimed: silence at an unknown time
	// proves nothing.
	Vague bool
	// Stored: see evidence.Origin.
	Stored bool
}

// Router takes the entries of one log in order and emits observations.
type Router struct {
	b       Sink
	o       Options
	kubelet kubeletlog.Parser
	runtime runtimelog.Parser
	kernel  kernel.Parser
	control controllerlog.Parser
	storage kernel.Storage
	calm    searched.Log // the kernel's
	boot    string
	booted  map[string]bool
	// origin is the current boot.
	origin *evidence.Origin
	steps  steps
	// vouched: a field that no container can write named the writer of an entry: from now on all entries need one.
	// impostors counts those without.
	vouched   bool
	impostors int
	reach     map[evidence.SourceKind]*evidence.Coverage
	// kubeletReach is the kubelet's part of reach, cached because every line of the kubelet needs it.
	kubeletReach *evidence.Coverage
	closed       []evidence.Coverage // ended at a hole
	last         time.Time
	lost         int       // kills whose cgroup the kernel did not name
	before       time.Time // of the previous entry
	next         Prepared  // for Add: a field saves an allocation
	// The parsers' outputs.
	fromKubelet, fromRuntime, fromKernel, fromControl func(evidence.Observation)

	sure   bool      // the current entry's writer is confirmed
	sets   int       // steps of the clock
	floor  time.Time // times before it occurred twice
	dated  bool      // the current entry is dated by its writer, not by the log
	headed bool      // lines of the kubelet have headers
	back   bool      // the current entry's time went back
	jumps  int       // times the clock went back
	jumped string    // the first of these jumps
}

// NewRouter returns a router that observes into b.
func NewRouter(b Sink, o Options) *Router {
	r := &Router{b: b, o: o, booted: map[string]bool{}, reach: map[evidence.SourceKind]*evidence.Coverage{},
		origin: &evidence.Origin{Stored: o.Stored}}
	r.fromKubelet, r.fromRuntime = r.observe(evidence.SourceKubeletLog), r.observe(evidence.SourceRuntimeLog)
	r.fromKernel = r.observe(evidence.SourceKernelLog)
	r.fromControl = r.ofController
	return r
}

// ofController completes a controller's line: its node is not the pod's, and its origin distinguishes it from the API's
// data.
func (r *Router) ofController(o evidence.Observation) {
	o.Source = evidence.Source{Kind: evidence.SourceAPI, Where: r.o.Where, Origin: r.origin, Dated: r.dated}
	r.b.Observe(o)
}

// Add takes the next entry.
func (r *Router) Add(e evidence.Entry) {
	e.Unit, e.Message = Inner(e.Unit, e.Message)
	r.next = Prepared{Entry: e, writer: writerFor(&e)}
	r.AddPrepared(&r.next)
}

// AddPrepared is Add for an entry that was prepared before.
func (r *Router) AddPrepared(p *Prepared) {
	e := &p.Entry
	if r.o.Node == "" {
		r.o.Node = strings.ToLower(safetext.Ident(e.Host)) // as the kubelet does with its hostname
	}
	if r.impostor(p) {
		if logger(e.Unit) {
			r.suppressed(*e) // anyone may report lost lines
		}
		return
	}
	r.clock(e)
	if e.Rebooted || e.BootID != "" && e.BootID != r.boot {
		r.reboot(*e)
	}
	r.of(e)
	if r.dated = !e.Sent.IsZero(); r.dated {
		e.Time = e.Sent
	}
	if e.Continues {
		return // a later part of a message, which may contain anything
	}
	switch p.writer {
	case writerMaybe:
		// Where a kubelet logs under its own name, lines under another name are not a kubelet's.
		if r.kubelet.Known {
			return
		}
		r.sure = false
		r.ofKubelet(p)
	case writerKubelet:
		r.kubelet.Known = r.kubelet.Known || e.Unit != ""
		r.ofKubelet(p)
	case writerRuntime:
		at, dated := runtimelog.Written(e)
		r.dated = r.dated || dated
		r.cover(evidence.SourceRuntimeLog, at)
		r.runtime.Add(*e, r.fromRuntime)
	case writerKernel:
		r.ofKernel(e)
	case writerSystemd:
		r.ofSystemd(e)
	case writerOther:
		r.suppressed(*e)
		r.host(*e)
	}
}

// ofKubelet takes a line of a kubelet, or of what may be one: a controller logs in the same form, even in one process
// with the kubelet (k3s, MicroK8s).
func (r *Router) ofKubelet(p *Prepared) {
	e := &p.Entry
	r.control.Add(e, r.fromControl)
	at, headed, dated := klogline.Written(e)
	r.dated = r.dated || dated
	if headed || !r.headed { // a continuation line was written with its header line
		r.headed = headed
		r.cover(evidence.SourceKubeletLog, at)
	}
	if p.read {
		r.kubelet.AddRead(e, &p.reading, r.fromKubelet)
	} else {
		r.kubelet.Add(*e, r.fromKubelet)
	}
	if r.kubelet.Torn() {
		r.hole(evidence.SourceKubeletLog)
	}
}

func (r *Router) ofKernel(e *evidence.Entry) {
	e.BootID = dashed(e.BootID)
	if r.ofJournald(e) {
		return
	}
	r.calm.Add(e.Message)
	r.storage.Add(*e, r.lose)
	switch dropped := kernel.Dropped(e.Message); {
	case dropped:
		r.hole(evidence.SourceKernelLog)
		r.gap(evidence.SourceKernelLog, "read "+r.o.Where+": the kernel dropped messages at "+
			e.Time.UTC().Format(time.RFC3339))
	case r.kernel.Add(*e, r.fromKernel):
		r.lost++
		r.hole(evidence.SourceKernelLog)
	default:
		r.cover(evidence.SourceKernelLog, e.Time)
	}
}

func (r *Router) ofSystemd(e *evidence.Entry) {
	if logger(e.About) || strings.HasPrefix(e.Message, journald+".service") ||
		strings.Contains(e.Message, journalService) {
		r.Hole() // whatever the result
		return
	}
	if id, ok := scopeKilled(e.About, e.Message); ok {
		r.observe(evidence.SourceSystemd)(evidence.Observation{Time: e.Time, Subject: evidence.Subject{ContainerID: id},
			Fact: evidence.TaskOOM{}, Text: safetext.Clean(e.Message)})
		return
	}
	if f, s, ok := signalled(e.About, e.Message); ok {
		r.observe(evidence.SourceSystemd)(evidence.Observation{Time: e.Time, Subject: s, Fact: f,
			Text: safetext.Clean(e.Message)})
	}
	var subject evidence.Subject
	change, ok := unitChange(e.About, e.Message)
	if !ok {
		change, subject, ok = stopOfGroup(e.About, e.Message)
	}
	if !ok {
		return
	}
	if ours(change.Unit) {
		r.cover(evidence.SourceSystemd, e.Time)
	}
	r.observe(evidence.SourceSystemd)(evidence.Observation{Time: e.Time, Subject: subject, Fact: change,
		Text: safetext.Clean(e.Message)})
}

// maxSets is how many clock steps are reported for one log: a text file may have its lines in no order at all.
const maxSets = 1000

// backwards is how far a time may lie before that of the previous line: writers do not wait for each other.
const backwards = 2 * time.Minute

// clock handles an entry's time. If the clock goes back, or files were joined in the wrong order, the coverage of every
// source ends and restarts: what seems silent may have been logged under another time.
func (r *Router) clock(e *evidence.Entry) {
	if r.steps.missing(e) {
		r.hole(evidence.SourceKernelLog)
		r.gap(evidence.SourceKernelLog, "read "+r.o.Where+": records of the kernel's buffer are missing before "+
			e.Time.UTC().Format(time.RFC3339))
	}
	at := e.Time
	if at.IsZero() {
		return
	}
	if r.steps.step(e, r.before) {
		r.Hole()
		set, text := evidence.ClockSet{From: r.before, Disorder: e.Mono == 0 && !e.ClockSet}, "the clock was set"
		if set.Disorder {
			text = "the times of the lines go back"
		} else {
			r.twice(at)
		}
		if r.sets++; r.sets <= maxSets {
			r.observe(evidence.SourceSystemd)(evidence.Observation{Time: at, Fact: set, Text: safetext.Clean(text)})
		}
	}
	back := r.before.Sub(at)
	r.back = back > backwards && !r.before.IsZero()
	if r.back {
		if r.jumps++; r.jumps == 1 {
			r.jumped = fmt.Sprintf("by %s to %s", back.Round(time.Second), at.UTC().Format(time.RFC3339))
		}
		r.Hole()
		r.last = at
		if r.boot == "" && r.origin.Machine == "" { // nothing tells that what follows is the same machine's log
			r.kubelet.Boot(r.fromKubelet)
			r.origin = &evidence.Origin{Stored: r.o.Stored}
		}
	}
	r.before = at
	if at.After(r.last) {
		r.last = at
	}
}

// recognise guesses the writer of a line without a unit.
func recognise(msg string) Writer {
	switch {
	case runtimelog.Logged(msg):
		return writerRuntime
	case msg == "":
		return writerOther
	}
	// A klog block continues without headers: its lines belong to the parser with the open block, which ignores other
	// lines.
	return writerKubelet
}
