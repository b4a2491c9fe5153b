package tui

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// dossier writes what is known about one item. It numbers the evidence in the
// order in which the verdict cites it, so that [1] is the first thing to check.
type dossier struct {
	page
	item   *report.Item
	find   func(id string) *report.Evidence
	plain  lipgloss.Style
	cited  []string
	number map[string]int
}

func newDossier(th *theme, width int, item *report.Item, find func(string) *report.Evidence) *dossier {
	return &dossier{page: page{theme: th, width: width}, item: item, find: find, number: map[string]int{}}
}

// all writes every section, the verdict first.
func (d *dossier) all() []string {
	d.verdict()
	d.chain()
	d.eliminated()
	d.alternatives()
	d.missing()
	d.actions()
	d.instances()
	d.evidence()
	return d.lines
}

// summary writes what fits below the list: the answer and its chain.
func (d *dossier) summary() []string {
	d.verdict()
	d.chain()
	return d.lines
}

func (d *dossier) verdict() {
	v := &d.item.Verdict
	style, glyph := d.theme.confidence(v.Confidence)
	head := style.Render(glyph + " " + string(v.Confidence))
	if v.Cause != string(v.Confidence) { // an unknown cause is said once
		head = d.theme.strong.Render(v.Cause) + "  " + head
	}
	d.lines = append(d.lines, d.cut(head))
	d.para(0, v.Summary, d.plain)
	facts := []string{d.what()}
	if how := exit(d.item.From); how != "" {
		facts = append(facts, how)
	}
	if ran := lifetime(d.item.From); ran != "" {
		facts = append(facts, "had run "+ran)
	}
	if v.Mechanism != v.Cause && v.Mechanism != "" {
		facts = append(facts, "by way of "+v.Mechanism)
	}
	d.para(0, strings.Join(facts, d.theme.glyphs.separator), d.theme.muted)
}

// what says which kind of item this is, where and when.
func (d *dossier) what() string {
	it := d.item
	s := map[report.ItemKind]string{
		report.Restart: "restart", report.Death: "death, not started since", report.Refused: "never started", report.None: "no restart",
	}[it.Kind]
	if s == "" {
		s = string(it.Kind)
	}
	if it.To != nil && it.To.Attempt != nil && it.Kind == report.Restart {
		s += " " + strconv.Itoa(*it.To.Attempt)
	}
	if it.ContainerKind != "" && it.ContainerKind != "app" {
		s += " of the " + it.ContainerKind + " container"
	}
	if it.Node != "" {
		s += " on " + it.Node
	}
	if it.Time != nil {
		s += " at " + it.Time.UTC().Format("2006-01-02 15:04:05") + " UTC"
	}
	return s
}

func (d *dossier) chain() {
	links, g := d.item.Verdict.Chain, d.theme.glyphs
	if len(links) == 0 {
		return
	}
	d.heading("Chain, root first")
	width, said := 0, d.item.Verdict.Cause
	for i := range links {
		width = max(width, ansi.StringWidth(d.clock(links[i].At)))
	}
	for i := range links {
		l := &links[i]
		mark, rail := g.middle, g.pipe
		switch {
		case len(links) == 1:
			mark, rail = g.only, " "
		case i == 0:
			mark = g.first
		case i == len(links)-1:
			mark, rail = g.last, " "
		}
		from := len(d.lines)
		d.labelled(margin, pad(d.clock(l.At), width, g)+"  "+mark, width+4, d.theme.muted, l.Text+d.refs(l.Evidence), d.plain)
		if l.Cause != said && l.Cause != "" { // a cause is named where it changes
			d.labelled(margin, "", width+4, d.plain, l.Cause, d.theme.muted)
			said = l.Cause
		}
		// The rail joins the lines of one link with the next link.
		for n := from + 1; n < len(d.lines) && rail != " "; n++ {
			lead := strings.Repeat(" ", margin+width+2)
			d.lines[n] = lead + d.theme.muted.Render(rail) + " " + strings.TrimPrefix(d.lines[n], lead+"  ")
		}
	}
}

func (d *dossier) eliminated() {
	if d.item.Verdict.Eliminated.Len() == 0 {
		return
	}
	d.heading("Why not")
	for _, e := range d.item.Verdict.Eliminated.All() {
		d.labelled(margin, d.theme.glyphs.eliminated, 2, d.theme.muted, e.Cause+": "+e.Because+d.refs(e.Evidence), d.plain)
	}
}

func (d *dossier) alternatives() {
	if len(d.item.Verdict.Alternatives) == 0 {
		return
	}
	d.heading("Still possible")
	for _, a := range d.item.Verdict.Alternatives {
		style, glyph := d.theme.confidence(a.Confidence)
		d.labelled(margin, glyph, 2, style, a.Cause+" ("+string(a.Confidence)+"): "+a.Text+d.refs(a.Evidence), d.plain)
	}
}

func (d *dossier) missing() {
	d.heading("Missing")
	if len(d.item.Verdict.Missing) == 0 {
		d.para(margin, "nothing", d.theme.muted)
	}
	for _, m := range d.item.Verdict.Missing {
		d.labelled(margin, d.theme.glyphs.missing, 2, d.theme.unknown, m.What+": "+m.Consequence, d.plain)
		if m.Command != "" {
			d.labelled(margin+2, "$", 2, d.theme.muted, m.Command, d.theme.command)
		}
	}
}

func (d *dossier) actions() {
	if len(d.item.Verdict.Actions) == 0 {
		return
	}
	d.heading("Do")
	for _, a := range d.item.Verdict.Actions {
		d.labelled(margin, d.theme.glyphs.bullet, 2, d.theme.muted, a, d.plain)
	}
}

func (d *dossier) instances() {
	if d.item.From == nil && d.item.To == nil {
		return
	}
	d.heading("Instances")
	d.instance("was", d.item.From)
	d.instance("now", d.item.To)
}

func (d *dossier) instance(label string, in *report.Instance) {
	if in == nil {
		d.labelled(margin, label, 5, d.theme.muted, "none", d.theme.muted)
		return
	}
	var facts []string
	add := func(name, value string) {
		if value != "" {
			facts = append(facts, strings.TrimLeft(name+" ", " ")+value)
		}
	}
	if in.Attempt != nil {
		add("attempt", strconv.Itoa(*in.Attempt))
	}
	add("", exit(in))
	add("started", d.clock(in.StartedAt))
	add("finished", d.clock(in.FinishedAt))
	add("image", in.Image)
	add("hash", in.Hash)
	add("", in.ContainerID)
	d.labelled(margin, label, 5, d.theme.muted, strings.Join(facts, d.theme.glyphs.separator), d.plain)
}

func (d *dossier) evidence() {
	if len(d.cited) == 0 {
		return
	}
	d.heading("Evidence")
	for n, id := range d.cited {
		label := "[" + strconv.Itoa(n+1) + "]"
		e := d.find(id)
		if e == nil {
			d.labelled(margin, label, 5, d.theme.muted, id+" is not in this report", d.theme.unknown)
			continue
		}
		var src []string
		for _, s := range []string{d.clock(e.Time), e.Source.Kind, e.Source.Node, e.Source.Where, e.Statement, id} {
			if s != "" {
				src = append(src, s)
			}
		}
		d.labelled(margin, label, 5, d.theme.strong, strings.Join(src, d.theme.glyphs.separator), d.theme.muted)
		d.para(margin+5, e.Text, d.plain)
	}
}

// refs cites evidence by number: " [1] [2]".
func (d *dossier) refs(ids []string) string {
	var b strings.Builder
	for _, id := range ids {
		if d.number[id] == 0 {
			d.cited = append(d.cited, id)
			d.number[id] = len(d.cited)
		}
		fmt.Fprintf(&b, " [%d]", d.number[id])
	}
	return b.String()
}

// clock renders a time of the day of the item, or with its date on another day;
// "" when the time is not known.
func (d *dossier) clock(t *time.Time) string {
	if t == nil {
		return ""
	}
	u := t.UTC()
	if ref := cmp.Or(d.item.Time, t).UTC(); u.YearDay() == ref.YearDay() && u.Year() == ref.Year() {
		return u.Format("15:04:05")
	}
	return u.Format("2006-01-02 15:04:05")
}

// lifetime says how long an instance ran, "" when its start or end is unknown.
func lifetime(in *report.Instance) string {
	if in == nil || in.StartedAt == nil || in.FinishedAt == nil || in.FinishedAt.Before(*in.StartedAt) {
		return ""
	}
	run := in.FinishedAt.Sub(*in.StartedAt).Round(time.Second)
	if days := run / (24 * time.Hour); days > 0 {
		return fmt.Sprintf("%dd%dh", days, (run%(24*time.Hour))/time.Hour)
	}
	return run.String()
}
