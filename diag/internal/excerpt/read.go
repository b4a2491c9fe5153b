package excerpt

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/describe"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/podname"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/pythondict"
	"github.com/restartwhy/kubectl-restartwhy/diag/textlog"
)

// Found is what a text holds.
type Found struct {
	// Objects are the pods and events that its pieces tell of.
	Objects []json.RawMessage
	// Whole are outputs that their own readers know, Logs those that are lines of logs, Host what a node's tools printed.
	Whole, Logs, Host []Part
	// Outputs and Others count lines of containers' output and lines that nothing reads, Words those of the latter that
	// are a person's, or what a tool says beside its output.
	Outputs, Others, Words int
}

// Read takes a text apart. name is its file's; printed is when it was printed at the latest. It is false for a text
// that is one output as it was printed, or nothing that is known: others read it.
//
// around are the pod and the namespace that all texts beside it name, where they name just one.
func Read(text, name string, around describe.Place, printed time.Time) (f Found, ok bool) {
	return read(text, name, around, printed, false)
}

// ReadQuoted is Read for a text that stood in strings of something else: all of it is taken apart, and no object is
// better than a description of it.
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
	spoiled := quoted // it, or something before, could have been written by a container
	for _, p := range parts {
		at := of
		if p.Command.Pod != "" {
			at.Pod = p.Command.Pod
		}
		if p.Command.Namespace != "" {
			at.Namespace = p.Command.Namespace
		}
		if p.Command.Container != "" {
			at.Container = p.Command.Container
		}
		at.Node = p.Command.Node
		if p.Command.Program == "" { // of a table whose command was left out, what stands beside it tells the namespace
			p.Command.Namespace = told
		}
		f.part(p, at, spoiled || p.Quoted)
		spoiled = spoiled || p.own() || p.Quoted
	}
	return f, true
}

// mostBeside is of how many parts a text may be in which one kind of output stands among other lines: more are records.
const mostBeside = 40

// notWhole are the kinds that no other reader knows.
var notWhole = []Kind{Piece, Events, Values, Host, GoMap, Stream, Drain, Stated, Said, Old}

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
		f.Objects = append(f.Objects, p.rowsSaid(at)...)
	case Old:
		f.Objects = append(f.Objects, p.oldEvents(at)...)
	case Stated:
		f.Objects = append(f.Objects, p.stated(at)...)
	case Drain:
		f.Objects = append(f.Objects, p.drains(at)...)
	case Host:
		f.Host = append(f.Host, p)
	case Stream:
		if raw := p.dockerEvents(); raw != "" {
			f.Whole = append(f.Whole, Part{Kind: JSON, Lines: []string{raw}})
		}
	case GoMap:
		if raw := p.goStates(at); raw != nil {
			f.Objects = append(f.Objects, raw)
		}
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
				f.Whole = append(f.Whole, p) // records of a runtime or of a store
				return
			}
			if raw, err := json.Marshal(pod); err == nil {
				f.Objects = append(f.Objects, raw)
			}
		case spoiled:
			f.Objects = append(f.Objects, asDescribed(v)...)
		default:
			f.Whole = append(f.Whole, p)
		}
	default:
		f.others(p.Lines)
	}
}

// asDescribed are objects that stand behind text which a container may have written: they are no better than it.
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
			namespace, _ := meta["namespace"].(string)
			name, _ := meta["name"].(string)
			meta["uid"] = describe.Place{Namespace: namespace, Pod: name}.UID()
		}
		if involved, ok := o["involvedObject"].(object); ok && involved["kind"] == "Pod" {
			namespace, _ := involved["namespace"].(string)
			name, _ := involved["name"].(string)
			involved["uid"] = describe.Place{Namespace: namespace, Pod: name}.UID()
		}
		if raw, err := json.Marshal(o); err == nil {
			out = append(out, raw)
		}
	}
	return out
}

// place is what the whole text is about: the one pod that it names, and its one container.
func place(parts []Part, text string) describe.Place {
	of := describe.Place{}
	var pods, listed, containers, namespaces []string
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
				add(&pods, name)
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
		case JSON, YAML:
			v := p.value()
			if pod := placed(v, p.Command.Path, unnamed); pod != nil {
				raw, _ := json.Marshal(pod)
				names = describe.Found{Objects: []json.RawMessage{raw}}.Names()
			}
			if m, ok := v.(object); ok {
				meta, _ := m["metadata"].(object)
				namespace, _ := meta["namespace"].(string)
				add(&namespaces, namespace)
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
			for _, name := range describe.NamesOfPods(p.Lines) {
				add(&listed, name)
			}
		}
	}
	for _, m := range ownName.FindAllStringSubmatch(text, maxPrompts) {
		add(&pods, m[1])
		of.Namespace = cmp.Or(of.Namespace, m[2])
	}
	switch {
	case len(pods) == 0 && len(listed) == 1: // what stands beside the only pod of a table is of it
		pods = listed
	case len(pods) == 0 && len(listed) == 0: // a person's own words, or a value of a field, may name it
		for _, named := range podname.Replicas(text) {
			add(&pods, named.Name)
			of.Namespace = cmp.Or(of.Namespace, named.Namespace)
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

// ownName is what a description prints of a variable that a container gets from its own pod's fields.
var ownName = regexp.MustCompile(
	`\s([a-z0-9][a-z0-9.-]*) \(v1:metadata\.name\)|\s([a-z0-9-]+) \(v1:metadata\.namespace\)`)

// maxPrompts is how many of each are looked at.
const maxPrompts = 50

// withNamespace puts the namespace that a command asked for before the rows of its table, which has no column of it.
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

// named are the objects whose descriptions the part has.
func (p Part) named() (names []string) {
	for _, l := range p.Lines {
		if name, ok := strings.CutPrefix(l, "Name:"); ok {
			names = append(names, strings.TrimSpace(name))
		}
	}
	return names
}
