package kernel

import (
	"fmt"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/hostlog"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/nodefile"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/searched"
)

// Path is the place of a node's kernel log in a bundle.
func Path(node string) string { return nodefile.Path(node, "kmsg.txt") }

// NewPiece returns the piece of a kernel log: kmsg records or dmesg's text. until is the time up to which the log was
// read. If it is zero, that is unknown, and the log reaches to its last entry.
func NewPiece(node string, f evidence.File, until time.Time) evidence.RawEvidence {
	return &piece{node, f, until}
}

// untimed says how to get a kernel log with times.
const untimed = "dmesg -T, or journalctl -k -o short-precise, shows the times"

// Unrecorded returns the text of the gap for a number of kills without a record.
func Unrecorded(path string, lost int) string {
	return fmt.Sprintf("read %s: the kernel reports %d kills in a cgroup without saying which one", path, lost)
}

type piece struct {
	node  string
	file  evidence.File
	until time.Time
}

func (p *piece) Files() []evidence.File { return []evidence.File{p.file} }

// Observe reads the file into facts.
func (p *piece) Observe(b *evidence.Builder) {
	hint := ""
	gap := func(why string) {
		b.Gap(evidence.Gap{Source: evidence.SourceKernelLog, Node: p.node, Why: why, Hint: hint})
	}
	r, err := p.file.Open()
	if err != nil {
		gap(fmt.Sprintf("open %s: %v", p.file.Path, err))
		return
	}
	defer r.Close()
	reach := evidence.Coverage{Source: evidence.SourceKernelLog, Node: p.node, Counted: true}
	origin := &evidence.Origin{}
	reach.Origin = origin
	sure, seq := false, uint64(0)
	emit := func(o evidence.Observation) {
		o.Subject.Node = p.node
		o.Source = evidence.Source{Kind: evidence.SourceKernelLog, Node: p.node,
			Where: p.file.Path, Origin: origin, Vouched: sure}
		b.Observe(o)
	}
	var parser Parser
	var calm searched.Log
	var storage Storage
	var losses []evidence.Loss
	lose := func(from, until time.Time) {
		losses = append(losses, evidence.Loss{Node: p.node, Source: evidence.SourceKernelLog, From: from, Until: until,
			Counted: reach.Counted})
	}
	lines, lost, dropped := 0, 0, 0
	assumed, err := Read(r, nil, func(e evidence.Entry) {
		lines++
		origin.Boot, sure = ident(e.BootID), e.Writer == evidence.Vouched && e.Unit == ""
		calm.Add(e.Message)
		storage.Add(e, lose)
		// The coverage ends before a line that reports missing lines, and begins again after it.
		hole := func(count *int) {
			if *count++; !reach.From.IsZero() {
				b.Cover(reach)
			}
			reach.From, reach.Until = time.Time{}, time.Time{}
		}
		if e.SeqID != "" {
			if seq != 0 && e.Seq != seq+1 {
				hole(&dropped) // the buffer was overwritten while it was read
			}
			seq = e.Seq
		}
		switch {
		case e.Unit == hostlog.Talos:
			hostlog.Read(e, emit)
		case Dropped(e.Message):
			hole(&dropped)
			return
		case parser.Add(e, emit):
			hole(&lost)
			return
		}
		if !e.Time.IsZero() {
			if reach.From.IsZero() || e.Time.Before(reach.From) {
				reach.From = e.Time
			}
			if e.Time.After(reach.Until) {
				reach.Until = e.Time
			}
		}
	})
	parser.Close(emit)
	storage.Close(time.Time{}, lose)
	for _, l := range losses {
		if assumed.Zone {
			l = l.Anywhere()
		}
		b.Lose(l)
	}
	switch {
	case err != nil:
		gap(fmt.Sprintf("read %s: %v", p.file.Path, strings.TrimPrefix(err.Error(), "read kernel log: ")))
	case lines == 0:
		gap(fmt.Sprintf("read %s: no line of a kernel log in it", p.file.Path))
	case p.until.After(reach.Until) && !reach.From.IsZero():
		reach.Until = p.until
	}
	if lost > 0 {
		gap(Unrecorded(p.file.Path, lost))
	}
	if dropped > 0 {
		gap(fmt.Sprintf("read %s: records are missing in %d places", p.file.Path, dropped))
	}
	if assumed.NoTime {
		hint = untimed
		gap(fmt.Sprintf("read %s: it counts time from a boot whose time is not known", p.file.Path))
		hint = ""
	}
	if assumed.Coarse {
		gap(fmt.Sprintf("read %s: its times are only exact to a minute (dmesg -e, -H), so its lines are read without a time",
			p.file.Path))
	}
	if assumed.Zone {
		gap(fmt.Sprintf("read %s: its times have no zone: UTC assumed", p.file.Path))
	}
	if !reach.From.IsZero() && (calm.Whole() || seq != 0) { // a search would leave out sequence numbers
		b.Cover(reach)
	}
}
