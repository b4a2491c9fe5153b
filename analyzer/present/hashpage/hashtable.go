package hashpage

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/present"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// Table lists every stored hash, then what versions make of the present spec, and
// what follows for an upgrade.
func Table(t *report.HashTable, wide bool) []document.Block {
	var out []document.Block
	if t.Pod != "" {
		title := present.Joined(
			", ",
			present.Words("Pod", t.Namespace+"/"+t.Pod, present.Named("on", t.Node)),
			present.Named("kubelet", t.NodeKubelet),
		)
		out = append(out, document.Title(1, title))
	}
	for i := range t.Stored {
		out = append(out, hashAnswer(&t.Stored[i])...)
	}
	if t.Asked && len(t.Stored) == 0 {
		out = append(out, document.Para("No instance of its containers is known."))
	}
	switch {
	case t.Asked && len(t.Rows) == 0:
		out = append(out, document.Paragraph{},
			document.Para("The evidence does not show what these versions store for the present spec."))
	case t.Asked:
		out = append(out, document.Title(2, "The present spec, by kubelet"))
	}
	if len(t.Rows) > 0 {
		out = append(out, hashRows(t.Rows, wide))
	}
	out = append(out, hashSteps(t)...)
	if t.Undefaulted {
		out = append(out, document.Paragraph{},
			document.Paragraph{Text: append(document.Say("Kubelets up to v1.30 also hash what the API server sets by default, "+
				"and this manifest lacks some of that: "+
				"its hashes up to v1.30 differ from those of a running pod. Use the running pod: "),
				document.In(document.Command, "kubectl get pod POD -o yaml")...)})
	}
	if len(t.Static) > 0 {
		table := document.Table{Heads: []string{"STATIC POD", "KUBELET", "UID FROM", "NEW POD BECAUSE"}}
		for _, r := range t.Static {
			table.Rows = append(table.Rows,
				document.Row{Cells: []document.Text{document.Say(r.Pod), document.Say(r.Kubelets),
					document.Say(r.UIDFrom), document.Say(r.Why)}})
		}
		out = append(out, document.Paragraph{}, table)
	}
	return out
}

func hashRows(rows []report.HashRow, wide bool) document.Table {
	pods := rows[0].Pod != ""
	t := document.Table{Heads: []string{"CONTAINER", "KIND", "KUBELET", "HASH"}}
	if wide {
		t.Heads = append(t.Heads, "DECIMAL", "ALGORITHM")
	}
	if pods {
		t.Heads = append([]string{"POD"}, t.Heads...)
	}
	for i := range rows {
		r := &rows[i]
		who := []string{r.Container, r.Kind}
		if pods {
			who = append([]string{r.Pod}, who...)
		}
		row := document.Row{Anchor: document.Anchor{Copy: r.Hash}}
		for _, w := range who {
			if r.Continues {
				w = " " // an empty cell would say that there is none
			}
			row.Cells = append(row.Cells, document.Say(w))
		}
		sum := document.In(document.Code, r.Hash)
		if r.Second && !wide {
			sum = append(sum, document.Run{Text: " (without resources)"})
		}
		row.Cells = append(row.Cells, document.Say(r.Kubelets), sum)
		if wide {
			row.Cells = append(row.Cells, document.Say(strconv.FormatUint(uint64(r.Decimal), 10)), document.Say(r.Algorithm))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// mostNamed is how many containers a step names.
const mostNamed = 8

// hashSteps concludes: which change of version changes which container.
func hashSteps(t *report.HashTable) []document.Block {
	if !t.Compared {
		return nil
	}
	if len(t.Steps) == 0 {
		return []document.Block{document.Paragraph{},
			document.Para("No step between these versions changes a hash: an in-place upgrade " +
				"restarts none of these containers because of it.")}
	}
	var steps []document.ListItem
	for i := len(t.Steps) - 1; i >= 0; i-- {
		s := &t.Steps[i]
		whose := "every container"
		if names := s.Containers; !s.All {
			if len(names) > mostNamed {
				names = append(append([]string{}, names[:mostNamed]...), fmt.Sprintf("%d more", len(names)-mostNamed))
			}
			whose = strings.Join(names, ", ")
		}
		steps = append(steps,
			document.ListItem{Text: append(document.In(document.Strong, s.From+" → "+s.To),
				document.Run{Text: " changes the hash of " + whose})})
	}
	return []document.Block{
		document.Paragraph{}, document.List{Entries: steps},
		document.Paragraph{}, document.Para("A container whose hash changes is restarted when its " +
			"node's kubelet is upgraded across that step without a drain."),
	}
}

func hashAnswer(a *report.HashAnswer) []document.Block {
	var details []document.ListItem
	add := func(s string) { details = append(details, document.Entry(s)) }
	for _, d := range a.Difference {
		add("then " + d.Field + ": " + d.Then + ", now: " + d.Now)
	}
	if a.Found {
		add(fmt.Sprintf("A chance match is one in %s: %d hashes were compared.", rounded(a.OneIn), a.Tried))
	}
	for _, n := range a.Notes {
		add("note: " + n)
	}
	out := []document.Block{
		document.Title(2, hashInstance(a)),
		document.Paragraph{Text: document.In(document.Strong, strings.ToUpper(a.Sentence[:1])+a.Sentence[1:]+"."),
			Anchor: document.Anchor{Copy: a.Hash}},
	}
	if len(details) > 0 {
		out = append(out, document.List{Entries: details})
	}
	return out
}

// hashInstance names a stored hash and what it is stored with.
func hashInstance(a *report.HashAnswer) string {
	line := a.Container
	if a.Kind != "app" {
		line += " (" + a.Kind + ")"
	}
	if a.Hash != "" {
		line += ": stored hash " + a.Hash
	}
	if a.ContainerID != "" {
		line += ", instance " + a.ContainerID[:min(12, len(a.ContainerID))]
	}
	if a.Attempt != nil {
		line += fmt.Sprintf(", attempt %d", *a.Attempt)
	}
	if a.Created != nil {
		line += ", created " + a.Created.UTC().Format(time.RFC3339)
	}
	if a.Kubelet != "" {
		line += " by kubelet " + a.Kubelet
	}
	return line
}

// rounded is a large number without its digits.
func rounded(n uint64) string {
	for _, unit := range []struct {
		size uint64
		name string
	}{{1e9, "billion"}, {1e6, "million"}, {1e3, "thousand"}} {
		if n >= unit.size {
			return fmt.Sprintf("%.1f %s", float64(n)/float64(unit.size), unit.name)
		}
	}
	return strconv.FormatUint(n, 10)
}
