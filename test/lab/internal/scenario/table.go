package scenario

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/image"
)

// forever ignores SIGTERM, as a process 1 without a handler does: when stopped, it is killed after its grace period and
// exits with 137.
var forever = []string{"sleep", "1000000"}

// polite exits immediately on SIGTERM, with exit code 0.
var polite = shell("trap 'exit 0' TERM; while :; do sleep 5 & wait $!; done")

func shell(script string) []string { return []string{"sh", "-c", script} }

func app(command []string, change ...func(*corev1.Container)) func() corev1.PodSpec {
	return func() corev1.PodSpec {
		return corev1.PodSpec{Containers: []corev1.Container{container("app", command, change...)}}
	}
}

func container(name string, command []string, change ...func(*corev1.Container)) corev1.Container {
	c := corev1.Container{Name: name, Image: image.Busybox, Command: command}
	for _, f := range change {
		f(&c)
	}
	return c
}

func limit(memory string) func(*corev1.Container) {
	return func(c *corev1.Container) {
		c.Resources.Limits = corev1.ResourceList{corev1.ResourceMemory: resource.MustParse(memory)}
	}
}

func execProbe(command ...string) *corev1.Probe {
	return &corev1.Probe{
		ProbeHandler:        corev1.ProbeHandler{Exec: &corev1.ExecAction{Command: command}},
		InitialDelaySeconds: 2, PeriodSeconds: 2, FailureThreshold: 2, TimeoutSeconds: 5,
	}
}

// closedPort is a port on which nothing in a pod listens.
const closedPort = 9

// All returns every scenario of the end-to-end test.
func All() []Scenario { return slices.Concat(loops(), lookalikes(), once(), healthy()) }

// loops are pods that fail again and again, each time with the same cause.
func loops() []Scenario {
	return []Scenario{
		{
			Name: "exits-three", Restarts: 2,
			Pod:    app(shell("echo cannot reach my database > /dev/termination-log; sleep 1; exit 3")),
			Truths: []Truth{{Container: "app", Cause: "app-exit-error", Notes: "the process exits 3 after a second"}},
		},
		{
			Name: "exits-zero", Restarts: 2, Pod: app(shell("sleep 2; exit 0")),
			Truths: []Truth{{Container: "app", Cause: "app-exit-zero",
				Notes: "the process is done after two seconds; restartPolicy is Always"}},
		},
		{
			// Kubernetes turns $$ into $: the shell sees $$ inside single quotes, so it is the inner shell's own
			// process id and not process 1's.
			Name: "segfaults", Restarts: 2, Pod: app(shell("sh -c 'kill -SEGV $$$$'; exit $?")),
			Truths: []Truth{{Container: "app", Cause: "app-signal",
				Notes: "a child dies of SIGSEGV and process 1 passes on 139"}},
		},
		{
			// The second container raises the pod's limit above the first one's. With one container both limits are the
			// same, and the pod's is reached first, because the pause process counts there too.
			Name: "eats-memory", Restarts: 2, Pod: func() corev1.PodSpec {
				return corev1.PodSpec{Containers: []corev1.Container{
					container("app", []string{"tail", "/dev/zero"}, limit("24Mi")),
					container("bystander", forever, limit("64Mi")),
				}}
			},
			Truths: []Truth{{Container: "app", Cause: "oom-container-limit",
				Notes: "process 1 allocates until the container's own limit kills it"}},
		},
		{
			Name: "fails-liveness", Restarts: 2,
			Pod:    app(forever, func(c *corev1.Container) { c.LivenessProbe = execProbe("false") }),
			Truths: []Truth{{Container: "app", Cause: "liveness-probe-failed", Notes: "the exec probe returns 1 every time"}},
		},
		{
			Name: "starts-never", Restarts: 2, Pod: app(forever, func(c *corev1.Container) {
				c.StartupProbe = &corev1.Probe{
					ProbeHandler:  corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Path: "/", Port: intstr.FromInt32(closedPort)}},
					PeriodSeconds: 2, FailureThreshold: 3,
				}
			}),
			Truths: []Truth{{Container: "app", Cause: "startup-probe-failed",
				Notes: "the HTTP probe asks a port on which nothing listens"}},
		},
		{
			Name: "hook-breaks", Restarts: 2, Pod: app(forever, func(c *corev1.Container) {
				c.Lifecycle = &corev1.Lifecycle{PostStart: &corev1.LifecycleHandler{
					Exec: &corev1.ExecAction{Command: shell("echo cannot register; exit 4")}}}
			}),
			Truths: []Truth{{Container: "app", Cause: "post-start-hook-failed",
				Notes: "the postStart hook exits 4, so the kubelet kills the container"}},
		},
		{
			Name: "never-initialised", Restarts: 2, Pod: func() corev1.PodSpec {
				return corev1.PodSpec{
					InitContainers: []corev1.Container{container("prepare", shell("echo no schema; exit 5"))},
					Containers:     []corev1.Container{container("app", forever)},
				}
			},
			Truths: []Truth{{Container: "prepare", Cause: "init-container-failed", Notes: "the init container exits 5"}},
		},
	}
}

// lookalikes are pods whose last state looks like that of another cause.
func lookalikes() []Scenario {
	return []Scenario{
		{
			// It exits properly on SIGTERM, so its last state says Completed, exit 0.
			Name: "bows-out", Restarts: 2, Pod: app(polite, func(c *corev1.Container) { c.LivenessProbe = execProbe("false") }),
			Truths: []Truth{{Container: "app", Cause: "liveness-probe-failed",
				Notes: "killed for its liveness probe, and exits 0 on SIGTERM"}},
		},
		{
			// An OOM kill and a kill from outside leave 137, too.
			Name: "kills-its-child", Restarts: 2, Pod: app(shell("sleep 1; sh -c 'kill -KILL $$$$'; exit $?")),
			Truths: []Truth{{Container: "app", Cause: "app-signal", Undecidable: true,
				Notes: "a child gets SIGKILL from inside the pod and process 1 passes on 137; no record says who sent it"}},
		},
		{
			// On cgroup v1 the runtime reports OOMKilled whatever the exit code.
			Name: "loses-its-child", Restarts: 2, Pod: func() corev1.PodSpec {
				return corev1.PodSpec{Containers: []corev1.Container{
					container("app", shell("tail /dev/zero; echo my worker is gone; exit 6"), limit("24Mi")),
					container("bystander", forever, limit("64Mi")),
				}}
			},
			Truths: []Truth{{Container: "app", Cause: "oom-child-process", Undecidable: true,
				Notes: "the kernel kills a child at the container's limit; process 1 goes on and exits 6"}},
		},
	}
}

func once() []Scenario {
	return []Scenario{
		{
			Name: "edited", Restarts: 1, Settle: 15 * time.Second, Pod: app(polite),
			Act: func(ctx context.Context, hands Hands, pod *corev1.Pod) error {
				return hands.SetImage(ctx, pod, "app", image.BusyboxNext)
			},
			Truths: []Truth{{Container: "app", Cause: "spec-image-changed", Notes: "the image of the bare pod is patched"}},
		},
		{
			Name: "pauseless", Restarts: 1, Settle: 10 * time.Second, Pod: app(forever), Act: killPause,
			Truths: []Truth{{Container: "app", Cause: "sandbox-died", Notes: "the pause process is killed"}},
		},
		{
			Name: "ambushed", Restarts: 1, Settle: 10 * time.Second, Pod: app(forever),
			Act: func(ctx context.Context, hands Hands, pod *corev1.Pod) error {
				id, err := containerID(pod, "app")
				if err != nil {
					return err
				}
				return hands.KillTask(ctx, pod.Spec.NodeName, id)
			},
			Truths: []Truth{{Container: "app", Cause: "killed-externally",
				Notes: "SIGKILL through containerd, behind the kubelet's back"}},
		},
		{
			Name: "stopped-by-hand", Restarts: 1, Settle: 10 * time.Second, Pod: app(forever), Act: stopOverCRI,
			Truths: []Truth{{Container: "app", Cause: "killed-externally",
				Notes: "a CRI StopContainer call that the kubelet did not make"}},
		},
		{
			Name: "sent-home", Restarts: 1, Settle: 10 * time.Second, Pod: app(polite), Act: stopOverCRI,
			Truths: []Truth{{Container: "app", Cause: "killed-externally",
				Notes: "the same, and the process exits 0 on SIGTERM"}},
		},
	}
}

func killPause(ctx context.Context, hands Hands, pod *corev1.Pod) error {
	id, err := hands.SandboxOf(ctx, pod)
	if err != nil {
		return err
	}
	return hands.KillTask(ctx, pod.Spec.NodeName, id)
}

func stopOverCRI(ctx context.Context, hands Hands, pod *corev1.Pod) error {
	id, err := containerID(pod, "app")
	if err != nil {
		return err
	}
	return hands.StopContainer(ctx, pod.Spec.NodeName, id, time.Second)
}

// healthy pods never restart by themselves: any verdict about them is a false alarm until their kubelet is replaced.
func healthy() []Scenario {
	upgraded := func(container string) Truth {
		return Truth{Container: container, Cause: "hash-kubelet-upgrade",
			Notes: "the kubelet was replaced across 1.31 while the container ran"}
	}
	return []Scenario{
		{Name: "steady", Pod: app(forever), Upgrade: []Truth{upgraded("app")}},
		{
			Name: "steady-pair", Pod: func() corev1.PodSpec {
				return corev1.PodSpec{Containers: []corev1.Container{
					container("web", polite, func(c *corev1.Container) {
						c.LivenessProbe = execProbe("true")
						c.Env = []corev1.EnvVar{{Name: "MODE", Value: "quiet"}}
						c.Ports = []corev1.ContainerPort{{Name: "http", ContainerPort: 8080}}
					}),
					container("worker", forever, limit("64Mi")),
				}}
			},
			Upgrade: []Truth{upgraded("web"), upgraded("worker")},
		},
	}
}

// containerID returns the runtime's id, without the runtime's name.
func containerID(pod *corev1.Pod, container string) (string, error) {
	status := StatusOf(pod, container)
	if status == nil {
		return "", fmt.Errorf("find container %s of pod %s: no status yet", container, pod.Name)
	}
	_, id, ok := strings.Cut(status.ContainerID, "://")
	if !ok {
		return "", fmt.Errorf("find container %s of pod %s: container id %q", container, pod.Name, status.ContainerID)
	}
	return id, nil
}
