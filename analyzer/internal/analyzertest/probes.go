package analyzertest

import (
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// Live gives the container a liveness probe.
func (s *Story) Live(p evidence.Probe) *Story {
	return s.Spec(func(c *evidence.Container) { c.Liveness = &p })
}

// Liveness gives the container a liveness probe that runs a command.
func (s *Story) Liveness() *Story {
	return s.Live(evidence.Probe{Handler: "exec", Period: 5, FailureThreshold: 2})
}

// Starts gives the container a startup probe.
func (s *Story) Starts(p evidence.Probe) *Story {
	return s.Spec(func(c *evidence.Container) { c.Startup = &p })
}

// FailedRun adds a line of the kubelet about one failed run of a probe.
func (s *Story) FailedRun(at float64, id string, probe evidence.ProbeType, output string) *Story {
	return s.Add(evidence.SourceKubeletLog, at, Of(id),
		evidence.ProbeFailed{Probe: probe, Output: safetext.Clean(output), Count: 1})
}

// ProbeKills is a container that ran from 10 s on and was killed at 40.2 s for its probe.
func ProbeKills(version string, reason evidence.KillReason, message string) *Story {
	s := New().Events().Logs().Status(10, 42.5, 137, "Error", 43).unhealthy(reason)
	s.Records(10, 42.5, 137, "Error", 43, nil)
	s.NodeInfo.KubeletVersion = version
	return s.Kill(reason, message).Kubelet(43.1, OldID, evidence.ContainerDied{})
}

// timeoutEnforced is an exec probe that always took too long, under a kubelet that starts to enforce the timeout.
func timeoutEnforced() *Story {
	s := ProbeKills("v1.20.15", evidence.KillLiveness, LivenessText)
	s.Live(evidence.Probe{Handler: "exec", Period: 5, Timeout: 1, FailureThreshold: 2})
	s.KubeletStarts(-500, "v1.19.16", 80).KubeletStarts(25, "v1.20.15", 2080).KubeletEvent(25)
	return s.FailedRun(35, OldID, evidence.ProbeLiveness, "").FailedRun(40, OldID, evidence.ProbeLiveness, "")
}

// startupReruns is a startup probe that passed once, and failed when a new kubelet process ran it again.
func startupReruns() *Story {
	s := ProbeKills("v1.30.14", evidence.KillStartup, StartupText)
	s.Starts(evidence.Probe{Handler: "httpGet", Period: 1, Timeout: 1, FailureThreshold: 3})
	s.KubeletPod(13, evidence.ProbeResultChanged{Probe: evidence.ProbeStartup, Status: "started"})
	s.KubeletStarts(-500, "v1.30.14", 80).KubeletStarts(30, "v1.30.14", 2080).KubeletEvent(30)
	for _, at := range []float64{38, 39, 40} {
		s.FailedRun(at, OldID, evidence.ProbeStartup, "HTTP probe failed with statuscode: 404")
	}
	return s
}
