package describe

import (
	"strings"
	"time"
)

// waits are reasons of a container that waits, which kubectl prints in place of its pod's phase (kubectl printers.go
// printPod), and ends those of one that ended.
var (
	waits = map[string]bool{
		"CrashLoopBackOff": true, "ImagePullBackOff": true, "ErrImagePull": true,
		"InvalidImageName": true, "ErrImageNeverPull": true,
		"CreateContainerConfigError": true, "CreateContainerError": true, "RunContainerError": true,
		"PostStartHookError": true,
	}
	ends = map[string]bool{
		"OOMKilled": true, "Error": true, "ContainerCannotRun": true, "StartError": true, "ContainerStatusUnknown": true,
	}
)

// Unnamed is the name of a container that a table does not name. No container can have it.
const Unnamed = "?"

// restarted adds a pod of a table in which a container restarted, ended or waits. Which one it is the table does not
// say, nor how it ended.
func (f *Found) restarted(row map[string]string, namespace string, printed time.Time) {
	count, ago, _ := strings.Cut(row["RESTARTS"], " ")
	restarts, _ := number(count)
	reason, init := strings.CutPrefix(row["STATUS"], "Init:")
	pod := object{"phase": "Running"}
	status := object{"name": Unnamed, "restartCount": restarts, "ready": false, "state": object{}}
	switch {
	case waits[reason]:
		status["state"] = object{"waiting": object{"reason": reason}}
	case reason == "OOMKilled": // the state that kubectl prints is that of the newest container
		status["state"] = object{"terminated": object{"reason": reason, "exitCode": noExitCode}}
		if restarts == 0 {
			pod["phase"] = "Failed"
		}
	case ends[reason] && restarts == 0:
		pod["phase"] = "Failed"
	case restarts == 0:
		return
	}
	if at, ok := lastEnd(ago, printed); ok {
		status["lastState"] = object{"terminated": object{"exitCode": noExitCode, "finishedAt": at}}
	}
	list := "containerStatuses"
	if init {
		list = "initContainerStatuses"
	}
	pod[list] = []object{status}
	f.add(object{
		"kind": "Pod", "apiVersion": "v1", "spec": object{"nodeName": row["NODE"]}, "status": pod,
		"metadata": object{"name": row["NAME"], "namespace": namespace, "uid": "described/row/" +
			namespace + "/" + row["NAME"]},
	})
}

// lastEnd is when the last end was, of "(35m ago)" behind the count (kubectl printers.go printPod, 1.22+). An age of
// hours tells too little.
func lastEnd(ago string, printed time.Time) (string, bool) {
	text, ok := strings.CutSuffix(strings.TrimPrefix(strings.TrimSpace(ago), "("), " ago)")
	d, known := age(text)
	if !ok || !known || width(text) > time.Minute || printed.IsZero() {
		return "", false
	}
	return printed.Add(-d).UTC().Truncate(time.Second).Format(time.RFC3339), true
}
