package scenario

import (
	"context"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/image"
)

// Lasting returns pods in which nothing goes wrong by itself: what happens to them when their kubelet is replaced
// depends only on the kubelets. Each has a different shape that a kubelet treats specially; some have a past. minor is
// the version of their first kubelet.
func Lasting(minor int) []Scenario {
	always := corev1.ContainerRestartPolicyAlways
	restart := []corev1.ContainerResizePolicy{
		{ResourceName: corev1.ResourceCPU, RestartPolicy: corev1.NotRequired},
		{ResourceName: corev1.ResourceMemory, RestartPolicy: corev1.RestartContainer},
	}
	pods := []Scenario{
		{Name: "plain", Pod: app(forever)},
		{Name: "limited", Pod: app(forever, limit("32Mi"))},
		{Name: "resizable", Pod: app(forever, limit("32Mi"), func(c *corev1.Container) { c.ResizePolicy = restart })},
		{Name: "with-env", Pod: app(polite, func(c *corev1.Container) {
			c.Env = []corev1.EnvVar{{Name: "MODE", Value: "quiet"}}
			c.Ports = []corev1.ContainerPort{{Name: "http", ContainerPort: 8080}}
		})},
		{Name: "on-the-host", Pod: func() corev1.PodSpec {
			return corev1.PodSpec{HostNetwork: true, Containers: []corev1.Container{container("app", forever)}}
		}},
		{Name: "initialised", Pod: prepared()},
		{Name: "with-sidecar",
			Pod: prepared(container("proxy", polite, func(c *corev1.Container) { c.RestartPolicy = &always }))},
		// Kubelets differ in when they consider the initialization finished.
		{Name: "forgetful", Pod: prepared(), Act: forgetPrepare},
		{Name: "forgetful-sidecar",
			Pod: prepared(container("proxy", polite, func(c *corev1.Container) { c.RestartPolicy = &always })),
			Act: forgetPrepare},
		{Name: "moved", Restarts: 1, Settle: 5 * time.Second, Pod: prepared(), Act: killPause,
			Truths: []Truth{{Container: "app", Cause: "sandbox-died",
				Notes: "the pause process is killed; the first sandbox's records stay"}}},
		{Name: "slow-to-start", Pod: app(forever, func(c *corev1.Container) {
			c.StartupProbe = execProbe("true")
			c.StartupProbe.FailureThreshold = 10
			c.LivenessProbe = execProbe("true")
		})},
		{Name: "ready-when-asked", Pod: app(polite, func(c *corev1.Container) { c.ReadinessProbe = execProbe("true") })},
	}
	if minor < 33 { // resizes in place need a gate
		return pods
	}
	return append(pods, Scenario{
		Name: "grown", Restarts: 1, Settle: 5 * time.Second,
		Pod: app(forever, limit("32Mi"), func(c *corev1.Container) { c.ResizePolicy = restart }),
		Act: func(ctx context.Context, hands Hands, pod *corev1.Pod) error {
			return hands.Resize(ctx, pod, "app", "48Mi")
		},
		Truths: []Truth{{Container: "app", Cause: "resize-restart",
			Notes: "the memory limit is raised in place, by a policy that restarts"}},
	})
}

// prepared returns a pod whose container runs after an init container, with other kinds of init containers if given.
func prepared(more ...corev1.Container) func() corev1.PodSpec {
	return func() corev1.PodSpec {
		return corev1.PodSpec{
			InitContainers: append([]corev1.Container{container("prepare", shell("exit 0"))}, slices.Clone(more)...),
			Containers:     []corev1.Container{container("app", forever)},
		}
	}
}

func forgetPrepare(ctx context.Context, hands Hands, pod *corev1.Pod) error {
	return hands.Forget(ctx, pod, "prepare")
}

// Stumbling is the only one of these pods that does not keep running: its container exits again and again, after an
// init container that a kubelet may or may not run again when its record is gone.
func Stumbling() Scenario {
	pod := prepared()
	return Scenario{
		Name: "stumbling", Restarts: 2,
		Pod: func() corev1.PodSpec {
			spec := pod()
			spec.Containers[0].Command = shell("sleep 3; exit 1")
			return spec
		},
		Truths: []Truth{{Container: "app", Cause: "app-exit-error", Notes: "the process exits 1 after three seconds"}},
	}
}

// Resizable reports whether a resize in place restarts a container of the pod.
func (s Scenario) Resizable(container string) bool {
	for _, c := range s.Pod().Containers {
		if c.Name == container {
			return slices.ContainsFunc(c.ResizePolicy, func(p corev1.ContainerResizePolicy) bool {
				return p.RestartPolicy == corev1.RestartContainer
			})
		}
	}
	return false
}

// Static pods, by the name in their manifest.
const (
	StaticPod    = "from-a-file"
	StaticPodUID = "with-its-own-uid"
)

// StaticPods returns the manifests of pods that the kubelet reads from its own directory: one whose UID the kubelet
// computes from the manifest, and one with its own UID.
func StaticPods() map[string]string {
	return map[string]string{
		StaticPod:    manifest(StaticPod, ""),
		StaticPodUID: manifest(StaticPodUID, "  uid: 5d8f3c1a-77b0-4f0e-9a43-2f6f0c1d2e3b\n"),
	}
}

func manifest(name, uid string) string {
	return `apiVersion: v1
kind: Pod
metadata:
  name: ` + name + `
  namespace: kube-system
` + uid + `spec:
  hostNetwork: true
  terminationGracePeriodSeconds: 2
  containers:
  - name: app
    image: ` + image.Busybox + `
    imagePullPolicy: Never
    command: ["sleep", "1000000"]
`
}

// Settled is how long a new kubelet may take to act on a node's containers: it looks at every pod within seconds, and a
// container that it stops has a grace period of two seconds.
const Settled = 40 * time.Second
