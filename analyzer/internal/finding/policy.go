package finding

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/release"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/decide"
)

// RulesFrom is the minor that knows restart rules (feature ContainerRestartRules, alpha and off there).
const RulesFrom = 34

// policy finds out whether a restart rule of the container, rather than a restart policy, made the kubelet start it
// again.
func (f *Findings) policy() {
	if f.R.To == nil || !f.Exit.Known || f.Exit.Invented || f.Kill.Answer == Yes {
		return
	}
	if v := release.Known(f.Versions.At); v > 0 && v < RulesFrom {
		return // the reason for the new start is another one: its record was gone
	}
	c := f.ContainerSpec(f.R.Container)
	if c == nil {
		return
	}
	if r := decide.MatchingRule(c, int(f.Exit.Code)); r == nil || r.Action != corev1.ContainerRestartRuleActionRestart {
		return
	}
	switch f.RestartPolicy() {
	case "Never":
		f.RuleDecided = true
	case "OnFailure":
		f.RuleDecided = f.Exit.Code == 0
	}
}
