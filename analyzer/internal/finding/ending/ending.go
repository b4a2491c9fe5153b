// Package ending reads what one fact about a pod tells of how the pod ended: the way, the resource that was low, the
// reason, the message. It may import evidence, and compares nothing: which of several facts counts is up to finding.
package ending

import (
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Soft reports whether a refusal does not end the pod.
func Soft(f evidence.Fact) bool {
	switch fact := f.(type) {
	case evidence.PodRejected:
		return fact.Soft
	case evidence.PodTeardown:
		return true
	}
	return false
}

// Of returns what one fact tells of how a pod ended; how is "" if it tells nothing.
func Of(f evidence.Fact) (how evidence.Ending, resource, reason, message string) {
	switch fact := f.(type) {
	case evidence.PodDeleted:
		return evidence.EndDeleted, "", "", ""
	case evidence.PodConfig:
		if fact.Op == "DELETE" {
			return evidence.EndDeleted, "", "", ""
		}
		return evidence.EndRemoved, "", "", ""
	case evidence.PodTeardown:
		switch fact.Reason {
		case evidence.TeardownOrphan, evidence.TeardownRemoved, evidence.TeardownUnwanted:
			return evidence.EndRemoved, "", "", ""
		case evidence.TeardownDeleted:
			return evidence.EndDeleted, "", "", ""
		case evidence.TeardownNotRunnable:
			return evidence.EndRejected, "", "", fact.Message.String()
		}
		return "", "", "", ""
	case evidence.PodRejected:
		if evidence.EndingOf(fact.Reason) == evidence.EndShutdown {
			return evidence.EndShutdown, "", fact.Reason, fact.Message.String()
		}
		return evidence.EndRejected, lowOn(fact.Message.String()), fact.Reason, fact.Message.String()
	case evidence.PodEvicted:
		reason, message = fact.Reason, fact.Message.String()
	}
	how = evidence.EndingOf(reason)
	switch how {
	case "":
		return "", "", "", ""
	case evidence.EndEvicted:
		resource = lowOn(message)
		if evicted, ok := f.(evidence.PodEvicted); ok && resource == "" {
			resource = evicted.Resource
		}
	}
	return how, resource, reason, message
}

// OwnLimit reports whether the message is about an eviction for the pod's own usage (kubelet eviction_manager.go
// containerEphemeralMessageFmt, podEphemeralStorageMessageFmt, emptyDirMessageFmt).
func OwnLimit(message string) bool {
	return strings.Contains(message, "exceeds the") ||
		strings.Contains(message, "exceeded its local ephemeral storage limit")
}

// Scarce returns the kind of resource that a node was low on, from any name that kubelets use: memory, pids or disk; ""
// is none.
func Scarce(resource string) string {
	switch resource {
	case "memory", "MemoryPressure":
		return "memory"
	case "pids", "pid", "PIDPressure":
		return "pids"
	case "ephemeral-storage", "inodes", "nodefs", "nodefsInodes", "imagefs", "imagefsInodes", "containerfs",
		"containerfsInodes", "EmptyDir", "containerOverlay", "DiskPressure":
		return "disk"
	}
	return ""
}

// lowOn returns the resource in an eviction message (kubelet eviction/helpers.go evictionMessage, eviction_manager.go).
func lowOn(message string) string {
	for _, before := range []string{"The node was low on resource: ", "The node had condition: "} {
		if _, rest, ok := strings.Cut(message, before); ok {
			what, end := strings.TrimPrefix(rest, "["), ".,; "
			if what != rest { // several have no name in common
				end = "]"
			}
			if i := strings.IndexAny(what, end); i >= 0 {
				what = what[:i]
			}
			return what
		}
	}
	for _, words := range []string{"ephemeral storage", "ephemeral local storage",
		"EmptyDir", "emptyDir", "overlay usage"} {
		if strings.Contains(message, words) {
			return "ephemeral-storage"
		}
	}
	return ""
}
