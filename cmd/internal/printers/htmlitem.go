package printers

import (
	"fmt"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// openReasons is up to how many eliminations are shown unfolded.
const openReasons = 6

func (p *page) items() {
	p.open("section")
	p.el("h2", "Restarts")
	if len(p.r.Items) == 0 {
		p.el("p", "Nothing restarted in what was looked at.")
	}
	left := 0
	for n := range p.r.Items {
		switch {
		case p.full[n]:
			p.item(n)
		case n < rowItems:
			p.open("div", "class", "item plain", "id", itemAnchor(n))
			p.row1(n)
			p.end("div")
		default:
			left++
		}
	}
	if short := len(p.r.Items) - len(p.full); short > 0 {
		text := fmt.Sprintf("%d of %d restarts are told in full, the newest and the first of each incident.", len(p.full), len(p.r.Items))
		if left > 0 {
			text += fmt.Sprintf(" The oldest %d are not listed.", left)
		}
		p.el("p", text+" -o json has them all; -n, --since and --cause ask for fewer.", "class", "cut")
	}
	p.end("section")
}

// row1 is the line of an item that is always seen.
func (p *page) row1(n int) {
	i := &p.r.Items[n]
	pod, container := title(i)
	p.el("time", stamp(i.Time))
	p.open("span", "class", "who")
	p.el("b", pod)
	p.text(" " + container)
	p.close("span")
	p.open("span", "class", "verdict")
	p.el("code", i.Verdict.Cause)
	p.text(" ")
	p.badge(i.Verdict.Confidence, string(i.Verdict.Confidence))
	p.close("span")
	p.el("span", i.Verdict.Summary, "class", "said")
}

// item tells one item in full, folded but for the first.
func (p *page) item(n int) {
	i := &p.r.Items[n]
	v := &i.Verdict
	p.open("details", "class", "item")
	if n == 0 {
		p.flag("open")
	}
	p.open("summary", "id", itemAnchor(n))
	p.row1(n)
	p.end("summary")
	p.open("div", "class", "body")
	f := p.facts(n)
	p.open("dl")
	for _, d := range [][2]string{
		{"what", strings.TrimSpace(verbs[i.Kind] + " " + stamp(i.Time))}, {"node", i.Node}, {"workload", i.WorkloadText()}, {"was", describe(i.From)}, {"is", describe(i.To)},
		{"mechanism", i.Verdict.Mechanism}, {"id", i.ID},
	} {
		if d[1] != "" {
			p.el("dt", d[0])
			p.el("dd", d[1])
		}
	}
	p.end("dl")
	f.chain(v)
	if len(v.Alternatives) > 0 {
		p.el("h4", "Or else")
		p.open("ul")
		for _, a := range v.Alternatives {
			p.open("li")
			p.el("code", a.Cause)
			p.text(" ")
			p.badge(a.Confidence, string(a.Confidence))
			p.text(" " + a.Sentence())
			f.cite(a.Evidence)
			p.end("li")
		}
		p.end("ul")
	}
	f.whyNot(v)
	p.missing(v)
	p.el("h4", "Do")
	p.list(v.Actions, "nothing")
	f.drawn()
	f.evidence()
	p.close("div")
	p.end("details")
}

// list prints texts one below the other, or what stands for none.
func (p *page) list(texts []string, none string) {
	if len(texts) == 0 {
		p.el("p", none)
		return
	}
	p.open("ul")
	for _, t := range texts {
		p.el("li", t)
	}
	p.end("ul")
}

func (p *page) missing(v *report.Verdict) {
	p.el("h4", "Missing")
	if len(v.Missing) == 0 {
		p.el("p", "nothing")
		return
	}
	p.open("ul")
	for _, m := range v.Missing {
		p.open("li")
		p.text(m.What)
		if m.Consequence != "" {
			p.text(": " + m.Consequence)
		}
		if m.Command != "" {
			p.el("pre", m.Command)
		}
		p.end("li")
	}
	p.end("ul")
}

// itemFacts number the evidence of one item, so that a sentence may cite [2].
type itemFacts struct {
	*page
	at    int
	known []*report.Evidence
}

func (p *page) facts(n int) itemFacts {
	return itemFacts{p, n, p.x.known(cited(&p.r.Items[n]))}
}

// number is the place of evidence in the item's list, from 1; 0 if it is not
// there.
func (f itemFacts) number(id string) int {
	return 1 + slices.IndexFunc(f.known, func(e *report.Evidence) bool { return e.ID == id })
}

func (f itemFacts) anchor(n int) string { return fmt.Sprintf("%s-e%d", itemAnchor(f.at), n) }

// cite links a sentence to what it rests on.
func (f itemFacts) cite(ids []string) {
	for _, id := range ids {
		if n := f.number(id); n > 0 {
			f.text(" ")
			f.el("a", fmt.Sprintf("[%d]", n), "href", "#"+f.anchor(n), "class", "cite", "title", id)
		}
	}
}

func (f itemFacts) chain(v *report.Verdict) {
	f.el("h4", "Because")
	f.open("ol", "class", "chain")
	for n, l := range v.Chain {
		f.open("li")
		f.el("span", step(n, len(v.Chain), l.Role), "class", "role")
		f.text(" " + l.Text)
		if l.At != nil {
			f.text(" ")
			f.el("time", timeOfDay(*l.At))
		}
		f.cite(l.Evidence)
		f.end("li")
	}
	f.end("ol")
}

func (f itemFacts) whyNot(v *report.Verdict) {
	if v.Eliminated.Len() == 0 {
		return
	}
	groups := groupEliminated(v.Eliminated)
	f.open("details", "class", "fold")
	if len(groups) <= openReasons {
		f.flag("open")
	}
	f.el("summary", "Why not another cause: "+count(v.Eliminated.Len(), "cause")+" ruled out")
	f.open("ul")
	for _, g := range groups {
		f.open("li")
		f.el("code", g.list())
		f.text(": " + g.because)
		f.cite(g.evidence)
		f.end("li")
	}
	f.close("ul")
	f.end("details")
}

// drawn puts the timeline of the item.
func (f itemFacts) drawn() {
	i := &f.r.Items[f.at]
	var s *report.Story
	if f.o.Teller != nil {
		s, _ = f.o.Teller.Story(i.ID) // what cannot be told is drawn from the report itself
	}
	t := itemTimeline(i, f.x, s)
	if t == nil {
		return
	}
	f.el("h4", "When")
	f.open("figure")
	t.draw(&f.markup, "what happened around this restart, over time", func(ids []string) int {
		for _, id := range ids {
			if n := f.number(id); n > 0 {
				return n
			}
		}
		return 0
	})
	caption := "◆ what the verdict rests on, ○ what else is known; a number is that of the evidence below; " + stamp(&t.start) + " – " + stamp(&t.end)
	if t.before > 0 {
		caption += fmt.Sprintf("; %d earlier not drawn", t.before)
	}
	if t.after > 0 {
		caption += fmt.Sprintf("; %d later not drawn", t.after)
	}
	if t.hiddenMarks > 0 {
		caption += fmt.Sprintf("; %d between others not drawn", t.hiddenMarks)
	}
	f.el("figcaption", caption, "class", "faint")
	f.end("figure")
}

// evidence lists what the item cites.
func (f itemFacts) evidence() {
	f.el("h4", "Evidence")
	if len(f.known) == 0 {
		f.el("p", "nothing is cited")
		return
	}
	f.open("ol", "class", "evidence")
	for n, e := range f.known {
		f.open("li", "id", f.anchor(n+1))
		f.open("div", "class", "faint")
		f.text(strings.TrimSpace(stamp(e.Time) + " " + origin(e.Source)))
		f.text(" ")
		f.el("code", e.ID)
		f.close("div")
		f.el("samp", e.Text)
		f.end("li")
	}
	f.end("ol")
}
