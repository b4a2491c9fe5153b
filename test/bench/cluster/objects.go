package main

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// one of restartedOneIn pods has restarted, and has an event about it
const restartedOneIn = 20

func nodeName(i int) string {
	return fmt.Sprintf("ip-10-%d-%d-%d.eu-central-1.compute.internal", i/65536, i/256%256, i%256)
}

// node returns a node as the API server stores it: with labels, conditions and the images, which are most of it.
func node(i int) corev1.Node {
	n := corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: nodeName(i), UID: uid('n', i), CreationTimestamp: at(0),
			Labels: map[string]string{
				"kubernetes.io/hostname": nodeName(i), "kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64",
				"topology.kubernetes.io/zone":      fmt.Sprintf("eu-central-1%c", 'a'+i%3),
				"node.kubernetes.io/instance-type": "m6i.4xlarge", "pool": "general",
			}},
		Status: corev1.NodeStatus{
			Allocatable: corev1.ResourceList{"cpu": resource.MustParse("15890m"),
				"memory": resource.MustParse("60Gi"), "ephemeral-storage": resource.MustParse("90Gi"),
				"pods": resource.MustParse("110")},
			NodeInfo: corev1.NodeSystemInfo{KubeletVersion: "v1.30.14", ContainerRuntimeVersion: "containerd://1.7.27",
				KernelVersion: "6.1.0-35-cloud-amd64",
				OSImage:       "Debian GNU/Linux 12 (bookworm)", OperatingSystem: "linux",
				Architecture: "amd64", BootID: string(uid('b', i))},
			Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue,
				Reason: "KubeletReady", Message: "kubelet is posting ready status",
				LastHeartbeatTime: at(60), LastTransitionTime: at(1)}},
		},
	}
	for j := range 50 {
		n.Status.Images = append(n.Status.Images, corev1.ContainerImage{SizeBytes: 1 << 27, Names: []string{
			fmt.Sprintf("registry.example/team-%d/service@sha256:%064x", j, j),
			fmt.Sprintf("registry.example/team-%d/service:v1.%d", j, i%40)}})
	}
	return n
}

// pod returns a pod of a Deployment with a proxy sidecar, of about 8 KB as JSON. Every tenth is a DaemonSet's, bound by
// its affinity.
func pod(s size, i int) corev1.Pod {
	namespace, app := fmt.Sprintf("team-%d", i%200), fmt.Sprintf("service-%d", i%1500)
	on := nodeName(i % s.nodes)
	always := corev1.ContainerRestartPolicyAlways
	p := corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: namespace, Name: fmt.Sprintf("%s-6d5f9c7b8d-%05x", app, i),
			GenerateName: app + "-6d5f9c7b8d-", UID: uid('p', i), ResourceVersion: fmt.Sprint(1000 + i),
			CreationTimestamp: at(10),
			Labels: map[string]string{"app.kubernetes.io/name": app,
				"app.kubernetes.io/instance": app, "pod-template-hash": "6d5f9c7b8d", "team": namespace},
			Annotations: map[string]string{"prometheus.io/scrape": "true", "prometheus.io/port": "9090",
				"checksum/config": strings.Repeat("0f", 32)},
			OwnerReferences: []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "ReplicaSet",
				Name: app + "-6d5f9c7b8d", UID: uid('r', i%1500), Controller: new(true), BlockOwnerDeletion: new(true)}},
			ManagedFields: []metav1.ManagedFieldsEntry{managed("kube-controller-manager", "", specFields),
				managed("kubelet", "status", statusFields)},
		},
		Spec: corev1.PodSpec{
			NodeName: on, RestartPolicy: corev1.RestartPolicyAlways, ServiceAccountName: app,
			SchedulerName: "default-scheduler", Priority: new(int32), EnableServiceLinks: new(true),
			InitContainers: []corev1.Container{container("proxy", "registry.example/mesh/proxy:v2.11.1", &always, 12)},
			Containers: []corev1.Container{container("app",
				fmt.Sprintf("registry.example/%s/%s:v1.%d", namespace, app, i%40), nil, 25)},
			Tolerations: []corev1.Toleration{
				{Key: "node.kubernetes.io/not-ready", Operator: corev1.TolerationOpExists,
					Effect: corev1.TaintEffectNoExecute, TolerationSeconds: new(int64)},
				{Key: "node.kubernetes.io/unreachable", Operator: corev1.TolerationOpExists,
					Effect: corev1.TaintEffectNoExecute, TolerationSeconds: new(int64)},
			},
			Volumes: []corev1.Volume{{Name: "config",
				VolumeSource: corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{
					LocalObjectReference: corev1.LocalObjectReference{Name: app}}}},
				{Name: "kube-api-access-x7k2p",
					VolumeSource: corev1.VolumeSource{Projected: &corev1.ProjectedVolumeSource{
						Sources: []corev1.VolumeProjection{
							{ServiceAccountToken: &corev1.ServiceAccountTokenProjection{Path: "token"}}}}}}},
		},
		Status: corev1.PodStatus{
			Phase: corev1.PodRunning, QOSClass: corev1.PodQOSBurstable, HostIP: "10.0.0.1",
			PodIP: fmt.Sprintf("10.%d.%d.%d", i>>16, i>>8&255, i&255), StartTime: new(at(10)),
			Conditions: []corev1.PodCondition{condition("PodReadyToStartContainers"),
				condition(corev1.PodInitialized), condition(corev1.PodReady), condition(corev1.ContainersReady),
				condition(corev1.PodScheduled)},
			InitContainerStatuses: []corev1.ContainerStatus{status("proxy", "registry.example/mesh/proxy:v2.11.1", 2*i)},
			ContainerStatuses: []corev1.ContainerStatus{
				status("app", fmt.Sprintf("registry.example/%s/%s:v1.%d", namespace, app, i%40), 2*i+1)},
		},
	}
	if i%10 == 0 {
		p.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{
				NodeSelectorTerms: []corev1.NodeSelectorTerm{
					{MatchFields: []corev1.NodeSelectorRequirement{{Key: "metadata.name",
						Operator: corev1.NodeSelectorOpIn, Values: []string{on}}}}}}}}
	}
	if i%restartedOneIn == 0 {
		c := &p.Status.ContainerStatuses[0]
		c.RestartCount = 1
		c.LastTerminationState.Terminated = &corev1.ContainerStateTerminated{ExitCode: 1,
			Reason: "Error", ContainerID: containerID(9<<32 + i), StartedAt: at(11), FinishedAt: at(30)}
		c.State.Running.StartedAt = at(31)
	}
	return p
}

func container(name, image string, policy *corev1.ContainerRestartPolicy, variables int) corev1.Container {
	c := corev1.Container{
		Name: name, Image: image, ImagePullPolicy: corev1.PullIfNotPresent, RestartPolicy: policy,
		Args: []string{"--config=/etc/app/config.yaml", "--log-format=json", "--listen=:8080"},
		Ports: []corev1.ContainerPort{{Name: "http", ContainerPort: 8080, Protocol: corev1.ProtocolTCP},
			{Name: "metrics", ContainerPort: 9090, Protocol: corev1.ProtocolTCP}},
		Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{"cpu": resource.MustParse("100m"),
			"memory": resource.MustParse("256Mi")}, Limits: corev1.ResourceList{"memory": resource.MustParse("512Mi")}},
		VolumeMounts: []corev1.VolumeMount{{Name: "config", MountPath: "/etc/app", ReadOnly: true},
			{Name: "kube-api-access-x7k2p", MountPath: "/var/run/secrets/kubernetes.io/serviceaccount", ReadOnly: true}},
		TerminationMessagePath: "/dev/termination-log", TerminationMessagePolicy: corev1.TerminationMessageReadFile,
		LivenessProbe:  probe("/healthz"),
		ReadinessProbe: probe("/ready"),
		SecurityContext: &corev1.SecurityContext{RunAsNonRoot: new(true), ReadOnlyRootFilesystem: new(true),
			Capabilities: &corev1.Capabilities{Drop: []corev1.Capability{"ALL"}}},
	}
	for j := range variables {
		c.Env = append(c.Env, corev1.EnvVar{Name: fmt.Sprintf("SETTING_NUMBER_%d", j),
			Value: fmt.Sprintf("a value of some length, %d", j)})
	}
	return c
}

func probe(path string) *corev1.Probe {
	return &corev1.Probe{PeriodSeconds: 10, TimeoutSeconds: 1, SuccessThreshold: 1, FailureThreshold: 3,
		ProbeHandler: corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Path: path,
			Port: intstr.FromInt32(8080), Scheme: corev1.URISchemeHTTP}}}
}

func status(name, image string, i int) corev1.ContainerStatus {
	return corev1.ContainerStatus{Name: name, Image: image,
		ImageID: fmt.Sprintf("registry.example/x@sha256:%064x", i%4000), ContainerID: containerID(i),
		Ready: true, Started: new(true),
		State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: at(11)}}}
}

func condition(t corev1.PodConditionType) corev1.PodCondition {
	return corev1.PodCondition{Type: t, Status: corev1.ConditionTrue, LastTransitionTime: at(11)}
}

func event(s size, i int) corev1.Event {
	p := pod(s, i)
	return corev1.Event{
		ObjectMeta: metav1.ObjectMeta{Namespace: p.Namespace, Name: fmt.Sprintf("%s.%x", p.Name, i),
			UID: uid('e', i), CreationTimestamp: at(31)},
		InvolvedObject: corev1.ObjectReference{Kind: "Pod", Namespace: p.Namespace,
			Name: p.Name, UID: p.UID, FieldPath: "spec.containers{app}"},
		Reason: "Started", Message: "Started container app", Type: "Normal",
		Source: corev1.EventSource{Component: "kubelet", Host: p.Spec.NodeName},
		Count:  1, FirstTimestamp: at(31), LastTimestamp: at(31),
	}
}

const (
	specFields   = `{"f:metadata":{"f:annotations":{".":{},"f:checksum/config":{},"f:prometheus.io/port":{},"f:prometheus.io/scrape":{}},"f:generateName":{},"f:labels":{".":{},"f:app.kubernetes.io/instance":{},"f:app.kubernetes.io/name":{},"f:pod-template-hash":{},"f:team":{}},"f:ownerReferences":{".":{},"k:{\"uid\":\"u\"}":{}}},"f:spec":{"f:containers":{"k:{\"name\":\"app\"}":{".":{},"f:args":{},"f:env":{".":{},"k:{\"name\":\"SETTING_NUMBER_0\"}":{".":{},"f:name":{},"f:value":{}}},"f:image":{},"f:imagePullPolicy":{},"f:livenessProbe":{".":{},"f:failureThreshold":{},"f:httpGet":{".":{},"f:path":{},"f:port":{},"f:scheme":{}}},"f:name":{},"f:resources":{".":{},"f:limits":{".":{},"f:memory":{}},"f:requests":{".":{},"f:cpu":{},"f:memory":{}}}}},"f:restartPolicy":{},"f:schedulerName":{},"f:serviceAccount":{},"f:volumes":{".":{},"k:{\"name\":\"config\"}":{".":{},"f:configMap":{".":{},"f:name":{}},"f:name":{}}}}}`
	statusFields = `{"f:status":{"f:conditions":{"k:{\"type\":\"ContainersReady\"}":{".":{},"f:lastTransitionTime":{},"f:status":{},"f:type":{}},"k:{\"type\":\"Ready\"}":{".":{},"f:lastTransitionTime":{},"f:status":{},"f:type":{}}},"f:containerStatuses":{},"f:hostIP":{},"f:phase":{},"f:podIP":{},"f:startTime":{}}}`
)

func managed(by, subresource, fields string) metav1.ManagedFieldsEntry {
	return metav1.ManagedFieldsEntry{Manager: by, Operation: metav1.ManagedFieldsOperationUpdate,
		APIVersion: "v1", Time: new(at(11)), FieldsType: "FieldsV1", Subresource: subresource,
		FieldsV1: metav1.NewFieldsV1(fields)}
}

func uid(kind byte, i int) types.UID {
	return types.UID(fmt.Sprintf("%08x-%04x-4000-8000-%012x", i, kind, i))
}

func containerID(i int) string { return fmt.Sprintf("containerd://%064x", i) }
