package node

import (
	"testing"

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

func TestNode(t *testing.T) {
	boot := func(f *finding.Findings) { f.NodeEvents.Boot = causestest.Yes(60) }
	lost := func(f *finding.Findings) { f.Exit.Lost, f.Exit.Reason = true, "Unknown" }
	daemon := func(after int) func(*finding.Findings) {
		return func(f *finding.Findings) { f.NodeEvents.Runtime = causestest.Yes(after) }
	}
	marked := func(after int, fact evidence.Fact) func(*finding.Findings) {
		return func(f *finding.Findings) {
			f.R.From.Marks = append(f.R.From.Marks, timeline.Occurrence{At: causestest.Yes(after).At,
				Obs: &evidence.Observation{Fact: fact}})
		}
	}
	both := func(changes ...func(*finding.Findings)) func(*finding.Findings) {
		return func(f *finding.Findings) {
			for _, c := range changes {
				c(f)
			}
		}
	}
	down := func(f *finding.Findings) { f.NodeEvents.Runtime, f.RuntimeDown = finding.Point{}, causestest.Yes(1) }
	one := func(f *finding.Findings) { f.Versions.SameProcess = true }
	run(t, map[string]row{
		"a boot, and the runtime lost the container":     {causes.NodeReboot, 255, both(boot, lost), causes.Decisive},
		"a boot after a signal of the shutdown":          {causes.NodeReboot, 143, boot, causes.Strong},
		"a boot a minute after an end of its own choice": {causes.NodeReboot, 3, boot, causes.Strong},
		"a crash, a back-off, a boot": {causes.NodeReboot,
			3, both(boot, marked(5, evidence.BackedOff{})), causestest.Out},
		"a crash, a start decided, a boot": {causes.NodeReboot,
			3, both(boot, marked(2, evidence.RestartDecided{})), causestest.Out},
		"a back-off of the instance before": {causes.NodeReboot,
			3, both(boot, marked(-20, evidence.BackedOff{})), causes.Strong},
		"a boot long after a crash": {causes.NodeReboot,
			3, func(f *finding.Findings) { f.NodeEvents.Boot = causestest.Yes(1200) }, causestest.Out},
		"a boot long after a signal": {causes.NodeReboot,
			143, func(f *finding.Findings) { f.NodeEvents.Boot = causestest.Yes(1200) }, causes.Weak},
		"a machine that was off for a night": {causes.NodeReboot,
			1, func(f *finding.Findings) { f.NodeEvents.Boot = causestest.Yes(36000); f.R.To = &timeline.Instance{} },
			causes.Strong},
		"lost by a runtime long before the boot": {causes.NodeReboot,
			255, both(lost, daemon(-2), func(f *finding.Findings) { f.NodeEvents.Boot = causestest.Yes(1800) }), causestest.Out},
		"lost, and the boot came much later": {causes.NodeReboot,
			255, both(lost, func(f *finding.Findings) { f.NodeEvents.Boot = causestest.Yes(1800) }), causes.Weak},
		"a runtime's restart long before the boot": {causes.RuntimeRestarted,
			255, both(lost, daemon(-2), func(f *finding.Findings) { f.NodeEvents.Boot = causestest.Yes(1800) }), causes.Strong},
		"dockerd went down, and nobody else lost any": {causes.RuntimeRestarted,
			1, both(daemon(200), func(f *finding.Findings) { f.NodeEvents.Down = causestest.Yes(-2) }), causes.Strong},
		"a boot after a liveness kill": {causes.NodeReboot,
			137, both(boot, func(f *finding.Findings) { causestest.Killed(f, evidence.KillLiveness) }), causestest.Out},
		"no boot": {causes.NodeReboot, 255, lost, causestest.Out},
		"nobody knows of a boot": {causes.NodeReboot,
			137, func(f *finding.Findings) { f.NodeEvents.Boot = finding.Point{} }, causestest.None},
		"a restarted runtime lost the container": {causes.RuntimeRestarted,
			255, both(daemon(-2), lost), causes.Strong},
		"a boot restarts the runtime too": {causes.RuntimeRestarted,
			255, both(daemon(70), boot, lost), causestest.Out},
		"a crash well after the runtime had come back":   {causes.RuntimeRestarted, 1, daemon(-30), causestest.Out},
		"an error right before the runtime came back":    {causes.RuntimeRestarted, 1, daemon(4), causes.Weak},
		"a clean end right before the runtime came back": {causes.RuntimeRestarted, 0, daemon(4), causes.Weak},
		"a kill by the kubelet beside a restarted runtime": {causes.RuntimeRestarted,
			137, both(daemon(4), func(f *finding.Findings) { causestest.Killed(f, evidence.KillPod) }), causestest.Out},
		"its kubelet, which ran on, got no answer": {causes.RuntimeRestarted,
			255, both(lost, down, one), causes.Strong},
		"a kubelet that started anew got no answer":      {causes.RuntimeRestarted, 255, both(lost, down), causes.Weak},
		"no answer, and the container ended with a code": {causes.RuntimeRestarted, 1, both(down, one), causestest.Out},
		"the runtime's log shows no start":               {causes.RuntimeRestarted, 255, lost, causestest.Out},
	})
}
