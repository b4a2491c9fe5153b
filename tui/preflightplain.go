package tui

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// WritePreflightPlain writes all that the viewer shows of a preflight as linear
// text, node by node. It returns the error of ctx when that ends first.
func WritePreflightPlain(ctx context.Context, w io.Writer, r *report.Preflight) error {
	out := bufio.NewWriter(w)
	defer out.Flush()
	o, th := newOutlook(r), spoken()
	p := plainWriter{out: out, theme: &th}
	about := page{theme: &th, width: plainWidth}
	about.para(0, "Preflight, "+o.asked()+": "+o.headline()+".", plain)
	o.writeAssumed(&about)
	p.lines(about.lines)
	nodes := o.piles(aspectNode, o.items)
	for n, node := range nodes {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		p.head(fmt.Sprintf("Node %d of %d: %s", n+1, len(nodes), node.name))
		d := newDossier(&th, plainWidth, &report.Item{}, nil)
		o.writePile(d, node, o.findings(node), node.items, aspectReason, true, math.MaxInt)
		p.lines(d.lines)
	}
	p.ds = newDataset(&report.Report{Gaps: r.Gaps}, nil)
	p.gaps()
	return out.Flush()
}

// writeAssumed writes what the predictions take for granted everywhere.
func (o *outlook) writeAssumed(p *page) {
	if o.r.Extrapolated {
		p.para(0, "Taken for "+o.r.ModelledAs+", the newest kubelet that is known.", plain)
	}
	for n, a := range o.r.Assumed {
		if n == 0 {
			p.heading("Taken for granted everywhere")
		}
		p.labelled(margin, p.theme.glyphs.bullet, 2, p.theme.muted, a, plain)
	}
}
