package collectorpod

import (
	"cmp"
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

// errUnmounted says that a pod does not start because something that it mounts is missing.
type errUnmounted struct {
	// absent are paths of the node that were named; none where the message names no known path.
	absent []string
	words  string // the event's message
}

func (e *errUnmounted) Error() string {
	if len(e.absent) > 0 {
		return "the node has no " + strings.Join(e.absent, ", ")
	}
	return e.words
}

// trouble is a reason why a pod does not run, with a remedy.
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

// hopeless are waiting reasons that do not pass by themselves, with a remedy. The others may pass.
var hopeless = map[string]string{
	"InvalidImageName":  "name the image with --collector-image",
	"ErrImageNeverPull": "import the image on the node, or name one with --collector-image that it can pull",
	"ImagePullBackOff": "the node cannot pull the image: name one with --collector-image that it can, or " +
		"import it there ('make image' writes an archive)",
	"CreateContainerConfigError": "the node refuses the container: its kubelet's log says more",
	"CreateContainerError":       "the runtime refuses the container: its log says more",
	"RunContainerError":          "the runtime cannot start the container: its log says more",
}

// running waits until the pod's container runs: at most as long as the whole collection may take, and at most half of
// that without any news. A slow node makes news (a pod accepted, an image being pulled); a dead one makes none.
func (r *run) running(ctx context.Context, p plan) error {
	began := r.o.Now()
	moved := began
	var last, said news
	for n := 0; ; n++ {
		pod, err := kube.Get[corev1.Pod](ctx, r.client, kube.Pods, r.o.Namespace, p.name)
		switch {
		case apierrors.IsNotFound(err):
			return &trouble{why: "someone removed the pod before it ran", hint: "does a cluster policy remove such pods?"}
		case apierrors.IsForbidden(err):
			return &trouble{why: "watch over the pod", hint: "needs get on pods in the namespace", err: err}
		case err == nil:
			up, why, err := state(pod)
			if up || err != nil {
				return err
			}
			said.state = why
			// Volumes and sandboxes have no state of their own; only events report them.
			if n%4 == 3 {
				events := r.events(ctx, p)
				if err := unmounted(events, p.mounts); err != nil {
					return err
				}
				said.texts, said.warning = told(events)
			}
		}
		if said != last {
			last, moved = said, r.o.Now()
		}
		err = pause(ctx, r.o.poll)
		if now := r.o.Now(); errors.Is(err, context.DeadlineExceeded) || now.Sub(moved) > r.o.Timeout/2 {
			return &trouble{why: fmt.Sprintf("the pod did not start in %s: %s", now.Sub(began).Round(time.Second), last),
				hint: "is the node ready? --collector-timeout allows more; --collector-allow hostnetwork starts pods where the " +
					"pod network is broken"}
		}
		if err != nil {
			return err
		}
	}
}

// news is what is known of a pod that does not run yet. Any change counts as progress.
type news struct {
	state   string
	warning string // the newest
	texts   int    // different events; a repeated one is not news
}

func (n news) String() string {
	return cmp.Or(n.warning, n.state, "no message from it arrived")
}

// state reports whether the container runs, what is known while it does not, and an error if it never will.
func state(pod *corev1.Pod) (up bool, why string, err error) {
	if pod.Status.Phase == corev1.PodFailed || pod.Status.Phase == corev1.PodSucceeded {
		return false, "", &trouble{why: "the pod ended before it got the request: " + ended(pod),
			hint: "the node may have no room for it, or the image may be another version's"}
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

// ended describes how a pod ended.
func ended(pod *corev1.Pod) string {
	for _, c := range pod.Status.ContainerStatuses {
		if t := c.State.Terminated; t != nil {
			return strings.TrimSpace(fmt.Sprintf("exit code %d %s %s", t.ExitCode, t.Reason, t.Message))
		}
	}
	return strings.TrimSpace(pod.Status.Reason + " " + pod.Status.Message)
}

// events returns the pod's events. They are optional: without the right to list them, only the time limit applies.
func (r *run) events(ctx context.Context, p plan) []corev1.Event {
	list, err := kube.List[corev1.EventList](ctx, r.client, kube.Events, r.o.Namespace, metav1.ListOptions{Limit: 100,
		FieldSelector: fields.Set{"involvedObject.name": p.name, "involvedObject.kind": "Pod"}.String()})
	if err != nil {
		return nil
	}
	return list.Items
}

// unmounted searches events for what the node cannot mount. A pod of this package mounts only the node's own files and
// directories, so waiting does not help.
func unmounted(events []corev1.Event, mounts []mount) error {
	e := &errUnmounted{}
	for _, ev := range events {
		if ev.Reason == "FailedMount" {
			e.absent = append(e.absent, absent(ev.Message, mounts)...)
			e.words = words(ev)
		}
	}
	if e.words == "" {
		return nil
	}
	slices.Sort(e.absent)
	e.absent = slices.Compact(e.absent)
	return e
}

// told returns the number of different events and the text of the newest warning.
func told(events []corev1.Event) (texts int, warning string) {
	different := map[string]bool{}
	var newest time.Time
	for _, ev := range events {
		different[words(ev)] = true
		if at := ev.LastTimestamp.Time; ev.Type == corev1.EventTypeWarning && !at.Before(newest) {
			warning, newest = words(ev), at
		}
	}
	return len(different), warning
}

func words(ev corev1.Event) string { return ev.Reason + ": " + ev.Message }

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
