package decide

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
)

// Amounts below which the runtime does not distinguish requests and limits, in millicores (cm/helpers_linux.go
// MinShares and MinMilliCPULimit; used by 1.32 only).
const (
	minCPUShares = 2
	minCPULimit  = 10
)

// configSource is the annotation that marks a static pod for the kubelet (kubelet/types/pod_update.go IsStaticPod).
const configSource = "kubernetes.io/config.source"

// amounts are the resources that a resize compares: memory in bytes, CPU in millicores.
type amounts struct {
	memoryLimit, memoryRequest, cpuLimit, cpuRequest int64
}

func amountsOf(r *corev1.ResourceRequirements) amounts {
	if r == nil {
		return amounts{}
	}
	return amounts{
		memoryLimit:   r.Limits.Memory().Value(),
		memoryRequest: r.Requests.Memory().Value(),
		cpuLimit:      r.Limits.Cpu().MilliValue(),
		cpuRequest:    r.Requests.Cpu().MilliValue(),
	}
}

// within fills in limits that a container does not have from those of its pod (util/util.go GetLimits, 1.35+ gate).
func (a amounts) within(pod *corev1.ResourceRequirements) amounts {
	p := amountsOf(pod)
	if a.memoryLimit == 0 {
		a.memoryLimit = p.memoryLimit
	}
	if a.cpuLimit == 0 {
		a.cpuLimit = p.cpuLimit
	}
	return a
}

// mayResize is IsInPlacePodVerticalScalingAllowed on linux: not for static pods before 1.36.
func (d *decision) mayResize() bool {
	source, known := d.pod.Annotations[configSource]
	return d.gate(kubelet.InPlacePodVerticalScaling) && (d.p.Minor >= 36 || !known || source == "api")
}

// resize is computePodResizeAction: it returns whether the running container is kept, and records an update or a
// restart.
func (d *decision) resize(i int, kind Kind, st *Container) (keep bool) {
	if !d.mayResize() || st.State != StateRunning {
		return true
	}
	list := d.pod.Spec.Containers
	if kind == KindInit {
		list = d.pod.Spec.InitContainers
	}
	c := &list[i]
	want, have, compare := d.resources(c, st)
	if !compare || want == have {
		return true
	}
	memory := want.memoryLimit != have.memoryLimit || d.p.Rules.Resize == kubelet.ResizeActuated &&
		want.memoryRequest != have.memoryRequest
	cpu := want.cpuLimit != have.cpuLimit || want.cpuRequest != have.cpuRequest
	restart := memory && d.restartsFor(c, corev1.ResourceMemory) || cpu && d.restartsFor(c, corev1.ResourceCPU)
	if d.ask(&bResize, restart, c.Name, func() string { return d.whyResize(c, want, have) }) {
		d.kill(st.ID, st.Name, "", fmt.Sprintf("Container %s resize requires restart", c.Name))
		if kind == KindInit {
			d.startInit(i)
		} else {
			d.a.ContainersToStart = append(d.a.ContainersToStart, i)
		}
		d.a.UpdatePodResources = true
		return false
	}
	d.update(corev1.ResourceMemory, st, memory, firstDifference(want.memoryLimit,
		have.memoryLimit, want.memoryRequest, have.memoryRequest))
	d.update(corev1.ResourceCPU, st, cpu, firstDifference(want.cpuLimit, have.cpuLimit, want.cpuRequest, have.cpuRequest))
	return true
}

// firstDifference is positive when the limit grows, or, with equal limits, when the request does.
func firstDifference(wantLimit, haveLimit, wantRequest, haveRequest int64) int64 {
	if wantLimit != haveLimit {
		return wantLimit - haveLimit
	}
	return wantRequest - haveRequest
}

// update records a resize in place; upstream puts decreases of one resource before its increases.
func (d *decision) update(resource corev1.ResourceName, st *Container, differs bool, by int64) {
	if !differs {
		return
	}
	u := CgroupUpdate{Resource: resource, ID: st.ID, Name: st.Name}
	if by > 0 {
		d.a.ContainersToUpdate = append(d.a.ContainersToUpdate, u)
	} else {
		d.a.ContainersToUpdate = append([]CgroupUpdate{u}, d.a.ContainersToUpdate...)
	}
}

// restartsFor returns what the resize policy of the resource says; without one a resize needs no restart. Of several
// the last one counted up to 1.32 (computePodResizeAction filled a map), the first one does since 1.33.
func (d *decision) restartsFor(c *corev1.Container, resource corev1.ResourceName) (restart bool) {
	for _, policy := range c.ResizePolicy {
		if policy.ResourceName != resource {
			continue
		}
		restart = policy.RestartPolicy == corev1.RestartContainer
		if d.p.Rules.Resize == kubelet.ResizeActuated {
			return restart
		}
	}
	return restart
}

// resources returns what the spec requests and what is in effect, by the version's source; compare is false where that
// version does not compare.
func (d *decision) resources(c *corev1.Container, st *Container) (want, have amounts, compare bool) {
	want = amountsOf(&c.Resources)
	record, found := d.s.Resources[c.Name]
	switch d.p.Rules.Resize {
	case kubelet.ResizeStatus:
		return d.resourcesByStatus(c, st, want, record)
	case kubelet.ResizeRuntime:
		if !found {
			return want, have, false
		}
		have = amountsOf(&record)
		have.memoryRequest = want.memoryRequest
		if want.cpuRequest <= minCPUShares && have.cpuRequest <= minCPUShares {
			want.cpuRequest = have.cpuRequest
		}
		if want.cpuLimit <= minCPULimit && have.cpuLimit <= minCPULimit {
			want.cpuLimit = have.cpuLimit
		}
		return want, have, true
	}
	d.ask(&bResizeMiss, !found, c.Name, func() string {
		if found {
			return "actuated_pods_state has it"
		}
		return "actuated_pods_state does not have it"
	})
	have = amountsOf(&record)
	if d.gate(kubelet.InPlacePodLevelResourcesVerticalScaling) {
		want, have = want.within(d.pod.Spec.Resources), have.within(d.s.PodResources)
	}
	return want, have, true
}

// resourcesByStatus: what the API status says, once the kubelet has accepted the resize; the runtime's value takes
// precedence.
func (d *decision) resourcesByStatus(c *corev1.Container, st *Container,
	want amounts, runtime corev1.ResourceRequirements) (_, have amounts, compare bool) {
	api := apiStatus(d.pod, c.Name)
	if c.Resources.Limits == nil || api == nil || api.State.Running == nil ||
		api.Resources == nil || !sameID(api.ContainerID, st.ID) ||
		!sameResources(c.Resources.Requests, api.AllocatedResources) {
		return want, have, false
	}
	have = amountsOf(api.Resources)
	if limit, ok := runtime.Limits[corev1.ResourceMemory]; ok {
		have.memoryLimit = limit.Value()
	}
	if limit, ok := runtime.Limits[corev1.ResourceCPU]; ok {
		have.cpuLimit = limit.MilliValue()
	}
	if request, ok := runtime.Requests[corev1.ResourceCPU]; ok {
		have.cpuRequest = request.MilliValue()
	}
	// Memory requests have no cgroup file, so they never make a difference here.
	want.memoryRequest = have.memoryRequest
	return want, have, true
}

func apiStatus(pod *corev1.Pod, name string) *corev1.ContainerStatus {
	for i := range pod.Status.ContainerStatuses {
		if pod.Status.ContainerStatuses[i].Name == name {
			return &pod.Status.ContainerStatuses[i]
		}
	}
	return nil
}

// sameID reports whether an API container ID is a runtime's, which may lack the runtime's prefix.
func sameID(api, id string) bool {
	return id != "" && api == id || strings.HasSuffix(api, "://"+id)
}

func sameResources(a, b corev1.ResourceList) bool {
	if len(a) != len(b) {
		return false
	}
	for name, q := range a {
		if other, ok := b[name]; !ok || q.Cmp(other) != 0 {
			return false
		}
	}
	return true
}

func (d *decision) whyResize(c *corev1.Container, want, have amounts) string {
	return fmt.Sprintf("%s; restart for memory: %s, for CPU: %s", differences(want, have),
		yesNo(d.restartsFor(c, corev1.ResourceMemory)), yesNo(d.restartsFor(c, corev1.ResourceCPU)))
}

func differences(want, have amounts) string {
	var parts []string
	part := func(what string, want, have int64) {
		if want != have {
			parts = append(parts, fmt.Sprintf("%s %d → %d", what, have, want))
		}
	}
	part("memory limit", want.memoryLimit, have.memoryLimit)
	part("memory request", want.memoryRequest, have.memoryRequest)
	part("CPU limit (m)", want.cpuLimit, have.cpuLimit)
	part("CPU request (m)", want.cpuRequest, have.cpuRequest)
	return strings.Join(parts, ", ")
}
