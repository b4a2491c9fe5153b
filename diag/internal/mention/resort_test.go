package mention

import (
	"bytes"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/naming"
)

// Where a text says nothing else of how something ended, what was typed, what was done to a node and what keeps a
// container from being made count.
func TestTheLastResort(t *testing.T) {
	const table = "\nNAMESPACE   NAME   READY   STATUS   RESTARTS   AGE\nshop   web-0   1/1   Running   0   3d\nshop   web-1   0/1   Pending   0   6s\n"
	const made = "\nNAME   READY   STATUS   RESTARTS   AGE\nweb-0   0/1   ContainerCreating   0   14m\n"
	const creating, pull, evicted, deleted, hook = `"reason":"ContainerCreating"`, `"reason":"ImagePullBackOff"`, `"reason":"Evicted"`,
		`deletionTimestamp`, `"reason":"PreStartHookError"`
	const unmade = `"reason":"FailedCreatePodSandBox"`
	for text, wants := range map[string][]string{
		"The pod web-0 fails to start since yesterday.\n" + made: {`"web-0"`, creating},
		"ERROR: Job failed (system failure): prepare environment: waiting for pod running: timed out waiting for " +
			"pod to start\n": {creating},
		"Pod web-0: Pod took longer than 120 seconds to start.\n":                                 {creating},
		"Spawn failed: pod shop/web-0 did not start in 300 seconds!\n":                            {`"web-0"`, creating},
		"Pod fails to start, whatever I do.\n" + made:                                             {`"web-0"`, creating},
		"Failed to create pod sandbox: rpc error: code = Unknown\nMy pod web-0 fails to start.\n": {`"web-0"`, unmade},
		"The pod web-0 is stuck, it fails to create the pod sandbox.\n":                           {`"web-0"`, unmade},
		"$ kubectl delete pod web-0\npod \"web-0\" deleted\n":                                     {`"web-0"`, deleted},
		"$ kubectl -n shop delete pod web-0 --force\npod \"web-0\" force deleted\n":               {`"web-0"`, `"shop"`, deleted},
		"$ oc delete po/web-0\npod/web-0 deleted\n":                                               {`"web-0"`, deleted},
		"pod \"web-0\" deleted from shop namespace\n":                                             {`"web-0"`, `"shop"`, deleted},
		"Pods with our runtime stay in ContainerCreating, whatever limit we give them.\n":         {creating},
		"All new pods are stuck in ContainerCreating since the upgrade of the nodes.\n":           {creating},
		"The pod web-0 never gets past ContainerCreating on these two nodes.\n":                   {`"web-0"`, creating},
		"My pod hangs at container creating and the events are empty, what now?\n":                {creating},
		"The status is ContainerCreating forever, and the events say nothing at all.\n":           {creating},
		"Pods remain in the state ContainerCreating after that, on all of our nodes.\n":           {creating},
		"The pod is always in ContainerCreating, and I do not see an error anywhere.\n":           {creating},
		"The pod has been ContainerCreating for 40 minutes, its volume is there.\n":               {creating},
		"The web-api pods cannot start: their image cannot be pulled since noon.\n":               {`"web-api"`, pull},
		"After the reboot the kubelet fails to pull the image of any of these pods.\n":            {pull},
		"Image pulls fail on the new nodes, so that none of our pods comes up there.\n":           {pull},
		"The node can't download the images of the pods, the registry times out.\n":               {pull},
		"Pulling the image never ends and the pod waits for it, for two hours now.\n":             {pull},
		"The nodes are drained by kured every hour, and never booted by it.\n" + table:            {`"web-1"`, `"shop"`, evicted},
		"Every night the upgrade controller drains the nodes one by one, the pods move.\n":        {evicted},
		"Our cluster autoscaler drained the node of this pod while it was working.\n":             {evicted},
		"Karpenter keeps draining nodes one by one, and with them all of our pods.\n":             {evicted},
		"Workers are being drained again and again by the machine config operator.\n" + table:     {`"web-1"`, evicted},
		"14d  22s  9100  {kubelet n1}  Warning  FailedSync  Error syncing pod, skipping: timeout expired waiting for volumes to attach/mount for pod \"web-0\"/\"shop\". list of unattached/unmounted volumes=[data]\n":                                                  {`"web-0"`, creating},
		"Warning  FailedMount  Unable to attach or mount volumes: unmounted volumes=[data]: timed out waiting for the condition (pod web-0)\n":                                                                                                                           {creating},
		"the container of pod web-0:\nE0323 15:50:43.914095  11766 policy_static.go:187] [cpumanager] unable to allocate 8 CPUs (container id: dc1594c494678110026ba66484aafc4d0beb9a859de783461e8e36b8d2237417, error: not enough cpus available to satisfy request)\n": {`"web-0"`, hook},
		"pod web-0: Internal PreStartContainer hook failed: not enough cpus available to satisfy request\n":                                                                                                                                                              {`"web-0"`, hook},
	} {
		got := string(bytes.Join(rawOf(Of(text, "notes.txt", printed).Read(naming.Names{}, true)), []byte("\n")))
		for _, want := range wants {
			if !strings.Contains(got, want) {
				t.Errorf("%q: no %s in %s", text, want, got)
			}
		}
		if strings.Contains(got, `"terminated"`) {
			t.Errorf("%q: an end beside it: %s", text, got)
		}
	}
	for _, text := range []string{
		"The pods stay in ContainerCreating for a few seconds, as they always do.\n",
		"If a pod stays in ContainerCreating, look at the events of its node.\n",
		"How long may a pod stay in ContainerCreating, and does it matter for billing?\n",
		"We have not drained the nodes of these pods, they are as they were.\n",
		"The queue of the pod is drained by a worker every night, that works well.\n",
		"I cannot pull the image on my laptop, in the cluster all of it works.\n",
		"deployment.apps \"web\" deleted\nservice \"web\" deleted\n",
		"The image was pulled without an error and the pods are all well now.\n",
		"NAME   READY   STATUS   RESTARTS   AGE\nweb-0   0/1   ContainerCreating   0   3s\n",
		"I0323 15:50:43.914095  11766 policy_static.go:187] [cpumanager] allocateCpus: (numCPUs: 8)\n",
	} {
		if got := rawOf(Of(text, "notes.txt", printed).Read(naming.Names{}, false)); len(got) > 0 {
			t.Errorf("%q: %s", text, bytes.Join(got, nil))
		}
	}
	// A line of the kubelet that a pager cut says that something ended, one that goes on says what.
	const cut = "E0730 10:22:44.020455    2863 pod_workers.go:191] Error syncing pod a0858c3d-1e74-44d9-a207-cec854b1f916 (\"web-0_shop(a0858c3d-1e74-44d9-"
	if got := read(cut+">\n", "notes.txt"); !strings.Contains(got, `"terminated"`) || !strings.Contains(got, `"web-0"`) {
		t.Errorf("a line that was cut: %s", got)
	}
	if got := read(cut+"a207-cec854b1f916)\"), skipping: network is not ready: cni config uninitialized\n", "notes.txt"); got != "" {
		t.Errorf("a line that was not: %s", got)
	}
	// Beside an end that is told they are what somebody did about it; and an event's row has its own reader.
	for text, not := range map[string]string{
		"Warning  Failed   3m   kubelet  Failed to pull image app:1 as it is gone\nNormal   Started  90s  kubelet  Started container app\n": pull,
		"The pod web-0 was OOMKilled.\n$ kubectl delete pod web-0\npod \"web-0\" deleted\n":                                                 deleted,
		"The pod web-0 exits with code 1 since the nodes were drained by kured.\n":                                                          evicted,
	} {
		if got := read(text, "notes.txt"); strings.Contains(got, not) || !strings.Contains(got, `"terminated"`) {
			t.Errorf("%q: %s", text, got)
		}
	}
}

func TestARefreshOfASnapWithARuntimeEndsContainers(t *testing.T) {
	for line, ends := range map[string]bool{
		"171  Done  today at 04:35 UTC  today at 04:36 UTC  Auto-refresh snap \"microk8s\"\n":                true,
		"172  Done  today at 04:51 UTC  today at 04:52 UTC  Running service command for snap \"microk8s\"\n": true,
		"173  Done  today at 05:00 UTC  today at 05:01 UTC  Auto-refresh snaps \"core\", \"snapd\"\n":        false,
	} {
		if got := read(line, "changes.txt"); (got != "") != ends {
			t.Errorf("%q: %s", line, got)
		}
	}
}
