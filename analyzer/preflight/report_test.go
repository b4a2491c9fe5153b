package preflight

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/decide"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/hash"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// fleet puts one node and pod for each story next to each other; pods are named after their nodes.
func fleet(stories ...*story) *evidence.Snapshot {
	s := &evidence.Snapshot{CollectedAt: noon}
	for i, st := range stories {
		node := fmt.Sprintf("n%d", i+1)
		n := st.s.Nodes[0]
		n.Name = node
		s.Nodes = append(s.Nodes, n)
		p := st.s.Pods[0]
		p.Node, p.Name, p.UID = node, "on-"+node, node
		s.Pods = append(s.Pods, p)
		for _, o := range st.s.Observations {
			o.Subject.Node = node
			s.Observations = append(s.Observations, o)
		}
	}
	return s
}

func TestNodesAreInTheOrderOfPain(t *testing.T) {
	quiet, loud := newStory("v1.31.0"), newStory("v1.30.0")
	louder := newStory("v1.30.0", func(st *story) {
		st.object.Spec.Containers = append(st.object.Spec.Containers, corev1.Container{Name: "b", Image: "b:1"})
		st.object.Status.ContainerStatuses = append(st.object.Status.ContainerStatuses, running("b"))
	})
	blocked := newStory("v1.31.0", on(evidence.CheckpointState{Name: "cpu_manager_state", Exists: true, Checksum: "bad"}))
	unsure := newStory("v1.31.0", sidecar)
	r, err := Run(fleet(quiet, loud, louder, blocked, unsure), Options{To: version(t, "v1.32.0")})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, n := range r.Nodes {
		got = append(got, fmt.Sprintf("%s %d/%d/%d", n.Node, n.Count.Restarts, n.Count.May, n.Count.Stays))
	}
	if diff := cmp.Diff([]string{"n4 0/0/1", "n3 2/0/0", "n2 1/0/0", "n5 0/1/1", "n1 0/0/1"}, got); diff != "" {
		t.Error(diff)
	}
	if want := (report.PreflightCount{Restarts: 3, May: 1, Stays: 3, BlockedNodes: 1}); r.Summary != want {
		t.Errorf("summary %+v, want %+v", r.Summary, want)
	}
	first := r.Groups[0]
	if first.Rule != ruleHash || first.Containers != 3 || first.Pods != 2 || first.Nodes != 2 || first.Do == "" {
		t.Errorf("first group %+v", first)
	}
	if last := r.Groups[len(r.Groups)-1]; last.Prediction != report.Stays || last.Do != "" {
		t.Errorf("last group %+v", last)
	}
}

func TestAKubeletsLogTellsItsVersionWhereTheNodeDoesNot(t *testing.T) {
	for of, want := range map[string]string{"": "v1.30.2", "v1.29.0": "v1.29.0"} {
		s := fleet(newStory("v1.30.0"))
		s.Nodes[0].KubeletVersion = of
		s.Observations = append(s.Observations, evidence.Observation{Subject: evidence.Subject{Node: s.Nodes[0].Name},
			Source: evidence.Source{Kind: evidence.SourceKubeletLog}, Fact: evidence.KubeletStarted{Version: "v1.30.2"}})
		r, err := Run(s, Options{To: version(t, "v1.31.0")})
		if err != nil || len(r.Nodes) != 1 || r.Nodes[0].From != want {
			t.Errorf("%q: %v, %+v", of, err, r.Nodes)
		}
	}
}

func TestTheScopeNarrows(t *testing.T) {
	s := fleet(newStory("v1.30.0"), newStory("v1.30.0"), newStory("v1.30.0"))
	s.Pods = append(s.Pods, evidence.Pod{Namespace: "shop", Name: "pending"})
	s.Nodes = append(s.Nodes, evidence.Node{Name: "empty", KubeletVersion: "v1.30.0"})
	s.Pods[2].Node = "unheard-of"
	for name, test := range map[string]struct {
		o    Options
		want string
	}{
		"everything": {Options{}, "empty n1=on-n1 n2=on-n2 n3 unheard-of=on-n3"},
		"a node":     {Options{Nodes: []string{"n2"}}, "n2=on-n2"},
		"a pod":      {Options{Keep: func(_, pod, _ string) bool { return pod == "on-n1" }}, "n1=on-n1"},
		"nothing":    {Options{Keep: func(_, _, _ string) bool { return false }}, ""},
	} {
		test.o.To = version(t, "v1.31.0")
		r, err := Run(s, test.o)
		if err != nil {
			t.Fatal(err)
		}
		pods := map[string]string{}
		for _, it := range r.Items {
			pods[it.Node] += "=" + it.Pod
		}
		var got []string
		for _, n := range []string{"empty", "n1", "n2", "n3", "unheard-of"} {
			for i := range r.Nodes {
				if r.Nodes[i].Node == n {
					got = append(got, n+pods[n])
				}
			}
		}
		if text := strings.Join(got, " "); text != test.want {
			t.Errorf("%s: %q, want %q", name, text, test.want)
		}
	}
}

func TestATargetThatIsNotModelledIsAnError(t *testing.T) {
	for _, v := range []kubelet.Version{{Major: 1, Minor: 4}, {Major: 2}} {
		if _, err := Run(&evidence.Snapshot{}, Options{To: v}); !errors.Is(err, kubelet.ErrVersionNotModelled) {
			t.Errorf("%s: %v", v, err)
		}
	}
}

func TestTheReportHoldsNoNull(t *testing.T) {
	r, err := Run(&evidence.Snapshot{}, Options{GeneratedAt: noon.In(time.FixedZone("x", 3600))})
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(r)
	if err != nil || strings.Contains(string(raw), "null") {
		t.Errorf("%s %v", raw, err)
	}
	for _, want := range []string{`"kind":"PreflightReport"`, `"apiVersion":"restartwhy.dev/v1alpha1"`,
		`"to":"same"`, `"generatedAt":"2026-03-01T12:00:00Z"`} {
		if !strings.Contains(string(raw), want) {
			t.Errorf("no %s in %s", want, raw)
		}
	}
}

func TestAPodKnownFromLogsOnlyIsNotJudged(t *testing.T) {
	st := newStory("v1.30.0")
	st.s.Pods[0].Object = nil
	if got := told(predicted(t, st, "v1.31.0"), "app"); got != "unknown: pod-not-read" {
		t.Error(got)
	}
}

func TestRunLeavesTheSnapshotAlone(t *testing.T) {
	st := newStory("v1.32.0", sidecar, restartingResize)
	before := st.object.DeepCopy()
	predicted(t, st, "v1.33.0")
	if diff := cmp.Diff(before, st.object); diff != "" {
		t.Error(diff)
	}
}

// random sets the fields of a pod that hashes, resizes and policies depend on.
func random(rng *rand.Rand) func(*story) {
	coin := func() bool { return rng.IntN(2) == 0 }
	dress := func(c *corev1.Container) {
		if coin() {
			c.SecurityContext = &corev1.SecurityContext{}
		}
		if coin() {
			c.VolumeMounts = []corev1.VolumeMount{{Name: "v", MountPath: "/v"}}
		}
		if coin() {
			c.ReadinessProbe = &corev1.Probe{ProbeHandler: corev1.ProbeHandler{TCPSocket: &corev1.TCPSocketAction{}}}
		}
		if coin() {
			c.Resources.Limits = memory("32Mi")
		}
		if coin() {
			c.ResizePolicy = []corev1.ContainerResizePolicy{{ResourceName: corev1.ResourceMemory,
				RestartPolicy: corev1.RestartContainer}}
		}
	}
	return func(st *story) {
		if coin() {
			sidecar(st)
			dress(&st.object.Spec.InitContainers[0])
		}
		dress(st.app)
		st.object.Spec.RestartPolicy = []corev1.RestartPolicy{corev1.RestartPolicyAlways,
			corev1.RestartPolicyOnFailure, corev1.RestartPolicyNever}[rng.IntN(3)]
		st.object.Spec.HostNetwork = coin()
	}
}

// TestAPredictionIsTheDecision calls the decision function itself, with a state built here, which is plain except for
// the old kubelet's stored hash.
func TestAPredictionIsTheDecision(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 11))
	restarts := 0
	for range 3000 {
		from, to := kubelet.OldestMinor+1+rng.IntN(31), kubelet.OldestMinor+1+rng.IntN(31)
		if from < qosSinceInit && to >= qosSinceInit {
			continue // the cgroup of the QoS class is added to the decision
		}
		st := newStory(fmt.Sprintf("v1.%d.99", from), random(rng))
		r := predicted(t, st, fmt.Sprintf("v1.%d.99", to))
		profile, err := kubelet.ProfileFor(kubelet.Version{Major: 1, Minor: to, Patch: 99})
		if err != nil {
			t.Fatal(err)
		}
		box := decide.Sandbox{ID: "s", Ready: true, NetworkReported: true, IP: "10.0.0.1"}
		if st.object.Spec.HostNetwork {
			box.Network = decide.NamespaceNode
		}
		status := decide.Status{Sandboxes: []decide.Sandbox{box}, Liveness: map[string]decide.ProbeResult{},
			Startup: map[string]decide.ProbeResult{}, Resources: map[string]corev1.ResourceRequirements{}}
		if from < actuatedSince && to >= actuatedSince {
			status.Resources = nil
		}
		all := append(append([]corev1.Container(nil), st.object.Spec.InitContainers...), st.object.Spec.Containers...)
		for i := range all {
			c := &all[i]
			sum, err := hash.Hash(from, c)
			if err != nil {
				t.Fatal(err)
			}
			status.Containers = append(status.Containers,
				decide.Container{ID: c.Name, Name: c.Name, SandboxID: "s", State: decide.StateRunning, Hash: uint64(sum.Sum)})
			status.Liveness[c.Name], status.Startup[c.Name] = decide.ProbeSuccess, decide.ProbeSuccess
			if status.Resources != nil {
				status.Resources[c.Name] = c.Resources
			}
		}
		actions, _ := decide.Decide(profile, st.object, &status, noon, decide.Options{})
		for i := range all {
			want := actions.KillPod
			for _, k := range actions.ContainersToKill {
				want = want || k.Name == all[i].Name
			}
			if to == asksSidecars && told(r, all[i].Name) == "restarts: "+ruleAdmission {
				continue // admission comes before the decision
			}
			got := strings.HasPrefix(told(r, all[i].Name), "restarts")
			if got != want {
				t.Errorf("v1.%d → v1.%d, %s: predicted %s, the decision kills: %t",
					from, to, all[i].Name, told(r, all[i].Name), want)
			}
			if want {
				restarts++
			}
		}
	}
	if restarts < 500 {
		t.Errorf("only %d containers restarted: the cases are too tame", restarts)
	}
}
