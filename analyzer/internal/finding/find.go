package finding

import (
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Derive works out the findings for one restart.
func Derive(t *timeline.History, r *timeline.Restart) *Findings {
	f := &Findings{}
	f.Derive(t, r)
	return f
}

// Derive works out the findings for one restart in the place of what was there.
func (f *Findings) Derive(t *timeline.History, r *timeline.Restart) {
	*f = Findings{R: r, T: t, Node: t.Nodes[r.Node], specs: f.specs}
	if r.Kind == timeline.KindNone { // nothing ended: there is nothing else to find
		f.Events = t.EventsCovered(r.Seen)
		f.versions()
		f.around()
		f.ranOn()
		return
	}
	f.coverage()
	if f.R.From.Guessed {
		f.doubt("no line names the container; its name is inferred from the lines around it")
	}
	for _, s := range t.Skews(r.Node) {
		if s.Guessed {
			f.doubt("the zone of the "+string(s.Source)+" of "+r.Node+" is guessed from only a few exits", s.Evidence...)
		}
	}
	f.exit()
	f.fault()
	f.kill()
	f.stop()
	f.outerStops()
	f.oom()
	f.cutShort()
	f.onLinux()
	f.sandbox()
	f.versions()
	f.images()
	f.hashes()
	f.staticPod()
	f.ended()
	f.staticEnd()
	f.around()
	f.repeats()
	f.records()
	f.policy()
	f.initAgain()
	f.restartedAll()
	f.cgroup()
	f.runtimeSwitch()
	f.metrics()
	f.agree()
	f.stored()
	if r.Kin != nil && !f.Exit.Known && f.Kill.Answer != Yes {
		f.Kin = Derive(t, r.Kin)
	}
}

func (f *Findings) exit() {
	in := f.R.From
	f.Exit.Windows = f.windows()
	if in.ExitCode == nil {
		return
	}
	f.Exit = Exit{
		Known: true, Code: *in.ExitCode, Reason: in.Reason, Evidence: in.Records,
		Invented:   in.Reason == "ContainerStatusUnknown" || in.Reason == "RestartingAllContainers",
		Lost:       *in.ExitCode == 255 && in.Reason == "Unknown",
		NotStarted: notStarted(in.Reason), Windows: f.Exit.Windows,
	}
	if in.Reason == "" && in.Started.IsZero() {
		f.startUnseen()
	}
	if f.Exit.Code == 255 && f.Exit.ofProcess() {
		f.Exit.Shim = f.shimLost()
		f.Exit.Lost = f.Exit.Shim.Answer == Yes
	}
}

// startFailedCode is the exit code that runtimes report for a process that they could not start (containerd
// pkg/cri/server container_start.go errorStartExitCode; dockerd's is one of 126 to 128, with a reason).
const startFailedCode = 128

// startUnseen is an end of which only logs tell, without a reason: the runtime may say that this very container did not
// start. The kubelet's words for it name no id, and stand for starts that failed behind the process too (postStart).
func (f *Findings) startUnseen() {
	e := &f.Exit
	for _, m := range f.R.From.MarksWith(timeline.HasFailure) {
		failed, ok := m.Obs.Fact.(evidence.RuntimeFailed)
		if ok && failed.Op == "StartContainer" && m.Obs.Subject.ContainerID == f.R.From.ID {
			e.NotStarted = true
			return
		}
	}
	e.StartUnseen = e.Code == startFailedCode
}

// notStarted tells the reasons of ends that no process had.
func notStarted(reason string) bool {
	switch reason {
	case "StartError", "ContainerCannotRun", "CreateContainerError", "RunContainerError":
		return true
	}
	return false
}

func ids(obs ...*evidence.Observation) []string {
	out := make([]string, 0, len(obs))
	for _, o := range obs {
		if o != nil {
			out = append(out, o.ID)
		}
	}
	return out
}
