package scenario

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// Part is some of what can be provoked on a node with a kernel of its own, at one go.
type Part struct {
	Name      string
	Scenarios []Scenario
	// Before is done to the node before there are pods, Happens once all of them run. Either may be nil.
	Before, Happens func(ctx context.Context, hands Hands, node string) error
}

// Today are the parts for a node of today: cgroup v2, systemd's cgroups, a kernel that kills, a power button. minor is
// that of its kubelet.
func Today(minor int) []Part {
	parts := []Part{
		{Name: "hands", Scenarios: unhurried(slices.Concat(once(), healthy(), outside()))},
		{Name: "loops", Scenarios: alike(minor)},
		{Name: "reboot", Scenarios: passengers("rider", "node-reboot", "systemd reboots the machine, and asks nobody"),
			Happens: func(ctx context.Context, hands Hands, node string) error { return hands.Reboot(ctx, node) }},
		{Name: "shutdown", Scenarios: evacuated(),
			Happens: func(ctx context.Context, hands Hands, node string) error { return hands.ShutDown(ctx, node) }},
		{Name: "power-cut", Scenarios: passengers("miner", "node-reboot", "the power goes away and comes back"),
			Happens: func(ctx context.Context, hands Hands, node string) error { return hands.PowerCut(ctx, node) }},
		{
			Name: "clock", Scenarios: ticking(),
			Happens: func(ctx context.Context, hands Hands, node string) error {
				if err := hands.StepClock(ctx, node, clockStep); err != nil {
					return err
				}
				if err := wait(ctx, 30*time.Second); err != nil {
					return err
				}
				return hands.StepClock(ctx, node, -clockStep)
			},
		},
	}
	if minor >= 32 { // before, a kubelet gives no choice on cgroup v2
		parts = append(parts, Part{
			Name: "one-process", Scenarios: oneProcess(),
			Before: func(ctx context.Context, hands Hands, node string) error {
				return hands.Configure(ctx, node, "singleProcessOOMKill", true)
			},
		})
	}
	return append(parts, Part{Name: "memory", Scenarios: hoarding()})
}

// clockStep is how far the clock is put forward, and back. After that a kubelet waits as long with what it starts
// again:
// the ends that its back-off counts from are in the future.
const clockStep = 90 * time.Second

func wait(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// alike are the pods that fail by themselves on every node. On cgroup v2 the kernel kills a container as a whole, since
// kubelets ask for that.
func alike(minor int) []Scenario {
	var out []Scenario
	for _, s := range slices.Concat(loops(), lookalikes(), ends()) {
		switch s.Name {
		case "loses-its-child":
			s.Name = "loses-all"
			s.Truths = []Truth{{Container: "app", Cause: "oom-container-limit",
				Notes: "a child reaches the container's limit, and the kernel kills the whole group, process 1 too"}}
		case "exits-one", "late-to-fail", "grows-slowly":
			continue // others of the same kind are there
		}
		out = append(out, s)
	}
	if minor < 28 {
		out = slices.DeleteFunc(out, func(s Scenario) bool { return s.Name == "loses-all" })
	}
	return unhurried(out)
}

// unhurried gives probes the time that an emulated processor needs. That they fail is meant, that they are slow is not.
func unhurried(all []Scenario) []Scenario {
	for i := range all {
		made := all[i].Pod
		all[i].Pod = func() corev1.PodSpec {
			spec := made()
			for j := range spec.Containers {
				c := &spec.Containers[j]
				for _, p := range []*corev1.Probe{c.LivenessProbe, c.StartupProbe, c.ReadinessProbe} {
					if p != nil {
						p.TimeoutSeconds = 60
					}
				}
			}
			return spec
		}
		if all[i].Act != nil {
			all[i].Settle = max(all[i].Settle, 20*time.Second)
		}
	}
	return all
}

// outside are healthy pods to which something is done from the node, past runtime and kubelet.
func outside() []Scenario {
	return []Scenario{
		{
			Name: "shot-at", Restarts: 1, Pod: app(forever),
			Act: func(ctx context.Context, hands Hands, pod *corev1.Pod) error {
				id, err := containerID(pod, "app")
				if err != nil {
					return err
				}
				return hands.Shoot(ctx, pod.Spec.NodeName, id)
			},
			Truths: []Truth{{Container: "app", Cause: "killed-externally", Notes: "SIGKILL by a process of the node"}},
		},
		{
			Name: "shimless", Restarts: 1, Pod: app(forever),
			Act: func(ctx context.Context, hands Hands, pod *corev1.Pod) error {
				id, err := hands.SandboxOf(ctx, pod)
				if err != nil {
					return err
				}
				return hands.KillShim(ctx, pod.Spec.NodeName, id)
			},
			Truths: []Truth{{Container: "app", Cause: "killed-externally", Undecidable: true,
				Notes: "SIGKILL to the pod's shim; no record says who sent it"}},
		},
		{
			Name: "unscoped", Restarts: 1, Pod: app(polite),
			Act: func(ctx context.Context, hands Hands, pod *corev1.Pod) error {
				id, err := containerID(pod, "app")
				if err != nil {
					return err
				}
				return hands.StopUnit(ctx, pod.Spec.NodeName, "cri-containerd-"+id+".scope")
			},
			Truths: []Truth{{Container: "app", Cause: "killed-externally",
				Notes: "systemctl stop of the container's scope; the process exits 0 on SIGTERM"}},
		},
		{
			Name: "unsliced", Restarts: 1, Pod: app(polite),
			Act: func(ctx context.Context, hands Hands, pod *corev1.Pod) error {
				if pod.Status.QOSClass != corev1.PodQOSBestEffort {
					return errors.New("its slice has another name: the pod's class is " + string(pod.Status.QOSClass))
				}
				uid := strings.ReplaceAll(string(pod.UID), "-", "_")
				return hands.StopUnit(ctx, pod.Spec.NodeName, "kubepods-besteffort-pod"+uid+".slice")
			},
			Truths: []Truth{{Container: "app", Cause: "killed-externally",
				Notes: "systemctl stop of the pod's slice ends container and sandbox together"}},
		},
	}
}

// ticking are pods with troubles of their own while the clock is put forward and back, and one without any.
func ticking() []Scenario {
	return unhurried([]Scenario{
		{Name: "ticks-and-exits", Restarts: 2, Pod: app(shell("sleep 8; exit 3")),
			Truths: []Truth{{Container: "app", Cause: "app-exit-error", Notes: "exits 3 while the clock steps"}}},
		{Name: "ticks-and-ends", Restarts: 2, Pod: app(shell("sleep 8; exit 0")),
			Truths: []Truth{{Container: "app", Cause: "app-exit-zero", Notes: "exits 0 while the clock steps"}}},
		{
			Name: "ticks-and-fails", Restarts: 2,
			Pod: app(forever, func(c *corev1.Container) {
				c.LivenessProbe = execProbe("false")
				c.LivenessProbe.PeriodSeconds, c.LivenessProbe.FailureThreshold = 5, 3
			}),
			Truths: []Truth{{Container: "app", Cause: "liveness-probe-failed", Notes: "its probe fails while the clock steps"}},
		},
		{
			Name: "ticks-and-eats", Restarts: 2, Pod: func() corev1.PodSpec {
				return corev1.PodSpec{Containers: []corev1.Container{
					container("app", shell("sleep 8; exec tail /dev/zero"), limit("24Mi")),
					container("bystander", forever, limit("64Mi")),
				}}
			},
			Truths: []Truth{{Container: "app", Cause: "oom-container-limit", Notes: "reaches its limit while the clock steps"}},
		},
		{Name: "only-ticks", Pod: app(forever), Upgrade: []Truth{{Container: "app", Notes: "nothing is done to it"}}},
	})
}

// passengers are pods that go down with their machine.
func passengers(name, cause, notes string) []Scenario {
	return []Scenario{
		{Name: name, Restarts: 1, Pod: app(forever), Truths: []Truth{{Container: "app", Cause: cause, Notes: notes}}},
		{Name: name + "-polite", Restarts: 1, Pod: app(polite),
			Truths: []Truth{{Container: "app", Cause: cause, Notes: notes + "; exits 0 on SIGTERM"}}},
		{
			Name: name + "-pair", Restarts: 1, Pod: func() corev1.PodSpec {
				spec := prepared()()
				spec.Containers = append(spec.Containers, container("worker", forever, limit("64Mi")))
				return spec
			},
			Truths: []Truth{{Container: "app", Cause: cause, Notes: notes}, {Container: "worker", Cause: cause, Notes: notes}},
		},
	}
}

// evacuated are pods whose kubelet ends them before the machine goes down.
func evacuated() []Scenario {
	notes := "logind is asked for a shutdown, and the kubelet ends its pods first"
	return []Scenario{
		{Name: "guest", Ends: true, Pod: app(forever),
			Truths: []Truth{{Container: "app", Cause: "node-shutdown", Notes: notes}}},
		{Name: "guest-polite", Ends: true, Pod: app(polite),
			Truths: []Truth{{Container: "app", Cause: "node-shutdown", Notes: notes + "; exits 0 on SIGTERM"}}},
	}
}

// oneProcess are pods on a node whose kubelet has the kernel kill one process alone.
func oneProcess() []Scenario {
	return []Scenario{
		{
			Name: "loses-one", Restarts: 2, Pod: func() corev1.PodSpec {
				return corev1.PodSpec{Containers: []corev1.Container{
					container("app", shell("sleep 1; tail /dev/zero; echo my worker is gone; exit 6"), limit("24Mi")),
					container("bystander", forever, limit("64Mi")),
				}}
			},
			Truths: []Truth{{Container: "app", Cause: "oom-child-process", Undecidable: true,
				Notes: "the kernel kills a child at the container's limit; process 1 goes on and exits 6"}},
		},
		{
			Name: "eats-alone", Restarts: 2, Pod: func() corev1.PodSpec {
				return corev1.PodSpec{Containers: []corev1.Container{
					container("app", shell("sleep 1; exec tail /dev/zero"), limit("24Mi")),
					container("bystander", forever, limit("64Mi")),
				}}
			},
			Truths: []Truth{{Container: "app", Cause: "oom-container-limit", Notes: "process 1 reaches the container's limit"}},
		},
	}
}

// hoarding takes the node's memory, slowly enough for the kubelet to see it before the kernel does.
func hoarding() []Scenario {
	hoard := corev1.Volume{Name: "hoard", VolumeSource: corev1.VolumeSource{
		EmptyDir: &corev1.EmptyDirVolumeSource{Medium: corev1.StorageMediumMemory}}}
	return []Scenario{
		{
			Name: "hoards", Ends: true, Pod: func() corev1.PodSpec {
				c := container("app",
					shell("i=0; while :; do head -c 30000000 /dev/zero > /hoard/$i; i=$((i+1)); sleep 1; done"))
				c.VolumeMounts = []corev1.VolumeMount{{Name: "hoard", MountPath: "/hoard"}}
				return corev1.PodSpec{Containers: []corev1.Container{c}, Volumes: []corev1.Volume{hoard}}
			},
			Truths: []Truth{
				{Container: "app", Cause: "evicted-memory", Notes: "fills a volume in memory until the node has none"},
			},
		},
		{Name: "frugal", Pod: app(forever), Upgrade: []Truth{{Container: "app", Notes: "nothing is done to it"}}},
	}
}
