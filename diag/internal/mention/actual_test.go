package mention

import (
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/naming"
)

// What nobody says to have happened is no end, whichever form of words it has.
func TestWhatIsNotSaidToHaveHappened(t *testing.T) {
	for _, line := range []string{
		"Please add an option to evict pods when the node is drained.",
		"All pods are running fine after we upgraded the cluster and the nodes were drained.",
		"The rolling update of our deployment finished, all pods were replaced as expected.",
		"What happens to pods when a spot instance is interrupted?",
		"We use chaos mesh to test whether our pods restart properly, and they do.",
		"Our pods survived the containerd restart without a problem.",
		"I deleted the pod and it was recreated immediately, works great now.",
		"Is it safe to restart docker on a host while pods are running?",
		"The test asserts that the pod exits when the config is invalid.",
		"I would expect this error to crash the container and the pod to fall into a crash loop.",
		"We'd expect the kubelet to evict the pod when the disk is full.",
		"I expected the pod web-0 to be killed at its memory limit.",
		"I already tried to delete the pod and to raise the memory limit, but no luck.",
		"I tried deleting the pod, but it did not help.",
		"Deleting the pod makes it work again.",
		"Rebooting the node fixes it for a while.",
		"Restarting the pod solves the problem.",
		"Could this be related to #1234, where the pods got OOMKilled?",
		"Should I reboot the node after changing sysctls for Kubernetes?",
		"To enable cgroup v2, edit grub and reboot the node for Kubernetes.",
		"Feature request: kured should reboot only one node at a time",
		"The node reboots during the upgrade, which is expected.",
		"hey did the node reboot? no it's fine",
	} {
		if o := Of(line+"\n", "a.txt", printed).Read(naming.Names{}, false); len(o) > 0 {
			t.Errorf("%q: %s", line, o)
		}
	}
	for _, line := range []string{
		"A reboot of the nodes seems to fix the issue, the pods are still terminating without it.",
		"The pods hang in Terminating on this node and rebooting helps.",
	} {
		o := Of(line+"\n", "a.txt", printed).Read(naming.Names{}, false)
		if len(o) > 0 && strings.Contains(string(o[0]), "reboot") {
			t.Errorf("%q: %s", line, o)
		}
	}
	for _, line := range []string{
		"The pods are OOMKilled, so that none of them lasts a day.",
		"Whenever we deploy, the pod web-0 gets OOMKilled.",
		"The pod web-0 was OOMKilled again, let me know if you need more.",
		"In the pod the worker gets OOMKilled, the main process survives.",
		"I expected the pod web-0 to restart once but it went into CrashLoopBackOff.",
		"We would expect the pod web-0 to run, it is OOMKilled.",
		"Pod web-0 crashes with exit code 139 (related: #12)",
		"Similar to #4567: our container gets OOMKilled every night",
		"The nodes are rebooted by kured for a kernel fix and every time pod db-0 crashes.",
		"While trying to drain the node, the kubelet evicted web-0",
		"Draining the node with kubectl drain helped but it evicted my pod web-0",
		"I tried draining the node and the pod got evicted",
		"Restarting fixes it for a while, but after some hours the liveness probe fails and the container is killed.",
		"Liveness probe tried to restart it",
		"We restarted Docker and all the containers restarted again",
	} {
		if o := Of(line+"\n", "a.txt", printed).Read(naming.Names{}, false); len(o) == 0 {
			t.Errorf("%q: nothing", line)
		}
	}
}
