package present

import (
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// neighbour is the length, in characters, of lines shown around a piece of evidence.
const neighbour = 300

// EvidenceHead says where a piece of evidence is from and what it is about.
func EvidenceHead(e *report.Evidence) []document.Block {
	at := stamped(e.Time, "2006-01-02 15:04:05.000 UTC")
	pod := e.Subject.Node
	if e.Subject.Pod != "" {
		pod = e.Subject.Namespace + "/" + e.Subject.Pod
	}
	about := Joined(" · ", pod, e.Subject.Container, ShortID(e.Subject.ContainerID), ShortID(e.Subject.SandboxID))
	return []document.Block{document.List{Kind: document.Fields, Entries: document.FieldsOf(
		"from", Joined(" · ", e.Source.Kind, e.Source.Node, e.Source.Where),
		"about", about,
		"read as", Joined(" · ", e.Statement, at, e.ID))}}
}

// Around returns lines of one source in order, with the piece that they surround. A neighbour of another place, such as
// of another pod, says which.
func Around(around []report.Evidence, id string) []document.Block {
	list := document.List{Kind: document.Fields}
	of := slices.IndexFunc(around, func(e report.Evidence) bool { return e.ID == id })
	for i := range around {
		n := &around[i]
		text := document.In(document.Strong, EvidenceText(n))
		if i != of {
			said := EvidenceText(n)
			if of >= 0 && n.Source.Where != around[of].Source.Where {
				said = Joined(": ", n.Source.Where, said)
			}
			text = document.In(document.Faint, document.Shorten(said, neighbour))
		}
		list.Entries = append(list.Entries, document.ListItem{Label: document.Say(stamped(n.Time, "15:04:05.000")),
			Text: text, Anchor: document.Anchor{Evidence: []string{n.ID}, Copy: EvidenceLine(n)}})
	}
	return []document.Block{list}
}

// EvidenceText returns what a piece of evidence says, else what it was parsed as.
func EvidenceText(e *report.Evidence) string {
	if e.Text != "" {
		return e.Text
	}
	return e.Statement
}

// EvidenceLine returns a piece of evidence as one line, for a clipboard.
func EvidenceLine(e *report.Evidence) string {
	at := stamped(e.Time, "2006-01-02T15:04:05.000Z")
	return Words(at, e.Source.Node, e.Source.Kind, e.Source.Where) + ": " + EvidenceText(e)
}

// Lanes returns a timeline as text: what lasted and what happened, lane by lane, including what a picture would show by
// shape.
func Lanes(lanes []report.Lane) []document.Block {
	const layout = "2006-01-02 15:04:05.000"
	var out []document.Block
	for i := range lanes {
		l := &lanes[i]
		var entries []document.ListItem
		add := func(when, text, note string) {
			entries = append(entries, document.Entry(Words(when+": "+text, note)))
		}
		for _, s := range l.Spans {
			note := ""
			if s.Bad {
				note = "(ended badly)"
			}
			add(lasting(s.From, s.To, layout), s.Text, note)
		}
		for _, m := range l.Marks {
			note := ""
			if m.Decisive {
				note = "(the verdict rests on this)"
			}
			add(m.At.UTC().Format(layout), m.Text, note)
		}
		out = append(out, Section(l.Name, 4, document.Bullets, entries)...)
	}
	return out
}

// lasting formats a period, with the day of the end if that is another one.
func lasting(from, to *time.Time, layout string) string {
	switch {
	case from == nil && to == nil:
		return "time unknown"
	case from == nil:
		return "until " + to.UTC().Format(layout)
	case to == nil:
		return "from " + from.UTC().Format(layout)
	}
	end := to.UTC().Format(layout)
	if to.UTC().Format(time.DateOnly) == from.UTC().Format(time.DateOnly) {
		end = end[len(time.DateOnly)+1:]
	}
	return from.UTC().Format(layout) + " to " + end
}
