package preflight

import (
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/hash"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence/podobject"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// hashes computes what a collector computes.
func hashes(c *corev1.Container) (out []evidence.SpecHash) {
	for _, h := range hash.All(c) {
		out = append(out, evidence.SpecHash{FromMinor: h.FromMinor, ToMinor: h.ToMinor,
			Algorithm: h.Algorithm, Hex: h.Hex, Image: c.Image})
	}
	return out
}

// story builds a cluster: a node n1 with a pod web-0 of one healthy container app, known from the API server alone.
type story struct {
	s *evidence.Snapshot
	// object and app belong to the pod.
	object *corev1.Pod
	app    *corev1.Container
	mirror string
	hashed bool
	api    kubelet.Version
	// readmission is how the pod compares with its node.
	readmission *evidence.Readmission
}

func running(name string) corev1.ContainerStatus {
	started := true
	return corev1.ContainerStatus{
		Name: name, ContainerID: "containerd://" + name, Started: &started, Ready: true,
		State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{
			StartedAt: metav1.Time{Time: noon.Add(-time.Hour)}}},
	}
}

func newStory(from string, mutations ...func(*story)) *story {
	st := &story{hashed: true, object: &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web-0", UID: "u"},
		Spec: corev1.PodSpec{NodeName: "n1", RestartPolicy: corev1.RestartPolicyAlways,
			Containers: []corev1.Container{{Name: "app", Image: "web:1"}}},
		Status: corev1.PodStatus{Phase: corev1.PodRunning, ContainerStatuses: []corev1.ContainerStatus{running("app")}},
	}}
	st.app = &st.object.Spec.Containers[0]
	st.s = &evidence.Snapshot{CollectedAt: noon,
		Nodes: []evidence.Node{{Name: "n1", KubeletVersion: from, Runtime: "containerd://1.7.2", OS: "linux"}}}
	for _, m := range mutations {
		m(st)
	}
	p := evidence.Pod{Namespace: "shop", Name: "web-0", UID: "u", Node: "n1",
		Object: podobject.Of(st.object), Readmission: st.readmission}
	if st.mirror != "" {
		p.Mirror, p.ConfigHash = true, st.mirror
	}
	add := func(c *corev1.Container, kind evidence.ContainerKind) {
		one := evidence.Container{Name: c.Name, Kind: kind, Image: c.Image, Liveness: probeOf(c.LivenessProbe),
			Readiness: probeOf(c.ReadinessProbe), Startup: probeOf(c.StartupProbe)}
		if st.hashed {
			one.Hashes = hashes(c)
		}
		p.Containers = append(p.Containers, one)
	}
	for i := range st.object.Spec.InitContainers {
		c := &st.object.Spec.InitContainers[i]
		kind := evidence.KindInit
		if c.RestartPolicy != nil {
			kind = evidence.KindSidecar
		}
		add(c, kind)
	}
	for i := range st.object.Spec.Containers {
		add(&st.object.Spec.Containers[i], evidence.KindApp)
	}
	st.s.Pods = append(st.s.Pods, p)
	return st
}

func probeOf(p *corev1.Probe) *evidence.Probe {
	if p == nil {
		return nil
	}
	out := &evidence.Probe{Handler: "httpGet", Timeout: p.TimeoutSeconds}
	if p.Exec != nil {
		out.Handler = "exec"
	}
	return out
}

// stored records the hash that the runtime has for a container.
func stored(container, hex string) func(*story) {
	return func(st *story) {
		about := evidence.Subject{Node: "n1", Namespace: "shop", Pod: "web-0",
			PodUID: "u", Container: container, ContainerID: container}
		st.s.Observations = append(st.s.Observations,
			evidence.Observation{Subject: about, Source: evidence.Source{Kind: evidence.SourceCRI},
				Fact: evidence.ContainerRecord{Hash: hex}})
	}
}

// runtime is the node's container runtime.
func runtime(name string) func(*story) { return func(st *story) { st.s.Nodes[0].Runtime = name } }

// on adds a fact about the node.
func on(f evidence.Fact) func(*story) {
	return func(st *story) {
		st.s.Observations = append(st.s.Observations,
			evidence.Observation{Subject: evidence.Subject{Node: "n1"}, Source: evidence.Source{Kind: evidence.SourceSystemd},
				Fact: f})
	}
}

// sidecar adds a restartable init container that runs.
func sidecar(st *story) {
	always := corev1.ContainerRestartPolicyAlways
	st.object.Spec.InitContainers = []corev1.Container{{Name: "proxy", Image: "proxy:1", RestartPolicy: &always}}
	st.object.Status.InitContainerStatuses = []corev1.ContainerStatus{running("proxy")}
}

// version parses a version in a test.
func version(t testing.TB, text string) kubelet.Version {
	t.Helper()
	if text == "" || text == Same {
		return kubelet.Version{}
	}
	v, err := kubelet.ParseVersion(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// predicted runs a story.
func predicted(t testing.TB, st *story, to string) *report.Preflight {
	t.Helper()
	r, err := Run(st.s, Options{To: version(t, to), APIServer: st.api, GeneratedAt: noon})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// told summarizes the prediction for one container.
func told(r *report.Preflight, container string) string {
	for _, it := range r.Items {
		if it.Container == container {
			return fmt.Sprintf("%s: %s", it.Prediction, it.Rule)
		}
	}
	return "not there"
}

const time1h = time.Hour

// hashHex returns the hash of a container in the runtime's form.
func hashHex(c *corev1.Container, minor int) string {
	r, err := hash.Hash(minor, c)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%x", r.Sum)
}
