package kubeletmsg_test

import (
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/kubeletmsg"
)

func TestACutMessageIsCompletedWhereOnlyOneFits(t *testing.T) {
	for message, want := range map[string]string{
		"Container app failed liveness pro…":                     "Container app failed liveness probe, will be restarted",
		"Container app failed s...":                              "Container app failed startup probe, will be restarted",
		"Container app definition cha":                           "Container app definition changed, will be restarted",
		"Pod sandbox changed, it will b…":                        "Pod sandbox changed, it will be killed and re-created.",
		"The node was low on resource: mem...":                   "The node was low on resource: memory",
		"Failed to create Pod sand...":                           "Failed to create Pod sand...",
		"It is said: Container app failed liveness pro…":         "It is said: Container app failed liveness pro…",
		"Container app failed…":                                  "Container app failed…",
		"The node was low on resource:":                          "The node was low on resource:",
		"Container app failed liveness probe, will be restarted": "Container app failed liveness probe, will be restarted",
		"Stopping container app":                                 "Stopping container app",
		"The node was low on resource: memory. Threshold 1":      "The node was low on resource: memory. Threshold 1",
		"": "",
	} {
		if got, cut := kubeletmsg.Completed(message); got != want || cut != (got != message) {
			t.Errorf("%q: %q, want %q", message, got, want)
		}
	}
}
