// Package present turns a report into pages (package document). It is the only place for the texts, the order and the
// limits of what people read: the output of a terminal, a ticket, an HTML page and the viewer are the same page in four
// forms.
//
// What never enters: a judgement, markup, colours, widths, and raw text (a report's is already safe).
package present

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// Find returns the evidence with an id, or nil.
type Find func(id string) *report.Evidence

// Index returns a fast lookup of a report's evidence: report.Find, which is linear, is too slow for a large one.
func Index(r *report.Report) Find {
	all := make(map[string]*report.Evidence, len(r.Evidence))
	for i := range r.Evidence {
		all[r.Evidence[i].ID] = &r.Evidence[i]
	}
	return func(id string) *report.Evidence { return all[id] }
}

// Stamp formats a time to the second, in UTC, "" for none.
func Stamp(t *time.Time) string { return stamped(t, "2006-01-02 15:04:05Z") }

func stamped(t *time.Time, layout string) string {
	if t == nil {
		return ""
	}
	return t.UTC().Format(layout)
}

// clock formats the time of day if it is on the day of ref, else with its date.
func clock(t, ref *time.Time) string {
	if stamped(t, time.DateOnly) == stamped(ref, time.DateOnly) {
		return stamped(t, time.TimeOnly)
	}
	return stamped(t, time.DateTime)
}

// End returns how an instance ended, as in kubectl describe: "OOMKilled, exit 137". It is "" where unknown.
func End(i *report.Instance) string {
	if i == nil {
		return ""
	}
	code, signal := "", ""
	if i.ExitCode != nil {
		code = "exit " + strconv.Itoa(int(*i.ExitCode))
	}
	if i.Signal != 0 {
		signal = "signal " + strconv.Itoa(int(i.Signal))
	}
	return Joined(", ", i.Reason, code, signal)
}

// Lifetime returns how long an instance ran, "" where its start or end is unknown.
func Lifetime(i *report.Instance) string {
	if i == nil || i.StartedAt == nil || i.FinishedAt == nil || i.FinishedAt.Before(*i.StartedAt) {
		return ""
	}
	run := i.FinishedAt.Sub(*i.StartedAt).Round(time.Second)
	if run == 0 {
		return "less than 1s" // the API has whole seconds
	}
	return report.Lasted(run)
}

// Qualified returns a pod's name with its namespace, as far as they are known.
func Qualified(namespace, pod string) string {
	if namespace == "" || pod == "" {
		return pod
	}
	return namespace + "/" + pod
}

// Pod returns the name of an item's pod with its namespace.
func Pod(i *report.Item) string { return Qualified(i.Namespace, i.Pod) }

// WithKind returns a container's name with its kind, unless it is an app container; "" where there is no name.
func WithKind(name, kind string) string {
	if name != "" && kind != "" && kind != "app" {
		return name + " (" + kind + ")"
	}
	return name
}

// Container returns the name of an item's container with its kind; "" for an item about a whole pod.
func Container(i *report.Item) string { return WithKind(i.Container, i.ContainerKind) }

// First returns the first entries of a list, at most so many, 0 for all, and how many are left.
func First[T any](all []T, most int) (shown []T, left int) {
	if most <= 0 || len(all) <= most {
		return all, 0
	}
	return all[:most:most], len(all) - most
}

// verbs are the verbs for an item in a sentence.
var verbs = map[report.ItemKind]string{
	report.Restart: "restarted", report.Death: "ended", report.Refused: "never started", report.None: "did not restart",
}

// Headline describes an item: "shop/web-0 container a restarted 2026-… on n1".
func Headline(i *report.Item) string {
	what := Container(i)
	switch {
	case i.Container == unnamedThing:
		what = "a container"
	case what != "":
		what = "container " + what
	}
	switch {
	case i.Pod == unnamedThing && what == "":
		return Words("An unnamed pod", happened(i))
	case i.Pod == unnamedThing:
		return Words(capital(what), "of an unnamed pod", happened(i))
	case i.Container == unnamedThing:
		return Words(Pod(i)+":", what, happened(i))
	}
	return Words(Pod(i), what, happened(i))
}

const (
	// unnamedThing is the name of a pod, a container or a node that no source names.
	unnamedThing = "?"
	// unnamedNode is the node of logs that do not say which node they are from.
	unnamedNode = "unnamed"
)

// happened says what happened to a container, when and where, without its name.
func happened(i *report.Item) string {
	where := ""
	if i.Node != "" && i.Node != unnamedThing && i.Node != unnamedNode {
		where = "on " + i.Node
	}
	return Words(verbs[i.Kind], Stamp(i.Time), where)
}

// Words joins the parts that are not empty with a space.
func Words(parts ...string) string { return Joined(" ", parts...) }

// Joined joins the parts that are not empty with a separator.
func Joined(separator string, parts ...string) string {
	var b strings.Builder
	for _, p := range parts {
		if p == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteString(separator)
		}
		b.WriteString(p)
	}
	return b.String()
}

// Sentence returns the summary without the container or the pod, which is shown next to it.
func Sentence(i *report.Item) string { return unnamed(i, i.Verdict.Summary) }

// unnamed removes what an item is about from the beginning of a text: its container, or the pod of an item about a
// whole pod.
func unnamed(i *report.Item, text string) string {
	names := []string{"container " + i.Container + ": ", "a container: "}
	if i.Container == "" {
		names = []string{"pod " + i.Pod + ": ", "a pod: "}
	}
	for _, name := range names {
		text = strings.TrimPrefix(text, name)
	}
	return text
}

// Origin says where evidence comes from.
func Origin(s report.Source) string { return Words(s.Kind, s.Node, s.Where) }

// citations number the evidence of one page in the order in which it is cited.
type citations struct {
	find   Find
	prefix string // prefix of the addresses on the page
	ids    []string
	number map[string]int
	gone   []string // cited, but not in the report
}

func cites(find Find, prefix string) *citations {
	return &citations{find: find, prefix: prefix, number: map[string]int{}}
}

// mostCites is how many numbers follow one sentence; the list below has all.
const mostCites = 4

// of returns the numbers of evidence: " [1] [2]". What the report does not contain has none, and is named below.
func (c *citations) of(ids []string) document.Text {
	var out document.Text
	shown := 0
	for _, id := range report.Unique(ids) {
		if c.find(id) == nil {
			if !slices.Contains(c.gone, id) {
				c.gone = append(c.gone, id)
			}
			continue
		}
		if c.number[id] == 0 {
			c.ids = append(c.ids, id)
			c.number[id] = len(c.ids)
		}
		if shown++; shown <= mostCites {
			out = append(out, document.Run{Text: " "}, document.Run{
				Style: document.Cite, Text: "[" + strconv.Itoa(c.number[id]) + "]", To: c.address(c.number[id]),
			})
		}
	}
	if shown > mostCites {
		out = append(out, document.Run{Style: document.Faint, Text: fmt.Sprintf(" +%d", shown-mostCites)})
	}
	return out
}

func (c *citations) address(n int) string { return c.prefix + "e" + strconv.Itoa(n) }

func (c *citations) cited(text string, ids []string) document.Text {
	return append(document.Say(text), c.of(ids)...)
}

// Section starts a part of a page, unless it has no entries.
func Section(title string, level int, kind document.ListKind, entries []document.ListItem) []document.Block {
	list := listed(kind, entries)
	if len(list) == 0 {
		return nil
	}
	return append([]document.Block{document.Title(level, title)}, list...)
}

// listed returns a list, unless it has no entries.
func listed(kind document.ListKind, entries []document.ListItem) []document.Block {
	if len(entries) == 0 {
		return nil
	}
	return []document.Block{document.List{Kind: kind, Entries: entries}}
}

// below returns what belongs below an entry of a list, nothing for "".
func below(style document.Style, text string) []document.Text {
	if text == "" {
		return nil
	}
	return []document.Text{document.In(style, text)}
}

// capital capitalizes a sentence, unless its first word is a name, which contains other characters than letters.
func capital(s string) string {
	first, _, _ := strings.Cut(s, " ")
	if strings.ContainsFunc(strings.TrimRight(first, ",:;"), func(r rune) bool { return r < 'a' || r > 'z' }) ||
		first == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
