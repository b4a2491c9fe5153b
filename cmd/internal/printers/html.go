package printers

import (
	_ "embed"
	"fmt"
	"io"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

//go:embed page.css
var pageCSS string

// How much of a large report stands on one page. A browser holds this with ease;
// what is left out is said, and JSON has it all.
const (
	// fullItems is how many items are told in full, newest first. The first of each
	// incident is told on top of that.
	fullItems = 250
	// rowItems is how many items are listed at all.
	rowItems = 5000
	// listedItems is how many items of an incident are linked.
	listedItems = 24
	// listedGaps is how many gaps are listed.
	listedGaps = 100
)

// page is an HTML page under construction.
type page struct {
	markup
	o Options
	r *report.Report
	x index
	// row is the place of an item in the report, by its id.
	row map[string]int
	// full tells which items are told in full.
	full map[int]bool
}

// html prints the report as one file that needs nothing else: no script, no
// font, no request.
func (o Options) html(w io.Writer, r *report.Report) error {
	r.Normalise()
	p := &page{o: o, r: r, x: newIndex(r), row: make(map[string]int, len(r.Items)), full: map[int]bool{}}
	for n := len(r.Items) - 1; n >= 0; n-- {
		p.row[r.Items[n].ID] = n
		if n < fullItems {
			p.full[n] = true
		}
	}
	for _, c := range r.Incidents {
		for _, id := range c.Items[:min(1, len(c.Items))] {
			if n, ok := p.row[id]; ok {
				p.full[n] = true
			}
		}
	}
	p.head()
	p.incidents()
	p.overview()
	p.items()
	p.notes()
	p.b.WriteString("</main>\n</body>\n</html>\n")
	_, err := w.Write(p.b.Bytes())
	return err
}

func (p *page) head() {
	p.b.WriteString("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
	// Nothing is ever fetched, and nothing runs, whatever stands in the report.
	p.b.WriteString("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n")
	p.b.WriteString("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n")
	p.el("title", headline(p.r))
	p.b.WriteString("\n<style>\n" + pageCSS + "</style>\n</head>\n<body>\n<main>\n")
	p.open("header")
	p.el("h1", headline(p.r))
	about := "generated " + stamp(&p.r.GeneratedAt) + " by kubectl-restartwhy " + p.r.Tool.Version + " · all times are UTC"
	if scope := asked(p.r.Scope); scope != "" {
		about = scope + " · " + about
	}
	p.el("p", about, "class", "faint")
	p.tally(p.r.Items)
	for _, k := range p.r.Profile {
		text := k.Node + ": kubelet " + k.KubeletVersion
		if k.ModelledAs != "" && !strings.HasPrefix(k.KubeletVersion, k.ModelledAs+".") {
			text += ", modelled as " + k.ModelledAs
		}
		p.el("span", text, "class", "node")
		p.text(" ")
	}
	p.end("header")
}

// headline says in a few words what the report holds.
func headline(r *report.Report) string {
	if len(r.Items) == 1 {
		pod, container := title(&r.Items[0])
		return strings.TrimSpace(pod+" "+container) + ": " + r.Items[0].Verdict.Cause
	}
	return fmt.Sprintf("%s, %s", count(len(r.Items), "restart"), count(len(r.Incidents), "incident"))
}

// count prints a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// tally counts the confidences.
func (p *page) tally(items []report.Item) {
	counts := map[report.Confidence]int{}
	for i := range items {
		counts[items[i].Verdict.Confidence]++
	}
	p.open("p")
	for _, c := range confidenceOrder {
		if counts[c] > 0 {
			p.badge(c, fmt.Sprintf("%d %s", counts[c], c))
			p.text(" ")
		}
	}
	p.end("p")
}

// badge prints a confidence; its colour repeats its word.
func (p *page) badge(c report.Confidence, text string) {
	p.el("span", text, "class", "badge "+confidenceClass(c))
}

// confidenceClass is the class of a confidence in the style sheet.
func confidenceClass(c report.Confidence) string {
	switch c {
	case report.Proven, report.Likely, report.Possible:
		return string(c)
	}
	return string(report.Unknown)
}

func (p *page) incidents() {
	if len(p.r.Incidents) == 0 {
		return
	}
	p.open("section")
	p.el("h2", "Incidents")
	p.el("p", "Restarts that share one root.", "class", "faint")
	by := tallies(p.r)
	for _, c := range p.r.Incidents {
		p.open("article", "class", "incident")
		p.el("h3", c.Summary)
		facts := []string{c.Cause, by.of(c.Items)}
		if c.Node != "" {
			facts = append(facts, "on "+c.Node)
		}
		if c.Start != nil {
			when := stamp(c.Start)
			if c.End != nil && !c.End.Equal(*c.Start) {
				when += " – " + stamp(c.End)
			}
			facts = append(facts, when)
		}
		p.el("p", strings.Join(facts, " · "), "class", "faint")
		p.open("p")
		for n, id := range c.Items {
			if n == listedItems {
				p.text(fmt.Sprintf("and %d more", len(c.Items)-n))
				break
			}
			at, ok := p.row[id]
			if !ok {
				continue
			}
			pod, container := title(&p.r.Items[at])
			p.link(at, pod+" "+container)
			p.text(" ")
		}
		p.close("p")
		p.end("article")
	}
	p.end("section")
}

// link points at an item, if it is on the page.
func (p *page) link(at int, text string) {
	if at >= rowItems && !p.full[at] {
		p.el("span", text, "class", "chip")
		return
	}
	p.el("a", text, "class", "chip", "href", "#"+itemAnchor(at))
}

// itemAnchor is made from the place of an item: an id is not ours to put into an
// address.
func itemAnchor(at int) string { return fmt.Sprintf("i%d", at+1) }

func (p *page) overview() {
	t := reportTimeline(p.r)
	if t == nil {
		return
	}
	p.open("section")
	p.el("h2", "When")
	p.open("figure")
	t.draw(&p.markup, "the restarts of each node over time", func([]string) int { return 0 })
	caption := fmt.Sprintf("◆ a proven restart, ○ another one, ▬ an incident; from %s to %s", stamp(&t.start), stamp(&t.end))
	if t.hiddenLanes > 0 {
		caption += fmt.Sprintf("; the %d nodes with the most restarts, %d are not drawn", len(t.lanes), t.hiddenLanes)
	}
	if t.hiddenMarks > 0 {
		caption += fmt.Sprintf("; %d restarts between others are not drawn", t.hiddenMarks)
	}
	p.el("figcaption", caption, "class", "faint")
	p.close("figure")
	p.end("section")
}

// notes tell what is wrong with nodes, and what could not be read.
func (p *page) notes() {
	if len(p.r.NodeNotes) > 0 {
		p.open("section")
		p.el("h2", "Nodes")
		p.open("ul")
		for _, n := range p.r.NodeNotes {
			p.open("li")
			p.el("strong", n.Node)
			p.text(": " + n.Text)
			p.hint(n.Hint)
			p.end("li")
		}
		p.close("ul")
		p.end("section")
	}
	p.open("section")
	p.el("h2", "Evidence that could not be had")
	if len(p.r.Gaps) == 0 {
		p.el("p", "Nothing is missing of what was asked for.")
	}
	p.open("ul")
	for n, g := range p.r.Gaps {
		if n == listedGaps {
			p.el("li", fmt.Sprintf("and %d more, which -o json lists", len(p.r.Gaps)-n))
			break
		}
		p.open("li")
		p.text(gapLine(g))
		p.hint(g.Hint)
		p.end("li")
	}
	p.close("ul")
	p.end("section")
}

func (p *page) hint(text string) {
	if text != "" {
		p.el("div", text, "class", "faint")
	}
}
