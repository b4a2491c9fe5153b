package event

import "testing"

// Kubelets up to v1.7 had an error's text in the place of the reason of waiting.
func TestAnErrorInThePlaceOfAReason(t *testing.T) {
	for text, want := range map[string]string{
		"Couldn't find key options in Secret ci/ci": "CreateContainerConfigError",
		`configmaps "web" not found`:                "CreateContainerConfigError",
		`rpc error: code = 2 desc = failed to start container "4d": Error response from daemon: no`: "RunContainerError",
		"Failed to create docker container with error: no":                                          "CreateContainerError",
		"PostStart handler: Error executing in Docker Container: 1":                                 "",
		"PostStart handler: oci runtime error: exec failed: container_linux.go:247: no":             "",
		"failed to call event handler: unable to start container process: no":                       "",
		"Image: nginx is ready, container is creating":                                              "",
		"Image: nginx is not ready on the node":                                                     "",
		"context deadline exceeded":                                                                 "",
		"Cannot connect to the Docker daemon. Is the docker daemon running on this host?":           "",
		"Error syncing pod":           "",
		"Waiting for init containers": "",
		"Back-off pulling image":      "",
		"ImagePullBackOff":            "",
		"CrashLoopBackOff":            "",
		"ContainerCreating":           "",
		"":                            "",
	} {
		if got := Waits(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
