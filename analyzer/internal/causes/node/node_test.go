package node

import (
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/causestest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

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
	crowd := func(f *finding.Findings) {
		f.NodeEvents.Boot, f.NodeEvents.Kubelet, f.Together = finding.Point{}, finding.Point{}, 2
	}
	causestest.Run(t, Rules(), map[string]causestest.Row{
		"a boot, and the runtime lost the container": {ID: causes.NodeReboot, Code: 255,
			Change: both(boot, lost), Want: causes.Decisive},
		"a boot after a signal of the shutdown": {ID: causes.NodeReboot, Code: 143,
			Change: boot, Want: causes.Strong},
		"a boot after the kubelet had ended the pod for the shutdown": {ID: causes.NodeReboot,
			Change: func(f *finding.Findings) {
				f.NodeEvents.Boot = causestest.Yes(60)
				f.End.Point, f.End.How = causestest.Yes(0), evidence.EndShutdown
			}, Want: causes.Weak},
		"a boot after its sandbox was found gone": {ID: causes.NodeReboot, Code: 143,
			Change: both(boot, func(f *finding.Findings) { f.Sandbox.Changed = causestest.Yes(2) }), Want: causes.Weak},
		"a boot a minute after an end of its own choice": {ID: causes.NodeReboot, Code: 3,
			Change: boot, Want: causes.Strong},
		"a boot a minute after what the runtime calls OOMKilled": {ID: causes.NodeReboot, Code: 137,
			Change: both(boot, func(f *finding.Findings) { f.OOM.Label = true }), Want: causes.Weak},
		"a boot a minute after a fault": {ID: causes.NodeReboot, Code: 139, Change: boot, Want: causes.Weak},
		"a boot a minute after a job was done": {ID: causes.NodeReboot,
			Change: both(boot, func(f *finding.Findings) {
				f.R.Pod.RestartPolicy, f.R.To = "Never", nil
			}), Want: causes.Weak},
		"a boot a minute after an end without an error": {ID: causes.NodeReboot, Code: 0, Change: boot, Want: causes.Strong},
		"a crash, a back-off, a boot": {ID: causes.NodeReboot,
			Code: 3, Change: both(boot, marked(5, evidence.BackedOff{})), Want: causestest.Out},
		"a crash, a start decided, a boot": {ID: causes.NodeReboot,
			Code: 3, Change: both(boot, marked(2, evidence.RestartDecided{})), Want: causestest.Out},
		"a back-off of the instance before": {ID: causes.NodeReboot,
			Code: 3, Change: both(boot, marked(-20, evidence.BackedOff{})), Want: causes.Strong},
		"a boot long after a crash": {ID: causes.NodeReboot,
			Code: 3, Change: func(f *finding.Findings) { f.NodeEvents.Boot = causestest.Yes(1200) }, Want: causestest.Out},
		"a boot long after a signal": {ID: causes.NodeReboot,
			Code: 143, Change: func(f *finding.Findings) { f.NodeEvents.Boot = causestest.Yes(1200) }, Want: causes.Weak},
		"a boot while one that loops waited for its next start": {ID: causes.NodeReboot,
			Code: 3, Change: both(boot, func(f *finding.Findings) { f.R.From.Attempt = 6 }), Want: causes.Weak},
		"a boot with others of its node while one loops": {ID: causes.NodeReboot,
			Code: 3, Change: both(boot, func(f *finding.Findings) {
				f.R.From.Attempt, f.Together = 6, 2
			}), Want: causes.Strong},
		"an end without a code, a back-off, a boot": {ID: causes.NodeReboot,
			Change: both(boot, marked(5, evidence.BackedOff{}), func(f *finding.Findings) {
				f.Exit.Known = false
			}), Want: causestest.Out},
		"a boot that may have been before the start": {ID: causes.NodeReboot, Code: 137,
			Change: func(f *finding.Findings) {
				f.NodeEvents.Boot, f.NodeEvents.Perhaps = finding.Point{}, causestest.Yes(-300)
			}, Want: causes.Weak},
		"a runtime that had lost it, and started again with the boot": {ID: causes.NodeReboot,
			Code: 255, Change: both(lost, daemon(-1), boot, func(f *finding.Findings) {
				f.Node = &timeline.NodeStory{Runtime: []timeline.Occurrence{{At: causestest.Yes(65).At,
					Obs: &evidence.Observation{}}}}
			}), Want: causestest.Out},
		"a runtime that started once, by a clock that was slow": {ID: causes.NodeReboot,
			Code: 255, Change: both(lost, daemon(-1), boot), Want: causes.Decisive},
		"a machine that was off for a night": {ID: causes.NodeReboot,
			Code: 1, Change: func(f *finding.Findings) {
				f.NodeEvents.Boot = causestest.Yes(36000)
				f.R.To = &timeline.Instance{}
			},
			Want: causes.Strong},
		"lost by a runtime long before the boot": {ID: causes.NodeReboot,
			Code: 255, Change: both(lost, daemon(-2), func(f *finding.Findings) {
				f.NodeEvents.Boot = causestest.Yes(1800)
			}), Want: causestest.Out},
		"lost, and the boot came much later": {ID: causes.NodeReboot,
			Code: 255, Change: both(lost, func(f *finding.Findings) {
				f.NodeEvents.Boot = causestest.Yes(1800)
			}), Want: causes.Weak},
		"a runtime's restart long before the boot": {ID: causes.RuntimeRestarted,
			Code: 255, Change: both(lost, daemon(-2), func(f *finding.Findings) {
				f.NodeEvents.Boot = causestest.Yes(1800)
			}), Want: causes.Strong},
		"dockerd went down, and nobody else lost any": {ID: causes.RuntimeRestarted,
			Code: 1, Change: both(daemon(200), func(f *finding.Findings) {
				f.NodeEvents.Down = causestest.Yes(-2)
			}), Want: causes.Strong},
		"a boot after a liveness kill": {ID: causes.NodeReboot,
			Code: 137, Change: both(boot, func(f *finding.Findings) {
				causestest.Killed(f, evidence.KillLiveness)
			}), Want: causestest.Out},
		"no boot": {ID: causes.NodeReboot, Code: 255, Change: lost, Want: causestest.Out},
		"nobody knows of a boot": {ID: causes.NodeReboot,
			Code: 137, Change: func(f *finding.Findings) { f.NodeEvents.Boot = finding.Point{} }, Want: causestest.None},
		"a restarted runtime lost the container": {ID: causes.RuntimeRestarted,
			Code: 255, Change: both(daemon(-2), lost), Want: causes.Strong},
		"a boot restarts the runtime too": {ID: causes.RuntimeRestarted,
			Code: 255, Change: both(daemon(70), boot, lost), Want: causestest.Out},
		"lost with others at the runtime's start, and perhaps a boot": {ID: causes.RuntimeRestarted,
			Code: 255, Change: both(daemon(0), lost, crowd), Want: causes.Weak},
		"the same, and its kubelet ran on": {ID: causes.RuntimeRestarted,
			Code: 255, Change: both(daemon(0), lost, crowd, one), Want: causes.Strong},
		"the same, as a boot": {ID: causes.NodeReboot,
			Code: 255, Change: both(daemon(0), lost, crowd), Want: causes.Weak},
		"the same, as a boot, and its kubelet ran on": {ID: causes.NodeReboot,
			Code: 255, Change: both(daemon(0), lost, crowd, one), Want: causestest.None},
		"a crash well after the runtime had come back": {ID: causes.RuntimeRestarted, Code: 1,
			Change: daemon(-30), Want: causestest.Out},
		"an error right before the runtime came back": {ID: causes.RuntimeRestarted, Code: 1,
			Change: daemon(4), Want: causes.Weak},
		"a clean end right before the runtime came back": {ID: causes.RuntimeRestarted,
			Change: daemon(4), Want: causes.Weak},
		"a kill by the kubelet beside a restarted runtime": {ID: causes.RuntimeRestarted,
			Code: 137, Change: both(daemon(4), func(f *finding.Findings) {
				causestest.Killed(f, evidence.KillPod)
			}), Want: causestest.Out},
		"its kubelet, which ran on, got no answer": {ID: causes.RuntimeRestarted,
			Code: 255, Change: both(lost, down, one), Want: causes.Strong},
		"a kubelet that started anew got no answer": {ID: causes.RuntimeRestarted, Code: 255,
			Change: both(lost, down), Want: causes.Weak},
		"no answer, and the container ended with a code": {ID: causes.RuntimeRestarted, Code: 1,
			Change: both(down, one), Want: causestest.Out},
		"the runtime's log shows no start": {ID: causes.RuntimeRestarted, Code: 255,
			Change: lost, Want: causestest.Out},
	})
}
