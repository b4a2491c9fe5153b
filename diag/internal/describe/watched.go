package describe

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// watch is what the rows of "kubectl get pods -w" have shown of each pod so far: each row is its state at one time.
type watch struct {
	ran     map[string]bool              // one of its containers was ready, or the pod ran
	gone    map[string]bool              // it was reported as deleted
	ages    map[string]time.Duration     // its last age in this table
	leaving map[string]map[string]string // the row in which it is Terminating and its containers are still ready
}

func newWatch() watch {
	return watch{ran: map[string]bool{}, gone: map[string]bool{}, ages: map[string]time.Duration{},
		leaving: map[string]map[string]string{}}
}

// deleted reports whether a row, compared with earlier ones, shows that a pod with ready containers was deleted: it is
// Terminating with none ready, the watch calls it deleted, or the row has a younger pod of its name. A row alone shows
// that only where all its containers are still ready: others may have been broken before the pod was deleted.
func (w *watch) deleted(pod string, row map[string]string) (deleted bool) {
	up, of, counted := strings.Cut(row["READY"], "/")
	if !counted {
		return false
	}
	before, seen := w.ages[pod]
	old, known := age(row["AGE"])
	if known {
		w.ages[pod] = old
	}
	if seen && known && old < before { // a successor
		deleted = w.ran[pod] && !w.gone[pod]
		delete(w.ran, pod)
		delete(w.gone, pod)
		delete(w.leaving, pod)
	}
	terminating, over := row["STATUS"] == "Terminating", row["EVENT"] == "DELETED"
	switch {
	case over && w.gone[pod]:
	case (over || terminating && up == "0") && w.ran[pod] && !w.gone[pod]:
		w.gone[pod] = true
		delete(w.leaving, pod)
		return true
	case terminating && up != "0" && (w.ran[pod] || up == of):
		w.leaving[pod], w.ran[pod] = row, true
	case up != "0", row["STATUS"] == "Running":
		if !terminating {
			delete(w.gone, pod) // another pod with that name
		}
		w.ran[pod] = true
	case !terminating && !over: // it ended before anything was deleted
		delete(w.ran, pod)
		delete(w.leaving, pod)
	}
	return deleted
}

// unfinished returns the last rows of the pods that ran and were being deleted, and did not end.
func (w *watch) unfinished() (rows []map[string]string) {
	for _, pod := range slices.Sorted(maps.Keys(w.leaving)) {
		rows = append(rows, w.leaving[pod])
	}
	return rows
}

// deletedPod returns a pod that was deleted by the time of the table. A pod that replaced it has a row's UID.
func deletedPod(row map[string]string, namespace string, printed time.Time) object {
	return object{
		"kind": "Pod", "apiVersion": "v1", "spec": object{"nodeName": row["NODE"]},
		"metadata": object{"name": row["NAME"], "namespace": namespace,
			"uid":               evidence.Row + namespace + "/" + row["NAME"] + "/deleted",
			"deletionTimestamp": printed.UTC().Truncate(time.Second).Format(time.RFC3339)},
		"status": object{"phase": "Running", "containerStatuses": []object{{"name": evidence.Unnamed, "restartCount": 0,
			"ready": false, "state": object{"terminated": object{}}}}},
	}
}
