package collectorpod

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"

	"github.com/restartwhy/kubectl-restartwhy/diag/kube"
)

// startLimit is how long a pod may take to start. An image of 20 MiB is pulled
// by then, if it can be pulled at all.
const startLimit = time.Minute

// errAbsent tells that the node lacks directories that the pod mounts.
type errAbsent struct{ paths []string }

func (e *errAbsent) Error() string {
	return "the node has no " + strings.Join(e.paths, ", ")
}

// trouble is a reason why a pod does not get to run, with what can be done.
type trouble struct {
	why, hint string
	err       error
}

func (t *trouble) Error() string {
	if t.err != nil {
		return t.why + ": " + t.err.Error()
	}
	return t.why
}

func (t *trouble) Unwrap() error { return t.err }

// hopeless are reasons of a waiting container that no patience changes, with
// what can be done about them. The others may pass.
var hopeless = map[string]string{
	"InvalidImageName":           "name the image with --collector-image",
	"ErrImageNeverPull":          "import the image on the node, or name one with --collector-image that it can pull",
	"ImagePullBackOff":           "the node cannot pull the image: name one with --collector-image that it can, or import it there ('make image' writes an archive)",
	"CreateContainerConfigError": "the node refuses the container: its kubelet's log says more",
	"CreateContainerError":       "the runtime refuses the container: its log says more",
	"RunContainerError":          "the runtime cannot start the container: its log says more",
}

// running waits until the pod's container runs.
func (r *run) running(ctx context.Context, p plan) error {
	ctx, cancel := context.WithTimeout(ctx, min(startLimit, p.left))
	defer cancel()
	last := "nothing was heard of it"
	for n := 0; ; n++ {
		pod, err := kube.Get[corev1.Pod](ctx, r.client, kube.Pods, r.o.Namespace, p.name)
		switch {
		case apierrors.IsNotFound(err):
			return &trouble{why: "somebody removed the pod before it ran", hint: "does a policy of the cluster end such pods?"}
		case apierrors.IsForbidden(err):
			return &trouble{why: "watch over the pod", hint: "needs get on pods in the namespace", err: err}
		case err == nil:
			up, why, err := state(pod)
			if up || err != nil {
				return err
			}
			last = why
			// Volumes have no state of their own; only events speak of them.
			if n%4 == 3 {
				if err := r.volumeTrouble(ctx, p); err != nil {
					return err
				}
			}
		}
		if err := pause(ctx, r.o.poll); err != nil {
			if errors.Is(err, context.DeadlineExceeded) {
				return &trouble{why: fmt.Sprintf("the pod did not start in %s: %s", min(startLimit, p.left).Round(time.Second), last),
					hint: "is the node ready? --collector-allow hostnetwork starts pods where the pod network is broken"}
			}
			return err
		}
	}
}

// state tells whether the container runs, what is known while it does not, and
// an error if it never will.
func state(pod *corev1.Pod) (up bool, why string, err error) {
	if pod.Status.Phase == corev1.PodFailed || pod.Status.Phase == corev1.PodSucceeded {
		return false, "", &trouble{why: "the pod ended before it was asked: " + ended(pod), hint: "the node may have no room for it, or the image may be another version's"}
	}
	for _, c := range pod.Status.ContainerStatuses {
		if c.State.Running != nil {
			return true, "", nil
		}
		if w := c.State.Waiting; w != nil && w.Reason != "" {
			why = w.Reason
			if w.Message != "" {
				why += ": " + w.Message
			}
			if hint, ok := hopeless[w.Reason]; ok {
				return false, "", &trouble{why: "the container cannot start: " + why, hint: hint}
			}
		}
	}
	if why == "" {
		why = "the node's kubelet has not answered"
	}
	return false, why, nil
}

// ended says how a pod ended.
func ended(pod *corev1.Pod) string {
	for _, c := range pod.Status.ContainerStatuses {
		if t := c.State.Terminated; t != nil {
			return strings.TrimSpace(fmt.Sprintf("exit code %d %s %s", t.ExitCode, t.Reason, t.Message))
		}
	}
	return strings.TrimSpace(pod.Status.Reason + " " + pod.Status.Message)
}

// volumeTrouble looks in the pod's events for directories that the node lacks. It
// is a comfort: who may not list events waits for the time limit.
func (r *run) volumeTrouble(ctx context.Context, p plan) error {
	list, err := kube.List[corev1.EventList](ctx, r.client, kube.Events, r.o.Namespace, metav1.ListOptions{Limit: 100,
		FieldSelector: fields.Set{"involvedObject.name": p.name, "involvedObject.kind": "Pod"}.String()})
	if err != nil {
		return nil
	}
	var missing []string
	for _, e := range list.Items {
		if e.Reason == "FailedMount" {
			missing = append(missing, absent(e.Message, p.mounts)...)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	slices.Sort(missing)
	return &errAbsent{slices.Compact(missing)}
}

func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
