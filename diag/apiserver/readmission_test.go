package apiserver

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/apiobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/objecttest"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/readmission"
)

// affinity makes a required node affinity out of terms.
func affinity(terms ...corev1.NodeSelectorTerm) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: terms},
			// What is only preferred refuses nothing.
			PreferredDuringSchedulingIgnoredDuringExecution: []corev1.PreferredSchedulingTerm{
				{Weight: 1, Preference: labelled("never", corev1.NodeSelectorOpExists)}},
		}}
	}
}

func labelled(key string, operator corev1.NodeSelectorOperator, values ...string) corev1.NodeSelectorTerm {
	return corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{
		{Key: key, Operator: operator, Values: values}}}
}

func onNode(values ...string) corev1.NodeSelectorTerm {
	return corev1.NodeSelectorTerm{MatchFields: []corev1.NodeSelectorRequirement{
		{Key: readmission.NameField, Operator: corev1.NodeSelectorOpIn, Values: values}}}
}

func selector(set map[string]string) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.Spec.NodeSelector = set }
}

func tolerating(all ...corev1.Toleration) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.Spec.Tolerations = all }
}

// labelledNode is n1 with labels and, where one is given, a taint.
func labelledNode(taints ...corev1.Taint) corev1.Node {
	n := objecttest.BaseNode("n1")
	n.Labels = map[string]string{"disktype": "ssd", "cores": "16", "kubernetes.io/os": "linux", "masked": "********"}
	n.Spec.Taints = taints
	return n
}

func TestAPodIsComparedWithItsNode(t *testing.T) {
	const in, notIn, exists, absent, more, less = corev1.NodeSelectorOpIn,
		corev1.NodeSelectorOpNotIn, corev1.NodeSelectorOpExists, corev1.NodeSelectorOpDoesNotExist,
		corev1.NodeSelectorOpGt, corev1.NodeSelectorOpLt
	evict := corev1.Taint{Key: "maintenance", Value: "now", Effect: corev1.TaintEffectNoExecute}
	for name, c := range map[string]struct {
		pod     func(*corev1.Pod)
		taints  []corev1.Taint
		labels  string // that do not match
		refused string // taints that are not tolerated
		unknown bool
	}{
		"a pod that asks for nothing": {pod: func(*corev1.Pod) {}},
		"a selector that fits":        {pod: selector(map[string]string{"disktype": "ssd"})},
		"one with another value": {pod: selector(map[string]string{"disktype": "hdd", "cores": "16"}),
			labels: "disktype"},
		"one with two keys that are gone": {pod: selector(map[string]string{"zone": "a", "rack": ""}), labels: "rack zone"},
		"a term that fits":                {pod: affinity(labelled("disktype", in, "hdd", "ssd"))},
		"one of two terms fits":           {pod: affinity(labelled("disktype", in, "hdd"), labelled("cores", more, "8"))},
		"no term fits": {pod: affinity(labelled("disktype", in, "hdd"),
			labelled("cores", less, "8"), labelled("disktype", in, "tape")), labels: "cores disktype"},
		"a label that must not be there":    {pod: affinity(labelled("disktype", absent)), labels: "disktype"},
		"a label that is not there":         {pod: affinity(labelled("gpu", absent))},
		"not this value":                    {pod: affinity(labelled("disktype", notIn, "ssd")), labels: "disktype"},
		"not that value of none":            {pod: affinity(labelled("gpu", notIn, "a"))},
		"a label that must be there":        {pod: affinity(labelled("gpu", exists)), labels: "gpu"},
		"a number that is none":             {pod: affinity(labelled("disktype", more, "1")), labels: "disktype"},
		"a DaemonSet's pod":                 {pod: affinity(onNode("n1"))},
		"a DaemonSet's pod of another node": {pod: affinity(onNode("n2")), labels: "metadata.name"},
		"a term without requirements":       {pod: affinity(corev1.NodeSelectorTerm{}), labels: "nodeSelectorTerms"},
		"no term at all":                    {pod: affinity(), labels: "nodeSelectorTerms"},
		"both have to fit": {pod: func(p *corev1.Pod) {
			affinity(labelled("gpu", exists))(p)
			selector(map[string]string{"disktype": "ssd"})(p)
		}, labels: "gpu"},
		"a selector that somebody masked": {pod: selector(map[string]string{"disktype": "********"}), unknown: true},
		"a label that somebody masked":    {pod: selector(map[string]string{"masked": "ssd"}), unknown: true},
		"a masked label and a term":       {pod: affinity(labelled("masked", in, "ssd")), unknown: true},
		"a masked value of a term":        {pod: affinity(labelled("disktype", in, "<masked>")), unknown: true},
		"an operator of a later version":  {pod: affinity(labelled("cores", "Between", "8", "32")), unknown: true},
		"an operator without its values":  {pod: affinity(labelled("cores", in)), unknown: true},
		"a field that is not known": {
			pod: affinity(corev1.NodeSelectorTerm{MatchFields: []corev1.NodeSelectorRequirement{
				{Key: "metadata.name", Operator: "Like"}}}), unknown: true},
		"a taint": {pod: func(*corev1.Pod) {}, taints: []corev1.Taint{evict}, refused: "maintenance"},
		"a taint that only keeps others out": {pod: func(*corev1.Pod) {},
			taints: []corev1.Taint{{Key: "maintenance", Effect: corev1.TaintEffectNoSchedule}}},
		"a taint that is tolerated": {pod: tolerating(corev1.Toleration{Key: "maintenance", Value: "now"}),
			taints: []corev1.Taint{evict}},
		"tolerated with another value": {
			pod:    tolerating(corev1.Toleration{Key: "maintenance", Operator: corev1.TolerationOpEqual, Value: "later"}),
			taints: []corev1.Taint{evict}, refused: "maintenance"},
		"tolerated for another effect": {
			pod: tolerating(corev1.Toleration{Key: "maintenance", Operator: corev1.TolerationOpExists,
				Effect: corev1.TaintEffectNoSchedule}), taints: []corev1.Taint{evict}, refused: "maintenance"},
		"tolerated for a while": {
			pod: tolerating(corev1.Toleration{Key: "maintenance", Operator: corev1.TolerationOpExists,
				TolerationSeconds: new(int64)}), taints: []corev1.Taint{evict}},
		"everything is tolerated": {pod: tolerating(corev1.Toleration{Operator: corev1.TolerationOpExists}),
			taints: []corev1.Taint{evict, {Key: "b", Effect: corev1.TaintEffectNoExecute}}},
		"tolerated by a number, which may count": {
			pod:    tolerating(corev1.Toleration{Key: "maintenance", Operator: "Gt", Value: "1"}),
			taints: []corev1.Taint{evict}, unknown: true},
	} {
		t.Run(name, func(t *testing.T) {
			f := &fakeAPI{pods: []corev1.Pod{objecttest.BasePod(c.pod)}, nodes: []corev1.Node{labelledNode(c.taints...)}}
			_, s := collect(t, f, Scope{}, Options{})
			got := s.Pods[0].Readmission
			if c.unknown != (got == nil) {
				t.Fatalf("compared: %+v, want unknown %t", got, c.unknown)
			}
			if got == nil {
				return
			}
			if diff := cmp.Diff(evidence.Readmission{Unmatched: fieldsOf(c.labels), Untolerated: fieldsOf(c.refused)},
				*got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// fieldsOf is nil for no field.
func fieldsOf(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Fields(text)
}

func TestWhatWasNotReadIsNotCompared(t *testing.T) {
	asks := selector(map[string]string{"disktype": "hdd"})
	for name, f := range map[string]*fakeAPI{
		"a node that was not read": {pods: []corev1.Pod{objecttest.BasePod(asks)}},
		"a node whose labels somebody took": {pods: []corev1.Pod{objecttest.BasePod(asks)},
			nodes: []corev1.Node{objecttest.BaseNode("n1")}},
		"a pod that is not bound to any node": {
			pods:  []corev1.Pod{objecttest.BasePod(asks, func(p *corev1.Pod) { p.Spec.NodeName = "" })},
			nodes: []corev1.Node{labelledNode()}},
	} {
		_, s := collect(t, f, Scope{}, Options{})
		if len(s.Pods) != 1 || s.Pods[0].Readmission != nil {
			t.Errorf("%s: %+v", name, s.Pods)
		}
	}
}

// A bundle keeps the answers, which name keys and no values; what kubectl wrote is compared when it is read.
func TestTheAnswersAreKeptAndTheQuestionsAreNot(t *testing.T) {
	const value = "a-value-of-a-label"
	f := &fakeAPI{pods: []corev1.Pod{objecttest.BasePod(selector(map[string]string{"disktype": value}),
		affinity(labelled("zone", corev1.NodeSelectorOpIn, value)),
		tolerating(corev1.Toleration{Key: "other", Value: value}))},
		nodes: []corev1.Node{labelledNode(corev1.Taint{Key: "maintenance", Value: value,
			Effect: corev1.TaintEffectNoExecute})}}
	f.nodes[0].Labels["zone"] = "not-" + value
	piece, gaps := collected(t, f, Scope{})
	files := filetest.Of(t, piece)
	for path, text := range files {
		if strings.Contains(text, value) {
			t.Errorf("%s holds the value of a label: %s", path, text)
		}
	}
	if !strings.Contains(
		files[apiobject.ReadmissionPath],
		`"unmatched":["disktype","zone"],"untolerated":["maintenance"]`,
	) {
		t.Errorf("the answers: %s", files[apiobject.ReadmissionPath])
	}
	live, offline := objecttest.Observed([]evidence.RawEvidence{piece}, gaps),
		objecttest.Observed([]evidence.RawEvidence{apiobject.Decode(piece.Files(), apiobject.Hasher{})}, nil)
	if diff := cmp.Diff(live, offline, objecttest.CompareText); diff != "" ||
		live.Pods[0].Readmission == nil {
		t.Errorf("live (-) and offline (+) differ:\n%s", diff)
	}

	written := `{"kind":"List","items":[
		{"kind":"Pod","metadata":{"name":"a","namespace":"shop","uid":"u"},"spec":{"nodeName":"n1","nodeSelector":{"disktype":"hdd"}}},
		{"kind":"Node","metadata":{"name":"n1","labels":{"disktype":"ssd"}},"status":{"allocatable":{"cpu":"4","memory":"8Gi","pods":"110","example.com/gpu":"1"}}}]}`
	s := objecttest.Observed(
		[]evidence.RawEvidence{apiobject.Decode([]evidence.File{evidence.Bytes("cluster/all.json", []byte(written))},
			apiobject.Hasher{})},
		nil,
	)
	if diff := cmp.Diff(&evidence.Readmission{Unmatched: []string{"disktype"}}, s.Pods[0].Readmission); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(&evidence.Allocatable{MilliCPU: 4000, Memory: 8 << 30, Pods: 110},
		s.Nodes[0].Allocatable); diff != "" {
		t.Error(diff)
	}
}
