package tui

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/hashes"
	"github.com/restartwhy/kubectl-restartwhy/tui/lanes"
	"github.com/restartwhy/kubectl-restartwhy/tui/look"
	"github.com/restartwhy/kubectl-restartwhy/tui/trace"
)

// plainWidth is where linear text is wrapped. A screen reader does not care, and a
// person who looks at it does.
const plainWidth = 100

// WritePlain writes all that the viewer shows as linear text: no columns, no
// boxes, no glyph that carries a meaning, each thing said once and in order. teller
// may be nil. It returns the error of ctx when that ends first.
func WritePlain(ctx context.Context, w io.Writer, r *report.Report, teller report.Teller) error {
	out := bufio.NewWriter(w)
	defer out.Flush()
	ds := newDataset(r, teller)
	ds.index = newIndex(r)
	th := spoken()
	p := plainWriter{out: out, ds: ds, theme: &th, look: look.Look{Glyphs: look.ASCII()}}
	p.contents()
	for i := range r.Items {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		p.item(int32(i))
	}
	for _, n := range nodeRows(ds) {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		p.node(n)
	}
	p.gaps()
	return out.Flush()
}

type plainWriter struct {
	out   *bufio.Writer
	ds    *dataset
	theme *theme
	look  look.Look
}

func (p *plainWriter) lines(lines []string) {
	for _, l := range lines {
		fmt.Fprintln(p.out, strings.TrimRight(l, " "))
	}
}

func (p *plainWriter) head(title string) { fmt.Fprintf(p.out, "\n%s\n\n", title) }

// contents says what happened in a few lines, by its roots.
func (p *plainWriter) contents() {
	r := p.ds.report
	fmt.Fprintf(p.out, "%s, %s, %s.\n", counted(len(r.Items), "restart"), counted(len(r.Incidents), "incident"), counted(len(r.Gaps), "gap"))
	if len(r.Items) == 0 {
		return
	}
	p.head("Incidents, largest first, then single containers")
	t := newTable(p.ds, byRoot, nil)
	for n, row := range t.rows {
		items := t.items(row)
		it := &r.Items[items[0]]
		surety, _ := p.ds.tally(items)
		pg := page{theme: p.theme, width: plainWidth}
		text := it.Namespace + "/" + it.Pod + ", container " + it.Container + ", " + counted(len(items), "time") + ": " + it.Verdict.Cause + ", " + surety + ". " + it.Verdict.Summary
		if row.group != none {
			if g := &t.partition().groups[row.group]; g.incident != none {
				in := &r.Incidents[g.incident]
				text = "incident of " + counted(len(items), "container") + ": " + in.Cause + ", " + surety + ". " + in.Summary
			}
		}
		pg.labelled(0, strconv.Itoa(n+1)+".", 5, plain, text, plain)
		p.lines(pg.lines)
	}
}

// item writes one restart: verdict, evidence, and its story.
func (p *plainWriter) item(i int32) {
	it := &p.ds.report.Items[i]
	p.head(fmt.Sprintf("Restart %d of %d: %s/%s, container %s", i+1, len(p.ds.report.Items), it.Namespace, it.Pod, it.Container))
	d := newDossier(p.theme, plainWidth, it, p.ds.find)
	d.all()
	p.lines(d.lines)
	if p.ds.teller == nil {
		return
	}
	story, err := p.ds.teller.Story(it.ID)
	if err != nil || story == nil {
		return // the report's own part is written
	}
	if len(story.Lanes) > 0 {
		l := lanes.New(p.look, lanes.OfStory(story))
		p.head("Timeline")
		fmt.Fprintln(p.out, strings.TrimRight(l.Plain(), "\n"))
	}
	if story.Decision != nil {
		t := trace.New(p.look, story.Decision)
		p.head("Decision of the kubelet")
		fmt.Fprintln(p.out, strings.TrimRight(t.Plain(), "\n"))
	}
	if story.Hashes != nil {
		h := hashes.New(p.look, story.Hashes)
		p.head("Hashes")
		fmt.Fprintln(p.out, strings.TrimRight(h.Plain(), "\n"))
	}
}

// node writes what a node is and what went on there.
func (p *plainWriter) node(n nodeRow) {
	p.head("Node " + n.name)
	var story *report.NodeStory
	if p.ds.teller != nil {
		story, _ = p.ds.teller.NodeStory(n.name) // without it the report's own part is written
	}
	d := newDossier(p.theme, plainWidth, &report.Item{}, p.ds.find)
	writeNode(d, p.ds, n.name, story, len(n.items))
	p.lines(d.lines)
	if story != nil && len(story.Lanes) > 0 {
		l := lanes.New(p.look, lanes.OfNode(story))
		p.head("Timeline of the node")
		fmt.Fprintln(p.out, strings.TrimRight(l.Plain(), "\n"))
	}
}

func (p *plainWriter) gaps() {
	m := &model{theme: *p.theme, ds: p.ds, layout: layout{width: plainWidth, text: plainWidth}}
	p.lines(append([]string{""}, m.gapsText()...))
}
