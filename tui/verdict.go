package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// dossier writes what is known about one item. It numbers the evidence in the
// order in which the verdict cites it, so that [1] is the first thing to check.
type dossier struct {
	page
	item   *report.Item
	find   func(id string) *report.Evidence
	cited  []string
	number map[string]int
	stops  []stop
	// opened is true behind a heading, until its first stop.
	opened bool
}

func newDossier(th *theme, width int, item *report.Item, find func(string) *report.Evidence) *dossier {
	return &dossier{page: page{theme: th, width: width}, item: item, find: find, number: map[string]int{}}
}

// all writes every section, the verdict first.
func (d *dossier) all() {
	d.summary()
	proof := d.evidence("Evidence, what proves most first", 0)
	d.alternatives()
	d.eliminated()
	d.missing()
	d.actions()
	d.instances()
	d.evidence("Evidence about the other causes", proof)
}

// summary writes what fits below a table: the answer and its chain.
func (d *dossier) summary() {
	d.verdict()
	d.chain()
}

// section starts a section; the cursor stops at what write says of each entry.
func (d *dossier) section(title string) {
	d.heading(title)
	d.opened = true
}

// entry makes a stop of the lines that write adds.
func (d *dossier) entry(s stop, write func()) {
	s.first = len(d.lines)
	write()
	s.end, s.section, d.opened = len(d.lines), d.opened, false
	d.stops = append(d.stops, s)
}

func (d *dossier) verdict() {
	v := &d.item.Verdict
	style, glyph := d.theme.confidence(v.Confidence)
	head := style.Render(strings.TrimLeft(glyph+" "+string(v.Confidence), " "))
	if v.Cause != string(v.Confidence) { // an unknown cause is said once
		head = d.theme.strong.Render(v.Cause) + "  " + head
	}
	facts := []string{d.what()}
	if how := exit(d.item.From); how != "" {
		facts = append(facts, how)
	}
	if ran := lifetime(d.item.From); ran != "" {
		facts = append(facts, "had run "+ran)
	}
	if w := d.item.WorkloadText(); w != "" && w != "pod/"+d.item.Pod {
		facts = append(facts, "of "+w)
	}
	if v.Mechanism != v.Cause && v.Mechanism != "" {
		facts = append(facts, "by way of "+v.Mechanism)
	}
	proof := []string{}
	for i := range v.Chain {
		proof = append(proof, v.Chain[i].Evidence...)
	}
	d.opened = true
	d.entry(stop{evidence: unique(proof), cause: v.Cause}, func() {
		d.lines = append(d.lines, d.cut("  "+head))
		d.para(2, v.Summary, plain)
		d.para(2, strings.Join(facts, d.theme.glyphs.separator), d.theme.muted)
	})
}

// unique drops what was there before.
func unique(ids []string) []string {
	seen := map[string]bool{}
	return slices.DeleteFunc(ids, func(id string) bool {
		had := seen[id]
		seen[id] = true
		return had
	})
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
	links := d.item.Verdict.Chain
	if len(links) == 0 {
		return
	}
	d.section("Chain, root first")
	width, said := 0, d.item.Verdict.Cause
	for i := range links {
		width = max(width, ansi.StringWidth(d.clock(links[i].At)))
	}
	for i := range links {
		l := &links[i]
		d.entry(stop{evidence: l.Evidence, cause: cmp.Or(l.Cause, d.item.Verdict.Cause)}, func() { d.link(l, i, len(links), width, &said) })
	}
}

// link writes one link of the chain. said is the cause that was named last: a
// cause is named where it changes.
func (d *dossier) link(l *report.Link, i, of, width int, said *string) {
	g := d.theme.glyphs
	mark, rail := g.middle, g.pipe
	switch {
	case of == 1:
		mark, rail = g.only, " "
	case i == 0:
		mark = g.first
	case i == of-1:
		mark, rail = g.last, " "
	}
	from := len(d.lines)
	d.labelled(margin, pad(d.clock(l.At), width, g)+"  "+mark, width+4, d.theme.muted, l.Text+d.refs(l.Evidence), plain)
	if l.Cause != *said && l.Cause != "" {
		d.labelled(margin, "", width+4, plain, l.Cause, d.theme.muted)
		*said = l.Cause
	}
	// The rail joins the lines of one link with the next link.
	for n := from + 1; n < len(d.lines) && rail != " "; n++ {
		lead := strings.Repeat(" ", margin+width+2)
		d.lines[n] = lead + d.theme.muted.Render(rail) + " " + strings.TrimPrefix(d.lines[n], lead+"  ")
	}
}

func (d *dossier) eliminated() {
	if d.item.Verdict.Eliminated.Len() == 0 {
		return
	}
	d.section("Why not")
	for _, e := range joined(d.item.Verdict.Eliminated) {
		first, _, _ := strings.Cut(e.Cause, ", ")
		d.entry(stop{evidence: e.Evidence, cause: first}, func() {
			d.labelled(margin, d.theme.glyphs.eliminated, 2, d.theme.muted, e.Cause+": "+e.Because+d.refs(e.Evidence), plain)
		})
	}
}

// joined makes one entry of the causes that the same fact rules out.
func joined(all report.Eliminations) []report.Eliminated {
	var out []report.Eliminated
	at := map[string]int{}
	for _, e := range all.All() {
		key := e.Because + "\n" + strings.Join(e.Evidence, "\n")
		if i, ok := at[key]; ok {
			out[i].Cause += ", " + e.Cause
			continue
		}
		at[key] = len(out)
		out = append(out, e)
	}
	return out
}

func (d *dossier) alternatives() {
	if len(d.item.Verdict.Alternatives) == 0 {
		return
	}
	d.section("Still possible")
	for _, a := range d.item.Verdict.Alternatives {
		style, glyph := d.theme.confidence(a.Confidence)
		d.entry(stop{evidence: a.Evidence, cause: a.Cause}, func() {
			d.labelled(margin, glyph, 2, style, a.Cause+" ("+string(a.Confidence)+"): "+a.Sentence()+d.refs(a.Evidence), plain)
		})
	}
}

func (d *dossier) missing() {
	d.section("Missing")
	if len(d.item.Verdict.Missing) == 0 {
		d.para(margin, "nothing", d.theme.muted)
	}
	for _, m := range d.item.Verdict.Missing {
		d.entry(stop{cause: d.item.Verdict.Cause, copied: m.Command}, func() {
			d.labelled(margin, d.theme.glyphs.missing, 2, d.theme.unknown, m.What+": "+m.Consequence, plain)
			if m.Command != "" {
				d.labelled(margin+2, "$", 2, d.theme.muted, m.Command, d.theme.command)
			}
		})
	}
}

func (d *dossier) actions() {
	if len(d.item.Verdict.Actions) == 0 {
		return
	}
	d.section("Do")
	for _, a := range d.item.Verdict.Actions {
		d.entry(stop{cause: d.item.Verdict.Cause, copied: a}, func() {
			d.labelled(margin, d.theme.glyphs.bullet, 2, d.theme.muted, a, plain)
		})
	}
}

func (d *dossier) instances() {
	if d.item.From == nil && d.item.To == nil {
		return
	}
	d.section("Instances")
	d.entry(stop{cause: d.item.Verdict.Cause}, func() { d.instance("was", d.item.From) })
	d.entry(stop{cause: d.item.Verdict.Cause}, func() { d.instance("now", d.item.To) })
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
	d.labelled(margin, label, 5, d.theme.muted, strings.Join(facts, d.theme.glyphs.separator), plain)
}

// evidence writes what was cited so far, from a number on, and returns how much
// that is.
func (d *dossier) evidence(title string, from int) int {
	if len(d.cited) > from {
		d.section(title)
	}
	for n := from; n < len(d.cited); n++ {
		id := d.cited[n]
		d.entry(stop{evidence: []string{id}, cause: d.item.Verdict.Cause}, func() { d.piece("["+strconv.Itoa(n+1)+"]", id) })
	}
	return len(d.cited)
}

// piece writes one piece of evidence: where it is from, and what it says.
func (d *dossier) piece(label, id string) {
	e := d.find(id)
	if e == nil {
		d.labelled(margin, label, 5, d.theme.muted, id+" is not in this report", d.theme.unknown)
		return
	}
	var src []string
	for _, s := range []string{d.clock(e.Time), e.Source.Kind, e.Source.Node, e.Source.Where, e.Statement, id} {
		if s != "" {
			src = append(src, s)
		}
	}
	d.labelled(margin, label, 5, d.theme.strong, strings.Join(src, d.theme.glyphs.separator), d.theme.muted)
	d.para(margin+5, e.Text, plain)
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
