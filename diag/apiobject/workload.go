package apiobject

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// hashLabels are the labels that distinguish the pods of a controller's ReplicaSets; the ReplicaSet is named after the
// controller and the label's value (kube-controller-manager pkg/controller/deployment/sync.go getNewReplicaSet,
// argo-rollouts rollout/sync.go).
var hashLabels = []struct{ label, kind string }{
	{"pod-template-hash", "deployment"},
	{"rollouts-pod-template-hash", "rollout"},
}

// OwnerKey identifies a controller that has a controller itself.
type OwnerKey struct{ Namespace, Kind, Name string }

// owners holds the ReplicaSets and Jobs that were read, with only their names and owners.
type owners map[OwnerKey]*metav1.PartialObjectMetadata

func (o owners) add(m *metav1.PartialObjectMetadata) {
	o[OwnerKey{m.Namespace, m.Kind, m.Name}] = m
}

// list returns them in a fixed order.
func (o owners) list() *list {
	out := &list{Redacted: true}
	for _, m := range slices.SortedFunc(maps.Values(o), func(a, b *metav1.PartialObjectMetadata) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name))
	}) {
		out.add(m)
	}
	return out
}

// workloadOf follows a pod's controllers upwards. For a ReplicaSet or Job that was not read, it infers the workload
// from names, and sets the basis accordingly.
func workloadOf(p *corev1.Pod, known owners) evidence.Workload {
	if _, mirror := p.Annotations[corev1.MirrorPodAnnotationKey]; mirror {
		// The kubelet names it NAME-NODE (kubelet pkg/kubelet/config/common.go generatePodName).
		name := strings.TrimSuffix(p.Name, "-"+strings.ToLower(p.Spec.NodeName))
		return belongs("static-pod", name, evidence.WorkloadOwners)
	}
	c := metav1.GetControllerOfNoCopy(p)
	if c == nil {
		return belongs("pod", p.Name, evidence.WorkloadOwners)
	}
	if o := known[OwnerKey{p.Namespace, c.Kind, c.Name}]; o != nil && (o.UID == c.UID || o.UID == "" || c.UID == "") {
		if above := metav1.GetControllerOfNoCopy(o); above != nil {
			return belongs(above.Kind, above.Name, evidence.WorkloadOwners)
		}
		return belongs(c.Kind, c.Name, evidence.WorkloadOwners)
	}
	switch c.Kind {
	case "ReplicaSet":
		for _, h := range hashLabels {
			if base, ok := strings.CutSuffix(c.Name, "-"+p.Labels[h.label]); ok && base != "" && p.Labels[h.label] != "" {
				return belongs(h.kind, base, evidence.WorkloadLabel)
			}
		}
	case "Job":
		if base, ok := scheduled(c.Name); ok {
			return belongs("cronjob", base, evidence.WorkloadName)
		}
	}
	return belongs(c.Kind, c.Name, evidence.WorkloadOwners)
}

func belongs(kind, name string, basis evidence.WorkloadBasis) evidence.Workload {
	return evidence.Workload{Kind: strings.ToLower(safetext.Ident(kind)), Name: safetext.Ident(name), Basis: basis}
}

// scheduled cuts the time off the name of a CronJob's Job: minutes since 1970, or seconds before v1.21
// (kube-controller-manager pkg/controller/cronjob/utils.go getJobName).
func scheduled(job string) (cronJob string, ok bool) {
	i := strings.LastIndexByte(job, '-')
	if i <= 0 {
		return "", false
	}
	digits := job[i+1:]
	return job[:i], (len(digits) == 8 || len(digits) == 10) && strings.Trim(digits, "0123456789") == ""
}

// TypesOfOwners are the controllers of pods that have a controller themselves.
var TypesOfOwners = map[string]metav1.TypeMeta{
	"ReplicaSet": {Kind: "ReplicaSet", APIVersion: "apps/v1"},
	"Job":        {Kind: "Job", APIVersion: "batch/v1"},
}
