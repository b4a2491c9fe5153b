package present

import (
	"slices"
	"strconv"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// ItemOptions say how much is shown of one item.
type ItemOptions struct {
	// Level is that of the headings within.
	Level int
	// Prefix is the prefix of this item's addresses on its page.
	Prefix string
	// Evidence is how many pieces are listed, 0 for all.
	Evidence int
	// Text is the maximal length of a piece, in characters; 0 for no limit.
	Text int
	// Story draws the timeline; nil draws none.
	Story *report.ItemDetail
	// When adds the time and the node, where no headline has them.
	When bool
	// RuledOut shows what is ruled out unfolded; Short omits its evidence.
	RuledOut, Short bool
}

// itemPage writes the page of one item.
type itemPage struct {
	*citations
	it *report.Item
	o  ItemOptions
	document.Doc
}

// Item returns what is known of one item, the answer first: the cause and the end as the user knows it, what to do,
// what happened, the application's output, what else fits, what would decide, the evidence, and what is ruled out.
func Item(it *report.Item, find Find, o ItemOptions) []document.Block {
	p := &itemPage{citations: cites(find, o.Prefix), it: it, o: o}
	p.answer()
	p.actions()
	p.chain()
	p.lastLines()
	p.alternatives()
	p.doubts()
	p.missing()
	p.timeline()
	p.Add(Section("Evidence", o.Level, document.Numbered, p.evidence(0))...)
	if len(p.gone) > 0 {
		p.Add(document.Note("cited, but not in this report: " + strings.Join(p.gone, ", ")))
	}
	p.instances()
	p.ruledOut()
	return p.Blocks
}

// Answer returns the beginning of an item's page, which is enough below a list.
func Answer(it *report.Item, find Find, o ItemOptions) []document.Block {
	p := &itemPage{citations: cites(find, o.Prefix), it: it, o: o}
	p.answer()
	p.actions()
	p.chain()
	return p.Blocks
}

func (p *itemPage) section(title string, kind document.ListKind, entries []document.ListItem) {
	p.Add(Section(title, p.o.Level, kind, entries)...)
}

func (p *itemPage) anchor(ids []string) document.Anchor {
	return document.Anchor{Evidence: ids, Cause: p.it.Verdict.Cause}
}

// answer is the cause with its confidence, the end, and the summary.
func (p *itemPage) answer() {
	v := &p.it.Verdict
	head := document.Word(string(v.Confidence))
	if v.Cause != string(v.Confidence) { // "unknown" must not appear twice
		head = sure(v.Cause, v.Confidence)
	}
	if end := End(p.it.From); end != "" {
		head = append(head, document.Run{Text: " · " + Joined(" after ", end, Lifetime(p.it.From))})
	}
	var proof []string
	for i := range v.Chain {
		proof = append(proof, v.Chain[i].Evidence...)
	}
	p.Add(document.Paragraph{Text: head, Anchor: p.anchor(report.Unique(proof))}, document.Para(sentence(p.it)))
	if p.o.When {
		p.Add(document.Note(happened(p.it)))
	}
}

// sentence capitalizes the summary, unless that would change the container's name.
func sentence(it *report.Item) string {
	s := Sentence(it)
	if it.Container != "" && strings.HasPrefix(s, it.Container+" ") {
		return s
	}
	return capital(s)
}

// sure returns a cause with its confidence: "oom-node (likely)".
func sure(cause string, c report.Confidence) document.Text {
	return append(append(append(document.In(document.Strong, cause), document.Run{Text: " ("}),
		document.Word(string(c))...), document.Run{Text: ")"})
}

func (p *itemPage) actions() {
	var entries []document.ListItem
	for _, a := range p.it.Verdict.Actions {
		entries = append(entries, document.ListItem{Text: document.Say(step(a)),
			Anchor: document.Anchor{Copy: copied(a), Cause: p.it.Verdict.Cause}})
	}
	name := "What to do"
	if c := p.it.Verdict.Confidence; c == report.Possible {
		name = "What to do, if this is the cause"
	}
	p.section(name, document.Bullets, entries)
}

// copied returns the command with which an advice ends, the whole advice if it ends with none.
func copied(advice string) string {
	if _, command, ok := strings.Cut(advice, ": kubectl"); ok {
		return "kubectl" + command
	}
	return advice
}

// step capitalizes an advice, unless it is a command.
func step(text string) string {
	for _, program := range []string{"kubectl", "crictl", "journalctl", "systemctl", "docker", "dmesg"} {
		if strings.HasPrefix(text, program) {
			return text
		}
	}
	return capital(text)
}

func (p *itemPage) chain() {
	links := p.it.Verdict.Chain
	var entries []document.ListItem
	for n := range links {
		l := &links[n]
		anchor := p.anchor(l.Evidence)
		if l.Cause != "" {
			anchor.Cause = l.Cause
		}
		entries = append(entries, document.ListItem{
			Label: document.Say(role(n, len(links), l.Role, p.it.Verdict.Confidence)), At: clock(l.At, p.it.Time),
			Text: p.cited(l.Text, l.Evidence), Anchor: anchor,
		})
	}
	p.section("What happened", document.Chain, entries)
}

// role names a link of the chain, by its position in a report of a version that set no roles. A root is as certain as
// the verdict.
func role(n, of int, r report.Role, c report.Confidence) string {
	switch {
	case r != report.RoleRoot && (r != "" || n > 0):
	case c == report.Likely, c == report.Possible:
		return string(c) + " cause"
	case c == report.Unknown:
		return "known"
	default:
		return "root cause"
	}
	switch {
	case r == report.RoleBehind:
		return "trigger"
	case r == "" && n == of-1:
		return "effect"
	case r == "":
		return "then"
	}
	return string(r)
}

// likeliest is how many alternatives are shown unfolded: a tired reader tries two or three.
const likeliest = 4

func (p *itemPage) alternatives() {
	var entries []document.ListItem
	for i := range p.it.Verdict.Alternatives {
		a := &p.it.Verdict.Alternatives[i]
		entries = append(entries, document.ListItem{Label: sure(a.Cause, a.Confidence),
			Text:   p.cited(capital(unnamed(p.it, a.Text)), a.Evidence),
			Anchor: document.Anchor{Evidence: a.Evidence, Cause: a.Cause}})
	}
	p.folded("Also possible", "less likely", entries, likeliest)
}

// folded adds a section that shows that many entries and folds the rest, unless that is only one.
func (p *itemPage) folded(title, rest string, entries []document.ListItem, shown int) {
	if len(entries) <= shown+1 {
		p.section(title, document.Bullets, entries)
		return
	}
	p.section(title, document.Bullets, entries[:shown])
	p.Add(document.Fold{Level: p.o.Level, Open: p.o.RuledOut,
		Summary: document.Say("And " + strconv.Itoa(len(entries)-shown) + " " + rest),
		Blocks:  listed(document.Bullets, entries[shown:]),
		Anchor:  document.Anchor{Cause: p.it.Verdict.Cause}})
}

func (p *itemPage) instances() {
	mechanism := p.it.Verdict.Mechanism
	if mechanism == p.it.Verdict.Cause {
		mechanism = "" // already above
	}
	workload := p.it.WorkloadText()
	if p.it.Pod == unnamedThing {
		workload = "" // that is made from its name
	}
	entries := document.FieldsOf("before", instance(p.it.From, p.it),
		"after", instance(p.it.To, p.it), "workload", workload,
		"mechanism", mechanism, "id", p.it.ID)
	for n := range entries {
		entries[n].Anchor = p.anchor(nil)
	}
	p.section("The container", document.Fields, entries)
}

func (p *itemPage) evidence(from int) []document.ListItem {
	var entries []document.ListItem
	for n := from; n < len(p.ids); n++ {
		if p.o.Evidence > 0 && n >= p.o.Evidence {
			return append(entries,
				document.ListItem{Text: document.In(document.Faint, strconv.Itoa(len(p.ids)-n)+" more in -o json")})
		}
		e := p.find(p.ids[n])
		entries = append(entries, document.ListItem{
			Number: n + 1,
			Label:  document.In(document.Faint, Words(clock(e.Time, p.it.Time), Origin(e.Source))),
			Below:  []document.Text{document.In(document.Code, document.Shorten(EvidenceText(e), p.o.Text))},
			Anchor: document.Anchor{ID: p.address(n + 1), Evidence: []string{p.ids[n]}, Cause: p.it.Verdict.Cause},
		})
	}
	return entries
}

// ruledOut is folded: a proven verdict rules out every other cause of the catalogue.
func (p *itemPage) ruledOut() {
	all := p.it.Verdict.Eliminated
	if len(all) == 0 {
		return
	}
	proof := len(p.ids)
	var entries []document.ListItem
	for _, e := range all {
		cites := e.Evidence
		if p.o.Short {
			cites = nil
		}
		first, _, _ := strings.Cut(strings.Join(e.Causes, " "), " ")
		entries = append(entries, document.ListItem{
			Label: document.In(document.Code, strings.Join(e.Causes, ", ")), Text: p.cited(e.Because, cites),
			Anchor: document.Anchor{Evidence: cites, Cause: first},
		})
	}
	p.Add(document.Fold{
		Level: p.o.Level, Summary: document.Say("Ruled out: " + report.Count(all.Count(), "other cause")), Open: p.o.RuledOut,
		Blocks: append(listed(document.Bullets, entries), listed(document.Numbered, p.evidence(proof))...),
		Anchor: document.Anchor{Cause: p.it.Verdict.Cause},
	})
}

// briefText is the maximal length of a line of evidence in a message, in characters.
const briefText = 160

// Brief returns an item in a few lines, for a message: the answer, what to do first, and that many lines of evidence.
// times is how often it happened.
func Brief(it *report.Item, find Find, times, lines int) []document.Block {
	p := &itemPage{citations: cites(find, ""), it: it, o: ItemOptions{Level: 2}}
	head := Headline(it)
	if times > 1 {
		head += " (the newest of " + strconv.Itoa(times) + ")"
	}
	p.Add(document.Para(head))
	p.answer()
	var entries []document.ListItem
	for _, a := range it.Verdict.Actions[:min(len(it.Verdict.Actions), 2)] {
		entries = append(entries, document.Field("do", a))
	}
	toRead := slices.IndexFunc(it.Verdict.Missing, func(m report.Missing) bool { return m.What != report.Doubt })
	if len(it.Verdict.Actions) == 0 && toRead >= 0 {
		m := it.Verdict.Missing[toRead]
		entries = append(entries, document.Field("check", Joined(": ", m.What, Joined("  # ", m.Command, onNode(m)))))
	}
	for _, id := range it.Verdict.Cited() {
		if e := find(id); e != nil && lines > 0 {
			lines--
			line := Words(clock(e.Time, it.Time), Origin(e.Source)+":", e.Text)
			entries = append(entries, document.Field("evidence", document.Shorten(line, briefText)))
		}
	}
	p.Add(document.List{Kind: document.Fields, Entries: entries})
	return p.Blocks
}

// lastLines adds the application's last output, where it was requested.
func (p *itemPage) lastLines() {
	log := p.it.PreviousLog
	if log == nil {
		return
	}
	said := "Written by the application, with secrets removed. It is not evidence: the verdict does not rest on it."
	switch {
	case len(log.Lines) == 0:
		said = "None: its log is empty."
	case log.Earlier:
		said += " It wrote more before."
	}
	p.Add(document.Title(p.o.Level, "What the application wrote last"), document.Note(said))
	var entries []document.ListItem
	for _, l := range log.Lines {
		text := document.Shorten(l.Text, p.o.Text)
		if text == "" {
			text = " "
		}
		entries = append(entries, document.ListItem{
			Label:  document.In(document.Faint, clock(l.At, p.it.Time)),
			Text:   document.In(document.Code, text),
			Anchor: document.Anchor{Copy: l.Text, Cause: p.it.Verdict.Cause},
		})
	}
	p.Add(listed(document.Fields, entries)...)
	if log.Hint != "" {
		p.Add(document.Note("These lines suggest what to look at first: " + log.Hint))
	}
}

// instance describes one instance of a container in a line, "" for none. Times on the item's day have no date.
func instance(i *report.Instance, of *report.Item) string {
	if i == nil {
		return ""
	}
	attempt := ""
	if i.Attempt != nil {
		attempt = "attempt " + strconv.Itoa(*i.Attempt)
	}
	return Joined(" · ", attempt, End(i), Named("started", clock(i.StartedAt, of.Time)),
		Named("finished", clock(i.FinishedAt, of.Time)),
		i.Image, Named("hash", i.Hash), ShortID(i.ContainerID))
}

// Named puts a name before a value that is not empty.
func Named(name, value string) string {
	if value == "" {
		return ""
	}
	return name + " " + value
}

// ShortID returns as much of a container's id as crictl prints, without the runtime's name.
func ShortID(id string) string {
	id = id[strings.LastIndex(id, "/")+1:]
	return id[:min(len(id), 13)]
}
