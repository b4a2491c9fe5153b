package e2e

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/api"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/cluster"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/machine"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/scenario"
)

// Poll is how often the API is polled during a wait.
const Poll = time.Second

// Provoke creates every scenario on every node, acts on those that need it and returns when every truth can be
// observed. limit applies to all of it.
func Provoke(ctx context.Context, lab *cluster.Lab, nodes []string, scenarios []scenario.Scenario,
	limit time.Duration) error {
	client, err := lab.Client()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()

	for _, node := range nodes {
		if err := MakePods(ctx, client, node, scenarios); err != nil {
			return err
		}
	}
	lab.Say("%d pods on %d nodes", len(nodes)*len(scenarios), len(nodes))
	if err := ActAll(ctx, Hands{lab, client}, nodes, scenarios); err != nil {
		return err
	}
	for {
		round, done := context.WithTimeout(ctx, limit/4)
		err := observe(round, client, nodes, scenarios)
		done()
		var unseen *UnseenError
		if !errors.As(err, &unseen) || ctx.Err() != nil {
			return err
		}
		for _, lost := range unseen.lost() {
			lab.Say("the kubelet forgot the end, so once more with a new pod: %s", lost)
			if err := again(ctx, Hands{lab, client}, lost.Node, lost.Scenario); err != nil {
				return err
			}
		}
	}
}

// again replaces the pod of a scenario and acts on the new one.
func again(ctx context.Context, h Hands, node string, s scenario.Scenario) error {
	now := metav1.DeleteOptions{GracePeriodSeconds: new(int64(0))}
	if err := h.client.Pods(scenario.Namespace(node)).Delete(ctx, s.Name, now); err != nil {
		return fmt.Errorf("delete pod %s on %s: %w", s.Name, node, err)
	}
	if err := MakePods(ctx, h.client, node, []scenario.Scenario{s}); err != nil {
		return err
	}
	return ActAll(ctx, h, []string{node}, []scenario.Scenario{s})
}

// MakePods creates the pods of scenarios on one node.
func MakePods(ctx context.Context, client *api.Client, node string, scenarios []scenario.Scenario) error {
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: scenario.Namespace(node)}}
	if _, err := client.Namespaces().Create(ctx, ns, metav1.CreateOptions{}); err != nil &&
		!apierrors.IsAlreadyExists(err) {
		return fmt.Errorf("make namespace %s: %w", ns.Name, err)
	}
	for _, s := range scenarios {
		if _, err := client.Pods(ns.Name).Create(ctx, s.On(node), metav1.CreateOptions{}); err != nil {
			return fmt.Errorf("make pod %s/%s: %w", ns.Name, s.Name, err)
		}
	}
	return nil
}

// ActAll performs every scenario's action on its pod, all at the same time.
func ActAll(ctx context.Context, h Hands, nodes []string, scenarios []scenario.Scenario) error {
	var wg sync.WaitGroup
	errs := make(chan error, len(nodes)*len(scenarios))
	for _, node := range nodes {
		for _, s := range scenarios {
			if s.Act == nil {
				continue
			}
			wg.Go(func() {
				if err := act(ctx, h, node, s); err != nil {
					errs <- fmt.Errorf("provoke %s on %s: %w", s.Name, node, err)
				}
			})
		}
	}
	wg.Wait()
	close(errs)
	var problems []error
	for err := range errs {
		problems = append(problems, err)
	}
	return errors.Join(problems...)
}

func observe(ctx context.Context, client *api.Client, nodes []string, scenarios []scenario.Scenario) error {
	return Await(ctx, client, nodes, scenarios, "provoke", func(s scenario.Scenario, pod *corev1.Pod) bool {
		if len(s.Truths) == 0 {
			return pod.Status.Phase == corev1.PodRunning
		}
		return s.Observable(pod)
	})
}

// act waits until the pod's last but one instance has run long enough, and performs the scenario's action on it.
func act(ctx context.Context, h Hands, node string, s scenario.Scenario) error {
	for {
		pod, err := h.client.Pods(scenario.Namespace(node)).Get(ctx, s.Name, metav1.GetOptions{})
		if err == nil {
			status := scenario.StatusOf(pod, pod.Spec.Containers[0].Name)
			// The API may still show the previous instance: a slow kubelet reports exits late.
			if status != nil && status.State.Running != nil && status.RestartCount >= s.Restarts-1 &&
				time.Since(status.State.Running.StartedAt.Time) >= s.Settle {
				return s.Act(ctx, h, pod)
			}
		}
		if err := machine.Pause(ctx, Poll); err != nil {
			return fmt.Errorf("the pod never ran for %v: %w", s.Settle, err)
		}
	}
}

// Await polls until seen holds for every scenario on every node; an *UnseenError names those for which it does not.
func Await(ctx context.Context, client *api.Client, nodes []string, scenarios []scenario.Scenario,
	what string, seen func(scenario.Scenario, *corev1.Pod) bool) error {
	for {
		missing := &UnseenError{What: what}
		for _, node := range nodes {
			pods, err := client.Pods(scenario.Namespace(node)).List(ctx, metav1.ListOptions{})
			if err != nil {
				missing.Pods = append(missing.Pods, Unseen{Node: node, Err: err})
				continue
			}
			byName := map[string]*corev1.Pod{}
			for i := range pods.Items {
				byName[pods.Items[i].Name] = &pods.Items[i]
			}
			for _, s := range scenarios {
				if pod := byName[s.Name]; pod == nil || !seen(s, pod) {
					missing.Pods = append(missing.Pods, Unseen{Node: node, Scenario: s, Pod: pod})
				}
			}
		}
		if len(missing.Pods) == 0 {
			return nil
		}
		if err := machine.Pause(ctx, Poll); err != nil {
			return missing
		}
	}
}
