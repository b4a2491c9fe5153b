package apiobject

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Hasher computes hashes of specs, which are kept instead of the specs' values. Its functions see containers as the API
// server returned them, and may be nil.
type Hasher struct {
	// Present returns the hashes that kubelets of all versions compute from a container, in a slice that the caller
	// owns. It is called for every image that was seen, from several goroutines.
	Present func(c *corev1.Container) []evidence.SpecHash
	// Near returns the hashes of specs that a container may have had, each marked Searched. It is called once for each
	// container.
	Near func(Ancestry) []evidence.SpecHash
}

// Ancestry is a container and what is known of its earlier specs.
type Ancestry struct {
	PodUID  string
	Spec    *corev1.Container
	Images  []string // other than the spec's, likeliest first
	Earlier []Earlier
}

// Earlier is the container in a pod template of its workload; Source names the
// template: "revision 3 of deployment web".
type Earlier struct {
	Source    string
	Container *corev1.Container
}
