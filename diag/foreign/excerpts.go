package foreign

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/cri"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/describe"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/excerpt"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/hostprint"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/spool"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/unwrap"
	"github.com/restartwhy/kubectl-restartwhy/diag/textlog"
)

// maxExcerpt is the maximum length of pasted text.
const maxExcerpt = 4 << 20

// excerpts splits the files into which several outputs, or pieces of one, were pasted. It returns the other files, and
// the whole outputs in such a file.
func (p *places) excerpts(rest []evidence.File) (files []evidence.File) {
	about, tables := p.about(), ""
	for _, f := range rest[:min(len(rest), fewFiles)] {
		tables += string(beginning(f, maxTerminal)) + "\n"
	}
	around := describe.Place{Pod: cmp.Or(about.Pod, describe.Unwell(tables)), Namespace: about.Namespace,
		Container: about.Container}
	for _, f := range rest {
		text, ok := pasted(f)
		read := excerpt.Read
		if p.quoted[f.Path] {
			text, ok, read = string(beginning(f, maxExcerpt)), true, excerpt.ReadQuoted
		}
		if !ok || p.output[f.Path] {
			files = append(files, f)
			continue
		}
		found, ok := read(text, f.Path, around, cmp.Or(f.Changed, p.at))
		if !ok || !p.quoted[f.Path] && len(p.files) > 1 && !mostly(found, text) {
			files = append(files, f)
			continue
		}
		files = append(files, p.parts(f, found)...)
	}
	return files
}

const maxTerminal = 256 << 10 // the maximum length of a terminal's text

// shown finds when a person's texts were printed, from the clocks in tools' output, or from what pods and their events
// say about one moment. If they do not all agree, it is the times of their files.
func (p *places) shown(files []evidence.File) {
	var at time.Time
	for _, f := range files {
		if len(files) > fewFiles || f.Size > maxTerminal {
			continue
		}
		text, _ := pasted(f) // "" where it is none
		t, ok := hostprint.Clock(text, p.at)
		if !ok {
			t, ok = describe.Clock(text)
			ok = ok && p.at.Sub(t) > describe.Saved
		}
		if !ok {
			t, ok = clock(text, p.at)
		}
		switch {
		case ok && !at.IsZero() && at.Sub(t).Abs() > time.Hour:
			return
		case ok && t.After(at):
			at = t
		}
	}
	for i := 0; i < len(files) && !at.IsZero(); i++ {
		files[i].Changed = at
	}
	p.at = cmp.Or(at, p.at)
}

// fewFiles is the maximum number of files that may be about one pod: what a person adds to a question.
const fewFiles = 12

// mostly reports whether a text consists of outputs, rather than having some between its own lines: in a directory,
// that may be the log of an application that prints objects. A person's own words between outputs suggest the former.
func mostly(found excerpt.Found, text string) bool {
	return 2*(found.Others-found.Words) <= strings.Count(text, "\n")-found.Words
}

// pieces reports from its beginning whether a text consists of outputs, or of pieces of them.
func pieces(head []byte) bool {
	found, ok := excerpt.Read(string(head), "", describe.Place{}, time.Time{})
	return ok && mostly(found, string(head))
}

// pasted returns the text of a file that may have several outputs. A log does not, unless it begins with a prompt.
func pasted(f evidence.File) (string, bool) {
	if f.Size > maxExcerpt {
		return "", false
	}
	text := bytes.TrimPrefix(beginning(f, maxExcerpt), []byte("\xef\xbb\xbf"))
	switch contentOf(text) {
	case contentJSON, contentYAML, contentJournal, contentCRI:
		if !excerpt.Prompted(string(text)) && !tableWithin(text) && (len(text) > maxTerminal || describe.Parses(text)) {
			return "", false
		}
	default:
		var object struct{ Kind, APIVersion string }
		if sectioned(text) || json.Unmarshal(text, &object) == nil && object.Kind != "" && object.APIVersion != "" {
			return "", false // a whole object of another kind was not pasted together
		}
		if s := shapeOf(text); (s == unwrap.Values || s == unwrap.Lines) && onlyJSON(text) && !ofDocker.Match(text) {
			return "", false // neither were a store's records
		}
	}
	if format, share := textlog.Share(text); format == textlog.FormatBinary ||
		format != textlog.FormatUnknown && share > 0.5 && !excerpt.Prompted(string(text)) && !excerpt.Worn(string(text)) {
		return "", false
	}
	return string(text), true
}

// onlyJSON reports whether a text is a JSON value, or each of its lines is one or begins one: an export may be cut.
func onlyJSON(text []byte) bool {
	if json.Valid(text) {
		return true
	}
	lines := bytes.Split(bytes.TrimSpace(text), []byte("\n"))
	return !slices.ContainsFunc(lines, func(l []byte) bool { return len(l) > 0 && l[0] != '{' && !json.Valid(l) })
}

// tableWithin reports whether a text has a table of containers after a person's words: neither its beginning nor its
// first line is the table's.
func tableWithin(text []byte) bool {
	text = bytes.TrimLeft(text, " \t\r\n")
	first, _, _ := bytes.Cut(text, []byte("\n"))
	return len(first) > 0 && first[0] != '{' && first[0] != '[' && cri.IsTable(text) && !cri.IsTable(first)
}

// parts places the content of a pasted text, and returns the parts for other readers.
func (p *places) parts(f evidence.File, found excerpt.Found) (files []evidence.File) {
	tell := p.teller(f)
	u := &unwrapped{room: p.room, untimed: map[string]*spool.Buffer{}}
	for _, raw := range found.Objects {
		u.objects.add("", raw)
	}
	first := textlog.FormatUnknown
	for i, l := range found.Logs {
		host := ""
		if own[l.Command.Program] && !local[l.Command.Host] {
			host = l.Command.Host
		}
		text := []byte(l.Text())
		format := textlog.Sniff(text)
		if first == textlog.FormatUnknown {
			first = format
		}
		if host == "" && format != textlog.FormatUnknown && format != first { // a section of another log
			files = append(files, evidence.Bytes(fmt.Sprintf("%s.%s.%d", f.Path, format, i+1), text))
			continue
		}
		if u.untimed[host] == nil {
			u.untimed[host] = spool.OnDisk(p.room)
		}
		u.untimed[host].Add(text)
	}
	for _, part := range found.Host {
		p.host = append(p.host, hostText{part.Command.Host, part.Text()})
	}
	for i, w := range found.Whole {
		p.machine = cmp.Or(p.machine, p.names.of(w.Command.Host))
		files = append(files, evidence.Bytes(fmt.Sprintf("%s.%d", f.Path, i+1), []byte(w.Text())))
	}
	if found.Outputs > 0 {
		tell(fmt.Sprintf("lines skipped: %d; they are a container's output, which is not trusted about anything else", found.Outputs))
	}
	if found.Others > 0 {
		tell(fmt.Sprintf("lines skipped: %d; they say nothing about restarts", found.Others))
	}
	if len(u.untimed) > 0 || len(found.Objects) > 0 || len(found.Host) > 0 {
		p.used++
		p.objectList(f, u)
		p.unwrapped[f.Path] = u
		files = append(files, f) // its log waits for the nodes' names
	}
	return files
}

// hostText is the output of a node's tools, and the host in the prompt before it.
type hostText struct{ host, text string }

// local are default names of machines.
var local = map[string]bool{"localhost": true, "localhost.localdomain": true}

// own are programs that print the log of the machine on which they run; others print files that are there.
var own = map[string]bool{"dmesg": true, "journalctl": true}

// onlyPlaced returns the single node that has files, evidence.UnnamedNode if there are none or several.
func (p *places) onlyPlaced() string {
	only := ""
	for _, f := range p.out {
		rest, ok := strings.CutPrefix(f.Path, "nodes/")
		node, _, below := strings.Cut(rest, "/")
		switch {
		case !ok || !below || node == only:
		case only != "":
			return evidence.UnnamedNode
		default:
			only = node
		}
	}
	if only == "" {
		return evidence.UnnamedNode
	}
	return only
}

// oneSession reports whether the machine in a prompt is the one whose containers were listed without a name: all
// prompts name it, and no object does.
func (p *places) oneSession(host string) bool {
	_, listed := p.cri[evidence.UnnamedNode]
	return listed && len(p.cri) == 1 && !p.names[host] &&
		!slices.ContainsFunc(p.host, func(t hostText) bool { return p.names.of(t.host) != host })
}

// hostTexts assigns such texts to their nodes, once all names of nodes are known.
func (p *places) hostTexts() {
	texts := map[string]string{}
	for _, t := range p.host {
		node := p.node
		switch named := p.names.of(t.host); {
		case node != "":
		case p.oneSession(named) && p.onlyPlaced() != named:
			node = evidence.UnnamedNode
		case t.host != "" && !local[named]:
			node = named // even if unknown: an unknown machine is not the only known one
		case len(p.names) == 0:
			node = p.onlyPlaced()
		default:
			node = p.otherwise(p.names.only())
		}
		texts[node] += t.text + "\n"
	}
	for _, node := range slices.Sorted(maps.Keys(texts)) {
		f := hostprint.File(node, []byte(texts[node]), p.at)
		p.put(f, f.Path)
	}
}
