package kubeletmsg

import "strings"

// CalledOff reports whether an error says that the kubelet itself cancelled the step, so that nothing failed: when a
// pod has to end, the kubelet cancels what its sync is at, be that a pull, a start or a hook (v1.30 and v1.37
// pod_workers.go UpdatePod, becameTerminating). A runtime that gives up says more, or has another code.
func CalledOff(err string) bool {
	err = strings.TrimRight(err, `". `)
	return err == "context canceled" || strings.HasSuffix(err, "code = Canceled desc = context canceled") ||
		strings.HasPrefix(err, "unmounted volumes=[") && strings.HasSuffix(err, ": context canceled")
}
