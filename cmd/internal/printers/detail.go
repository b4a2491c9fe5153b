package printers

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// labelWidth is the column that the text of the full view starts in.
const labelWidth = 16

// verbs say what an item is in a sentence.
var verbs = map[report.ItemKind]string{
	report.Restart: "restarted", report.Death: "ended", report.Refused: "never started", report.None: "did not restart",
}

// item prints one restart in full: the verdict, its chain from the root to the
// effect, what speaks against the rivals, what is missing, and the evidence.
func (o Options) item(b *strings.Builder, r *report.Report, i *report.Item) {
	head := headed(i)
	if o.Width > 20 {
		head = ansi.Wrap(head, o.Width, "")
	}
	b.WriteString(o.bold(head) + "\n")
	v := &i.Verdict
	cause := o.confidence(v.Confidence)
	if v.Cause != string(v.Confidence) {
		cause = fmt.Sprintf("%s (%s)", v.Cause, cause)
	}
	o.field(b, "cause", cause)
	o.field(b, "", v.Summary)
	if i.Workload != "pod/"+i.Pod { // else the headline says it
		o.field(b, "workload", i.WorkloadText())
	}
	o.field(b, "was", describe(i.From))
	o.field(b, "is", describe(i.To))
	b.WriteByte('\n')
	for n, l := range v.Chain {
		text := l.Text
		if l.At != nil {
			text += " · " + stamp(l.At)
		}
		o.field(b, strings.Repeat(" ", min(2*n, 6))+step(n, len(v.Chain), l.Role), o.cite(text, l.Evidence))
	}
	for n, a := range v.Alternatives {
		o.field(b, first(n, "or else"), o.cite(fmt.Sprintf("%s (%s): %s", a.Cause, a.Confidence, a.Sentence()), a.Evidence))
	}
	for n, e := range groupEliminated(v.Eliminated) {
		o.field(b, first(n, "why not"), o.cite(e.list()+": "+e.because, e.evidence))
	}
	if len(v.Missing) == 0 {
		o.field(b, "missing", "nothing")
	}
	for n, m := range v.Missing {
		text := m.What
		if m.Consequence != "" {
			text += ": " + m.Consequence
		}
		o.field(b, first(n, "missing"), text)
		if m.Command != "" {
			o.field(b, "", "$ "+m.Command)
		}
	}
	for n, a := range v.Actions {
		o.field(b, first(n, "do"), a)
	}
	ids := cited(i)
	if len(ids) > 0 {
		b.WriteByte('\n')
	}
	for n, id := range ids {
		e := r.Find(id)
		if e == nil {
			continue
		}
		from := strings.Join(strings.Fields(id+" "+stamp(e.Time)+" "+origin(e.Source)), " ")
		o.field(b, first(n, "evidence"), o.faint(from))
		o.field(b, "", "  "+e.Text)
	}
}

// headed says in one sentence what an item is: shop/web-0 container a restarted, when, on n1.
func headed(i *report.Item) string {
	pod, container := title(i)
	if i.Container != "" {
		container = "container " + container
	}
	text := strings.Join(strings.Fields(pod+" "+container+" "+verbs[i.Kind]+" "+stamp(i.Time)), " ")
	if i.Node != "" {
		text += " on " + i.Node
	}
	return text
}

// step names a link of the chain: by its role, or by its place in a report of a
// version that gave none.
func step(n, of int, role report.Role) string {
	switch {
	case role == report.RoleRoot, role == "" && n == 0:
		return "root cause"
	case role == "" && n == of-1:
		return "effect"
	case role == "":
		return "then"
	}
	return string(role)
}

// first is the label of the first line of several of one kind.
func first(n int, label string) string {
	if n > 0 {
		return ""
	}
	return label
}

// cited lists the evidence of an item, that of the chain first, each id once.
func cited(i *report.Item) []string {
	var ids []string
	add := func(more []string) {
		for _, id := range more {
			if !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	for _, l := range i.Verdict.Chain {
		add(l.Evidence)
	}
	for _, a := range i.Verdict.Alternatives {
		add(a.Evidence)
	}
	for e := range i.Verdict.Eliminated.Cited() {
		add(e)
	}
	return ids
}

// describe tells an instance in a line.
func describe(i *report.Instance) string {
	if i == nil {
		return ""
	}
	var parts []string
	if i.Attempt != nil {
		parts = append(parts, fmt.Sprintf("attempt %d", *i.Attempt))
	}
	if i.StartedAt != nil {
		parts = append(parts, "started "+stamp(i.StartedAt))
	}
	if e := exit(i); e != "" {
		parts = append(parts, "exit "+e)
	}
	if i.Image != "" {
		parts = append(parts, i.Image)
	}
	if i.Hash != "" {
		parts = append(parts, "hash "+i.Hash)
	}
	if len(i.ContainerID) > 12 {
		parts = append(parts, i.ContainerID[:12])
	}
	return strings.Join(parts, ", ")
}

// cite appends the ids of evidence to a sentence.
func (o Options) cite(text string, ids []string) string {
	if len(ids) == 0 {
		return text
	}
	const most = 3 // the rest is in the list below
	list := strings.Join(ids[:min(most, len(ids))], " ")
	if len(ids) > most {
		list += fmt.Sprintf(" +%d", len(ids)-most)
	}
	return text + " " + o.faint("["+list+"]")
}

// field prints one labelled text. On a terminal it wraps and hangs.
func (o Options) field(b *strings.Builder, label, text string) {
	if text == "" {
		return
	}
	indent := strings.Repeat(" ", labelWidth)
	lines := []string{text}
	if room := o.Width - labelWidth; o.Width > 0 && room >= 20 {
		lines = strings.Split(ansi.Wrap(text, room, ""), "\n")
	}
	for n, line := range lines {
		if n == 0 {
			fmt.Fprintf(b, "%-*s%s\n", labelWidth, label, line)
			continue
		}
		b.WriteString(indent + line + "\n")
	}
}
