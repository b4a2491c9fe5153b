package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	criapi "k8s.io/cri-api/pkg/apis"
	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"
	cri "k8s.io/cri-client/pkg"

	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/api"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/cluster"
)

// runtimeLimit limits a call of a runtime: an emulated one stops a container within a minute.
const runtimeLimit = 5 * time.Minute

// Hands act on the lab's nodes for the scenarios.
type Hands struct {
	lab    *cluster.Lab
	client *api.Client
}

// NewHands returns the Hands for the nodes of a lab.
func NewHands(lab *cluster.Lab, client *api.Client) Hands { return Hands{lab, client} }

func (h Hands) runtime(ctx context.Context, node string) (criapi.RuntimeService, error) {
	m, err := h.lab.Machine(node)
	if err != nil {
		return nil, err
	}
	service, err := cri.NewRemoteRuntimeServiceBuilder().WithEndpoint(m.RuntimeEndpoint()).WithConnectionTimeout(
		runtimeLimit).WithTracerProvider(nil).Build(ctx)
	if err != nil {
		return nil, fmt.Errorf("reach runtime of node %s: %w", node, err)
	}
	return service, nil
}

// KillTask implements scenario.Hands.
func (h Hands) KillTask(ctx context.Context, node, id string) error {
	m, err := h.lab.Machine(node)
	if err != nil {
		return err
	}
	_, err = m.Run(ctx, "ctr", "-n", "k8s.io", "task", "kill", "-s", "SIGKILL", id)
	return err
}

// StopContainer implements scenario.Hands.
func (h Hands) StopContainer(ctx context.Context, node, id string, grace time.Duration) error {
	service, err := h.runtime(ctx, node)
	if err != nil {
		return err
	}
	defer func() { _ = service.Close(ctx) }()
	return service.StopContainer(ctx, id, int64(grace.Seconds()))
}

// SandboxOf implements scenario.Hands.
func (h Hands) SandboxOf(ctx context.Context, pod *corev1.Pod) (string, error) {
	service, err := h.runtime(ctx, pod.Spec.NodeName)
	if err != nil {
		return "", err
	}
	defer func() { _ = service.Close(ctx) }()
	sandboxes, err := service.ListPodSandbox(ctx, &runtimeapi.PodSandboxFilter{
		State:         &runtimeapi.PodSandboxStateValue{State: runtimeapi.PodSandboxState_SANDBOX_READY},
		LabelSelector: map[string]string{"io.kubernetes.pod.uid": string(pod.UID)},
	})
	if err != nil {
		return "", fmt.Errorf("find sandbox of pod %s: %w", pod.Name, err)
	}
	if len(sandboxes) != 1 {
		return "", fmt.Errorf("find sandbox of pod %s: %d are ready", pod.Name, len(sandboxes))
	}
	return sandboxes[0].Id, nil
}

// SetImage implements scenario.Hands.
func (h Hands) SetImage(ctx context.Context, pod *corev1.Pod, container, image string) error {
	patch, err := json.Marshal(map[string]any{"spec": map[string]any{
		"containers": []any{map[string]string{"name": container, "image": image}}}})
	if err != nil {
		return err
	}
	_, err = h.client.Pods(pod.Namespace).Patch(ctx, pod.Name, types.StrategicMergePatchType, patch, metav1.PatchOptions{})
	if err != nil {
		return fmt.Errorf("set image of pod %s: %w", pod.Name, err)
	}
	return nil
}

// Forget implements scenario.Hands.
func (h Hands) Forget(ctx context.Context, pod *corev1.Pod, container string) error {
	service, err := h.runtime(ctx, pod.Spec.NodeName)
	if err != nil {
		return err
	}
	defer func() { _ = service.Close(ctx) }()
	ended, err := service.ListContainers(ctx, &runtimeapi.ContainerFilter{
		State:         &runtimeapi.ContainerStateValue{State: runtimeapi.ContainerState_CONTAINER_EXITED},
		LabelSelector: map[string]string{"io.kubernetes.pod.uid": string(pod.UID), "io.kubernetes.container.name": container},
	})
	if err != nil {
		return fmt.Errorf("find records of %s in pod %s: %w", container, pod.Name, err)
	}
	if len(ended) == 0 {
		return fmt.Errorf("find records of %s in pod %s: there are none", container, pod.Name)
	}
	for _, c := range ended {
		if err := service.RemoveContainer(ctx, c.Id); err != nil {
			return fmt.Errorf("remove records of %s in pod %s: %w", container, pod.Name, err)
		}
	}
	return nil
}

// Resize implements scenario.Hands.
func (h Hands) Resize(ctx context.Context, pod *corev1.Pod, container, memory string) error {
	patch, err := json.Marshal(map[string]any{"spec": map[string]any{"containers": []any{map[string]any{"name": container,
		"resources": map[string]any{"limits": map[string]string{"memory": memory},
			"requests": map[string]string{"memory": memory}}}}}})
	if err != nil {
		return err
	}
	if _, err = h.client.Pods(pod.Namespace).Patch(ctx, pod.Name, types.StrategicMergePatchType,
		patch, metav1.PatchOptions{}, "resize"); err != nil {
		return fmt.Errorf("resize pod %s: %w", pod.Name, err)
	}
	return nil
}

// ExpireEvents implements scenario.Hands.
func (h Hands) ExpireEvents(ctx context.Context, node string) error {
	return forgetEvents(ctx, h.client, []string{node})
}
