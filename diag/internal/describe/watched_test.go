package describe

import (
	"strings"
	"testing"
)

func TestAWatchShowsADeletion(t *testing.T) {
	const head = "NAME    READY   STATUS        RESTARTS   AGE\n"
	for name, c := range map[string]struct {
		rows    string
		deleted int
	}{
		"ready, then terminating with none ready": {
			"web-0   1/1     Running       0          7m\nweb-0   1/1     Terminating   0          8m\n" +
				"web-0   0/1     Terminating   0          8m\nweb-0   0/1     Terminating   0          8m\n", 1},
		"its successor was deleted, too": {
			"web-0   1/1     Terminating   0          8m\nweb-0   0/1     Terminating   0          8m\n" +
				"web-0   1/1     Running       0          9s\nweb-0   0/1     Terminating   0          20s\n", 2},
		"its successor is there at once": {"web-0   2/2     Running       0          7m\nweb-0   1/2     NotReady      0          8m\n" +
			"web-0   1/2     Terminating   0          8m\nweb-0   0/2     Pending       0          0s\n", 1},
		"nothing but a younger one": {"web-0   1/1     Running             0          7d\nweb-0   0/1     ContainerCreating   0          1s\n" +
			"web-0   1/1     Running             0          9s\n", 1},
		"a younger one, and a younger one again": {"web-0   1/1     Running   0          7d\nweb-0   1/1     Running   0          3h\n" +
			"web-0   1/1     Running   0          5s\n", 2},
		"its successor, once it was gone": {"web-0   1/1     Terminating   0          8m\nweb-0   0/1     Terminating   0          8m\n" +
			"web-0   0/1     Pending       0          0s\nweb-0   1/1     Running       0          5s\n", 1},
		"a younger one in another table":    {"web-0   1/1     Running   0          7d\n" + head + "web-0   1/1     Running   0          3h\n", 0},
		"a younger one of a broken pod":     {"web-0   0/1     Error     3          7d\nweb-0   0/1     Pending   0          0s\n", 0},
		"one moment of it":                  {"web-0   0/1     Terminating   0          8m\n", 0},
		"one moment of a pod that was well": {"web-0   2/2     Terminating   0          8m\n", 1},
		"one moment of one that was not":    {"web-0   1/2     Terminating   0          8m\n", 0},
		"the watch ends before it":          {"web-0   1/1     Running       0          7m\nweb-0   1/1     Terminating   0          8m\n", 1},
		"Terminating from the first row on": {"web-0   1/1     Terminating   0          7m\nweb-0   1/1     Terminating   0          8m\n", 1},
		"it was broken before":              {"web-0   0/1     Error         0          7m\nweb-0   0/1     Terminating   0          8m\n", 0},
		"it ran, and was not ready":         {"web-0   0/1     Running       0          7m\nweb-0   0/1     Terminating   0          8m\n", 1},
		"it was done, and cleaned up": {"web-0   1/1     Running       0          7m\n" +
			"web-0   0/1     Completed     0          8m\n" +
			"web-0   0/1     Terminating   0          9m\n", 0},
		"it failed, and was cleaned up": {"web-0   0/1     Running       0          7m\n" +
			"web-0   0/1     Error         0          8m\n" +
			"web-0   0/1     Terminating   0          9m\n", 0},
		"another pod was ready": {"web-1   1/1     Running       0          7m\n" +
			"web-0   0/1     Terminating   0          8m\n", 0},
		"not ready without an end": {"web-0   1/1     Running       0          7m\n" +
			"web-0   0/1     Running       0          8m\n", 0},
		"the watch's own word": {strings.ReplaceAll(head, "NAME ", "EVENT      NAME ") +
			"ADDED      web-0   1/1     Running       0          7m\nDELETED    web-0   1/1     Terminating   0          8m\n", 1},
	} {
		found, err := Read(strings.NewReader(head+c.rows), Table, "watch.txt", printedAt, nil)
		if err != nil {
			t.Fatal(err)
		}
		deleted := 0
		for _, raw := range found.Objects {
			if strings.Contains(string(raw), `"deletionTimestamp"`) {
				deleted++
			}
		}
		if deleted != c.deleted {
			t.Errorf("%s: %d deletions, want %d", name, deleted, c.deleted)
		}
	}
}

func TestWhatIsLeftOfANodesDescription(t *testing.T) {
	const events = "Events:\n  Type     Reason    Age   From     Message\n  ----     ------    ----  ----     -------\n" +
		"  Warning  Rebooted  41m   kubelet  Node n1 has been rebooted, boot id: 33c0f0cb\n"
	for text, want := range map[string]Kind{
		"Name:               n1\nRoles:              <none>\n" + events: Nodes,
		"Name:         admins\nRole:\n  Kind:  ClusterRole\n" + events:  None,
	} {
		if got := Sniff([]byte(text)); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
	found, err := Read(strings.NewReader("Name:               n1\nRoles:              <none>\n"+events), Nodes, "n1.txt",
		printedAt, nil)
	if err != nil || !strings.Contains(string(found.Objects[len(found.Objects)-1]), `"lastTimestamp":"`) {
		t.Errorf("its event has no time: %s, %v", found.Objects, err)
	}
}

func TestAFailedHookIsOfTheContainerThatStartedLast(t *testing.T) {
	const text = `LAST SEEN   TYPE      REASON                OBJECT       MESSAGE
2m12s       Normal    Started               pod/web-0    Started container proxy
101s        Warning   FailedPostStartHook   pod/web-0    PostStartHook failed
101s        Normal    Killing               pod/web-0    FailedPostStartHook
100s        Normal    Started               pod/web-0    Started container app
99s         Normal    Killing               pod/web-0    Need to kill Pod
`
	found, err := Read(strings.NewReader(text), Events, "events.txt", printedAt, nil)
	if err != nil || len(found.Objects) != 5 {
		t.Fatalf("%d events, %v", len(found.Objects), err)
	}
	for i, want := range []bool{true, true, true, false, false} {
		if got := strings.Contains(string(found.Objects[i]), "spec.containers{proxy}"); got != want {
			t.Errorf("event %d: of proxy %t, want %t: %s", i, got, want, found.Objects[i])
		}
	}
}

// The events of a Job's description name its pods only where they were deleted.
func TestTheDeadlineInAJobsEventsIsItsControllers(t *testing.T) {
	const deleted = "  Normal   SuccessfulDelete  14m  job-controller  Deleted pod: pi-xk6hd\n"
	const late = "  Warning  DeadlineExceeded  14m  job-controller  Job was active longer than specified deadline"
	for text, want := range map[string]string{deleted + late: `"kind":"job"`, late: `"kind":"Pod"`} {
		found := ReadRows(strings.Split(text, "\n"), Place{Pod: "?", Namespace: "default", Printed: printedAt})
		last := string(found.Objects[len(found.Objects)-1])
		if !strings.Contains(last, want) || !strings.Contains(last, `"DeadlineExceeded"`) {
			t.Errorf("%s: no %s in %s", text, want, last)
		}
	}
}

func TestAJobsDeadlineEndsItsPods(t *testing.T) {
	const text = `LAST SEEN   TYPE      REASON             OBJECT             MESSAGE
15m         Normal    Killing            pod/pi-xk6hd       Stopping container pi
15m         Normal    Killing            pod/pi-two-abcde   Stopping container pi
15m         Warning   DeadlineExceeded   job/pi             Job was active longer than specified deadline
`
	found, err := Read(strings.NewReader(text), Events, "events.txt", printedAt, nil)
	if err != nil || len(found.Objects) != 4 {
		t.Fatalf("%d events, %v", len(found.Objects), err)
	}
	got := string(found.Objects[2])
	if !strings.Contains(got, `"pi-xk6hd"`) || !strings.Contains(got, `"DeadlineExceeded"`) {
		t.Error(got)
	}
}
