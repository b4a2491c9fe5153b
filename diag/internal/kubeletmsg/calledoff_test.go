package kubeletmsg

import "testing"

// Errors of steps that the kubelet cancelled, and of those that a runtime gave up.
func TestCalledOff(t *testing.T) {
	const hook = `Exec lifecycle hook ([sh -c x]) for Container "web" in Pod "web-0_shop(7d1f)" failed - error: `
	for err, want := range map[string]bool{
		"context canceled":   true,
		`"context canceled"`: true, // of a hook, in the error of a sync
		"container terminated before sleep hook finished":                                                         true,
		hook + `context canceled, message: ""`:                                                                    true,
		hook + `exit status 1, message: "context canceled"`:                                                       false,
		"rpc error: code = Canceled desc = context canceled":                                                      true,
		`Failed to create sandbox for pod "web-0_shop(7d1f)": rpc error: code = Canceled desc = context canceled`: true,
		"unmounted volumes=[data], unattached volumes=[], failed to process volumes=[]: context canceled":         true,
		`Failed to pull image "web:7": rpc error: code = Canceled desc = context canceled`:                        true,
		// cri-dockerd and containerd without progress
		`rpc error: code = Unknown desc = context canceled`:                                                           false,
		`rpc error: code = Canceled desc = failed to pull and unpack image "web:7": failed to copy: context canceled`: false,
		"context deadline exceeded": false,
		"":                          false,
	} {
		if got := CalledOff(err); got != want {
			t.Errorf("%q: called off %t, want %t", err, got, want)
		}
	}
}
