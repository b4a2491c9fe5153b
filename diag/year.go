package diag

import (
	"encoding/binary"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/bundle"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/journalfile"
	"github.com/restartwhy/kubectl-restartwhy/diag/textlog"
)

// year is the decision, one for the whole collection, which year to assume for lines without one. Our own bundles know
// when they were made.
type year struct {
	textlog.Year
	at time.Time
	// zones are those that a node's text logs show, by node; nil if they differ.
	zones map[string]*time.Location
}

// yearOf considers all files of all inputs.
func yearOf(all []*bundle.Bundle) year {
	var dated []textlog.Dated
	var y year
	for _, b := range all {
		if b.Manifest.CollectedAt.After(y.at) {
			y.at = b.Manifest.CollectedAt
		}
		if b.Made() {
			dated = append(dated, textlog.Dated{Whole: b.Manifest.CollectedAt})
			continue
		}
		until := b.Now.Add(24 * time.Hour)
		if name := textlog.NameDate(b.Name); name.Whole.Before(until) {
			dated = append(dated, name)
		}
		for _, f := range b.Files {
			d := datesOf(f, until)
			dated = append(dated, d)
			y.zone(nodeOf(f.Path), d.Zone)
		}
	}
	y.Year = textlog.YearOf(dated, y.at)
	return y
}

// zone records the zone that a log of a node shows. Logs with several zones settle nothing: the clock was moved to
// another one, or the node is not one machine.
func (y *year) zone(node string, at *time.Location) {
	if node == "" || at == nil {
		return
	}
	if y.zones == nil {
		y.zones = map[string]*time.Location{}
	}
	_, now := y.at.In(at).Zone()
	if have, ok := y.zones[node]; ok {
		if have == nil {
			return
		}
		if _, before := y.at.In(have).Zone(); before != now {
			at = nil
		}
	}
	y.zones[node] = at
}

// nodeOf is the node of a file's path, "" if it is unknown.
func nodeOf(file string) string {
	rest, ok := strings.CutPrefix(file, "nodes/")
	node, _, below := strings.Cut(rest, "/")
	if !ok || !below {
		return ""
	}
	return known(node)
}

func datesOf(f evidence.File, until time.Time) textlog.Dated {
	if strings.HasPrefix(f.Path, "cluster/") {
		return textlog.ObjectDates(f, until)
	}
	if _, ok := ofJournal(f.Path); ok {
		return textlog.Dated{Whole: journalDate(f)}
	}
	if strings.Contains(f.Path, "/logs/") || strings.Contains(f.Path, "/logquery/") {
		return textlog.Dates(f, until)
	}
	return textlog.Dated{}
}

// journalDate is when the last entry of a journal file was written, by its header.
func journalDate(f evidence.File) time.Time {
	const tail = 192 // tail_entry_realtime
	r, err := f.Open()
	if err != nil {
		return time.Time{}
	}
	defer func() { _ = r.Close() }() // read only
	head := make([]byte, tail+8)
	if _, err := io.ReadFull(r, head); err != nil || string(head[:8]) != journalfile.Magic {
		return time.Time{}
	}
	us := binary.LittleEndian.Uint64(head[tail:])
	if us > 1<<52 {
		return time.Time{}
	}
	return time.UnixMicro(int64(us)).UTC()
}

// of is the time that determines the year for a bundle.
func (y year) of(b *bundle.Bundle) time.Time {
	if b.Made() {
		return b.Manifest.CollectedAt
	}
	return y.Reference
}

// gaps reports the guess, once for all files.
func (y year) gaps() []evidence.Gap {
	if y.Files == 0 || y.Guess == "" {
		return nil
	}
	lines := "the lines of 1 log file have no year"
	if y.Files > 1 {
		lines = fmt.Sprintf("the lines of %d log files have no year", y.Files)
	}
	return []evidence.Gap{{Source: bundle.Source, Minor: true,
		Why: fmt.Sprintf("%s: the last ones are assumed to be from %d; %s", lines, y.Reference.Year(), y.Guess)}}
}
