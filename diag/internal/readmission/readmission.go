// Package readmission compares a pod with its node as the kubelet does when it admits the pod again: labels and taints.
// It needs their values for that and does not keep them.
//
// It may import diag/evidence and diag/safetext.
package readmission

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// ReadmissionKind is the kind of the entries of cluster/readmission.json.
const ReadmissionKind = "Readmissions"

// PodReadmission is the comparison of one pod with its node, one entry of cluster/readmission.json.
type PodReadmission struct {
	PodUID    string `json:"podUID"`
	Namespace string `json:"namespace"`
	Pod       string `json:"pod"`
	evidence.Readmission
}

// Demand is what a pod requires of its node's labels and taints. It exists only while pods and nodes are read, because
// values of labels are not kept.
type Demand struct {
	namespace, pod, node string
	uid                  string
	selector             map[string]string
	required             *corev1.NodeSelector
	tolerations          []corev1.Toleration
}

// DemandOf returns what is compared of a pod with its node.
func DemandOf(p *corev1.Pod) Demand {
	d := Demand{namespace: p.Namespace, pod: p.Name, node: p.Spec.NodeName, uid: string(p.UID),
		selector: p.Spec.NodeSelector, tolerations: p.Spec.Tolerations}
	if a := p.Spec.Affinity; a != nil && a.NodeAffinity != nil {
		d.required = a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution
	}
	return d
}

// traits are what pods are compared with: a node's name, labels and NoExecute taints.
type traits struct {
	name   string
	labels labels.Set
	taints []corev1.Taint
}

func traitsOf(n *corev1.Node) traits {
	t := traits{name: n.Name, labels: n.Labels}
	for _, taint := range n.Spec.Taints {
		if taint.Effect == corev1.TaintEffectNoExecute {
			t.taints = append(t.taints, taint)
		}
	}
	return t
}

// against compares a demand with its node as the kubelet does when it admits a pod (pkg/kubelet/lifecycle/predicate.go:
// node selector and required node affinity, since v1.24 NoExecute taints). known is false for what this version cannot
// compare: a newer operator, a masked value.
func (d *Demand) against(t *traits) (r evidence.Readmission, known bool) {
	for key, value := range d.selector {
		have, ok := t.labels[key]
		if !genuine(value) || !genuine(have) {
			return r, false
		}
		if !ok || have != value {
			r.Unmatched = append(r.Unmatched, key)
		}
	}
	if d.required != nil {
		keys, ok := unmatchedTerms(d.required.NodeSelectorTerms, t)
		if !ok {
			return r, false
		}
		r.Unmatched = append(r.Unmatched, keys...)
	}
	for i := range t.taints {
		tolerated, ok := tolerates(d.tolerations, &t.taints[i])
		if !ok {
			return r, false
		}
		if !tolerated {
			r.Untolerated = append(r.Untolerated, t.taints[i].Key)
		}
	}
	r.Unmatched, r.Untolerated = tidy(r.Unmatched), tidy(r.Untolerated)
	return r, true
}

// genuine reports whether a label may have such a value. The API server rejects what tools write in place of a value
// (********, <masked>).
func genuine(value string) bool { return len(validation.IsValidLabelValue(value)) == 0 }

func tidy(keys []string) []string {
	slices.Sort(keys)
	return slices.Compact(keys)
}

// NameField is the only field that a term may match; it is listed among the keys.
const NameField = "metadata.name"

// unmatchedTerms returns nothing if one of the terms fits, or else the keys of all unmet requirements. A term without
// requirements fits no node (component-helpers scheduling/corev1/nodeaffinity isEmptyNodeSelectorTerm), and neither
// does a list without terms, which is named by its field.
func unmatchedTerms(terms []corev1.NodeSelectorTerm, t *traits) (keys []string, known bool) {
	for i := range terms {
		term := &terms[i]
		missing, ok := unmatched(term.MatchExpressions, t.labels)
		if !ok {
			return nil, false
		}
		fields, ok := unmatched(term.MatchFields, labels.Set{NameField: t.name})
		if !ok {
			return nil, false
		}
		missing = append(missing, fields...)
		if len(missing) == 0 && len(term.MatchExpressions)+len(term.MatchFields) > 0 {
			return nil, true
		}
		keys = append(keys, missing...)
	}
	if len(keys) == 0 {
		keys = []string{"nodeSelectorTerms"}
	}
	return keys, true
}

var operators = map[corev1.NodeSelectorOperator]selection.Operator{
	corev1.NodeSelectorOpIn: selection.In, corev1.NodeSelectorOpNotIn: selection.NotIn,
	corev1.NodeSelectorOpExists:       selection.Exists,
	corev1.NodeSelectorOpDoesNotExist: selection.DoesNotExist, corev1.NodeSelectorOpGt: selection.GreaterThan,
	corev1.NodeSelectorOpLt: selection.LessThan,
}

// unmatched returns the keys of the requirements that a set does not meet.
func unmatched(requirements []corev1.NodeSelectorRequirement, set labels.Set) (keys []string, known bool) {
	for i := range requirements {
		r := &requirements[i]
		operator, ok := operators[r.Operator]
		if !ok {
			return nil, false
		}
		one, err := labels.NewRequirement(r.Key, operator, r.Values)
		if err != nil {
			return nil, false // no API server would have accepted it
		}
		if !genuine(set[r.Key]) && r.Key != NameField {
			return nil, false
		}
		if !one.Matches(set) {
			keys = append(keys, r.Key)
		}
	}
	return keys, true
}

// tolerates follows Toleration.ToleratesTaint of k8s.io/api. The operators that compare numbers are behind a gate of
// v1.35 and newer: whether they apply is unknown here.
func tolerates(tolerations []corev1.Toleration, taint *corev1.Taint) (tolerated, known bool) {
	known = true
	for i := range tolerations {
		t := &tolerations[i]
		if t.Effect != "" && t.Effect != taint.Effect || t.Key != "" && t.Key != taint.Key {
			continue
		}
		switch t.Operator {
		case "", corev1.TolerationOpEqual:
			if t.Value == taint.Value {
				return true, true
			}
		case corev1.TolerationOpExists:
			return true, true
		default:
			known = false
		}
	}
	return false, known
}

// Checker holds, while pods and nodes are read, what is compared and not kept.
type Checker struct {
	demands map[string]Demand // by pod UID
	nodes   map[string]traits
}

// NewChecker returns a checker that has seen nothing.
func NewChecker() Checker { return Checker{demands: map[string]Demand{}, nodes: map[string]traits{}} }

// Pod records what a pod requires of its node. A pod without a node requires nothing.
func (d *Checker) Pod(one Demand) {
	if one.node != "" && one.uid != "" {
		d.demands[one.uid] = one
	}
}

// Node records what a node offers.
func (d *Checker) Node(n *corev1.Node) { d.nodes[n.Name] = traitsOf(n) }

// Answers passes on what is known of each pod, and forgets the pods. A pod whose node was not read has no answer.
func (d *Checker) Answers(give func(PodReadmission)) {
	for uid, one := range d.demands {
		node, ok := d.nodes[one.node]
		// Every node has labels. A node without any is not as the API server had it.
		if !ok || len(node.labels) == 0 {
			continue
		}
		answer, known := one.against(&node)
		if !known {
			continue
		}
		give(PodReadmission{PodUID: uid, Namespace: one.namespace, Pod: one.pod, Readmission: answer})
	}
	clear(d.demands)
}

// MaxKeys is how many keys of labels or taints are kept per pod.
const MaxKeys = 32

// SafeReadmission returns a copy that is safe to show.
func SafeReadmission(r *evidence.Readmission) *evidence.Readmission {
	safe := func(keys []string) (out []string) {
		for _, k := range keys[:min(len(keys), MaxKeys)] {
			out = append(out, safetext.Ident(k))
		}
		return out
	}
	return &evidence.Readmission{Unmatched: safe(r.Unmatched), Untolerated: safe(r.Untolerated)}
}
