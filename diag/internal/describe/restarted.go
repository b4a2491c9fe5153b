package describe

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/kubeletmsg"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/podname"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/podrecord"
)

// waits are reasons of a waiting container, which kubectl prints in place of its pod's phase (kubectl printers.go
// printPod), and ends those of an exited one.
var (
	waits = map[string]bool{
		"CrashLoopBackOff": true, "ImagePullBackOff": true, "ErrImagePull": true,
		"InvalidImageName": true, "ErrImageNeverPull": true,
		"CreateContainerConfigError": true, "CreateContainerError": true, "RunContainerError": true,
		"PostStartHookError": true, "ImageInspectError": true, "RegistryUnavailable": true,
		"SignatureValidationFailed": true, "PreCreateHookError": true, "PreStartHookError": true,
		"VerifyNonRootError": true, "Blocked": true,
	}
	ends = map[string]bool{
		"OOMKilled": true, "Error": true, "ContainerCannotRun": true, "StartError": true, "ContainerStatusUnknown": true,
	}
)

// Waits reports whether a word is the reason of a waiting container that cannot start.
func Waits(word string) bool { return waits[word] }

// Ends reports whether a word is the reason of a container's end.
func Ends(word string) bool { return ends[word] || word == "Completed" }

// fine are values of that column that need no explanation: running, meant to end, or still starting.
var fine = map[string]bool{
	"Running": true, "Completed": true, "Succeeded": true, "Pending": true, "Terminating": true, "NotReady": true,
	"ContainerCreating": true, "PodInitializing": true, "SchedulingGated": true, "Failed": true, "Unknown": true,
	"Active": true, "Ready": true, "Healthy": true, // also in such tables of other tools
}

// failed reports whether it is a reason of a pod's status, which kubectl prints in place of its phase: every word that
// is neither a container's reason nor a phase. Each predicate of a kubelet has its own.
func failed(word string) bool {
	return aReason.MatchString(word) && !fine[word] && !waits[word] && !ends[word] || kubeletmsg.Rejects(word)
}

var aReason = regexp.MustCompile(`^(?:OutOf)?[A-Za-z][a-z]+(?:[A-Z][A-Za-z]*)*$|^OutOf[a-z0-9./-]+$`)

// lostEnd represents the exit of a container that its runtime lost: the word Unknown, which also has other meanings
// (containerd internal/cri/server/restart.go).
const lostEnd = "Unknown, 255"

// coded is an exit for which kubectl prints the code, because it has no reason (kubectl printers.go printPod).
var coded = regexp.MustCompile(`^(ExitCode|Signal):(-?[0-9]+)$`)

// endOf returns the container exit in the status of a pod's row, nil for none.
func endOf(word string) object {
	if m := coded.FindStringSubmatch(word); m != nil {
		if n, err := strconv.ParseInt(m[2], 10, 32); err == nil {
			if m[1] == "Signal" {
				n += 128
			}
			return object{"exitCode": n}
		}
	}
	if word == "OOM Killed" { // up to 1.0
		word = "OOMKilled"
	}
	switch {
	case word == lostEnd:
		return object{"reason": "Unknown", "exitCode": 255}
	case word == "ContainerStatusUnknown": // the kubelet writes that code with it (kubelet_pods.go)
		return object{"reason": word, "exitCode": 137}
	case ends[word]:
		return object{"reason": word}
	}
	return nil
}

// restarted adds a pod of a table in which a container restarted, exited or waits. The table says neither which one it
// is nor how it exited; an earlier row may, and before has the last exit of each pod.
func (f *Found) restarted(row map[string]string, namespace string, printed time.Time, before map[string]object,
	crowds map[string]int) {
	count, ago, _ := strings.Cut(row["RESTARTS"], " ")
	restarts, _ := number(count)
	reason, init := strings.CutPrefix(row["STATUS"], "Init:")
	pod := object{"phase": "Running"}
	status := object{"name": evidence.Unnamed, "restartCount": restarts, "ready": false, "state": object{}}
	of, ended := namespace+"/"+row["NAME"], endOf(reason) // kubectl prints the state of the newest container
	if row["STATUS"] == "Completed" && row["READY"] == "0/1" && restarts > 0 && goesOn(row["NAME"]) {
		ended = object{"reason": reason, "exitCode": 0} // and it should go on
	}
	switch {
	case waits[reason]:
		status["state"] = object{"waiting": object{"reason": reason}}
	case reason == "Running" && allReady(row["READY"]): // whichever one exited
		status["state"], status["ready"] = object{"running": object{}}, true
	case ended != nil:
		status["state"] = object{"terminated": ended}
		// One that has restarted waits for its next start, unless the pod is over, as where the status is unknown.
		if restarts == 0 || reason == "ContainerStatusUnknown" {
			pod["phase"] = "Failed"
		}
	}
	last := before[of]
	switch {
	case ended != nil:
		before[of] = ended
	case reason == "Completed": // a row below it may show that it continues
		before[of] = object{"reason": reason, "exitCode": 0}
	}
	if ended == nil { // a row has one exit
		if restarts == 0 && !waits[reason] && !status["ready"].(bool) { // a healthy one contradicts statements about it
			return
		}
		if at, ok := lastEnd(ago, printed, crowds[ago] >= aCrowd); ok && last == nil {
			last = object{"finishedAt": at}
		}
		if last != nil {
			status["lastState"] = object{"terminated": last}
		}
	}
	list := "containerStatuses"
	if init {
		list = "initContainerStatuses"
	}
	pod[list] = []object{status}
	f.add(podrecord.Row(namespace, row["NAME"], row["NODE"], pod))
}

// goesOn reports whether a pod should not end by itself: a Deployment's, by the hash in its name. A Job's restarts
// until it completes, and one with a number at its end may be a hook's. A CronJob's has a time in place of the hash.
func goesOn(pod string) bool {
	return len(podname.Replicas(pod)) == 1 && !timed.MatchString(pod)
}

var timed = regexp.MustCompile(`-\d+-[a-z0-9]{5}$`)

// allReady accepts "2/2", and neither "1/2" nor "0/0".
func allReady(ready string) bool {
	up, all, ok := strings.Cut(ready, "/")
	return ok && up == all && up != "0"
}

// lastEnd returns when the last exit was, from "(35m ago)" after the count (kubectl printers.go printPod, 1.22+). An
// age of hours is too imprecise, unless a crowd of pods has it: then it tells that they ended together.
func lastEnd(ago string, printed time.Time, crowd bool) (string, bool) {
	text, ok := strings.CutSuffix(strings.TrimPrefix(strings.TrimSpace(ago), "("), " ago)")
	d, known := age(text)
	if !ok || !known || printed.IsZero() || width(text) > time.Minute && !(crowd && width(text) <= time.Hour) {
		return "", false
	}
	return printed.Add(-d).UTC().Truncate(time.Second).Format(time.RFC3339), true
}

// aCrowd is how many rows with the same age are one.
const aCrowd = 4

// crowdsOf counts the rows of a table by the age of their last restart.
func crowdsOf(lines []string) map[string]int {
	rows := map[string]int{}
	for _, l := range lines {
		if m := lastAge.FindString(l); m != "" {
			rows[m]++
		}
	}
	return rows
}

var lastAge = regexp.MustCompile(`\(` + anAge + ` ago\)`)
