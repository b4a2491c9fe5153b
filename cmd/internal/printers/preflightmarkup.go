package printers

import (
	"fmt"
	"io"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// preflightAbout says what was asked, when and by whom.
func preflightAbout(r *report.Preflight) string {
	about := "generated " + stamp(&r.GeneratedAt) + " by kubectl-restartwhy " + r.Tool.Version
	if scope := asked(r.Scope); scope != "" {
		about = scope + " · " + about
	}
	return about
}

// preflightMarkdown prints the report for a ticket or a pull request.
func preflightMarkdown(w io.Writer, r *report.Preflight) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s\n", prose(preflightHeadline(r)), prose(preflightAbout(r)))
	for n := range r.Nodes {
		if n == 0 {
			b.WriteString("\n| Node | Kubelet | Restarts | May | Unknown | Stays | Blocked |\n|---|---|---|---|---|---|---|\n")
		}
		if n == markdownRows {
			fmt.Fprintf(&b, "\n*%d more nodes are not listed.*\n", len(r.Nodes)-n)
			break
		}
		row := nodeRow(&r.Nodes[n])
		fmt.Fprintf(&b, "| %s | %s | %s |\n", cell(code(row[0])), cell(code(row[1])), strings.Join(row[2:], " | "))
	}
	for n, f := range sharedFindings(r) {
		if n == 0 {
			b.WriteString("\n## Nodes\n\n")
		}
		fmt.Fprintf(&b, "- **%s** %s: %s\n", prose(string(f.Level)), prose(f.where()), prose(f.Text))
		if f.Do != "" {
			fmt.Fprintf(&b, "  Do: %s\n", prose(f.Do))
		}
	}
	for n := range r.Groups {
		if n == 0 {
			b.WriteString("\n## Reasons\n\n")
		}
		g := &r.Groups[n]
		fmt.Fprintf(&b, "- **%s** (%s, %s): %s\n", prose(string(g.Prediction)), code(g.Rule), prose(groupSize(g)), prose(g.Because))
		if g.Do != "" {
			fmt.Fprintf(&b, "  Do: %s\n", prose(g.Do))
		}
	}
	items := affected(r)
	for n, it := range items {
		if n == 0 {
			b.WriteString("\n## Containers\n\n| Prediction | Node | Pod | Container | Rule | Proof |\n|---|---|---|---|---|---|\n")
		}
		if n == markdownRows {
			fmt.Fprintf(&b, "\n*%d more containers are not listed; `-o json` has them all.*\n", len(items)-n)
			break
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", prose(string(it.Prediction)), cell(code(it.Node)), cell(code(it.Namespace+"/"+it.Pod)), cell(code(it.Container)), cell(code(it.Rule)), cell(prose(it.Proof)))
	}
	for n, a := range preflightAssumed(r) {
		if n == 0 {
			b.WriteString("\n## Assumed\n\n")
		}
		fmt.Fprintf(&b, "- %s\n", prose(a))
	}
	for n, g := range r.Gaps {
		if n == 0 {
			b.WriteString("\n## Evidence that could not be had\n\n")
		}
		if n == listedGaps {
			fmt.Fprintf(&b, "- and %d more\n", len(r.Gaps)-n)
			break
		}
		fmt.Fprintf(&b, "- %s\n", prose(gapLine(g)))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// preflightCSS is for the tables, which the page of a report does not have. On a
// phone each row stands by itself, and every cell says what it is.
const preflightCSS = `table{border-collapse:collapse;width:100%;font-size:.93em}
th,td{text-align:left;vertical-align:top;padding:.2rem .6rem;border-bottom:1px solid var(--line)}
th{color:var(--faint);font-weight:normal;white-space:nowrap}
@media (max-width:45rem){table,tbody,tr{display:block}tr:has(th){display:none}tr{border-bottom:1px solid var(--line);padding:.4rem 0}td{display:grid;grid-template-columns:7rem minmax(0,1fr);border:0;padding:0}td::before{content:attr(data-of);color:var(--faint)}}
`

// preflightHTML prints the report as one file that needs nothing else.
func preflightHTML(w io.Writer, r *report.Preflight) error {
	var m markup
	m.b.WriteString("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
	m.b.WriteString("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n")
	m.b.WriteString("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n")
	m.el("title", preflightHeadline(r))
	m.b.WriteString("\n<style>\n" + pageCSS + preflightCSS + "</style>\n</head>\n<body>\n<main>\n")
	m.el("h1", preflightHeadline(r))
	m.el("p", preflightAbout(r)+" · all times are UTC", "class", "faint")
	rows := make([][]string, 0, min(len(r.Nodes), rowItems))
	for i := range r.Nodes[:min(len(r.Nodes), rowItems)] {
		rows = append(rows, nodeRow(&r.Nodes[i]))
	}
	m.section("Nodes, those that suffer most first", nodeHeads, rows, len(r.Nodes))
	if all := sharedFindings(r); len(all) > 0 {
		m.el("h2", "What is the matter with nodes")
		m.open("ul")
		for i := range all {
			f := &all[i]
			m.point(string(f.Level), f.where()+": "+f.Text, f.Do)
		}
		m.end("ul")
	}
	if len(r.Groups) > 0 {
		m.el("h2", "Reasons")
		m.open("ul")
		for i := range r.Groups {
			g := &r.Groups[i]
			m.point(string(g.Prediction), fmt.Sprintf("%s, %s: %s", g.Rule, groupSize(g), g.Because), g.Do)
		}
		m.end("ul")
	}
	rows = nil
	items := affected(r)
	for _, it := range items[:min(len(items), rowItems)] {
		rows = append(rows, []string{string(it.Prediction), it.Node, it.Namespace + "/" + it.Pod, it.Container, it.Kind, it.Rule, it.Proof})
	}
	m.section("Containers", []string{"PREDICTION", "NODE", "POD", "CONTAINER", "KIND", "RULE", "PROOF"}, rows, len(items))
	m.el("h2", "Assumed")
	m.open("ul")
	for _, a := range preflightAssumed(r) {
		m.el("li", a)
	}
	m.end("ul")
	if len(r.Gaps) > 0 {
		m.el("h2", "Evidence that could not be had")
		m.open("ul")
		for n, g := range r.Gaps {
			if n == listedGaps {
				m.el("li", fmt.Sprintf("and %d more, which -o json lists", len(r.Gaps)-n))
				break
			}
			m.el("li", gapLine(g))
		}
		m.end("ul")
	}
	m.b.WriteString("</main>\n</body>\n</html>\n")
	_, err := w.Write(m.b.Bytes())
	return err
}

// section writes a heading and a table; all is how many rows there would be.
func (m *markup) section(head string, heads []string, rows [][]string, all int) {
	if len(rows) == 0 {
		return
	}
	m.el("h2", head)
	m.open("table")
	m.open("tr")
	for _, h := range heads {
		m.el("th", h)
	}
	m.end("tr")
	for _, row := range rows {
		m.open("tr")
		for n, c := range row {
			m.el("td", c, "data-of", heads[n])
		}
		m.end("tr")
	}
	m.end("table")
	if more := all - len(rows); more > 0 {
		m.el("p", fmt.Sprintf("%d more are not listed; -o json has them all.", more), "class", "faint")
	}
}

// point writes an item of a list: a word that counts, what it is about, and what to do.
func (m *markup) point(word, text, do string) {
	m.open("li")
	m.el("strong", word)
	m.text(" " + text)
	if do != "" {
		m.el("div", "Do: "+do, "class", "faint")
	}
	m.end("li")
}
