package probe

import (
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/causestest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

type row struct {
	id     causes.ID
	code   int32
	change func(*finding.Findings)
	want   causes.Strength
}

func run(t *testing.T, rows map[string]row) {
	t.Helper()
	for name, c := range rows {
		t.Run(name, func(t *testing.T) {
			f := causestest.Base(c.code)
			if c.change != nil {
				c.change(f)
			}
			if got := causestest.Says(t, Rules(), c.id, f); got != c.want {
				t.Errorf("%s: strength %d, want %d (-1: contradicted, 0: silent)", c.id, got, c.want)
			}
		})
	}
}

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
	run(t, map[string]row{
		"the kubelet's own words": {causes.LivenessProbeFailed,
			137, with(failures(), by(evidence.KillLiveness)), causes.Decisive},
		"its words, of a container that had ended": {causes.LivenessProbeFailed,
			3, with(failures(), by(evidence.KillLiveness), func(f *finding.Findings) { f.Kill.Late = true }), causes.Weak},
		"its words, in an event alone": {causes.LivenessProbeFailed,
			137, with(failures(), by(evidence.KillLiveness), func(f *finding.Findings) { f.Kill.Unlogged = true }),
			causes.Strong},
		"its words, when the pod was at its end": {causes.LivenessProbeFailed,
			137, with(failures(), by(evidence.KillLiveness), func(f *finding.Findings) { f.End.Point = causestest.Yes(-30) }),
			causes.Strong},
		"the words of the other probe": {causes.StartupProbeFailed,
			137, with(failures(), by(evidence.KillLiveness)), causestest.Out},
		"words about the definition": {causes.LivenessProbeFailed,
			137, with(failures(-41, -21, -1), by(evidence.KillDefinition)), causestest.Out},
		"the whole pod was taken down": {causes.LivenessProbeFailed,
			137, with(failures(-41, -21, -1), by(evidence.KillPod)), causestest.Out},
		"no probe in the spec": {causes.LivenessProbeFailed, 137, by(evidence.KillLiveness), causestest.Out},
		"as many failures as allowed, then an end by signal": {causes.LivenessProbeFailed,
			143, with(failures(-41, -21, -1), blind), causes.Strong},
		"fewer failures than allowed": {causes.LivenessProbeFailed, 143, with(failures(-21, -1), blind), causes.Weak},
		"failures of long ago": {causes.LivenessProbeFailed, 143, with(failures(-541, -521, -501), blind),
			causes.Weak},
		"failures and an error code of its own": {causes.LivenessProbeFailed,
			3, with(failures(-41, -21, -1), blind), causestest.None},
		"failures, and the kubelet's log has no kill": {causes.LivenessProbeFailed,
			143, failures(-41, -21, -1), causestest.Out},
		"a kill whose line names no reason": {causes.LivenessProbeFailed, 137,
			with(failures(-41, -21, -1), by("")), causestest.Out},
	})
}
