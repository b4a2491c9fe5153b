package pythondict

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
	got, changed := ToJSON("before\n" + pod + "behind\n")
	for _, want := range []string{"before\n", "behind\n", `"exitCode": 255`, `"containerStatuses"`, `"it isn't"`,
		"2026-03-02T10:00:05"} {
		if !changed || !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
	got, changed = ToJSON(`{"phase":"Failed","container_statuses":[{"name":"app","state":{"terminated":` +
		`{"exit_code":137,"finished_at":"2026-03-02 10:00:05+00:00"}}}]}`)
	for _, want := range []string{`"exitCode": 137`, `"containerStatuses"`, `"2026-03-02T10:00:05Z"`} {
		if !changed || !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
	for _, text := range []string{"{'a': 1}\n", "{'status': {'phase': \n", "nothing\n", "{'kind': 'Pod', 'x': [1, 2\n"} {
		if got, changed := ToJSON(text); changed || got != text {
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
		got, changed := ToJSON(text)
		if !changed && got != text {
			t.Fatal("a text without dicts was changed")
		}
		if lone := strings.TrimSpace(got); changed && strings.HasPrefix(lone, "{") && strings.HasSuffix(lone, "\n}") &&
			strings.Count(lone, "\n}") == 1 && !json.Valid([]byte(lone)) {
			t.Fatalf("no JSON: %s", got)
		}
	})
}

// TestObjectsOfOtherLanguagesBecomeJSON: consoles of JavaScript and Ruby print the same objects with other words.
func TestObjectsOfOtherLanguagesBecomeJSON(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"Node.js, of a class": {"CoreV1Event {\n  involvedObject: V1ObjectReference { kind: 'Pod', name: 'web-0' },\n" +
			"  lastTimestamp: 2024-09-25T20:00:00.000Z,\n  related: undefined,\n  reason: 'Evicted'\n}\n", `"reason": "Evicted"`},
		"without a class": {"{\n  name: 'app',\n  lastState: { terminated: { exitCode: 137, reason: 'OOMKilled' } },\n}\n",
			`"exitCode": 137`},
		"fields of a browser's tree": {"involvedObject: {\nkind: \"Pod\",\nname: \"web-0\"\n},\nreason: \"Evicted\",\n" +
			"message: \"low on memory. \",\n", `"message": "low on memory. "`},
		"Ruby":                {`{"name"=>"app", "lastState"=>{"terminated"=>{"exitCode"=>139, "message"=>nil}}}`, `"exitCode": 139`},
		"Ruby, with symbols":  {`{:kind=>"Event", :involvedObject=>{:kind=>"Pod"}, :reason=>"Killing"}`, `"reason": "Killing"`},
		"another object":      {"{\n  port: 8080,\n  host: 'a',\n}\n", ""},
		"YAML with a mapping": {"status: {\"terminated\": 1}\nname: \"app\"\n", ""},
		"JSON":                {"{\n  \"lastState\": {\"terminated\": {\"exitCode\": 1}}\n}\n", ""},
	} {
		got, changed := ToJSON("before\n" + c.text + "\nbehind\n")
		if changed != (c.want != "") || !strings.Contains(got, c.want) || !strings.HasPrefix(got, "before\n") ||
			!strings.HasSuffix(got, "behind\n") {
			t.Errorf("%s: %s, want %q", name, got, c.want)
		}
	}
}

// A time is in the zone that it names; one whose zone cannot be read is no time.
func TestTimesHaveZones(t *testing.T) {
	for zone, want := range map[string]string{
		"": "T10:00:05Z", ", tzinfo=tzutc()": "T10:00:05Z", ", tzinfo=datetime.timezone.utc": "T10:00:05Z",
		", tzinfo=tzoffset(None, 7200)": "T08:00:05Z", ", tzinfo=tzoffset('X', -3600)": "T11:00:05Z",
	} {
		got, ok := ToJSON("{'metadata': {'name': 'a', 'creation_timestamp': datetime.datetime(2026, 3, 2, 10, 0, 5" + zone +
			")}, 'status': {'container_statuses': []}}\n")
		if !ok || !strings.Contains(got, want) {
			t.Errorf("%q: %v, no %s in %s", zone, ok, want, got)
		}
	}
}
