package e2e

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/scenario"
)

// UnseenError says what did not appear in time.
type UnseenError struct {
	What string
	Pods []Unseen
}

// Unseen is a scenario's pod on a node as the API last showed it; Err says why the node's pods could not be listed.
type Unseen struct {
	Node     string
	Scenario scenario.Scenario
	Pod      *corev1.Pod // nil: it does not exist
	Err      error
}

// Error implements error.
func (e *UnseenError) Error() string {
	var lines []string
	for _, u := range e.Pods {
		lines = append(lines, u.String())
	}
	slices.Sort(lines)
	return e.What + ": not seen in time: " + strings.Join(lines, ", ")
}

// lost returns those whose exit the kubelet has counted and forgotten, so that waiting is useless. If a kubelet
// collects garbage while the next container is created and not yet started, it treats that one as the newest dead
// container and removes the one that exited (kubelet v1.20 to v1.37 kuberuntime_gc.go evictableContainers: all that are
// not running).
func (e *UnseenError) lost() []Unseen {
	return slices.DeleteFunc(slices.Clone(e.Pods), func(u Unseen) bool {
		return u.Pod == nil || !slices.ContainsFunc(u.Scenario.Truths, func(t scenario.Truth) bool {
			s := scenario.StatusOf(u.Pod, t.Container)
			return s != nil && s.RestartCount >= u.Scenario.Restarts && s.State.Running != nil &&
				s.LastTerminationState.Terminated == nil
		})
	})
}

// String returns what the API knows of the pod, to find out why it is not as expected.
func (u Unseen) String() string {
	switch {
	case u.Err != nil:
		return fmt.Sprintf("%s (%v)", u.Node, u.Err)
	case u.Pod == nil:
		return fmt.Sprintf("%s/%s (no such pod)", u.Node, u.Scenario.Name)
	}
	said := []string{string(u.Pod.Status.Phase)}
	for _, s := range slices.Concat(u.Pod.Status.InitContainerStatuses, u.Pod.Status.ContainerStatuses) {
		said = append(said, fmt.Sprintf("%s: %s, %d restarts, last state: %s", s.Name, state(s.State),
			s.RestartCount, state(s.LastTerminationState)))
	}
	return fmt.Sprintf("%s/%s (%s)", u.Node, u.Scenario.Name, strings.Join(said, "; "))
}

func state(s corev1.ContainerState) string {
	switch {
	case s.Running != nil:
		return "running since " + s.Running.StartedAt.UTC().Format("15:04:05")
	case s.Terminated != nil:
		return fmt.Sprintf("ended with %d at %s", s.Terminated.ExitCode, s.Terminated.FinishedAt.UTC().Format("15:04:05"))
	case s.Waiting != nil:
		return "waiting, " + s.Waiting.Reason
	}
	return "none"
}
