package external

import (
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/causestest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

func TestEndsFromOutside(t *testing.T) {
	stop := func(f *finding.Findings) { f.Stop, f.StopDated, f.StopForeign = causestest.Yes(-2), true, true }
	blind := func(f *finding.Findings) { f.Kill.Point, f.KubeletLog = finding.Point{}, false }
	causestest.Run(t, Rules(), map[string]causestest.Row{
		"a stop request that the kubelet did not make": {ID: causes.KilledExternally, Code: 137,
			Change: stop, Want: causes.Decisive},
		"a stop request that the process obeyed": {ID: causes.KilledExternally, Change: stop, Want: causes.Decisive},
		"a stop request as the kubelet makes it": {ID: causes.KilledExternally, Code: 137,
			Change: func(f *finding.Findings) { stop(f); f.StopForeign = false }, Want: causes.Strong},
		"a stop request in a log of a doubtful clock": {ID: causes.KilledExternally,
			Code: 137, Change: func(f *finding.Findings) { stop(f); f.StopDated = false }, Want: causes.Strong},
		"a stop request while memory ran out": {ID: causes.KilledExternally,
			Code: 137, Change: func(f *finding.Findings) { stop(f); f.OOM.Point = causestest.Yes(-1) }, Want: causes.Decisive},
		"SIGKILL before the machine went down": {ID: causes.KilledExternally,
			Code: 137, Change: func(f *finding.Findings) { f.NodeEvents.Boot = causestest.Yes(60) }, Want: causes.Weak},
		"SIGKILL, and earlyoom killed somebody": {ID: causes.KilledExternally,
			Code: 137, Change: func(f *finding.Findings) { f.OOM.Killer = "earlyoom" }, Want: causes.Weak},
		"SIGKILL by systemd-oomd, which names it": {ID: causes.KilledExternally,
			Code: 137, Change: func(f *finding.Findings) {
				f.OOM.Killer, f.OOM.Named = "systemd-oomd", true
			}, Want: causestest.Out},
		"a stop request of which nobody knows whose": {ID: causes.KilledExternally,
			Code: 137, Change: func(f *finding.Findings) { stop(f); blind(f); f.StopForeign = false }, Want: causes.Weak},
		"a stop request as the kubelet does not ask, and its log is not there": {ID: causes.KilledExternally,
			Code: 137, Change: func(f *finding.Findings) { stop(f); blind(f) }, Want: causes.Strong},
		"a stop request of the kubelet": {ID: causes.KilledExternally,
			Code: 137, Change: func(f *finding.Findings) {
				stop(f)
				causestest.Killed(f, evidence.KillPod)
			}, Want: causestest.Out},
		"systemd stopped its slice, and the kubelet killed what was left": {ID: causes.KilledExternally,
			Change: func(f *finding.Findings) {
				stop(f)
				f.UnitStop = causestest.Yes(-5)
				causestest.Killed(f, evidence.KillPod)
			}, Want: causes.Strong},
		"its shim was gone, and the kubelet killed what was left": {ID: causes.KilledExternally, Code: 255,
			Change: func(f *finding.Findings) {
				f.Exit.Lost, f.Exit.Shim = true, causestest.Yes(-5)
				causestest.Killed(f, evidence.KillPod)
			}, Want: causes.Weak},
		"the kubelet killed it, and then its shim was gone": {ID: causes.KilledExternally, Code: 255,
			Change: func(f *finding.Findings) {
				f.Exit.Lost, f.Exit.Shim = true, causestest.Yes(-1)
				causestest.Killed(f, evidence.KillPod)
			}, Want: causestest.Out},
		"the kubelet killed it, and then its unit was stopped": {ID: causes.KilledExternally,
			Change: func(f *finding.Findings) {
				f.UnitStop = causestest.Yes(-1)
				causestest.Killed(f, evidence.KillPod)
			}, Want: causestest.Out},
		"systemd began to stop its unit within the second of its end": {ID: causes.KilledExternally,
			Change: func(f *finding.Findings) { f.UnitNear = causestest.Yes(0) }, Want: causes.Weak},
		"an exit code of its own, and nobody stopped it": {ID: causes.KilledExternally, Want: causestest.Out},
		"SIGKILL, and nobody did it":                     {ID: causes.KilledExternally, Code: 137, Want: causes.Weak},
		"SIGKILL without logs":                           {ID: causes.KilledExternally, Code: 137, Change: blind, Want: causes.Weak},
		"SIGKILL by the kernel": {ID: causes.KilledExternally,
			Code: 137, Change: func(f *finding.Findings) { f.OOM.Point = causestest.Yes(0) }, Want: causestest.Out},
		"SIGKILL with the label OOMKilled": {ID: causes.KilledExternally,
			Code: 137, Change: func(f *finding.Findings) {
				f.OOM.Point = finding.Point{}
				f.OOM.Label = true
			}, Want: causestest.None},
		"SIGTERM":        {ID: causes.KilledExternally, Code: 143, Want: causes.Weak},
		"a memory fault": {ID: causes.KilledExternally, Code: 139, Want: causestest.Out},
		"a memory fault without the runtime's log": {ID: causes.KilledExternally,
			Code: 139, Change: func(f *finding.Findings) { f.Stop = finding.Point{} }, Want: causestest.None},
		"a code of its own": {ID: causes.KilledExternally, Code: 1, Want: causestest.Out},
		"a clean end without the runtime's log": {ID: causes.KilledExternally,
			Change: func(f *finding.Findings) { f.Stop = finding.Point{} }, Want: causestest.None},
		"an invented 137": {ID: causes.KilledExternally, Code: 137,
			Change: func(f *finding.Findings) { f.Exit.Invented = true },
			Want:   causestest.None},
	})
}
