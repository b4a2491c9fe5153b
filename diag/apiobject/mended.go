package apiobject

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/apijson"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// mend decodes the item without the fields that cannot be read. Silence about them must not pass for a fact: of a spec
// that has lost a limit, a probe or a grace period only the node is kept, and an object that may be deleted is none.
func (one *parsed) mend(whole error) (object any, err error) {
	raw, left := apijson.Mend(one.raw, func(raw []byte) error {
		object, _, err = decodeAs(one.kind, raw, &corev1.Pod{})
		return err
	})
	if raw == nil || lost(left, "/metadata/deletion") {
		return nil, whole
	}
	one.raw, one.left = raw, left
	if p, ok := object.(*corev1.Pod); ok && lost(left, "/spec") {
		p.Spec = corev1.PodSpec{NodeName: p.Spec.NodeName}
	}
	return object, nil
}

// hashable reports whether the spec is as it was in the file.
func (one *parsed) hashable() bool { return !lost(one.left, "/spec") }

// lost reports whether a field below a prefix was left out.
func lost(left []string, below string) bool {
	return slices.ContainsFunc(left, func(field string) bool {
		return len(field) >= len(below) && strings.EqualFold(field[:len(below)], below)
	})
}

// dotted writes JSON pointers as people write fields.
func dotted(pointers []string) string {
	fields := make([]string, len(pointers))
	for i, p := range pointers {
		fields[i] = safetext.Ident(strings.ReplaceAll(strings.TrimPrefix(p, "/"), "/", "."))
	}
	return strings.Join(fields, ", ")
}
