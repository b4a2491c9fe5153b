package causes

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file finds what is behind a root: why a daemon was restarted, or a node booted. It does not make a claim
// stronger; it only says where to look first.

// Daemon is a daemon whose restart can be a root.
type Daemon struct {
	runsIn   func(evidence.Unit) bool // nil for the machine
	packages []string                 // prefixes of names
}

// The daemons. Units and packages of distributions with kubelet and runtime in one program count as both.
var (
	Kubelet = Daemon{
		runsIn:   func(u evidence.Unit) bool { return u.Kubelet },
		packages: []string{"kubelet", "kubernetes-", "k3s", "rke2", "microk8s", "k0s"},
	}
	Runtime = Daemon{
		runsIn: func(u evidence.Unit) bool { return u.Runtime },
		packages: []string{"containerd", "cri-o", "crio", "docker", "moby-",
			"cri-dockerd", "runc", "crun", "conmon", "k3s", "rke2", "microk8s", "k0s"},
	}
	Machine = Daemon{packages: []string{"linux-image", "kernel", "systemd"}}
)

// Behind returns what led to a daemon's start at the time, in order: which package was changed, who requested the
// restart, how the previous process ended.
func Behind(f *finding.Findings, d Daemon, at time.Time) []Link {
	if f.Node == nil || at.IsZero() {
		return nil
	}
	var steps []Link
	for _, m := range f.Node.AdminActions {
		before := at.Sub(m.At)
		if m.At.IsZero() || before < -time.Second || before > tolerance.PackageLag {
			continue
		}
		if text := d.told(m, before); text != "" {
			steps = append(steps, Link{Role: report.RoleBehind, Text: text, At: m.At, Evidence: []string{m.Obs.ID}})
		}
	}
	slices.SortStableFunc(steps, func(a, b Link) int { return a.At.Compare(b.At) })
	return steps[max(0, len(steps)-maxBehind):]
}

// maxBehind limits the steps: an upgrade of a distribution has many packages, and the last ones are the most relevant.
const maxBehind = 4

// told returns the text for a step, "" if it is about something else.
func (d Daemon) told(m timeline.Occurrence, before time.Duration) string {
	machine := d.runsIn == nil
	switch e := m.Obs.Fact.(type) {
	case evidence.PackageChanged:
		if !d.has(e.Package) {
			return ""
		}
		return changed(e)
	case evidence.RestartAsked:
		if i := slices.IndexFunc(e.Units, d.is); i >= 0 {
			return fmt.Sprintf("%s restarted %s after an update of a package that it uses", e.By, e.Units[i])
		}
	case evidence.PowerChange:
		if machine {
			return "a " + e.Change + " of the node was requested"
		}
	case evidence.NodeShutdown:
		if machine && e.Phase == evidence.ShutdownDetected {
			return "the kubelet was notified of a shutdown"
		}
	case evidence.KubeletExited:
		if before < tolerance.LastWords && d.is("kubelet.service") {
			return "the previous kubelet process had exited: " + e.Message.String()
		}
	case evidence.RuntimeStopping:
		if before < tolerance.LastWords && d.is("containerd.service") {
			if e.Signal != "" {
				return "the previous runtime process had shut down cleanly on signal " + e.Signal
			}
			return "the previous runtime process had shut down cleanly"
		}
	case evidence.UnitChanged:
		if before < tolerance.LastWords && d.is(e.Unit) {
			return unit(e)
		}
	}
	return ""
}

// AfterStart returns what is behind what a kubelet did right after its start: that start, and what it did first.
func AfterStart(f *finding.Findings, did string) []Link {
	k := f.NodeEvents.Kubelet
	if k.Answer != finding.Yes || f.Versions.SameProcess {
		return nil
	}
	return append(Behind(f, Kubelet, k.At), Link{Role: report.RoleBehind, Cause: KubeletRestarted,
		Text: "the kubelet on " + Node(f) + " restarted" + did, At: k.At, Evidence: k.Evidence})
}

func (d Daemon) has(name string) bool {
	return slices.ContainsFunc(d.packages, func(p string) bool { return strings.HasPrefix(name, p) })
}

func (d Daemon) is(unit string) bool {
	return d.runsIn != nil && d.runsIn(evidence.UnitOf(unit))
}

func changed(e evidence.PackageChanged) string {
	text := e.Manager + ": " + e.Action + " of package " + e.Package
	if e.From != "" {
		text += " from " + e.From
	}
	if e.To != "" {
		text += " to " + e.To
	}
	if e.By != "" {
		text += ", by " + e.By
	}
	return text
}

// unit returns what happened to a unit before its next start.
func unit(e evidence.UnitChanged) string {
	switch e.Change {
	case "failed":
		return e.Unit + " had failed (" + e.Result + ")"
	case "exited":
		return fmt.Sprintf("the process of %s had %s (%d)", e.Unit, e.Code, e.Status)
	case "oom-killed":
		return "a process of " + e.Unit + " had been killed by the OOM killer"
	case "watchdog":
		return "systemd's watchdog had killed " + e.Unit
	case "stop-timeout":
		return e.Unit + " had not stopped in time and was killed"
	case "stopping":
		return "systemd got a request to stop " + e.Unit
	}
	return ""
}
