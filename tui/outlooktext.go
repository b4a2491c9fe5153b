package tui

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// prediction returns the style and the glyph of a prediction.
func (t *theme) prediction(p report.Prediction) (lipgloss.Style, string) {
	switch p {
	case report.Restarts:
		return t.unknown, t.glyphs.proven
	case report.MayRestart:
		return t.possible, t.glyphs.likely
	case report.Stays:
		return t.muted, t.glyphs.possible
	}
	return t.muted, t.glyphs.unknown
}

// finding returns the style and the glyph of a level.
func (t *theme) finding(l report.FindingLevel) (lipgloss.Style, string) {
	switch l {
	case report.FindingBlocker:
		return t.unknown, t.glyphs.eliminated
	case report.FindingRisk:
		return t.possible, t.glyphs.proven
	case report.FindingCheck:
		return t.possible, t.glyphs.missing
	}
	return t.muted, t.glyphs.bullet
}

// label joins a glyph and the word that means the same; spoken text has no glyph.
func label(glyph, word string) string { return strings.TrimPrefix(glyph+" "+word, " ") }

// asked says what was asked.
func (o *outlook) asked() string {
	if o.r.To == "same" {
		return "kubelets restarted as they are"
	}
	return "kubelets to " + cmp.Or(o.r.To, "no version")
}

// headline says in one sentence what would happen.
func (o *outlook) headline() string {
	s := o.r.Summary
	on := map[string]bool{}
	for i := range o.r.Items {
		if o.r.Items[i].Prediction == report.Restarts {
			on[o.r.Items[i].Node] = true
		}
	}
	text := "no container restarts"
	switch s.Restarts {
	case 0:
	case 1:
		text = "1 container restarts"
	default:
		text = fmt.Sprintf("%d containers on %s restart", s.Restarts, counted(len(on), "node"))
	}
	if s.BlockedNodes > 0 {
		text += ", " + counted(s.BlockedNodes, "kubelet") + " would not start"
	}
	rest := s
	rest.Restarts = 0
	if rest.Total() > 0 {
		text += ", " + tally(rest)
	}
	return text
}

// kubelet says what takes the place of a node's kubelet.
func (o *outlook) kubelet(name string, g glyphs) string {
	n := o.nodes[name]
	if n == nil {
		return "not known"
	}
	return cmp.Or(n.From, "unknown") + " " + g.arrow + " " + n.To
}

// tally counts a pile in words, without what there is none of.
func tally(c report.PreflightCount) string {
	var out []string
	for _, p := range []struct {
		n         int
		one, many string
	}{{c.Restarts, "restarts", "restart"}, {c.May, "may restart", "may restart"}, {c.Unknown, "unknown", "unknown"}, {c.Stays, "stays", "stay"}} {
		switch {
		case p.n == 1:
			out = append(out, "1 "+p.one)
		case p.n > 1:
			out = append(out, strconv.Itoa(p.n)+" "+p.many)
		}
	}
	if len(out) == 0 {
		return "no container runs here"
	}
	return strings.Join(out, ", ")
}

// predictionWidth holds a glyph, a space and the longest prediction.
const predictionWidth = 11

// advice writes what to do.
func (d *dossier) advice(indent int, do string) {
	if do != "" {
		d.labelled(indent, "do:", 4, d.theme.muted, do, d.theme.command)
	}
}

// lead is what a stop of a pile's text stands for.
type lead struct {
	item    int32 // none for a finding
	finding report.Finding
}

// writePile writes what a pile is, findings about its node, and some of its
// containers by another aspect. leads has one entry for each stop. With full, all that is
// known about a container stands below it. Behind most lines nobody reads on.
func (o *outlook) writePile(d *dossier, p *pile, findings []report.Finding, items []int32, by aspect, full bool, most int) (leads []lead) {
	o.writeHead(d, p)
	for n, f := range findings {
		if n == 0 {
			d.section("What is the matter with the node")
		}
		leads = append(leads, lead{none, f})
		d.entry(stop{copied: findingLine(f)}, func() {
			style, glyph := d.theme.finding(f.Level)
			d.labelled(margin, label(glyph, string(f.Level)), predictionWidth, style, f.Text, plain)
			d.advice(margin+predictionWidth, f.Do)
		})
	}
	for _, sub := range o.piles(by, items) {
		if len(sub.items) == 0 {
			continue
		}
		if len(d.lines) > most {
			break
		}
		d.section(sub.head())
		if by == aspectReason {
			d.para(margin, sub.reason.because, d.theme.muted)
			d.advice(margin, o.do(sub.items[0]))
		}
		for _, i := range sub.items {
			if len(d.lines) > most {
				break
			}
			leads = append(leads, lead{item: i})
			d.entry(stop{copied: o.line(i), cause: o.r.Items[i].Rule}, func() { o.writeRow(d, i, by != aspectReason && p.by != aspectReason, full) })
		}
	}
	return leads
}

// head names a pile within another.
func (p *pile) head() string {
	if p.by == aspectReason {
		return fmt.Sprintf("%s: %s (%s)", p.reason.prediction, p.name, counted(len(p.items), "container"))
	}
	return fmt.Sprintf("%s %s: %s", p.by, cmp.Or(p.name, "not known"), tally(p.count))
}

// writeHead says what a pile is.
func (o *outlook) writeHead(d *dossier, p *pile) {
	switch p.by {
	case aspectReason:
		style, glyph := d.theme.prediction(p.reason.prediction)
		d.labelled(2, label(glyph, string(p.reason.prediction)), predictionWidth, style, p.name+", "+counted(len(p.items), "container"), d.theme.strong)
		d.para(2, p.reason.because, plain)
		if len(p.items) > 0 {
			d.advice(2, o.do(p.items[0]))
		}
	case aspectNamespace:
		d.para(2, tally(p.count), d.theme.strong)
	default:
		about := "kubelet " + o.kubelet(p.name, d.theme.glyphs)
		n := o.nodes[p.name]
		if n != nil {
			for _, s := range []string{n.Runtime, n.OS} {
				if s != "" {
					about += d.theme.glyphs.separator + s
				}
			}
		}
		d.para(2, tally(p.count), d.theme.strong)
		d.para(2, about, d.theme.muted)
		if n != nil && n.Extrapolated && !n.Blocked {
			d.para(2, "One of the two kubelets is newer than what is known: whether the new one starts is not known.", d.theme.unknown)
		}
		if n != nil && n.Blocked {
			d.para(2, "The new kubelet would not start: the containers run on without one. The predictions hold for the time when that is put right.", d.theme.unknown)
		}
	}
}

// writeRow writes one container of a list, with its rule where nothing above says it.
func (o *outlook) writeRow(d *dossier, i int32, rule, full bool) {
	it := &o.r.Items[i]
	style, glyph := d.theme.prediction(it.Prediction)
	text := it.Namespace + "/" + it.Pod + "/" + it.Container
	if it.Kind != "app" && it.Kind != "" {
		text += " (" + it.Kind + ")"
	}
	if rule {
		text += "  " + it.Rule
	}
	d.labelled(margin, label(glyph, string(it.Prediction)), predictionWidth, style, text, plain)
	if full {
		for _, s := range append([]string{it.Proof}, it.Assumed...) {
			if s != "" {
				d.para(margin+predictionWidth, s, d.theme.muted)
			}
		}
	}
}

// writeItem writes all that is known about one container.
func (o *outlook) writeItem(d *dossier, i int32) {
	it := &o.r.Items[i]
	style, glyph := d.theme.prediction(it.Prediction)
	verdict := map[report.Prediction]string{
		report.Restarts: "the new kubelet ends and starts it again", report.MayRestart: "it depends on what cannot be known before",
		report.Stays: "nothing touches it", report.Undetermined: "the evidence does not tell",
	}[it.Prediction]
	d.labelled(2, label(glyph, string(it.Prediction)), predictionWidth+2, style, verdict, d.theme.strong)
	row := func(name, text string, style lipgloss.Style) {
		if text != "" {
			d.entry(stop{copied: text, cause: it.Rule}, func() { d.labelled(2, name, predictionWidth+2, d.theme.muted, text, style) })
		}
	}
	d.blank()
	row("rule", it.Rule, plain)
	row("because", it.Because, plain)
	row("proof", it.Proof, plain)
	row("function", it.Function, plain)
	for _, a := range it.Assumed {
		row("assumed", a, plain)
	}
	row("do", o.do(i), d.theme.command)
	d.section("The container")
	row("node", it.Node, plain)
	row("kubelet", o.kubelet(it.Node, d.theme.glyphs), plain)
	if n := o.nodes[it.Node]; n != nil && n.Blocked {
		row("", "the new kubelet would not start there; this holds for the time when that is put right", d.theme.unknown)
	}
	row("pod", it.Namespace+"/"+it.Pod, plain)
	row("pod uid", it.PodUID, plain)
	row("container", it.Container, plain)
	row("kind", it.Kind, plain)
}

// line says a prediction in one line, for the clipboard.
func (o *outlook) line(i int32) string {
	it := &o.r.Items[i]
	return fmt.Sprintf("%s/%s/%s: %s (%s): %s", it.Namespace, it.Pod, it.Container, it.Prediction, it.Rule, it.Because)
}

// findingLine says a finding in one line.
func findingLine(f report.Finding) string {
	text := string(f.Level) + " (" + f.Rule + "): " + f.Text
	if f.Do != "" {
		text += "; do: " + f.Do
	}
	return text
}
