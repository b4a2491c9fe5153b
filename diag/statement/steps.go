package statement

import (
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// steps detects what the wall clock alone hides: that it was set, and that records are missing.
type steps struct {
	boot string
	// offset is the wall clock minus the clock that counts from the boot, at mono.
	offset, mono time.Duration
	seq          uint64
	seqID        string
}

const (
	// stepLeast is the smallest change between the two clocks that counts as a step: journald reads one right after the
	// other.
	stepLeast = 50 * time.Millisecond
	// slew is how fast a clock may be corrected without a step, in parts per million (adjtimex(2) allows 500).
	slew = 1000
	// backLeast is how far a journal's times may go back without a step: journald dates entries in writing order. Lines
	// of text come from writers that do not wait for each other.
	backLeast, backLeastText = 10 * time.Millisecond, time.Second
)

// step reports whether the machine's wall clock was set between the previous entry, at the time before, and this one.
// It cannot see a step forward in a log without another clock, which leaves no trace.
func (s *steps) step(e *evidence.Entry, before time.Time) (stepped bool) {
	least := backLeastText
	if e.Writer != evidence.Unvouched || e.Mono > 0 {
		least = backLeast
	}
	stepped = e.ClockSet || !before.IsZero() && before.Sub(e.Time) > least
	if e.Mono <= 0 {
		return stepped
	}
	offset := time.Duration(e.Time.UnixNano()) - e.Mono
	if s.mono > 0 && s.boot == e.BootID {
		passed := (e.Mono - s.mono).Abs()
		stepped = stepped || (offset-s.offset).Abs() > stepLeast+passed/1_000_000*slew
	}
	s.boot, s.offset, s.mono = e.BootID, offset, e.Mono
	return stepped
}

// twice removes from the coverage the times that occur twice because the clock was set back to one: which of the two
// another source means is unknown.
func (r *Router) twice(to time.Time) {
	if r.floor = evidence.Later(r.floor, r.last); !to.Before(r.floor) {
		return
	}
	for i := range r.closed {
		if c := &r.closed[i]; c.Until.After(to) {
			c.Until = to
		}
	}
	r.closed = slices.DeleteFunc(r.closed, func(c evidence.Coverage) bool { return c.Until.Before(c.From) })
}

// missing reports whether records of the kernel's buffer are missing before this one.
func (s *steps) missing(e *evidence.Entry) bool {
	if e.SeqID != evidence.KernelBuffer {
		return false
	}
	gap := s.seqID == e.SeqID && e.Seq != s.seq+1
	s.seq, s.seqID = e.Seq, e.SeqID
	return gap
}

// impostor reports whether an entry's writer is not who it claims to be. In a log with fields that confirm writers, an
// entry without them is treated like one that they contradict.
func (r *Router) impostor(p *Prepared) bool {
	w := p.Entry.Writer
	r.vouched = r.vouched || w == evidence.Vouched
	r.sure = w == evidence.Vouched
	if w == evidence.Vouched || w == evidence.Unvouched && !r.vouched {
		return false
	}
	if p.writer != writerOther || hosted(p.Entry.Unit) {
		r.impostors++
	}
	return true
}

// of completes the origin for the following entries.
func (r *Router) of(e *evidence.Entry) {
	if e.Machine != "" && e.Machine != r.origin.Machine {
		if r.origin.Machine != "" { // one log of two machines
			r.Hole()
			r.origin = &evidence.Origin{Stored: r.o.Stored}
		}
		r.origin.Machine = e.Machine
	}
	if r.origin.Boot == "" {
		r.origin.Boot = safetext.Ident(dashed(e.BootID))
	}
}

// dashed formats a boot id as the API and /proc do. The journal leaves the dashes out.
func dashed(id string) string {
	if len(id) != 32 || strings.Contains(id, "-") {
		return id
	}
	return id[:8] + "-" + id[8:12] + "-" + id[12:16] + "-" + id[16:20] + "-" + id[20:]
}
