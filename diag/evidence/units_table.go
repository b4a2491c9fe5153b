package evidence

import "strings"

// Unit is a systemd unit that runs a part of a node.
type Unit struct {
	Name string // without .service
	// Kubelet and Runtime say what runs in it: some distributions have both in one process.
	Kubelet, Runtime bool
	// Launcher: it starts them as separate processes and logs their output under its own name.
	Launcher bool
}

var units = []Unit{
	{Name: "kubelet", Kubelet: true},
	{Name: "k3s-agent", Kubelet: true, Runtime: true},
	{Name: "k3s", Kubelet: true, Runtime: true},
	{Name: "rke2-agent", Kubelet: true, Runtime: true},
	{Name: "rke2-server", Kubelet: true, Runtime: true},
	{Name: "snap.microk8s.daemon-kubelite", Kubelet: true},
	{Name: "snap.microk8s.daemon-kubelet", Kubelet: true},
	{Name: "snap.kubelet.daemon", Kubelet: true},
	{Name: "snap.k8s.kubelet", Kubelet: true},
	{Name: "containerd", Runtime: true},
	{Name: "crio", Runtime: true},
	{Name: "docker", Runtime: true},
	{Name: "cri-docker", Runtime: true},
	{Name: "snap.microk8s.daemon-containerd", Runtime: true},
	{Name: "snap.k8s.containerd", Runtime: true},
	{Name: "k0scontroller", Kubelet: true, Runtime: true, Launcher: true},
	{Name: "k0sworker", Kubelet: true, Runtime: true, Launcher: true},
	{Name: "microshift", Kubelet: true, Runtime: true, Launcher: true},
}

// UnitOf finds a unit by its name, with .service or without. An unknown one has no role set.
func UnitOf(name string) Unit {
	bare := strings.TrimSuffix(name, ".service")
	for _, u := range units {
		if u.Name == bare {
			return u
		}
	}
	return Unit{Name: bare}
}

// OnlyRuntime reports whether a runtime, but no kubelet, runs in the unit.
func (u Unit) OnlyRuntime() bool { return u.Runtime && !u.Kubelet }

// ItsLog is the log that the unit writes. An unknown unit is treated as a runtime.
func (u Unit) ItsLog() SourceKind {
	switch {
	case u.Kubelet:
		return SourceKubeletLog
	case u.Name == "kernel", u.Name == "kmsg":
		return SourceKernelLog
	}
	return SourceRuntimeLog
}

// AllUnits returns the names of the units of kubelets, runtimes and their launchers.
func AllUnits() []string { return unitNames(func(Unit) bool { return true }) }

// KubeletUnits returns the names of the units in whose logs a kubelet writes itself.
func KubeletUnits() []string { return unitNames(func(u Unit) bool { return u.Kubelet && !u.Launcher }) }

// RuntimeUnits returns the names of the units that run only a runtime.
func RuntimeUnits() []string { return unitNames(Unit.OnlyRuntime) }

func unitNames(is func(Unit) bool) (names []string) {
	for _, u := range units {
		if is(u) {
			names = append(names, u.Name+".service")
		}
	}
	return names
}
