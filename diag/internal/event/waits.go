package event

import "regexp"

// Waits returns the reason of a container that waits with an error's text in the place of one, as kubelets up to v1.7
// had it (kubelet_pods.go convertToAPIContainerStatuses, reason_cache.go); "" for another text, which may be about one
// that ran, as a hook's error is, or that is still to come.
func Waits(why string) string {
	switch {
	case ofHook.MatchString(why):
		return ""
	case neverRan(why), notStarted.MatchString(why):
		return "RunContainerError"
	case lacksConfig.MatchString(why):
		return "CreateContainerConfigError"
	case notCreated.MatchString(why):
		return "CreateContainerError"
	}
	return ""
}

// ofHook matches the error of a hook, which runs in a container that began.
var ofHook = regexp.MustCompile(`(?i)\bhandler: |\bhook\b|\bexec failed`)
