package kubelet

import (
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file holds what only looked like a restart.

// keepsReadiness is the minor from which a kubelet keeps the readiness of containers
// that it finds running (kubelet v1.35 prober_manager.go, gate
// ChangeContainerStatusOnKubeletRestart off).
const keepsReadiness = 35

// cited are the ids of what made it look like a restart, and of the record that says
// that the container runs on.
func cited(f *finding.Findings) []string {
	var out []string
	for _, m := range f.R.Signs {
		out = append(out, m.Obs.ID)
	}
	return append(out, f.R.From.Records...)
}

// flip is decided by the container, which is the same as before, and by a readiness
// that went, or came back, right after a start of the kubelet.
func flip(f *finding.Findings) *causes.Claim {
	k := f.Around.Kubelet
	changed, probed := signed[evidence.ReadinessChanged](f), signed[evidence.ProbeResult](f)
	keeps := finding.Minor(f.Versions.At) >= keepsReadiness
	if k.Answer != finding.Yes || !changed && (!probed || keeps) {
		return nil // a kubelet that keeps readiness tells the first result after its start as well
	}
	s := causes.Strong
	switch {
	case keeps:
		s = causes.Weak
	case probed:
		s = causes.Decisive
	}
	what := "the kubelet of " + causes.Node(f) + " was started anew and had forgotten the results of all probes"
	steps := append(causes.Behind(f, causes.Kubelet, k.At),
		causes.Step{Cause: causes.KubeletRestarted, Role: report.RoleBehind, Text: what, At: k.At, Evidence: k.Evidence},
		causes.Step{Cause: causes.ReadinessFlip, Text: "the pod did not count as ready until its probes had passed once more", At: f.R.Seen, Evidence: cited(f)},
		runsOn(f))
	return &causes.Claim{
		Strength: s, Kind: report.None, Chain: steps, Needs: causes.NeedKubeletLog(f),
		Summary: causes.Who(f) + ": not a restart: " + what + ", so the pod was not ready for a moment; the same container runs on",
		Actions: []string{"nothing to fix in the workload: kubelets from v1.35 on keep the readiness of what runs", "restart kubelets one after the other: every pod of the node leaves its Services for a moment"},
		Root:    &causes.Root{Key: k.At.UTC().Format(time.RFC3339), At: k.At, Summary: what},
	}
}

func againstFlip(f *finding.Findings) causes.Against {
	switch {
	case f.R.Kind != timeline.KindNone:
		return causes.Contradict("the container did end: this is more than a lost readiness", f.R.From.Records...)
	case !signed[evidence.ReadinessChanged](f) && !signed[evidence.ProbeResult](f):
		return causes.Contradict("its readiness did not change", cited(f)...)
	}
	return causes.Against{}
}

// mirror is decided by the kubelet's own line about the mirror. The API alone has
// only its age, which a static pod on a new node has too.
func mirror(f *finding.Findings) *causes.Claim {
	if f.R.Pod == nil || !f.R.Pod.Mirror || len(f.R.Signs) > 0 && !signed[evidence.MirrorPod](f) {
		return nil
	}
	s := causes.Weak
	what := "the static pod's mirror in the API is younger than its container: it was made anew"
	if signed[evidence.MirrorPod](f) {
		s = causes.Decisive
		what = "the static pod's mirror was deleted from the API, and the kubelet made it anew"
	}
	return &causes.Claim{
		Strength: s, Kind: report.None, Needs: causes.NeedKubeletLog(f),
		Chain:   []causes.Step{{Cause: causes.MirrorPodDeleted, Text: what, At: f.R.Seen, Evidence: cited(f)}, runsOn(f)},
		Summary: causes.Who(f) + ": not a restart: " + what + "; the container runs on",
		Actions: []string{"deleting a mirror pod restarts nothing: move its manifest out of the static pod directory on " + causes.Node(f) + " and back"},
	}
}

func againstMirror(f *finding.Findings) causes.Against {
	switch {
	case f.R.Kind != timeline.KindNone:
		return causes.Contradict("the container did end; what happens to a mirror pod in the API ends no container", f.R.From.Records...)
	case f.R.Pod != nil && !f.R.Pod.Mirror:
		return causes.Contradict("it is no static pod: it has no mirror")
	case len(f.R.Signs) > 0 && !signed[evidence.MirrorPod](f):
		return causes.Contradict("its mirror was left alone: only its readiness changed", cited(f)...)
	}
	return causes.Against{}
}

func signed[F evidence.Fact](f *finding.Findings) bool {
	for _, m := range f.R.Signs {
		if _, ok := m.Obs.Fact.(F); ok {
			return true
		}
	}
	return false
}

func runsOn(f *finding.Findings) causes.Step {
	return causes.Step{Role: report.RoleEffect, Text: "the container runs on, the same as before", At: f.R.From.Started, Evidence: f.R.From.Records}
}
