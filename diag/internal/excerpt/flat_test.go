package excerpt

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestDictsOfPythonBecomeJSON(t *testing.T) {
	const pod = `{'api_version': 'v1', 'kind': 'Pod',
 'metadata': {'name': 'train-0', 'namespace': 'shop',
  'creation_timestamp': datetime.datetime(2026, 3, 2, 10, 0, 5, tzinfo=tzlocal())},
 'status': {'phase': 'Failed', 'reason': None, 'container_statuses': [{'name': 'app',
   'ready': False, 'restart_count': 0,
   'state': {'terminated': {'exit_code': 255, 'message': "it isn't", 'reason': 'Error'}}}]}}
`
	got, changed := undict("before\n" + pod + "behind\n")
	for _, want := range []string{"before\n", "behind\n", `"exitCode": 255`, `"containerStatuses"`, `"it isn't"`,
		"2026-03-02T10:00:05"} {
		if !changed || !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
	for _, text := range []string{"{'a': 1}\n", "{'status': {'phase': \n", "nothing\n", "{'kind': 'Pod', 'x': [1, 2\n"} {
		if got, changed := undict(text); changed || got != text {
			t.Errorf("%q: %q", text, got)
		}
	}
}

func FuzzDicts(f *testing.F) {
	for _, text := range []string{"{'kind': 'Pod', 'metadata': {'name': 'a'}}", "{'a': ", "{'status': {'phase': 'Failed', 'x': None}}",
		"{'status': " + strings.Repeat("[", 100)} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, changed := undict(text)
		if !changed && got != text {
			t.Fatal("a text without dicts was changed")
		}
		if lone := strings.TrimSpace(got); changed && strings.HasPrefix(lone, "{") && strings.HasSuffix(lone, "\n}") &&
			strings.Count(lone, "\n}") == 1 && !json.Valid([]byte(lone)) {
			t.Fatalf("no JSON: %s", got)
		}
	})
}

func TestDescriptionsWithoutIndentsAreNested(t *testing.T) {
	lines := strings.Split("Name: web-0\nNamespace: shop\nContainers:\napp:\nContainer ID: containerd://aa\nState: Running\n"+
		"Started: Mon, 02 Mar 2026 10:00:00 +0000\nLast State: Terminated\nReason: Error\nExit Code: 3\nRestart Count: 2", "\n")
	if !nest(lines) {
		t.Fatal("not nested")
	}
	for i, want := range map[int]string{3: "  app:", 4: "    Container ID:", 7: "    Last State:",
		8: "      Reason:", 9: "      Exit Code:"} {
		if !strings.HasPrefix(lines[i], want) {
			t.Errorf("%q, want %q", lines[i], want)
		}
	}
	if plain := []string{"State: of the union", "Reason: none"}; nest(plain) {
		t.Errorf("%q", plain)
	}
}

func TestMarksOfNotesAreTakenOff(t *testing.T) {
	noted := strings.Split("# NAME    READY   STATUS   RESTARTS   AGE\n# web-0   0/1     Error    3          5m\n# a\n# b\n# c\n# d", "\n")
	if !unnote(noted) || strings.HasPrefix(noted[1], "#") {
		t.Errorf("%q", noted)
	}
	if remarks := []string{"# one remark", "# and another"}; unnote(remarks) {
		t.Errorf("%q", remarks)
	}
}
