package main

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/test/field/internal/entry"
)

// system.tsv lists what a node's kernel, systemd and daemons and what controls nodes and pods print, and the cause that
// leads where such a line is all there is: "-" for none, a line that tells of no end. Columns: how it is printed, the
// cause, the message. A message of systemd's journal has its writer before "|"; an event's has object, type and reason.
//
//go:embed system.tsv
var system string

// What the parts of a system print is read alike in every form in which people paste it.
func TestMessagesOfTheSystem(t *testing.T) {
	for row := range strings.Lines(system) {
		c := strings.SplitN(strings.TrimSuffix(row, "\n"), "\t", 3)
		if strings.HasPrefix(row, "#") {
			continue
		}
		if len(c) != 3 {
			t.Fatalf("%q has %d columns, not 3", row, len(c))
		}
		for _, text := range printed(c[0], c[2]) {
			if got := leads(t, text); got != c[1] {
				t.Errorf("%s, want %s: %s", got, c[1], text)
			}
		}
	}
}

// leads returns the cause that leads for the only end that a text tells of, "-" for none.
func leads(t *testing.T, text string) string {
	t.Helper()
	e := &entry.Entry{Name: "paste", CollectedAt: time.Date(2026, 12, 1, 10, 0, 0, 0, time.UTC),
		Files: map[string][]byte{"paste.txt": []byte(text + "\n")}}
	r, err := e.Report()
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for i := range r.Items {
		v := &r.Items[i].Verdict
		if v.Confidence == report.Proven {
			t.Errorf("%s is proven: %s", v.Cause, text)
		}
		all = append(all, v.Cause)
	}
	if all = slices.Compact(all); len(all) == 0 {
		return "-"
	}
	return strings.Join(all, ", ")
}

// printed returns a message as the tools print it that people copy it from.
func printed(how, message string) []string {
	switch how {
	case "kernel":
		return []string{message, "[Mon Nov 30 10:00:00 2026] " + message, "Nov 30 10:00:00 n1 kernel: " + message}
	case "systemd":
		writer, said, _ := strings.Cut(message, "|")
		return []string{"Nov 30 10:00:00 n1 " + writer + ": " + said, "2026-11-30T10:00:00+0000 n1 " + writer + ": " + said}
	case "event":
		c := strings.SplitN(message, "|", 4)
		namespace := "shop"
		if strings.HasPrefix(c[0], "node/") {
			namespace = "default"
		}
		row := [][2]string{{"LAST SEEN", "5m"}, {"TYPE", c[1]}, {"REASON", c[2]}, {"OBJECT", c[0]}, {"MESSAGE", c[3]}}
		return []string{table(row), table(slices.Insert(row, 0, [2]string{"NAMESPACE", namespace}))}
	}
	return []string{message}
}

// table prints one row as kubectl does.
func table(row [][2]string) string {
	var head, values strings.Builder
	for _, c := range row {
		width := max(len(c[0]), len(c[1])) + 3
		fmt.Fprintf(&head, "%-*s", width, c[0])
		fmt.Fprintf(&values, "%-*s", width, c[1])
	}
	return strings.TrimSpace(head.String()) + "\n" + strings.TrimSpace(values.String())
}
