package resize

import (
	"fmt"
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

// allFrom is the minor that introduced RestartAllContainers (feature RestartAllContainersOnContainerExits, alpha
// there).
const allFrom = 35

// restartAll is the reason of containers that were removed for it (kubelet v1.35).
const restartAll = "RestartingAllContainers"

// all is decisive given a state that only this path writes, unless the spec is known and has no rule for any end
// before. An end right behind one with such a rule looks like it.
func all(f *finding.Findings) *causes.Claim {
	byState := f.Exit.Reason == restartAll
	byKill := f.Kill.Answer == finding.Yes && f.Kill.Reason == evidence.KillRestartAll
	by := trigger(f)
	follows := behind(f, by)
	if !byState && !byKill && !follows {
		return initAgain(f)
	}
	what := "a container of the pod exited with a code for which its rule is RestartAllContainers"
	steps := []causes.Link{{Cause: causes.RestartAllContainers, Text: what,
		Evidence: slices.Concat(f.Kill.Evidence, f.Exit.Evidence)}}
	strength := causes.Decisive
	if by == nil && f.WholeSpec() || !byState && !byKill {
		strength = causes.Strong
	}
	if by != nil {
		steps[0].Text = fmt.Sprintf("container %s exited with code %d, for which its rule is RestartAllContainers",
			by.Container, *by.From.ExitCode)
		steps[0].At, steps[0].Evidence = by.From.Finished, by.From.Records
	}
	if byKill {
		steps = append(steps, causes.Link{Role: report.RoleDecision,
			Text: "the kubelet stops and removes every container of the pod and keeps the sandbox",
			At:   f.Kill.At, Evidence: f.Kill.Evidence})
	}
	return &causes.Claim{
		Strength: strength, Needs: causes.NeedKubeletLog(f), Chain: append(steps, causes.EndStep(f), causes.Then(f)),
		Summary: causes.Who(f) + ": " + steps[0].Text,
	}
}

// behind reports whether a container that ran when the one ended whose rule restarts all ended soon after that: they
// get two seconds each, one after the other (kubelet v1.37 kuberuntime_manager.go SyncPod).
func behind(f *finding.Findings, by *timeline.Restart) bool {
	return by != nil && by != f.R && f.Exit.Known && f.Kill.Answer != finding.No &&
		!f.R.From.Started.After(by.End()) && f.R.End().Sub(by.End()) <= tolerance.StopLag
}

// initAgain claims an init container that had succeeded and ran again with all others.
func initAgain(f *finding.Findings) *causes.Claim {
	by := f.RestartedAll
	if by.Answer != finding.Yes {
		return nil
	}
	what := fmt.Sprintf("container %s exited with a code for which its rule is RestartAllContainers, so init containers "+
		"ran again too", by.Container)
	return &causes.Claim{
		Strength: causes.Strong, Needs: causes.NeedKubeletLog(f),
		Chain: []causes.Link{{Cause: causes.RestartAllContainers, Text: what, At: by.At, Evidence: by.Evidence},
			causes.Then(f)},
		Summary: "init " + causes.Who(f) + ": " + what,
	}
}

// trigger returns the restart, or the sibling, whose exit code matches a rule for all containers, and which ended
// before the others were killed.
func trigger(f *finding.Findings) *timeline.Restart {
	if f.R.Pod == nil || !f.R.Pod.RestartsAll {
		return nil
	}
	killed := f.R.From.Finished
	if f.Kill.Answer == finding.Yes && !f.Kill.At.IsZero() {
		killed = f.Kill.At
	}
	asks := func(s *timeline.Restart) bool {
		c := f.ContainerSpec(s.Container)
		return c != nil && !s.From.Finished.Truncate(time.Second).After(killed) &&
			s.From.ExitCode != nil && s.From.Reason != restartAll && finding.RestartsAll(c, *s.From.ExitCode)
	}
	if asks(f.R) {
		return f.R
	}
	if i := slices.IndexFunc(f.R.Siblings, asks); i >= 0 {
		return f.R.Siblings[i]
	}
	return nil
}

func againstAll(f *finding.Findings) causes.Against {
	if f.Exit.Reason == restartAll || f.RestartedAll.Answer == finding.Yes {
		return causes.Against{}
	}
	if f.Kill.Answer == finding.Yes && f.Kill.Reason == evidence.KillRestartAll {
		return causes.Against{}
	}
	if a := causes.KilledForAnotherReason(evidence.KillRestartAll)(f); a.Holds() && f.Kill.Answer == finding.Yes {
		return a
	}
	if behind(f, trigger(f)) {
		return tooOld(f, allFrom)
	}
	if f.Kill.Answer == finding.No && f.Exit.Known && !f.Exit.Invented {
		return causes.Contradict("it exited by itself; the kubelet removed nothing", f.Exit.Evidence...)
	}
	if a := causes.EndedByItself(f); a.Holds() {
		return a
	}
	if a := tooOld(f, allFrom); a.Holds() {
		return a
	}
	if f.WholeSpec() && !f.R.Pod.RestartsAll {
		return causes.Contradict("no container of the pod has the rule RestartAllContainers")
	}
	return causes.Against{}
}

// rule is decisive given the spec: the pod's own policy would not have restarted the container, and a rule names its
// exit code.
func rule(f *finding.Findings) *causes.Claim {
	if !f.RuleDecided {
		return nil
	}
	what := fmt.Sprintf("its restartPolicyRules restart it after exit code %d; the restart policy %s alone would not",
		f.Exit.Code, f.RestartPolicy())
	s := causes.Strong
	switch {
	case f.Stop.Answer == finding.Yes, f.OOM.Answer == finding.Yes:
		s = causes.Weak // the rule let it start again; what ended it is known
	case f.Kill.Answer == finding.No && f.OwnProcesses() && release.Known(f.Versions.At) > finding.RulesFrom:
		s = causes.Decisive
	}
	return &causes.Claim{
		Mechanism: causes.AppExitError, Strength: s, Needs: causes.NeedKubeletLog(f),
		Chain: []causes.Link{
			{Cause: causes.RestartRule, Text: what, At: f.R.From.Finished, Evidence: f.Exit.Evidence},
			{Role: report.RoleMechanism, Cause: causes.AppExitError, Text: causes.ExitText(f),
				At: f.R.From.Finished, Evidence: f.Exit.Evidence}, causes.Then(f),
		},
		Summary: causes.Who(f) + ": " + what,
	}
}

func againstRule(f *finding.Findings) causes.Against {
	if c := f.ContainerSpec(f.R.Container); c != nil && f.WholeSpec() {
		switch {
		case len(c.RestartPolicyRules) == 0:
			return causes.Contradict("the container has no restart rules")
		case tooOld(f, finding.RulesFrom).Holds():
			return tooOld(f, finding.RulesFrom)
		case !f.RuleDecided:
			return causes.Contradict(
				"no restart rule of the container made the difference: the restart policy alone gives the same result, or no "+
					"rule names the exit code", f.Exit.Evidence...)
		}
		return causes.Against{}
	}
	if f.Kill.Answer == finding.Yes {
		return causes.KilledByKubelet(f)
	}
	if f.RestartPolicy() == "Always" {
		return causes.Contradict("the restart policy Always restarts it without any rule")
	}
	return tooOld(f, finding.RulesFrom)
}

func tooOld(f *finding.Findings, from int) causes.Against {
	if v := release.Known(f.Versions.At); v > 0 && v < from && f.Versions.Certain {
		return causes.Contradict(fmt.Sprintf("the kubelet is %s, and such rules exist only since v1.%d", f.Versions.At, from),
			f.Versions.Evidence...)
	}
	return causes.Against{}
}
