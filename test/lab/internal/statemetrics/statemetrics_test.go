package statemetrics

import (
	"bytes"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestTheSeriesAreThoseOfKubeStateMetrics(t *testing.T) {
	at := func(s int64) metav1.Time { return metav1.NewTime(time.Unix(1700000000+s, 0)) }
	pod := corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web-0", UID: "u1"},
		Spec:       corev1.PodSpec{NodeName: "n1"},
		Status: corev1.PodStatus{Reason: "Evicted", HostIP: "10.0.0.1", PodIP: "10.1.0.7",
			InitContainerStatuses: []corev1.ContainerStatus{{Name: "prepare", RestartCount: 1, Image: "a:1",
				LastTerminationState: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: 5,
					Reason: "Error", FinishedAt: at(1)}}}},
			ContainerStatuses: []corev1.ContainerStatus{{
				Name: "app", RestartCount: 2, Image: `b"1`, ContainerID: "containerd://c1",
				State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: at(3)}},
				LastTerminationState: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: 137,
					Reason: "OOMKilled", FinishedAt: at(2)}}}}},
	}
	node := corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n1"}, Status: corev1.NodeStatus{
		NodeInfo:   corev1.NodeSystemInfo{KubeletVersion: "v1.31.0"},
		Conditions: []corev1.NodeCondition{{Type: corev1.NodeDiskPressure, Status: corev1.ConditionTrue}}}}
	var got bytes.Buffer
	Write(&got, []corev1.Pod{pod}, []corev1.Node{node})
	const who = `namespace="shop",pod="web-0",uid="u1"`
	want := `lab_statemetrics_info{is="a stand-in for kube-state-metrics"} 1
kube_node_info{node="n1",kernel_version="",container_runtime_version="",kubelet_version="v1.31.0"} 1
kube_node_status_condition{node="n1",condition="DiskPressure",status="true"} 1
kube_node_status_condition{node="n1",condition="DiskPressure",status="false"} 0
kube_node_status_condition{node="n1",condition="DiskPressure",status="unknown"} 0
kube_pod_info{` + who + `,host_ip="10.0.0.1",pod_ip="10.1.0.7",node="n1"} 1
kube_pod_status_reason{` + who + `,reason="Evicted"} 1
kube_pod_status_reason{` + who + `,reason="NodeAffinity"} 0
kube_pod_status_reason{` + who + `,reason="NodeLost"} 0
kube_pod_status_reason{` + who + `,reason="Shutdown"} 0
kube_pod_status_reason{` + who + `,reason="UnexpectedAdmissionError"} 0
kube_pod_container_info{` + who + `,container="app",image="b\"1",image_id="",container_id="containerd://c1"} 1
kube_pod_container_status_restarts_total{` + who + `,container="app"} 2
kube_pod_container_status_last_terminated_reason{` + who + `,container="app",reason="OOMKilled"} 1
kube_pod_container_state_started{` + who + `,container="app"} 1.700000003e+09
kube_pod_container_status_last_terminated_exitcode{` + who + `,container="app"} 137
kube_pod_container_status_last_terminated_timestamp{` + who + `,container="app"} 1.700000002e+09
kube_pod_init_container_info{` + who + `,container="prepare",image="a:1",image_id="",container_id=""} 1
kube_pod_init_container_status_restarts_total{` + who + `,container="prepare"} 1
kube_pod_init_container_status_last_terminated_reason{` + who + `,container="prepare",reason="Error"} 1
`
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
