// Package podobject keeps pods' API objects small. It imports only Kubernetes' types, and knows nothing of what objects
// mean.
package podobject

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// Object is a pod's API object, redacted. A snapshot may hold a hundred thousand: the spec, which rules read all the
// time, is kept once for all pods that have the same, and the rest is encoded.
type Object struct {
	// Spec lacks the node's name. Other pods may have it, too: it must not be changed.
	Spec                       *corev1.PodSpec
	Generation                 int64
	DeletionGracePeriodSeconds *int64

	whole *corev1.Pod // of a pod that is not encoded
	rest  []byte      // metadata, node name and status as protobuf
}

// Of returns an object that keeps the pod itself, which must not be changed.
func Of(p *corev1.Pod) *Object {
	return &Object{Spec: &p.Spec, Generation: p.Generation, DeletionGracePeriodSeconds: p.DeletionGracePeriodSeconds,
		whole: p}
}

// Packed returns an object of a pod that has this spec, but for the node's name. It keeps nothing of the pod itself,
// and leaves out what nobody reads of it: who wrote which field, and the images' ids.
func Packed(p *corev1.Pod, spec *corev1.PodSpec) *Object {
	rest := corev1.Pod{ObjectMeta: p.ObjectMeta, Spec: corev1.PodSpec{NodeName: p.Spec.NodeName}, Status: p.Status}
	rest.ManagedFields = nil
	st := &rest.Status
	for _, of := range []*[]corev1.ContainerStatus{
		&st.InitContainerStatuses, &st.ContainerStatuses, &st.EphemeralContainerStatuses,
	} {
		*of = slices.Clone(*of)
		for i := range *of {
			(*of)[i].ImageID = ""
		}
	}
	b, err := rest.Marshal()
	if err != nil {
		return Of(p)
	}
	return &Object{Spec: spec, Generation: p.Generation, DeletionGracePeriodSeconds: copied(p.DeletionGracePeriodSeconds),
		rest: b}
}

func copied(n *int64) *int64 {
	if n == nil {
		return nil
	}
	return new(*n)
}

// Whole returns the pod, which must not be changed. It may be decoded anew by each call.
func (o *Object) Whole() *corev1.Pod {
	if o.whole != nil {
		return o.whole
	}
	p := &corev1.Pod{}
	if err := p.Unmarshal(o.rest); err != nil {
		return &corev1.Pod{Spec: *o.Spec} // cannot be: it is what Packed encoded
	}
	node := p.Spec.NodeName
	p.Spec = *o.Spec
	p.Spec.NodeName = node
	return p
}
