package describe

import (
	"strings"
	"testing"
	"time"
)

// printedText is a pod's description and the row of a table, which were printed at 09:16:56 +0100.
const printedText = `NAME                        READY   STATUS    RESTARTS         AGE
web-7c9d8f6b5-2xk4q         1/1     Running   37 (4m13s ago)   22h
web-7c9d8f6b5-9mzvl         1/1     Running   35 (9m40s ago)   22h

$ kubectl describe pod web-7c9d8f6b5-2xk4q -n shop
    State:          Running
      Started:      Tue, 03 Nov 2026 09:12:44 +0100
    Last State:     Terminated
      Started:      Tue, 03 Nov 2026 08:57:10 +0100
      Finished:     Tue, 03 Nov 2026 09:12:43 +0100
Events:
  Type     Reason     Age                   From     Message
  Warning  Unhealthy  4m43s (x112 over 22h)  kubelet  Liveness probe failed: 500
  Normal   Killing    4m43s (x37 over 22h)   kubelet  Container web failed liveness probe, will be restarted
  Normal   Started    4m12s (x38 over 22h)   kubelet  Started container web
`

func TestATextTellsWhenItWasPrinted(t *testing.T) {
	without := func(words ...string) string {
		var kept []string
		for line := range strings.Lines(printedText) {
			if !strings.Contains(line, words[0]) && (len(words) < 2 || !strings.Contains(line, words[1])) {
				kept = append(kept, line)
			}
		}
		return strings.Join(kept, "")
	}
	for name, c := range map[string]struct {
		text string
		want string // "" where it does not tell
	}{
		"all of it":                    {printedText, "08:17:26"},
		"the row alone dates it":       {without("Killing", "Started "), "08:16:56"},
		"the start's event":            {without(" ago)", "Killing"), "08:16:56"},
		"the kill's event":             {without(" ago)", "Started "), "08:17:26"},
		"a kill that no end followed":  {strings.ReplaceAll(without(" ago)", "Started "), "4m43s (x37", "20s (x37"), ""},
		"two of them disagree":         {strings.Replace(printedText, "(4m13s ago)", "(58m ago)", 1), ""},
		"an age of hours tells little": {strings.Replace(without("Killing", "Started "), "4m13s", "3h", 1), ""},
		"the row is another pod's":     {without("2xk4q  ", " Started "), "08:17:26"},
		"no times":                     {without("2026"), ""},
		"an object and a table of events": {`$ kubectl get pod web-0 -o yaml
        finishedAt: "2026-11-03T08:12:43Z"
        startedAt: "2026-11-03T08:12:44Z"
$ kubectl get events
4m12s   Normal   Started   pod/web-0   Started container web
`, "08:16:56"},
		"an object without its command": {`metadata:
  name: web-0
    "startedAt": "2026-11-03T08:12:44Z",
shop   4m12s   Normal   Started   pod/web-0   Started container web
`, "08:16:56"},
		"a list of others behind a description": {`$ kubectl describe pod web-0
      Started:      Tue, 03 Nov 2026 09:12:44 +0100
Events:
  Normal   Started    4m12s   kubelet  Started container web
$ kubectl get pods -o yaml
items:
- apiVersion: v1
  metadata:
    name: web-1
          startedAt: "2026-11-03T08:58:44Z"
          finishedAt: "2026-11-03T08:58:43Z"
`, "08:16:56"},
		"a table about another pod": {`$ kubectl get pod web-1 -o yaml
        startedAt: "2026-11-03T08:12:44Z"
$ kubectl get events
4m12s   Normal   Started   pod/web-0   Started container web
`, ""},
		"no ages": {without("Killing", " ago)")[:400], ""},
	} {
		t.Run(name, func(t *testing.T) {
			at, ok := Clock(c.text)
			got := ""
			if ok {
				got = at.UTC().Format(time.TimeOnly)
			}
			if got != c.want {
				t.Errorf("printed at %q, want %q", got, c.want)
			}
		})
	}
}
