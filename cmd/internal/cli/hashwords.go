package cli

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/forensics"
)

// writeStored tells of every stored hash, before the table of the present spec.
func (t *hashTable) writeStored(w io.Writer) {
	if t.Stored == nil {
		return
	}
	if title := t.title(); title != "" {
		fmt.Fprintf(w, "%s\n\n", title)
	}
	for i := range t.Stored {
		a := &t.Stored[i]
		fmt.Fprintf(w, "%s\n  %s\n", instanceLine(a), sentence(a.Sentence))
		for _, line := range details(a) {
			fmt.Fprintf(w, "  %s\n", line)
		}
		fmt.Fprintln(w)
	}
	if len(t.Stored) == 0 {
		fmt.Fprint(w, "No instance of its containers is known.\n\n")
	}
	if len(t.Items) > 0 {
		fmt.Fprint(w, "The present spec, by kubelet:\n\n")
	} else {
		fmt.Fprint(w, "What these versions store for the present spec is not in the evidence.\n")
	}
}

// instanceLine names a stored hash and what it is stored with.
func instanceLine(a *forensics.Answer) string {
	line := fmt.Sprintf("%s (%s)", a.Container, a.Kind)
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
		line += ", made " + a.Created.UTC().Format(time.RFC3339)
	}
	if a.Kubelet != "" {
		line += " by kubelet " + a.Kubelet
	}
	return line
}

// details are the lines below the sentence: what differs, how sure it is, what limits it.
func details(a *forensics.Answer) (out []string) {
	for _, d := range a.Difference {
		out = append(out, fmt.Sprintf("then %s: %s, now: %s", d.Field, d.Then, d.Now))
	}
	if len(a.MadeBy) > 0 {
		out = append(out, fmt.Sprintf("A chance match is one in %s: %d hashes were compared.", rounded(a.OneIn), a.Tried))
	}
	for _, n := range a.Notes {
		out = append(out, "note: "+n)
	}
	return out
}

// rounded tells a large number in words: nobody needs its digits.
func rounded(n uint64) string {
	for _, unit := range []struct {
		size uint64
		name string
	}{{1e9, "billion"}, {1e6, "million"}, {1e3, "thousand"}} {
		if n >= unit.size {
			return fmt.Sprintf("%.1f %s", float64(n)/float64(unit.size), unit.name)
		}
	}
	return fmt.Sprint(n)
}

// sentence begins with a capital and ends with a full stop.
func sentence(s string) string { return strings.ToUpper(s[:1]) + s[1:] + "." }

// markdown is the same for an issue or a ticket.
func (t *hashTable) markdown() string {
	var b strings.Builder
	if title := t.title(); title != "" {
		fmt.Fprintf(&b, "## %s\n\n", marked(title))
	}
	for i := range t.Stored {
		a := &t.Stored[i]
		fmt.Fprintf(&b, "### %s\n\n**%s**\n\n", marked(instanceLine(a)), marked(sentence(a.Sentence)))
		for _, line := range details(a) {
			fmt.Fprintf(&b, "- %s\n", marked(line))
		}
		b.WriteString("\n")
	}
	if t.Stored != nil && len(t.Stored) == 0 {
		b.WriteString("No instance of its containers is known.\n\n")
	}
	if len(t.Items) == 0 {
		b.WriteString("What these versions store for the present spec is not in the evidence.\n")
		return b.String()
	}
	for i, row := range t.rows(false) {
		for _, cell := range row {
			fmt.Fprintf(&b, "| %s ", marked(cell))
		}
		b.WriteString("|\n")
		if i == 0 {
			b.WriteString(strings.Repeat("|---", len(row)) + "|\n")
		}
	}
	return b.String()
}

// marked takes the meaning from what Markdown would read as marks.
func marked(s string) string {
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune("\\`*_{}[]<>#|~&", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
