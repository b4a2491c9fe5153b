package main

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/test/field/internal/entry"
)

// besides are what people paste next to the evidence and what tells of no end: outputs about other things, what a
// program says before its output, and what they tried in vain.
var besides = map[string]string{
	"an empty answer":      "$ kubectl get events\nNo resources found in default namespace.\n",
	"a command alone":      "$ kubectl rollout restart deployment/shop\n",
	"a command in words":   "kubectl rollout restart deployment/shop does not help.\n",
	"a client's complaint": "E0502 10:11:12.123456   12345 memcache.go:255] couldn't get resource list for metrics.k8s.io/v1beta1: x\n",
	"a client's warning":   "Warning: policy/v1beta1 PodDisruptionBudget is deprecated in v1.21+, unavailable in v1.25+\n",
	"a deployment":         "$ kubectl get deploy\nNAME   READY   UP-TO-DATE   AVAILABLE   AGE\nshop   0/2     2            0           41d\n",
	"what did not help":    "I already tried to delete the pod and to raise the memory limit, but no luck.\n",
	"a cure":               "Deleting the pod makes it work again. Rebooting the node fixes it for a while.\n",
	"all in one sentence":  "The image runs elsewhere, I tried to delete the pod without success, deleting it by force helps.\n",
	"steps of a form":      "### Steps to reproduce\n1. Install the chart\n2. Delete the pod\n3. Wait\n",
	"a helper's questions": "Hi, thanks! Could you check whether the pod was OOMKilled or whether the liveness probe failed?\n",
	"a helper's question":  "Was the container OOMKilled? Did the node reboot?\n",
	"a line of a log":      "Mar 12 08:14:05 worker-a dockerd[882]: time=\"2023-03-12T08:14:05Z\" level=info msg=\"API listen on x\"\n",
	"pods that restarted long ago": "$ kubectl get pods -A\n" +
		"NAMESPACE     NAME                       READY   STATUS    RESTARTS      AGE\n" +
		"kube-system   coredns-5d78c9869d-x2k4p   1/1     Running   1 (40d ago)   80d\n" +
		"kube-system   etcd-worker-a              1/1     Running   3 (40d ago)   80d\n",
	"old ends of others": "# crictl ps -a\n" + crictl +
		"7a1b2c3d4e5f6   6e38f40d628db   5 weeks ago   Exited    ledger            0   1f2e3d4c5b6a7   ledger-6c9f7d5b8-k2x4q\n" +
		"6a1b2c3d4e5f6   a4ca41631cc7a   5 weeks ago   Exited    install-plugins   0   2f2e3d4c5b6a7   netagent-x8k2p\n",
	"a container that runs": "# crictl ps\n" + crictl,
	"a task that is gone": "Mar 12 08:14:05 worker-a dockerd[882]: time=\"2023-03-12T08:14:05.112233445Z\" level=info msg=\"ignoring event\" " +
		"container=0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9 module=libcontainerd namespace=moby " +
		"topic=/tasks/delete type=\"*events.TaskDelete\"\n",
	"a machine that is up for weeks": "$ uptime\n 08:14:02 up 40 days,  3:12,  1 user,  load average: 0.41, 0.38, 0.33\n",
	"notes of a release": "## v1.4.1\n### Bug Fixes\n- fix crash on startup when no config is given (#412)\n" +
		"- the worker was OOMKilled under load (#409)\n\n",
	"somebody else's": "Could this be related to #1234, where the pods got OOMKilled?\n",
	"the cluster's own pod": "$ kubectl get pods -n kube-system\n" +
		"NAME                       READY   STATUS    RESTARTS   AGE\ncoredns-5d78c9869d-x2k4p   1/1     Running   0          41d\n" +
		"coredns-5d78c9869d-z7m2q   1/1     Running   0          41d\n",
	"a node that is well": `$ kubectl describe node worker-a
Name:               worker-a
Roles:              <none>
Conditions:
  Type             Status  LastHeartbeatTime                 LastTransitionTime                Reason
  ----             ------  -----------------                 ------------------                ------
` + "  MemoryPressure   False   Thu, 02 May 2024 10:11:12 +0000   Thu, 21 Mar 2024 08:00:00 +0000   " +
		"KubeletHasSufficientMemory   kubelet has sufficient memory available\n" +
		"  Ready            True    Thu, 02 May 2024 10:11:12 +0000   Thu, 21 Mar 2024 08:00:00 +0000   " +
		"KubeletReady                 kubelet is posting ready status\n" + `Non-terminated Pods:          (2 in total)
  Namespace                   Name                    CPU Requests  CPU Limits  Memory Requests  Memory Limits  Age
  ---------                   ----                    ------------  ----------  ---------------  -------------  ---
  kube-system                 kube-proxy-x7k2p        100m (1%)     0 (0%)      0 (0%)           0 (0%)         41d
  shop                        shop-5d8f7c6b9d-2xk4p   500m (6%)     1 (12%)     512Mi (3%)       1Gi (6%)       12d
Events:              <none>
`,
}

// crictl is the beginning of what crictl prints of the containers of a node.
const crictl = "CONTAINER       IMAGE           CREATED       STATE     NAME              ATTEMPT   POD ID          POD\n" +
	"9a1b2c3d4e5f6   6e38f40d628db   3 days ago    Running   ledger            1   1f2e3d4c5b6a7   ledger-6c9f7d5b8-k2x4q\n"

// What stands beside the evidence and tells of no end takes no verdict away: in front of it or behind it, in one paste
// or in another file.
func TestWhatStandsBesideTakesNothingAway(t *testing.T) {
	wanted := map[string]bool{}
	for _, name := range strings.Fields(`elastic-operator-small-limit-1468 kops-drained-pod-oomkilled-143-18040
		antrea-ovs-events-out-of-a-dashboard-833 a-tiny-init-needs-what-the-old-box-lacks-38
		agent-of-a-quarter-gigabyte alpine-without-a-job-completes-13754 backup-job-panics-the-operator-1454
		loadtest-outlasts-the-liveness-timeout-975
		showcase-status-in-folded-yaml-725 probe-on-a-port-behind-mutual-tls-1990 fullnode-memory-eviction-185
		taskrun-emptydir-limit-6145 linter-step-cannot-be-created-9222 crewlink-portainer-exec-format-74
		proxy-beside-an-app-that-scales-103 service-exits-zero-and-backs-off-21008 executor-52-beside-its-sidecars-48275`) {
		wanted[name] = true
	}
	entries, err := entry.Load("testdata", analyzer.Causes())
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !wanted[e.Name] {
			continue
		}
		delete(wanted, e.Name)
		t.Run(e.Name, func(t *testing.T) {
			t.Parallel()
			base := *e
			base.Files = oneFile("", "\n", "\n")(e.Files)
			before := causes(t, &base)
			for name, beside := range besides {
				for where, texts := range map[string][]string{
					"behind":  {string(base.Files["paste.txt"]) + "\n" + beside},
					"before":  {beside + "\n" + string(base.Files["paste.txt"])},
					"in file": {string(base.Files["paste.txt"]), beside},
				} {
					in := *e
					in.Files = map[string][]byte{}
					for i, text := range texts {
						in.Files[fmt.Sprintf("paste%d.txt", i)] = []byte(text)
					}
					after := causes(t, &in)
					if _, had := before["unknown"]; !had {
						delete(after, "unknown") // of the ends of others
					}
					if !maps.Equal(before, after) {
						t.Errorf("%s %s: %v, want %v", name, where, after, before)
					}
				}
			}
		})
	}
	for name := range wanted {
		t.Errorf("there is no entry %s", name)
	}
}

// causes returns the causes of a report's items, with their confidences.
func causes(t *testing.T, e *entry.Entry) map[string]string {
	t.Helper()
	r, err := e.Report()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for i := range r.Items {
		if v := &r.Items[i].Verdict; out[v.Cause] == "" || v.Confidence == report.Likely {
			out[v.Cause] = string(v.Confidence)
		}
	}
	return out
}
