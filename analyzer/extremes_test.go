package analyzer_test

import (
	"math"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// proven returns the causes that a report calls proven, by item.
func proven(r *report.Report) map[string]string {
	out := map[string]string{}
	for _, it := range r.Items {
		if it.Verdict.Confidence == report.Proven {
			out[it.Container+it.Time.String()] = it.Verdict.Cause
		}
	}
	return out
}

// A number that a pod's author chose makes nothing proven that was not: neither an absurdly long grace period, nor a
// probe that never fails.
func TestExtremeNumbersProveNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is the race detector's run: this has one goroutine, and make test runs it whole")
	}
	const huge64 = math.MaxInt64
	long := []int64{9223372036, 9223372037, 18446744073, 18446744074, 27670116110, huge64 / 2, huge64 - 1, huge64}
	any64 := append([]int64{math.MinInt64, math.MinInt64 + 1, -9223372037, -1, 0}, long...)
	any32 := []int32{math.MinInt32, -1, 0, math.MaxInt32 / 2, math.MaxInt32 - 1, math.MaxInt32}
	analyse := func(s *analyzertest.Story) map[string]string {
		snap := s.Snapshot()
		return proven(analyzer.Analyze(snap, analyzer.Options{GeneratedAt: snap.CollectedAt}))
	}
	told := append(analyzertest.Stories(), misleading()...)
	for _, x := range told {
		t.Run(x.Name, func(t *testing.T) {
			before := analyse(x.Story())
			judge := func(how string, n any, s *analyzertest.Story) {
				for item, cause := range analyse(s) {
					if before[item] != cause {
						t.Errorf("%s of %v: %s is proven, was %q", how, n, cause, before[item])
					}
				}
			}
			for _, n := range any64 {
				s := x.Story()
				s.Pod.GraceSeconds = n
				if n < long[0] {
					analyse(s) // it may be true in another story; it must not panic
					continue
				}
				judge("a grace period", n, s)
			}
			for _, n := range any32 {
				s := x.Story()
				for i := range s.Pod.Containers {
					c := &s.Pod.Containers[i]
					for _, p := range []*evidence.Probe{c.Liveness, c.Readiness, c.Startup} {
						if p != nil {
							p.InitialDelay, p.Period, p.Timeout, p.FailureThreshold, p.GracePause = n, n, n, n, n
						}
					}
				}
				if n <= 0 {
					analyse(s)
					continue
				}
				judge("a probe's numbers", n, s)
			}
			for _, n := range any32 {
				s := x.Story()
				for i := range s.Observations {
					switch f := s.Observations[i].Fact.(type) {
					case evidence.RestartCount:
						f.Count = int(n)
						s.Observations[i].Fact = f
					case evidence.KillDecided:
						f.Count = int(n)
						s.Observations[i].Fact = f
					case evidence.KillStarted:
						f.GraceSeconds = int(n)
						s.Observations[i].Fact = f
					case evidence.ContainerRecord:
						f.RestartCount, f.Signal, f.PID = int(n), n, int(n)
						s.Observations[i].Fact = f
					}
				}
				analyse(s)
			}
		})
	}
}
