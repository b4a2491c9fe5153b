package main

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/test/field/internal/entry"
)

// described is a described end whose code alone says little.
const described = "Name:       web-0\nNamespace:  shop\nContainers:\n  app:\n    State:          Running\n" +
	"      Started:      Sun, 01 Mar 2026 09:30:01 +0000\n    Last State:     Terminated\n      Reason:       Error\n" +
	"      Exit Code:    137\n      Started:      Sun, 01 Mar 2026 07:03:11 +0000\n" +
	"      Finished:     Sun, 01 Mar 2026 09:30:00 +0000\n    Ready:          True\n    Restart Count:  8\n"

// TestPastes holds texts written for this test, as strangers paste them: one for each form of a reported end that once
// got no item, or one with another name. The expected result is the pod's place and its cause, "" for no item at all.
func TestPastes(t *testing.T) {
	analyzed(t, map[string]paste{
		"words beside a described end": {"Our web-0 restarts, its liveness probe kept failing before.\n\n" + described,
			"shop/web-0 liveness-probe-failed"},
		"words about another pod beside it": {"The pod db-0 restarts, its liveness probe kept failing.\n\n" + described,
			"shop/web-0 oom-container-limit"},
		"words about a pod of that name elsewhere": {"Pod web-0 in namespace prod was killed: liveness probe failed.\n\n" +
			described, "shop/web-0 oom-container-limit"},
		"a rollout beside a described end": {"The pods were recreated with the new config yesterday.\n\n" + described,
			"shop/web-0 oom-container-limit"},
		"a talk about a probe": {"[09:12] mira: the new release never comes up\n[09:13] mira: shop / cart-7d9f8b6c5-x2k9p\n" +
			"[09:20] jon: your startupProbe has failureThreshold 1 there. It fails once and you are out\n",
			"shop/cart-7d9f8b6c5-x2k9p startup-probe-failed"},
		"a talk about a probe to come": {"[09:12] mira: should we add a startupProbe to the deployment?\n" +
			"[09:13] jon: yes, failureThreshold 30 please\n", ""},
		"an exporter of events": {"our event exporter, namespace batch:\n\n11:00:49  Normal  Preempted  Pod/etl-x2k9p  " +
			"Preempted by pod 4c2f9a61-7a0e-4f37-9d53-0b2f3a1f64d2 on node n1\n", "batch/etl-x2k9p preempted-by-scheduler"},
		"a state without its code": {"Pods do not start:\n```\n    State:          Terminated\n      Reason:       StartError\n" +
			"      Message:      failed to create containerd task: context deadline exceeded: unknown\n```\n",
			"default/? start-error"},
		"VPA's row without a head": {"from the events of namespace `db`:\n> EvictedByVPA   pod/pg-1   Pod was evicted by VPA " +
			"Updater to apply resource recommendation.\n", "db/pg-1 api-evicted"},
		"a person's word for it": {"The pod pg-1 was evicted by the VPA updater again.\n", "default/pg-1 api-evicted"},
		"karpenter's row":        {"12s   Normal   Evicted   pod/cart-0   Evicted pod: Drifted\n", "default/cart-0 api-evicted"},
		"a scheduler of batches": {"LAST SEEN   TYPE     REASON      OBJECT          MESSAGE\n" +
			"2m          Normal   Scheduled   pod/build-pod   Successfully assigned pod team-a/build-pod to node g2 at node-pool d\n" +
			"2m5s        Normal   Evict       pod/train-pod   Preempted by higher priority workload team-a/pg-build-0c6f\n" +
			"2m5s        Normal   Killing     pod/train-pod   Stopping container main\n", "team-a/train-pod preempted-by-scheduler"},
		"a screen that breaks words": {
			"┌──────────── Describe(db/pg-0) ─────────────┐\n│ Events:                                    │\n" +
				"│   Type     Reason     Age   From     Messa │\n│ ge                                         │\n" +
				"│   Warning  Unhealthy  10s   kubelet  Start │\n│ up probe failed: connection refused        │\n" +
				"│   Normal   Killing    5s    kubelet  Conta │\n│ iner db failed startup probe, will be rest │\n" +
				"│ arted                                      │\n└────────────────────────────────────────────┘\n",
			"db/pg-0 startup-probe-failed"},
		"a dashboard's row": {"Workloads > api                     Namespace: web\n\nPods\n  api-0      Running      Restarts: 14\n\n" +
			"Events\n  Container api failed startup probe, will be restarted        2 minutes ago    x14\n",
			"web/api-0 startup-probe-failed"},
		"rows below another pod of the controller": {"My container was killed now and then:\n```\n-> kubectl get pods -A\n" +
			"apps     web-8568db8bfd-7w6xl     1/1     Running     174 (12h ago)   30d\n```\n\n```\n-> kubectl get events\n" +
			"2m27s    Normal    Started     pod/web-57f9d6fd5c-czdlh    Started container web\n" +
			"2m22s    Warning   Unhealthy   pod/web-57f9d6fd5c-czdlh    Liveness probe failed: ERROR\n```\n",
			"apps/web-57f9d6fd5c-czdlh liveness-probe-failed"},
		"a probe of a pod that never restarted": {"$ kubectl get pods -n apps\nNAME    READY   STATUS    RESTARTS   AGE\n" +
			"web-0   1/1     Running   0          30d\n\n$ kubectl get events -n apps\n" +
			"LAST SEEN   TYPE      REASON      OBJECT      MESSAGE\n" +
			"2m22s       Warning   Unhealthy   pod/web-0   Liveness probe failed: timeout\n", ""},
		"marks of a chat": {"*Cluster:* eu\n*Namespace:* checkout\n*Pod:* api-7c8d9f6b5-k4x2z\nlast terminated reason: OOMKilled\n",
			"checkout/api-7c8d9f6b5-k4x2z oom-container-limit"},
		"a namespace before its word": {"线上 prod 命名空间的 order-6d8f9b7c5-9xk2m 今天重启了 3 次，退出码 137，OOMKilled。\n",
			"prod/order-6d8f9b7c5-9xk2m oom-container-limit"},
		"a pod in brackets": {"Problem: Namespace [prod]: Pod [kafka-2] is crash looping\n", "prod/kafka-2 app-exit-error"},
		"k8sgpt": {"0: Pod shop/cart-6f7b9d8c4-w5k2m(Deployment/cart)\n" +
			"- Error: the last termination reason is OOMKilled container=cart pod=cart-6f7b9d8c4-w5k2m\n",
			"shop/cart-6f7b9d8c4-w5k2m oom-container-limit"},
		"who takes the room":       {"My pod disappears: Preempted by default/top-0 on node n1\n", "default/? preempted-by-scheduler"},
		"about a pod by its name":  {"@oncall db-0 OOM again, third time this week\n", "default/db-0 oom-container-limit"},
		"a measure that is not so": {"kube_pod_container_status_last_terminated_reason{pod=\"a-0\",reason=\"OOMKilled\"} 0\n", ""},
		"an alert of old":          {"ALERT KubePodCrashLooping\n  EXPR max_over_time(x{reason=\"CrashLoopBackOff\"}[5m]) >= 1\n", ""},
		"the subject, and not who else is named": {"web-5f6d7c8b9-w2x4z: OOMKilled. other pod web-5f6d7c8b9-q8r9t is fine\n",
			"default/web-5f6d7c8b9-w2x4z oom-container-limit"},
		"a row without a head": {"| shop | web-0 | web | OOMKilled | 137 |\n", "shop/web-0 oom-container-limit"},
		"a name of DNS":        {"web-0.web.shop.svc.cluster.local was OOMKilled, container web\n", "shop/web-0 oom-container-limit"},
		"a reason and its sentence": {"*Kind:* Pod  *Name:* api-0  *Namespace:* team  *Reason:* Evicted\n" +
			"*Messages:* The node was low on resource: memory. Container api was using 900Mi, request is 100Mi\n",
			"team/api-0 evicted-memory"},
		"an object of a console": {"The watcher printed:\n```\nCoreV1Event {\n  involvedObject: V1ObjectReference {\n    kind: 'Pod',\n" +
			"    name: 'api-0',\n    namespace: 'team'\n  },\n  message: 'The node was low on resource: memory. ',\n" +
			"  reason: 'Evicted'\n}\n```\n", "team/api-0 evicted-memory"},
		"a controller's event in its log": {`I0930 19:20:54.015745   26971 event.go:218] Event(v1.ObjectReference{Kind:"DaemonSet", ` +
			`Namespace:"net", Name:"sdn", UID:"u1", APIVersion:"extensions", ResourceVersion:"1", FieldPath:""}): type: 'Normal' ` +
			"reason: 'SuccessfulDelete' Deleted pod: sdn-w2kfr\n", "net/sdn-w2kfr pod-deleted"},
		"the same of another pod": {"```\nLAST SEEN   TYPE     REASON    OBJECT          MESSAGE\n51s         Normal   Killing   pod/cart-0      " +
			"Container cart failed liveness probe, will be restarted\n```\nSame story for web-7d9f8b6c5-x2k9p. The probe works by hand.\n",
			"default/web-7d9f8b6c5-x2k9p liveness-probe-failed"},
		"a helm test that succeeds": {"TEST SUITE:     cart-test\nPhase:          Succeeded\nError: unable to get pod logs for cart-test: " +
			"pods \"cart-test\" not found\nin helmfile.yaml: release \"cart\" failed: command \"/usr/local/bin/helm\" exited with non-zero status:\n" +
			"ERROR:\n  exit status 1\n", ""},
		"the exit of a step of a CI": {"helm test cart -n shop\nPhase:          Succeeded\nPOD LOGS: cart-test\n##[error]Process completed with exit code 1.\n", ""},
		"a workflow's own message": {"Name:                hello-x7k2p\nNamespace:           argo\nServiceAccount:      default\nStatus:              Failed\n" +
			"Message:             OOMKilled (exit code 137)\nSTEP            TEMPLATE  PODNAME      DURATION  MESSAGE\n" +
			" ✖ hello-x7k2p  main      hello-x7k2p  21s       OOMKilled (exit code 137)\n", "argo/hello-x7k2p oom-container-limit"},
		"an alert's table, a field a line": {"# Alert KubePodCrashLooping firing in shop namespace\n\nPlease do not edit this message.\n\n<table>\n<tr>\n" +
			"    <th>namespace</th>\n    <td>shop</td>\n</tr>\n<tr>\n    <th>pod</th>\n    <td>cart-587c75c675-2mz7t</td>\n</tr>\n</table>\n",
			"shop/cart-587c75c675-2mz7t app-exit-error"},
		"a row of a deleted pod": {"Replaced every 5 minutes:\n```\n$ kubectl get pods -A | grep db\n\nshop            db-0             3/3     Running       0          4m52s\n" +
			"shop            db-1             3/3     Terminating   0          3m42s\n```\n", "shop/db-1 pod-deleted"},
		"a number of Windows":     {"web-7d9f8b6c5-x2k9p in shop: exit code 3221225477, restarts 4\n", "shop/web-7d9f8b6c5-x2k9p app-exit-error"},
		"a hex number of Windows": {"The container of web-7d9f8b6c5-x2k9p (shop) exits with 0xC0000005 each time.\n", "shop/web-7d9f8b6c5-x2k9p app-exit-error"},
		"a child that was killed": {"container=sync in pod cart-0\n2020-07-16T02:52:33Z [ERROR] sync: err=\"signal: killed\"\n\n7 restarts. Its memory goes up to 100% of the 25Mi\n", "default/cart-0 oom-container-limit"},
		"a secret as a status": {"NAME     READY   STATUS                        RESTARTS   AGE\ncart-0   0/1     secrets \"db-password\" not found   0          12s\n",
			"default/cart-0 create-error"},
		"Jenkins of its agent": {"[2026-09-11T03:33:16.221Z] ci/worker-r6qbk-cr1c6 Pod just failed. Reason: Evicted, Message: " +
			"The node was low on resource: ephemeral-storage. .\n[2026-09-11T03:33:17.002Z] script returned exit code 143\n",
			"ci/worker-r6qbk-cr1c6 evicted-disk"},
		"a name with a variable": {"$ for a in x y; do kubectl get pod hog-$a -o jsonpath='{.metadata.name} {.metadata.uid} {.status}'; done\n" +
			"hog-x 728ea1d2-0b7b-4c36-a2fc-bb86f21e13b3 64Mi {\"exitCode\":137,\"reason\":\"OOMKilled\"}\n" +
			"hog-y c83aae7c-8d97-4c5d-a27d-4a513a52deb1 64Mi {\"exitCode\":1,\"reason\":\"Error\"}\n", "default/hog-y app-exit-error"},
		"a console's table with tabs": {"TimeGenerated [UTC]\tNamespace\tName\tReason\tMessage\n" +
			"3/2/2024, 10:00:00.000 AM\tshop\tcart-0\tKilling\tContainer app failed liveness probe, will be restarted\n",
			"shop/cart-0 liveness-probe-failed"},
		"an event of all namespaces": {"shop   3m   Warning   Evicted   Pod/cart-0   The node was low on resource: memory. \n",
			"shop/cart-0 evicted-memory"},
		"a line of a bot": {"10:00:10 shop pod/cart-0 Normal Killing: Container app failed liveness probe, will be restarted\n",
			"shop/cart-0 liveness-probe-failed"},
		"a metric of the exit code": {`kube_pod_container_status_last_terminated_exitcode{container="app", namespace="shop", pod="cart-0"} 139` + "\n",
			"shop/cart-0 app-signal"},
		"an alert's own word": {"[FIRING:1] ContainerOOMKilled (cart-0 app critical)\nLabels:\n - container = app\n - namespace = shop\n - pod = cart-0\n",
			"shop/cart-0 oom-container-limit"},
		"a job that was deleted":      {"Pod got deleted unexpectedly\npod: ci-test-x2k9p, namespace test-pods\n", "test-pods/ci-test-x2k9p pod-deleted"},
		"a rollout that does not end": {"Health check failed after 5m0s: timeout waiting for: [Deployment/shop/cart status: 'InProgress']\n", "shop/? unknown"},
		"pods in a quoted namespace": {"pods in `shop` keep restarting after the upgrade, e.g.\ncart-7d9f8b6c5-x2k9p   0/1   OOMKilled   3   5m\n",
			"shop/cart-7d9f8b6c5-x2k9p oom-container-limit"},
		"what grep found of an event": {"events.yaml:  message: 'Container app failed liveness probe, will be restarted'\n" +
			"events.yaml-  involvedObject: {kind: Pod, name: cart-0, namespace: shop}\n", "shop/cart-0 liveness-probe-failed"},
		"a file of a must-gather": {"namespaces/shop/pods/cart-0/cart-0.yaml:      reason: OOMKilled\n", "shop/cart-0 oom-container-limit"},
		"the only change": {"```python\nprobe[\"failureThreshold\"] = 1\n```\non the livenessProbe of cart in `web-shop`, nothing else.\n\n" +
			"```\ncart-6d7f5c9b8d-mk2tz   0/1   CrashLoopBackOff   5 (38s ago)   3m4s\n```\n",
			"web-shop/cart-6d7f5c9b8d-mk2tz liveness-probe-failed"},
		"a controller's name beside its namespace": {"cart (shop) crashes again\ncart-7d9f8b6c5-x2k9p   0/1   OOMKilled   5 (38s ago)   3m4s\n",
			"shop/cart-7d9f8b6c5-x2k9p oom-container-limit"},
		"a variable in a command": {"export NS=shop\nkubectl get pods -n $NS\nNAME   READY   STATUS   RESTARTS   AGE\n" +
			"cart-0   0/1   OOMKilled   5 (38s ago)   3m4s\n", "shop/cart-0 oom-container-limit"},
		"a tree of argo": {"$ argo get -n argo x7k2p\nSTEP         TEMPLATE   PODNAME          DURATION  MESSAGE\n" +
			" ✖ x7k2p     main                                  child 'x7k2p-11' failed\n" +
			" └─✖ load    load       x7k2p-load-1178  6m        Pod was terminated in response to imminent node shutdown.\n",
			"argo/x7k2p-load-1178 node-shutdown"},
		"a record of an event": {`{"reason":"Preempted","kind":"Pod","namespace":"prod","name":"web-0",` +
			`"message":"Preempted by a pod on node n1"}`, "prod/web-0 preempted-by-scheduler"},
		"what mends a limit": {"Raise the memory limit of the operator to 256Mi: it gets killed on large clusters.\n",
			"default/? oom-container-limit"},
		"a plan": {"Add a PodDisruptionBudget so that pods aren't evicted all at once during a drain.\n", ""},
		"a command within a sentence": {"It is restarted with CrashLoopBackOff error. kubectl describe pod show no error.\n",
			"default/? app-exit-error"},
		"a setting for later":         {"I set activeDeadlineSeconds: 600 on the cron job so that hung jobs get killed.\n", ""},
		"a class for others":          {"We added a PriorityClass so that payment pods stay: a higher priority pushes others out.\n", ""},
		"a class of a review":         {"Set priorityClassName high for the pods of the ingress. Removed the old class.\n", ""},
		"a full cache":                {"The memory is at 100% of its limit in pod cache-0: it is a cache and drops old keys.\n", ""},
		"a collector of a heap":       {"Tuning JVM in containers: it uses all the memory that Xmx allows, GC kicks in at 80%.\n", ""},
		"notes of a release":          {"# Release 2.4.0\n- The postStart hook was removed; it used to fail on slow disks.\n", ""},
		"a machine up for weeks":      {"$ uptime\n 08:14:02 up 40 days,  3:12,  1 user,  load average: 0.41, 0.38, 0.33\n", ""},
		"what a rollout is":           {"Deployment shop/web: configured, pods are replaced one by one\n", ""},
		"conditions that do not hold": {"node n1: MemoryPressure False, DiskPressure False. Pods evicted: 0\n", ""},
		"a pool without an end":       {"The node group was upgraded to 1.31, no pod was killed.\n", ""},
		"what a word means":           {"CrashLoopBackOff is a state in which Kubernetes waits before it restarts a container.\n", ""},
		"how to look for it":          {"How do I write an alert that fires when pods are in CrashLoopBackOff?\n", ""},
	})
}

// paste is a text with the expected pod and cause.
type paste struct{ text, want string }

func analyzed(t *testing.T, pastes map[string]paste) {
	t.Helper()
	for name, c := range pastes {
		e := &entry.Entry{Name: name, CollectedAt: time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC),
			Files: map[string][]byte{"paste.txt": []byte(c.text)}}
		r, err := e.Report()
		if err != nil {
			t.Fatal(err)
		}
		var said []string
		for i := range r.Items {
			it := &r.Items[i]
			said = append(said, it.Namespace+"/"+it.Pod+" "+it.Verdict.Cause)
			if it.Verdict.Confidence == report.Proven {
				t.Errorf("%s: %s is proven", name, it.Verdict.Cause)
			}
		}
		if c.want == "" && len(said) > 0 || c.want != "" && !slices.Contains(said, c.want) {
			t.Errorf("%s: %s, want %q", name, strings.Join(said, ", "), c.want)
		}
	}
}
