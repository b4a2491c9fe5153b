package render

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/present"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/present/hashpage"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/render/text"
)

// Plain writes everything that the viewer shows as linear text, for screen readers: each thing once and in order,
// nothing folded. provider may be nil. It returns the error of ctx if that ends first.
func Plain(ctx context.Context, w io.Writer, r *report.Report, provider report.DetailProvider) (err error) {
	out := bufio.NewWriter(w)
	defer func() { err = cmp.Or(err, out.Flush()) }()
	find := present.Index(r)
	write := func(blocks ...document.Block) error {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return text.Write(out, append(blocks, document.Paragraph{}), text.Options{Open: true})
	}
	err = write(append([]document.Block{document.Title(1, present.Title(r))}, present.Incidents(r, 1)...)...)
	restarts := map[string]int{}
	var nodes []string
	for i := range r.Items {
		if err != nil {
			return err
		}
		it := &r.Items[i]
		if restarts[it.Node]++; restarts[it.Node] == 1 && it.Node != "" {
			nodes = append(nodes, it.Node)
		}
		head := fmt.Sprintf("Restart %d of %d: %s", i+1, len(r.Items), present.Headline(it))
		blocks := []document.Block{document.Title(1, head)}
		blocks = append(blocks, present.Item(it, find, present.ItemOptions{Level: 2, RuledOut: true})...)
		if story := stories(provider).Of(it.ID); story != nil {
			if len(story.Lanes) > 0 {
				blocks = append(append(blocks, document.Title(2, "Timeline")), present.Lanes(story.Lanes)...)
			}
			if story.Decision != nil {
				blocks = append(append(blocks, document.Title(2, "Decision of the kubelet")), present.Decision(story.Decision)...)
			}
			if story.Hashes != nil {
				blocks = append(append(blocks, document.Title(2, "Hashes")), hashpage.Table(story.Hashes, false)...)
			}
		}
		err = write(blocks...)
	}
	for _, n := range nodes {
		if err != nil {
			return err
		}
		var story *report.NodeDetail
		if provider != nil {
			story, _ = provider.NodeDetail(n) // without it the report's own part is written
		}
		blocks := append([]document.Block{document.Title(1, "Node "+n)}, present.Node(r, n, story, restarts[n], find)...)
		if story != nil && len(story.Lanes) > 0 {
			blocks = append(append(blocks, document.Title(2, "Timeline")), present.Lanes(story.Lanes)...)
		}
		err = write(blocks...)
	}
	if err == nil {
		err = write(present.Missing(r)...)
	}
	return err
}

// stories are those of a provider, nil if there is none. For unknown ones the report itself is used.
func stories(t report.DetailProvider) present.Stories {
	if t == nil {
		return nil
	}
	return func(id string) *report.ItemDetail {
		s, err := t.ItemDetail(id)
		if err != nil {
			return nil
		}
		return s
	}
}
