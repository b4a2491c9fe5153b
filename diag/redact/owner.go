package redact

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Owner returns only the names of a controller of pods and of its own controller: no labels, annotations or template.
// of is its type, which objects in a list do not state. Owner of a redacted owner changes nothing.
func Owner(of metav1.TypeMeta, m *metav1.ObjectMeta) *metav1.PartialObjectMetadata {
	if m == nil {
		return nil
	}
	return &metav1.PartialObjectMetadata{
		TypeMeta: of,
		ObjectMeta: metav1.ObjectMeta{Name: m.Name, Namespace: m.Namespace, UID: m.UID,
			OwnerReferences: each(m.OwnerReferences, ownerReference)},
	}
}

func ownerReference(o *metav1.OwnerReference) metav1.OwnerReference {
	return metav1.OwnerReference{APIVersion: o.APIVersion, Kind: o.Kind, Name: o.Name,
		UID: o.UID, Controller: copied(o.Controller)}
}
