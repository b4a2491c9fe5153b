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
	} {
		if o := Of(line+"\n", "a.txt", printed).Read(naming.Names{}, false); len(o) == 0 {
			t.Errorf("%q: nothing", line)
		}
	}
}
