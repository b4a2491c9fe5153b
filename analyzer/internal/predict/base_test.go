package predict

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/history"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence/podobject"
)

// end is when the container of every base ends.
var end = time.Date(2026, 11, 21, 7, 0, 0, 0, time.UTC)

func after(seconds float64) time.Time {
	return end.Add(time.Duration(seconds * float64(time.Second)))
}

// world is the evidence about one pod, for a test to change.
type world struct {
	version string
	pod     *corev1.Pod
	code    int32
	who     string
	kinds   map[string]evidence.ContainerKind
	obs     []evidence.Observation
}

// base is a pod of two containers after an init container; `a` has ended and was restarted, nothing else is known.
func base(changes ...func(*world)) *world {
	w := &world{version: "v1.30.14", code: 137, who: "a",
		kinds: map[string]evidence.ContainerKind{"i": evidence.KindInit, "s": evidence.KindSidecar}}
	w.pod = &corev1.Pod{}
	w.pod.Spec.RestartPolicy = corev1.RestartPolicyAlways
	w.pod.Spec.InitContainers = []corev1.Container{{Name: "i"}}
	w.pod.Spec.Containers = []corev1.Container{{Name: "a", LivenessProbe: &corev1.Probe{}, StartupProbe: &corev1.Probe{}},
		{Name: "b"}}
	w.record("a", "old", evidence.StateExited, 0, -600, 0, "box0")
	w.record("a", "new", evidence.StateRunning, 1, 1, 0, "")
	for _, c := range changes {
		c(w)
	}
	return w
}

// record adds the record of one instance; a running one has no end.
func (w *world) record(name, id string, state evidence.ContainerState,
	attempt int, started, ended float64, box string) {
	r := evidence.ContainerRecord{State: state, Attempt: attempt, Started: after(started), RestartCount: attempt}
	if state == evidence.StateExited {
		r.Finished, r.ExitCode = after(ended), &w.code
	}
	w.obs = append(w.obs, evidence.Observation{
		Time: after(started), Source: evidence.Source{Kind: evidence.SourceCRI, Node: "n1"}, Fact: r,
		Subject: evidence.Subject{Node: "n1", Namespace: "shop", Pod: "web-0",
			PodUID: "u1", Container: name, ContainerID: id, SandboxID: box},
	})
}

// sandboxes puts the old and the new instance into sandboxes of these names, the second one created at a time.
func sandboxes(old, young string, made float64) func(*world) {
	return func(w *world) {
		w.obs[0].Subject.SandboxID, w.obs[1].Subject.SandboxID = old, young
		for i, id := range []string{old, young} {
			if i == 1 && young == old {
				break
			}
			w.obs = append(w.obs, evidence.Observation{
				Time: after(made), Source: evidence.Source{Kind: evidence.SourceCRI, Node: "n1"},
				Subject: evidence.Subject{Node: "n1", Namespace: "shop", Pod: "web-0", PodUID: "u1", SandboxID: id},
				Fact: evidence.SandboxRecord{Attempt: i, Ready: i == 1 ||
					young == old, Created: after([]float64{-601, made}[i])},
			})
		}
	}
}

func version(v string) func(*world) { return func(w *world) { w.version = v } }
func policy(p corev1.RestartPolicy) func(*world) {
	return func(w *world) { w.pod.Spec.RestartPolicy = p }
}

// sidecar makes the init container one that restarts always, called s, and the item its end.
func sidecar(w *world) {
	always := corev1.ContainerRestartPolicyAlways
	w.pod.Spec.InitContainers = []corev1.Container{{Name: "s", RestartPolicy: &always, LivenessProbe: &corev1.Probe{}}}
}

func about(name string) func(*world) {
	return func(w *world) {
		w.who = name
		for i := range w.obs {
			if w.obs[i].Subject.Container == "a" {
				w.obs[i].Subject.Container = name
			}
		}
	}
}

// find builds the timeline and returns the newest end of the world's container.
func (w *world) find(t testing.TB) *finding.Findings {
	t.Helper()
	b := evidence.NewBuilder(after(3600))
	b.Node(evidence.Node{Name: "n1", KubeletVersion: w.version})
	p := evidence.Pod{Namespace: "shop", Name: "web-0", UID: "u1", Node: "n1",
		Phase: "Running", RestartPolicy: string(w.pod.Spec.RestartPolicy), GraceSeconds: 30,
		Object: podobject.Of(w.pod)}
	for _, list := range [][]corev1.Container{w.pod.Spec.InitContainers, w.pod.Spec.Containers} {
		for _, c := range list {
			kind := w.kinds[c.Name]
			if kind == "" {
				kind = evidence.KindApp
			}
			p.Containers = append(p.Containers, evidence.Container{Name: c.Name, Kind: kind})
		}
	}
	b.Pod(p)
	for _, o := range w.obs {
		b.Observe(o)
	}
	tl := history.Build(b.Build())
	for i := len(tl.Restarts) - 1; i >= 0; i-- {
		if tl.Restarts[i].Container == w.who {
			return finding.Derive(tl, tl.Restarts[i])
		}
	}
	t.Fatalf("no restart of %s in the world", w.who)
	return nil
}

func limits(memory string) corev1.ResourceRequirements {
	list := corev1.ResourceList{corev1.ResourceMemory: resource.MustParse(memory)}
	return corev1.ResourceRequirements{Limits: list, Requests: list}
}
