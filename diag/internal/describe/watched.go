package describe

import (
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// watch is what the rows of "kubectl get pods -w" have shown of each pod so far: each row is its state at one time.
type watch struct {
	ran  map[string]bool // one of its containers was ready
	gone map[string]bool // it was reported as deleted
}

// deleted reports whether a row, compared with earlier ones, shows that a pod's containers exited while the pod was
// being deleted: they were ready, and the pod is Terminating with none ready. A table that shows a pod once proves
// nothing: the pod may have been broken before it was deleted.
func (w *watch) deleted(pod, ready, status string) bool {
	up, _, counted := strings.Cut(ready, "/")
	switch {
	case !counted:
	case up != "0":
		if status != "Terminating" {
			delete(w.gone, pod) // another pod with that name
		}
		w.ran[pod] = true
	case status == "Terminating" && w.ran[pod] && !w.gone[pod]:
		w.gone[pod] = true
		return true
	}
	return false
}

// deletedPod returns a pod that was deleted by the time of the table. A pod that replaced it has a row's UID.
func deletedPod(row map[string]string, namespace string, printed time.Time) object {
	return object{
		"kind": "Pod", "apiVersion": "v1", "spec": object{"nodeName": row["NODE"]},
		"metadata": object{"name": row["NAME"], "namespace": namespace,
			"uid":               evidence.Row + namespace + "/" + row["NAME"] + "/deleted",
			"deletionTimestamp": printed.UTC().Truncate(time.Second).Format(time.RFC3339)},
		"status": object{"phase": "Running", "containerStatuses": []object{{"name": Unnamed, "restartCount": 0,
			"ready": false, "state": object{"terminated": object{"exitCode": noExitCode}}}}},
	}
}
