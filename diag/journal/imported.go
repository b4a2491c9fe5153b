package journal

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/journalfile"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
	"github.com/restartwhy/kubectl-restartwhy/diag/statement"
)

// NewFilesPiece returns the piece of journal files from elsewhere, of one machine or several. node is the node that
// they are from, "" if unknown; then, or with several machines, the host names in the entries count. What the files'
// Open returns must be an io.ReaderAt.
func NewFilesPiece(node string, f []evidence.File) evidence.RawEvidence {
	return &imported{node: node, files: f}
}

type imported struct {
	node  string
	files []evidence.File
}

func (p *imported) Files() []evidence.File { return slices.Clone(p.files) }

// Observe parses the files into facts, each machine's separately.
func (p *imported) Observe(b *evidence.Builder) {
	gap := func(why string) {
		b.Gap(evidence.Gap{Source: evidence.SourceKubeletLog, Node: p.node, Why: why})
	}
	var set journalfile.Set
	for _, f := range p.files {
		r, err := f.Open()
		if err == nil {
			defer r.Close()
			if at, ok := r.(io.ReaderAt); ok {
				err = set.Add(f.Path, at, f.Size)
			} else {
				err = errors.New("it cannot be read at random")
			}
		}
		if err != nil {
			gap(fmt.Sprintf("read %s: %v", f.Path, err))
		}
	}
	machines := machinesOf(&set)
	node := p.node
	if len(machines) > 1 {
		node = ""
	}
	for _, m := range machines {
		m.observe(b, cmp.Or(node, m.host), node != "", gap)
	}
}

// machine is the files whose headers name one machine.
type machine struct {
	id    journalfile.ID128
	set   *journalfile.Set
	host  string    // in its newest entry
	until time.Time // the time of that entry
}

func machinesOf(set *journalfile.Set) (out []*machine) {
	known := map[journalfile.ID128]bool{}
	for _, f := range set.Files() {
		id := f.MachineID
		if known[id] || f.Entries == 0 {
			continue
		}
		known[id] = true
		m := &machine{id: id, set: set.Some(func(f *journalfile.File) bool { return f.MachineID == id })}
		m.newest()
		out = append(out, m)
	}
	slices.SortFunc(out, func(a, b *machine) int { return cmp.Compare(a.id.String(), b.id.String()) })
	return out
}

// newest determines up to when the files reach, and the machine's name: early in a boot, a machine has no name yet.
func (m *machine) newest() {
	last := uint64(0)
	for _, f := range m.set.Files() {
		last = max(last, f.TailRealtime)
	}
	at := time.UnixMicro(int64(min(last, 1<<55))).UTC()
	q := journalfile.Query{Since: at, Fields: []string{"_HOSTNAME", "_MACHINE_ID"}}
	for e, err := range m.set.Entries(context.Background(), q) {
		if err == nil && m.owns(e) {
			m.host, m.until = safetext.Ident(string(e.Get("_HOSTNAME"))), e.Time()
		}
	}
}

// owns reports whether an entry is from the machine itself: a collector of other machines' journals writes its own id
// into the headers.
func (m *machine) owns(e *journalfile.Entry) bool {
	id := e.Get("_MACHINE_ID")
	return id == nil || string(id) == m.id.String()
}

// observe routes the entries, each machine's separately. named says that the user gave the node of all entries.
func (m *machine) observe(b *evidence.Builder, node string, named bool, gap func(string)) {
	where := whereOf(m.set)
	own := statement.NewRouter(b, statement.Options{Node: node, Where: where, Until: m.until})
	others := map[string]*statement.Router{}
	var order []string
	var missing tally
	q := journalfile.Query{
		Any:    allTerms(),
		Fields: fields(),
		OnHole: func(h journalfile.Hole) {
			own.Hole()
			for _, r := range others {
				r.Hole()
			}
			missing.add(path.Base(h.File) + ": " + h.Why)
		},
	}
	var d decoder
	for e, err := range m.set.Entries(context.Background(), q) {
		if err != nil {
			break // only a cancelled context ends it
		}
		router := own
		if id := string(e.Get("_MACHINE_ID")); !m.owns(e) && !named {
			if router = others[id]; router == nil {
				router = statement.NewRouter(b, statement.Options{Where: where})
				others[id] = router
				order = append(order, id)
			}
		}
		d.begin()
		d.field([]byte("__REALTIME_TIMESTAMP"), strconv.AppendUint(nil, e.Cursor.Realtime, 10))
		for _, f := range e.Fields {
			d.field(f.Name, f.Value[:min(len(f.Value), maxField)])
		}
		if d.said && d.timed {
			d.boot, d.mono = d.intern([]byte(e.Cursor.Boot.String())), int64(min(e.Cursor.Monotonic, 1<<53-1))
			d.seq, d.seqID = e.Cursor.Seqnum, d.intern([]byte(e.Cursor.SeqnumID.String()))
			router.Add(d.entry())
		}
	}
	missing.tell(where, gap)
	own.Close()
	for _, id := range order {
		others[id].Close()
	}
}

// whereOf names where entries are from: the file itself, or the directory of several.
func whereOf(set *journalfile.Set) string {
	files := set.Files()
	if len(files) == 1 {
		return files[0].Name()
	}
	return fmt.Sprintf("%s (%d journal files)", path.Dir(files[0].Name()), len(files))
}
