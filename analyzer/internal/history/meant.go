package history

import (
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// stuck reports whether a text says of a container that it is never made. Only words say so: ContainerCreating alone is
// the state of every new pod.
func (g *group) stuck() bool {
	return g.waiting.Reason == "ContainerCreating" && g.pod != nil && g.pod.Mentioned()
}

// finishedAsMeant reports whether an end needs no explanation: an init container or a job's container that completed.
// What was killed for memory, or went down with a pod that failed, did not complete, whatever its exit code.
func (g *group) finishedAsMeant(in *timeline.Instance) bool {
	done := in.ExitCode != nil && *in.ExitCode == 0 && in.Reason != "OOMKilled" && !g.cutOff(in)
	switch {
	case g.kind != evidence.KindInit && g.pod != nil && g.pod.Phase == "Failed" && g.pod.Reason != "" && !g.outlived(in):
		return false
	case g.kind == evidence.KindInit, g.kind == evidence.KindEphemeral:
		return done
	case g.pod == nil:
		return false
	case g.kind == evidence.KindSidecar, g.pod.RestartPolicy == "" && g.pod.DeletedAt.IsZero(): // or no policy is known
		return done && (g.pod.Ended() || g.kind == evidence.KindApp && g.pod.Owner.Kind == "Job")
	}
	return done && g.pod.RestartPolicy != "Always" && g.pod.RestartPolicy != ""
}

// cutOff reports whether the node booted or came back around the end of a container of an ended pod: what obeys the
// SIGTERM of a shutdown ends with 0, and dockerd dates what it lost in a boot by the boot and reports it as completed.
func (g *group) cutOff(in *timeline.Instance) bool {
	if g.pod == nil || g.kind != evidence.KindApp || in.Finished.IsZero() || g.node == nil {
		return false
	}
	near := func(at time.Time) bool {
		since := at.Sub(in.Finished)
		return since > -tolerance.CameBack && since < tolerance.CameBack &&
			at.Sub(g.node.Info.CreatedAt) > tolerance.Registered
	}
	for _, c := range g.node.Info.Conditions {
		if c.Type == "Ready" && c.Status == "True" && near(c.Since) {
			return true
		}
	}
	return slices.ContainsFunc(g.node.Boots, func(m timeline.Occurrence) bool { return near(m.At) })
}

// outlived reports whether another container of the pod ran longer than the end of a pod takes.
func (g *group) outlived(in *timeline.Instance) bool {
	return slices.ContainsFunc(g.in.groups, func(o *group) bool {
		return o != g && slices.ContainsFunc(o.instances, func(other *timeline.Instance) bool {
			return other.Finished.Sub(in.Finished) > tolerance.Together
		})
	})
}
