package probe

import (
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/causestest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

func TestProbes(t *testing.T) {
	failures := func(times ...int) func(*finding.Findings) {
		return func(f *finding.Findings) {
			f.R.Spec.Liveness = &evidence.Probe{Handler: "httpGet", Period: 20, FailureThreshold: 3}
			for _, s := range times {
				at := causestest.End.Add(time.Duration(s) * time.Second)
				f.Probes.Liveness = append(f.Probes.Liveness,
					timeline.Occurrence{At: at, Obs: &evidence.Observation{ID: "e3", Time: at,
						Fact: evidence.ProbeFailed{Probe: evidence.ProbeLiveness, Count: 1}}})
			}
		}
	}
	blind := func(f *finding.Findings) { f.Kill.Point, f.KubeletLog = finding.Point{}, false }
	with := func(changes ...func(*finding.Findings)) func(*finding.Findings) {
		return func(f *finding.Findings) {
			for _, c := range changes {
				c(f)
			}
		}
	}
	by := func(reason evidence.KillReason) func(*finding.Findings) {
		return func(f *finding.Findings) { causestest.Killed(f, reason) }
	}
	causestest.Run(t, Rules(), map[string]causestest.Row{
		"the kubelet's own words": {ID: causes.LivenessProbeFailed,
			Code: 137, Change: with(failures(), by(evidence.KillLiveness)), Want: causes.Decisive},
		"its words, of a container that had ended": {ID: causes.LivenessProbeFailed,
			Code: 3, Change: with(failures(), by(evidence.KillLiveness), func(f *finding.Findings) {
				f.Kill.Late = true
			}), Want: causes.Weak},
		"its words, in an event alone": {ID: causes.LivenessProbeFailed,
			Code: 137, Change: with(failures(), by(evidence.KillLiveness), func(f *finding.Findings) {
				f.Kill.Unlogged = true
			}),
			Want: causes.Strong},
		"its words, when the pod was at its end": {ID: causes.LivenessProbeFailed,
			Code: 137, Change: with(failures(), by(evidence.KillLiveness), func(f *finding.Findings) {
				f.End.Point = causestest.Yes(-30)
			}),
			Want: causes.Strong},
		"the words of the other probe": {ID: causes.StartupProbeFailed,
			Code: 137, Change: with(failures(), by(evidence.KillLiveness)), Want: causestest.Out},
		"words about the definition": {ID: causes.LivenessProbeFailed,
			Code: 137, Change: with(failures(-41, -21, -1), by(evidence.KillDefinition)), Want: causestest.Out},
		"the whole pod was taken down": {ID: causes.LivenessProbeFailed,
			Code: 137, Change: with(failures(-41, -21, -1), by(evidence.KillPod)), Want: causestest.Out},
		"no probe in the spec": {ID: causes.LivenessProbeFailed, Code: 137,
			Change: by(evidence.KillLiveness), Want: causestest.Out},
		"as many failures as allowed, then an end by signal": {ID: causes.LivenessProbeFailed,
			Code: 143, Change: with(failures(-41, -21, -1), blind), Want: causes.Strong},
		"fewer failures than allowed": {ID: causes.LivenessProbeFailed, Code: 143,
			Change: with(failures(-21, -1), blind), Want: causes.Weak},
		"failures of long ago": {ID: causes.LivenessProbeFailed, Code: 143, Change: with(failures(-541, -521, -501), blind),
			Want: causes.Weak},
		"failures and an error code of its own": {ID: causes.LivenessProbeFailed,
			Code: 3, Change: with(failures(-41, -21, -1), blind), Want: causestest.None},
		"failures, and the kubelet's log has no kill": {ID: causes.LivenessProbeFailed,
			Code: 143, Change: failures(-41, -21, -1), Want: causestest.Out},
		"a kill whose line names no reason": {ID: causes.LivenessProbeFailed, Code: 137,
			Change: with(failures(-41, -21, -1), by("")), Want: causestest.Out},
	})
}

func TestAKillBehindTheEndIsATrace(t *testing.T) {
	f := causestest.Base(3)
	causestest.Killed(f, evidence.KillLiveness)
	f.Kill.Late, f.R.Spec.Liveness = true, &evidence.Probe{FailureThreshold: 3, Period: 10}
	if c := liveness.claim(f); c == nil || !strings.Contains(c.Summary, "when it had ended") {
		t.Errorf("%+v", c)
	}
}
