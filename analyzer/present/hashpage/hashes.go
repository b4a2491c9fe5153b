package hashpage

import (
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/present"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// Hashes are the hashes of a container's definition around one restart: what they
// say of each other, what makes them, and the present spec by the kubelet's minor.
func Hashes(h *report.Hashes) []document.Block {
	out := []document.Block{document.Paragraph{Text: document.In(document.Strong, hashSentence(h))}}
	if h == nil {
		return out
	}
	stored := document.List{Kind: document.Fields,
		Entries: []document.ListItem{storedHash("old", h.Old), storedHash("new", h.New)}}
	if k := kubelets(h); k != "" {
		stored.Entries = append(stored.Entries, document.ListItem{Label: document.Say("kubelet"),
			Text: document.Say(k), Anchor: document.Anchor{Copy: k}})
	}
	out = append(out, document.Fold{Level: 2, Open: true, Summary: document.Say("Stored by the runtime"),
		Blocks: []document.Block{stored}})
	if len(h.Minors) > 0 {
		t := document.Table{Heads: []string{"KUBELET", "HASH", "ALGORITHM", "STORED"}}
		for i := range h.Minors {
			m := &h.Minors[i]
			var which []string
			for _, s := range []struct {
				word string
				hash *report.StoredHash
			}{{"old", h.Old}, {"new", h.New}} {
				if s.hash != nil && s.hash.Hex == m.Hex {
					which = append(which, s.word)
				}
			}
			cells := []document.Text{document.Say(span(m.From, m.To)), document.In(document.Code, m.Hex),
				document.Say(m.Algorithm), document.In(document.Strong, strings.Join(which, " and "))}
			t.Rows = append(t.Rows, document.Row{Cells: cells, Anchor: document.Anchor{Copy: m.Hex}})
		}
		out = append(out, document.Fold{Level: 2, Open: true,
			Summary: document.Say("The present spec, by the kubelet's minor"), Blocks: []document.Block{t}})
	}
	var differ []document.ListItem
	for _, c := range h.Changed {
		differ = append(differ, document.ListItem{Text: document.Say(c), Anchor: document.Anchor{Copy: c}})
	}
	return append(out, present.Section("Known to differ", 2, document.Bullets, differ)...)
}

func storedHash(word string, s *report.StoredHash) document.ListItem {
	e := document.ListItem{Label: document.Say(word)}
	if s == nil {
		e.Text = document.In(document.Faint, "not known")
		return e
	}
	e.Text, e.Anchor = document.In(document.Code, s.Hex), document.Anchor{Evidence: s.Evidence, Copy: s.Hex}
	for i := range s.MadeBy {
		m := &s.MadeBy[i]
		spec := "another spec"
		if m.PresentSpec {
			spec = "the present spec"
		}
		e.Below = append(e.Below, document.Say(span(m.From, m.To)+" computes it ("+
			m.Algorithm+") from "+present.Joined(", image ", spec, m.Image)))
	}
	if len(s.MadeBy) == 0 {
		e.Below = append(e.Below, document.Say("no known spec gives this hash"))
	}
	return e
}

func span(from, to string) string {
	if from == to || to == "" {
		return from
	}
	return from + "–" + to
}

// kubelets says which kubelet ran before the restart and which at it. A stored hash
// can be older than both.
func kubelets(h *report.Hashes) string {
	switch {
	case h.Before == "" && h.At == "":
		return ""
	case h.Before == h.At:
		return h.At + " before and at the restart"
	case h.Before == "":
		return h.At + " at the restart"
	case h.At == "":
		return h.Before + " before the restart"
	}
	return h.Before + " → " + h.At + " at the restart"
}
