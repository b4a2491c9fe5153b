package present

import (
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// This file says what keeps a verdict from being certain: evidence that was not read, and what does not fit.

// missing lists what would decide or add evidence, with the command that gets it.
func (p *itemPage) missing() {
	decide, entries := p.deciders()
	title := "What would decide it"
	if p.it.Verdict.Confidence == report.Proven {
		title = "What was not read"
	}
	shown := min(len(decide), 3)
	p.folded(title, "that would decide for a less likely cause", append(append(decide[:shown:shown], entries...),
		decide[shown:]...), shown+len(entries))
}

// named writes the names of an item in the place of those that the texts of what decides leave open.
func (p *itemPage) named(text string) string {
	if own := p.it.LogCommand; own != "" {
		text = strings.ReplaceAll(text, report.LastOutput, own)
	}
	var names []string
	if pod := p.it.Pod; pod != unnamedThing { // which may be in any namespace
		names = append(names, "involvedObject.name=POD", "involvedObject.name="+report.Quote(pod),
			"describe pod POD", "describe pod "+report.Quote(pod), "logs POD", "logs "+report.QuoteName("pod", pod),
			"-n NAMESPACE", "-n "+report.Quote(p.it.Namespace))
	}
	if c := p.it.Container; c != "" && c != unnamedThing {
		names = append(names, "-c CONTAINER", "-c "+report.Quote(c))
	}
	return strings.NewReplacer(names...).Replace(text)
}

// deciders returns what would decide for some cause, the likeliest first, and what was not read. A log that is both is
// only among the latter.
func (p *itemPage) deciders() (entries, missing []document.ListItem) {
	logs := map[string]bool{}
	for _, m := range p.it.Verdict.Missing {
		for _, log := range namedLogs {
			logs[log] = logs[log] || strings.HasPrefix(strings.TrimPrefix(m.What, "the rest of "), log+" around")
		}
	}
	for _, d := range p.it.Verdict.Decide {
		if head, _, _ := strings.Cut(d.What, ":"); logs[head] {
			continue
		}
		d.What, d.Command = p.named(d.What), p.named(d.Command)
		e := document.ListItem{Text: decides(d.What), Anchor: document.Anchor{Copy: d.Command}}
		if len(d.Cause) > 0 {
			e.Text = append(e.Text, document.In(document.Faint, " ("+strings.Join(d.Cause, ", ")+")")...)
			e.Anchor.Cause = d.Cause[0]
		}
		entries = append(entries, e)
	}
	return entries, p.evidenceMissing()
}

// namedLogs are the logs that would decide, as the texts of causes name them.
var namedLogs = []string{"the kernel's log", "the kubelet's log"}

// decides returns what would decide, and the command that shows it: "its last log lines – kubectl logs web-0".
func decides(what string) document.Text { return marked(strings.Replace(what, ": `", " – `", 1)) }

// doubts lists what does not fit with the rest of the evidence.
func (p *itemPage) doubts() {
	var entries []document.ListItem
	for _, m := range p.it.Verdict.Missing {
		if m.What == report.Doubt {
			entries = append(entries, document.Entry(m.Consequence))
		}
	}
	p.section("Why this is not certain", document.Bullets, entries)
}

// evidenceMissing lists evidence that was not read, one entry for each command: it may get several pieces.
func (p *itemPage) evidenceMissing() (entries []document.ListItem) {
	at := map[report.Missing]int{}
	for _, m := range p.it.Verdict.Missing {
		if m.What == report.Doubt {
			continue
		}
		text := document.Say(Joined(": ", m.What, m.Consequence))
		by := report.Missing{Command: m.Command, Node: m.Node}
		if n, ok := at[by]; ok && m.Command != "" {
			below := entries[n].Below
			entries[n].Below = slices.Insert(below, len(below)-1, text)
			continue
		}
		at[by] = len(entries)
		e := document.ListItem{Text: text, Anchor: document.Anchor{Cause: p.it.Verdict.Cause, Copy: m.Command}}
		if m.Command != "" {
			e.Below = append(e.Below, document.In(document.Command, Joined("  # ", m.Command, onNode(m))))
		}
		entries = append(entries, e)
	}
	return entries
}

// onNode says where to run the command for a piece of evidence: "" where kubectl is.
func onNode(m report.Missing) string {
	switch m.Node {
	case "":
		return ""
	case "NODE":
		return "on the node, as root"
	}
	return "on " + m.Node + ", as root"
}
