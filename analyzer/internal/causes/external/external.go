// Package external holds the cause in which someone outside Kubernetes ended the container: a runtime's command-line
// tool, an agent, another process on the node.
//
// Rules only: findings in, claims out. See package causes.
package external

import (
	"strings"
	"syscall"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/sim"
)

// Rules returns the rules of this family.
func Rules() []causes.Rule {
	return []causes.Rule{{ID: causes.KilledExternally, Hypothesis: sim.Ended,
		Title: "The container was killed from outside Kubernetes",
		Claim: killed, Against: against, Do: causes.Always(
			"look for people, agents and cron jobs that use crictl, ctr, docker, systemctl or kill on {the node}",
			"see who was logged in there at that time, and what ran as root: last -F; journalctl -t sudo")}}
}

// killed is decisive given a stop request that reached the runtime and that the kubelet, whose log covers the time, did
// not send. A bare SIGKILL may be from outside: the kernel delivers it to PID 1 of a process namespace only from
// outside that namespace, but a shell whose child was killed from within exits with 137, too.
func killed(f *finding.Findings) *causes.Claim {
	shim := f.Exit.Shim.Answer == finding.Yes && !f.NodeWentDown() && f.NodeEvents.Runtime.Answer != finding.Yes
	if f.Kill.Answer == finding.Yes && !causes.OutsideFirst(f) || f.Exit.Invented || f.Exit.Lost && !shim {
		return nil
	}
	sig := syscall.Signal(f.Exit.Signal())
	var s causes.Strength
	how, hedged := "", false
	switch stopped := f.Stop.Answer == finding.Yes && f.Kill.Answer != finding.Yes; {
	case stopped && f.Kill.Answer == finding.No && !f.StopDated:
		s, how = causes.Strong, "something other than the kubelet asked the runtime to stop it, if the log's clock was right"
	case stopped && f.Kill.Answer == finding.No && !f.StopForeign:
		// as the kubelet itself asks, so one line that its log lost would tell the opposite
		s, how = causes.Strong,
			"something other than the kubelet asked the runtime to stop it, if the kubelet's log is complete"
	case stopped && f.Kill.Answer == finding.No:
		s, how = causes.Decisive, "something other than the kubelet asked the runtime to stop it"
	case stopped && f.StopForeign:
		s, how = causes.Strong, "something other than the kubelet asked the runtime to stop it: the kubelet does not ask in "+
			"this way"
	case stopped:
		s, how = causes.Weak, "the runtime got a request to stop it"
	case f.UnitStop.Answer == finding.Yes && f.OOM.Answer != finding.Yes:
		// Neither kubelet nor runtime requests that from systemd while a container runs.
		if s, how = causes.Weak, "systemd stopped the unit that it ran in"; causes.OutsideFirst(f) &&
			f.NodeEvents.Boot.Answer == finding.No {
			s = causes.Strong
		}
	case f.OOM.Answer == finding.Yes || f.OOM.Label:
		return nil
	case f.Signalled.Answer == finding.Yes:
		s, how = causes.Weak, "a signal was sent to its process from outside ("+f.Sender+")"
		if sig != 0 {
			s = causes.Strong
		}
	case f.UnitNear.Answer == finding.Yes:
		s, how, hedged = causes.Weak, "systemd began to stop the unit that it ran in within the second of its end", true
	case f.OOM.Asked.Answer == finding.Yes && sig == syscall.SIGKILL:
		s, how = causes.Strong, "the kernel was asked to kill a process (SysRq f), and chose one of this container"
	case shim:
		s, how = causes.Weak,
			"the container's shim disappeared: it crashed or was killed"
	case sig == syscall.SIGKILL && f.Kill.Answer == finding.No && f.OOM.Answer == finding.No && f.OOM.Killer == "":
		s, how, hedged = causes.Weak, "it ended as if by SIGKILL, which neither the kubelet nor the kernel sent", true
	case sig == syscall.SIGKILL:
		s, how, hedged = causes.Weak, "it ended as if by SIGKILL; nothing shows who sent it", true
	case sig == syscall.SIGTERM || sig == syscall.SIGINT || sig == syscall.SIGHUP:
		s, how = causes.Weak, "it obeyed a signal that the kubelet did not send"
	default:
		return nil
	}
	if f.StopBox {
		how = strings.Replace(how, "to stop it", "to stop its sandbox", 1)
	}
	root := causes.Link{Cause: causes.KilledExternally, Text: how, At: f.R.From.Finished, Evidence: f.Exit.Evidence}
	if f.Stop.Answer == finding.Yes && f.Kill.Answer != finding.Yes {
		root.At, root.Evidence = f.Stop.At, f.Stop.Evidence
	} else if f.OOM.Asked.Answer == finding.Yes {
		root.At, root.Evidence = f.OOM.Asked.At, f.OOM.Asked.Evidence
	} else if shim && f.UnitStop.Answer != finding.Yes {
		root.At, root.Evidence = f.Exit.Shim.At, f.Exit.Shim.Evidence
	} else if f.Signalled.Answer == finding.Yes && f.UnitStop.Answer != finding.Yes {
		root.At, root.Evidence = f.Signalled.At, f.Signalled.Evidence
	} else if f.UnitStop.Answer == finding.Yes {
		root.At, root.Evidence = f.UnitStop.At, f.UnitStop.Evidence
	} else if f.UnitNear.Answer == finding.Yes {
		root.At, root.Evidence = f.UnitNear.At, f.UnitNear.Evidence
	}
	n := causes.NeedLogs(f)
	if f.Stop.Answer != finding.Yes {
		n = append(n, causes.NeedKernelLog(f)...)
	}
	if f.Stop.Answer != finding.Yes && f.Signalled.Answer != finding.Yes {
		n = append(n, causes.Need{
			What: "who sent the signal",
			Consequence: "a signal leaves no trace of its sender; this records the senders from now on, and " +
				"ausearch -k restartwhy lists them",
			Command: "auditctl -a always,exit -S kill -S tgkill -k restartwhy", Node: causes.OnNode(f),
		})
	}
	return &causes.Claim{
		Strength: s, Needs: n, Chain: []causes.Link{root, causes.EndStep(f), causes.Then(f)},
		Summary: causes.Who(f) + ": " + how, Hedged: hedged,
	}
}

func against(f *finding.Findings) causes.Against {
	if a := causes.KilledByKubelet(f); a.Holds() && !causes.OutsideFirst(f) {
		return a
	}
	if f.Stop.Answer == finding.Yes && f.OOM.Answer == finding.Yes {
		return causes.Against{} // stopped while memory ran out: it is open which of the two ended it
	}
	if a := causes.FirstOf(f, causes.OutOfMemory, causes.KilledForTheNode); a.Holds() {
		return a
	}
	if f.Exit.Lost && f.NodeEvents.Boot.Answer == finding.Yes {
		return causes.Contradict("the node rebooted, and the runtime lost all of its containers",
			f.NodeEvents.Boot.Evidence...)
	}
	if f.Stop.Answer == finding.Yes || f.UnitStop.Answer == finding.Yes || f.UnitNear.Answer == finding.Yes ||
		f.Signalled.Answer == finding.Yes {
		return causes.Against{}
	}
	if f.Stop.Answer == finding.No {
		if a := causes.EndedByItself(f); a.Holds() {
			return a
		}
		if sig := syscall.Signal(f.Exit.Signal()); f.Exit.Signal() > 0 && f.OwnProcesses() &&
			sig != syscall.SIGKILL && sig != syscall.SIGTERM && sig != syscall.SIGINT && sig != syscall.SIGHUP {
			return causes.Contradict("signal "+sig.String()+
				" from outside is not delivered to the first process of a PID namespace", f.Exit.Evidence...)
		}
	}
	return causes.Against{}
}
