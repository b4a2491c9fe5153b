package present

import (
	"strconv"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// Confidences returns the order in which they are counted.
func Confidences() []report.Confidence {
	return []report.Confidence{report.Proven, report.Likely, report.Possible, report.Unknown}
}

// Tally counts the confidences of some items: "proven" where all agree, else
// "10 proven, 2 likely".
func Tally(items []*report.Item) document.Text {
	counts := map[report.Confidence]int{}
	for _, i := range items {
		counts[i.Verdict.Confidence]++
	}
	var parts []document.Text
	for _, c := range Confidences() {
		switch n := counts[c]; {
		case n > 0 && n == len(items):
			return document.Word(string(c))
		case n > 0:
			parts = append(parts, append(document.Say(strconv.Itoa(n)+" "), document.Word(string(c))...))
		}
	}
	return document.Join(", ", parts...)
}

func byID(r *report.Report) map[string]*report.Item {
	all := make(map[string]*report.Item, len(r.Items))
	for i := range r.Items {
		all[r.Items[i].ID] = &r.Items[i]
	}
	return all
}

func pick(all map[string]*report.Item, ids []string) []*report.Item {
	out := make([]*report.Item, 0, len(ids))
	for _, id := range ids {
		if i := all[id]; i != nil {
			out = append(out, i)
		}
	}
	return out
}

// Incidents returns a line for each incident with at least that many items.
func Incidents(r *report.Report, least int) []document.Block {
	all := byID(r)
	var out []document.Block
	for n := range r.Incidents {
		c := &r.Incidents[n]
		if len(c.Items) < least {
			continue
		}
		line := append(document.In(document.Strong, c.Summary), document.Run{Text: " (" + c.Cause + ", "})
		line = append(append(line, Tally(pick(all, c.Items))...), document.Run{Text: ")"})
		out = append(out, document.Paragraph{Text: line, Anchor: document.Anchor{Cause: c.Cause, Opens: c.ID}})
	}
	return out
}

// IncidentTable returns a row for each incident, newest first. With Wide, an incident on several nodes is followed by
// its part on each, in order of time.
func IncidentTable(r *report.Report, o TableOptions) document.Table {
	when, at := "WHEN", Stamp
	if o.Ages {
		when, at = "AGE", func(t *time.Time) string { return age(r, t) }
	}
	t := document.Table{Heads: []string{"INCIDENT", when, "CAUSE", "CONFIDENCE",
		"NODES", "PODS", "CONTAINERS", "RESTARTS"}}
	if o.Wide {
		t.Heads = append(t.Heads, "LASTED", "NODE")
	}
	t.Heads = append(t.Heads, "SUMMARY")
	all := byID(r)
	row := func(tally document.Text, texts ...string) {
		cells := document.Cells(texts...)
		cells[3] = tally
		t.Rows = append(t.Rows, document.Row{Cells: cells})
	}
	number := strconv.Itoa
	for n := range r.Incidents {
		c := &r.Incidents[n]
		cells := []string{c.ID, at(c.Start), c.Cause, "", number(len(c.Nodes)),
			number(c.Pods), number(c.Containers), number(len(c.Items))}
		if o.Wide {
			cells = append(cells, lasted(c.Start, c.End), c.Node)
		}
		row(Tally(pick(all, c.Items)), append(cells, c.Summary)...)
		if !o.Wide {
			continue
		}
		for _, p := range c.Parts {
			row(nil, "  "+p.ID, at(p.Start), "", "", "", number(p.Pods), number(p.Containers),
				number(len(p.Items)), lasted(p.Start, p.End), p.Node, p.Summary)
		}
	}
	return t
}

func lasted(start, end *time.Time) string {
	if start == nil || end == nil {
		return ""
	}
	return report.Lasted(end.Sub(*start))
}

// Alone says how many items are in no incident.
func Alone(r *report.Report) string {
	alone := 0
	for i := range r.Items {
		if r.Items[i].Incident == "" {
			alone++
		}
	}
	switch {
	case len(r.Incidents) == 0 && alone == 1:
		return "no incident: there is a single restart"
	case len(r.Incidents) == 0:
		return "no incident: no two of " + report.Count(alone, "restart") + " are known to share a cause"
	case alone == 1:
		return "note: 1 other restart has a separate cause"
	case alone > 1:
		return "note: " + strconv.Itoa(alone) + " other restarts have separate causes"
	}
	return ""
}

// Title describes a report in a few words.
func Title(r *report.Report) string {
	if len(r.Items) == 1 {
		i := &r.Items[0]
		return strings.TrimSpace(Words(Pod(i), Container(i)) + ": " + i.Verdict.Cause)
	}
	return report.Count(len(r.Items), "restart") + ", " + report.Count(len(r.Incidents), "incident")
}
