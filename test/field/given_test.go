package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/test/field/internal/entry"
)

// TestWhatAContainerIsGivenIsNeverTold puts words that elsewhere name a pod or tell of an end into its environment and
// its arguments: there they may be secrets.
func TestWhatAContainerIsGivenIsNeverTold(t *testing.T) {
	values := []string{"job/hunter2-secret", "Job hunter2-token-xyz", "job_name=hunter2secret", "x hunter2-secret:",
		`{"kind":"Job","metadata":{"name":"hunter2secret"}}`, `--job=job/hunter2secret`, `pod "hunter2secret"`,
		"LINUX RESTART hunter2secret", "oom-killed hunter2secret", "compute.instances.hostError hunter2secret",
		"the container hunter2-0 was OOMKilled with exit code 137", "web Failed 0/1 hunter2secret 3h",
		"Liveness probe failed: hunter2secret", "The node was low on resource: hunter2secret",
		"evicting pod shop/hunter2-0", "pod/hunter2-0 evicted", "BackoffLimitExceeded hunter2-x"}
	const ended = "    State:          Terminated\n      Reason:       Error\n      Exit Code:    1\n"
	for _, v := range values {
		quoted, _ := json.Marshal(v)
		q := string(quoted)
		twice, _ := json.Marshal(`{"spec":{"containers":[{"env":[{"name":"A","value":` + q + `}]}]}}`)
		for where, text := range map[string]string{
			"a piece's environment": "Containers:\n  web:\n" + ended + "    Environment:\n      NOTE:  " + v +
				"\n    Mounts:  <none>\n",
			"with two lines":          "Containers:\n  web:\n" + ended + "    Environment:\n      NOTE:  a\n\n             " + v + "\n",
			"of words":                "my pod web-0 restarts, here is the config\n    Environment:\n      B:     " + v + "\n",
			"a controller's":          "Name:           web\nNamespace:      shop\nPod Template:\n  Containers:\n   web:\n    Environment:\n      NOTE:  " + v + "\nEvents:  <none>\n",
			"a piece's arguments":     "    Args:\n      " + v + "\n" + ended,
			"its command":             "    Command:\n      sh\n      " + v + "\n" + ended,
			"before events":           "    Restart Count:  3\n    Environment:\n      API:   " + v + "\nEvents:\n  Type     Reason     Age   From     Message\n  ----     ------     ----  ----     -------\n  Normal   Killing    5m    kubelet  Container web failed liveness probe, will be restarted\n",
			"YAML":                    "my pod web-0 restarts\nspec:\n  containers:\n  - env:\n    - name: A\n      value: " + v + "\n    image: x\n",
			"YAML without the rest":   "my pod web-0 restarts\n  env:\n  - name: A\n    value: |\n      " + v + "\n",
			"YAML in one line":        "my pod web-0 restarts\n  args: [sh, " + q + "]\n  image: x\n",
			"YAML's arguments":        "my pod web-0 restarts\n  - command:\n    - sh\n    - " + v + "\n    image: x\n",
			"a list in JSON":          `{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"},"spec":{"template":{"spec":{"containers":[{"name":"web","env":[{"name":"A","value":` + q + `}]}]}}},"status":{}}]}`,
			"an object in JSON":       `{"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"web"},"spec":{"template":{"spec":{"containers":[{"name":"web","command":["sh",` + q + `]}]}}},"status":{}}`,
			"lines of JSON":           "my pod web-0 restarts\n  \"env\": [\n    {\n      \"name\": \"A\",\n      \"value\": " + q + "\n    }\n  ],\n",
			"what was applied":        "my pod web-0 restarts\nAnnotations:  kubectl.kubernetes.io/last-applied-configuration: " + string(twice) + "\n",
			"what docker inspect has": "my pod web-0 restarts\n            \"Env\": [\n                " + q + "\n            ],\n",
		} {
			e := &entry.Entry{Name: where, CollectedAt: time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC),
				Files: map[string][]byte{"paste.txt": []byte(text)}}
			r, err := e.Report()
			if err != nil {
				t.Fatal(err)
			}
			if all, err := json.Marshal(r); err != nil || strings.Contains(string(all), "hunter2") {
				t.Errorf("%s: %q is told: %v", where, v, err)
			}
		}
	}
}

// TestJobs is like TestPastes, for Jobs beside pods and alerts about them: what it names is all that ended.
func TestJobs(t *testing.T) {
	const (
		pods = "NAME                      READY   STATUS    RESTARTS   AGE\npod/web-7d8f9c6b5-8xk2m   1/1     Running   0          3h\n\n"
		head = "NAME                   STATUS   COMPLETIONS   DURATION   AGE\n"
		row  = "job.batch/migrate-db   Failed   0/1           24s        3h\n"
		pi   = `"alertname":"KubeJobFailed","container":"kube-state-metrics","job_name":"pi-27","namespace":"shop",` +
			`"reason":"BackoffLimitExceeded",` +
			`"pod":"prom-kube-state-metrics-5f69cf9d49-tr24p"},"annotations":{"description":"Job shop/pi-27 failed to complete."}`
	)
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"beside a healthy pod":   {pods + head + row, []string{"default/migrate-db app-exit-error"}},
		"of a namespace":         {"NAMESPACE   " + head + "shop        " + row, []string{"shop/migrate-db app-exit-error"}},
		"beside its own pod":     {head + row + "NAME                READY   STATUS   RESTARTS   AGE\nmigrate-db-x7k2p    0/1     Error    0          3h\n", []string{"default/migrate-db-x7k2p app-exit-error"}},
		"one that completed":     {head + strings.Replace(row, "Failed  ", "Complete", 1), nil},
		"another table":          {"STEP       STATUS    PROGRESS  DURATION  AGE\nbuild-1    Failed    0/1       10s       3h\n", nil},
		"a table of tests":       {"NAME      STATUS    ERRORS   WARNINGS   CREATED\ndaily-1   Failed    0/3      0          12h\n", nil},
		"a row alone":            {"module-web  Failed  1/2  apply  err\n", nil},
		"an alert":               {`[{"labels":{` + pi + `,"status":{"state":"active"}}]`, []string{"shop/pi-27 app-exit-error"}},
		"a webhook":              {`{"receiver":"x","status":"firing","alerts":[{"status":"firing","labels":{` + pi + `}]}`, []string{"shop/pi-27 app-exit-error"}},
		"one that is over":       {`{"receiver":"x","status":"resolved","alerts":[{"status":"resolved","labels":{` + pi + `}]}`, nil},
		"a message":              {"[FIRING:1] KubeJobFailed (pi-27 shop warning)\nLabels:\n - alertname = KubeJobFailed\n - job_name = pi-27\n - namespace = shop\n - pod = kube-state-metrics-5f69cf9d49-tr24p\n", []string{"shop/pi-27 app-exit-error"}},
		"a message that it over": {"[RESOLVED] KubeJobFailed: Job shop/pi-27 failed to complete\n", nil},
		"another alert's name": {`[{"labels":{"alertname":"GitlabJobFailedRatio","namespace":"ci","pod":"runner-0","reason":"OOMKilled",` +
			`"container":"runner"},"status":{"state":"active"}}]`, []string{"ci/runner-0 oom-container-limit"}},
		"kubectl wait": {"error: timed out waiting for the condition on jobs/migrate-db\n", nil},
	} {
		e := &entry.Entry{Name: name, CollectedAt: time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC),
			Files: map[string][]byte{"paste.txt": []byte(c.text)}}
		r, err := e.Report()
		if err != nil {
			t.Fatal(err)
		}
		var said []string
		for i := range r.Items {
			said = append(said, r.Items[i].Namespace+"/"+r.Items[i].Pod+" "+r.Items[i].Verdict.Cause)
		}
		if !slices.Equal(said, c.want) {
			t.Errorf("%s: %q, want %q", name, said, c.want)
		}
	}
}

// TestNoMachineWentDown is like TestPastes, for words of what keeps record of machines that went down, where none did.
func TestNoMachineWentDown(t *testing.T) {
	analyzed(t, map[string]paste{
		"permissions":           {"includedPermissions:\n- compute.instances.reset\n- compute.instances.stop\n", ""},
		"a call":                {"methodName: v1.compute.instances.stop\n", "default/? node-reboot"},
		"what is planned":       {`{"Events":[{"Code":"system-reboot","Description":"scheduled reboot"}]}` + "\n", ""},
		"a setting":             {"systemctl-shutdown: HARDWARE PROTECTION shutdown is disabled\n", ""},
		"a test":                {"thermal: critical temperature reached in test rig, no shutting down needed\n", ""},
		"a machine's kills":     {`container_oom_events_total{container="",id="/",namespace="",pod=""} 5` + "\n", ""},
		"an option":             {"set oom-killed-alert=true for web-0\n", ""},
		"an OOM, but alive":     {"The heap is full (OutOfMemoryError), but the container does not exit, it stays Running.\n", ""},
		"a car":                 {"My car dies when it is cold because the battery fails.\n", ""},
		"a commit":              {"fix(api): service panics with nil pointer\n", ""},
		"a comment":             {"// Run panics because of a nil deref when the config is missing.\n", ""},
		"a change":              {"v1.2.3: service no longer panics with nil pointer\n", ""},
		"a case that is closed": {"Status: Resolved. The service crashed because the config was missing. Fixed in 1.2\n", ""},
		"a readme":              {"The app exits with an error because DATABASE_URL is missing.\n", ""},
		"a readme below a row": {"NAME    READY   STATUS    RESTARTS   AGE\nweb-0   1/1     Running   0          5d\n\n" +
			"The app exits with an error because DATABASE_URL is missing.\n", ""},
		"a client":     {"The client gives up after 3 retries; web-0 is fine.\n", ""},
		"a request":    {"web-0: the request errors out with 500 but container runs\n", ""},
		"a controller": {"F E1130 06:00:02.000000 1 reflector.go:1] Failed to watch *v1.Pod: forbidden\n", ""},
		"a controller's pod": {"2026-11-30T06:00:02.1Z stderr F E1130 06:00:02.000000 1 controller.go:12] pod: shop failed " +
			"to sync\n", ""},
		"a kubelet's error": {"E0404 18:44:02.807115     201 pod_container_manager_linux.go:192] \"Failed to kill all the processes\"\n", ""},
		"a saying":          {"Keep the lid on this: web-0 restarted.\n", "default/web-0 unknown"},
		"a lid":             {"web-0 restarted after I closed the lid.\n", "default/web-0 node-reboot"},
	})
}
