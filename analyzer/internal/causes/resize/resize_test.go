package resize_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/causestest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/resize"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence/podobject"
)

type want map[causes.ID]causes.Strength

func check(t *testing.T, name string, f *finding.Findings, w want) {
	t.Helper()
	for id, strength := range w {
		if got := causestest.Says(t, resize.Rules(), id, f); got != strength {
			t.Errorf("%s: %s says %v, want %v", name, id, got, strength)
		}
	}
}

// resized is a container whose policy requires a restart, killed for a resize by the kubelet that created it.
func resized() *finding.Findings {
	f := causestest.Base(143)
	causestest.Killed(f, evidence.KillResize)
	f.Versions = finding.Versions{At: "v1.33.5", Certain: true, SameProcess: true}
	f.Record.Answer = finding.No
	f.R.Pod.Object = podobject.Of(&corev1.Pod{
		Spec: corev1.PodSpec{Containers: []corev1.Container{
			{Name: "a", ResizePolicy: []corev1.ContainerResizePolicy{
				{ResourceName: "memory", RestartPolicy: corev1.RestartContainer}}}}}})
	return f
}

func TestAResizeAndItsTwin(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*finding.Findings)
		want   want
	}{
		"the kubelet made it, and lacks nothing": {func(*finding.Findings) {},
			want{causes.ResizeRestart: causes.Decisive, causes.ResizeRecordMissing: causestest.Out}},
		"known from a description, which has no policies": {func(f *finding.Findings) {
			f.R.Pod.UID, f.Versions.SameProcess = evidence.Described+"shop/web-0", false
			f.R.Pod.Object = podobject.Of(&corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "a"}}}})
		}, want{causes.ResizeRestart: causes.Strong}},
		"no policy": {func(f *finding.Findings) {
			f.R.Pod.Object = podobject.Of(&corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "a"}}}})
		}, want{causes.ResizeRestart: causestest.Out}},
		"the kubelet says that it has no record": {func(f *finding.Findings) {
			f.Record, f.Versions.SameProcess = causestest.Yes(-3), false
		}, want{causes.ResizeRestart: causestest.Out, causes.ResizeRecordMissing: causes.Decisive}},
		"the kubelet had no record, and somebody resized it": {func(f *finding.Findings) {
			f.Record, f.Resized = causestest.Yes(-4), causestest.Yes(-5)
		}, want{causes.ResizeRestart: causestest.Out, causes.ResizeRecordMissing: causes.Weak}},
		"another kubelet made it, and it says nothing": {func(f *finding.Findings) { f.Versions.SameProcess = false },
			want{causes.ResizeRestart: causes.Strong, causes.ResizeRecordMissing: causestest.None}},
		"a new kubelet, and its log was not read": {func(f *finding.Findings) {
			f.Record, f.Versions.SameProcess, f.NodeEvents.Kubelet = finding.Point{}, false, causestest.Yes(-60)
		}, want{causes.ResizeRestart: causes.Strong, causes.ResizeRecordMissing: causes.Strong}},
		"a new kubelet that makes such records, and its log was not read": {func(f *finding.Findings) {
			f.Record, f.Versions.SameProcess, f.NodeEvents.Kubelet, f.Versions.At = finding.Point{},
				false, causestest.Yes(-60), "v1.37.0"
		}, want{causes.ResizeRestart: causes.Strong, causes.ResizeRecordMissing: causestest.None}},
		"it lacks the one record, and says so": {func(f *finding.Findings) {
			f.Record, f.Versions.SameProcess, f.Versions.At = causestest.Yes(-3), false, "v1.37.0"
		}, want{causes.ResizeRestart: causestest.Out, causes.ResizeRecordMissing: causes.Decisive}},
		"a kubelet without such records": {func(f *finding.Findings) { f.Versions.At, f.Record = "v1.32.9", finding.Point{} },
			want{causes.ResizeRestart: causes.Strong, causes.ResizeRecordMissing: causestest.Out}},
		"no policy wants a restart": {func(f *finding.Findings) { f.R.Pod.Object.Spec.Containers[0].ResizePolicy = nil },
			want{causes.ResizeRestart: causestest.Out, causes.ResizeRecordMissing: causestest.Out}},
		"killed for its probe": {func(f *finding.Findings) { f.Kill.Reason = evidence.KillLiveness },
			want{causes.ResizeRestart: causestest.Out, causes.ResizeRecordMissing: causestest.Out}},
		"not killed": {func(f *finding.Findings) {
			f.Kill = finding.KubeletKill{Point: finding.Point{Answer: finding.No}}
		}, want{causes.ResizeRestart: causestest.Out, causes.ResizeRecordMissing: causestest.Out}},
		"nothing is known of the pod": {func(f *finding.Findings) { f.R.Pod = nil },
			want{causes.ResizeRestart: causes.Decisive, causes.ResizeRecordMissing: causestest.Out}},
	} {
		f := resized()
		c.change(f)
		check(t, name, f, c.want)
	}
}

// ruled is a container with a rule for code 42 in a pod that is never restarted.
func ruled(action corev1.ContainerRestartRuleAction) *finding.Findings {
	f := causestest.Base(42)
	f.R.To = &timeline.Instance{ID: "new"}
	f.R.Pod.RestartPolicy, f.R.Pod.RestartsAll = "Never", action == corev1.ContainerRestartRuleActionRestartAllContainers
	f.R.Pod.Object = podobject.Of(&corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{
		{Name: "a", RestartPolicyRules: []corev1.ContainerRestartRule{
			{Action: action, ExitCodes: &corev1.ContainerRestartRuleOnExitCodes{Operator: "In", Values: []int32{42}}}}},
		{Name: "b"},
	}}})
	f.Versions = finding.Versions{At: "v1.36.3", Certain: true}
	f.RuleDecided = action == corev1.ContainerRestartRuleActionRestart
	return f
}

func TestARestartRule(t *testing.T) {
	restart := corev1.ContainerRestartRuleActionRestart
	for name, c := range map[string]struct {
		change func(*finding.Findings)
		want   causes.Strength
	}{
		"its rule decided":                   {func(*finding.Findings) {}, causes.Decisive},
		"whether it was killed is not known": {func(f *finding.Findings) { f.Kill.Answer = finding.Unknown }, causes.Strong},
		"off by default":                     {func(f *finding.Findings) { f.Versions.At = "v1.34.2" }, causes.Strong},
		"somebody had stopped it":            {func(f *finding.Findings) { f.Stop = causestest.Yes(-3) }, causes.Weak},
		"the kernel had killed its process":  {func(f *finding.Findings) { f.OOM.Point = causestest.Yes(0) }, causes.Weak},
		"no rule decided":                    {func(f *finding.Findings) { f.RuleDecided = false }, causestest.Out},
		"no rules": {func(f *finding.Findings) {
			f.RuleDecided, f.R.Pod.Object.Spec.Containers[0].RestartPolicyRules = false, nil
		}, causestest.Out},
		"nothing known, a policy that always restarts": {func(f *finding.Findings) {
			f.RuleDecided, f.R.Pod.Object, f.R.Pod.RestartPolicy = false, nil, "Always"
		}, causestest.Out},
		"nothing known, an old kubelet": {func(f *finding.Findings) {
			f.RuleDecided, f.R.Pod, f.Versions = false, nil, finding.Versions{At: "v1.33.0", Certain: true}
		}, causestest.Out},
		"nothing known at all": {func(f *finding.Findings) { f.RuleDecided, f.R.Pod = false, nil }, causestest.None},
		"nothing known, and it was killed": {func(f *finding.Findings) {
			f.RuleDecided, f.R.Pod = false, nil
			causestest.Killed(f, evidence.KillLiveness)
		}, causestest.Out},
	} {
		f := ruled(restart)
		c.change(f)
		check(t, name, f, want{causes.RestartRule: c.want})
	}
}

// An init container that had succeeded runs again with all others.
func TestAnInitContainerRunsAgainForARule(t *testing.T) {
	f := causestest.Base(0)
	f.R.ContainerKind, f.R.To = evidence.KindInit, &timeline.Instance{ID: "new"}
	check(t, "for no rule", f, want{causes.RestartAllContainers: causestest.Out})
	f.RestartedAll = finding.Trigger{Point: causestest.Yes(40), Container: "b"}
	check(t, "for the rule of another one", f, want{causes.RestartAllContainers: causes.Strong})
}

func TestARestartOfAllContainers(t *testing.T) {
	taken := func() *finding.Findings {
		f := ruled("RestartAllContainers")
		f.Exit = finding.Exit{Known: true, Code: 137, Reason: "RestartingAllContainers",
			Invented: true, Evidence: []string{"e1"}}
		code := int32(42)
		f.R.Container = "b"
		f.R.Siblings = []*timeline.Restart{{Container: "a", From: &timeline.Instance{ExitCode: &code}}}
		return f
	}
	for name, c := range map[string]struct {
		change func(*finding.Findings)
		want   causes.Strength
	}{
		"the state that only this writes":  {func(*finding.Findings) {}, causes.Decisive},
		"no end for which a rule is there": {func(f *finding.Findings) { *f.R.Siblings[0].From.ExitCode = 1 }, causes.Strong},
		"such an end, but after the kill": {func(f *finding.Findings) {
			f.R.Siblings[0].From.Finished = f.R.From.Finished.Add(time.Minute)
		}, causes.Strong},
		"the kill that only this does": {func(f *finding.Findings) {
			f.Exit = finding.Exit{Known: true, Code: 137, Reason: "Error"}
			causestest.Killed(f, evidence.KillRestartAll)
		}, causes.Decisive},
		"it ended right behind such an end, by the API alone": {func(f *finding.Findings) {
			f.Exit, f.Kill.Answer = finding.Exit{Known: true, Code: 1, Reason: "Error"}, finding.Unknown
			f.R.Siblings[0].From.Finished = f.R.From.Finished.Add(-time.Second)
		}, causes.Strong},
		"it was started after such an end": {func(f *finding.Findings) {
			f.Exit, f.Kill.Answer = finding.Exit{Known: true, Code: 1, Reason: "Error"}, finding.Unknown
			f.R.Siblings[0].From.Finished = f.R.From.Finished.Add(-4 * time.Second)
			f.R.From.Started = f.R.From.Finished.Add(-2 * time.Second)
		}, causestest.Out},
		"it ended long after such an end": {func(f *finding.Findings) {
			f.Exit, f.Kill.Answer = finding.Exit{Known: true, Code: 1, Reason: "Error"}, finding.Unknown
			f.R.Siblings[0].From.Finished = f.R.From.Finished.Add(-time.Minute)
		}, causestest.Out},
		"it ended by itself": {func(f *finding.Findings) { f.Exit = finding.Exit{Known: true, Code: 137, Reason: "Error"} },
			causestest.Out},
		"no container has such a rule": {func(f *finding.Findings) {
			f.Exit, f.Kill.Answer = finding.Exit{}, finding.Unknown
			f.R.Pod.Object.Spec.Containers[0].RestartPolicyRules, f.R.Pod.RestartsAll = nil, false
		}, causestest.Out},
		"an old kubelet": {func(f *finding.Findings) {
			f.Exit, f.Kill.Answer, f.Versions = finding.Exit{}, finding.Unknown, finding.Versions{At: "v1.34.0", Certain: true}
		}, causestest.Out},
		"nothing is known": {func(f *finding.Findings) {
			f.Exit, f.Kill.Answer, f.R.Pod = finding.Exit{}, finding.Unknown, nil
		}, causestest.None},
		"killed for its probe": {func(f *finding.Findings) {
			f.Exit = finding.Exit{}
			causestest.Killed(f, evidence.KillLiveness)
		}, causestest.Out},
	} {
		f := taken()
		c.change(f)
		check(t, name, f, want{causes.RestartAllContainers: c.want})
	}
	// The container whose exit code caused it is named.
	f := taken()
	for _, r := range resize.Rules() {
		if c := r.Claim(f); r.ID == causes.RestartAllContainers &&
			c.Summary != "container b: container a exited with code 42, for which its rule is RestartAllContainers" {
			t.Errorf("summary %q", c.Summary)
		}
	}
}
