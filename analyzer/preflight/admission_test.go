package preflight

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence/podobject"
)

// compared sets the pod's comparison with its node: keys of labels, then of taints.
func compared(labels, taints string) func(*story) {
	return func(st *story) {
		st.readmission = &evidence.Readmission{Unmatched: strings.Fields(labels), Untolerated: strings.Fields(taints)}
	}
}

func TestAdmissionIsAskedBeforeTheDecision(t *testing.T) {
	type change = func(*story)
	static := func(st *story) { st.mirror = "0123456789abcdef0123456789abcdef" }
	for name, test := range map[string]struct {
		from, to string
		given    []change
		want     string
	}{
		"a pod that fits":             {"v1.31.0", Same, []change{compared("", "")}, "stays: unchanged"},
		"a pod that was not compared": {"v1.31.0", Same, nil, "stays: unchanged"},
		"a label that is gone":        {"v1.31.0", Same, []change{compared("disktype", "")}, "restarts: admission-rejected"},
		"before 1.18 it may not be known yet": {"v1.17.0", Same, []change{compared("disktype", "")},
			"may: admission-rejected"},
		"a static pod may be faster than the labels": {"v1.31.0", Same, []change{compared("disktype", ""), static},
			"may: admission-rejected"},
		"a label that the kubelet sets itself": {"v1.31.0", Same,
			[]change{compared("kubernetes.io/os topology.kubernetes.io/zone", "")}, "may: admission-rejected"},
		"such a label beside another": {"v1.31.0", Same, []change{compared("disktype kubernetes.io/os", "")},
			"restarts: admission-rejected"},
		"another node's name": {"v1.31.0", Same, []change{compared("metadata.name", "")}, "restarts: admission-rejected"},
		"a taint":             {"v1.24.0", Same, []change{compared("", "maintenance")}, "restarts: admission-rejected"},
		"a taint before 1.24": {"v1.23.0", Same, []change{compared("", "maintenance")}, "stays: unchanged"},
		"a taint on the way to 1.24": {"v1.23.0", "v1.24.0", []change{compared("", "maintenance")},
			"restarts: admission-rejected"},
		"a taint and a static pod": {"v1.31.0", Same, []change{compared("", "maintenance"), static}, "stays: unchanged"},
		"what does not run has nothing to lose": {"v1.31.0", Same, []change{compared("disktype", ""), func(st *story) {
			st.object.Status.ContainerStatuses[0].State = corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{}}
		}}, "stays: not-running"},
		"a pod that has ended is not admitted": {"v1.31.1", Same,
			[]change{compared("disktype", ""), func(st *story) { st.object.Status.Phase = corev1.PodSucceeded }},
			"stays: pod-ends"},
		"sidecars back to 1.28":                   {"v1.29.0", "v1.28.15", []change{sidecar}, "restarts: admission-rejected"},
		"sidecars of a 1.28 that has the gate on": {"v1.28.2", "v1.28.15", []change{sidecar}, "stays: unchanged"},
		"sidecars on to 1.29":                     {"v1.28.15", "v1.29.0", []change{sidecar}, "stays: unchanged"},
		"sidecars in a 1.28 that is told to have them": {"v1.29.0", "v1.28.15",
			[]change{sidecar, on(evidence.KubeletSettings{FeatureGates: map[string]bool{"SidecarContainers": true}})},
			"stays: unchanged"},
		"a pod without sidecars back to 1.28": {"v1.29.0", "v1.28.15", nil, "stays: unchanged"},
	} {
		t.Run(name, func(t *testing.T) {
			r := predicted(t, newStory(test.from, test.given...), test.to)
			if got := told(r, "app"); got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
			it := r.Items[len(r.Items)-1]
			if it.Rule == ruleAdmission && (it.Function != admits || it.Because == "") {
				t.Errorf("%+v", it)
			}
		})
	}
}

func TestARefusalNamesKeysAndNoValues(t *testing.T) {
	r := predicted(t, newStory("v1.31.0", compared("disktype zone", "")), Same)
	if want := "required labels that the node lacks: disktype, zone"; r.Items[0].Proof != want {
		t.Errorf("proof %q, want %q", r.Items[0].Proof, want)
	}
	if strings.Contains(strings.Join(r.Assumed, " "), "admitted again") {
		t.Errorf("all pods were compared: %q", r.Assumed)
	}
	if r := predicted(t, newStory("v1.31.0"), Same); !strings.Contains(strings.Join(r.Assumed, " "), "admitted again") {
		t.Errorf("a pod was not compared: %q", r.Assumed)
	}
}

// packed is a node with 4 CPUs, 8 GiB and room for 5 pods, with pods named by their age, oldest first, each with its
// requests of CPU and memory.
func packed(t *testing.T, requests []string, mutations ...func([]*evidence.Pod)) *evidence.Snapshot {
	t.Helper()
	s := &evidence.Snapshot{CollectedAt: noon,
		Nodes: []evidence.Node{{Name: "n1", KubeletVersion: "v1.31.0", Runtime: "containerd://1.7.2", OS: "linux",
			Allocatable: &evidence.Allocatable{MilliCPU: 4000, Memory: 8 << 30, Pods: 5}}}}
	var pods []*evidence.Pod
	for i, text := range requests {
		cpu, memory, _ := strings.Cut(text, " ")
		name := fmt.Sprintf("p%d", i)
		list := corev1.ResourceList{}
		for key, value := range map[corev1.ResourceName]string{corev1.ResourceCPU: cpu, corev1.ResourceMemory: memory} {
			if value != "" {
				list[key] = resource.MustParse(value)
			}
		}
		o := &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, UID: "u"},
			Spec: corev1.PodSpec{NodeName: "n1", RestartPolicy: corev1.RestartPolicyAlways,
				Containers: []corev1.Container{{Name: "app", Image: "web:1",
					Resources: corev1.ResourceRequirements{Requests: list}}}},
			Status: corev1.PodStatus{Phase: corev1.PodRunning, ContainerStatuses: []corev1.ContainerStatus{running("app")}},
		}
		p := &evidence.Pod{Namespace: "shop", Name: name, UID: name, Node: "n1",
			Object: podobject.Of(o), CreatedAt: noon.Add(time.Duration(i-100) * time.Minute),
			Readmission: &evidence.Readmission{},
			Containers: []evidence.Container{{Name: "app", Kind: evidence.KindApp,
				Image: "web:1", Hashes: hashes(&o.Spec.Containers[0])}}}
		pods = append(pods, p)
	}
	for _, m := range mutations {
		m(pods)
	}
	// The youngest comes first: only creation determines the order.
	for i := range pods {
		s.Pods = append(s.Pods, *pods[len(pods)-1-i])
	}
	return s
}

func TestPodsThatNoLongerFitOnTheirNode(t *testing.T) {
	of := func(i int, change func(*evidence.Pod)) func([]*evidence.Pod) {
		return func(pods []*evidence.Pod) { change(pods[i]) }
	}
	given := func(amount string) func(*evidence.Pod) {
		return func(p *evidence.Pod) {
			p.Object.Whole().Status.ContainerStatuses[0].Resources = &corev1.ResourceRequirements{
				Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(amount),
					corev1.ResourceMemory: resource.MustParse("8Gi")}}
		}
	}
	always := corev1.ContainerRestartPolicyAlways
	initContainer := func(cpu string, policy *corev1.ContainerRestartPolicy) func(*evidence.Pod) {
		return func(p *evidence.Pod) {
			p.Object.Spec.InitContainers = append(p.Object.Spec.InitContainers,
				corev1.Container{Name: "init", RestartPolicy: policy,
					Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{
						corev1.ResourceCPU: resource.MustParse(cpu)}}})
		}
	}
	for name, test := range map[string]struct {
		requests []string
		given    []func([]*evidence.Pod)
		want     string // the pods that may be refused, oldest first, and the findings
	}{
		"all fit":                      {[]string{"2 4Gi", "2 4Gi"}, nil, ""},
		"the youngest has no CPU left": {[]string{"2 1Gi", "1500m 1Gi", "501m 1Gi"}, nil, "p2 node-overcommitted"},
		"a small one behind it still fits": {[]string{"2 1Gi", "1500m 1Gi", "501m 1Gi", "500m 1Gi"},
			nil, "p2 node-overcommitted"},
		"no memory":               {[]string{"1 5Gi", "1 4Gi"}, nil, "p1 node-overcommitted"},
		"no request, always room": {[]string{"4 8Gi", ""}, nil, ""},
		"too many pods":           {[]string{"", "", "", "", "", ""}, nil, "p5 node-overcommitted"},
		"one of them has ended": {[]string{"", "", "", "", "", ""},
			[]func([]*evidence.Pod){of(0, func(p *evidence.Pod) { p.Object.Whole().Status.Phase = corev1.PodFailed })}, ""},
		"one of them is going": {[]string{"", "", "", "", "", ""},
			[]func([]*evidence.Pod){of(0, func(p *evidence.Pod) {
				p.Object.Whole().DeletionTimestamp = &metav1.Time{Time: noon}
			})}, ""},
		"a critical pod is made room for": {[]string{"4 1Gi", "1 1Gi"},
			[]func([]*evidence.Pod){of(1, func(p *evidence.Pod) { p.Object.Spec.Priority = new(int32(systemCritical)) })}, ""},
		"and so is a static one": {[]string{"4 1Gi", "1 1Gi"},
			[]func([]*evidence.Pod){of(1, func(p *evidence.Pod) { p.Mirror = true })}, ""},
		"a resize that waits":           {[]string{"2 1Gi", "3 1Gi"}, []func([]*evidence.Pod){of(1, given("1"))}, ""},
		"a resize that waits to shrink": {[]string{"2 1Gi", "1 1Gi"}, []func([]*evidence.Pod){of(1, given("3"))}, ""},
		"an init container that needed more": {[]string{"3 1Gi", "500m 1Gi"},
			[]func([]*evidence.Pod){of(1, initContainer("2", nil))}, "p1 node-overcommitted"},
		"and one that needed less": {[]string{"3 1Gi", "500m 1Gi"},
			[]func([]*evidence.Pod){of(1, initContainer("900m", nil))}, ""},
		"a sidecar runs beside the container": {[]string{"3 1Gi", "500m 1Gi"},
			[]func([]*evidence.Pod){of(1, initContainer("900m", &always))}, "p1 node-overcommitted"},
		"and beside an init container after it": {[]string{"3 1Gi", ""},
			[]func([]*evidence.Pod){of(1, initContainer("600m", &always)), of(1, initContainer("600m", nil))},
			"p1 node-overcommitted"},
	} {
		t.Run(name, func(t *testing.T) {
			s := packed(t, test.requests, test.given...)
			r, err := Run(s, Options{GeneratedAt: noon})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, it := range r.Items {
				if it.Rule == ruleAdmission {
					got = append(got, it.Pod)
					if it.Prediction != report.MayRestart || it.Proof == "" {
						t.Errorf("%+v", it)
					}
				}
			}
			for _, f := range r.Nodes[0].Findings {
				got = append(got, f.Rule)
			}
			if diff := cmp.Diff(test.want, strings.Join(got, " ")); diff != "" {
				t.Error(diff)
			}
			if n := r.Summary.Total(); n != len(test.requests) {
				t.Errorf("%d containers are counted, want %d", n, len(test.requests))
			}
			// Nothing is counted without the node's capacity.
			s.Nodes[0].Allocatable = nil
			if r, err := Run(s, Options{GeneratedAt: noon}); err != nil || len(r.Nodes[0].Findings) > 0 || r.Summary.May > 0 {
				t.Errorf("without the node's resources: %v %+v", err, r.Summary)
			}
		})
	}
}

func TestAProofSaysWhatIsAskedForAndWhatIsLeft(t *testing.T) {
	r, err := Run(packed(t, []string{"3500m 1Gi", "750m 1Gi"}), Options{GeneratedAt: noon})
	if err != nil {
		t.Fatal(err)
	}
	if want := "cpu: requests 750m, 500m of 4 are left"; r.Items[1].Proof != want || r.Summary.May != 1 {
		t.Errorf("proof %q, want %q; %+v", r.Items[1].Proof, want, r.Summary)
	}
	r, err = Run(packed(t, []string{"1 7Gi", "1 1536Mi"}), Options{GeneratedAt: noon})
	if err != nil {
		t.Fatal(err)
	}
	if want := "memory: requests 1536Mi, 1Gi of 8Gi are left"; r.Items[1].Proof != want {
		t.Errorf("proof %q, want %q", r.Items[1].Proof, want)
	}
}

// A prediction with a better reason keeps it.
func TestAContainerThatRestartsAnywayIsNotCrowdedOut(t *testing.T) {
	s := packed(t, []string{"3500m 1Gi", "750m 1Gi"})
	s.Nodes[0].KubeletVersion = "v1.30.14"
	r, err := Run(s, Options{To: version(t, "v1.31.0"), GeneratedAt: noon})
	if err != nil {
		t.Fatal(err)
	}
	if r.Summary.Restarts != 2 || r.Items[1].Rule != ruleHash {
		t.Errorf("%+v, %s", r.Summary, r.Items[1].Rule)
	}
}

func TestDevicesHaveToRegisterAgain(t *testing.T) {
	gpu := func(st *story) {
		st.app.Resources.Limits = corev1.ResourceList{"example.com/gpu": resource.MustParse("1"),
			"hugepages-2Mi": resource.MustParse("2Mi"), corev1.ResourceCPU: resource.MustParse("1")}
	}
	r := predicted(t, newStory("v1.31.0", gpu), Same)
	if len(r.Nodes[0].Findings) != 1 || r.Nodes[0].Findings[0].Rule != "devices-register-again" ||
		!strings.Contains(r.Nodes[0].Findings[0].Text, "(example.com/gpu)") {
		t.Errorf("%+v", r.Nodes[0].Findings)
	}
	if r.Summary.Stays != 1 {
		t.Errorf("a container that runs keeps its device: %+v", r.Summary)
	}
}
