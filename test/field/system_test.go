package main

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/test/field/internal/entry"
)

// system.tsv lists what a node's kernel, systemd and daemons and what controls nodes and pods print, and the cause that
// leads where such a line is all there is: "-" for none, a line that tells of no end. Columns: how it is printed, the
// cause, the message, with \n for its line breaks. A message of systemd's journal has its writer before "|"; an event's
// has object, type and reason.
//
//go:embed system.tsv
var system string

// What the parts of a system print is read alike in every form in which people paste it.
func TestMessagesOfTheSystem(t *testing.T) {
	messages(t, func(how, want, message string) {
		for _, text := range printed(how, message) {
			if got := leads(t, text); got != want {
				t.Errorf("%s, want %s: %s", got, want, text)
			}
		}
	})
}

// Beside a person's question about a pod, the same cause leads for that pod, unless the message names another one.
func TestMessagesOfTheSystemBesideAQuestion(t *testing.T) {
	messages(t, func(how, want, message string) {
		if want == "-" || ofAnother.MatchString(message) {
			return
		}
		text := printed(how, message)
		if got := leads(t, "Why did our pod cart-5d4f8c7b9-x2k4q restart?\n\n"+text[len(text)-1]); got != want {
			t.Errorf("%s, want %s: %s", got, want, message)
		}
	})
}

// ofAnother matches what names another pod than that of the question, or a pod's cgroup.
var ofAnother = regexp.MustCompile(`\bdb-1\b|\bagent-abcde|\breport\b|report-abcde|\bKilled /kubepods`)

// log is what syslog puts before a message.
const log = "Nov 30 10:00:00 n1 "

// A row that counts a restart, and dates none, is explained by what the node says beside it.
func TestMessagesOfTheSystemBesideARow(t *testing.T) {
	const row = "NAME                   READY   STATUS    RESTARTS   AGE\n" +
		"cart-5d4f8c7b9-x2k4q   1/1     Running   1          3d\n\n"
	for message, want := range map[string]string{
		log + "kernel: Memory cgroup out of memory: Kill process 7 (java) score 9 or sa":          "oom-container-limit",
		log + "kernel: cart[4711]: segfault at 0 ip 0 sp 0 error 4 in libc.so.6[0+1000]":          "app-signal",
		log + "kernel: cupsd[4711]: segfault at 0 ip 0 sp 0 error 4 in libc.so.6[0+1000]":         "unknown",
		log + "systemd-coredump[9]: Process 4711 (firefox) of user 1000 dumped core.":             "unknown",
		log + `sudo[9]: ops : TTY=pts/0 ; USER=root ; COMMAND=/usr/sbin/reboot`:                   "node-reboot",
		log + `sudo[9]: ops : user NOT in sudoers ; TTY=pts/0 ; USER=root ; COMMAND=/sbin/reboot`: "unknown",
		log + "kernel: containerd-shim[7]: segfault at 0 ip 0 sp 0 error 4 in shim[0+1000]":       "unknown",
		log + `earlyoom[9]: sending SIGTERM to process 7 uid 0 "java": badness 801, VmRSS 12 MiB`: "oom-node",
		log + "systemd-coredump[9]: Process 4711 (java) of user 1000 dumped core.":                "app-signal",
		log + "systemd[1]: Reached target reboot.target - System Reboot.":                         "node-reboot",
		log + "systemd[1]: k3s.service: Failed with result 'exit-code'.":                          "runtime-restarted",
		table([][2]string{{"LAST SEEN", "5m"}, {"TYPE", "Warning"}, {"REASON", "SystemOOM"}, {"OBJECT", "node/n1"},
			{"MESSAGE", "System OOM encountered, victim process: java, pid: 4711"}}): "oom-node",
	} {
		if got := leads(t, row+message); got != want {
			t.Errorf("%s, want %s: %s", got, want, message)
		}
	}
}

// messages passes the rows of the table to yield.
func messages(t *testing.T, yield func(how, want, message string)) {
	t.Helper()
	for row := range strings.Lines(system) {
		if strings.HasPrefix(row, "#") {
			continue
		}
		c := strings.SplitN(strings.TrimSuffix(row, "\n"), "\t", 3)
		if len(c) != 3 {
			t.Fatalf("%q has %d columns, not 3", row, len(c))
		}
		yield(c[0], c[1], c[2])
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
		return []string{message, "[Mon Nov 30 10:00:00 2026] " + message, log + "kernel: " + message}
	case "systemd":
		writer, said, _ := strings.Cut(message, "|")
		return []string{log + writer + ": " + said, "2026-11-30T10:00:00+0000 n1 " + writer + ": " + said}
	case "event":
		c := strings.SplitN(message, "|", 4)
		namespace := "shop"
		if strings.HasPrefix(c[0], "node/") {
			namespace = "default"
		}
		row := [][2]string{{"LAST SEEN", "5m"}, {"TYPE", c[1]}, {"REASON", c[2]}, {"OBJECT", c[0]}, {"MESSAGE", c[3]}}
		return []string{table(row), table(slices.Insert(row, 0, [2]string{"NAMESPACE", namespace}))}
	}
	return []string{strings.ReplaceAll(message, `\n`, "\n")}
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
