package probe_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// change edits a story, which is then judged.
type change = func(*analyzertest.Story)

// edit applies a function to every observation.
func edit(f func(o *evidence.Observation) (keep bool)) change {
	return func(s *analyzertest.Story) {
		kept := s.Observations[:0]
		for _, o := range s.Observations {
			if f(&o) {
				kept = append(kept, o)
			}
		}
		s.Observations = kept
	}
}

// kubelets gives the kubelet's processes other versions, in order; "" removes one.
func kubelets(versions ...string) change {
	return func(s *analyzertest.Story) {
		n := 0
		edit(func(o *evidence.Observation) bool {
			start, ok := o.Fact.(evidence.KubeletStarted)
			if !ok {
				return true
			}
			if o.Source.Kind == evidence.SourceAPI || n >= len(versions) {
				return false
			}
			start.Version = versions[n]
			o.Fact = start
			n++
			return start.Version != ""
		})(s)
		s.NodeInfo.KubeletVersion = versions[len(versions)-1]
	}
}

func output(text string) change {
	return edit(func(o *evidence.Observation) bool {
		if p, ok := o.Fact.(evidence.ProbeFailed); ok {
			p.Output = safetext.Clean(text)
			o.Fact = p
		}
		return true
	})
}

// probes changes the schedule of all probes.
func probes(f func(*evidence.Probe)) change {
	return func(s *analyzertest.Story) {
		s.Spec(func(c *evidence.Container) {
			for _, p := range []*evidence.Probe{c.Liveness, c.Startup} {
				if p != nil {
					f(p)
				}
			}
		})
	}
}

func without[F evidence.Fact](ids ...string) change {
	return edit(func(o *evidence.Observation) bool {
		_, is := o.Fact.(F)
		return !is || len(ids) > 0 && !slices.Contains(ids, o.Subject.ContainerID)
	})
}

func judge(t *testing.T, s *analyzertest.Story, changes []change) report.Verdict {
	t.Helper()
	for _, c := range changes {
		c(s)
	}
	return verdictOf(t, s)
}

type rooted struct {
	changes    []change
	cause      string
	confidence report.Confidence
}

func runRooted(t *testing.T, make func() *analyzertest.Story, rows map[string]rooted) {
	t.Helper()
	for name, c := range rows {
		t.Run(name, func(t *testing.T) {
			v := judge(t, make(), c.changes)
			if v.Cause != c.cause || v.Confidence != c.confidence {
				t.Errorf("%s %s, want %s %s: %s\nmissing %+v", v.Cause, v.Confidence, c.cause, c.confidence, v.Summary, v.Missing)
			}
			if v.Cause != c.cause {
				return
			}
			if plain := strings.HasSuffix(v.Cause, "-probe-failed"); !plain && !strings.HasSuffix(v.Mechanism, "-probe-failed") {
				t.Errorf("mechanism %s", v.Mechanism)
			}
			for _, l := range v.Chain {
				if l.Text == "" || len(l.Evidence) == 0 && l.Role != report.RoleEffect {
					t.Errorf("a link says or cites nothing: %+v", l)
				}
			}
		})
	}
}

func TestAnEnforcedTimeoutIsTheRootOfAFailedProbe(t *testing.T) {
	const plain, root = "liveness-probe-failed", "probe-timeout-enforced"
	story := func() *analyzertest.Story { return storyOf(t, "an exec timeout that an upgrade enforces") }
	runRooted(t, story, map[string]rooted{
		"1.19 to 1.20": {nil, root, report.Likely},
		"1.18 to 1.23, which names timeouts": {[]change{kubelets("v1.18.20", "v1.23.17"),
			output(`command "check" timed out`)}, root, report.Likely},
		"the command found something wrong": {[]change{output("queue is stuck")}, plain, report.Proven},
		"1.20 to 1.21":                      {[]change{kubelets("v1.20.15", "v1.21.14")}, plain, report.Proven},
		"1.18 to 1.19":                      {[]change{kubelets("v1.18.20", "v1.19.16")}, plain, report.Proven},
		"no probe that runs a command": {[]change{probes(func(p *evidence.Probe) { p.Handler = "httpGet" })},
			plain, report.Proven},
		"how it failed is not known":          {[]change{without[evidence.ProbeFailed]()}, root, report.Likely},
		"it passed under the new one first":   {[]change{failuresLater(600)}, plain, report.Possible},
		"who ran before is not known":         {[]change{kubelets("", "v1.20.15")}, plain, report.Possible},
		"the container is of the new kubelet": {[]change{retime(30)}, plain, report.Proven},
		"it had failed under the old one too": {[]change{failedAt(15)}, plain, report.Likely},
		"someone's event tells otherwise":     {[]change{toldByEvent("HTTP probe failed")}, root, report.Likely},
		"it tells of a run that no line has": {[]change{probes(func(p *evidence.Probe) { p.FailureThreshold = 3 }),
			toldByEvent("HTTP probe failed")}, root, report.Likely},
	})
}

// failuresLater moves what follows the kubelet's start by so many seconds.
func failuresLater(by float64) change {
	return func(s *analyzertest.Story) {
		for i := range s.Observations {
			o := &s.Observations[i]
			if o.Time.After(analyzertest.At(28)) {
				o.Time = o.Time.Add(time.Duration(by) * time.Second)
			}
		}
	}
}

// toldByEvent adds an event of one more failed run of the probe, with another output than the log's.
func toldByEvent(output string) change {
	return func(s *analyzertest.Story) {
		for _, o := range s.Observations {
			if p, ok := o.Fact.(evidence.ProbeFailed); ok && o.Source.Kind == evidence.SourceKubeletLog {
				p.Output = safetext.Clean(output)
				o.Fact, o.Source.Kind, o.Source.Where = p, evidence.SourceAPI, evidence.EventPrefix+"shop/web-0.9"
				s.Observations = append(s.Observations, o)
				return
			}
		}
		panic("no failed run")
	}
}

// retime moves the start of the old instance; a value below 0 removes it from the records.
func retime(started float64) change {
	return edit(func(o *evidence.Observation) bool {
		if r, ok := o.Fact.(evidence.ContainerRecord); ok && o.Subject.ContainerID == analyzertest.OldID {
			if r.Started, r.Created = analyzertest.At(started), analyzertest.At(started-0.1); started < 0 {
				r.Started, r.Created = time.Time{}, time.Time{}
			}
			o.Fact = r
		}
		return true
	})
}

// failedAt adds one more failed run of the liveness probe.
func failedAt(seconds float64) change {
	return func(s *analyzertest.Story) {
		for _, o := range s.Observations {
			if _, ok := o.Fact.(evidence.ProbeFailed); ok {
				o.Time = analyzertest.At(seconds)
				s.Observations = append(s.Observations, o)
				return
			}
		}
	}
}

func TestARerunIsTheRootOfAFailedStartupProbe(t *testing.T) {
	const plain, root = "startup-probe-failed", "startup-probe-rerun"
	story := func() *analyzertest.Story { return storyOf(t, "a startup probe that ran again") }
	unsaid := without[evidence.ProbeResultChanged]()
	runRooted(t, story, map[string]rooted{
		"1.30":                             {nil, root, report.Proven},
		"1.17 does not say what passed":    {[]change{kubelets("v1.17.17", "v1.17.17"), unsaid}, root, report.Likely},
		"only its age says that it passed": {[]change{unsaid}, root, report.Likely},
		"a run could not be made": {[]change{unsaid, func(s *analyzertest.Story) {
			s.Kubelet(14, analyzertest.OldID, evidence.ProbeFailed{Probe: evidence.ProbeStartup, Errored: true, Count: 1})
		}}, plain, report.Likely},
		"the kubelet was stopped": {[]change{unsaid, func(s *analyzertest.Story) {
			s.Add(evidence.SourceSystemd, 11, evidence.Subject{Node: analyzertest.Node},
				evidence.UnitChanged{Unit: "kubelet.service", Change: "stopping"})
		}}, plain, report.Likely},
		"the kubelet was restarted twice": {[]change{unsaid, func(s *analyzertest.Story) {
			s.KubeletStarts(12, "v1.30.14", 1080)
		}}, plain, report.Likely},
		"another container's may have passed": {[]change{func(s *analyzertest.Story) {
			s.Pod.Containers = append(s.Pod.Containers, evidence.Container{Name: "b", Startup: &evidence.Probe{Period: 9}})
		}}, root, report.Likely},
		"what passed was the container before": {[]change{edit(func(o *evidence.Observation) bool {
			if _, is := o.Fact.(evidence.ProbeResultChanged); is {
				o.Time = analyzertest.At(9)
			}
			return true
		})}, root, report.Likely},
		"it passed, long before a kill was due": {[]change{probes(func(p *evidence.Probe) {
			p.Period, p.InitialDelay = 5, 60
		})},
			plain, report.Likely},
		"1.34":                 {[]change{kubelets("v1.34.4", "v1.34.4")}, root, report.Proven},
		"1.35 runs it no more": {[]change{kubelets("v1.35.4", "v1.35.4")}, plain, report.Proven},
		"one kubelet process":  {[]change{kubelets("v1.30.14", "")}, plain, report.Proven},
		"the first window was not over yet": {[]change{unsaid, probes(func(p *evidence.Probe) { p.Period = 10 })},
			plain, report.Likely},
		"a kill before three runs were over": {
			[]change{probes(func(p *evidence.Probe) { p.FailureThreshold, p.Period = 6, 3 })}, plain, report.Likely},
		"an exec probe that may have hung": {[]change{kubelets("v1.18.20", "v1.18.20"), unsaid,
			probes(func(p *evidence.Probe) { p.Handler = "exec" })},
			root, report.Likely},
	})
}

func TestCarriedFailuresAreTheRootOfAnEarlyKill(t *testing.T) {
	const plain, root = "liveness-probe-failed", "probe-failures-carried-over"
	killedBefore := func(s *analyzertest.Story) {
		without[evidence.ProbeFailed](firstID)(s)
		for _, o := range s.Observations {
			if k, ok := o.Fact.(evidence.KillDecided); ok && o.Source.Kind == evidence.SourceKubeletLog {
				o.Time, o.Subject.ContainerID, o.Fact = analyzertest.At(3), firstID, k
				s.Observations = append(s.Observations, o)
				return
			}
		}
	}
	runRooted(t, failuresCarried, map[string]rooted{
		"two of three":          {nil, root, report.Proven},
		"by a kubelet of today": {[]change{kubelets("v1.36.3")}, root, report.Proven},
		"an old one, after a kill": {[]change{kubelets("v1.6.11"),
			killedBefore, probes(func(p *evidence.Probe) { p.Period = 40 })}, root, report.Proven},
		"1.10, after a kill that leaves one": {[]change{kubelets("v1.10.13"),
			killedBefore, probes(func(p *evidence.Probe) { p.FailureThreshold = 2; p.Period = 40 })}, root, report.Proven},
		"1.11 forgets what led to a kill": {[]change{kubelets("v1.11.10"), killedBefore}, plain, report.Likely},
		"1.30, and only an event claims a kill of the one before": {[]change{func(s *analyzertest.Story) {
			failed := slices.Clone(s.Observations)
			killedBefore(s)
			forged := s.Observations[len(s.Observations)-1]
			forged.Source = evidence.Source{Kind: evidence.SourceAPI, Where: evidence.EventPrefix + "shop/web-0.1"}
			s.Observations = append(failed, forged)
		}}, root, report.Proven},
		"time enough for failures of its own": {[]change{probes(func(p *evidence.Probe) { p.Period = 10 })},
			plain, report.Proven},
		"the one before had not failed": {[]change{without[evidence.ProbeFailed](firstID)},
			plain, report.Likely},
		"a clock that was set forward while it ran": {[]change{setForward}, plain, report.Likely},
		"its failures were long before its end":     {[]change{shift(-60)}, plain, report.Likely},
		"only PLEG tells the start, late": {[]change{retime(-1),
			func(s *analyzertest.Story) { s.Kubelet(18, analyzertest.OldID, evidence.ContainerStarted{}) }},
			plain, report.Likely},
		"a restarted kubelet": {[]change{func(s *analyzertest.Story) { s.KubeletStarts(20, "v1.30.14", 2080) }},
			plain, report.Likely},
		"a startup probe that held liveness off, unknown": {[]change{func(s *analyzertest.Story) {
			s.Spec(func(c *evidence.Container) {
				c.Startup = &evidence.Probe{Handler: "httpGet", Period: 1, Timeout: 1, FailureThreshold: 30}
			})
		}}, root, report.Proven},
	})
}

// setForward dates everything before the kill five minutes earlier: the life looks long, but the log has no more failed
// runs.
func setForward(s *analyzertest.Story) {
	earlier := func(t time.Time) time.Time {
		if t.IsZero() || !t.Before(analyzertest.At(30)) {
			return t
		}
		return t.Add(-5 * time.Minute)
	}
	for i := range s.Observations {
		o := &s.Observations[i]
		o.Time = earlier(o.Time)
		if r, ok := o.Fact.(evidence.ContainerRecord); ok {
			r.Created, r.Started, r.Finished = earlier(r.Created), earlier(r.Started), earlier(r.Finished)
			o.Fact = r
		}
	}
}

// shift moves the failed runs of the first container.
func shift(by float64) change {
	return edit(func(o *evidence.Observation) bool {
		if _, ok := o.Fact.(evidence.ProbeFailed); ok && o.Subject.ContainerID == firstID {
			o.Time = o.Time.Add(analyzertest.At(by).Sub(analyzertest.T0))
		}
		return true
	})
}

// firstID is the container before the old one, in stories with three.
const firstID = "0000000000000000000000000000000000000000000000000000000000000000"

// failuresCarried is a container that was killed after one failure of its own: two were counted for the previous one,
// which had ended by itself. It has two restarts, the newest one is the kill.
func failuresCarried() *analyzertest.Story {
	s := analyzertest.New().Events().Logs()
	s.NodeInfo.KubeletVersion = "v1.30.14"
	s.KubeletStarts(-500, "v1.30.14", 80)
	s.Live(evidence.Probe{Handler: "httpGet", Period: 20, Timeout: 1, FailureThreshold: 3})
	for i, in := range []struct {
		id         string
		start, end float64
		code       int32
	}{{firstID, -100, 5, 1}, {analyzertest.OldID, 10, 42.5, 137}, {analyzertest.NewID, 43, 0, 0}} {
		r := evidence.ContainerRecord{State: evidence.StateRunning, Attempt: i,
			Created: analyzertest.At(in.start - 0.1), Started: analyzertest.At(in.start),
			Image: analyzertest.Image, RestartCount: i}
		if in.end > 0 {
			r.State, r.Finished, r.ExitCode, r.Reason = evidence.StateExited, analyzertest.At(in.end), &in.code, "Error"
			s.Kubelet(in.end+0.6, in.id, evidence.ContainerDied{}).Kubelet(in.end+0.6,
				in.id, evidence.ContainerFinished{ExitCode: in.code})
		}
		o := analyzertest.Of(in.id)
		o.SandboxID = analyzertest.OldBox
		s.Add(evidence.SourceCRI, in.start, o, r)
		if in.id != firstID {
			r.Last, r.Attempt = in.end > 0, -1
			s.Add(evidence.SourceAPI, in.start, o, r)
		}
	}
	const out = "HTTP probe failed with statuscode: 503"
	s.FailedRun(-35, firstID, evidence.ProbeLiveness, out).FailedRun(-15,
		firstID, evidence.ProbeLiveness, out).FailedRun(40, analyzertest.OldID, evidence.ProbeLiveness, out)
	return s.Kill(evidence.KillLiveness, analyzertest.LivenessText)
}
