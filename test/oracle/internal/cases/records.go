package cases

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/decide"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/hash"
)

// records draws the runtime's records of every container, and the probe results for them.
func (g *Generator) records(c *Case, healthy bool) {
	spec := &c.Pod.Spec
	// A healthy pod may still be initializing: the init containers after this one have not run.
	reached := len(spec.InitContainers)
	if healthy && g.in(3) {
		reached = g.IntN(len(spec.InitContainers) + 1)
	}
	initializing := reached < len(spec.InitContainers)
	for i := range spec.InitContainers {
		want := decide.StateExited
		if rp := spec.InitContainers[i].RestartPolicy; rp != nil && *rp == corev1.ContainerRestartPolicyAlways ||
			i == reached-1 && g.in(2) {
			want = decide.StateRunning
		}
		if !healthy {
			g.recordsOf(c, &spec.InitContainers[i], "")
		} else if i < reached && !g.in(6) {
			g.recordsOf(c, &spec.InitContainers[i], want)
		}
	}
	for i := range spec.Containers {
		if !healthy {
			g.recordsOf(c, &spec.Containers[i], "")
		} else if !initializing && !g.in(10) {
			g.recordsOf(c, &spec.Containers[i], decide.StateRunning)
		}
	}
	for i := range spec.EphemeralContainers {
		if g.in(2) {
			g.record(c, &corev1.Container{Name: spec.EphemeralContainers[i].Name}, "")
		}
	}
	if g.in(10) {
		g.record(c, &corev1.Container{Name: "gone"}, "")
	}
	g.Shuffle(len(c.Status.Containers), func(i, j int) {
		s := c.Status.Containers
		// Records with the same name keep their order, newest first.
		if s[i].Name != s[j].Name && g.in(2) {
			s[i], s[j] = s[j], s[i]
		}
	})
}

// recordsOf adds the newest record of a container and maybe older, exited ones.
func (g *Generator) recordsOf(c *Case, spec *corev1.Container, want decide.State) {
	n := 1
	if want == "" {
		n = pick(g, 0, 1, 1, 1, 2, 3)
	}
	for i := range n {
		if i > 0 && !g.in(6) {
			want = decide.StateExited
		}
		g.record(c, spec, want)
	}
}

// record adds one record. An empty state is drawn at random, and so is a given one sometimes: that is what happens to a
// healthy pod.
func (g *Generator) record(c *Case, spec *corev1.Container, want decide.State) {
	if want == "" || g.in(8) {
		want = pick(g, decide.StateCreated, decide.StateRunning, decide.StateRunning,
			decide.StateExited, decide.StateExited, decide.StateUnknown)
		if g.in(60) {
			want = decide.State(pick(g, "", "paused"))
		}
	}
	at := time.Date(2026, 1, 1, 0, 0, len(c.Status.Containers), 0, time.UTC)
	st := decide.Container{
		ID:        fmt.Sprintf("c%d", len(c.Status.Containers)),
		Name:      spec.Name,
		State:     want,
		CreatedAt: at, StartedAt: at,
		RestartCount: g.IntN(3),
	}
	g.place(c, &st)
	if g.in(80) {
		st.ID = pick(g, "", "c0")
	}
	if want == decide.StateExited || g.in(8) {
		st.FinishedAt = at.Add(time.Minute)
		st.ExitCode = pick(g, 0, 0, 1, 42, 137, -1)
		st.Reason = pick(g, "", "", "Error", "Completed", "OOMKilled", "ContainerCannotRun")
	}
	g.hashes(&st, spec)
	if g.in(2) {
		c.Status.Liveness[st.ID] = g.result()
	}
	if g.in(2) {
		c.Status.Startup[st.ID] = g.result()
	}
	c.Status.Containers = append(c.Status.Containers, st)
}

// place puts a record into a sandbox: mostly the newest, but containers that do not run often into an older one, or
// into one that is gone.
func (g *Generator) place(c *Case, st *decide.Container) {
	boxes := c.Status.Sandboxes
	if len(boxes) == 0 || g.in(30) {
		st.SandboxID = pick(g, "", "gone")
		return
	}
	st.SandboxID = boxes[0].ID
	if st.State != decide.StateRunning && g.in(2) || g.in(8) {
		st.SandboxID = boxes[g.IntN(len(boxes))].ID
	}
}

func (g *Generator) result() decide.ProbeResult {
	return pick(g, decide.ProbeSuccess, decide.ProbeSuccess, decide.ProbeFailure, decide.ProbeUnknown)
}

// hashes draws a hash: mostly what this version computes, or another number, or none, or that of other resources.
func (g *Generator) hashes(st *decide.Container, spec *corev1.Container) {
	before := spec
	if g.in(10) {
		before = spec.DeepCopy()
		before.Resources = g.requirements()
	}
	if r, err := hash.Hash(g.Profile.Minor, before); err == nil {
		st.Hash = uint64(r.Sum)
	}
	if r, err := hash.WithoutResources(g.Profile.Minor, before); err == nil {
		st.HashWithoutResources = uint64(r.Sum)
	}
	if g.in(10) {
		st.Hash = pick(g, 0, 1, st.Hash+1<<32)
	}
	if g.in(10) {
		st.HashWithoutResources = pick[uint64](g, 0, 1)
	}
}
