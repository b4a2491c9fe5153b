package present

import (
	"fmt"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// Decision is the kubelet's decision, replayed: its outcome, whether that is what happened, and every branch, function
// by function.
func Decision(d *report.Decision) []document.Block {
	if d == nil {
		return []document.Block{document.Para("The kubelet's decision cannot be replayed: the " +
			"pod's spec or the kubelet's version is unknown.")}
	}
	happened := document.Say("This is what happened.")
	if !d.Agrees {
		differs := "the outcome differs."
		if len(d.Differs) > 0 {
			differs = strings.Join(d.Differs, "; ")
		}
		happened = document.In(document.Strong, "This is not what happened: "+differs)
	}
	return append([]document.Block{
		document.Paragraph{Text: document.In(document.Strong, d.Outcome), Anchor: document.Anchor{Copy: d.Outcome}},
		document.Paragraph{Text: happened},
	}, decided(d)...)
}

// decided returns who decided, what was supposed and assumed, and every branch.
func decided(d *report.Decision) []document.Block {
	by := "decided by kubelet " + d.Kubelet
	if d.ModelledAs != "" && !strings.HasPrefix(d.Kubelet+".", d.ModelledAs+".") {
		by += ", modelled as " + d.ModelledAs
	}
	out := append([]document.Block{document.Note(by)}, listed(document.Fields, premises(d))...)
	return append(out, branches(d)...)
}

func premises(d *report.Decision) (out []document.ListItem) {
	for _, p := range []struct {
		word  string
		texts []string
	}{{"supposed", d.Supposed}, {"assumed", d.Assumed}} {
		for _, t := range p.texts {
			out = append(out, document.Field(p.word, t))
		}
	}
	return out
}

// branches returns every branch, function by function.
func branches(d *report.Decision) []document.Block {
	q := questions{d.Branches}
	return q.at(0)
}

// questions are the branches that are not on the page yet.
type questions struct{ left []report.Branch }

// at writes the functions at a depth. What a function calls is within its fold, between its own branches.
func (q *questions) at(depth int) []document.Block {
	var out []document.Block
	for len(q.left) > 0 && q.left[0].Depth >= depth {
		b := q.left[0]
		blocks, asked, yes := q.function(b.Function, b.Depth)
		summary := document.Join(" · ", document.In(document.Strong, b.Function),
			document.In(document.Faint, answered(asked, yes)), document.In(document.Faint, b.File))
		out = append(out, document.Fold{Summary: summary, Open: yes > 0, Blocks: blocks})
	}
	return out
}

func (q *questions) function(name string, depth int) (out []document.Block, asked, yes int) {
	for len(q.left) > 0 {
		switch b := q.left[0]; {
		case b.Depth < depth, b.Depth == depth && b.Function != name:
			return out, asked, yes
		case b.Depth > depth:
			before := q.left
			out = append(out, q.at(depth+1)...)
			for _, b := range before[:len(before)-len(q.left)] {
				asked++
				if b.Answer {
					yes++
				}
			}
		default:
			q.left = q.left[1:]
			asked++
			if b.Answer {
				yes++
			}
			if list, ok := last(out).(document.List); ok {
				list.Entries = append(list.Entries, question(&b))
				out[len(out)-1] = list
				continue
			}
			out = append(out, listed(document.Fields, []document.ListItem{question(&b)})...)
		}
	}
	return out, asked, yes
}

// question is one branch: its answer, the fact behind it, and what followed.
func question(b *report.Branch) document.ListItem {
	answer := document.In(document.Faint, "no")
	if b.Answer {
		answer = document.In(document.Strong, "yes")
	}
	text := b.Question
	if b.Container != "" && !strings.Contains(text, b.Container) {
		text = b.Container + ": " + text
	}
	then := Named("→", b.Then)
	return document.ListItem{
		Label: answer, Text: document.Join(" · ", document.Say(text), document.In(document.Faint, b.Fact)),
		Below: below(document.Plain, then), Anchor: document.Anchor{Copy: Words(text, then)},
	}
}

func answered(asked, yes int) string {
	switch {
	case asked == 1 && yes == 1:
		return "1 question, yes"
	case asked == 1:
		return "1 question, no"
	case yes == 0:
		return fmt.Sprintf("%d questions, all no", asked)
	case yes == asked:
		return fmt.Sprintf("%d questions, all yes", asked)
	}
	return fmt.Sprintf("%d questions, %d yes", asked, yes)
}
