package foreign

import (
	"bytes"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/part"
	"github.com/restartwhy/kubectl-restartwhy/diag/textlog"
)

var (
	logStart = []byte("==== START logs for container ")
	logEnd   = []byte("==== END logs for container ")
)

// maxMark is more than a mark has: the names in it are limited.
const maxMark = 1 << 10

// dump follows the marks around the logs of containers in the output of kubectl cluster-info dump. Of each there is one
// (kubectl pkg/cmd/clusterinfo clusterinfo_dump.go Run).
//
// A container's log could print the mark of its own end and continue with an object that looks like the dump's own.
// Then the real mark, or one that the log needs to hide it, is one too many: what is behind the first log counts no
// more.
type dump struct {
	at     int64           // of the line's beginning
	tail   []byte          // the end of the line, as much as a mark can have
	log    []byte          // whose log it is, between its marks
	seen   map[string]bool // the containers whose logs began
	keep   [][2]int64      // what is outside of logs; outside of one, the last has no end yet
	forged bool            // there is a mark that kubectl does not print there
}

func (d *dump) add(line []byte, within bool) bool {
	from := d.at
	d.at += int64(len(line))
	if !within {
		d.tail = d.tail[:0]
	}
	d.tail = append(d.tail[max(0, len(d.tail)-maxMark):], line[max(0, len(line)-maxMark):]...)
	if whose, ok := bytes.CutPrefix(line, logStart); ok && !within && d.log == nil {
		d.forged = d.forged || d.seen[string(whose)]
		d.seen[string(whose)], d.log = true, bytes.Clone(whose)
		d.keep[len(d.keep)-1][1] = from
	} else if bytes.Contains(d.tail, logEnd) { // also behind a last line that was not ended
		i := bytes.LastIndex(d.tail, logEnd) // which takes many times as long
		whose, begins := d.tail[i+len(logEnd):], !within && bytes.HasPrefix(line, logEnd)
		if d.log != nil && bytes.Equal(whose, d.log) {
			d.log, d.keep = nil, append(d.keep, [2]int64{d.at})
		} else {
			d.forged = d.forged || d.log == nil && begins || d.seen[string(whose)]
		}
	}
	return true // also behind the first one: a mark may show that it was forged
}

// withoutLogs returns a file without the logs of containers that a dump has between its objects. All readers of
// objects, pieces and words get it like that. It does not search what is long and surely the log of a known program.
func (p *places) withoutLogs(f evidence.File) evidence.File {
	if f.Size > maxExcerpt {
		if format, share := textlog.Share(beginning(f, longHead)); format != textlog.FormatUnknown && share > 0.5 {
			return f
		}
	}
	d := dump{seen: map[string]bool{}, keep: make([][2]int64, 1)}
	if err := part.Lines(f, d.add); err != nil || len(d.seen) == 0 && !d.forged {
		return f // what cannot be read, its own reader reports
	}
	switch {
	case d.forged:
		d.keep = d.keep[:1]
		p.teller(f)("a container's log imitates the marks of the dump: only what is before the first log is read")
	case d.log != nil:
		p.teller(f)("a container's log in the dump has no end: what may be behind it is not read")
	default:
		d.keep[len(d.keep)-1][1] = d.at
	}
	return part.Of(f, f.Path, d.keep...)
}
