package mention

import (
	"fmt"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/naming"
)

// ends are those that a text tells of: pod, container, reason and code.
func ends(text string) string {
	var out []string
	for _, e := range Of(text, "a.txt", printed).named(naming.Names{}) {
		code := "-"
		if e.code != nil {
			code = fmt.Sprint(*e.code)
		}
		how := strings.Trim(e.ended+e.waits, "#")
		out = append(out, fmt.Sprintf("%s/%s/%s %s %s", e.Namespace, e.Pod, e.Container, how, code))
	}
	return strings.Join(out, "; ")
}

func TestTablesThatAnybodyMadeOfPods(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"columns of a person's choice": {"NAME       RESTARTS   REASON      EXIT\nweb-0      4          OOMKilled   137\n" +
			"web-1      0          <none>      <none>\nworker-5   12         Error       1\n",
			"default/web-0/? OOMKilled 137; default/worker-5/? Error 1"},
		"a word for a column that is not known": {"NAME       RESTARTS   LAST\nweb-0      4          OOMKilled\n" +
			"worker-5   12         Error\n", "default/web-0/? OOMKilled -; default/worker-5/? Error -"},
		"a spreadsheet": {"pod,namespace,container,restart_count,exit_code\nweb-0,shop,app,4,139\nweb-1,shop,app,0,\n",
			"shop/web-0/app  139"},
		"a table of a report": {"| Pod | Restarts | Last reason |\n|---|---|---|\n| web-0 | 4 | OOMKilled |\n| web-1 | 3 | Error, exit 2 |\n",
			"default/web-0/? OOMKilled -; default/web-1/? Error 2"},
		"semicolons": {"pod;exit;reason\nweb-0;137;OOMKilled\n", "default/web-0/? OOMKilled 137"},
		"a dashboard's, whose head has words for an end": {"Name\tStatus\tRestarts\tMemory Usage (bytes)\tPods killed\n" +
			"web-0\tTerminated: Error\t0\t-\t-\n", "default/web-0/? Error -"},
		"counts alone": {"POD     COUNT   OWNER\nweb-0   4       shop\nweb-1   0       shop\n", "default/web-0/? " + endsBare + " -"},
		"a console's table of a pod's containers": {"Pod: web-7f9c6d5b8-x2l5k\nName   Image     State     Last State   Restarts\n" +
			"app    app:1     Waiting   Terminated at Mar 3, 2026, 9:41 AM with exit code 126 (Error)   8\n" +
			"side   side:2    Running   -            0\n", "default/web-7f9c6d5b8-x2l5k/app  126"},
		"a pod that is being deleted, alone": {"NAME    READY   STATUS        RESTARTS   AGE\n" +
			"web-0   0/2     Terminating   0          5s\n", "default/web-0/?  -"},
		"one that was done, and cleaned up": {"NAME    READY   STATUS        RESTARTS   AGE\n" +
			"web-0   0/2     Completed     0          9s\nweb-0   0/2     Terminating   0          5s\n", ""},
		"one whose containers are ready is read elsewhere": {"NAME    READY   STATUS        RESTARTS   AGE\n" +
			"web-0   2/2     Terminating   0          5s\n", ""},
		"nothing restarted":  {"NAME    RESTARTS   REASON\nweb-0   0          <none>\nweb-1   0          -\n", ""},
		"a Job that is done": {"NAME     EXIT   REASON\njob-x1   0      Completed\n", ""},
		"events in a spreadsheet": {"TimeGenerated [UTC],Namespace,Name,Reason,Message,Count\n" +
			"\"3/4/2026, 10:00:00.000 AM\",shop,web-0,Killing,\"Container app failed liveness probe, will be restarted\",4\n" +
			"\"3/4/2026, 9:00:00.000 AM\",shop,web-0,Pulled,\"Container image is already present, as before\",9\n",
			"shop/web-0/?  -"},
		"words that stand together": {"Name\tContainerName\tContainerStatusReason\tContainerRestartCount\n" +
			"web-0\t6f1c2d3e/app\tOOMKilled\t4\n", "default/web-0/app OOMKilled -"},
		"a cell of a quoted blank": {"| Pod | Restarts |\n|---|---|\n| web-0 | \" \" |\n| web-1 | 2 |\n",
			"default/web-1/? " + endsBare + " -"},
		"docker ps": {"CONTAINER ID   IMAGE   COMMAND   CREATED   STATUS   PORTS   NAMES\n" +
			"6b274e0d70ad   cart:1   \"/run\"   9 days ago   Exited (3) 2 hours ago   shop_Cart_1\n" +
			"7c385f1e81be   cart:1   \"/run\"   9 days ago   Up 5 days   80/tcp   shop_web_1\n" +
			"8d496a2f92cf   db:1   \"/run\"   9 days ago   Restarting (0) 4 seconds ago   shop_db_1\n" +
			"9e5a7b30a3d0   k8s/pause   \"/pause\"   9 days ago   Exited (0) 2 hours ago   k8s_POD_a_b_c_0\n",
			"default/shop_Cart_1/shop_Cart_1  3; default/shop_db_1/shop_db_1 ? 0"},
		"Compose's ps": {"   Name      Command   State    Ports\n-----------------------------------\n" +
			"shop_db_1   /run.sh   Exit 137\nshop_web_1  /run.sh   Up       80/tcp\nshop_q_1    /run.sh   Restarting\n",
			"default/shop_db_1/shop_db_1  137; default/shop_q_1/shop_q_1 ? -"},
		"Compose's ps of today": {"NAME      IMAGE   COMMAND   SERVICE   CREATED      STATUS                    PORTS\n" +
			"shop-db   db:1    \"/run\"    db        2 days ago   Exited (1) 3 seconds ago\n",
			"default/shop-db/shop-db  1"},
		"rows of docker ps that grep left": {"$ docker ps -a | grep shop\n" +
			"6b274e0d70ad  cart:1  \"/run\"  9 days ago  Restarting (126) 3 seconds ago  shop_cart_1\n",
			"default/shop_cart_1/shop_cart_1 ? 126"},
		"builds":                   {"name,state,exit_code\nbuild-1,success,0\nbuild-2,failed,1\n", ""},
		"what is no table of pods": {"NAME    STATUS   VERSION\nnode-1  Ready    v1.30.1\n", ""},
	} {
		if got := ends(c.text); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestWhatIsSaidOfAListIsSaidOfEach(t *testing.T) {
	for text, want := range map[string]string{
		"The pods kafka-0 and kafka-2 exited with code 255 after the node came back.":   "kafka-0 kafka-2",
		"Pods web-0, web-1, and web-2 were OOMKilled at noon, why do they all restart?": "web-0 web-1 web-2",
		"The pod web-0, which runs on node-1, was OOMKilled at noon again today.":       "web-0",
		"The pod web-0 and its database were OOMKilled at noon again today.":            "web-0",
	} {
		var pods []string
		for _, e := range Of(text+"\n", "a.txt", printed).named(naming.Names{}) {
			pods = append(pods, e.Pod)
		}
		if got := strings.Join(pods, " "); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// A sentence that names no pod is about those that restarted, if a table beside it has a few of them.
func TestWordsWithoutAPodAreOfThoseThatRestarted(t *testing.T) {
	const said = "Our payment pods were OOMKilled again.\n\n"
	row := func(pod, status, restarts string) string {
		return pod + "   1/1   " + status + "   " + restarts + "   5h\n"
	}
	two := row("pay-0", "Running", "3 (4m ago)") + row("pay-1", "CrashLoopBackOff", "12 (1m ago)")
	for _, c := range []struct {
		name, text string
		of, notOf  []string
	}{
		{"two that restarted", said + two, []string{"pay-0", "pay-1"}, nil},
		{"one that did not", said + two + row("db-0", "Running", "0"), []string{"pay-0", "pay-1"}, []string{"db-0"}},
		{"in namespaces", said + "shop   " + row("pay-0", "Running", "3"), []string{"pay-0", `"namespace":"shop"`}, nil},
		{"of one that is named", "The pod pay-0 was OOMKilled again.\n\n" + two, []string{"pay-0"}, []string{`"name":"pay-1"},"spec`}},
		{"a whole cluster", said + two + row("a-0", "Running", "1") + row("a-1", "Running", "1") +
			row("a-2", "Running", "1") + row("a-3", "Running", "1"), nil, []string{"a-3"}},
	} {
		got := read(c.text, "question.txt")
		for _, w := range c.of {
			if !strings.Contains(got, w) || !strings.Contains(got, "OOMKilled") {
				t.Errorf("%s: no %s in %s", c.name, w, got)
			}
		}
		for _, w := range c.notOf {
			if strings.Contains(got, w) {
				t.Errorf("%s: %s in %s", c.name, w, got)
			}
		}
	}
}

func TestNamesOfProgramsForWhatHappened(t *testing.T) {
	for text, want := range map[string]string{
		"event: CONTAINER_OOM pod=web-0 namespace=ml limit=8Gi":      "ml/web-0/? OOMKilled -",
		"WARN CONTAINER_CRASHED container=app pod=web-0 exit_code=3": "default/web-0/app  3",
		"metric POD_RESTART_TOTAL pod=web-0 value=0":                 "",
	} {
		if got := ends(text + "\n"); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func TestALineIsOfItsOwnTime(t *testing.T) {
	for line, want := range map[string]string{
		`I0110 10:00:00.000000  1 a.go:1] "Deleting pod" pod="shop/web-0" was OOMKilled`:    "01-10 10:00:00",
		`Jan 10 10:00:00 n1 agent[7]: pod web-0 was OOMKilled`:                              "01-10 10:00:00",
		`Jan 10 10:00:01 n1 agent[7]: I0110 10:00:00.000000  1 a.go:1] pod web-0 OOMKilled`: "01-10 10:00:00",
		`2026-01-10T10:00:00Z pod web-0 was OOMKilled`:                                      "01-10 10:00:00",
		`pod web-0 was OOMKilled`: "01-01 00:00:00",
	} {
		found := Of(line+"\n", "a.txt", printed).ends
		if len(found) != 1 || found[0].written.Format("01-02 15:04:05") != want {
			t.Errorf("%s: %v, want %s", line, found, want)
		}
	}
}

func TestEndsThatToolsAndPeopleName(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		wants []string // each in what is read
		not   string
	}{
		"helm test": {"Error: 1 error occurred:\n\t* pod web-test failed\n",
			[]string{`"web-test"`, `"phase":"Failed"`}, "killing"},
		"a console's list": {"shop / web-6bd4c9d57c-tq7nh   Evicted   web:7   10 minutes ago\n" +
			"shop / web-6bd4c9d57c-2x8kp   Evicted   web:7   10 minutes ago\n",
			[]string{`"web-6bd4c9d57c-tq7nh"`, `"web-6bd4c9d57c-2x8kp"`, `"reason":"Evicted"`}, "killing"},
		"the same of another pod": {"pod=cart-0 Container app failed liveness probe, will be restarted\nSame story for web-6bd4c9d57c-tq7nh.\n",
			[]string{`"cart-0"`, `"web-6bd4c9d57c-tq7nh"`}, "exitCode\":1"},
		"another pod that is only named": {"pod=cart-0 Container app failed liveness probe, will be restarted\nIt talks to web-6bd4c9d57c-tq7nh.\n",
			[]string{`"cart-0"`}, "tq7nh"},
		"a controller deleted it": {"logger.go:42: 07:00:01 | t | 2026-03-04 07:00:00 +0000 UTC\tNormal\tStatefulSet.apps web\t\tSuccessfulDelete\t" +
			"delete Pod web-0 in StatefulSet web successful\n", []string{`"web-0"`, "deletionTimestamp"}, "Failed"},
		"a controller deleted what had failed": {"Found failed daemon pod shop/web-x7k2p on node n1, will try to kill it\n" +
			"SuccessfulDelete  Deleted pod: web-x7k2p\n", []string{`"web-x7k2p"`, `"phase":"Failed"`}, "deletionTimestamp"},
		"Jobs in a table": {"The pods of a job ended.\nNAME     STATUS     COMPLETIONS   DURATION   AGE\n" +
			"sum-a    Complete   1/1           14s        2d\nsum-b    Failed     0/1           6m         6m\n",
			[]string{`"sum-b"`, `"reason":"Error"`}, "sum-a"},
		"a Job's alert": {"Alert: KubeJobFailed\nJob shop/sum failed to complete.\n",
			[]string{`"sum"`, `"reason":"Error"`}, "kube-state"},
		"a count of kills": {`container_oom_events_total{namespace="shop",pod="web-0"} 3`,
			[]string{`"web-0"`, "OOMKilled"}, "exitCode"},
		"a count of none": {`container_oom_events_total{namespace="shop",pod="web-0"} 0`, nil, "OOMKilled"},
		"the shutdown of kubelet 1.20": {"The pod web-0 stays with the message \"Node is shutting, evicting pods\".\n",
			[]string{`"web-0"`, `"reason":"Terminated"`}, "Evicted"},
		"a Job's measure": {`kube_job_status_failed{job_name="sum", reason="BackoffLimitExceeded"} 1`,
			[]string{`"sum"`, `"reason":"Error"`}, "Deadline"},
		"that of a deadline": {`kube_job_status_failed{job_name="sum", reason="DeadlineExceeded"} 1`,
			[]string{`"sum"`, `"reason":"DeadlineExceeded"`}, `"Error"`},
		"one that says none": {`kube_job_status_failed{job_name="sum", reason="BackoffLimitExceeded"} 0`, nil, "Pod"},
		"Terraform":          {"Error: job: shop/sum is in failed state", []string{`"sum"`, `"reason":"Error"`}, "Deadline"},
		"a CronJob's event": {"Normal  SawCompletedJob  12m  cronjob-controller  Saw completed job: sum-28, condition: Failed",
			[]string{`"sum-28"`, `"reason":"Error"`}, "Deadline"},
		"one that went well": {"Normal  SawCompletedJob  12m  cronjob-controller  Saw completed job: sum-28, condition: Complete",
			nil, "Error"},
		"too many indexes": {"The job `sum`: Job has exceeded the specified maximal number of failed indexes",
			[]string{`"sum"`}, "Deadline"},
		"a preStop hook": {`FailedPreStopHook Exec lifecycle hook ([sh]) for Container "app" in Pod "web-0_shop(1)" failed - error: 1`, nil, "PostStart"},
		"a field path":   {"Pod web-0.spec.containers{app} Killing Stopping container app\n", []string{`"name":"web-0"`}, `containers"`},
		"an alert's page": {"# Alert KubePodCrashLooping firing in shop\n\n<td>Pod shop/web-0 (app) is in waiting state (reason: \"CrashLoopBackOff\").</td>\n",
			[]string{`"web-0"`, "CrashLoopBackOff"}, "Failed"},
	} {
		got := read(c.text, "text.md")
		for _, want := range c.wants {
			if !strings.Contains(got, want) {
				t.Errorf("%s: no %s in\n%s", name, want, got)
			}
		}
		if strings.Contains(got, c.not) {
			t.Errorf("%s: %s in\n%s", name, c.not, got)
		}
	}
}
