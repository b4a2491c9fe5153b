package kubeletmsg

import "strings"

// CalledOff reports whether an error says that the kubelet itself cancelled the step, so that nothing failed: when a
// pod has to end, the kubelet cancels what its sync is at, be that a pull, a start or a hook (v1.30 and v1.37
// pod_workers.go UpdatePod, becameTerminating; lifecycle/handlers.go Run, runSleepHandler). A runtime that gives up
// mostly says more, or has another code; but some repeat a cancellation of their own in the same words.
func CalledOff(err string) bool {
	if i := strings.LastIndex(err, ", message: "); i >= 0 { // what a hook's command printed
		err = err[:i]
	}
	err = strings.Trim(err, `". `)
	return err == "context canceled" || strings.HasSuffix(err, "code = Canceled desc = context canceled") ||
		err == "container terminated before sleep hook finished" ||
		strings.HasSuffix(err, " failed - error: context canceled") ||
		strings.HasPrefix(err, "unmounted volumes=[") && strings.HasSuffix(err, ": context canceled")
}
