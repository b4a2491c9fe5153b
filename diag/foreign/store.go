package foreign

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/bundle"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/describe"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/klogline"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/markup"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/mention"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/spool"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/textkind"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/unwrap"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
	"github.com/restartwhy/kubectl-restartwhy/diag/textlog"
)

// shapeOf returns how a file arranges records of a log store, or objects without a kind; None for a log that is read as
// it is.
func shapeOf(head []byte) unwrap.Shape {
	format, share := textlog.Share(head)
	if format != textlog.FormatUnknown && share > 0.5 {
		return unwrap.None
	}
	shape := unwrap.Sniff(head)
	if shape == unwrap.Text && format != textlog.FormatUnknown && share > 0.1 {
		return unwrap.None // a log with some lines of another
	}
	return shape
}

// unwrapped is the content of one file.
type unwrapped struct {
	room    *spool.Disk
	shape   unwrap.Shape
	tally   unwrap.Tally
	logs    map[string]*unwrap.Log   // by host
	untimed map[string]*spool.Buffer // lines without a time from the store
	objects objects
	journal *spool.Buffer
	other   int // records of hosts beyond the limit
	// said is the beginning of the records' messages, for its words; nil if there are too many files to be about one pod.
	said *bytes.Buffer
}

// unwrap reads a file in which a log store or a tool wrapped lines into records, or a file of objects without a kind.
// Objects are placed immediately, because they have the nodes' names; logs wait for them.
func (p *places) unwrap(f evidence.File) {
	text := beginning(f, longHead)
	if sectioned(text) {
		p.sections(f)
		return
	}
	shape := shapeOf(text)
	if shape == unwrap.None {
		if kind := printedFor(text); kind != describe.None {
			p.printed(f, kind)
		} else {
			p.empty[f.Path] = textlog.Sniff(text) == textlog.FormatUnknown && json.Valid(text) // other objects
		}
		return
	}
	if (shape == unwrap.Text || shape == unwrap.Lines) && len(p.files) > 1 && !textlog.OfDaemon(f.Path) &&
		unwrap.Anonymous(text) {
		p.disbelieve(f)
		return
	}
	tell := p.teller(f)
	r, err := f.Open()
	if err != nil {
		tell(err.Error())
		p.unwrapped[f.Path] = nil
		return
	}
	defer func() { _ = r.Close() }() // read only
	u := &unwrapped{shape: shape, room: p.room, logs: map[string]*unwrap.Log{}, untimed: map[string]*spool.Buffer{}}
	if len(p.files) <= fewFiles {
		u.said = new(bytes.Buffer)
	}
	u.tally, err = unwrap.Read(r, shape, unwrap.Sink{Record: u.record, Object: u.objects.add, Journal: u.line})
	if !u.tally.Found() && u.tally.OfContainers == 0 {
		// A file that was read completely and says nothing about restarts is useless: a list of Services, a tool's
		// settings. For anything else, its other reader reports what is wrong.
		p.empty[f.Path] = err == nil && shape != unwrap.Text && u.tally.Broken == 0 && !u.tally.Cut
		return
	}
	p.unwrapped[f.Path] = u
	p.used++
	if err != nil {
		tell(err.Error())
	}
	u.say(tell)
	p.objectList(f, u)
}

// objectList places the objects from a file.
func (p *places) objectList(f evidence.File, u *unwrapped) {
	for _, s := range u.objects.states {
		p.names.object(s.raw)
	}
	if list, ok := u.objects.file(f.Path); ok {
		p.put(list, "cluster/"+withExtension(strings.ReplaceAll(f.Path, "/", "_"), ".json"))
	}
}

func (p *places) teller(f evidence.File) func(string) {
	return func(why string) { p.gaps = append(p.gaps, gap("", "read "+f.Path+": "+why, "")) }
}

func (u *unwrapped) record(r unwrap.Record) {
	if u.said != nil && u.said.Len() < mention.MaxText {
		if !r.Time.IsZero() && !textkind.Stamped(r.Message) {
			u.said.WriteString(r.Time.UTC().Format(time.RFC3339) + " ")
		}
		u.said.WriteString(strings.TrimRight(r.Message, "\r\n") + "\n")
	}
	if r.Time.IsZero() && len(u.logs) == 0 {
		if u.untimed[r.Host] == nil {
			if len(u.untimed) >= maxHosts {
				u.other++
				return
			}
			u.untimed[r.Host] = spool.OnDisk(u.room)
		}
		u.untimed[r.Host].Add([]byte(strings.TrimRight(r.Message, "\r\n") + "\n"))
		return
	}
	l := u.logs[r.Host]
	if l == nil {
		if len(u.logs) >= maxHosts {
			u.other++
			return
		}
		l = &unwrap.Log{Disk: u.room}
		u.logs[r.Host] = l
	}
	l.Add(r)
}

// line keeps a record of a real journal.
func (u *unwrapped) line(raw []byte) {
	if u.journal == nil {
		u.journal = spool.OnDisk(u.room)
	}
	u.journal.Add(append(slices.Clip(raw), '\n'))
}

// say reports how much was left out.
func (u *unwrapped) say(tell func(string)) {
	t := &u.tally
	if t.OfContainers > 0 {
		tell(fmt.Sprintf("records that are a container's output: %d; what they say about anything else is not trusted",
			t.OfContainers))
	}
	if t.Strange > 0 {
		tell(fmt.Sprintf("records skipped: %d; they have no message and are not a pod, an event or a node", t.Strange))
	}
	if t.Broken > 0 {
		tell(fmt.Sprintf("places that cannot be read: %d, the first: %s", t.Broken, t.Why))
	}
	if t.Cut {
		tell("it ends in the middle of a record: the rest is missing")
	}
	if u.objects.left > 0 {
		tell(fmt.Sprintf("objects skipped: %d; they are beyond the limit of %d MiB", u.objects.left, maxObjects>>20))
	}
	if u.other > 0 {
		tell(fmt.Sprintf("records skipped: %d; they come from more hosts than can be kept apart", u.other))
	}
}

// logs places the lines from a file.
func (p *places) logs(f evidence.File, u *unwrapped) {
	if u == nil {
		return
	}
	tell, twice := p.teller(f), 0
	for _, host := range slices.Sorted(maps.Keys(u.logs)) {
		out, err := u.logs[host].File(f.Path)
		if err != nil {
			tell(err.Error())
			continue
		}
		twice += u.logs[host].Twice()
		p.text(out, p.nodeFor(out, host, len(u.logs)), f.Path, false)
	}
	if twice > 0 {
		tell(fmt.Sprintf("records that appear twice and count once: %d", twice))
	}
	for _, host := range slices.Sorted(maps.Keys(u.untimed)) {
		out := u.untimed[host].File(f.Path)
		if err := u.untimed[host].Err(); err != nil {
			tell(err.Error())
		}
		p.text(out, p.nodeFor(out, host, len(u.untimed)), textlog.UnwrappedDir+f.Path, false)
	}
	if u.journal != nil {
		p.log(u.journal.File(f.Path), p.node, textlog.Place(f.Path, f.Path, p.names), false, false)
		if err := u.journal.Err(); err != nil {
			tell(err.Error())
		}
	}
}

// nodeFor returns the node of a host's records, in a file with that many hosts.
func (p *places) nodeFor(f evidence.File, host string, hosts int) string {
	node := p.node
	if node == "" && host != "" {
		if _, err := netip.ParseAddr(host); err == nil { // Talos has only addresses
			host = cmp.Or(ownName(f), host)
		}
		node = p.names.of(host)
	}
	if node == "" && hosts == 1 {
		node = p.nameless(f)
	}
	if node == "" || node == "." || node == ".." || strings.ContainsAny(node, "/\\\x00") {
		return bundle.UnknownNode
	}
	return node
}

// outputs marks a file that has records of containers' output: only the reader of records, which leaves them out, may
// read it.
func (p *places) outputs(f evidence.File) evidence.File {
	if f.Size <= maxExcerpt {
		text := beginning(f, maxExcerpt)
		p.output[f.Path] = unwrap.OfContainers(text) && !textkind.Personal(string(text))
	}
	return f
}

// unquote returns a file with the text of its strings if it is JSON with little else. Text from strings proves nothing
// by itself, like the content of a log store.
func (p *places) unquote(f evidence.File) evidence.File {
	if f.Size > maxExcerpt || p.output[f.Path] {
		return f
	}
	inner, ok := markup.Strings(string(beginning(f, maxExcerpt)))
	if !ok {
		return f
	}
	p.quoted[f.Path] = true
	return evidence.Bytes(f.Path, []byte(inner))
}

// wholeLines returns a text that a person pasted, with broken lines joined.
func wholeLines(f evidence.File) evidence.File {
	text := beginning(f, maxExcerpt+1)
	if len(text) > maxExcerpt || bytes.IndexByte(text, 0) >= 0 {
		return f
	}
	if typed := markup.Typed(string(text)); typed != string(text) {
		f, text = evidence.Bytes(f.Path, []byte(typed)), []byte(typed)
	}
	c, shape := contentOf(text), shapeOf(text)
	if c != contentLog && c != contentOther || shape != unwrap.None && shape != unwrap.Text {
		return f
	}
	if whole := klogline.Whole(string(text)); len(whole) < len(text) {
		return evidence.Bytes(f.Path, []byte(whole))
	}
	return f
}

// colourless returns a file without the colours of a terminal, if it has any.
func colourless(f evidence.File) evidence.File {
	if head := beginning(f, longHead); !bytes.Contains(head, []byte("\x1b[")) || bytes.IndexByte(head, 0) >= 0 {
		return f
	}
	out := f
	out.Open = func() (io.ReadCloser, error) {
		r, err := f.Open()
		if err != nil {
			return nil, err
		}
		return safetext.UncolouredReader(r), nil
	}
	return out
}
