// Package hashpage turns the stored and computed hashes of a container into pages: which kubelet computed them, from
// which spec, and what the next one will do with them.
//
// It may import analyzer/report, analyzer/document and analyzer/present.
package hashpage

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/present"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// Table lists every stored hash, then what versions compute from the present spec, and what follows for an upgrade.
func Table(t *report.HashListing, wide bool) []document.Block {
	var out []document.Block
	if t.Pod != "" {
		title := present.Joined(", ", present.Words("Pod", t.Namespace+"/"+t.Pod, present.Named("on", t.Node)),
			present.Named("kubelet", t.NodeKubelet))
		out = append(out, document.Title(1, title))
	}
	for i := range t.Stored {
		out = append(out, stored(&t.Stored[i])...)
	}
	asked := t.Stored != nil
	if asked && len(t.Stored) == 0 {
		out = append(out, document.Para("No instance of its containers is known."))
	}
	switch {
	case asked && len(t.Items) == 0:
		out = append(out, document.Paragraph{},
			document.Para("The evidence does not show what these versions store for the present spec."))
	case asked:
		out = append(out, document.Title(2, "The present spec, by kubelet"))
	}
	if len(t.Items) > 0 {
		out = append(out, hashRows(t.Items, wide))
	}
	out = append(out, hashSteps(t.Items)...)
	if t.Undefaulted && slices.ContainsFunc(t.Items, func(i report.HashItem) bool {
		minor, _ := minorOf(i.Kubelet)
		return minor <= lastWithDefaults
	}) {
		out = append(out, document.Paragraph{},
			document.Paragraph{Text: append(document.Say("Kubelets up to v1.30 also hash what the API server sets by default, "+
				"and this manifest lacks some of that: "+
				"its hashes up to v1.30 differ from those of a running pod. Use the running pod: "),
				document.In(document.Command, "kubectl get pod POD -o yaml")...)})
	}
	return out
}

func hashRows(items []report.HashItem, wide bool) document.Table {
	pods, place := items[0].Pod != "", 0
	t := document.Table{Heads: []string{"CONTAINER", "KIND", "KUBELET", "HASH"}}
	if wide {
		t.Heads = append(t.Heads, "DECIMAL", "ALGORITHM")
	}
	if pods {
		t.Heads = append([]string{"POD"}, t.Heads...)
	}
	for _, run := range hashRuns(items) {
		r := &run.first
		who := []string{r.Container, r.Kind}
		if pods {
			who = append([]string{present.Qualified(r.Namespace, r.Pod)}, who...)
		}
		row := document.Row{Anchor: document.Anchor{Copy: r.Hash}}
		for _, w := range who {
			if r.Place == place {
				w = " " // an empty cell would mean that there is none
			}
			row.Cells = append(row.Cells, document.Say(w))
		}
		place = r.Place
		sum := document.In(document.Code, r.Hash)
		if r.Second && !wide {
			sum = append(sum, document.Run{Text: " (without resources)"})
		}
		row.Cells = append(row.Cells, document.Say(span(r.Kubelet, run.last.Kubelet, run.last.ModelledAs)), sum)
		if wide {
			row.Cells = append(row.Cells, document.Cells(strconv.FormatUint(uint64(r.Decimal), 10), r.Algorithm)...)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// lastWithDefaults is the last minor whose hash includes what the API server sets.
const lastWithDefaults = 30

// mostNamed is how many containers a step lists.
const mostNamed = 8

// hashSteps concludes which change of version changes which container.
func hashSteps(items []report.HashItem) []document.Block {
	changes, compared := stepsOf(items)
	if !compared {
		return nil
	}
	if len(changes) == 0 {
		return []document.Block{document.Paragraph{},
			document.Para("No step between these versions changes a hash: an in-place upgrade " +
				"restarts none of these containers because of it.")}
	}
	var steps []document.ListItem
	for _, s := range slices.Backward(changes) {
		whose := "every container"
		if !s.all {
			names, left := present.First(s.containers, mostNamed)
			if left > 0 {
				names = append(names, fmt.Sprintf("%d more", left))
			}
			whose = strings.Join(names, ", ")
		}
		steps = append(steps,
			document.ListItem{Text: append(document.In(document.Strong, s.from+" → "+s.to),
				document.Run{Text: " changes the hash of " + whose})})
	}
	return []document.Block{
		document.Paragraph{}, document.List{Entries: steps},
		document.Paragraph{}, document.Para("A container whose hash changes is restarted when its " +
			"node's kubelet is upgraded across that step without a drain."),
	}
}

func stored(a *report.Provenance) []document.Block {
	var details []document.ListItem
	add := func(s string) { details = append(details, document.Entry(s)) }
	for _, d := range a.Difference {
		add("then " + d.Field + ": " + d.Then + ", now: " + d.Now)
	}
	if len(a.MadeBy) > 0 {
		add(fmt.Sprintf("A chance match is one in %s: %d hashes were compared.", rounded(a.OneIn), a.Tried))
	}
	for _, n := range a.Notes {
		add("note: " + n)
	}
	out := []document.Block{
		document.Title(2, hashInstance(a)),
		document.Paragraph{Text: document.In(document.Strong, strings.ToUpper(a.Sentence[:1])+a.Sentence[1:]+"."),
			Anchor: document.Anchor{Evidence: a.Evidence, Copy: a.Hash}},
	}
	if len(details) > 0 {
		out = append(out, document.List{Entries: details})
	}
	return out
}

func hashInstance(a *report.Provenance) string {
	line := present.WithKind(a.Container, a.Kind)
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

// rounded formats a large number without its digits.
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
