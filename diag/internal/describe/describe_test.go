package describe

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

var printedAt = time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)

func described(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile("testdata/pod.txt")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// read reads a text and returns its objects, decoded.
func read(t *testing.T, text string) []map[string]any {
	t.Helper()
	found, err := Read(strings.NewReader(text), Sniff([]byte(text)), "events.txt", printedAt, nil)
	if err != nil {
		t.Fatal(err)
	}
	var all []map[string]any
	for _, raw := range found.Objects {
		var o map[string]any
		if err := json.Unmarshal(raw, &o); err != nil {
			t.Fatal(err)
		}
		all = append(all, o)
	}
	return all
}

// at goes down into an object.
func at(v any, path ...any) any {
	for _, p := range path {
		switch p := p.(type) {
		case string:
			m, _ := v.(map[string]any)
			v = m[p]
		case int:
			l, _ := v.([]any)
			if p >= len(l) {
				return nil
			}
			v = l[p]
		}
	}
	return v
}

func TestADescriptionIsAPodAndItsEvents(t *testing.T) {
	for name, change := range map[string]func(string) string{
		"as it is printed": func(s string) string { return s },
		"with CRLF":        func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
		"behind a warning": func(s string) string { return "Warning: v1 ComponentStatus is deprecated\n" + s },
		"of several pods":  func(s string) string { return s + "\n\n\n" + strings.ReplaceAll(s, "web-0", "web-1") },
	} {
		t.Run(name, func(t *testing.T) {
			all := read(t, change(described(t)))
			if len(all) < 4 {
				t.Fatalf("%d objects", len(all))
			}
			pod, killing := all[0], all[3]
			for _, c := range []struct{ got, want any }{
				{at(pod, "kind"), "Pod"}, {at(pod, "metadata", "name"), "web-0"}, {at(pod, "metadata", "namespace"), "shop"},
				{at(pod, "spec", "nodeName"), "n1"},
				{at(pod, "status", "containerStatuses", 0, "restartCount"), 1.0},
				{at(pod, "status", "containerStatuses", 0, "lastState", "terminated", "exitCode"), 137.0},
				{at(pod, "status", "containerStatuses", 0, "lastState", "terminated", "finishedAt"), "2026-11-21T09:00:10Z"},
				{at(pod, "status", "containerStatuses", 0, "state", "running", "startedAt"), "2026-11-21T09:00:20Z"},
				{at(pod, "spec", "containers", 0, "resources", "limits", "memory"), "128Mi"},
				{at(pod, "spec", "containers", 0, "livenessProbe", "failureThreshold"), 3.0},
				{at(killing, "reason"), "Killing"}, {at(killing, "involvedObject", "fieldPath"), "spec.containers{web}"},
				{at(killing, "source", "host"), "n1"},
				// Printed 5m22s after the start at 09:00:20, so the kill was at 09:00:02.
				{at(killing, "lastTimestamp"), "2026-11-21T09:00:02Z"},
			} {
				if diff := cmp.Diff(c.want, c.got); diff != "" {
					t.Error(diff)
				}
			}
			if s, _ := json.Marshal(pod); strings.Contains(string(s), "echo State") {
				t.Error("the command of a container came along")
			}
		})
	}
}

func TestATableOfEvents(t *testing.T) {
	for name, text := range map[string]string{
		"today":                  "LAST SEEN   TYPE      REASON      OBJECT      MESSAGE\n5m22s       Warning   Unhealthy   pod/web-0   Liveness probe failed: x\n5m2s        Normal    Killing     pod/web-0   Container web failed liveness probe, will be restarted\n",
		"of all namespaces":      "NAMESPACE   LAST SEEN   TYPE      REASON      OBJECT      MESSAGE\ndefault     5m22s       Warning   Unhealthy   pod/web-0   Liveness probe failed: x\ndefault     5m2s        Normal    Killing     pod/web-0   Container web failed liveness probe, will be restarted\n",
		"kubectl 1.13":           "LAST SEEN   FIRST SEEN   COUNT   NAME                     KIND   SUBOBJECT              TYPE      REASON      SOURCE        MESSAGE\n5m22s       10m          3       web-0.16152501763a81cf   Pod    spec.containers{web}   Warning   Unhealthy   kubelet, n1   Liveness probe failed: x\n5m2s        5m2s         1       web-0.16152501763a81d0   Pod    spec.containers{web}   Normal    Killing     kubelet, n1   Container web failed liveness probe, will be restarted\n",
		"blanks lost in a paste": "LAST SEEN  TYPE  REASON  OBJECT  MESSAGE\n5m22s  Warning  Unhealthy  pod/web-0  Liveness probe failed: x\n5m2s  Normal  Killing  pod/web-0  Container web failed liveness probe, will be restarted\n",
	} {
		t.Run(name, func(t *testing.T) {
			all := read(t, text)
			if len(all) != 2 {
				t.Fatalf("%d objects", len(all))
			}
			namespace := any("") // which one kubectl printed is not told
			if strings.HasPrefix(text, "NAMESPACE") {
				namespace = "default"
			}
			for i, want := range []string{"2026-11-21T09:24:38Z", "2026-11-21T09:24:58Z"} {
				if got := at(all[i], "lastTimestamp"); got != want || at(all[i], "involvedObject", "name") != "web-0" ||
					at(all[i], "involvedObject", "namespace") != namespace {
					t.Errorf("%v", all[i])
				}
			}
			if got := at(all[1], "involvedObject", "fieldPath"); got != "spec.containers{web}" {
				t.Errorf("field path %v", got)
			}
		})
	}
}

func TestATableOfPodsHasThoseThatFailedOrRestarted(t *testing.T) {
	text := "NAME    READY   STATUS             RESTARTS       AGE   IP           NODE\n" +
		"web-0   0/1     CrashLoopBackOff   17 (3m ago)    2h    10.244.0.5   n1\n" +
		"web-1   0/1     Evicted            0              2h    <none>       n1\n" +
		"web-2   1/1     Running            0              2h    10.244.0.6   n1\n" +
		"web-3   2/2     Running            4              2h    10.244.0.7   n1\n" +
		"web-4   0/1     Init:Error         0              2h    10.244.0.8   n1\n" +
		"web-5   0/1     Completed          0              2h    10.244.0.9   n1\n"
	all := read(t, text)
	names := ""
	for _, o := range all {
		names += at(o, "metadata", "name").(string) + " "
	}
	if names != "web-0 web-1 web-2 web-3 web-4 " { // web-2 is well: that speaks against words about it
		t.Fatal(names)
	}
	for _, c := range []struct{ got, want any }{
		{at(all[0], "status", "containerStatuses", 0, "name"), evidence.Unnamed},
		{at(all[0], "status", "containerStatuses", 0, "restartCount"), 17.0},
		{at(all[0], "status", "containerStatuses", 0, "state", "waiting", "reason"), "CrashLoopBackOff"},
		{at(all[1], "status", "reason"), "Evicted"},
		{at(all[3], "status", "containerStatuses", 0, "restartCount"), 4.0},
		{at(all[4], "status", "phase"), "Failed"},
		{at(all[4], "status", "initContainerStatuses", 0, "name"), evidence.Unnamed},
	} {
		if c.got != c.want {
			t.Errorf("got %v, want %v", c.got, c.want)
		}
	}
	found, err := Read(strings.NewReader(text), Sniff([]byte(text)), "events.txt", printedAt, nil)
	if err != nil || len(found.Notes) != 1 || !strings.Contains(found.Notes[0], "counts restarts (21 in all)") {
		t.Errorf("%q, %v", found.Notes, err)
	}
}

func TestAges(t *testing.T) {
	for text, want := range map[string]time.Duration{"5m22s": 322 * time.Second,
		"47h": 47 * time.Hour, "2d5h": 53 * time.Hour, "1y20d": 385 * 24 * time.Hour} {
		if got, ok := age(text); !ok || got != want {
			t.Errorf("%s: %v, %v", text, got, ok)
		}
	}
	for _, text := range []string{"", "<unknown>", "<invalid>", "5", "99999999999999999999d", "-5s"} {
		if got, ok := age(text); ok {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func FuzzRead(f *testing.F) {
	text, err := os.ReadFile("testdata/pod.txt")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(text))
	f.Add("LAST SEEN   TYPE   REASON   OBJECT   MESSAGE\n5m22s   Warning   Unhealthy   pod/web-0   x\n")
	f.Add("NAME   READY   STATUS   RESTARTS   AGE\nweb-0   0/1   Evicted   0   2h\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, kind := range []Kind{Sniff([]byte(text)), Pods, Events, Table} {
			found, err := Read(strings.NewReader(text), kind, "events.txt", printedAt, nil)
			if err != nil {
				continue
			}
			for _, raw := range found.Objects {
				if !json.Valid(raw) {
					t.Fatalf("no JSON: %s", raw)
				}
			}
		}
	})
}

// A container's last words stand where they like, up to the code of its end.
func TestAMessageOfSeveralLinesEndsWithTheCode(t *testing.T) {
	text := strings.Replace(described(t), "      Exit Code:",
		"      Message:      panic: no\n\n[0.1] goroutine 1:\nmain.main()\n\t/a.go:7\n\n      Exit Code:", 1)
	want, got := read(t, described(t))[0], read(t, text)[0]
	for _, path := range [][]any{{"status", "containerStatuses", 0, "lastState", "terminated", "exitCode"},
		{"spec", "containers"}} {
		if d := cmp.Diff(at(want, path...), at(got, path...)); d != "" || at(want, path...) == nil {
			t.Errorf("%v: %s", path, d)
		}
	}
}

func TestADescriptionTellsOfAPodThatIsBeingDeleted(t *testing.T) {
	for status, want := range map[string][2]any{
		"Running": {nil, nil},
		"Terminating (expires Sat, 21 Nov 2026 09:30:30 +0000)\nTermination Grace Period:  10s": {"2026-11-21T09:30:30Z", 10.0},
		"Terminating (lasts 5m)\nTermination Grace Period:  30s":                                {"2026-11-21T08:59:43Z", 30.0},
		"Terminating (lasts <invalid>)":                                                         {nil, nil}, // one runs
	} {
		meta := at(read(t, regexp.MustCompile(`(?m)^Status:.*$`).ReplaceAllString(described(t), "Status: "+status))[0], "metadata")
		if got := [2]any{at(meta, "deletionTimestamp"), at(meta, "deletionGracePeriodSeconds")}; got != want {
			t.Errorf("%s: %v, want %v", status, got, want)
		}
	}
	// The grace is not over. If nothing runs, what ended last was asked to; the API server gives a pod that is done none.
	gone := "Name: web-0\nNamespace: shop\nStatus: Terminating (lasts <invalid>)\nTermination Grace Period: 30s\n" +
		"Containers:\n  web:\n    State:      Terminated\n      Exit Code:  1\n" +
		"      Started:    Sat, 21 Nov 2026 09:00:20 +0000\n      Finished:   Sat, 21 Nov 2026 09:01:20 +0000\n"
	for text, want := range map[string]any{
		gone: "2026-11-21T09:01:50Z",
		gone + "  side:\n    State:      Running\n      Started:    Sat, 21 Nov 2026 08:00:20 +0000\n": nil,
		gone + "  side:\n    State:      Waiting\n      Reason:     CrashLoopBackOff\n":                nil,
		strings.Replace(gone, "Period: 30s", "Period: 0s", 1):                                          nil,
	} {
		if got := at(read(t, text)[0], "metadata", "deletionTimestamp"); got != want {
			t.Errorf("%s: deleted at %v, want %v", text, got, want)
		}
	}
}

// The ages of a description's events are truncated, and its file may be a copy of a later time.
func TestAKillInADescriptionIsDatedByItsPod(t *testing.T) {
	const text = `Name:         web-0
Namespace:    shop
Containers:
  web:
    State:          Running
      Started:      Sat, 21 Nov 2026 09:00:20 +0000
    Last State:     Terminated
      Reason:       Error
      Exit Code:    143
      Started:      Sat, 21 Nov 2026 08:00:00 +0000
      Finished:     Sat, 21 Nov 2026 09:00:10 +0000
    Ready:          True
    Restart Count:  1
Events:
  Type    Reason   Age   From     Message
  ----    ------   ----  ----     -------
  Normal  Killing  40m   kubelet  Container web definition changed, will be restarted
`
	const started = "  Normal  Started  39m   kubelet  Started container web\n"
	for name, c := range map[string]struct {
		text, printed, want string
	}{
		"saved at once":        {text, "2026-11-21T09:40:10Z", "2026-11-21T09:00:10Z"},
		"copied later":         {text, "2026-11-23T10:00:00Z", "2026-11-21T09:00:10Z"},
		"dated by its start":   {text + started, "2026-11-23T10:00:00Z", "2026-11-21T08:59:20Z"},
		"read before the copy": {text, "2026-11-21T09:39:00Z", "2026-11-21T08:59:00Z"},
	} {
		printed, err := time.Parse(time.RFC3339, c.printed)
		if err != nil {
			t.Fatal(err)
		}
		found, err := Read(strings.NewReader(c.text), Pods, "f", printed, nil)
		if err != nil || len(found.Objects) < 2 {
			t.Fatalf("%s: %v, %d objects", name, err, len(found.Objects))
		}
		var killing any
		if err := json.Unmarshal(found.Objects[1], &killing); err != nil {
			t.Fatal(err)
		}
		if got := at(killing, "lastTimestamp"); got != c.want {
			t.Errorf("%s: at %v, want %s", name, got, c.want)
		}
		if width := at(killing, "metadata", "annotations", WidthOf); width != "1m0s" {
			t.Errorf("%s: known to %v", name, width)
		}
	}
}

// Only sidecars have probes among init containers, and only they still run when the others are started.
func TestASidecarIsKnownByWhatOnlyItDoes(t *testing.T) {
	const base = `Name:         job-0
Namespace:    shop
Init Containers:
  proxy:
    State:          Terminated
      Reason:       Error
      Exit Code:    137
      Started:      Sat, 21 Nov 2026 08:00:00 +0000
      Finished:     Sat, 21 Nov 2026 09:00:40 +0000
    Ready:          False
    Restart Count:  0
    Environment:    <none>
Containers:
  app:
    State:          Terminated
      Reason:       Completed
      Exit Code:    0
      Started:      Sat, 21 Nov 2026 08:00:05 +0000
      Finished:     Sat, 21 Nov 2026 09:00:10 +0000
    Ready:          False
    Restart Count:  0
`
	const probe = "    Liveness:       http-get http://:80/ delay=0s timeout=1s period=10s #success=1 #failure=3\n"
	for name, c := range map[string]struct {
		change []string
		want   any
	}{
		"it ran when the others were started": {nil, "Always"},
		"and succeeded later":                 {[]string{"137", "0"}, "Always"},
		"it failed before that":               {[]string{"09:00:40", "08:00:03"}, nil},
		"it ran again, in a new sandbox": {[]string{"Started:      Sat, 21 Nov 2026 08:00:00",
			"Started:      Sat, 21 Nov 2026 09:00:20"}, nil},
		"it has a probe": {[]string{"09:00:40", "08:00:03", "    Environment:", probe + "    Environment:"},
			"Always"},
	} {
		pod := read(t, strings.NewReplacer(c.change...).Replace(base))[0]
		if got := at(pod, "spec", "initContainers", 0, "restartPolicy"); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
