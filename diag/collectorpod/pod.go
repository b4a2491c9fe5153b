package collectorpod

import (
	"slices"
	"strings"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Labels and annotations of the objects made in the cluster.
const (
	labelName  = "app.kubernetes.io/name"
	valueName  = "restartwhy-collector"
	labelBy    = "app.kubernetes.io/managed-by"
	valueBy    = "kubectl-restartwhy"
	noteNode   = "restartwhy.dev/node"
	noteExpiry = "restartwhy.dev/expires" // RFC 3339: when Sweep may remove it
)

// Selector selects everything that this package creates.
const Selector = labelName + "=" + valueName + "," + labelBy + "=" + valueBy

// containerName is the name of the pod's only container.
const containerName = "collector"

func meta(name, namespace, node string, expiry time.Time) metav1.ObjectMeta {
	return metav1.ObjectMeta{Name: name, Namespace: namespace,
		Labels:      map[string]string{labelName: valueName, labelBy: valueBy},
		Annotations: map[string]string{noteNode: node, noteExpiry: expiry.UTC().Format(time.RFC3339)}}
}

// timer is a Job that never runs anything: it is complete at once, and the cluster removes it, and what it owns, after
// a while. Its template has to be valid, so it is as harmless as possible.
func timer(name, node string, o Options) *batchv1.Job {
	seconds := int32((o.Timeout + margin) / time.Second)
	return &batchv1.Job{
		ObjectMeta: meta(name, o.Namespace, node, o.Now().Add(o.Timeout+margin)),
		Spec: batchv1.JobSpec{
			Completions: new(int32(0)), Parallelism: new(int32(0)), BackoffLimit: new(int32(0)),
			TTLSecondsAfterFinished: &seconds,
			Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{
				RestartPolicy: corev1.RestartPolicyNever, AutomountServiceAccountToken: new(false),
				SecurityContext: &corev1.PodSecurityContext{RunAsNonRoot: new(true), RunAsUser: new(int64(65534)),
					SeccompProfile: &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault}},
				Containers: []corev1.Container{{Name: "never", Image: o.Image, SecurityContext: confined()}},
			}},
		},
	}
}

// plan is one attempt at a node: the pod's name and what it may see.
type plan struct {
	name    string
	node    string
	owner   *batchv1.Job
	sources []string
	mounts  []mount
	// left is the time that the pod may run.
	left time.Duration
}

// pod is everything that runs on a node.
func pod(p plan, o Options) *corev1.Pod {
	vs, ms := volumes(p.mounts)
	out := &corev1.Pod{
		ObjectMeta: meta(p.name, o.Namespace, p.node, o.Now().Add(p.left+margin)),
		Spec: corev1.PodSpec{
			// The scheduler is bypassed: the node is given, and the scheduler might reject it.
			NodeName: p.node, Tolerations: []corev1.Toleration{{Operator: corev1.TolerationOpExists}},
			RestartPolicy:                 corev1.RestartPolicyNever,
			ActiveDeadlineSeconds:         new(max(1, int64(p.left/time.Second))),
			TerminationGracePeriodSeconds: new(int64(1)),
			AutomountServiceAccountToken:  new(false),
			EnableServiceLinks:            new(false),
			DNSPolicy:                     corev1.DNSDefault, // nothing is resolved; cluster DNS may be broken
			HostNetwork:                   slices.Contains(o.Grants, GrantHostNetwork),
			// Root without any capability: it may read the files that root owns, and the sources need no more.
			SecurityContext: &corev1.PodSecurityContext{RunAsUser: new(int64(0)),
				RunAsGroup: new(int64(0)), RunAsNonRoot: new(false),
				SeccompProfile: &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault}},
			Volumes: vs,
			Containers: []corev1.Container{{
				Name: containerName, Image: o.Image, ImagePullPolicy: corev1.PullIfNotPresent,
				Args: []string{"collect", "--local", "--leash", "--root=" + Root, "--node=" + p.node, "--since=" + o.Since.String(),
					"--sources=" + strings.Join(p.sources, ","), "--output=-"},
				Env:   []corev1.EnvVar{{Name: "GOMEMLIMIT", Value: memorySoft}},
				Stdin: true, StdinOnce: true,
				VolumeMounts: ms, SecurityContext: confined(),
				TerminationMessagePolicy: corev1.TerminationMessageReadFile, // the log is the bundle
				Resources: corev1.ResourceRequirements{
					// Small requests: the kubelet of a full node would refuse larger ones.
					Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("10m"),
						corev1.ResourceMemory: resource.MustParse("32Mi")},
					Limits: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("1"),
						corev1.ResourceMemory: resource.MustParse(memory)},
				},
			}},
		},
	}
	if p.owner != nil {
		out.OwnerReferences = []metav1.OwnerReference{{APIVersion: "batch/v1",
			Kind: "Job", Name: p.owner.Name, UID: p.owner.UID}}
	}
	if slices.Contains(o.Grants, GrantSELinux) {
		out.Spec.SecurityContext.SELinuxOptions = &corev1.SELinuxOptions{Type: "spc_t"}
	}
	return out
}

// confined is a container that can only read.
func confined() *corev1.SecurityContext {
	return &corev1.SecurityContext{
		Privileged: new(false), AllowPrivilegeEscalation: new(false), ReadOnlyRootFilesystem: new(true),
		Capabilities: &corev1.Capabilities{Drop: []corev1.Capability{"ALL"}},
	}
}
