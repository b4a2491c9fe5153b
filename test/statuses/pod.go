package main

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// This file creates the objects of a status: its pod, its node, a neighbour.

// told is an exit in one container's status.
type told struct {
	container string
	id        string // "" if the kubelet lost it
	end
	finished time.Time
	// present: it is in state, not in lastState.
	present bool
}

// object is a status as the API server has it.
type object struct {
	status
	pod    *corev1.Pod
	node   *corev1.Node // nil if it was not read
	beside *corev1.Pod  // a pod of the node that keeps running
	events []*corev1.Event
	// told are the exits in the statuses; newest is the last one of the container main.
	told   []told
	newest *told
	over   time.Time // when the pod ended, or the last exit
}

// apart is the time between statuses, so that none looks like another's neighbour.
const apart = 127 * time.Minute

var base = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// restartGap is the time from an end to the next start.
const restartGap = 20 * time.Second

// newest returns the last exit of main.
func (s status) newest() (end, bool) {
	switch now := int(s[ofNow]); {
	case now >= nowWaits+len(waits):
		return ends[now-nowWaits-len(waits)], true
	case s[ofLast] > 0:
		return ends[s[ofLast]-1], true
	}
	return end{}, false
}

// waits returns why main waits, nil if it does not.
func (s status) waits() *wait {
	if now := int(s[ofNow]); now >= nowWaits && now < nowWaits+len(waits) {
		return &waits[now-nowWaits]
	}
	return nil
}

func (s status) object(i int) *object {
	at := base.Add(time.Duration(i) * apart)
	name, node := fmt.Sprintf("p%d", i), fmt.Sprintf("n%d", i)
	life := lives[s[ofLife]]
	created := at.Add(-life - time.Minute)
	if s[ofCount] > 0 {
		created = created.Add(-12 * time.Hour)
	}
	o := &object{status: s, over: at}
	p := &corev1.Pod{TypeMeta: metav1.TypeMeta{Kind: "Pod", APIVersion: "v1"}}
	p.Namespace, p.Name, p.UID, p.CreationTimestamp = "default", name,
		types.UID(fmt.Sprintf("00000000-0000-4000-8000-%012d", i)), metav1.Time{Time: created}
	p.Spec = s.spec(node)
	end := podEnds[s[ofPod]]
	p.Status.Phase, p.Status.Reason, p.Status.Message = end.phase, end.reason, end.message
	p.Status.QOSClass = s.qos()
	p.Status.StartTime = &metav1.Time{Time: created}
	if s[ofNow] != nowAbsent {
		o.statuses(p, i, at, life)
	}
	if s[ofOwner] > 0 {
		yes := true
		kind := owners[s[ofOwner]]
		p.OwnerReferences = []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: kind,
			Name: "owner", UID: "o", Controller: &yes}}
		if kind == "Node" {
			p.OwnerReferences[0].APIVersion, p.OwnerReferences[0].Name = "v1", node
			p.Annotations = map[string]string{"kubernetes.io/config.mirror": "abc",
				"kubernetes.io/config.hash": "abc", "kubernetes.io/config.source": "file"}
		}
	}
	if s[ofDisruption] > 0 {
		p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{
			Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue, Reason: disruptions[s[ofDisruption]-1],
			Message: "asked for", LastTransitionTime: metav1.Time{Time: o.asked()},
		})
	}
	if s[ofDeletion] > 0 {
		grace := int64(30)
		p.DeletionTimestamp, p.DeletionGracePeriodSeconds = &metav1.Time{Time: o.asked().Add(30 * time.Second)}, &grace
	}
	o.pod = p
	if s[ofNode] != 1 {
		o.node = s.nodeOf(node, created)
	}
	if s[ofNode] == nodeNeighbour {
		o.beside = neighbour(i, node, created)
	}
	o.speak()
	return o
}

// stopTakes returns how long before its exit the container was asked to stop: what got SIGKILL outlived its grace
// period.
func (o *object) stopTakes() time.Duration {
	if o.newest != nil && o.newest.code == 137 {
		return 30 * time.Second
	}
	return time.Second
}

// asked returns when someone requested the pod's end.
func (o *object) asked() time.Time { return o.over.Add(-o.stopTakes() - time.Second) }

func (o *object) statuses(p *corev1.Pod, i int, at time.Time, life time.Duration) {
	s := o.status
	main := corev1.ContainerStatus{Name: "main", Image: "r.example/a:1", ImageID: "r.example/a@sha256:01"}
	scheme := runtimes[s[ofRuntime]].name + "://"
	now := int(s[ofNow])
	if s[ofLast] > 0 {
		main.LastTerminationState.Terminated = o.tell("main", scheme, fmt.Sprintf("%060da%03d", i, 1),
			ends[s[ofLast]-1], at.Add(-life), at, false)
		main.ContainerID = main.LastTerminationState.Terminated.ContainerID
	}
	begun := at.Add(restartGap)
	if s[ofNodeEvent] > 0 {
		begun = at.Add(90 * time.Second)
	}
	switch {
	case now == nowRuns:
		main.State.Running, main.ContainerID = &corev1.ContainerStateRunning{StartedAt: metav1.Time{Time: begun}},
			scheme+fmt.Sprintf("%060da%03d", i, 2)
		if s[ofLast] > 0 {
			main.RestartCount = 1
		}
	case now < nowWaits+len(waits):
		main.State.Waiting = &corev1.ContainerStateWaiting{Reason: waits[now-nowWaits].reason,
			Message: waits[now-nowWaits].message}
	default:
		main.State.Terminated = o.tell("main", scheme, fmt.Sprintf("%060da%03d", i, 2),
			ends[now-nowWaits-len(waits)], begun, begun.Add(life), true)
		main.ContainerID = main.State.Terminated.ContainerID
		if s[ofLast] > 0 {
			main.RestartCount = 1
		}
	}
	if n := len(o.told); n > 0 {
		o.newest, o.over = &o.told[n-1], o.told[n-1].finished
	}
	main.RestartCount += [...]int32{0, 1, 9}[s[ofCount]]
	put(p, main, s[ofKind] != kindApp)
	if s[ofKind] != kindApp {
		waiting := corev1.ContainerStatus{Name: "app", Image: "r.example/b:1"}
		waiting.State.Waiting = &corev1.ContainerStateWaiting{Reason: "PodInitializing"}
		put(p, waiting, false)
	}
	if s[ofBeside] == 0 {
		return
	}
	b := corev1.ContainerStatus{Name: "beside", Image: "r.example/b:1"}
	id := fmt.Sprintf("%060db%03d", i, 1)
	switch s[ofBeside] {
	case besideRuns:
		b.State.Running, b.ContainerID = &corev1.ContainerStateRunning{StartedAt: metav1.Time{Time: at.Add(-life)}}, scheme+id
	case 2: // it exited in the same second
		b.State.Terminated = o.tell("beside", scheme, id, end{"Error", 143, 0}, o.over.Add(-life), o.over, true)
	case 3:
		b.State.Terminated = o.tell("beside", scheme, id, end{"Completed", 0, 0},
			at.Add(-life), at.Add(-life).Add(life/2), true)
	}
	if t := b.State.Terminated; t != nil {
		b.ContainerID = t.ContainerID
	}
	put(p, b, false)
	if o.newest != nil {
		o.newest = &o.told[len(o.told)-1]
		if s[ofBeside] != besideRuns {
			o.newest = &o.told[len(o.told)-2]
		}
	}
}

func put(p *corev1.Pod, s corev1.ContainerStatus, init bool) {
	if init {
		p.Status.InitContainerStatuses = append(p.Status.InitContainerStatuses, s)
	} else {
		p.Status.ContainerStatuses = append(p.Status.ContainerStatuses, s)
	}
}

// tell creates a terminated state. For a container that never ran docker has no start; for one that the kubelet lost
// there is neither id nor time.
func (o *object) tell(container, scheme, id string, e end, started, finished time.Time,
	present bool) *corev1.ContainerStateTerminated {
	t := &corev1.ContainerStateTerminated{
		Reason: e.reason, ExitCode: e.code, Signal: e.signal, ContainerID: scheme + id,
		StartedAt: metav1.Time{Time: started}, FinishedAt: metav1.Time{Time: finished},
	}
	switch {
	case e.reason == "ContainerStatusUnknown":
		id = ""
		t.ContainerID, t.StartedAt, t.FinishedAt = "", metav1.Time{}, metav1.Time{}
		t.Message = "The container could not be located when the pod was terminated"
	case e.never():
		t.StartedAt, t.Message = metav1.Time{Time: time.Unix(0, 0)}, `exec: "nope": executable file not found in $PATH`
	}
	o.told = append(o.told, told{container: container, id: id, end: e,
		finished: finished, present: present})
	return t
}

func (s status) spec(node string) corev1.PodSpec {
	grace := int64(30)
	spec := corev1.PodSpec{NodeName: node, RestartPolicy: policies[s[ofPolicy]], TerminationGracePeriodSeconds: &grace}
	main := corev1.Container{Name: "main", Image: "r.example/a:1"}
	mem := corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("256Mi")}
	switch s[ofLimit] {
	case 1:
		main.Resources.Limits, main.Resources.Requests = mem,
			corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("64Mi")}
	case 2:
		main.Resources.Limits, main.Resources.Requests = mem, mem
	}
	if s[ofPodLimit] > 0 {
		spec.Resources = &corev1.ResourceRequirements{
			Limits: corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("512Mi")}}
	}
	if k := s[ofKill]; k > 0 && kills[k-1].of == "resize" {
		main.ResizePolicy = []corev1.ContainerResizePolicy{{ResourceName: corev1.ResourceMemory,
			RestartPolicy: corev1.RestartContainer}}
	}
	pr := probes[s[ofProbe]]
	asked := func() *corev1.Probe {
		return &corev1.Probe{
			ProbeHandler:        corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Path: "/", Port: intstr.FromInt32(80)}},
			InitialDelaySeconds: pr.delay,
			PeriodSeconds:       10, FailureThreshold: 3, TimeoutSeconds: 1, SuccessThreshold: 1,
		}
	}
	if pr.liveness {
		main.LivenessProbe = asked()
	}
	if pr.startup {
		main.StartupProbe = asked()
	}
	if pr.readiness {
		main.ReadinessProbe = asked()
	}
	run := &corev1.LifecycleHandler{Exec: &corev1.ExecAction{Command: []string{"true"}}}
	switch s[ofHook] {
	case hookPostStart:
		main.Lifecycle = &corev1.Lifecycle{PostStart: run}
	case 2:
		main.Lifecycle = &corev1.Lifecycle{PreStop: run}
	}
	switch s[ofKind] {
	case kindApp:
		spec.Containers = []corev1.Container{main}
	case kindSidecar:
		main.RestartPolicy = new(corev1.ContainerRestartPolicyAlways)
		fallthrough
	default:
		spec.InitContainers = []corev1.Container{main}
		spec.Containers = []corev1.Container{{Name: "app", Image: "r.example/b:1"}}
	}
	if s[ofBeside] > 0 {
		spec.Containers = append(spec.Containers, corev1.Container{Name: "beside", Image: "r.example/b:1"})
	}
	return spec
}

func (s status) qos() corev1.PodQOSClass {
	switch {
	case s[ofLimit] == 0 && s[ofPodLimit] == 0:
		return corev1.PodQOSBestEffort
	case s[ofLimit] == 2 && s[ofKind] == kindApp && s[ofBeside] == 0:
		return corev1.PodQOSGuaranteed // as far as memory is concerned
	}
	return corev1.PodQOSBurstable
}

func (s status) nodeOf(name string, before time.Time) *corev1.Node {
	n := &corev1.Node{TypeMeta: metav1.TypeMeta{Kind: "Node", APIVersion: "v1"}}
	n.Name, n.CreationTimestamp = name, metav1.Time{Time: before.Add(-30 * 24 * time.Hour)}
	n.Status.NodeInfo.KubeletVersion = versions[s[ofVersion]].text
	n.Status.NodeInfo.ContainerRuntimeVersion = runtimes[s[ofRuntime]].version
	n.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady,
		Status: corev1.ConditionTrue, LastTransitionTime: metav1.Time{Time: before.Add(-29 * 24 * time.Hour)}}}
	return n
}

// neighbour returns a pod that has been running for a long time.
func neighbour(i int, node string, before time.Time) *corev1.Pod {
	p := &corev1.Pod{TypeMeta: metav1.TypeMeta{Kind: "Pod", APIVersion: "v1"}}
	since := metav1.Time{Time: before.Add(-24 * time.Hour)}
	p.Namespace, p.Name, p.UID, p.CreationTimestamp = "other", fmt.Sprintf("calm%d", i),
		types.UID(fmt.Sprintf("11111111-0000-4000-8000-%012d", i)), since
	p.Spec = corev1.PodSpec{NodeName: node, RestartPolicy: corev1.RestartPolicyAlways,
		Containers: []corev1.Container{{Name: "calm", Image: "r.example/c:1"}}}
	p.Status.Phase = corev1.PodRunning
	p.Status.ContainerStatuses = []corev1.ContainerStatus{{
		Name: "calm", ContainerID: "containerd://" + fmt.Sprintf("%060dc%03d", i, 1),
		State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: since}},
	}}
	return p
}
