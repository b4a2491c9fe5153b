package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag"
	"github.com/restartwhy/kubectl-restartwhy/diag/apiobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/bundle"
	"github.com/restartwhy/kubectl-restartwhy/diag/foreign"
)

var update = flag.Bool("update", false, "write what becomes of the lines")

// alone is the table's entry for one line.
type alone struct{ items, line string }

const linesFile = "lines.tsv"

// lines reads the table; its first line is a comment.
func lines(t *testing.T) (comment string, all []alone) {
	t.Helper()
	text, err := os.ReadFile(linesFile)
	if err != nil {
		t.Fatal(err)
	}
	rows := strings.Split(strings.TrimSpace(string(text)), "\n")
	for _, row := range rows[1:] {
		items, line, ok := strings.Cut(row, "\t")
		if !ok {
			t.Fatalf("no tab in %q", row)
		}
		all = append(all, alone{items, line})
	}
	return rows[0], all
}

// itemsOf returns the items for a text, in the table's form.
func itemsOf(t *testing.T, text string) string {
	t.Helper()
	at := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	b, _, err := foreign.Open("-", "", bundle.Options{Stdin: strings.NewReader(text), Now: at})
	if err != nil {
		return "-"
	}
	defer b.Close()
	r := analyzer.Analyze(diag.Observe(diag.Load(b, apiobject.Hasher{}), at), analyzer.Options{GeneratedAt: at})
	var out []string
	for i := range r.Items {
		out = append(out, itemText(&r.Items[i]))
	}
	if out == nil {
		return "-"
	}
	return strings.Join(out, "; ")
}

func itemText(i *report.Item) string {
	return fmt.Sprintf("%s/%s/%s %s %s %s", i.Namespace, i.Pod, i.Container, i.Kind, i.Verdict.Cause, i.Verdict.Confidence)
}

// A person who asks about an end may have only one line about it.
func TestALineAloneIsAnItem(t *testing.T) {
	comment, all := lines(t)
	var now bytes.Buffer
	fmt.Fprintln(&now, comment)
	for _, l := range all {
		got := itemsOf(t, l.line+"\n")
		if !*update && got != l.items {
			t.Errorf("%s\n got %s\nwant %s", l.line, got, l.items)
		}
		if strings.Contains(got, " proven") {
			t.Errorf("%s\nis proven by one line that anybody may have written: %s", l.line, got)
		}
		fmt.Fprintf(&now, "%s\t%s\n", got, l.line)
	}
	if *update {
		if err := os.WriteFile(linesFile, now.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// What one of two lines shows is not lost when the other is added, in any order.
func TestTwoLinesAreNotSilent(t *testing.T) {
	_, all := lines(t)
	for i, l := range all {
		next := all[(i+1)%len(all)]
		if l.items == "-" && next.items == "-" {
			continue
		}
		for _, text := range []string{l.line + "\n" + next.line + "\n", next.line + "\n" + l.line + "\n"} {
			if itemsOf(t, text) == "-" {
				t.Errorf("nothing is said of\n%s", text)
			}
		}
	}
}
