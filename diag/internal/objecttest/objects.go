// Package objecttest has test objects: pods, nodes and events as an API server returns them.
package objecttest

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence/podobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// T0 is when the tests take place.
var T0 = time.Date(2026, 11, 21, 7, 0, 0, 0, time.UTC)

// At returns the time that many seconds after T0.
func At(seconds int) metav1.Time {
	return metav1.Time{Time: T0.Add(time.Duration(seconds) * time.Second)}
}

// BasePod returns a pod with one container that restarted once.
func BasePod(mutate ...func(*corev1.Pod)) corev1.Pod {
	grace := int64(30)
	p := corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "web-0", Namespace: "shop", UID: "uid-web-0",
			CreationTimestamp: At(-3600), Labels: map[string]string{"app": "web"}},
		Spec: corev1.PodSpec{
			NodeName: "n1", RestartPolicy: corev1.RestartPolicyAlways, TerminationGracePeriodSeconds: &grace,
			Containers: []corev1.Container{{Name: "a", Image: "r.example/web:1"}},
		},
		Status: corev1.PodStatus{
			Phase: corev1.PodRunning, QOSClass: corev1.PodQOSBestEffort,
			ContainerStatuses: []corev1.ContainerStatus{{
				Name: "a", Ready: true, RestartCount: 1, Image: "r.example/web:1",
				ImageID: "r.example/web@sha256:00", ContainerID: "containerd://new",
				State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: At(10)}},
				LastTerminationState: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{
					ExitCode: 137, Reason: "Error", StartedAt: At(-3600), FinishedAt: At(9), ContainerID: "containerd://old",
				}},
			}},
		},
	}
	for _, m := range mutate {
		m(&p)
	}
	return p
}

// Named gives a pod another name.
func Named(ns, name string) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.Namespace, p.Name, p.UID = ns, name, types.UID("uid-"+name) }
}

// BaseEvent returns a kill because of a failed liveness probe.
func BaseEvent(mutate ...func(*corev1.Event)) corev1.Event {
	e := corev1.Event{
		ObjectMeta: metav1.ObjectMeta{Name: "web-0.1", Namespace: "shop", UID: "uid-event", CreationTimestamp: At(5)},
		InvolvedObject: corev1.ObjectReference{Kind: "Pod", Namespace: "shop",
			Name: "web-0", UID: "uid-web-0", FieldPath: "spec.containers{a}"},
		Reason: "Killing", Message: "Container a failed liveness probe, will be restarted", Type: "Normal",
		Source: corev1.EventSource{Component: "kubelet", Host: "n1"}, Count: 1, FirstTimestamp: At(5), LastTimestamp: At(5),
	}
	for _, m := range mutate {
		m(&e)
	}
	return e
}

// BaseNode returns a healthy node.
func BaseNode(name string) corev1.Node {
	return corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, CreationTimestamp: At(-7200)},
		Status: corev1.NodeStatus{
			NodeInfo: corev1.NodeSystemInfo{KubeletVersion: "v1.36.3", BootID: "boot-" + name,
				ContainerRuntimeVersion: "containerd://1.7.1", KernelVersion: "6.1", OSImage: "Debian"},
			Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}},
		},
	}
}

// Observed returns the snapshot of pieces and gaps.
func Observed(pieces []evidence.RawEvidence, gaps []evidence.Gap) *evidence.Snapshot {
	b := evidence.NewBuilder(T0.Add(time.Minute))
	for _, p := range pieces {
		p.Observe(b)
	}
	for _, g := range gaps {
		b.Gap(g)
	}
	return b.Build()
}

// ManyPods returns n pods of one namespace on one node.
func ManyPods(n int) []corev1.Pod {
	out := make([]corev1.Pod, 0, n)
	for i := range n {
		out = append(out, BasePod(Named("shop", fmt.Sprintf("web-%d", i))))
	}
	return out
}

// Controlled returns owner references with a controller.
func Controlled(apiVersion, kind, name, uid string) []metav1.OwnerReference {
	yes := true
	return []metav1.OwnerReference{{Kind: "Other", Name: "o"},
		{APIVersion: apiVersion, Kind: kind, Name: name, UID: types.UID(uid), Controller: &yes}}
}

// Template returns the spec of a pod template with one container.
func Template(image string) corev1.PodSpec {
	return corev1.PodSpec{Containers: []corev1.Container{{Name: "a", Image: image,
		Env: []corev1.EnvVar{{Name: "KEY", Value: Hidden}}}}}
}

// Set returns a ReplicaSet of the Deployment web.
func Set(name, number, image string, mutate ...func(*appsv1.ReplicaSet)) appsv1.ReplicaSet {
	s := appsv1.ReplicaSet{
		ObjectMeta: metav1.ObjectMeta{
			Name: name, Namespace: "shop", UID: types.UID("uid-" + name),
			Labels:          map[string]string{"app": "web", "pod-template-hash": name},
			Annotations:     map[string]string{"deployment.kubernetes.io/revision": number},
			OwnerReferences: Controlled("apps/v1", "Deployment", "web", "uid-web"),
		},
		Spec: appsv1.ReplicaSetSpec{Selector: &metav1.LabelSelector{
			MatchLabels: map[string]string{"app": "web", "pod-template-hash": name}},
			Template: corev1.PodTemplateSpec{Spec: Template(image)}},
	}
	for _, m := range mutate {
		m(&s)
	}
	return s
}

// Kept returns a ControllerRevision of a workload, as the StatefulSet controller writes it.
func Kept(name string, number int64, image string, owner []metav1.OwnerReference) appsv1.ControllerRevision {
	data := `{"spec":{"template":{"$patch":"replace","metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"a","image":"` + image +
		`","env":[{"name":"KEY","value":"` + Hidden + `"}],"resources":{"limits":{"memory":"64Mi"}}}]}}}}`
	c := appsv1.ControllerRevision{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "shop", UID: types.UID("uid-" + name),
			Labels: map[string]string{"app": "web"}, OwnerReferences: owner},
		Revision: number,
	}
	c.Data.Raw = []byte(data)
	return c
}

// TestHash replaces the kubelets' hashes.
func TestHash(c *corev1.Container) []evidence.SpecHash {
	return []evidence.SpecHash{{FromMinor: 31, ToMinor: 36, Algorithm: "test",
		Hex: fmt.Sprintf("%x", len(c.Env)+len(c.Image))}}
}

// PodNames returns the pods of a snapshot, in one line.
func PodNames(s *evidence.Snapshot) string {
	var names []string
	for _, p := range s.Pods {
		names = append(names, p.Namespace+"/"+p.Name)
	}
	return strings.Join(names, " ")
}

// Contents are the objects of a made-up API server.
type Contents struct {
	Pods   []corev1.Pod
	Events []corev1.Event
	Nodes  []corev1.Node
}

// SomeObjects returns objects of two namespaces, two nodes, and an event for each pod and node.
func SomeObjects() Contents {
	return Contents{
		Pods: []corev1.Pod{
			BasePod(),
			BasePod(Named("shop", "web-1"), func(p *corev1.Pod) { p.Spec.NodeName, p.Labels = "n2", nil }),
			BasePod(Named("bank", "till-0")),
		},
		Nodes: []corev1.Node{BaseNode("n1"), BaseNode("n2"), BaseNode("n3")},
		Events: []corev1.Event{
			BaseEvent(),
			BaseEvent(func(e *corev1.Event) {
				e.Name, e.InvolvedObject.Name, e.InvolvedObject.UID = "web-1.1", "web-1", "uid-web-1"
			}),
			BaseEvent(func(e *corev1.Event) {
				e.Name, e.InvolvedObject.Name, e.InvolvedObject.UID = "gone.1", "gone", "uid-gone"
			}),
			nodeEvent("n1", "Rebooted", "Node n1 has been rebooted, boot id: b2"),
			nodeEvent("n3", "Starting", "Starting kubelet."),
			BaseEvent(func(e *corev1.Event) { e.InvolvedObject.Kind, e.Name = "ReplicaSet", "rs.1" }),
		},
	}
}

func nodeEvent(node, reason, message string) corev1.Event {
	return BaseEvent(func(e *corev1.Event) {
		e.Name, e.Namespace, e.Reason, e.Message = node+".1", "default", reason, message
		e.InvolvedObject = corev1.ObjectReference{Kind: "Node", Name: node}
		e.Source.Host = node
	})
}

// Secretive returns objects with a secret wherever one can hide.
func Secretive() Contents {
	f := SomeObjects()
	p, written := &f.Pods[0], At(-10)
	p.Annotations = map[string]string{"kubectl.kubernetes.io/last-applied-configuration": Canary,
		"kubernetes.io/config.source": "api"}
	p.ManagedFields = []metav1.ManagedFieldsEntry{{
		Manager: "kubectl-set", Operation: "Update", APIVersion: "v1", Time: &written, FieldsType: "FieldsV1",
		FieldsV1: metav1.NewFieldsV1(`{"f:metadata":{"f:annotations":{"f:` +
			Canary + `":{}}},"f:spec":{"f:containers":{"k:{\"name\":\"a\"}":{"f:image":{},"f:env":{"k:{\"name\":\"` +
			Canary + `\"}":{}}}}}}`),
	}}
	p.Spec.Volumes = []corev1.Volume{
		{Name: "v", VolumeSource: corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{SecretName: Canary}}}}
	p.Spec.ImagePullSecrets = []corev1.LocalObjectReference{{Name: Canary}}
	p.Spec.ServiceAccountName = Canary
	c := &p.Spec.Containers[0]
	c.Env = []corev1.EnvVar{{Name: "DB_PASSWORD", Value: Canary}}
	c.EnvFrom = []corev1.EnvFromSource{{Prefix: Canary}}
	c.Command, c.Args, c.WorkingDir = []string{Canary}, []string{"--password", Canary}, Canary
	c.VolumeMounts = []corev1.VolumeMount{{Name: "v", MountPath: Canary}}
	c.Resources.Limits = corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("64Mi")}
	c.LivenessProbe = &corev1.Probe{ProbeHandler: corev1.ProbeHandler{Exec: &corev1.ExecAction{Command: []string{Canary}}},
		PeriodSeconds: 2}
	c.ReadinessProbe = &corev1.Probe{ProbeHandler: corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{
		Path: "/ready?key=" + Canary, HTTPHeaders: []corev1.HTTPHeader{{Name: "Authorization", Value: Canary}},
	}}}
	c.Lifecycle = &corev1.Lifecycle{PreStop: &corev1.LifecycleHandler{Exec: &corev1.ExecAction{Command: []string{Canary}}}}
	p.Status.ContainerStatuses[0].LastTerminationState.Terminated.Message = "cannot log in with password=" + Canary
	f.Events[1].Message, f.Events[1].Reason = "Liveness probe failed: GET http://admin:"+Canary+"@db/", "Unhealthy"
	f.Nodes[0].Annotations = map[string]string{"x": Canary}
	f.Nodes[0].Labels = map[string]string{"x": Canary}
	return f
}

// Canary is a secret that must not be found anywhere.
const Canary = "CANARY-hunter22"

// Hidden is a value of a template: it must not leave this package.
const Hidden = "h1dden-value"

// WithKind returns an object as kubectl prints it.
func WithKind(t *testing.T, o any, kind string) map[string]any {
	t.Helper()
	raw, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]any{}
	if err := json.Unmarshal(raw, &out); err != nil {
		t.Fatal(err)
	}
	out["kind"] = kind
	return out
}

// Text returns the content of a file.
func Text(t *testing.T, f evidence.File) string {
	t.Helper()
	r, err := f.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// OwnedBy gives a pod a controller, and also an owner that is not one.
func OwnedBy(apiVersion, kind, name, uid string) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.OwnerReferences = Controlled(apiVersion, kind, name, uid) }
}

// WithLabel gives a pod a label.
func WithLabel(key, value string) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.Labels = map[string]string{key: value} }
}

// CompareText lets cmp compare safe texts, and objects of pods.
var CompareText = cmp.Options{cmp.AllowUnexported(safetext.Text{}),
	cmp.Transformer("whole", func(o *podobject.Object) *corev1.Pod {
		if o == nil {
			return nil
		}
		return o.Whole()
	})}
