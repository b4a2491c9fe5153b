package predict

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/decide"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/sim"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// state returns the pod as the kubelet saw it when it decided. It is nil where spec and timeline disagree about what
// the container is.
func (g *inputs) state() *sim.PodState {
	pod := *g.object.Whole()
	pod.DeletionTimestamp = nil // from the time of collection
	x := &sim.PodState{Profile: *g.profile, Pod: &pod, Now: g.now}
	box := sim.NewSandbox(&pod, "sandbox")
	if g.box != nil {
		box.ID, box.Attempt, box.CreatedAt = g.box.ID, uint32(max(g.box.Attempt, 0)), g.box.Created
	} else {
		x.Assumed = append(x.Assumed, "the pod's sandbox is its first one")
	}
	x.Status = sim.NewStatus(box)
	g.populate(x)
	mine := x.Record(g.restart.Container)
	if mine == nil {
		return nil
	}
	mine.RestartCount = max(g.restart.From.Attempt, 0)
	return x
}

// populate gives every container its record: what ran next to the item's container, what had ended before, and which
// init containers had finished.
func (g *inputs) populate(x *sim.PodState) {
	who := g.restart.Container
	initializing, reached := g.restart.ContainerKind == evidence.KindInit, true
	for i := range x.Pod.Spec.InitContainers {
		c := &x.Pod.Spec.InitContainers[i]
		switch {
		case c.Name == who:
			x.Run(c, g.restart.From.ID)
			reached = reached && !initializing
		case !reached: // its turn had not come
		case decide.IsSidecar(c):
			x.Run(c, "")
		default:
			x.RanOnce(c)
		}
	}
	for i := range x.Pod.Spec.EphemeralContainers {
		x.Run((*corev1.Container)(&x.Pod.Spec.EphemeralContainers[i].EphemeralContainerCommon), "")
	}
	if initializing {
		return
	}
	for i := range x.Pod.Spec.Containers {
		c := &x.Pod.Spec.Containers[i]
		id := ""
		if c.Name == who {
			id = g.restart.From.ID
		}
		x.Run(c, id)
		if code := g.ended[i]; code != running {
			x.End(&x.Status.Containers[len(x.Status.Containers)-1], int(code))
		}
	}
	if g.guessed {
		x.Assumed = append(x.Assumed, "the pod's other containers ran")
	}
}

// argument returns the details of a hypothesis for this item.
func (g *inputs) argument(code int32) sim.Argument {
	return sim.Argument{Container: g.restart.Container, Code: int(code), Reason: "UnexpectedAdmissionError"}
}
