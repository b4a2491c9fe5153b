package scenario

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/image"
)

// outside are healthy pods that are affected from the node, bypassing runtime and kubelet.
func outside() []Scenario {
	return []Scenario{
		{
			Name: "shot-at", Restarts: 1, Pod: app(forever),
			Act:    shoot,
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
				return hands.Do(ctx, pod.Spec.NodeName, "systemctl stop cri-containerd-"+id+".scope")
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
				return hands.Do(ctx, pod.Spec.NodeName, "systemctl stop kubepods-besteffort-pod"+uid+".slice")
			},
			Truths: []Truth{{Container: "app", Cause: "killed-externally",
				Notes: "systemctl stop of the pod's slice ends container and sandbox together"}},
		},
	}
}

// shoot sends SIGKILL from the node to a container's process 1.
func shoot(ctx context.Context, hands Hands, pod *corev1.Pod) error {
	id, err := containerID(pod, "app")
	if err != nil {
		return err
	}
	return hands.Shoot(ctx, pod.Spec.NodeName, id)
}

// ticking are pods with their own troubles while the clock is set forward and back, and one without any.
func ticking() []Scenario {
	return unhurried([]Scenario{
		{Name: "ticks-and-exits", Restarts: 3, Pod: app(shell("sleep 8; exit 3")),
			Truths: []Truth{{Container: "app", Cause: "app-exit-error", Notes: "exits 3 while the clock steps"}}},
		{Name: "ticks-and-ends", Restarts: 3, Pod: app(shell("sleep 8; exit 0")),
			Truths: []Truth{{Container: "app", Cause: "app-exit-zero", Notes: "exits 0 while the clock steps"}}},
		{
			Name: "ticks-and-fails", Restarts: 3,
			Pod: app(forever, func(c *corev1.Container) {
				c.LivenessProbe = execProbe("false")
				c.LivenessProbe.PeriodSeconds, c.LivenessProbe.FailureThreshold = 5, 3
			}),
			Truths: []Truth{{Container: "app", Cause: "liveness-probe-failed", Notes: "its probe fails while the clock steps"}},
		},
		{
			Name: "ticks-and-eats", Restarts: 3, Pod: func() corev1.PodSpec {
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

// evacuated are pods that their kubelet ends before the machine goes down. It gives up on a pod after one and a half of
// its grace period, and ten seconds are not enough for an emulated processor.
func evacuated() []Scenario {
	notes := "logind is asked for a shutdown, and the kubelet ends its pods first"
	slowly := func(command []string) func() corev1.PodSpec {
		return func() corev1.PodSpec {
			return corev1.PodSpec{TerminationGracePeriodSeconds: new(int64(40)),
				Containers: []corev1.Container{container("app", command)}}
		}
	}
	return []Scenario{
		{Name: "guest", Ends: true, Pod: slowly(forever),
			Truths: []Truth{{Container: "app", Cause: "node-shutdown", Notes: notes}}},
		{Name: "guest-polite", Ends: true, Pod: slowly(polite),
			Truths: []Truth{{Container: "app", Cause: "node-shutdown", Notes: notes + "; exits 0 on SIGTERM"}}},
	}
}

// oneProcess are pods on a node whose kubelet lets the kernel kill a single process.
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

// hoarding uses up the node's memory, slowly enough for the kubelet to see it before the kernel does.
func hoarding() []Scenario {
	hoard := corev1.Volume{Name: "hoard", VolumeSource: corev1.VolumeSource{
		EmptyDir: &corev1.EmptyDirVolumeSource{Medium: corev1.StorageMediumMemory}}}
	return []Scenario{
		{
			Name: "hoards", Ends: true, Pod: func() corev1.PodSpec {
				c := container("app",
					shell("i=0; while :; do "+zeros("/hoard/$i", 60)+"; i=$((i+1)); sleep 1; done"))
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

// starving uses up the node's memory at once.
func starving() []Scenario {
	return []Scenario{
		{
			// Two of them, as one read gives no more than 2 GiB.
			Name: "gorges", Restarts: 2, Pod: app(shell("dd if=/dev/zero of=/dev/null bs=1900M & " +
				"exec dd if=/dev/zero of=/dev/null bs=1900M")),
			Truths: []Truth{{Container: "app", Cause: "oom-node",
				Notes: "fills two blocks that are more than all memory, until the kernel has none left for anybody"}},
		},
		{Name: "fasts", Pod: app(forever), Upgrade: []Truth{{Container: "app", Notes: "nothing is done to it"}}},
	}
}

// filling uses up the node's disk, and a pod's limit on it.
func filling() []Scenario {
	return []Scenario{
		{
			Name: "spills", Ends: true, Pod: app(shell("sleep 10; "+zeros("/spilt", 60)+"; sleep 1000000"),
				func(c *corev1.Container) {
					c.Resources.Limits = corev1.ResourceList{corev1.ResourceEphemeralStorage: resource.MustParse("20Mi")}
				}),
			Truths: []Truth{{Container: "app", Cause: "evicted-disk", Notes: "writes more than its limit into its own layer"}},
		},
		{
			Name: "dumps", Ends: true, Pod: kept("i=0; while :; do " + zeros("/kept/$i", 60) + " || sleep 5; i=$((i+1)); done"),
			Truths: []Truth{{Container: "app", Cause: "evicted-disk", Notes: "fills a volume until the node's disk is full"}},
		},
		{
			Name: "stumbled-before", Restarts: 1, Pod: critical(kept(turns("sleep 2; exit 3", "sleep 1000000"))),
			Truths: []Truth{{Container: "app", Cause: "app-exit-error",
				Notes: "exits 3 once; the kubelet may remove its records to free the disk"}},
		},
	}
}

// critical returns a pod that no kubelet evicts, however little it has left
// (kubelet v1.37 eviction/eviction_manager.go evictPod, types/pod_update.go IsCriticalPod).
func critical(made func() corev1.PodSpec) func() corev1.PodSpec {
	return func() corev1.PodSpec {
		spec := made()
		spec.PriorityClassName = "system-node-critical"
		return spec
	}
}

// zeros writes a file of that many MiB, in pieces that an emulated processor copies in seconds.
func zeros(file string, mib int) string {
	return fmt.Sprintf("dd if=/dev/zero of=%s bs=1M count=%d 2>/dev/null", file, mib)
}

// kept returns a pod with a volume at /kept that survives its container's restarts.
func kept(script string, change ...func(*corev1.Container)) func() corev1.PodSpec {
	return func() corev1.PodSpec {
		c := container("app", shell(script), change...)
		c.VolumeMounts = []corev1.VolumeMount{{Name: "kept", MountPath: "/kept"}}
		return corev1.PodSpec{Containers: []corev1.Container{c}, Volumes: []corev1.Volume{
			{Name: "kept", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}}}}
	}
}

// turns returns a script that behaves differently in each instance of its container; the last one repeats.
func turns(scripts ...string) string {
	out := "n=$(cat /kept/n 2>/dev/null || echo 0); echo $((n+1)) > /kept/n; case $n in "
	for i, s := range scripts[:len(scripts)-1] {
		out += fmt.Sprintf("%d) %s;; ", i, s)
	}
	return out + "*) " + scripts[len(scripts)-1] + ";; esac"
}

func inARow() []Scenario {
	const rest, eat = "exec sleep 1000000", "sleep 2; exec tail /dev/zero"
	const wellBehaved = "trap 'exit 0' TERM; while :; do sleep 5 & wait $!; done"
	// A pod's limit is the sum of its containers' limits: with only one container, the pod's would be reached first.
	beside := func(made func() corev1.PodSpec) func() corev1.PodSpec {
		return func() corev1.PodSpec {
			spec := made()
			spec.Containers = append(spec.Containers, container("bystander", forever, limit("64Mi")))
			return spec
		}
	}
	return unhurried([]Scenario{
		{
			Name: "exits-then-eats", Restarts: 2, Pod: beside(kept(turns("sleep 2; exit 3", eat, rest), limit("24Mi"))),
			Truths: []Truth{{Container: "app", Cause: "oom-container-limit", Also: []string{"app-exit-error"},
				Notes: "exits 3, then reaches its limit"}},
		},
		{
			Name: "eats-then-ends", Restarts: 2, Pod: beside(kept(turns(eat, "sleep 2; exit 0", rest), limit("24Mi"))),
			Truths: []Truth{{Container: "app", Cause: "app-exit-zero", Also: []string{"oom-container-limit"},
				Notes: "reaches its limit, then exits 0"}},
		},
		{
			Name: "sick-then-exits", Restarts: 2,
			Pod: kept(turns("touch /kept/sick; "+rest, "rm /kept/sick; sleep 15; exit 4", rest), func(c *corev1.Container) {
				c.LivenessProbe = execProbe("test", "!", "-e", "/kept/sick")
				c.LivenessProbe.PeriodSeconds = 5
			}),
			Truths: []Truth{{Container: "app", Cause: "app-exit-error", Also: []string{"liveness-probe-failed"},
				Notes: "its probe fails, and in its next life it exits 4"}},
		},
		{
			Name: "exits-then-edited", Restarts: 2, Pod: kept(turns("sleep 2; exit 7", wellBehaved)),
			Act: func(ctx context.Context, hands Hands, pod *corev1.Pod) error {
				return hands.SetImage(ctx, pod, "app", image.BusyboxNext)
			},
			Truths: []Truth{{Container: "app", Cause: "spec-image-changed", Also: []string{"app-exit-error"},
				Notes: "exits 7, and once it runs well its image is patched"}},
		},
		{
			Name: "exits-then-shot", Restarts: 2, Pod: kept(turns("sleep 2; exit 137", rest)), Act: shoot,
			Truths: []Truth{{Container: "app", Cause: "killed-externally", Also: []string{"app-exit-error", "app-signal"},
				Notes: "exits 137 by itself, then a process of the node sends SIGKILL"}},
		},
	})
}

// many is a container with twelve ends, of which the API remembers one. An emulated node takes forty seconds per end.
func many() []Scenario {
	return []Scenario{
		{
			Name: "exits-twelve-times", Restarts: 12,
			Pod: kept("n=$(cat /kept/n 2>/dev/null || echo 0); echo $((n+1)) > /kept/n; " +
				"[ $n -lt 12 ] || exec sleep 1000000; exit 2"),
			Truths: []Truth{{Container: "app", Cause: "app-exit-error", Notes: "exits 2 twelve times, then runs"}},
		},
	}
}

func shapes(minor int) []Scenario {
	always, never := corev1.ContainerRestartPolicyAlways, corev1.ContainerRestartPolicyNever
	deadline := int64(40)
	out := []Scenario{
		{
			Name: "overdue", Ends: true, Pod: func() corev1.PodSpec {
				return corev1.PodSpec{ActiveDeadlineSeconds: &deadline, Containers: []corev1.Container{container("app", forever)}}
			},
			Truths: []Truth{{Container: "app", Cause: "deadline-exceeded",
				Notes: "may run for forty seconds and runs for longer"}},
		},
		{
			Name: "lame-sidecar", Restarts: 2, Pod: prepared(container("proxy", polite, func(c *corev1.Container) {
				c.RestartPolicy = &always
				c.LivenessProbe = execProbe("false")
			})),
			Truths: []Truth{{Container: "proxy", Cause: "liveness-probe-failed",
				Notes: "the sidecar's probe returns 1 every time"}},
		},
		{
			Name: "crossed-over", Restarts: 1, Settle: 20 * time.Second, Pod: prepared(), Act: killPause,
			Truths: []Truth{{Container: "app", Cause: "sandbox-died", Notes: "the pause process is killed; init runs again"}},
		},
	}
	for _, s := range Lasting(minor) {
		if s.Name == "grown" {
			s.Settle = 20 * time.Second
			out = append(out, s)
		}
	}
	rule := func(action corev1.ContainerRestartRuleAction) func(*corev1.Container) {
		return func(c *corev1.Container) {
			c.RestartPolicy = &never
			c.RestartPolicyRules = []corev1.ContainerRestartRule{{Action: action,
				ExitCodes: &corev1.ContainerRestartRuleOnExitCodes{
					Operator: corev1.ContainerRestartRuleOnExitCodesOpIn, Values: []int32{42}}}}
		}
	}
	if minor >= 35 {
		out = append(out, Scenario{Name: "ruled", Restarts: 1,
			Pod:    kept(turns("sleep 5; exit 42", "exec sleep 1000000"), rule(corev1.ContainerRestartRuleActionRestart)),
			Truths: []Truth{{Container: "app", Cause: "restart-rule", Notes: "exits 42, for which it has a rule"}}})
	}
	if minor >= 36 {
		out = append(out, Scenario{Name: "all-or-none", Restarts: 1,
			Pod: func() corev1.PodSpec {
				spec := kept(turns("sleep 15; exit 42", "exec sleep 1000000"),
					rule(corev1.ContainerRestartRuleActionRestartAllContainers))()
				spec.Containers = append(spec.Containers, container("peer", forever))
				return spec
			},
			Truths: []Truth{{Container: "peer", Cause: "restart-all-containers",
				Notes: "another container exits 42, whose rule restarts all"}}})
	}
	return unhurried(out)
}
