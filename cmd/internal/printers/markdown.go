package printers

import (
	"fmt"
	"io"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// How much of a report goes into a ticket: who reads it wants the incidents and
// the newest restarts; -o html and -o json hold more.
const (
	markdownRows  = 200
	markdownFull  = 10
	markdownItems = 20 // of one incident
	markdownCites = 30 // evidence of one item
)

// markdown prints the report for a ticket, in what all dialects share, and tables
// as GitHub, GitLab and most trackers have them.
func (o Options) markdown(w io.Writer, r *report.Report) error {
	r.Normalise()
	var b strings.Builder
	x := newIndex(r)
	if len(r.Items) != 1 {
		fmt.Fprintf(&b, "# %s\n\n", prose(headline(r)))
	}
	about := "generated " + stamp(&r.GeneratedAt) + " by kubectl-restartwhy " + r.Tool.Version
	if scope := asked(r.Scope); scope != "" {
		about = scope + " · " + about
	}
	if len(r.Items) != 1 {
		fmt.Fprintf(&b, "%s\n", prose(about))
		markdownIncidents(&b, r)
		markdownTable(&b, r)
	}
	for n := range r.Items[:min(len(r.Items), markdownFull)] {
		if n > 0 || len(r.Items) != 1 {
			b.WriteByte('\n')
		}
		markdownItem(&b, &r.Items[n], x)
	}
	if more := len(r.Items) - markdownFull; more > 0 {
		fmt.Fprintf(&b, "\n*The newest %d of %d restarts are told in full; `-o html` tells more, `-o json` all.*\n", markdownFull, len(r.Items))
	}
	for n, note := range r.NodeNotes {
		if n == 0 {
			b.WriteString("\n## Nodes\n\n")
		}
		fmt.Fprintf(&b, "- %s: %s\n", code(note.Node), prose(strings.TrimSpace(note.Text+" "+note.Hint)))
	}
	for n, g := range r.Gaps {
		if n == 0 {
			b.WriteString("\n## Evidence that could not be had\n\n")
		}
		if n == markdownRows {
			fmt.Fprintf(&b, "- and %d more\n", len(r.Gaps)-n)
			break
		}
		fmt.Fprintf(&b, "- %s\n", prose(gapLine(g)))
	}
	if len(r.Items) == 1 {
		fmt.Fprintf(&b, "\n%s\n", prose(about))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func markdownIncidents(b *strings.Builder, r *report.Report) {
	by := tallies(r)
	at := make(map[string]*report.Item, len(r.Items))
	for i := range r.Items {
		at[r.Items[i].ID] = &r.Items[i]
	}
	for n, c := range r.Incidents {
		if n == 0 {
			b.WriteString("\n## Incidents\n\n")
		}
		if n == markdownRows {
			fmt.Fprintf(b, "- and %d more\n", len(r.Incidents)-n)
			break
		}
		fmt.Fprintf(b, "- **%s** (%s, %s)", prose(c.Summary), code(c.Cause), prose(by.of(c.Items)))
		if c.Start != nil {
			b.WriteString(", " + stamp(c.Start))
		}
		var names []string
		for n, id := range c.Items {
			if n == markdownItems {
				names = append(names, fmt.Sprintf("and %d more", len(c.Items)-n))
				break
			}
			if i := at[id]; i != nil {
				pod, container := title(i)
				names = append(names, code(strings.TrimSpace(pod+" "+container)))
			}
		}
		if len(names) > 0 {
			b.WriteString("\n  " + strings.Join(names, ", "))
		}
		b.WriteByte('\n')
	}
}

func markdownTable(b *strings.Builder, r *report.Report) {
	if len(r.Items) == 0 {
		b.WriteString("\nNothing restarted in what was looked at.\n")
		return
	}
	b.WriteString("\n## Restarts\n\n| When | Pod | Container | Cause | Confidence | Summary |\n|---|---|---|---|---|---|\n")
	for n := range r.Items[:min(len(r.Items), markdownRows)] {
		i := &r.Items[n]
		pod, container := title(i)
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s |\n", stamp(i.Time), cell(code(pod)), cell(code(container)), cell(code(i.Verdict.Cause)), prose(string(i.Verdict.Confidence)), cell(prose(i.Verdict.Summary)))
	}
	if more := len(r.Items) - markdownRows; more > 0 {
		fmt.Fprintf(b, "\n*%d older restarts are not listed.*\n", more)
	}
}

// markdownItem tells one restart in full.
func markdownItem(b *strings.Builder, i *report.Item, x index) {
	v := &i.Verdict
	known := x.known(cited(i))
	number := make(map[string]int, len(known))
	for n, e := range known {
		number[e.ID] = n + 1
	}
	cites := func(ids []string) string {
		var out strings.Builder
		for _, id := range ids {
			if n := number[id]; n > 0 {
				fmt.Fprintf(&out, " (%d)", n)
			}
		}
		return out.String()
	}
	fmt.Fprintf(b, "## %s\n\n**%s** (%s): %s\n\n", prose(headed(i)), code(v.Cause), prose(string(v.Confidence)), prose(v.Summary))
	for _, f := range [][2]string{{"workload", i.WorkloadText()}, {"was", describe(i.From)}, {"is", describe(i.To)}} {
		if f[1] != "" {
			fmt.Fprintf(b, "- %s: %s\n", f[0], prose(f[1]))
		}
	}
	for n, l := range v.Chain {
		if n == 0 {
			b.WriteString("\n**Because**\n\n")
		}
		text := prose(l.Text)
		if l.At != nil {
			text += " · " + stamp(l.At)
		}
		fmt.Fprintf(b, "%d. *%s*: %s%s\n", n+1, prose(step(n, len(v.Chain), l.Role)), text, cites(l.Evidence))
	}
	for n, a := range v.Alternatives {
		heading(b, n, "Or else")
		fmt.Fprintf(b, "- %s (%s): %s%s\n", code(a.Cause), prose(string(a.Confidence)), prose(a.Sentence()), cites(a.Evidence))
	}
	for n, e := range groupEliminated(v.Eliminated) {
		heading(b, n, "Why not")
		fmt.Fprintf(b, "- %s: %s%s\n", code(e.list()), prose(e.because), cites(e.evidence))
	}
	if len(v.Missing) == 0 {
		b.WriteString("\n**Missing**: nothing\n")
	}
	for n, m := range v.Missing {
		heading(b, n, "Missing")
		text := m.What
		if m.Consequence != "" {
			text += ": " + m.Consequence
		}
		fmt.Fprintf(b, "- %s\n", prose(text))
		if m.Command != "" {
			fmt.Fprintf(b, "  %s\n", code(m.Command))
		}
	}
	for n, a := range v.Actions {
		heading(b, n, "Do")
		fmt.Fprintf(b, "- %s\n", prose(a))
	}
	for n, e := range known {
		heading(b, n, "Evidence")
		if n == markdownCites {
			fmt.Fprintf(b, "\n*%d more are left out.*\n", len(known)-n)
			break
		}
		from := strings.TrimSpace(stamp(e.Time) + " " + origin(e.Source))
		fmt.Fprintf(b, "%d. %s %s\n   %s\n", n+1, prose(from), code(e.ID), code(e.Text))
	}
}

// heading begins a list.
func heading(b *strings.Builder, n int, text string) {
	if n == 0 {
		fmt.Fprintf(b, "\n**%s**\n\n", text)
	}
}

// proseEscapes take their meaning from the characters that have one within a
// line. An @ is put into a code span of its own: a tracker would call the people
// that a log line names. A # and a digit would become a link to another ticket.
var proseEscapes = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", "&lt;", ">", "&gt;", "&", "&amp;",
	"~", `\~`, "|", `\|`, "$", `\$`, "#", "`#`", "@", "`@`", "\n", " ", "\r", " ")

// lineStarts mean something at the beginning of a line only.
const lineStarts = "-+=0123456789"

// prose writes a sentence so that nothing in it is taken for Markdown.
func prose(s string) string {
	s = proseEscapes.Replace(s)
	if s != "" && strings.ContainsRune("-+=", rune(s[0])) {
		return `\` + s
	}
	// "1. " would begin a list.
	if digits := strings.TrimLeft(s, lineStarts[3:]); len(digits) < len(s) && (strings.HasPrefix(digits, ".") || strings.HasPrefix(digits, ")")) {
		return s[:len(s)-len(digits)] + `\` + digits
	}
	return s
}

// code writes a text as it is. The fence is longer than any run of its own
// character within, as CommonMark wants it.
func code(s string) string {
	s = strings.NewReplacer("\n", " ", "\r", " ").Replace(s)
	if strings.TrimSpace(s) == "" {
		return ""
	}
	longest, run := 0, 0
	for _, c := range s {
		if c == '`' {
			run++
			longest = max(longest, run)
		} else {
			run = 0
		}
	}
	fence := strings.Repeat("`", longest+1)
	if longest > 0 {
		return fence + " " + s + " " + fence
	}
	return fence + s + fence
}

// cell keeps a text within its cell: a bar ends one even in a code span.
func cell(s string) string {
	var b strings.Builder
	for n := range len(s) {
		if s[n] == '|' && (n == 0 || s[n-1] != '\\') {
			b.WriteByte('\\')
		}
		b.WriteByte(s[n])
	}
	return b.String()
}
