package decide

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
)

// ShouldContainerBeRestarted reports whether the kubelet starts a container of the pod again, from its newest record
// (container/helpers.go ShouldContainerBeRestarted; since 1.34 with api/v1/pod ContainerShouldRestart).
func ShouldContainerBeRestarted(p kubelet.Profile, c *corev1.Container, pod *corev1.Pod, s *Status) bool {
	d := decision{p: &p, pod: orEmpty(pod), s: orEmpty(s)}
	return d.shouldRestart(orEmpty(c))
}

func (d *decision) shouldRestart(c *corev1.Container) bool {
	if d.p.Rules.DeletedStays && d.ask(&bRestartDeleted, d.pod.DeletionTimestamp != nil, c.Name, d.whyDeleted) {
		return false
	}
	st := d.s.find(c.Name)
	what := func() string { return d.describe(c.Name) }
	if d.ask(&bRestartFirst, st == nil, c.Name, what) {
		return true
	}
	if d.ask(&bRestartRunning, st.State == StateRunning, c.Name, what) {
		return false
	}
	unclear := st.State == StateUnknown || st.State == StateCreated && d.p.Rules.CreatedIsUnclear
	if d.ask(&bRestartUnclear, unclear, c.Name, what) {
		return true
	}
	if d.gate(kubelet.ContainerRestartRules) && c.RestartPolicy != nil {
		if restart, decided := d.ownPolicy(c, st.ExitCode); decided {
			return restart
		}
	}
	if d.ask(&bRestartNever, !d.mayRestart(), c.Name, func() string { return d.whyPolicy(c) }) {
		return false
	}
	return !d.ask(&bRestartSuccess, d.pod.Spec.RestartPolicy == corev1.RestartPolicyOnFailure && st.ExitCode == 0, c.Name,
		func() string { return d.whyPolicy(c) + ", " + what() })
}

// ownPolicy evaluates the container's rules, then its own policy. decided is false when neither applies.
func (d *decision) ownPolicy(c *corev1.Container, exitCode int) (restart, decided bool) {
	rule := MatchingRule(c, exitCode)
	matches := rule != nil && (rule.Action == corev1.ContainerRestartRuleActionRestart ||
		rule.Action == corev1.ContainerRestartRuleActionRestartAllContainers &&
			d.gate(kubelet.RestartAllContainersOnContainerExits))
	if d.ask(&bRestartRule, matches, c.Name, func() string {
		return fmt.Sprintf("exit code %d, %s", exitCode, ruleName(rule))
	}) {
		return true, true
	}
	switch *c.RestartPolicy {
	case corev1.ContainerRestartPolicyAlways:
		restart = true
	case corev1.ContainerRestartPolicyOnFailure:
		restart = exitCode != 0
	case corev1.ContainerRestartPolicyNever:
	default:
		return false, false
	}
	return d.ask(&bRestartOwn, restart, c.Name, func() string {
		return fmt.Sprintf("its restartPolicy is %s, its exit code %d", *c.RestartPolicy, exitCode)
	}), true
}

// MatchingRule returns the first of a container's rules that matches the exit code, nil without one (api/v1/pod/util.go
// FindMatchingContainerRestartRule, 1.34+).
func MatchingRule(c *corev1.Container, exitCode int) *corev1.ContainerRestartRule {
	for i := range c.RestartPolicyRules {
		codes := c.RestartPolicyRules[i].ExitCodes
		if codes == nil {
			continue
		}
		in := slices.Contains(codes.Values, int32(exitCode))
		if in && codes.Operator == corev1.ContainerRestartRuleOnExitCodesOpIn ||
			!in && codes.Operator == corev1.ContainerRestartRuleOnExitCodesOpNotIn {
			return &c.RestartPolicyRules[i]
		}
	}
	return nil
}

func ruleName(rule *corev1.ContainerRestartRule) string {
	if rule == nil {
		return "no rule fits"
	}
	return fmt.Sprintf("the first rule that fits says %s", rule.Action)
}

func (d *decision) whyDeleted() string {
	if t := d.pod.DeletionTimestamp; t != nil {
		return "deletionTimestamp is " + t.UTC().Format("2006-01-02T15:04:05Z")
	}
	return "the pod has no deletionTimestamp"
}
