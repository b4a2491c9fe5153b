package kubelet

import (
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/release"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file holds what only looks like a restart.

// keepsReadiness is the minor from which a kubelet keeps the readiness of containers that it finds running (kubelet
// v1.35 prober_manager.go, gate ChangeContainerStatusOnKubeletRestart off).
const keepsReadiness = 35

// cited returns the ids of what made it look like a restart, and of the record that shows that the container still
// runs.
func cited(f *finding.Findings) []string {
	var out []string
	for _, m := range f.R.Signs {
		out = append(out, m.Obs.ID)
	}
	return append(out, f.R.From.Records...)
}

// flip is decisive given the container, which is the same as before, and a readiness that went, or came back, right
// after a start of the kubelet.
func flip(f *finding.Findings) *causes.Claim {
	k := f.NodeEvents.Kubelet
	changed, probed := signed[evidence.ReadinessChanged](f), signed[evidence.ProbeResultChanged](f)
	keeps := release.Minor(f.Versions.At) >= keepsReadiness
	if k.Answer != finding.Yes || !changed && (!probed || keeps) {
		return nil // a kubelet that keeps readiness also logs the first result after its start
	}
	s := causes.Strong
	switch {
	case keeps, unhealthy(f):
		s = causes.Weak
	case probed && alone(f):
		s = causes.Decisive
	}
	what := "the kubelet on " + causes.Node(f) + " restarted and had lost the results of all probes"
	steps := append(causes.Behind(f, causes.Kubelet, k.At),
		causes.Link{Cause: causes.KubeletRestarted, Role: report.RoleBehind, Text: what, At: k.At, Evidence: k.Evidence},
		causes.Link{Cause: causes.ReadinessFlip, Text: "the pod did not count as ready until its probes had passed again",
			At: f.R.Seen, Evidence: cited(f)},
		runsOn(f))
	return &causes.Claim{
		Strength: s, Kind: report.None, Chain: steps, Needs: causes.NeedKubeletLog(f),
		Summary: causes.Who(f) + ": not a container restart: " + what +
			", so the pod was briefly not ready; the same container is still running",
		Root: &causes.Root{Key: k.At.UTC().Format(time.RFC3339), At: k.At, Summary: what},
	}
}

// alone reports whether no other container of the pod can have made it unready: the kubelet's lines about readiness
// name the pod alone.
func alone(f *finding.Findings) bool {
	return f.R.Pod != nil && len(f.R.Pod.Containers) == 1
}

// unhealthy reports whether a run of the readiness probe itself failed around the kubelet's start, up to the last sign,
// or the pod had become unready before it: then the application was not ready.
func unhealthy(f *finding.Findings) bool {
	around := tolerance.AroundRestart
	if s := f.R.Spec; s != nil && s.Readiness != nil {
		around = max(around, evidence.Seconds(int64(2*s.Readiness.Period+s.Readiness.Timeout)))
	}
	from, until := f.NodeEvents.Kubelet.At.Add(-around), f.R.Seen
	if slices.ContainsFunc(slices.Concat(f.R.PodMarks, f.R.Signs), func(m timeline.Occurrence) bool {
		_, ok := m.Obs.Fact.(evidence.ReadinessChanged)
		_, result := m.Obs.Fact.(evidence.ProbeResultChanged)
		return (ok || result) && m.At.After(from) && m.At.Before(f.NodeEvents.Kubelet.At)
	}) {
		return true
	}
	for _, m := range f.R.Signs {
		if m.At.After(until) {
			until = m.At
		}
	}
	return slices.ContainsFunc(f.R.From.Marks, func(m timeline.Occurrence) bool {
		p, ok := m.Obs.Fact.(evidence.ProbeFailed)
		return ok && p.Probe == evidence.ProbeReadiness && m.At.After(from) && m.At.Before(until.Add(tolerance.Slack))
	})
}

func againstFlip(f *finding.Findings) causes.Against {
	switch {
	case f.R.Kind != timeline.KindNone:
		return causes.Contradict("the container did end, so this is more than lost readiness", f.R.From.Records...)
	case !signed[evidence.ReadinessChanged](f) && !signed[evidence.ProbeResultChanged](f):
		return causes.Contradict("its readiness did not change", cited(f)...)
	}
	return causes.Against{}
}

// mirror is decisive given the kubelet's own line about the mirror. The API alone has only its age, which may also be
// that of a static pod on a new node.
func mirror(f *finding.Findings) *causes.Claim {
	if f.R.Pod == nil || !f.R.Pod.Mirror || len(f.R.Signs) > 0 && !signed[evidence.MirrorPod](f) {
		return nil
	}
	s := causes.Weak
	what := "the static pod's mirror pod in the API is younger than its container, so it was recreated"
	if signed[evidence.MirrorPod](f) {
		s = causes.Decisive
		what = "the static pod's mirror pod was deleted from the API, and the kubelet recreated it"
	}
	outdated := func(m evidence.MirrorPod) bool { return m.Change == evidence.MirrorOutdated }
	if k := f.NodeEvents.Kubelet; k.Answer == finding.Yes && f.R.Seen.Sub(k.At) < tolerance.AroundRestart &&
		timeline.Has(f.R.Signs, outdated) {
		s = causes.Weak // a new kubelet deletes the mirrors of all static pods that have another UID with it
	}
	return &causes.Claim{
		Strength: s, Kind: report.None, Needs: causes.NeedKubeletLog(f),
		Chain:   []causes.Link{{Cause: causes.MirrorPodDeleted, Text: what, At: f.R.Seen, Evidence: cited(f)}, runsOn(f)},
		Summary: causes.Who(f) + ": not a container restart: " + what + "; the container is still running",
	}
}

func againstMirror(f *finding.Findings) causes.Against {
	switch {
	case f.R.Kind != timeline.KindNone:
		return causes.Contradict("the container did end; a change to a mirror pod in the API does not end a container",
			f.R.From.Records...)
	case f.R.Pod != nil && !f.R.Pod.Mirror:
		return causes.Contradict("it is not a static pod, so it has no mirror pod")
	case len(f.R.Signs) > 0 && !signed[evidence.MirrorPod](f):
		return causes.Contradict("its mirror pod did not change: only its readiness did", cited(f)...)
	}
	return causes.Against{}
}

func signed[F evidence.Fact](f *finding.Findings) bool { return timeline.Has[F](f.R.Signs, nil) }

func runsOn(f *finding.Findings) causes.Link {
	return causes.Link{Role: report.RoleEffect, Text: "the same container is still running",
		At: f.R.From.Started, Evidence: f.R.From.Records}
}
