package cases

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/decide"
)

// Generator creates cases for one profile. The same seed gives the same cases.
type Generator struct {
	*rand.Rand
	Profile kubelet.Profile
	Gates   map[string]bool
}

// NewGenerator starts a sequence of cases; gates must be those that p was created with.
func NewGenerator(seed uint64, p kubelet.Profile, gates map[string]bool) *Generator {
	return &Generator{rand.New(rand.NewPCG(seed, uint64(p.Minor))), p, gates}
}

// in returns true once in n times.
func (g *Generator) in(n int) bool { return g.IntN(n) == 0 }

func pick[T any](g *Generator, of ...T) T { return of[g.IntN(len(of))] }

// Next creates one case. Half of them start from a healthy pod that something happens to, because independently random
// states seldom get past initialization; the others are entirely random.
func (g *Generator) Next() Case {
	c := Case{Pod: g.pod(), Gates: g.Gates}
	c.Status.Liveness, c.Status.Startup = map[string]decide.ProbeResult{}, map[string]decide.ProbeResult{}
	healthy := g.in(2)
	g.sandboxes(&c, healthy)
	g.records(&c, healthy)
	g.resources(&c)
	c.Status.RestartAllContainers = g.in(10)
	c.Status.Evented = g.in(4)
	return c
}

func (g *Generator) pod() *corev1.Pod {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "p", Namespace: "n", UID: types.UID("u")}}
	pod.Spec.RestartPolicy = pick(g, corev1.RestartPolicyAlways, corev1.RestartPolicyOnFailure, corev1.RestartPolicyNever)
	if g.in(40) {
		pod.Spec.RestartPolicy = ""
	}
	pod.Spec.HostNetwork = g.in(6)
	if g.in(12) {
		pod.DeletionTimestamp = &metav1.Time{Time: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	}
	if g.in(6) {
		pod.Annotations = map[string]string{"kubernetes.io/config.source": pick(g, "api", "file", "http", "")}
	}
	if g.in(6) {
		pod.Spec.Resources = new(g.requirements())
	}
	for i := range pick(g, 1, 1, 1, 2, 2, 3, 0) {
		pod.Spec.Containers = append(pod.Spec.Containers, g.container(fmt.Sprintf("app%d", i)))
	}
	for i := range pick(g, 0, 0, 1, 1, 2, 3) {
		c := g.container(fmt.Sprintf("init%d", i))
		if g.in(2) {
			c.RestartPolicy = new(corev1.ContainerRestartPolicyAlways)
		}
		pod.Spec.InitContainers = append(pod.Spec.InitContainers, c)
	}
	for i := range pick(g, 0, 0, 0, 1, 2) {
		pod.Spec.EphemeralContainers = append(pod.Spec.EphemeralContainers, corev1.EphemeralContainer{
			EphemeralContainerCommon: corev1.EphemeralContainerCommon{Name: fmt.Sprintf("debug%d", i), Image: "i"},
		})
	}
	if g.in(30) {
		g.duplicate(pod)
	}
	return pod
}

// duplicate gives one container the name of another, or none: the API server would reject it, a static pod may have it.
func (g *Generator) duplicate(pod *corev1.Pod) {
	var all []*corev1.Container
	for i := range pod.Spec.Containers {
		all = append(all, &pod.Spec.Containers[i])
	}
	for i := range pod.Spec.InitContainers {
		all = append(all, &pod.Spec.InitContainers[i])
	}
	if len(all) > 0 {
		all[g.IntN(len(all))].Name = pick(g, "", "app0", "init0", "debug0")
	}
}

func (g *Generator) container(name string) corev1.Container {
	c := corev1.Container{Name: name, Image: pick(g, "i", "i:v1", "r/i@sha256:00", "")}
	if g.in(2) {
		c.Resources = g.requirements()
	}
	if g.in(3) {
		c.LivenessProbe = &corev1.Probe{PeriodSeconds: 10}
	}
	if g.in(3) {
		c.StartupProbe = &corev1.Probe{PeriodSeconds: 10}
	}
	for range pick(g, 0, 0, 1, 2) {
		c.ResizePolicy = append(c.ResizePolicy, corev1.ContainerResizePolicy{
			ResourceName:  pick(g, corev1.ResourceCPU, corev1.ResourceMemory),
			RestartPolicy: pick(g, corev1.NotRequired, corev1.RestartContainer),
		})
	}
	if g.in(3) {
		c.RestartPolicy = new(pick(g, corev1.ContainerRestartPolicyAlways, corev1.ContainerRestartPolicyOnFailure,
			corev1.ContainerRestartPolicyNever))
		if g.in(20) {
			c.RestartPolicy = new(corev1.ContainerRestartPolicy(pick(g, "", "Sometimes")))
		}
	}
	for range pick(g, 0, 0, 1, 2) {
		c.RestartPolicyRules = append(c.RestartPolicyRules, g.rule())
	}
	return c
}

func (g *Generator) rule() corev1.ContainerRestartRule {
	r := corev1.ContainerRestartRule{Action: pick(g, corev1.ContainerRestartRuleActionRestart,
		corev1.ContainerRestartRuleActionRestartAllContainers)}
	if g.in(12) {
		r.Action = "Sing"
	}
	if g.in(12) {
		return r
	}
	r.ExitCodes = &corev1.ContainerRestartRuleOnExitCodes{Operator: pick(g,
		corev1.ContainerRestartRuleOnExitCodesOpIn, corev1.ContainerRestartRuleOnExitCodesOpNotIn)}
	if g.in(20) {
		r.ExitCodes.Operator = "Perhaps"
	}
	for range g.IntN(3) {
		r.ExitCodes.Values = append(r.ExitCodes.Values, pick[int32](g, 0, 1, 42, 137))
	}
	return r
}

// requirements returns few different amounts, so that equal ones are common; the smallest are below what a cgroup can
// hold.
func (g *Generator) requirements() corev1.ResourceRequirements {
	list := func() corev1.ResourceList {
		if g.in(4) {
			return nil
		}
		l := corev1.ResourceList{}
		if !g.in(3) {
			l[corev1.ResourceCPU] = resource.MustParse(pick(g, "1m", "2m", "3m", "5m", "10m", "11m", "100m", "1", "0"))
		}
		if !g.in(3) {
			l[corev1.ResourceMemory] = resource.MustParse(pick(g, "64Mi", "128Mi", "1Gi", "0"))
		}
		return l
	}
	return corev1.ResourceRequirements{Limits: list(), Requests: list()}
}

func (g *Generator) sandboxes(c *Case, healthy bool) {
	// A healthy pod may have had another sandbox before.
	n := pick(g, 1, 1, 2)
	if !healthy {
		n = pick(g, 0, 1, 1, 2, 3)
	}
	for i := range n {
		box := decide.Sandbox{ID: fmt.Sprintf("s%d", i), Attempt: uint32(n - 1 - i), Ready: i == 0,
			Network: decide.NamespacePod, NetworkReported: true, IP: "10.0.0.1"}
		if c.Pod.Spec.HostNetwork {
			box.Network, box.NetworkReported, box.IP = decide.NamespaceNode, g.Profile.Minor < 25 || g.in(2), ""
		}
		if !healthy || g.in(8) {
			g.disturb(&box)
		}
		c.Status.Sandboxes = append(c.Status.Sandboxes, box)
	}
}

func (g *Generator) disturb(box *decide.Sandbox) {
	switch g.IntN(8) {
	case 0, 1:
		box.Ready = !box.Ready
	case 2:
		box.IP = ""
	case 3:
		// Up to 1.24 upstream assumes that the runtime reports a network.
		box.IP, box.NetworkReported = "", g.Profile.Minor < 25
	case 4:
		box.Network = pick(g, decide.NamespacePod, decide.NamespaceNode, decide.NamespaceContainer,
			decide.NamespaceTarget, "")
	case 5:
		box.Attempt = pick[uint32](g, 0, 7, 1<<32-1)
	}
}

// resources draws the resources in effect: mostly what the spec wants, sometimes not, sometimes not recorded, and
// sometimes nothing of the pod is.
func (g *Generator) resources(c *Case) {
	g.actuated(c)
	if g.in(8) {
		c.Status.Resources = nil
		if !g.in(4) {
			c.Status.PodResources = nil
		}
	}
	for i := range c.Pod.Spec.Containers {
		if !g.in(4) {
			c.Pod.Status.ContainerStatuses = append(c.Pod.Status.ContainerStatuses, g.apiStatus(c, i))
		}
	}
}

func (g *Generator) actuated(c *Case) {
	c.Status.Resources = map[string]corev1.ResourceRequirements{}
	for _, list := range [][]corev1.Container{c.Pod.Spec.InitContainers, c.Pod.Spec.Containers} {
		for i := range list {
			switch {
			case g.in(6):
			case g.in(3):
				c.Status.Resources[list[i].Name] = g.requirements()
			default:
				c.Status.Resources[list[i].Name] = *list[i].Resources.DeepCopy()
			}
		}
	}
	switch {
	case g.in(3):
	case g.in(3):
		c.Status.PodResources = new(g.requirements())
	default:
		c.Status.PodResources = c.Pod.Spec.Resources.DeepCopy()
	}
}

func (g *Generator) apiStatus(c *Case, i int) corev1.ContainerStatus {
	spec := &c.Pod.Spec.Containers[i]
	s := corev1.ContainerStatus{Name: spec.Name, Resources: spec.Resources.DeepCopy(),
		AllocatedResources: spec.Resources.DeepCopy().Requests}
	s.State.Running = &corev1.ContainerStateRunning{}
	at := slices.IndexFunc(c.Status.Containers, func(st decide.Container) bool { return st.Name == spec.Name })
	if at >= 0 {
		s.ContainerID = "containerd://" + c.Status.Containers[at].ID
	}
	switch g.IntN(10) {
	case 0:
		s.ContainerID = "containerd://other"
	case 1:
		s.State.Running = nil
	case 2:
		s.Resources = nil
	case 3, 4:
		s.Resources = new(g.requirements())
	case 5:
		s.AllocatedResources = g.requirements().Requests
	case 6:
		s.ContainerID = ""
	}
	return s
}
