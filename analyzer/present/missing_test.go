package present

import (
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// What would decide is ready to paste: with the item's names where they are known, else with placeholders.
func TestCommandsThatDecideHaveTheItemsNames(t *testing.T) {
	const events = "a Killing event: `kubectl get events -n NAMESPACE --field-selector involvedObject.name=POD`"
	for name, c := range map[string]struct {
		pod, container, own, what, want string
	}{
		"the output of a container": {"web-0", "app", "", "its last log lines: `" + report.LastOutput + "`",
			"its last log lines – kubectl logs web-0 -n shop -c app --previous"},
		"its own command": {"web-0", "app", "kubectl logs web-0 -n shop -c app", "`" + report.LastOutput + "`",
			"- kubectl logs web-0 -n shop -c app "},
		"no container": {"web-0", "?", "", "`" + report.LastOutput + "`",
			"kubectl logs web-0 -n shop -c CONTAINER --previous"},
		"events": {"web-0", "app", "", events, "-n shop --field-selector involvedObject.name=web-0"},
		"a pod without a name is in any namespace": {"?", "app", "", events,
			"-n NAMESPACE --field-selector involvedObject.name=POD"},
	} {
		i := anItem()
		i.Pod, i.Container, i.LogCommand, i.Verdict.Confidence = c.pod, c.container, c.own, report.Possible
		i.Verdict.Decide = []report.Decide{{Cause: []string{"app-exit-error"}, What: c.what}}
		text := strings.Join(lined(Item(i, evidence, ItemOptions{Level: 2})), "\n")
		if !strings.Contains(text, c.want) {
			t.Errorf("%s: no %q in\n%s", name, c.want, text)
		}
	}
}

// A command that several pieces need stands once, with the machine to run it on.
func TestACommandForANodeSaysWhere(t *testing.T) {
	i := anItem()
	i.Verdict.Confidence = report.Likely
	i.Verdict.Missing = []report.Missing{{What: "the runtime's log", Command: "collect", Node: "n1"},
		{What: "the kernel's log", Command: "collect", Node: "n1"}, {What: "more", Command: "look", Node: "NODE"}}
	text := strings.Join(lined(Item(i, evidence, ItemOptions{Level: 2})), "\n")
	if strings.Count(text, "collect  # on n1, as root") != 1 || !strings.Contains(text, "look  # on the node, as root") {
		t.Error(text)
	}
}

func TestCopyingAnAdviceTakesItsCommand(t *testing.T) {
	for advice, want := range map[string]string{
		"look for the reason: kubectl logs web-0":                 "kubectl logs web-0",
		"read the log, on n1 as root: kubectl-restartwhy collect": "kubectl-restartwhy collect",
		"raise the limit: it is too low":                          "raise the limit: it is too low",
	} {
		if got := copied(advice); got != want {
			t.Errorf("%q: %q, want %q", advice, got, want)
		}
	}
}
