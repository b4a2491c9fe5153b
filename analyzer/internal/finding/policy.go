package finding

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/release"
)

// PodObject is the pod as the API gave it, nil when it is not known.
func (f *Findings) PodObject() *corev1.Pod {
	if f.R.Pod == nil {
		return nil
	}
	return f.R.Pod.Object
}

// ContainerSpec is a container of the pod as the API gave it, nil when it is not known.
func (f *Findings) ContainerSpec(name string) *corev1.Container {
	o := f.PodObject()
	if o == nil {
		return nil
	}
	if len(o.Spec.Containers)+len(o.Spec.InitContainers) > few {
		return f.specs.of(o)[name]
	}
	for _, list := range [...][]corev1.Container{o.Spec.Containers, o.Spec.InitContainers} {
		for i := range list {
			if list[i].Name == name {
				return &list[i]
			}
		}
	}
	return nil
}

// few is how many containers of a pod are gone through, rather than looked up.
const few = 8

// specs are the containers of pods that have many, by name. They are the same for all
// restarts of a snapshot.
type specs map[*corev1.Pod]map[string]*corev1.Container

func (s *specs) of(o *corev1.Pod) map[string]*corev1.Container {
	if *s == nil {
		*s = specs{}
	}
	named, known := (*s)[o]
	if !known {
		named = map[string]*corev1.Container{}
		for _, list := range [...][]corev1.Container{o.Spec.InitContainers, o.Spec.Containers} {
			for i := len(list) - 1; i >= 0; i-- { // of two by one name the first counts
				named[list[i].Name] = &list[i]
			}
		}
		(*s)[o] = named
	}
	return named
}

// RestartPolicy is the policy that holds for the container, its own or the pod's;
// "" when the pod is not known.
func (f *Findings) RestartPolicy() string {
	if c := f.ContainerSpec(f.R.Container); c != nil && c.RestartPolicy != nil {
		return string(*c.RestartPolicy)
	}
	if f.R.Pod == nil {
		return ""
	}
	return f.R.Pod.RestartPolicy
}

// RuleMatches tells whether the first of a container's restart rules that matches
// the exit code has the action (kubelet v1.34 container/helpers.go
// ShouldContainerBeRestarted, FindMatchingContainerRestartRule).
func RuleMatches(c *corev1.Container, code int32, action corev1.ContainerRestartRuleAction) bool {
	for _, r := range c.RestartPolicyRules {
		if r.ExitCodes == nil {
			continue
		}
		in := slices.Contains(r.ExitCodes.Values, code)
		if (r.ExitCodes.Operator == corev1.ContainerRestartRuleOnExitCodesOpIn) == in {
			return r.Action == action
		}
	}
	return false
}

// RulesFrom is the minor that knows restart rules (feature ContainerRestartRules, alpha and off there).
const RulesFrom = 34

// policy finds out whether a rule of the container, and not a restart policy, made
// the kubelet start it again.
func (f *Findings) policy() {
	if f.R.To == nil || !f.Exit.Known || f.Exit.Invented || f.Kill.Answer == Yes {
		return
	}
	if v := release.Known(f.Versions.At); v > 0 && v < RulesFrom {
		return // what made it start the container again is another matter: its record was gone
	}
	c := f.ContainerSpec(f.R.Container)
	if c == nil || !RuleMatches(c, f.Exit.Code, corev1.ContainerRestartRuleActionRestart) {
		return
	}
	switch f.RestartPolicy() {
	case "Never":
		f.RuleDecided = true
	case "OnFailure":
		f.RuleDecided = f.Exit.Code == 0
	}
}
