package describe_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/describe"
)

func TestHeadOfARowThatLostIt(t *testing.T) {
	for name, c := range map[string]struct{ row, head string }{
		"a description's event": {
			"  Warning  BackOff    7s (x12 over 2m)   kubelet, n1  Back-off restarting failed container",
			"  Type     Reason     Age                From         Message"},
		"an event without its host": {
			"Normal   Killing         6s (x2 over 79s)     kubelet            Stopping container app",
			"Type     Reason          Age                  From               Message"},
		"an event of a namespace": {
			"4m1s        Warning   Unhealthy   pod/web-0   Readiness probe failed: no",
			"LAST SEEN   TYPE      REASON      OBJECT      MESSAGE"},
		"a pod": {
			"web-0        1/2       CrashLoopBackOff   6 (4m8s ago)   9m44s",
			"NAME         READY     STATUS             RESTARTS       AGE"},
		"a pod of a namespace, wide": {
			"shop          web-0        0/1       Evicted    0          9m     10.0.0.1      n1      <none>   <none>",
			"NAMESPACE     NAME         READY     STATUS     RESTARTS   AGE    IP            NODE    NOMINATED NODE"},
		"an event with all columns": {
			"2m          Normal   Killing   pod/web-0   spec.containers{app}   kubelet, n1   Stopping container app   5m           2       web-0.178b2f3c",
			"LAST SEEN   TYPE     REASON    OBJECT      SUBOBJECT              SOURCE        MESSAGE                  FIRST SEEN   COUNT   NAME"},
		"of all kinds": {
			"pod/web-0    0/1       Evicted   0          9m",
			"NAME         READY     STATUS    RESTARTS   AGE"},
		"an application's line": {row: "Warning: 3 of 4 checks failed"},
		"words with a ratio":    {row: "progress 1/2 done 7 of 9"},
		"nothing":               {},
	} {
		t.Run(name, func(t *testing.T) {
			if got := describe.HeadOf(c.row); got != c.head {
				t.Errorf("%q, want %q", got, c.head)
			}
		})
	}
}

func TestARowWithSingleBlanksIsRead(t *testing.T) {
	const row = "web-85485bd7fc-82sx6    1/1 Running   4 (118m ago)   15h\n"
	found, err := describe.Read(strings.NewReader(describe.HeadOf(strings.TrimSpace(row))+"\n"+row), describe.Table, "f",
		time.Time{}, nil)
	if err != nil || len(found.Objects) != 1 || !strings.Contains(string(found.Objects[0]), `"restartCount":4`) {
		t.Errorf("%v, %s", err, found.Objects)
	}
}

func TestATableOfPodsTellsTheLastEnd(t *testing.T) {
	printed := time.Date(2026, 3, 2, 10, 10, 30, 0, time.UTC)
	for restarts, want := range map[string]string{"1 (35m ago)": `"finishedAt":"2026-03-02T09:35:30Z"`,
		"3 (5m22s ago)": `"finishedAt":"2026-03-02T10:05:08Z"`, "1 (5h ago)": "", "2": "", "7 (12d ago)": ""} {
		table := "NAME    READY   STATUS    RESTARTS        AGE\nweb-0   1/1     Running   " + restarts + "   12d\n"
		found, err := describe.Read(strings.NewReader(table), describe.Table, "f", printed, nil)
		if err != nil || len(found.Objects) != 1 {
			t.Fatalf("%s: %v, %d objects", restarts, err, len(found.Objects))
		}
		got := string(found.Objects[0])
		if want == "" && strings.Contains(got, "lastState") || !strings.Contains(got, want) {
			t.Errorf("%s: %s", restarts, got)
		}
	}
}

// Whichever container it was that ended, all of a pod that is ready run.
func TestARowOfAReadyPodTellsThatItRunsAgain(t *testing.T) {
	for row, want := range map[string]bool{"2/2     Running": true, "1/2     Running": false, "0/0     Running": false,
		"1/1     CrashLoopBackOff": false} {
		table := "NAME    READY   STATUS    RESTARTS        AGE\nweb-0   " + row + "   1 (35m ago)   12d\n"
		found, err := describe.Read(strings.NewReader(table), describe.Table, "f", time.Time{}, nil)
		if err != nil || len(found.Objects) != 1 {
			t.Fatalf("%s: %v, %d objects", row, err, len(found.Objects))
		}
		if got := strings.Contains(string(found.Objects[0]), `"state":{"running":{}}`); got != want {
			t.Errorf("%s: runs is %v in %s", row, got, found.Objects[0])
		}
	}
}

func TestEventsOfChosenColumns(t *testing.T) {
	for name, table := range map[string]string{
		"kubectl's names": "LASTSEEN               TYPE     REASON    OBJECT      MESSAGE\n" +
			"2026-03-02T10:05:12Z   Normal   Killing   pod/web-0   Stopping container app\n",
		"others": "LAST                   POD     REASON    MSG\n" +
			"2026-03-02T10:05:12Z   web-0   Killing   Stopping container app\n",
	} {
		text := table + "\n"
		if got := describe.Sniff([]byte(text)); got != describe.Events {
			t.Fatalf("%s: %q", name, got)
		}
		found, err := describe.Read(strings.NewReader(text), describe.Events, "f", time.Time{}, nil)
		if err != nil || len(found.Objects) != 1 || len(found.Notes) != 0 {
			t.Fatalf("%s: %v, %+v", name, err, found)
		}
		for _, want := range []string{`"lastTimestamp":"2026-03-02T10:05:12Z"`, `"name":"web-0"`, `spec.containers{app}`} {
			if got := string(found.Objects[0]); !strings.Contains(got, want) {
				t.Errorf("%s: %s lacks %s", name, got, want)
			}
		}
	}
	conditions := "TYPE    STATUS   REASON   MESSAGE\nReady   True     KubeletReady   ready\n"
	if got := describe.Sniff([]byte(conditions)); got != describe.None {
		t.Errorf("conditions are %q", got)
	}
}

// Whoever shortens a name before strangers see it moves what stands behind it out of its column.
func TestARowThatSomebodyShortenedIsReadByItsBlanks(t *testing.T) {
	const table = `LAST SEEN   TYPE      REASON      OBJECT      SUBOBJECT              SOURCE           MESSAGE                                       FIRST SEEN   COUNT   NAME
5m          Warning   Unhealthy   pod/web-0   spec.containers{app}   kubelet, n1      Liveness probe failed: dial tcp 10.0.0.1:80: connect: connection refused   1h   12   web-0.17a
`
	found, err := describe.Read(strings.NewReader(table), describe.Events, "f", time.Time{}, nil)
	if err != nil || len(found.Objects) != 1 ||
		!strings.Contains(string(found.Objects[0]), `"message":"Liveness probe failed: dial tcp 10.0.0.1:80: connect: connection refused"`) {
		t.Errorf("%v, %s", err, found.Objects)
	}
}

// Pods and events are pasted one below the other: a row belongs to the head above it.
func TestATableEndsWhereTheNextBegins(t *testing.T) {
	text := `NAME    READY   STATUS    RESTARTS     AGE
db-0    1/1     Running   1 (8m ago)   3d
LAST SEEN   TYPE      REASON    OBJECT     MESSAGE
8m          Normal    Killing   pod/db-0   Container db failed liveness probe, will be restarted
2m          Warning   Evicted   pod/x-1    The node was low on resource: memory.
NAME    STATUS   ROLES    AGE   VERSION
n1      Ready    <none>   9d    v1.33.1
`
	for _, kind := range []describe.Kind{describe.Table, describe.Events} {
		found, err := describe.Read(strings.NewReader(text), kind, "f", time.Date(2026, 3, 2, 10, 10, 30, 0, time.UTC), nil)
		if err != nil {
			t.Fatal(err)
		}
		kinds := map[string]int{}
		for _, o := range found.Objects {
			var head struct{ Kind string }
			if err := json.Unmarshal(o, &head); err != nil {
				t.Fatal(err)
			}
			kinds[head.Kind]++
		}
		if kinds["Pod"] != 1 || kinds["Event"] != 2 {
			t.Errorf("%v: %v: %s", kind, kinds, found.Objects)
		}
	}
}

// A narrow terminal breaks the header and each row.
func TestATableWhoseLinesATerminalBroke(t *testing.T) {
	const text = `NAME    READY   STATUS             RESTARTS        AGE
IP          NODE   NOMINATED NODE
web-0   0/1     Error              2 (2m5s ago)    3h
10.42.0.12  n1     <none>
db-0    1/1     Running            3 (40d ago)     90d
10.42.0.13  n1     <none>
`
	printed := time.Date(2026, 3, 2, 10, 10, 30, 0, time.UTC)
	found, err := describe.Read(strings.NewReader(text), describe.Table, "f", printed, nil)
	if err != nil || len(found.Objects) != 2 {
		t.Errorf("%v, %d pods: %s", err, len(found.Objects), found.Objects)
	}
}

// A table without rows is followed by another one, whose rows are no pods.
func TestATableWithoutRowsBeforeAnotherOne(t *testing.T) {
	const pods = "NAME    READY   STATUS   RESTARTS   AGE\n"
	const event = "5m          Normal   Pulled   pod/web-0   Container image already present\n"
	for other, want := range map[string]int{
		"LAST SEEN   TYPE     REASON   OBJECT      MESSAGE\n" + event:                                   0,
		"NAMESPACE   LAST SEEN   TYPE   REASON   OBJECT   MESSAGE\nshop  " + event:                      0,
		"NAME    SCHEDULE   SUSPEND   ACTIVE   LAST SCHEDULE   AGE\ncron-1  @daily  False  1  5m  3h\n": 0,
		"REPOSITORY   TAG   IMAGE ID   CREATED   SIZE\nx   1   abc   3h   10MB\n":                       0,
		"PID   USER   TIME   COMMAND\n1   root   0:00   sh\n":                                           0,
		"POD   NAME   RESTARTS   REASON\nweb-0   web   3   OOMKilled\n":                                 0,
		"NODE   POD   REASON\nn1   web-0   OOMKilled\n":                                                 0,
		"IP   NODE   NOMINATED NODE\nweb-0  0/1  Error  2 (2m5s ago)  3h\n10.42.0.12  n1  <none>\n":     1,
	} {
		found, err := describe.Read(strings.NewReader(pods+other), describe.Table, "f",
			time.Date(2026, 3, 2, 10, 10, 30, 0, time.UTC), nil)
		got := strings.Count(fmt.Sprintf("%s", found.Objects), `"apiVersion":"v1","kind":"Pod"`)
		if err != nil || got != want {
			t.Errorf("%q: %v, %d pods: %s", other, err, got, found.Objects)
		}
	}
}

// What stands in place of the phase is a reason of the pod, or the end of a container; the rows of a watch are of one
// pod.
func TestWhatATableOfPodsTellsOfEnds(t *testing.T) {
	const head = "NAME    READY   STATUS    RESTARTS   AGE\n"
	for table, want := range map[string]string{
		head + "web-0   0/1   MatchNodeSelector   0   6m\n":                            `"reason":"MatchNodeSelector"`,
		head + "web-0   0/1   OutOfnvidia.com/gpu   0   6m\n":                          `"reason":"OutOfnvidia.com/gpu"`,
		head + "web-0   0/1   ExitCode:127   0   6m\n":                                 `"exitCode":127`,
		head + "web-0   0/1   Signal:9   0   6m\n":                                     `"exitCode":137`,
		head + "web-0   0/1   Error   0   6m\n":                                        `"reason":"Error"`,
		head + "web-0   0/1   ContainerStatusUnknown   1   6m\n":                       `"exitCode":137,"reason":"ContainerStatusUnknown"`,
		head + "web-0   0/1   Init:OOMKilled   0   6m\n":                               `"initContainerStatuses"`,
		"NAME    READY   REASON   RESTARTS   AGE\nweb-0   0/1   OOM Killed   0   6m\n": `"reason":"OOMKilled"`,
		head + "web-0   0/1   OOMKilled   0   9s\nweb-0   0/1   CrashLoopBackOff   1   19s\n": `"lastState":{"terminated":` +
			`{"reason":"OOMKilled"}}`,
		head + "web-0   0/1   Completed   13   9s\n" +
			"web-0   0/1   CrashLoopBackOff   13   19s\n": `"lastState":{"terminated":{"exitCode":0,"reason":"Completed"}}`,
		head + "web-6d9cf9d776-mbb5c   0/1   Completed   3 (9s ago)   2m\n": `"terminated":{"exitCode":0,` +
			`"reason":"Completed"}`,
		head + "dump-28456780-mbb5c   0/1   Completed   3   9m\n":  `"restartCount":3,"state":{}`, // until it succeeded
		head + "dump-mbb5c   0/1   Completed   3   9m\n":           `"restartCount":3,"state":{}`,
		head + "web-6d9cf9d776-mbb5c   1/2   Completed   3   9m\n": `"restartCount":3,"state":{}`,
		head + "migrate-db   0/1   Completed   1   9m\n":           `"restartCount":1,"state":{}`, // alone, OnFailure
		head + "db-hook-7   0/1   Completed   1   9m\n":            `"restartCount":1,"state":{}`,
		head + "db-manual   0/1   Completed   1   9m\n":            `"restartCount":1,"state":{}`,
		head + "web-0   0/1   Unknown   2 (3d ago)   6d\n":         `"terminated":{"exitCode":255,"reason":"Unknown"}`,
		head + "po/web-0   0/1   Error   0   6m\n":                 `"name":"web-0"`,
		head + "web-0   1/1   Unknown   2   6d\n":                  `"reason":"NodeLost"`,
		head + "web-0   0/1   Unknown   2   6d\n":                  `"terminated":{"exitCode":255,"reason":"Unknown"}`,
		"NAME    PF READY STATUS    RESTARTS IP   AGE\n" +
			"web-0   *  1/1   Running          7 10.1 3d\n": `"restartCount":7`, // k9s
		head + "web-0   0/1   Completed   0   6m\n":         "",
		head + "web-0   0/1   ContainerCreating   0   6m\n": "",
		head + "web-0   1/1   Terminating   0   6m\n":       "",
		head + "web-0   0/1   Init:0/2   0   6m\n":          "",
		head + "web-0   0/1   NotReady   0   6m\n":          "",
		head + "web-0   1/1   Active   0   6m\n":            "",
	} {
		found, err := describe.Read(strings.NewReader(table), describe.Table, "f", time.Time{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		last := ""
		if n := len(found.Objects); n > 0 {
			last = string(found.Objects[n-1])
		}
		if want == "" && last != "" || !strings.Contains(last, want) {
			t.Errorf("%s%s", table, last)
		}
	}
}

func TestWhatArgoPrintsIsNoDescriptionOfAPod(t *testing.T) {
	const text = "Name:       clone\nNamespace:  argo\nStatus:     %\nMessage:    OOMKilled (exit code 137)\n"
	for status, want := range map[string]describe.Kind{"Error": describe.None, "Failed": describe.Pods} {
		if got := describe.Sniff([]byte(strings.Replace(text, "%", status, 1))); got != want {
			t.Errorf("%s: %q, want %q", status, got, want)
		}
	}
}
