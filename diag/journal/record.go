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

// holeField is the only field of an entry in a stored export where entries are missing; its value says why. Names with
// two leading underscores are reserved by the format: no program can write one into a journal.
const holeField = "__HOLE"

// recorder stores entries with only the fields that are used, and removes secrets from messages: a kubelet may print a
// whole container, environment included.
type recorder struct {
	buf   *spool.Buffer
	entry []byte
	// message, of process pid, goes into entry at the offset at once secrets, which may span entries, are removed.
	message, pid string
	said         bool
	at           int
	secrets      secrets.Cleaner
	last         time.Time // time of the last entry
	d            decoder
	// stored counts entries: however they are read, they count as progress of ctx.
	stored int
	ctx    context.Context
}

func newRecorder(ctx context.Context, budget int64) *recorder {
	return &recorder{ctx: ctx, buf: spool.New(budget)}
}

// stepEvery is how many entries make one step of progress: few, because a journal may be slow, but not one, because it
// may have millions.
const stepEvery = 16

// begin discards an unfinished entry.
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
	if r.d.printed() && !r.d.kubelets() { // an application's output is private
		r.begin()
		return
	}
	if r.said {
		clear := r.message
		if strings.Contains(clear, "\n") { // a message that its writer sent whole
			clear = secrets.Text(clear)
		}
		if r.d.transport == "kernel" { // a secret begun by any program must not hide the kernel's lines
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
		if string(f.Name) != "_BOOT_ID" { // the entry's own field has it
			r.field(f.Name, f.Value[:min(len(f.Value), maxField)])
		}
	}
	r.close()
}

// hole stores a mark that entries are missing.
func (r *recorder) hole(why string) {
	r.buf.Add(append(journalfile.AppendField(nil, []byte(holeField), []byte(secrets.Text(why))), '\n'))
}
