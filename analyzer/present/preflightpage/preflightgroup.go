package preflightpage

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/present"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// Asked says what a preflight was asked.
func (o *View) Asked() string {
	if o.Report.To == "same" {
		return "kubelets restarted as they are"
	}
	return "kubelets to " + cmp.Or(o.Report.To, "no version")
}

// Headline says in one sentence what would happen.
func (o *View) Headline() string {
	s := o.Report.Summary
	on := map[string]bool{}
	for i := range o.Report.Items {
		if o.Report.Items[i].Prediction == report.Restarts {
			on[o.Report.Items[i].Node] = true
		}
	}
	text := "no container restarts"
	switch s.Restarts {
	case 0:
	case 1:
		text = "1 container restarts"
	default:
		text = fmt.Sprintf("%d containers on %s restart", s.Restarts, present.Count(len(on), "node"))
	}
	if s.BlockedNodes > 0 {
		text += ", " + present.Count(s.BlockedNodes, "kubelet") + " would not start"
	}
	rest := s
	if rest.Restarts = 0; rest.Total() > 0 {
		text += ", " + Predicted(rest)
	}
	return text
}

// Predicted counts predictions in words, without those there are none of.
func Predicted(c report.PreflightCount) string {
	var out []string
	for _, p := range []struct {
		n         int
		one, many string
	}{{c.Restarts, "restarts", "restart"}, {c.May, "may restart", "may restart"},
		{c.Unknown, "unknown", "unknown"}, {c.Stays, "stays", "stay"}} {
		switch {
		case p.n == 1:
			out = append(out, "1 "+p.one)
		case p.n > 1:
			out = append(out, strconv.Itoa(p.n)+" "+p.many)
		}
	}
	if len(out) == 0 {
		return "no container runs here"
	}
	return present.Joined(", ", out...)
}

// Kubelet says what takes the place of a node's kubelet.
func (o *View) Kubelet(node string) string {
	n := o.nodes[node]
	if n == nil {
		return "not known"
	}
	return cmp.Or(n.From, "unknown") + " → " + n.To
}

// notYet is said where the new kubelet does not even start.
const notYet = "The new kubelet would not start: the containers keep running without one. The predictions apply once " +
	"this is fixed."

// Title names a group.
func (p *Group) Title() string {
	if p.By == ByReason {
		return fmt.Sprintf("%s: %s (%s)", p.reason.prediction, p.Name, present.Count(len(p.Items), "container"))
	}
	return fmt.Sprintf("%s %s: %s", p.By, cmp.Or(p.Name, "not known"), Predicted(p.Count))
}

// GroupSummary says in a few lines what a group is.
func (o *View) GroupSummary(p *Group) []document.Block {
	say := func(parts ...document.Text) document.Block {
		return document.Paragraph{Text: document.Join("  ", parts...)}
	}
	if p.By == ByReason {
		out := []document.Block{
			say(document.Word(string(p.reason.prediction)),
				document.In(document.Strong, p.Name+", "+present.Count(len(p.Items), "container"))),
			say(document.Say(p.reason.because)),
		}
		if len(p.Items) > 0 {
			for _, a := range advice(o.do(p.Items[0])) {
				out = append(out, say(a))
			}
		}
		return out
	}
	out := []document.Block{say(document.In(document.Strong, Predicted(p.Count)))}
	if p.By == ByNamespace {
		return out
	}
	about := "kubelet " + o.Kubelet(p.Name)
	n := o.nodes[p.Name]
	if n != nil {
		about = present.Joined(" · ", about, n.Runtime, n.OS)
	}
	out = append(out, say(document.In(document.Faint, about)))
	switch {
	case n == nil:
	case n.Blocked:
		out = append(out, say(document.Say(notYet)))
	case n.Extrapolated:
		out = append(out, say(document.Say("One of the two kubelets is newer than the known versions: it is not known "+
			"whether the new one starts.")))
	}
	return out
}

// GroupPage is a group: what it is, what is wrong with its node, and some of its
// containers by another aspect. A row opens its container: Anchor.Opens is its index.
func (o *View) GroupPage(p *Group, findings []report.Finding, items []int32, by Aspect) []document.Block {
	out := o.GroupSummary(p)
	var entries []document.ListItem
	for _, f := range findings {
		entries = append(entries, findingEntry(f, ""))
	}
	out = append(out, present.Section("Node findings", 2, document.Bullets, entries)...)
	for _, sub := range o.Groups(by, items) {
		if len(sub.Items) == 0 {
			continue
		}
		out = append(out, document.Title(2, sub.Title()))
		if by == ByReason {
			out = append(out, document.Note(sub.reason.because))
			for _, a := range advice(o.do(sub.Items[0])) {
				out = append(out, document.Paragraph{Text: a})
			}
		}
		list := document.List{}
		for _, i := range sub.Items {
			list.Entries = append(list.Entries, o.row(i, by != ByReason && p.By != ByReason))
		}
		out = append(out, list)
	}
	return out
}

// row is one container of a list, with its prediction and rule where nothing above
// says them.
func (o *View) row(i int32, rule bool) document.ListItem {
	it := &o.Report.Items[i]
	text := it.Namespace + "/" + it.Pod + "/" + it.Container
	if it.Kind != "app" && it.Kind != "" {
		text += " (" + it.Kind + ")"
	}
	e := document.ListItem{Text: document.Say(text),
		Anchor: document.Anchor{Copy: o.Line(i), Cause: it.Rule, Opens: strconv.Itoa(int(i))}}
	if rule {
		e.Label, e.Text = document.Word(string(it.Prediction)), document.Say(text+"  "+it.Rule)
	}
	return e
}

// Line says a prediction in one line, for a clipboard.
func (o *View) Line(i int32) string {
	it := &o.Report.Items[i]
	return fmt.Sprintf("%s/%s/%s: %s (%s): %s", it.Namespace, it.Pod, it.Container, it.Prediction, it.Rule, it.Because)
}

// predictions say what each word means.
var predictions = map[report.Prediction]string{
	report.Restarts:   "the new kubelet stops and restarts it",
	report.MayRestart: "it depends on something that cannot be known in advance",
	report.Stays:      "it is not affected", report.Undetermined: "the evidence does not show it",
}

// ContainerPage is all that is known about one container.
func (o *View) ContainerPage(i int32) []document.Block {
	it := &o.Report.Items[i]
	fields := func(rows ...[2]string) document.List {
		list := document.List{Kind: document.Fields}
		for _, f := range rows {
			if f[1] != "" {
				list.Entries = append(list.Entries, document.ListItem{
					Label: document.Say(f[0]), Text: document.Say(f[1]), Anchor: document.Anchor{Copy: f[1], Cause: it.Rule},
				})
			}
		}
		return list
	}
	rows := [][2]string{{"do", o.do(i)}, {"because", it.Because}, {"proof", it.Proof},
		{"rule", it.Rule}, {"function", it.Function}}
	for _, a := range it.Assumed {
		rows = append(rows, [2]string{"assumed", a})
	}
	blocked := ""
	if n := o.nodes[it.Node]; n != nil && n.Blocked {
		blocked = notYet
	}
	return []document.Block{
		document.Paragraph{Text: document.Join("  ", document.Word(string(it.Prediction)),
			document.In(document.Strong, predictions[it.Prediction]))},
		fields(rows...),
		document.Title(2, "The container"),
		fields([][2]string{{"node", it.Node}, {"kubelet", o.Kubelet(it.Node)},
			{"note", blocked}, {"pod", it.Namespace + "/" + it.Pod},
			{"pod uid", it.PodUID}, {"container", it.Container}, {"kind", it.Kind}}...),
	}
}

// Glossary say what the words of a preflight mean.
func Glossary() []document.Block {
	var words, levels []document.ListItem
	for _, p := range report.Predictions() {
		words = append(words, document.ListItem{Label: document.Word(string(p)), Text: document.Say(predictions[p])})
	}
	for n, l := range report.FindingLevels() {
		meaning := [...]string{"the new kubelet exits at once; the containers keep running without one",
			"not supported, or dangerous", "it could not be read: check it", "for information: it stops nothing"}[n]
		levels = append(levels, document.ListItem{Label: document.Word(string(l)), Text: document.Say(meaning)})
	}
	return slices.Concat(present.Section("What a prediction means for a container", 2, document.Fields, words),
		present.Section("What a finding means for a node", 2, document.Fields, levels))
}

// Gist is the worst that there is to say of a group, "" where nothing is.
func (o *View) Gist(p *Group) string {
	if p.By == ByReason {
		return p.reason.because
	}
	if f := o.Findings(p); len(f) > 0 && f[0].Level != report.FindingNote {
		return string(f[0].Level) + ": " + f[0].Text
	}
	if len(p.Items) > 0 && p.Worst() != report.Stays {
		return string(p.Worst()) + ": " + o.Report.Items[p.Items[0]].Rule
	}
	return ""
}
