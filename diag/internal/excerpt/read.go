package excerpt

import (
	"cmp"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/describe"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/dockerevent"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/klogline"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/podname"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/podrecord"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/pythondict"
	"github.com/restartwhy/kubectl-restartwhy/diag/textlog"
)

// Found is the content of a text.
type Found struct {
	// Objects are the pods and events in its pieces.
	Objects []json.RawMessage
	// Whole are outputs that their own readers know, Logs those that are log lines, Host what a node's tools printed.
	Whole, Logs, Host []Part
	// Outputs and Others count lines of containers' output and lines that nothing reads; Words counts those of the
	// latter that are a person's, or a tool's remarks.
	Outputs, Others, Words int

	// fields are those of the last record of a store, which was the last of Whole when there were so many.
	fields  []string
	records int
	only    time.Time // the end that the text dates, zero for none or several
	// ended are the containers whose ends docker events tells, running the pods of those that docker inspect says run:
	// of their last end it knows only the time.
	ended   []string
	running []object
}

// Read splits a text. name is its file's; printed is the latest time at which it can have been printed. It returns
// false for a text that is a single unchanged output, or nothing known: other readers read it.
//
// around has the pod and the namespace in all texts of the same input, if they name only one.
func Read(text, name string, around describe.Place, printed time.Time) (f Found, ok bool) {
	return read(text, name, around, printed, false)
}

// ReadQuoted is like Read for a text from strings of something else: it always splits it, and no object is more trusted
// than a description.
func ReadQuoted(text, name string, around describe.Place, printed time.Time) (f Found, ok bool) {
	return read(text, name, around, printed, true)
}

func read(text, name string, around describe.Place, printed time.Time, quoted bool) (f Found, ok bool) {
	printedAs := text
	text, worn := tidy(text, printed)
	text, dicts := pythondict.ToJSON(text)
	worn = worn || dicts
	parts, marked := Split(text)
	worn = worn || marked || escaped(printedAs)
	commands, kinds, pieces, formats := 0, map[Kind]bool{}, false, map[textlog.Format]bool{}
	for _, p := range parts {
		if p.Command.Program != "" {
			commands++
		}
		kinds[p.Kind] = p.Kind != Other
		if p.Kind == Log {
			formats[textlog.Sniff([]byte(p.Text()))] = true
		}
		pieces = pieces || p.Headless || slices.Contains(notWhole, p.Kind) ||
			(p.Kind == JSON || p.Kind == YAML) && fragment(p)
	}
	delete(kinds, Other)
	// words around an output, as people put them, or characters that no tool prints
	beside := (len(parts) > 1 || text != printedAs) && len(parts) <= mostBeside && !kinds[Log]
	if len(kinds) == 0 || !quoted && !pieces && !worn && !beside && commands == 0 && len(kinds) < 2 && len(formats) < 2 {
		return f, false
	}
	of, told := place(parts, text), ""
	if of.Pod == evidence.Unnamed {
		of.Pod = cmp.Or(around.Pod, of.Pod)
	}
	of.Namespace = cmp.Or(of.Namespace, around.Namespace)
	of.Namespace, told = cmp.Or(of.Namespace, evidence.UsualNamespace(of.Pod)), of.Namespace
	of.File, of.Printed = name, printed
	f.only = onlyEnd(text)
	spoiled := quoted // it, or something before, could have been written by a container
	for _, p := range parts {
		at, c := of, p.Command
		at.Pod, at.Namespace, at.Container = cmp.Or(c.Pod, of.Pod), cmp.Or(c.Namespace, of.Namespace),
			cmp.Or(c.Container, of.Container)
		at.Node = c.Node
		if c.Program == "" { // for a table without its command, the text around it has the namespace
			p.Command.Namespace = told
		}
		f.part(p, at, spoiled || p.Quoted)
		spoiled = spoiled || p.own() || p.Quoted
	}
	for _, pod := range f.running {
		if name := describe.PlaceOf(pod["metadata"].(object)).Pod; !slices.Contains(f.ended, name) {
			f.Objects = podrecord.Append(f.Objects, pod)
		}
	}
	f.Objects = append(f.Objects, drains(parts, text, of)...)
	return f, true
}

// mostBeside is the maximum number of parts in a text with one kind of output among other lines: if there are more,
// they are records.
const mostBeside = 40

// notWhole are the kinds that no other reader knows.
var notWhole = []Kind{Piece, Events, Values, Host, GoMap, Stream, Drain, Stated, Said}

func fragment(p Part) bool {
	v := p.value()
	return v != nil && !whole(v) && placed(v, p.Command.Path, describe.Place{}) != nil ||
		len(describe.EventsOf(v, describe.Place{})) > 0
}

func (f *Found) part(p Part, at describe.Place, spoiled bool) {
	switch p.Kind {
	case Output:
		f.Outputs += len(p.Lines)
	case Log:
		f.Logs = append(f.Logs, p)
	case Piece:
		f.Objects = append(f.Objects, describe.ReadPiece(p.Lines, at).Objects...)
	case Events:
		f.Objects = append(f.Objects, describe.ReadRows(p.Lines, at).Objects...)
	case Values:
		f.Objects = append(f.Objects, p.values(at)...)
	case Said:
		if !f.only.IsZero() {
			at.Printed = f.only
		}
		f.Objects = append(f.Objects, p.rowsSaid(at)...)
	case Stated:
		f.Objects = append(f.Objects, p.stated(at)...)
	case Drain: // all of them together
	case Host:
		f.Host = append(f.Host, p)
	case Stream:
		raw, plain, names := p.dockerEvents(at)
		if raw != "" {
			f.Whole = append(f.Whole, Part{Kind: JSON, Lines: []string{raw}})
		}
		f.Objects, f.ended = append(f.Objects, plain...), append(f.ended, names...)
	case GoMap:
		f.Objects = append(f.Objects, p.goStates(at)...)
	case Printed:
		f.Whole = append(f.Whole, p)
	case Table:
		if p.Command.Namespace != "" {
			p.Lines = withNamespace(p.Lines, p.Command.Namespace)
		}
		f.Whole = append(f.Whole, p)
	case JSON, YAML:
		v := p.value()
		events := describe.EventsOf(v, at)
		switch {
		case v == nil:
			f.others(p.Lines)
		case len(events) > 0:
			f.Objects = append(f.Objects, events...)
		case !whole(v):
			pod := placed(v, p.Command.Path, at)
			if pod == nil {
				f.ofStore(p, v)
				return
			}
			if status, _ := pod["status"].(object); dockerevent.Runs(status) {
				f.running = append(f.running, pod)
				return
			}
			f.Objects = podrecord.Append(f.Objects, pod)
		case spoiled:
			f.Objects = append(f.Objects, asDescribed(v)...)
		default:
			f.Whole = append(f.Whole, p)
		}
	default:
		if slices.ContainsFunc(p.Lines, func(l string) bool { return klogline.At(l) > 0 }) {
			f.Whole = append(f.Whole, p) // log lines behind what a store or a syslog put before them
			return
		}
		f.others(p.Lines)
	}
}

// ofStore keeps a record of a runtime or of a store, with those before it that have the same fields: what the lines of
// one log say together, such as the kernel's of one kill, is in several of them.
func (f *Found) ofStore(p Part, v any) {
	m, _ := v.(object)
	fields, last := slices.Sorted(maps.Keys(m)), len(f.Whole)-1
	if p.Kind == JSON && p.Command.Program == "" && len(fields) > 0 && f.records == len(f.Whole) &&
		slices.Equal(fields, f.fields) {
		f.Whole[last].Lines = slices.Concat(f.Whole[last].Lines, p.Lines)
		return
	}
	f.Whole = append(f.Whole, p)
	f.fields, f.records = fields, len(f.Whole)
}

// asDescribed returns objects that follow text which a container may have written: they are not more trusted than it.
func asDescribed(v any) (out []json.RawMessage) {
	m, _ := v.(object)
	list, ok := m["items"].([]any)
	if !ok {
		list = []any{v}
	}
	for _, item := range list {
		o, ok := item.(object)
		if !ok {
			continue
		}
		if meta, ok := o["metadata"].(object); ok && (o["kind"] == "Pod" || o["kind"] == nil) {
			o["kind"], o["apiVersion"] = "Pod", "v1"
			meta["uid"] = describe.PlaceOf(meta).UID()
		}
		if involved, ok := o["involvedObject"].(object); ok && involved["kind"] == "Pod" {
			involved["uid"] = describe.PlaceOf(involved).UID()
		}
		out = podrecord.Append(out, o)
	}
	return out
}

// place returns what the whole text is about: the only pod that it names, and its only container.
func place(parts []Part, text string) describe.Place {
	of := describe.Place{}
	var pods, listed, unwell, containers, namespaces []string
	add := func(all *[]string, name string) {
		if name != "" && name != evidence.Unnamed && !slices.Contains(*all, name) {
			*all = append(*all, name)
		}
	}
	unnamed := describe.Place{Pod: evidence.Unnamed, Container: evidence.Unnamed}
	for _, p := range parts {
		add(&pods, p.Command.Pod)
		of.Namespace = cmp.Or(of.Namespace, p.Command.Namespace)
		var names []string
		switch p.Kind {
		case Printed:
			for _, name := range p.named() {
				if !p.ofNode() {
					add(&pods, name)
				}
			}
		case Piece:
			names = describe.ReadPiece(p.Lines, unnamed).Names()
		case Events:
			for _, l := range p.Lines {
				if pod, namespace := namedIn(l); pod != "" {
					add(&pods, pod)
					of.Namespace = cmp.Or(of.Namespace, namespace)
				}
			}
			names = describe.ReadRows(p.Lines, unnamed).Names()
		case Said:
			for _, l := range p.Lines {
				names = append(names, describe.ReadRows([]string{rowSaid(l)}, unnamed).Names()...)
			}
		case JSON, YAML:
			v := p.value()
			if pod := placed(v, p.Command.Path, unnamed); pod != nil {
				names = describe.Found{Objects: podrecord.Append(nil, pod)}.Names()
			}
			if m, ok := v.(object); ok {
				meta, _ := m["metadata"].(object)
				add(&namespaces, describe.PlaceOf(meta).Namespace)
			}
		}
		for _, name := range names {
			add(&containers, name)
		}
	}
	if len(namespaces) == 1 {
		of.Namespace = cmp.Or(of.Namespace, namespaces[0])
	}
	for _, p := range parts {
		if p.Kind == Table && len(pods) < 2 {
			names, bad := describe.NamesOfPods(p.Lines)
			for _, name := range names {
				add(&listed, name)
			}
			for _, name := range bad {
				add(&unwell, name)
			}
		}
	}
	for _, m := range ownName.FindAllStringSubmatch(text, maxPrompts) {
		add(&pods, m[1]+m[3])
		of.Namespace = cmp.Or(of.Namespace, m[2]+m[4])
	}
	switch {
	case len(pods) == 0 && len(listed) == 1: // what is next to a table with one pod belongs to it
		pods = listed
	case len(pods) == 0 && len(unwell) == 1:
		pods = unwell // it is the only one to ask about
	case len(pods) == 0 && len(listed) == 0: // a person's own words, or a value of a field, may name it
		for _, p := range parts {
			for _, named := range podname.Replicas(p.Text()) {
				if !p.ofNode() { // a node's description has the names of all its pods
					add(&pods, named.Name)
					of.Namespace = cmp.Or(of.Namespace, named.Namespace)
				}
			}
		}
	}
	of.Pod, of.Container = evidence.Unnamed, evidence.Unnamed
	if len(pods) == 1 {
		of.Pod = pods[0]
	}
	if len(containers) == 1 {
		of.Container = containers[0]
	}
	return of
}

// ofNode reports whether a part describes a node.
func (p Part) ofNode() bool {
	return p.Kind == Printed && describe.Sniff([]byte(p.Text())) == describe.Nodes
}

// ownName is how a description prints a variable that a container gets from its own pod's fields, and how the kubelet
// names the pod where it waits before the next start (kuberuntime_manager.go doBackOff).
var ownName = regexp.MustCompile(
	`\s([a-z0-9][a-z0-9.-]*) \(v1:metadata\.name\)|\s([a-z0-9-]+) \(v1:metadata\.namespace\)|` +
		`restarting failed container=\S+\s+pod=([a-z0-9][a-z0-9.-]*)_([a-z0-9-]+)\([0-9a-f]`)

// maxPrompts is how many of each are checked.
const maxPrompts = 50

// withNamespace adds the namespace of a command to the rows of its table, which has no column for it.
func withNamespace(lines []string, namespace string) []string {
	if strings.HasPrefix(lines[0], "NAMESPACE") {
		return lines
	}
	width := max(len(namespace), len("NAMESPACE")) + 3
	pad := func(s string) string { return s + strings.Repeat(" ", width-len(s)) }
	out := []string{pad("NAMESPACE") + lines[0]}
	for _, l := range lines[1:] {
		out = append(out, pad(namespace)+l)
	}
	return out
}

// named returns the objects whose descriptions are in the part.
func (p Part) named() (names []string) {
	for _, l := range p.Lines {
		if name, ok := strings.CutPrefix(l, "Name:"); ok {
			names = append(names, strings.TrimSpace(name))
		}
	}
	return names
}
