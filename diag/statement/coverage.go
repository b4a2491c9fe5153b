package statement

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/kernel"
)

// This file keeps which times a log covers, and where it has holes.

// cover extends the coverage of a source to a time.
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

// Hole marks that entries are missing between the last one and the next: the coverage of every source ends at the one
// and restarts at the other.
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

// Cut marks that the log was cut: its coverage ends at its last entry.
func (r *Router) Cut() { r.o.Until = time.Time{} }

// Close emits what is still open and the coverage of each source.
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
	for _, c := range slices.Concat(r.closed, held(r.reach)) {
		r.b.Read(evidence.Span{Source: c.Source, Node: r.o.Node, From: c.From, Until: c.Until})
	}
	if r.o.Vague {
		return
	}
	for _, c := range r.closed {
		r.reaches(c)
	}
	for _, c := range r.reach {
		// The other sources of the same file were read up to the same time.
		for _, t := range []time.Time{r.last, r.o.Until} {
			if t.After(c.Until) {
				c.Until = t
			}
		}
		r.reaches(*c)
	}
}

// held returns the coverages that are still open, by source.
func held(open map[evidence.SourceKind]*evidence.Coverage) (all []evidence.Coverage) {
	for _, kind := range slices.Sorted(maps.Keys(open)) {
		all = append(all, *open[kind])
	}
	return all
}

// reaches claims a coverage.
func (r *Router) reaches(c evidence.Coverage) {
	if c.Source == evidence.SourceKubeletLog {
		if !r.kubelet.Proven() {
			return // some component's log: the absence of kubelet lines in it proves nothing
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
