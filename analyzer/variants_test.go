package analyzer_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// variation changes a story in one way.
type variation struct {
	name string
	// tell changes the story; end is when its container ended. It returns the truth, "" where the same evidence fits
	// two, and false if the variation does not fit the story.
	tell func(r *rand.Rand, s *analyzertest.Story, cause string, end time.Time) (truth string, ok bool)
}

// ownEnds are causes of a process that ended by itself.
var ownEnds = []string{"app-exit-error", "app-exit-zero", "app-signal", "init-container-failed"}

var variations = []variation{
	{"a step of the clock", func(r *rand.Rand, s *analyzertest.Story, cause string, end time.Time) (string, bool) {
		by := []time.Duration{100 * time.Millisecond, time.Second, 5 * time.Second,
			time.Minute, 5 * time.Minute, time.Hour}[r.IntN(6)]
		if r.IntN(2) == 0 {
			by = -by
		}
		at := end.Truncate(time.Second).Add(time.Duration(r.IntN(9)-5) * time.Second)
		stepAt(s, at, by)
		// as a journal's second clock shows
		s.Add(evidence.SourceSystemd, at.Add(by).Sub(analyzertest.T0).Seconds(), evidence.Subject{}, evidence.ClockSet{})
		return cause, true
	}},
	{"lost lines, and the hole is known", func(r *rand.Rand, s *analyzertest.Story,
		cause string, end time.Time) (string, bool) {
		kind := logs[r.IntN(len(logs))]
		from := end.Add(-time.Duration(r.IntN(40000)) * time.Millisecond)
		until := from.Add(time.Duration(1+r.IntN(60)) * time.Second)
		s.Observations = slices.DeleteFunc(s.Observations, func(o evidence.Observation) bool {
			return o.Source.Kind == kind && !o.Time.Before(from) && o.Time.Before(until)
		})
		for i := range s.Coverage {
			if c := &s.Coverage[i]; c.Source == kind {
				behind := *c
				c.Until, behind.From = from, until
				s.Coverage = append(s.Coverage, behind)
				break
			}
		}
		return cause, true
	}},
	{"processes that are shared with the node", func(_ *rand.Rand, s *analyzertest.Story,
		cause string, _ time.Time) (string, bool) {
		s.Pod.HostPID = true
		if slices.Contains(ownEnds, cause) {
			return "", true
		}
		return cause, true
	}},
	{"a child that the kernel killed around the end",
		func(r *rand.Rand, s *analyzertest.Story, cause string, end time.Time) (string, bool) {
			if slices.ContainsFunc(s.Observations, func(o evidence.Observation) bool {
				return o.Fact.Statement() == evidence.OOMKill{}.Statement()
			}) {
				return "", false
			}
			before := float64(r.IntN(12000)-2000) / 1000
			path := "/kubepods/burstable/pod" + analyzertest.PodUID + "/" + analyzertest.OldID
			s.Kernel(end.Sub(analyzertest.T0).Seconds()-before, analyzertest.OldID,
				evidence.OOMKill{Constraint: "CONSTRAINT_MEMCG", OOMMemcg: path, TaskMemcg: path, Task: "worker", PID: 24712,
					Processes: []evidence.OOMProcess{{PID: 24712, RSS: 1 << 20},
						{PID: 24711, RSS: 1 << 10}}})
			if slices.Contains(ownEnds, cause) && before > -0.3 && cause != "app-signal" {
				return "", true
			}
			return cause, true
		}},
	{"a kill right behind the end", func(r *rand.Rand, s *analyzertest.Story, cause string, end time.Time) (string, bool) {
		if !slices.Contains(append([]string{"killed-externally", "oom-container-limit",
			"oom-pod-limit", "oom-node", "oom-child-process"}, ownEnds...), cause) || end.Nanosecond() == 0 {
			return "", false
		}
		t := end.Sub(analyzertest.T0).Seconds() + float64(50+r.IntN(240))/1000
		const text = "Container a failed liveness probe, will be restarted"
		sub := evidence.Subject{Namespace: analyzertest.Namespace, Pod: analyzertest.PodName,
			PodUID: analyzertest.PodUID, Container: analyzertest.Container, ContainerID: analyzertest.OldID}
		s.Add(evidence.SourceKubeletLog, t, sub, evidence.KillDecided{Reason: evidence.KillLiveness,
			Message: safetext.Clean(text), Count: 1})
		s.Add(evidence.SourceKubeletLog, t+0.005, sub, evidence.KillStarted{GraceSeconds: 30})
		if r.IntN(2) == 0 {
			s.Runtime(t+0.01, analyzertest.OldID, evidence.StopRequested{TimeoutSeconds: 30})
		}
		if code := endCode(s); code == 0 || code == 143 {
			return "", true // its SIGTERM may have been earlier than its line
		}
		return cause, true
	}},
}

// stepAt sets the node's clock: every time that it gave from then on is later by that much.
func stepAt(s *analyzertest.Story, from time.Time, by time.Duration) {
	for i := range s.Observations {
		o := &s.Observations[i]
		by := by
		if o.Source.Kind == evidence.SourceAPI {
			by = by.Truncate(time.Second)
		}
		move := func(t *time.Time) {
			if !t.IsZero() && !t.Before(from) {
				*t = t.Add(by)
			}
		}
		move(&o.Time)
		switch f := o.Fact.(type) {
		case evidence.ContainerRecord:
			move(&f.Created)
			move(&f.Started)
			move(&f.Finished)
			o.Fact = f
		case evidence.SandboxRecord:
			move(&f.Created)
			o.Fact = f
		}
	}
}

// lastEnd returns when the story's old instance ended, to the nanosecond if known.
func lastEnd(s *analyzertest.Story) (end time.Time) {
	for _, o := range s.Observations {
		if f, ok := o.Fact.(evidence.ContainerRecord); ok && o.Subject.ContainerID == analyzertest.OldID &&
			f.Finished.After(end) {
			end = f.Finished
		}
	}
	return end
}

func endCode(s *analyzertest.Story) int32 {
	for _, o := range s.Observations {
		if f, ok := o.Fact.(evidence.ContainerRecord); ok && o.Subject.ContainerID == analyzertest.OldID &&
			f.ExitCode != nil {
			return *f.ExitCode
		}
	}
	return -1
}

// Every story, varied with values drawn from a fixed seed: whatever is proven is true.
func TestNoVariationOfAStoryIsWronglyProven(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is the race detector's run: this has one goroutine, and make test runs it whole")
	}
	all := slices.Concat(analyzertest.Stories(), misleading())
	for n, v := range variations {
		t.Run(v.name, func(t *testing.T) {
			told := 0
			for i, one := range all {
				for round := range 3 {
					r := rand.New(rand.NewPCG(uint64(n), uint64(i*3+round)))
					s := one.Story()
					end := lastEnd(s)
					if end.IsZero() {
						continue
					}
					last := map[string]bool{} // what the kubelet did last is true whatever was behind it
					for _, it := range judge(one.Story()).Items {
						last[it.Verdict.Mechanism] = it.Verdict.Mechanism != it.Verdict.Cause
					}
					truth, ok := v.tell(r, s, one.Cause, end)
					if !ok {
						continue
					}
					told++
					for _, it := range judge(s).Items {
						if w := it.Verdict; w.Confidence == report.Proven && w.Cause != truth && !(truth != "" && last[w.Cause]) {
							t.Errorf("%s (round %d), truth %q: proven %s: %s", one.Name, round, truth, w.Cause, w.Summary)
						}
					}
				}
			}
			if told < 50 {
				t.Errorf("only %d stories were told", told)
			}
		})
	}
}

// A log that nothing links to this node is silent about everything: its silence must prove nothing that is not proven
// without it.
func TestTheSilenceOfAnotherLogProvesNothing(t *testing.T) {
	for _, one := range slices.Concat(analyzertest.Stories(), misleading()) {
		silent, none := one.Story(), one.Story()
		for _, s := range []*analyzertest.Story{silent, none} {
			s.Mute, s.NodeInfo.Machine, s.NodeInfo.BootID = true, "", ""
			s.Observations = slices.DeleteFunc(s.Observations, func(o evidence.Observation) bool {
				return o.Source.Kind != evidence.SourceAPI
			})
		}
		none.Coverage = slices.DeleteFunc(none.Coverage, func(c evidence.Coverage) bool {
			return c.Source != evidence.SourceAPI
		})
		without := map[string]bool{}
		for _, it := range judge(none).Items {
			without[it.Verdict.Cause] = it.Verdict.Confidence == report.Proven
		}
		for _, it := range judge(silent).Items {
			if v := it.Verdict; v.Confidence == report.Proven && !without[v.Cause] {
				t.Errorf("%s: proven %s by silence: %s", one.Name, v.Cause, v.Summary)
			}
		}
	}
}
