package collector

import (
	"context"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/remotecommand"

	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/e2e"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/machine"
)

// stdinKeepalive attaches to the waiting pods as their client would, and then drops the connection without a word, as
// happens when a client is killed.
func (c *collector) stdinKeepalive(ctx context.Context) (string, error) {
	config, err := clientcmd.BuildConfigFromFlags("", c.Lab.Kubeconfig())
	if err != nil {
		return "", err
	}
	list := func() ([]corev1.Pod, error) {
		pods, err := c.client.Pods(namespace).List(ctx, metav1.ListOptions{LabelSelector: labels})
		if err != nil {
			return nil, err
		}
		return pods.Items, nil
	}
	phases := func(want corev1.PodPhase, limit time.Duration) error {
		for deadline := time.Now().Add(limit); ; {
			pods, err := list()
			if err != nil {
				return err
			}
			if len(pods) == len(c.nodes) &&
				!slices.ContainsFunc(pods, func(p corev1.Pod) bool { return p.Status.Phase != want }) {
				return nil
			}
			if time.Now().After(deadline) {
				return fmt.Errorf("%d pods, not all of them %s", len(pods), want)
			}
			if err := machine.Pause(ctx, e2e.Poll/5); err != nil {
				return err
			}
		}
	}
	if err := phases(corev1.PodRunning, killedTimeout/2); err != nil {
		return "", err
	}
	pods, err := list()
	if err != nil {
		return "", err
	}
	var wg sync.WaitGroup
	for _, p := range pods {
		url := c.client.Attach(p.Namespace, p.Name,
			&corev1.PodAttachOptions{Container: p.Spec.Containers[0].Name, Stdin: true, Stdout: true})
		held, err := remotecommand.NewSPDYExecutor(config, "POST", url)
		if err != nil {
			return "", err
		}
		in, hand := io.Pipe()
		defer hand.Close()
		wg.Go(func() {
			ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
			defer cancel()
			_ = held.StreamWithContext(ctx, remotecommand.StreamOptions{Stdin: in, Stdout: io.Discard}) // ends by the cut
		})
	}
	wg.Wait()
	began := time.Now()
	if err := phases(corev1.PodFailed, killedTimeout/3); err != nil {
		return "", fmt.Errorf("let go of the leash: %w", err)
	}
	return fmt.Sprintf("the programs ended %.1fs after their leash", time.Since(began).Seconds()), nil
}
