// Package statemetrics replaces kube-state-metrics, which the lab cannot install. It says so itself (series
// lab_statemetrics_info). It serves the series of kube-state-metrics 2.13 that are about restarts, with the names,
// labels and values of the original, read again from the API at each scrape.
//
// It may import the Kubernetes API types and the lab's client.
package statemetrics

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/api"
)

// Handler answers a scrape with the current state of the API.
func Handler(client *api.Client) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		pods, nodes, err := read(r.Context(), client)
		if err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("Content-Type", "text/plain; version=0.0.4")
		Write(w, pods, nodes)
	})
}

func read(ctx context.Context, client *api.Client) ([]corev1.Pod, []corev1.Node, error) {
	pods, err := client.Pods("").List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, nil, fmt.Errorf("list pods: %w", err)
	}
	nodes, err := client.Nodes().List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, nil, fmt.Errorf("list nodes: %w", err)
	}
	return pods.Items, nodes.Items, nil
}

// podReasons are the reasons of kube_pod_status_reason: one series each, 1 for the one that applies.
var podReasons = []string{"Evicted", "NodeAffinity", "NodeLost", "Shutdown", "UnexpectedAdmissionError"}

// page collects the series of one scrape by name, since the series of a name must be listed together.
type page struct {
	names  []string
	series map[string][]string
}

// put adds a series; labels are names and values in turn.
func (p *page) put(name string, value float64, labels ...string) {
	pairs := make([]string, 0, len(labels)/2)
	for i := 0; i+1 < len(labels); i += 2 {
		pairs = append(pairs, labels[i]+"="+strconv.Quote(labels[i+1]))
	}
	if !slices.Contains(p.names, name) {
		p.names = append(p.names, name)
	}
	p.series[name] = append(p.series[name],
		name+"{"+strings.Join(pairs, ",")+"} "+strconv.FormatFloat(value, 'g', -1, 64)+"\n")
}

// Write writes the series of pods and nodes in Prometheus' text format.
func Write(w io.Writer, pods []corev1.Pod, nodes []corev1.Node) {
	p := &page{series: map[string][]string{}}
	p.put("lab_statemetrics_info", 1, "is", "a stand-in for kube-state-metrics")
	for i := range nodes {
		p.node(&nodes[i])
	}
	for i := range pods {
		p.pod(&pods[i])
	}
	for _, name := range p.names {
		_, _ = io.WriteString(w, strings.Join(p.series[name], ""))
	}
}

func (p *page) node(n *corev1.Node) {
	p.put("kube_node_info", 1, "node", n.Name, "kernel_version", n.Status.NodeInfo.KernelVersion,
		"container_runtime_version", n.Status.NodeInfo.ContainerRuntimeVersion,
		"kubelet_version", n.Status.NodeInfo.KubeletVersion)
	for _, c := range n.Status.Conditions {
		for _, status := range []corev1.ConditionStatus{corev1.ConditionTrue,
			corev1.ConditionFalse, corev1.ConditionUnknown} {
			p.put("kube_node_status_condition", truth(c.Status == status), "node", n.Name, "condition", string(c.Type),
				"status", strings.ToLower(string(status)))
		}
	}
}

func (p *page) pod(pod *corev1.Pod) {
	who := []string{"namespace", pod.Namespace, "pod", pod.Name, "uid", string(pod.UID)}
	p.put("kube_pod_info", 1, with(who, "host_ip", pod.Status.HostIP, "pod_ip", pod.Status.PodIP, "node",
		pod.Spec.NodeName)...)
	for _, reason := range podReasons {
		p.put("kube_pod_status_reason", truth(pod.Status.Reason == reason), with(who, "reason", reason)...)
	}
	for _, c := range pod.Spec.Containers {
		if limit, ok := c.Resources.Limits[corev1.ResourceMemory]; ok {
			p.put("kube_pod_container_resource_limits", limit.AsApproximateFloat64(),
				with(who, "container", c.Name, "node", pod.Spec.NodeName, "resource", "memory", "unit", "byte")...)
		}
	}
	for _, c := range pod.Status.ContainerStatuses {
		p.container("kube_pod_container", with(who, "container", c.Name), c)
		if c.State.Running != nil {
			p.put("kube_pod_container_state_started", float64(c.State.Running.StartedAt.Unix()),
				with(who, "container", c.Name)...)
		}
		if last := c.LastTerminationState.Terminated; last != nil {
			one := with(who, "container", c.Name)
			p.put("kube_pod_container_status_last_terminated_exitcode", float64(last.ExitCode), one...)
			p.put("kube_pod_container_status_last_terminated_timestamp", float64(last.FinishedAt.Unix()), one...)
		}
	}
	for _, c := range pod.Status.InitContainerStatuses {
		p.container("kube_pod_init_container", with(who, "container", c.Name), c)
	}
}

// container adds the series that regular and init containers both have.
func (p *page) container(prefix string, who []string, c corev1.ContainerStatus) {
	p.put(prefix+"_info", 1, with(who, "image", c.Image, "image_id", c.ImageID, "container_id", c.ContainerID)...)
	p.put(prefix+"_status_restarts_total", float64(c.RestartCount), who...)
	if last := c.LastTerminationState.Terminated; last != nil {
		p.put(prefix+"_status_last_terminated_reason", 1, with(who, "reason", last.Reason)...)
	}
}

// with returns labels with more appended, and leaves labels unchanged.
func with(labels []string, more ...string) []string { return append(slices.Clip(labels), more...) }

func truth(is bool) float64 {
	if is {
		return 1
	}
	return 0
}
