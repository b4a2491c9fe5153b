package describe

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

func TestWhatIsLeftOfADescription(t *testing.T) {
	text := "Name:         web-0\nNamespace:    shop\n...\n    Last State:     Terminated\n" +
		"      Reason:       OOMKilled\n      Exit Code:    137\n    Restart Count:  7\n"
	old := strings.Replace(text, "Last State", "Last Termination State", 1)
	for _, text := range []string{text, old} {
		all := read(t, text)
		if len(all) != 1 || at(all[0], "metadata", "name") != "web-0" || at(all[0], "metadata", "namespace") != "shop" ||
			at(all[0], "status", "containerStatuses", 0, "lastState", "terminated", "reason") != "OOMKilled" {
			t.Errorf("%v", all)
		}
	}
}

// What a text ends before does not tell what a container lacks.
func TestAStateKeepsItsFieldsWithoutTheirIndent(t *testing.T) {
	got := string(bytes.Join(raws(ReadPiece([]string{"Last State:     Terminated", "Reason:       OOMKilled",
		"Exit Code:    137"}, Place{Pod: "web-0", Namespace: "shop", Container: "app"}).Objects), nil))
	if !strings.Contains(got, `"reason":"OOMKilled"`) || !strings.Contains(got, `"exitCode":137`) {
		t.Error(got)
	}
}

func raws(list []json.RawMessage) (out [][]byte) {
	for _, raw := range list {
		out = append(out, raw)
	}
	return out
}

func TestAContainerThatIsCutHasNoSpec(t *testing.T) {
	const (
		when   = "Sat, 21 Aug 2021 10:38:36 +0800\n"
		begins = "Containers:\n  app:\n    Image:  web:1\n    State:  Running\n      Started:  " + when +
			"    Last State:  Terminated\n      Exit Code:  137\n      Started:  " + when + "      Finished:  " + when
		ready  = "    Ready:  True\n    Restart Count:  7\n"
		probes = "    Liveness:  exec [true] delay=5s timeout=1s period=5s #success=1 #failure=3\n"
	)
	for text, want := range map[string]bool{
		begins + ready: false,
		begins + "    Limits:\n      memory:  1Gi\n":                             true,
		begins + ready + "    Mounts:\n      /x from y (rw)\n":                   true,
		begins + ready + probes:                                                  true,
		begins + ready + "    ...\n" + probes:                                    false,
		begins + probes:                                                          false,
		begins + "    Restart Count:  7\n" + probes:                              false,
		strings.ReplaceAll(begins, "      Started:  "+when, "") + ready + probes: false,
		strings.Replace(begins, "    Image:  web:1\n", "", 1) + ready + "    Requests:\n      cpu:  1\n": true,
	} {
		all := read(t, "Name:  web-0\nNamespace:  shop\n"+text)
		if got := at(all[0], "spec", "containers", 0, "name") == "app"; got != want {
			t.Errorf("%q: a spec is %v", text, got)
		}
	}
}

// crictl has the same container under its id, which describe leaves out below Last State.
func TestTheLastEndOfAContainerInBackOffHasItsID(t *testing.T) {
	const last = "    Last State:  Terminated\n      Reason:  Error\n      Exit Code:  1\n"
	for state, want := range map[string]any{
		"    State:  Waiting\n      Reason:  CrashLoopBackOff\n": "containerd://6a1f",
		"    State:  Waiting\n      Reason:  ImagePullBackOff\n": nil,
		"    State:  Running\n":                                  nil,
	} {
		all := read(t, "Name:  web-0\nNamespace:  shop\nContainers:\n  app:\n    Container ID:  containerd://6a1f\n"+
			"    Image:  web:1\n"+state+last+"    Ready:  False\n")
		if got := at(all[0], "status", "containerStatuses", 0, "lastState", "terminated", "containerID"); got != want {
			t.Errorf("%q: the id is %v, want %v", state, got, want)
		}
	}
}

func TestRowsThatLostTheirEmptyCells(t *testing.T) {
	text := "FirstSeen\tLastSeen\tCount\tFrom\t\t\tSubObjectPath\tType\t\tReason\t\tMessage\n" +
		"  19h\t\t1s\t\t5169\tkubelet, n1\t\t\tNormal\t\tSandboxChanged\tPod sandbox changed, it will be killed and " +
		"re-created.\n"
	f := ReadRows(strings.Split(text, "\n"),
		Place{Namespace: "shop", Pod: "web-0", Container: evidence.Unnamed, Printed: printedAt})
	if len(f.Objects) != 1 || !strings.Contains(string(f.Objects[0]), `"reason":"SandboxChanged"`) ||
		!strings.Contains(string(f.Objects[0]), `"count":5169`) {
		t.Errorf("%s", f.Objects)
	}
}

func TestEventsOfAnOldDescriptionWithoutTheirHead(t *testing.T) {
	lines := []string{"  7m    7m   1   {kubelet 10.2.0.4}  spec.containers{app}   Normal  Started   Started container with docker id e1d",
		`  6m    5m   2   {kubelet 10.2.0.4}  spec.containers{app}   Normal  Killing   Killing container with docker id e1d: ` +
			`pod "web-0_shop(u1)" container "app" is unhealthy, it will be killed and re-created.`}
	if !IsEventRow(lines[0]) || !IsEventRow(lines[1]) {
		t.Errorf("no rows: %q", lines)
	}
	f := ReadRows(lines, Place{Namespace: "shop", Pod: "web-0", Container: evidence.Unnamed, Printed: printedAt})
	for i, w := range []string{`"reason":"Started"`, `"count":2`} {
		if len(f.Objects) != 2 || !strings.Contains(string(f.Objects[i]), w) ||
			!strings.Contains(string(f.Objects[i]), "spec.containers{app}") {
			t.Errorf("%d: %s", i, f.Objects)
		}
	}
}

func TestEventsAsAStoreHasThem(t *testing.T) {
	for _, written := range []string{"Jun 19, 2025 @ 03:12:17.000", "2025-06-19T03:12:17Z", "2025-06-19 03:12:17"} {
		all := read(t, "@timestamp   involvedObject.namespace   involvedObject.name   reason   message\n"+
			written+"   shop   web-0   Killing   Container app failed liveness probe, will be restarted\n")
		if len(all) != 1 || at(all[0], "involvedObject", "name") != "web-0" ||
			at(all[0], "lastTimestamp") != "2025-06-19T03:12:17Z" {
			t.Errorf("%s: %v", written, all)
		}
	}
}

func TestThePodOfAnEventMayHaveDotsInItsName(t *testing.T) {
	text := "LAST SEEN   FIRST SEEN   COUNT   NAME   KIND   SUBOBJECT   TYPE   REASON   SOURCE   MESSAGE\n" +
		"53s   6h   61   etcd-n1.lab.internal.156d2c4b0cb90cd2   Pod   spec.containers{etcd}   Normal   Killing   " +
		"kubelet, n1   Killing container\n"
	all := read(t, text)
	if len(all) != 1 || at(all[0], "involvedObject", "name") != "etcd-n1.lab.internal" {
		t.Errorf("%v", all)
	}
}

func TestTheEventsOfANodeAmongThoseOfAPod(t *testing.T) {
	f := ReadRows([]string{"  Warning  SystemOOM  12m  kubelet, n1  System OOM encountered, victim process: java, pid: 7",
		"  Warning  BackOff  9m  kubelet, n1  Back-off restarting failed container"},
		Place{Namespace: "shop", Pod: "web-0", Container: evidence.Unnamed, Printed: printedAt})
	if len(f.Objects) != 2 || !strings.Contains(string(f.Objects[0]), `"kind":"Node","name":"n1"`) ||
		!strings.Contains(string(f.Objects[1]), `"name":"web-0"`) {
		t.Errorf("%s", f.Objects)
	}
}

func TestThePodsOfATable(t *testing.T) {
	names, unwell := NamesOfPods(strings.Split("NAME    READY   STATUS    RESTARTS   AGE\nweb-0   1/1     Running   0          9m\n"+
		"pod/web-1   0/1     Error   3          9m\n", "\n"))
	if strings.Join(names, " ") != "web-0 web-1" || strings.Join(unwell, " ") != "web-1" {
		t.Errorf("%v, of them unwell %v", names, unwell)
	}
}

func TestTheOnlyPodThatIsNotWell(t *testing.T) {
	const head, well = "NAME    READY   STATUS    RESTARTS   AGE\n", "web-0   1/1     Running   0          9m\n"
	for table, want := range map[string]string{
		well + "web-1   0/1     Error   3          9m\n":                                                    "web-1",
		well + "web-1   0/1     Error   0          9m\n":                                                    "web-1",
		"web-1   1/1     Running   3          9m\n\n" + head + "web-1   1/1     Running   4          10m\n": "web-1",
		well: "",
		"web-1   0/1     Error   3          9m\nweb-2   0/1     Error   3          9m\n": "",
		well + "web-1   0/1     ImagePullBackOff   0          9m\n":                      "", // it never ran
	} {
		if got := Unwell(head + table); got != want {
			t.Errorf("%s: %q, want %q", table, got, want)
		}
	}
}

// kubectl on Windows' nodes prints codes with the highest bit set without a sign, others with one.
func TestCodesOfWindowsAreReadEitherWay(t *testing.T) {
	for _, code := range []string{"3221225786", "-1073741510"} {
		got := string(bytes.Join(raws(ReadPiece([]string{"    Last State:     Terminated", "      Reason:       Error",
			"      Exit Code:    " + code}, Place{Pod: "web-0", Namespace: "shop", Container: "app"}).Objects), nil))
		if !strings.Contains(got, `"exitCode":-1073741510`) {
			t.Errorf("%s: %s", code, got)
		}
	}
}

// A table of events without a column of namespaces may have them in the kubelet's words.
func TestABackOffTellsTheNamespace(t *testing.T) {
	p := placesOf([]event{{reason: "BackOff",
		message: "Back-off restarting failed container app in pod web-0_shop(ab12-...)"}})
	if at := p.of("", "web-0"); at.namespace != "shop" {
		t.Errorf("%+v", at)
	}
}

// A dashboard writes the zone of kubectl's times by its name.
func TestTimesWithANamedZone(t *testing.T) {
	for _, zone := range []string{"+0000", "GMT", "UTC"} {
		got := string(bytes.Join(raws(ReadPiece([]string{"    Last State:     Terminated", "      Exit Code:    137",
			"      Finished:     Mon, 02 Mar 2026 10:16:30 " + zone}, Place{Pod: "web-0", Container: "app"}).Objects), nil))
		if !strings.Contains(got, `"finishedAt":"2026-03-02T10:16:30Z"`) {
			t.Errorf("%s: %s", zone, got)
		}
	}
}
