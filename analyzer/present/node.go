package present

import (
	"strconv"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// Node returns what a node is, its problems, and the settings of its kubelet that restarts depend on. story may be nil.
func Node(r *report.Report, name string, story *report.NodeDetail, restarts int, find Find) []document.Block {
	kubelet := ""
	for _, p := range r.Profile {
		if p.Node == name {
			kubelet = Modelled(p)
		}
	}
	var notes []report.NodeNote
	for _, n := range r.NodeNotes {
		if n.Node == name {
			notes = append(notes, n)
		}
	}
	if story == nil {
		story = &report.NodeDetail{Notes: notes}
	}
	out := listed(document.Fields, document.FieldsOf("node", name, "kubelet", kubelet,
		"runtime", story.Runtime, "kernel", story.Kernel, "system", story.OS,
		"restarts", strconv.Itoa(restarts)))
	p := &itemPage{citations: cites(find, ""), it: &report.Item{}}
	var wrong, set []document.ListItem
	for _, n := range story.Notes {
		wrong = append(wrong, document.ListItem{Text: p.cited(n.Text, n.Evidence), Below: below(document.Plain, n.Hint),
			Anchor: document.Anchor{Evidence: n.Evidence, Copy: n.Hint}})
	}
	if len(wrong) == 0 {
		wrong = append(wrong, document.ListItem{Text: document.In(document.Faint, "none in the evidence")})
	}
	out = append(out, Section("Problems", 2, document.Bullets, wrong)...)
	for _, line := range story.Settings {
		name, value, _ := strings.Cut(line, ": ")
		value = setting(value)
		set = append(set, document.ListItem{Label: document.Say(name), Text: document.Say(value),
			Anchor: document.Anchor{Copy: line}})
	}
	out = append(out, Section("Settings that affect restarts", 2, document.Fields, set)...)
	return append(out, Section("Evidence", 2, document.Numbered, p.evidence(0))...)
}

// setting formats a value for people: a kubelet logs its feature gates as Go does, "map[A:true B:false]".
func setting(value string) string {
	inner, begins := strings.CutPrefix(value, "map[")
	inner, ends := strings.CutSuffix(inner, "]")
	if !begins || !ends {
		return value
	}
	if inner == "" {
		return "none"
	}
	var words []string
	for _, pair := range strings.Fields(inner) {
		switch name, word, _ := strings.Cut(pair, ":"); word {
		case "true":
			words = append(words, name+" on")
		case "false":
			words = append(words, name+" off")
		default:
			words = append(words, pair)
		}
	}
	return strings.Join(words, ", ")
}

// Modelled says which kubelet a node was modelled as.
func Modelled(p report.Profile) string {
	if p.KubeletVersion == "" {
		return "of a version that is not known"
	}
	if strings.HasPrefix(p.KubeletVersion+".", p.ModelledAs+".") {
		return p.KubeletVersion
	}
	return p.KubeletVersion + ", modelled as " + p.ModelledAs
}

// Missing lists the evidence that could not be collected, and what the nodes were modelled as: both limit the verdicts.
func Missing(r *report.Report) []document.Block {
	out := Gaps(r.Gaps, 0)
	if len(out) == 0 {
		out = Section("What could not be read", 2, document.Bullets,
			[]document.ListItem{{Text: document.In(document.Faint, "nothing is missing")}})
	}
	var nodes []document.ListItem
	for _, p := range r.Profile {
		nodes = append(nodes, document.Field(p.Node, "kubelet "+Modelled(p)))
	}
	return append(out, Section("Nodes", 2, document.Fields, nodes)...)
}
