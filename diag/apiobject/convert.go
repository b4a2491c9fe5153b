package apiobject

import (
	"encoding/json"
	"math"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/nodename"
	"github.com/restartwhy/kubectl-restartwhy/diag/redact"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// restartsAll reports whether a container has a rule that restarts all containers of the pod. It copies none of the
// large structs.
func restartsAll(all []corev1.Container) bool {
	for i := range all {
		for _, r := range all[i].RestartPolicyRules {
			if r.Action == corev1.ContainerRestartRuleActionRestartAllContainers {
				return true
			}
		}
	}
	return false
}

// runtimeUID is the UID that the kubelet and the runtime use, like Pod.RuntimeUID.
func runtimeUID(p *corev1.Pod) string {
	m := evidence.Pod{UID: safetext.Ident(string(p.UID)), ConfigHash: safetext.Ident(p.Annotations[configHash])}
	_, m.Mirror = p.Annotations[corev1.MirrorPodAnnotationKey]
	return m.RuntimeUID()
}

// configHash is the annotation with the UID of the static pod that a mirror pod represents.
const configHash = "kubernetes.io/config.hash"

// podOf converts a pod into the model's. Everything in the result is safe to print.
func podOf(p *corev1.Pod, seen *specs) evidence.Pod {
	object, containers := seen.object(p)
	out := evidence.Pod{
		Namespace: safetext.Ident(p.Namespace), Name: safetext.Ident(p.Name),
		UID: safetext.Ident(string(p.UID)), Node: safetext.Ident(p.Spec.NodeName),
		CreatedAt: p.CreationTimestamp.UTC(), Phase: safetext.Ident(string(p.Status.Phase)),
		Reason: safetext.Ident(p.Status.Reason), Message: safetext.Clean(p.Status.Message),
		RestartPolicy: safetext.Ident(string(p.Spec.RestartPolicy)), QOSClass: safetext.Ident(string(p.Status.QOSClass)),
		HostPID:               p.Spec.HostPID,
		ShareProcessNamespace: p.Spec.ShareProcessNamespace != nil && *p.Spec.ShareProcessNamespace,
		ConfigHash:            safetext.Ident(p.Annotations[configHash]),
		GraceSeconds:          -1,
		SpecWrites:            specWrites(p.ManagedFields),
		Object:                object,
		Containers:            containers,
		OS:                    safetext.Ident(p.Spec.NodeSelector[corev1.LabelOSStable]),
		RestartsAll:           restartsAll(p.Spec.Containers) || restartsAll(p.Spec.InitContainers),
	}
	// The kubelet marks a static pod's mirror pod (kubelet pkg/kubelet/types/types.go ConfigMirrorAnnotationKey).
	_, out.Mirror = p.Annotations[corev1.MirrorPodAnnotationKey]
	if p.DeletionTimestamp != nil {
		out.DeletedAt = p.DeletionTimestamp.UTC()
	}
	if g := p.Spec.TerminationGracePeriodSeconds; g != nil {
		out.GraceSeconds = *g
	}
	if o := p.Spec.OS; o != nil {
		out.OS = safetext.Ident(string(o.Name))
	}
	if r := p.Spec.Resources; r != nil {
		out.MemoryLimit = r.Limits.Memory().Value()
	}
	if out.RestartPolicy == "" && len(p.Spec.Containers) > 0 { // else the spec is not known
		out.RestartPolicy = string(corev1.RestartPolicyAlways)
	}
	for _, o := range p.OwnerReferences {
		if o.Controller != nil && *o.Controller {
			out.Owner = evidence.Owner{Kind: safetext.Ident(o.Kind), Name: safetext.Ident(o.Name)}
		}
	}
	return out
}

func containersOf(s *corev1.PodSpec) (all []evidence.Container) {
	for c, kind := range Containers(s) {
		all = append(all, containerFrom(c, kind))
	}
	return all
}

func containerFrom(c *corev1.Container, kind evidence.ContainerKind) evidence.Container {
	out := evidence.Container{
		Name: safetext.Ident(c.Name), Kind: kind, Image: safetext.Ident(c.Image),
		Liveness: probeFrom(c.LivenessProbe), Readiness: probeFrom(c.ReadinessProbe), Startup: probeFrom(c.StartupProbe),
	}
	if limit, ok := c.Resources.Limits[corev1.ResourceMemory]; ok {
		out.MemoryLimit = limit.Value()
	}
	if l := c.Lifecycle; l != nil {
		out.PostStart, out.PreStop = l.PostStart != nil, l.PreStop != nil
	}
	return out
}

// probeFrom sets the API's defaults (api/core/v1 types.go Probe), which the API server has normally set already.
func probeFrom(p *corev1.Probe) *evidence.Probe {
	if p == nil {
		return nil
	}
	out := &evidence.Probe{InitialDelay: p.InitialDelaySeconds, Period: p.PeriodSeconds,
		Timeout: p.TimeoutSeconds, FailureThreshold: p.FailureThreshold}
	for _, d := range []struct {
		field *int32
		value int32
	}{{&out.Period, 10}, {&out.Timeout, 1}, {&out.FailureThreshold, 3}} {
		if *d.field == 0 {
			*d.field = d.value
		}
	}
	if g := p.TerminationGracePeriodSeconds; g != nil {
		out.GracePause = int32(min(max(*g, 0), math.MaxInt32))
	}
	switch {
	case p.Exec != nil:
		out.Handler = "exec"
	case p.HTTPGet != nil:
		out.Handler = "httpGet"
	case p.TCPSocket != nil:
		out.Handler = "tcpSocket"
	case p.GRPC != nil:
		out.Handler = "grpc"
	}
	return out
}

func nodeFrom(n *corev1.Node) evidence.Node {
	i := &n.Status.NodeInfo
	out := evidence.Node{
		Name: safetext.Ident(n.Name), Aliases: nodename.Aliases(n), KubeletVersion: safetext.Ident(i.KubeletVersion),
		Runtime: safetext.Ident(i.ContainerRuntimeVersion),
		BootID:  safetext.Ident(i.BootID), Machine: redact.Machine(i.MachineID),
		KernelVersion: safetext.Ident(i.KernelVersion), OSImage: safetext.Ident(i.OSImage),
		OS: safetext.Ident(i.OperatingSystem), CreatedAt: n.CreationTimestamp.UTC(),
		Allocatable: allocatableOf(n),
		Inside:      strings.HasPrefix(n.Spec.ProviderID, "kind://") || strings.HasPrefix(i.OSImage, "K3s "),
	}
	for _, c := range n.Status.Conditions {
		out.Conditions = append(out.Conditions, evidence.NodeCondition{
			Type: safetext.Ident(string(c.Type)), Status: safetext.Ident(string(c.Status)),
			Since: c.LastTransitionTime.UTC(),
		})
		if c.Type == corev1.NodeReady {
			out.Ready = safetext.Ident(string(c.Status))
		}
	}
	return out
}

// specWrites reads who set which images, and who resized containers, from the managed fields. An entry that also owns
// other fields of the spec is from the creator of the pod, or from someone who applied all of it.
func specWrites(entries []metav1.ManagedFieldsEntry) []evidence.SpecWrite {
	var out []evidence.SpecWrite
	for i := range entries {
		e := &entries[i]
		var images []string
		only, resize := false, e.Subresource == "resize" // which redaction leaves without its fields
		if e.Subresource == "" && e.FieldsV1 != nil {
			images, only = imagesOwned(e.FieldsV1.GetRawBytes())
		}
		if len(images) == 0 && !resize {
			continue
		}
		w := evidence.SpecWrite{Manager: safetext.Ident(e.Manager), Images: images, OnlyImages: only}
		if e.Time != nil {
			w.Time = e.Time.UTC()
		}
		out = append(out, w)
	}
	return out
}

// imagesOwned lists the containers whose image a field set owns, sorted, and
// reports whether it owns nothing else below spec.
func imagesOwned(raw []byte) (images []string, only bool) {
	var set struct {
		Spec map[string]json.RawMessage `json:"f:spec"`
	}
	if json.Unmarshal(raw, &set) != nil {
		return nil, false
	}
	only = true
	for name, below := range set.Spec {
		var containers map[string]map[string]json.RawMessage
		if name != "f:containers" && name != "f:initContainers" || json.Unmarshal(below, &containers) != nil {
			only = false
			continue
		}
		for key, fields := range containers {
			container, ok := listKey(key)
			_, image := fields["f:image"]
			if ok && image {
				images = append(images, container)
			}
			only = only && ok && image && len(fields) == 1
		}
	}
	slices.Sort(images)
	return slices.Compact(images), only && len(images) > 0
}

// listKey parses the name out of `k:{"name":"a"}`.
func listKey(key string) (string, bool) {
	raw, ok := strings.CutPrefix(key, "k:")
	var k struct {
		Name string `json:"name"`
	}
	if !ok || json.Unmarshal([]byte(raw), &k) != nil || k.Name == "" {
		return "", false
	}
	return safetext.Ident(k.Name), true
}

// allocatableOf reads a node's allocatable resources, as far as the kubelet counts them for every pod; nil if the node
// does not report them.
func allocatableOf(n *corev1.Node) *evidence.Allocatable {
	a := n.Status.Allocatable
	if a.Cpu().IsZero() || a.Memory().IsZero() || a.Pods().IsZero() {
		return nil
	}
	out := &evidence.Allocatable{MilliCPU: a.Cpu().MilliValue(), Memory: a.Memory().Value(),
		EphemeralStorage: a.StorageEphemeral().Value(), Pods: a.Pods().Value()}
	for name, q := range a {
		if strings.HasPrefix(string(name), corev1.ResourceHugePagesPrefix) {
			out.Hugepages += q.Value()
		}
	}
	return out
}
