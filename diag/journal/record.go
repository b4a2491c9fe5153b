package journal

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/pace"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/spool"
	"github.com/restartwhy/kubectl-restartwhy/diag/journalfile"
	"github.com/restartwhy/kubectl-restartwhy/diag/redact"
)

// holeField stands, alone, in an entry of a stored export where entries are
// missing; its value says why. Names that begin with two underscores belong to
// the format: no program can write one into a journal.
const holeField = "__HOLE"

// recorder stores entries with the fields that are read. Secrets in messages stay
// behind: a kubelet may print a whole container, environment included.
type recorder struct {
	buf   *spool.Buffer
	entry []byte
	// message, of a writer, goes to at in the entry: a secret may go over many entries.
	message, pid string
	said         bool
	at           int
	secrets      secrets.Cleaner
	last         time.Time // of the last entry
	d            decoder
	// stored counts entries: whichever way they come, they are steps of ctx.
	stored int
	ctx    context.Context
}

func newRecorder(ctx context.Context, budget int64) *recorder {
	return &recorder{ctx: ctx, buf: spool.New(budget)}
}

// stepEvery is how many entries are a step: few, as a journal may be slow, and not one, as it
// may have millions.
const stepEvery = 16

// begin drops what there is of an entry.
func (r *recorder) begin() {
	r.entry, r.said, r.pid = r.entry[:0], false, ""
	r.d.begin()
}

func (r *recorder) field(name, value []byte) {
	if !wanted(name) {
		return
	}
	switch string(name) {
	case "MESSAGE":
		r.message, r.said, r.at = string(value), true, len(r.entry)
		return
	case "_PID":
		r.pid = string(value)
	case "_SYSTEMD_UNIT", "_TRANSPORT", "CONTAINER_NAME":
		r.d.field(name, value)
	case "_MACHINE_ID":
		value = []byte(redact.Machine(string(value)))
	case "__REALTIME_TIMESTAMP":
		r.d.field(name, value)
	}
	r.entry = journalfile.AppendField(r.entry, name, value)
}

// close stores the entry.
func (r *recorder) close() {
	if r.d.printed() && !r.d.kubelets() { // an application's output is nobody's business
		r.begin()
		return
	}
	if r.said {
		clear := r.message
		if strings.Contains(clear, "\n") { // assembled by its writer
			clear = secrets.Text(clear)
		}
		if r.d.transport == "kernel" { // where any program may write: what it begins hides none of the kernel's lines
			clear = secrets.Text(clear)
		} else {
			clear = r.secrets.Line(r.pid, clear)
		}
		r.entry = slices.Insert(r.entry, r.at, journalfile.AppendField(nil, []byte("MESSAGE"), []byte(clear))...)
	}
	if len(r.entry) > 0 {
		if r.d.timed {
			r.last = time.UnixMicro(r.d.micros).UTC()
		}
		r.buf.Add(append(r.entry, '\n'))
		if r.stored%stepEvery == 0 {
			pace.Step(r.ctx)
		}
		r.stored++
	}
	r.begin()
}

// add stores an entry of a journal file.
func (r *recorder) add(e *journalfile.Entry) {
	r.begin()
	r.field([]byte("__REALTIME_TIMESTAMP"), strconv.AppendUint(nil, e.Cursor.Realtime, 10))
	r.field([]byte("__MONOTONIC_TIMESTAMP"), strconv.AppendUint(nil, e.Cursor.Monotonic, 10))
	r.field([]byte("__SEQNUM"), strconv.AppendUint(nil, e.Cursor.Seqnum, 10))
	r.field([]byte("__SEQNUM_ID"), []byte(e.Cursor.SeqnumID.String()))
	r.field([]byte("_BOOT_ID"), []byte(e.Cursor.Boot.String()))
	for _, f := range e.Fields {
		if string(f.Name) != "_BOOT_ID" { // the entry itself says it
			r.field(f.Name, f.Value[:min(len(f.Value), maxField)])
		}
	}
	r.close()
}

// hole stores that entries are missing.
func (r *recorder) hole(why string) {
	r.buf.Add(append(journalfile.AppendField(nil, []byte(holeField), []byte(secrets.Text(why))), '\n'))
}
