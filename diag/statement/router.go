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

// Options say what the entries of one file have in common.
type Options struct {
	// Node is the node that the file is from. If empty, the host name of the
	// entries stands for it.
	Node string
	// Where is the file's path in the bundle.
	Where string
	// Until is up to when the log was read: nothing that was written before then
	// is missing at its end. Zero when that is not known; then the last entry
	// counts.
	Until time.Time
	// Vague: the times' zone is a guess. What the log says is read, but no
	// coverage is claimed: silence at a time that is not known proves nothing.
	Vague bool
	// Stored: see evidence.Origin.
	Stored bool
	// Unit is who wrote entries that do not tell ("kubelet", "containerd"), ""
	// when each must be recognised by its content.
	Unit string
}

// Router takes the entries of one log in order and observes what they say.
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
	// origin is the boot that is read now.
	origin *evidence.Origin
	steps  steps
	// vouched: a field that no container can write named the writer of an entry: from now
	// on that is asked of all. impostors are those who failed.
	vouched   bool
	impostors int
	reach     map[evidence.SourceKind]*evidence.Coverage
	// kubeletReach is the kubelet's part of it, which every line of it asks for.
	kubeletReach *evidence.Coverage
	closed       []evidence.Coverage // that ended at a hole
	last         time.Time
	lost         int       // kills whose cgroup the kernel did not tell
	before       time.Time // of the entry before
	next         Prepared  // of Add: kept here, it costs no memory of its own
	// What the parsers say goes here.
	fromKubelet, fromRuntime, fromKernel, fromControl func(evidence.Observation)

	sure   bool      // the present entry's writer is vouched for
	sets   int       // of the clock
	floor  time.Time // moments before it came twice
	dated  bool      // the entry in hand: its writer, not the log, says when
	headed bool      // lines of the kubelet have headers
	back   bool      // the present entry's time went back
	jumps  int       // of the clock, back in time
	jumped string    // the first of them
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

// ofController completes a controller's line: its node is not the pod's, and its origin tells it from the API's word.
func (r *Router) ofController(o evidence.Observation) {
	o.Source = evidence.Source{Kind: evidence.SourceAPI, Where: r.o.Where, Origin: r.origin, Dated: r.dated}
	r.b.Observe(o)
}

// Add takes the next entry.
func (r *Router) Add(e evidence.Entry) {
	e.Unit, e.Message, _ = Inner(e.Unit, e.Message)
	r.next = Prepared{Entry: e, writer: writerFor(&e, r.o.Unit)}
	r.AddPrepared(&r.next)
}

// AddPrepared is Add for an entry that was prepared before.
func (r *Router) AddPrepared(p *Prepared) {
	e := &p.Entry
	if r.o.Node == "" {
		r.o.Node = strings.ToLower(safetext.Ident(e.Host)) // as the kubelet does with its host's name
	}
	if r.impostor(p) {
		if logger(e.Unit) {
			r.suppressed(*e) // that lines were lost, anyone may say
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
		return // a later part of a message, which may look like anything
	}
	switch p.writer {
	case writerMaybe:
		// Where a kubelet writes under its own name, another name's lines are someone's words.
		if r.kubelet.Known {
			return
		}
		r.sure = false
		r.ofKubelet(p)
	case writerKubelet:
		r.kubelet.Known = r.kubelet.Known || e.Unit != "" || r.o.Unit != ""
		r.ofKubelet(p)
	case writerRuntime:
		r.cover(evidence.SourceRuntimeLog, runtimelog.Written(e))
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

// ofKubelet takes a line of a kubelet, or of what may be one: a controller writes in the same form, and in one process
// with the kubelet too (k3s, MicroK8s).
func (r *Router) ofKubelet(p *Prepared) {
	e := &p.Entry
	r.control.Add(e, r.fromControl)
	if at, headed := klogline.Written(e); headed || !r.headed { // what goes on was written with what has the header
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
		r.Hole() // whatever became of it
		return
	}
	if id, ok := scopeKilled(e.About, e.Message); ok {
		r.observe(evidence.SourceSystemd)(evidence.Observation{Time: e.Time, Subject: evidence.Subject{ContainerID: id},
			Fact: evidence.TaskOOM{}, Text: safetext.Clean(e.Message)})
		return
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

// maxSets is how many steps of a clock are told of one log: a text file may have its lines in no order at all.
const maxSets = 1000

// backwards is how far a time may lie before the one of the line above: writers
// do not wait for each other.
const backwards = 2 * time.Minute

// clock takes note of an entry's time. Where the clock goes back, or files were
// joined in the wrong order, the reach of every source ends and starts again:
// what seems to be silence may have been told under another time.
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
	}
	r.before = at
	if at.After(r.last) {
		r.last = at
	}
}

// recognise tells who wrote a line that comes without a unit.
func recognise(msg string) Writer {
	switch {
	case runtimelog.Logged(msg):
		return writerRuntime
	case msg == "":
		return writerOther
	}
	// A klog block goes on without a header: its lines belong to the parser that
	// has the block open, which ignores what is not its own.
	return writerKubelet
}

// cover stretches the reach of a source to a time.
func (r *Router) cover(kind evidence.SourceKind, at time.Time) {
	if at.IsZero() {
		return
	}
	c := r.kubeletReach
	if c == nil || kind != evidence.SourceKubeletLog {
		if c = r.reach[kind]; c == nil {
			c = &evidence.Coverage{Source: kind, From: evidence.Later(at, r.floor), Origin: r.origin}
			c.Until = c.From
			r.reach[kind] = c
		}
		if kind == evidence.SourceKubeletLog {
			r.kubeletReach = c
		}
	}
	if at.Before(c.From) && !at.Before(r.floor) {
		c.From = at
	}
	if at.After(c.Until) {
		c.Until = at
	}
}

// Hole tells that entries are missing between the last one and the next: the
// reach of every source ends with the one, and starts again with the other.
func (r *Router) Hole() {
	for kind := range r.reach {
		r.hole(kind)
	}
}

func (r *Router) hole(kind evidence.SourceKind) {
	if c := r.reach[kind]; c != nil {
		r.closed = append(r.closed, *c)
		delete(r.reach, kind)
		r.kubeletReach = r.reach[evidence.SourceKubeletLog]
	}
}

func (r *Router) gap(kind evidence.SourceKind, why string) {
	r.b.Gap(evidence.Gap{Source: kind, Node: r.o.Node, Why: why})
}

// Cut tells that the log was cut: it reaches no further than its last entry.
func (r *Router) Cut() { r.o.Until = time.Time{} }

// Close observes what is still open and tells how far each source reached.
func (r *Router) Close() {
	r.kubelet.Close(r.fromKubelet)
	r.kernel.Close(r.fromKernel)
	r.storage.Close(time.Time{}, r.lose)
	if r.impostors > 0 {
		r.gap(evidence.SourceKubeletLog,
			fmt.Sprintf("read %s: %d entries claim to be from the kubelet, the runtime, the kernel or a daemon of the node, "+
				"but journald's trusted fields say otherwise: they are left out",
				r.o.Where, r.impostors))
	}
	if r.jumps > 0 {
		r.gap(evidence.SourceKubeletLog, fmt.Sprintf("read %s: its clock goes back %d times, the first time %s",
			r.o.Where, r.jumps, r.jumped))
	}
	if lost := r.kubelet.Lost(); len(lost) > 0 {
		r.gap(evidence.SourceKubeletLog,
			fmt.Sprintf("read %s: lines are missing %d times, first between %s and %s: after that another kubelet process "+
				"writes, and its start is not in the log", r.o.Where, len(lost),
				lost[0].From.UTC().Format(time.RFC3339), lost[0].Until.UTC().Format(time.RFC3339)))
	}
	if r.lost > 0 {
		r.gap(evidence.SourceKernelLog, kernel.Unrecorded(r.o.Where, r.lost))
	}
	if r.o.Vague {
		return
	}
	for _, c := range r.closed {
		r.reaches(c)
	}
	for _, c := range r.reach {
		// The other sources of the same file were read up to the same moment.
		for _, t := range []time.Time{r.last, r.o.Until} {
			if t.After(c.Until) {
				c.Until = t
			}
		}
		r.reaches(*c)
	}
}

// reaches claims a coverage.
func (r *Router) reaches(c evidence.Coverage) {
	if c.Source == evidence.SourceKubeletLog {
		if !r.kubelet.Proven() {
			return // some component's log: that a kubelet says nothing in it proves nothing
		}
		c.Verbosity = r.kubelet.Verbosity()
		for _, lost := range r.kubelet.Lost() {
			if lost.From.Before(c.From) || lost.Until.After(c.Until) {
				continue
			}
			before := c
			before.Node, before.Until = r.o.Node, lost.From
			r.b.Cover(before)
			c.From = lost.Until
		}
	}
	if c.Source == evidence.SourceKernelLog && !r.calm.Whole() {
		return
	}
	if c.Source == evidence.SourceRuntimeLog {
		c.Verbosity = r.runtime.Tells()
	}
	c.Node = r.o.Node
	r.b.Cover(c)
}
