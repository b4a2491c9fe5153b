package scenario

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/image"
)

// Lasting are pods in which nothing goes wrong: what becomes of them when their
// kubelet is replaced depends on the kubelets alone. Each is another shape that a
// kubelet treats in a way of its own.
func Lasting() []Scenario {
	always := corev1.ContainerRestartPolicyAlways
	restart := []corev1.ContainerResizePolicy{
		{ResourceName: corev1.ResourceCPU, RestartPolicy: corev1.NotRequired}, {ResourceName: corev1.ResourceMemory, RestartPolicy: corev1.RestartContainer},
	}
	return []Scenario{
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
		{Name: "initialised", Pod: func() corev1.PodSpec {
			return corev1.PodSpec{
				InitContainers: []corev1.Container{container("prepare", shell("exit 0"))},
				Containers:     []corev1.Container{container("app", forever)},
			}
		}},
		{Name: "with-sidecar", Pod: func() corev1.PodSpec {
			return corev1.PodSpec{
				InitContainers: []corev1.Container{
					container("prepare", shell("exit 0")),
					container("proxy", polite, func(c *corev1.Container) { c.RestartPolicy = &always }),
				},
				Containers: []corev1.Container{container("app", forever)},
			}
		}},
		{Name: "slow-to-start", Pod: app(forever, func(c *corev1.Container) {
			c.StartupProbe = execProbe("true")
			c.StartupProbe.FailureThreshold = 10
			c.LivenessProbe = execProbe("true")
		})},
		{Name: "ready-over-tcp", Pod: app(shell("nc -lk -p 8080 -e cat & trap 'exit 0' TERM; while :; do sleep 5 & wait $!; done"), func(c *corev1.Container) {
			c.ReadinessProbe = &corev1.Probe{ProbeHandler: corev1.ProbeHandler{TCPSocket: &corev1.TCPSocketAction{Port: intstr.FromInt32(8080)}}, PeriodSeconds: 2}
		})},
	}
}

// StaticPod is the manifest of a pod that the kubelet reads from its own directory.
func StaticPod() string {
	return `apiVersion: v1
kind: Pod
metadata:
  name: from-a-file
  namespace: kube-system
spec:
  hostNetwork: true
  terminationGracePeriodSeconds: 2
  containers:
  - name: app
    image: ` + image.Busybox + `
    imagePullPolicy: Never
    command: ["sleep", "1000000"]
`
}

// Settled is how long what a new kubelet does to a node's containers may take: it
// looks at every pod within seconds, and a container that is stopped has two to go.
const Settled = 40 * time.Second
