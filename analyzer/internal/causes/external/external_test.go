package external

import (
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/causestest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
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

func TestEndsFromOutside(t *testing.T) {
	stop := func(f *finding.Findings) { f.Stop, f.StopDated = causestest.Yes(-2), true }
	blind := func(f *finding.Findings) { f.Kill.Point, f.KubeletLog = finding.Point{}, false }
	run(t, map[string]row{
		"a stop request that the kubelet did not make": {causes.KilledExternally, 137, stop, causes.Decisive},
		"a stop request that the process obeyed":       {causes.KilledExternally, 0, stop, causes.Decisive},
		"a stop request in a log of a doubtful clock": {causes.KilledExternally,
			137, func(f *finding.Findings) { stop(f); f.StopDated = false }, causes.Strong},
		"a stop request while memory ran out": {causes.KilledExternally,
			137, func(f *finding.Findings) { stop(f); f.OOM.Point = causestest.Yes(-1) }, causes.Decisive},
		"SIGKILL at the same second of an hour": {causes.KilledExternally,
			137, func(f *finding.Findings) { f.Alike, f.Clockwork = 1, true }, causes.Strong},
		"SIGKILL before the machine went down": {causes.KilledExternally,
			137, func(f *finding.Findings) { f.NodeEvents.Boot = causestest.Yes(60) }, causes.Weak},
		"SIGKILL, and earlyoom killed somebody": {causes.KilledExternally,
			137, func(f *finding.Findings) { f.OOM.Killer = "earlyoom" }, causes.Weak},
		"SIGKILL by systemd-oomd, which names it": {causes.KilledExternally,
			137, func(f *finding.Findings) { f.OOM.Killer, f.OOM.Named = "systemd-oomd", true }, causestest.Out},
		"a stop request of which nobody knows whose": {causes.KilledExternally,
			137, func(f *finding.Findings) { stop(f); blind(f) }, causes.Weak},
		"a stop request of the kubelet": {causes.KilledExternally,
			137, func(f *finding.Findings) { stop(f); causestest.Killed(f, evidence.KillPod) }, causestest.Out},
		"SIGKILL, and nobody did it": {causes.KilledExternally, 137, nil, causes.Strong},
		"SIGKILL at the same age again": {causes.KilledExternally,
			137, func(f *finding.Findings) { f.Alike = 1 }, causes.Weak},
		"SIGKILL in the namespace of the host": {causes.KilledExternally,
			137, func(f *finding.Findings) { f.R.Pod.HostPID = true }, causes.Weak},
		"SIGKILL of processes that ran astray": {causes.KilledExternally,
			137, func(f *finding.Findings) { f.Cgroup.Outside = causestest.Yes(60) }, causes.Weak},
		"SIGKILL without logs": {causes.KilledExternally, 137, blind, causes.Weak},
		"SIGKILL by the kernel": {causes.KilledExternally,
			137, func(f *finding.Findings) { f.OOM.Point = causestest.Yes(0) }, causestest.Out},
		"SIGKILL with the label OOMKilled": {causes.KilledExternally,
			137, func(f *finding.Findings) { f.OOM.Point = finding.Point{}; f.OOM.Label = true }, causestest.None},
		"SIGTERM":        {causes.KilledExternally, 143, nil, causes.Weak},
		"a memory fault": {causes.KilledExternally, 139, nil, causestest.Out},
		"a memory fault without the runtime's log": {causes.KilledExternally,
			139, func(f *finding.Findings) { f.Stop = finding.Point{} }, causestest.None},
		"a code of its own": {causes.KilledExternally, 1, nil, causestest.Out},
		"a clean end without the runtime's log": {causes.KilledExternally, 0,
			func(f *finding.Findings) { f.Stop = finding.Point{} }, causestest.None},
		"an invented 137": {causes.KilledExternally, 137, func(f *finding.Findings) { f.Exit.Invented = true },
			causestest.None},
	})
}
