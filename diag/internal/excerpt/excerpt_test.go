package excerpt

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/describe"
)

// The outputs of which a session is put together.
const (
	state = `    State:          Waiting
      Reason:       CrashLoopBackOff
    Last State:     Terminated
      Reason:       OOMKilled
      Exit Code:    137
      Started:      Mon, 02 Mar 2026 10:00:00 +0000
      Finished:     Mon, 02 Mar 2026 10:05:12 +0000
    Restart Count:  7
`
	table = `NAME    READY   STATUS             RESTARTS   AGE
web-0   0/1     CrashLoopBackOff   7          25m
`
	rows = `Events:
  Type     Reason     Age                From             Message
  ----     ------     ----               ----             -------
  Normal   Killing    2m (x3 over 20m)   kubelet, n1      Container app failed liveness probe, will be restarted
`
	description = `Name:         web-0
Namespace:    shop
Node:         n1/10.0.0.5
Status:       Running
Containers:
  app:
    Container ID:   containerd://0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
    Image:          registry.example/web:1
` + state + rows
	status = `status:
  containerStatuses:
  - name: app
    restartCount: 3
    lastState:
      terminated:
        exitCode: 137
        reason: OOMKilled
  phase: Running
`
	terminated = `{"terminated":{"exitCode":2,"reason":"Error","finishedAt":"2026-03-02T10:05:12Z"}}
`
	pod = `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"web-0","namespace":"shop","uid":"u1"},"status":{"phase":"Running"}}
`
	log = `I0302 10:05:12.400000    1234 kubelet.go:1953] SyncLoop (PLEG): "web-0_shop(u1)"
`
)

const (
	lastBoot   = "reboot   system boot  5.15.0-91-generi Tue Mar  5 10:21   still running\n"
	unitStatus = "● containerd.service - containerd container runtime\n     Active: active (running) since Mon 2026-03-02 UTC\n"
	goTemplate = "Container Name: app\nLastState: map[terminated:map[containerID:docker://0 exitCode:137 " +
		"message:it ended reason:OOMKilled]]\n"
	dockerState = `{"Status":"exited","OOMKilled":true,"ExitCode":137,"FinishedAt":"2026-03-02T10:05:12Z"}` + "\n"
	dockerRow   = `d744d2036120   shop/web:1   "/web"   4 hours ago   Exited (1) 2 hours ago     k8s_web_web-0_shop_u1_0
`
	eventRow = `  Normal   Killing   6s (x2 over 79s)   kubelet, n1   Stopping container app
`
)

func TestSplit(t *testing.T) {
	tests := map[string]struct {
		text  string
		kinds []Kind
	}{
		"one description is one part": {description, []Kind{Printed}},
		"a table and a description":   {table + "\n" + description, []Kind{Table, Printed}},
		"two descriptions": {strings.Replace(description, rows, "Events:  <none>\n\n\n", 1) + description,
			[]Kind{Printed, Printed}},
		"outputs in strings": {string(jsonOf(map[string]any{"role": "tool", "steps": []any{
			map[string]any{"command": "kubectl get po", "output": table},
			map[string]any{"out": state, "of": "a\nb"}}})) + "\n" + log,
			[]Kind{Table, Piece, Log}},
		"its lines in a list":            {string(jsonOf(map[string]any{"a": strings.Split(table, "\n")})) + "\n", []Kind{Table}},
		"the words of a container's end": {`{"terminated":{"exitCode":2,"message":` + string(jsonOf(table)) + `}}` + "\n", []Kind{JSON}},
		"a session": {"$ kubectl get po\n" + table + "$ kubectl describe po web-0\n" + description,
			[]Kind{Table, Printed}},
		"of a named user":             {"core@n1:~$ sudo journalctl -u kubelet | tail -1\n" + log, []Kind{Log}},
		"behind a prompt of brackets": {"[root@n1 ~]# kubectl get po\n" + table + "[root@n1 ~]# \n", []Kind{Table}},
		"PowerShell":                  {`PS C:\k> kubectl get po` + "\n" + table, []Kind{Table}},
		"a prompt of a directory":     {"[deploy]$ kubectl get po\n" + table, []Kind{Table}},
		"what a container wrote":      {"$ kubectl logs web-0\n" + log + "$ kubectl get po\n" + table, []Kind{Output, Table}},
		"fences of markdown": {"It restarts:\n```\n" + table + "```\nand\n```\n" + log + "```\n",
			[]Kind{Other, Table, Other, Log}},
		"rows that grep left":                 {"$ docker ps -a | grep web\n" + dockerRow, []Kind{Table}},
		"rows of events that lost their head": {eventRow, []Kind{Events}},
		"rows among what a container wrote":   {"$ kubectl logs web-0\n" + eventRow + dockerRow, []Kind{Output}},
		"rows in a description end nothing": {strings.Replace(description,
			"Reason:       OOMKilled", "Message:  a\n"+dockerRow, 1), []Kind{Printed}},
		"JSON ends with its last brace": {pod + table, []Kind{JSON, Table}},
		"boots in a session": {"$ ssh n1 last -x\n" + lastBoot + "$ kubectl get po\n" + table,
			[]Kind{Host, Table}},
		"a unit and its log":                   {unitStatus + "\nMar 02 10:05:12 n1 systemd[1]: Started containerd.\n", []Kind{Host, Log}},
		"crictl in a node that is a container": {"$ docker exec n1 crictl ps -a\n" + dockerRow, []Kind{Table}},
		"a container that looks like it":       {"$ kubectl exec web-0 -- docker ps -a\n" + dockerRow, []Kind{Output}},
		"a state":                              {state, []Kind{Piece}},
		"a state and the events":               {state + "\n" + rows, []Kind{Piece, Events}},
		"a status":                             {status, []Kind{YAML}},
		"a comment of a script is no prompt":   {"# kubectl is used below\nset -e\n", []Kind{Other}},
		"a message in a description ends nothing": {strings.Replace(description,
			"Reason:       OOMKilled", "Message:  a\n"+log+pod, 1), []Kind{Printed}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var kinds []Kind
			parts, _ := Split(test.text)
			for _, p := range parts {
				kinds = append(kinds, p.Kind)
			}
			if strings.Join(names(kinds), ", ") != strings.Join(names(test.kinds), ", ") {
				t.Errorf("%q, want %q", kinds, test.kinds)
			}
		})
	}
}

func jsonOf(v any) json.RawMessage {
	raw, _ := json.Marshal(v) // of strings, lists and maps: it cannot fail
	return raw
}

func names(kinds []Kind) (all []string) {
	for _, k := range kinds {
		all = append(all, string(k))
	}
	return all
}

func TestPiecesFindTheirPlace(t *testing.T) {
	tests := map[string]struct {
		text    string
		objects string // kind namespace/pod/container: what of it
	}{
		"a state": {state, "Pod default/?/?: OOMKilled 137"},
		"a state without its own line": {"It says\n\n  Reason:     OOMKilled\n  Exit Code:  1\n",
			"Pod default/?/?: OOMKilled 1"},
		"a container": {"  app:\n    Container ID:  docker://0\n" + state,
			"Pod default/?/app: OOMKilled 137"},
		"under its command": {"$ kubectl -n shop get pod web-0 -o json | jq '.status.containerStatuses[0].lastState'\n" +
			terminated, "Pod shop/web-0/?: Error 2"},
		"by a jsonpath": {
			"$ kubectl get pod/web-0 -n shop -o jsonpath='{.status.initContainerStatuses[0].lastState}'\n" + terminated,
			"Pod shop/web-0/init ?: Error 2"},
		"named by another piece": {state + "\n" + rows, "Pod default/?/app: OOMKilled 137; Event default/?/app: Killing"},
		"by a Go template": {"$ kubectl get pod web-0 -n shop -o go-template='{{.status}}'\n" + goTemplate,
			"Pod shop/web-0/app: OOMKilled 137"},
		"Docker's state": {"$ docker inspect k8s_app_web-0_shop_u1_4 --format '{{json .State}}'\n" + dockerState,
			"Pod shop/web-0/app: OOMKilled 137"},
		"a status": {status, "Pod default/?/app: OOMKilled 137"},
		"a list of statuses": {`[{"name":"a","lastState":` + terminated +
			`},{"name":"b","lastState":` + terminated + `}]`, "Pod default/?/a: Error 2, b: Error 2"},
		"beside a node with one pod": {status + "\n$ kubectl describe node n1\nName:   n1\nRoles:  <none>\nConditions:\n" +
			"Non-terminated Pods:  (1 in total)\n  shop  web-5d8f7c6b9d-2xk4p  100m (1%)\nEvents:  <none>\n",
			"Pod default/?/app: OOMKilled 137"},
		"named by what it waits for, in folded lines": {"containerStatuses:\n- name: a\n  lastState:\n    terminated:\n" +
			"      exitCode: 2\n      reason: Error\n  state:\n    waiting:\n" +
			"      message: back-off 10s restarting failed container=a\n" +
			"        pod=web-0_shop(0f5eb28f-6722-4cf5-ab0f-b62748c018d4)\n", "Pod shop/web-0/a: Error 2"},
		"what jq left of a status": {`{"name":"a","restartCount":1,"lastState":{"reason":"Error","exitCode":2}}`,
			"Pod default/?/a: Error 2"},
		"rows of events without their head": {eventRow, "Event default/?/app: Killing"},
		"events alone":                      {rows, "Event default/?/app: Killing"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			found, ok := Read(test.text, "f.txt", describe.Place{}, time.Date(2026, 3, 2, 10, 10, 0, 0, time.UTC))
			if !ok {
				t.Fatal("it is not taken apart")
			}
			var got []string
			for _, raw := range found.Objects {
				got = append(got, summary(t, raw))
			}
			if strings.Join(got, "; ") != test.objects {
				t.Errorf("%q, want %q", strings.Join(got, "; "), test.objects)
			}
		})
	}
}

// summary is an object in short.
func summary(t *testing.T, raw json.RawMessage) string {
	t.Helper()
	type container struct {
		Name      string
		LastState struct {
			Terminated struct {
				Reason   string
				ExitCode int
			}
		}
	}
	var o struct {
		Kind, Reason string
		Metadata     struct{ Namespace, Name string }
		Status       struct{ ContainerStatuses, InitContainerStatuses []container }
		Involved     struct{ Namespace, Name, FieldPath string } `json:"involvedObject"`
	}
	if err := json.Unmarshal(raw, &o); err != nil {
		t.Fatal(err)
	}
	if o.Kind == "Event" {
		name := strings.TrimSuffix(strings.TrimPrefix(o.Involved.FieldPath, "spec.containers{"), "}")
		return "Event " + o.Involved.Namespace + "/" + o.Involved.Name + "/" + name + ": " + o.Reason
	}
	var all []string
	for init, list := range map[string][]container{"": o.Status.ContainerStatuses,
		"init ": o.Status.InitContainerStatuses} {
		for _, c := range list {
			code, _ := json.Marshal(c.LastState.Terminated.ExitCode)
			all = append(all, init+c.Name+": "+c.LastState.Terminated.Reason+" "+string(code))
		}
	}
	return o.Kind + " " + o.Metadata.Namespace + "/" + o.Metadata.Name + "/" + strings.Join(all, ", ")
}

// What stands behind words that a container wrote is no better than they are.
func TestNothingBehindForeignWordsIsWhole(t *testing.T) {
	for name, before := range map[string]string{"a description": description, "a log": log, "a piece": state,
		"a string": string(jsonOf(map[string]any{"log": table})) + "\n"} {
		text := "$ kubectl get x\n" + before + "$ kubectl get pod web-0 -o json\n" + pod
		found, ok := Read(text, "f", describe.Place{}, time.Time{})
		if !ok || len(found.Objects) == 0 {
			t.Fatalf("%s: nothing is read", name)
		}
		last := string(found.Objects[len(found.Objects)-1])
		if !strings.Contains(last, `"uid":"described/shop/web-0"`) {
			t.Errorf("%s: %s", name, last)
		}
		for _, w := range found.Whole {
			if w.Kind == JSON {
				t.Errorf("%s: the pod is read as it stands", name)
			}
		}
	}
	quoted := string(jsonOf(map[string]any{"log": table + "\n" + pod})) + "\n"
	if found, _ := Read(quoted, "f", describe.Place{}, time.Time{}); len(found.Objects) != 1 ||
		!strings.Contains(string(found.Objects[0]), `"uid":"described/shop/web-0"`) {
		t.Errorf("a pod in a string: %s", found.Objects)
	}
	text := "$ kubectl get pod web-0 -o json\n" + pod
	if found, _ := Read(text, "f", describe.Place{}, time.Time{}); len(found.Whole) != 1 {
		t.Errorf("a pod behind its own command: %+v", found)
	}
}

// The status of the only container may lack the name, where somebody cut the paste behind it.
func TestTheOnlyContainerMayLackItsName(t *testing.T) {
	const cut = "  - image: x\n    lastState:\n      terminated:\n        exitCode: 3\n"
	const ofJSON = "It is:\n\n  \"containerStatuses\": [\n    {\n      \"name\": \"b\",\n" +
		`      "lastState": {"terminated": {"exitCode": 3, "reason": "Error"}}`
	for text, want := range map[string]string{
		"containerStatuses:\n" + cut:                   `"name":"?"`,
		"status:\n  containerStatuses:\n" + cut:        `"name":"?"`,
		"containerStatuses:\n" + cut + "    name: b\n": `"name":"b"`,
		// JSON from within a pod, cut behind a comma or within a string
		ofJSON + ",\n":            `"name":"b"`,
		ofJSON + ", \"x\": \"y\n": `"name":"b"`,
	} {
		found, ok := Read(text, "f", describe.Place{Pod: "p", Namespace: "n", Container: evidence.Unnamed}, time.Time{})
		if !ok || len(found.Objects) != 1 || !strings.Contains(string(found.Objects[0]), want) {
			t.Errorf("%s: %s", text, found.Objects)
		}
	}
}

// docker inspect prints every container of a machine that it is asked for.
func TestContainersOfDockerHaveTheirNames(t *testing.T) {
	const one = `{"Id": "a", "State": {"Running": false, "ExitCode": %d, "FinishedAt": "2025-05-30T21:45:11Z"}, "Name": "/%s"}`
	text := "[" + fmt.Sprintf(one, 3, "web") + ",\n" + fmt.Sprintf(one, 0, "db") + "]\n"
	found, ok := Read(text, "f", describe.Place{}, time.Time{})
	if !ok || len(found.Objects) != 1 || !strings.Contains(string(found.Objects[0]), `"name":"web"`) ||
		!strings.Contains(string(found.Objects[0]), `"name":"db"`) {
		t.Errorf("%s", found.Objects)
	}
}

func TestOtherTextsAreLeftToOthers(t *testing.T) {
	for name, text := range map[string]string{"a description": description, "a log": log, "a pod": pod, "a table": table,
		"prose": "It restarts.\n\nWhy?\n", "nothing": ""} {
		if _, ok := Read(text, "f", describe.Place{}, time.Time{}); ok {
			t.Errorf("%s was taken apart", name)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{description, lastBoot, unitStatus, goTemplate, state, status, terminated, table + log,
		"$ kubectl get po\n" + pod + "$ \n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		total := 0
		parts, _ := Split(text)
		for _, p := range parts {
			total += len(p.Lines)
		}
		if total > strings.Count(text, "\n")+1 {
			t.Errorf("%d lines came out of %d", total, strings.Count(text, "\n")+1)
		}
		found, _ := Read(text, "f", describe.Place{}, time.Time{})
		for _, raw := range found.Objects {
			if !json.Valid(raw) {
				t.Errorf("no JSON: %s", raw)
			}
		}
		describe.ReadPiece(strings.Split(text, "\n"), describe.Place{Pod: "p", Container: "c"})
	})
}

func TestEventsOfDockerAreItsStates(t *testing.T) {
	id := strings.Repeat("0123456789abcdef", 4)
	found, ok := Read("2024-03-05T10:12:44.1Z container oom "+id+" (name=k8s_app_web-0_shop_u1_0)\n"+
		"2024-03-05T10:12:44.3Z container die "+id+" (exitCode=137, image=x, name=k8s_app_web-0_shop_u1_0)\n",
		"f", describe.Place{}, time.Time{})
	if !ok || len(found.Whole) != 1 {
		t.Fatalf("%+v", found)
	}
	for _, want := range []string{`"ExitCode": 137`, `"OOMKilled": true`, `"/k8s_app_web-0_shop_u1_0"`, "10:12:44.3Z"} {
		if got := found.Whole[0].Text(); !strings.Contains(got, want) {
			t.Errorf("%s lacks %s", got, want)
		}
	}
}

// A container that no kubelet named is a pod of its own, with its last end.
func TestEventsOfOtherContainersAreTheirEnds(t *testing.T) {
	id := strings.Repeat("0123456789abcdef", 4)
	for head, want := range map[string]string{
		"2024-03-05T10:12:44.3Z container die %s (exitCode=139, image=x, name=db)\n":            "T10:12:44.3Z",
		"2024-03-05 10:12:44.3 +0200 CEST container died %s (name=db, containerExitCode=139)\n": "T10:12:44.3+02:00",
	} {
		line := fmt.Sprintf(head, id)
		found, _ := Read(line, "f", describe.Place{}, time.Time{})
		if len(found.Objects) != 1 {
			t.Fatalf("%q: %+v", line, found)
		}
		for _, want := range []string{`"exitCode":139`, `"name":"db"`, `"namespace":"default"`, want} {
			if got := string(found.Objects[0]); !strings.Contains(got, want) {
				t.Errorf("%s lacks %s", got, want)
			}
		}
	}
}

// Who shortens a line of the journal may keep its time and cut what the kubelet put before its file.
func TestALineOfTheJournalGetsTheKubeletsHeaderBack(t *testing.T) {
	const cut = "Dec 29 13:07:36 kubelet[1579]: kubelet.go:1917] SyncLoop (PLEG): \"cart-0_shop(0f8a1b2c)\", event: x"
	got, changed := tidy(cut, time.Date(2017, 12, 30, 0, 0, 0, 0, time.UTC))
	const want = "Dec 29 13:07:36 kubelet[1579]: I1229 13:07:36.000001       1 kubelet.go:1917] SyncLoop (PLEG): " +
		"\"cart-0_shop(0f8a1b2c)\", event: x"
	if !changed || got != want {
		t.Errorf("%v %q, want %q", changed, got, want)
	}
	if !Worn(cut+"\n") || Worn("Dec 29 13:07:36 n1 kubelet[80]: I1229 13:07:36.823 80 kubelet.go:1] x\n") {
		t.Error("a header that was cut off is not told from one that is there")
	}
}

// A log with a table, a command or a few words before it is a terminal's text, not the log of one program.
func TestATextIsATerminalsByWhatIsBeforeItsLog(t *testing.T) {
	const line = "Oct 12 19:00:20 n1 kernel: [ 8523.347168] app invoked oom-killer: order=0\n"
	for before, want := range map[string]bool{
		"": false,
		"NAME    READY   STATUS    RESTARTS      AGE\nweb-0   1/1     Running   1 (20s ago)   113s\n\n": true,
		"It ended at seven.\nkubectl describe po web-0\nContainers:\n":                                  true,
		"    Last State:     Terminated\n":                                                              true,
		"It ended at seven:\n":                                                                          false,
		line + "kubectl describe po web-0\n":                                                            false,
	} {
		if got := Prompted(before + strings.Repeat(line, 9)); got != want {
			t.Errorf("%q: %v", before, got)
		}
	}
}
