package collectorpod

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/bundle"
	"github.com/restartwhy/kubectl-restartwhy/diag/kube"
)

// run is the collection from one node.
type run struct {
	client kube.Client
	attach Attacher
	node   string
	o      Options
	// left are the errors of objects that could not be removed.
	left []error
}

// attempts limits how often a pod is created, each time without what the node lacks.
const attempts = 6

// got is the result from a node.
type got struct {
	bundle *bundle.Bundle
	// err is why it is incomplete or absent.
	err error
	// missing are directories that the node does not have, and guessed those left out because the node did not name
	// what it lacks; why is its message instead.
	missing, guessed []string
	why              string
	denied           []view
}

// collect creates the pod, reads its bundle and removes it. The removal happens in any case, and has its own time.
func (r *run) collect(ctx context.Context) (g got) {
	until := r.o.Now().Add(r.o.Timeout)
	ctx, cancel := context.WithTimeout(ctx, r.o.Timeout)
	defer cancel()
	var info corev1.NodeSystemInfo
	if node, err := kube.Get[corev1.Node](ctx, r.client, kube.Nodes, "", r.node); err == nil {
		info = node.Status.NodeInfo
		if info.OperatingSystem == "windows" {
			g.err = &trouble{why: "the node runs Windows", hint: "a collector pod reads Linux nodes only"}
			return g
		}
	}
	suffix, err := random()
	if err != nil {
		g.err = err
		return g
	}
	job := timer(valueName+"-"+suffix, r.node, r.o)
	owner, err := kube.Create(ctx, r.client, kube.Jobs, r.o.Namespace, job)
	if !notMade(err) {
		defer r.removeJob(ctx, job.Name)
	}
	if err != nil {
		g.err = r.refused("create the job that removes the pod", err)
		return g
	}
	for n := range attempts {
		var sources []string
		var mounts []mount
		sources, mounts, g.denied = seen(info, r.o.Grants, slices.Concat(g.missing, g.guessed))
		if len(sources) == 0 {
			return g
		}
		p := plan{name: fmt.Sprintf("%s-%s-%d", valueName, suffix, n), node: r.node,
			owner: owner, sources: sources, mounts: mounts, left: until.Sub(r.o.Now())}
		g.bundle, g.err = r.try(ctx, p)
		var lacks *errUnmounted
		if !errors.As(g.err, &lacks) {
			return g
		}
		if len(lacks.absent) > 0 {
			g.missing = append(g.missing, lacks.absent...)
			continue
		}
		paths := guess(mounts)
		if len(paths) == 0 {
			return g
		}
		g.guessed, g.why = append(g.guessed, paths...), lacks.words
	}
	return g
}

// try creates one pod, reads its bundle and removes it.
func (r *run) try(ctx context.Context, p plan) (b *bundle.Bundle, err error) {
	_, err = kube.Create(ctx, r.client, kube.Pods, r.o.Namespace, pod(p, r.o))
	if !notMade(err) {
		defer func() { r.removePod(ctx, p.name, b != nil && err == nil) }()
	}
	if err != nil {
		return nil, r.refused("make the pod", err)
	}
	if err := r.running(ctx, p); err != nil {
		return nil, err
	}
	return r.stream(ctx, p)
}

// notMade reports whether a creation certainly failed. Other failures, such as a broken connection, may have succeeded:
// the name is ours either way.
func notMade(err error) bool {
	return apierrors.IsForbidden(err) || apierrors.IsUnauthorized(err) ||
		apierrors.IsInvalid(err) || apierrors.IsNotFound(err)
}

// stream tells the pod to begin and reads its bundle as it comes. If it breaks off, what came before is kept.
func (r *run) stream(ctx context.Context, p plan) (*bundle.Bundle, error) {
	in, leash := io.Pipe()
	defer leash.Close()
	out, write := io.Pipe()
	said := &tail{max: 4 << 10}
	type read struct {
		b   *bundle.Bundle
		err error
	}
	done := make(chan read, 1)
	go func() {
		b, err := bundle.Read("bundle of "+p.node+".tar.zst", out, bundle.Options{Now: r.o.Now()})
		// Ignore what follows a bundle, but do not block its writer.
		_, _ = io.Copy(io.Discard, out)
		done <- read{b, err}
	}()
	go func() { _, _ = io.WriteString(leash, "go\n") }() // it fails when nobody reads: then attaching has failed
	err := r.attach.Attach(ctx, r.o.Namespace, p.name, containerName, in, write, said)
	_ = in.Close()
	_ = write.CloseWithError(err) // nil means io.EOF
	got := <-done
	switch {
	case ctx.Err() != nil:
		err = ctx.Err()
	case err != nil:
		err = r.refused("attach to the pod", err)
	case got.err != nil:
		err = &trouble{why: "the pod sent no bundle", err: got.err}
		if text := said.text(); text != "" {
			err = &trouble{why: "the pod said: " + text, hint: "is the image this version's?"}
		}
	}
	if got.err != nil {
		return nil, err
	}
	return got.b, err
}

// removePod removes a pod and waits until its node has confirmed the end. A busy or dead node does not confirm; then
// the object is deleted anyway: the program holds nothing exclusive, its leash is cut and its deadline is near. A pod
// that has answered in full exits by itself, so there is no wait.
func (r *run) removePod(ctx context.Context, name string, answered bool) {
	r.remove(ctx, func(ctx context.Context) error {
		grace := int64(1)
		if answered {
			grace = 0
		}
		if err := r.client.Delete(ctx, kube.Pods, r.o.Namespace, name,
			metav1.DeleteOptions{GracePeriodSeconds: &grace}); err != nil || answered {
			return err
		}
		for began, forced := r.o.Now(), false; ; {
			if !forced && r.o.Now().Sub(began) > r.o.confirm {
				forced = true
				if err := r.client.Delete(ctx, kube.Pods, r.o.Namespace, name,
					metav1.DeleteOptions{GracePeriodSeconds: new(int64(0))}); err != nil {
					return err
				}
			}
			if _, err := kube.Get[corev1.Pod](ctx, r.client, kube.Pods, r.o.Namespace, name); err != nil && ctx.Err() == nil {
				return err
			}
			if pause(ctx, r.o.poll) != nil {
				return fmt.Errorf("pod %s/%s is still there: its node does not confirm that it ended", r.o.Namespace, name)
			}
		}
	})
}

func (r *run) removeJob(ctx context.Context, name string) {
	r.remove(ctx, func(ctx context.Context) error {
		background := metav1.DeletePropagationBackground
		return r.client.Delete(ctx, kube.Jobs, r.o.Namespace, name, metav1.DeleteOptions{PropagationPolicy: &background})
	})
}

// remove runs a removal in its own time. It is fine if the object does not exist.
func (r *run) remove(ctx context.Context, do func(context.Context) error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), removal)
	defer cancel()
	if err := do(ctx); err != nil && !apierrors.IsNotFound(err) {
		r.left = append(r.left, err)
	}
}

// refused wraps an answer of the API server that stops a collection.
func (r *run) refused(operation string, err error) error {
	text := err.Error()
	hint := ""
	switch {
	case strings.Contains(text, "violates PodSecurity"), strings.Contains(text, "PodSecurityPolicy"),
		strings.Contains(text, "security context constraint"):
		hint = "namespace " + r.o.Namespace +
			" does not allow pods that read the node's directories: name one with the label " +
			"pod-security.kubernetes.io/enforce=privileged with --collector-namespace"
	case apierrors.IsNotFound(err) && strings.Contains(text, "namespaces"):
		hint = "create it with 'kubectl apply -f docs/rbac/collector.yaml', or name another with --collector-namespace"
	case apierrors.IsForbidden(err) && strings.Contains(text, "exceeded quota"):
		hint = "the namespace's quota is used up: name another one with --collector-namespace"
	case apierrors.IsForbidden(err):
		hint = "docs/RBAC.md lists the rights that a collector pod needs"
	}
	return &trouble{why: operation + " in namespace " + r.o.Namespace, hint: hint, err: err}
}

// Sweep removes expired leftovers of earlier runs in a namespace: of runs that were killed, in a cluster whose own
// controllers do not remove them. It returns how many objects it removed.
func Sweep(ctx context.Context, client kube.Client, namespace string, now time.Time) (removed int, err error) {
	opts := metav1.ListOptions{LabelSelector: Selector}
	var errs []error
	expired := func(m metav1.ObjectMeta) bool {
		at, err := time.Parse(time.RFC3339, m.Annotations[noteExpiry])
		return err == nil && now.After(at.Add(margin))
	}
	note := func(err error) {
		if err == nil {
			removed++
		} else if !apierrors.IsNotFound(err) {
			errs = append(errs, err)
		}
	}
	pods, err := kube.List[corev1.PodList](ctx, client, kube.Pods, namespace, opts)
	if err != nil {
		return 0, err
	}
	for i := range pods.Items {
		if p := &pods.Items[i]; expired(p.ObjectMeta) && p.DeletionTimestamp == nil {
			note(client.Delete(ctx, kube.Pods, namespace, p.Name,
				metav1.DeleteOptions{Preconditions: metav1.NewUIDPreconditions(string(p.UID))}))
		}
	}
	jobs, err := kube.List[batchv1.JobList](ctx, client, kube.Jobs, namespace, opts)
	if err != nil {
		return removed, errors.Join(append(errs, err)...)
	}
	background := metav1.DeletePropagationBackground
	for i := range jobs.Items {
		if j := &jobs.Items[i]; expired(j.ObjectMeta) && j.DeletionTimestamp == nil {
			note(client.Delete(ctx, kube.Jobs, namespace, j.Name,
				metav1.DeleteOptions{PropagationPolicy: &background, Preconditions: metav1.NewUIDPreconditions(string(j.UID))}))
		}
	}
	return removed, errors.Join(errs...)
}

// random returns a unique name for the objects of one run.
func random() (string, error) {
	b := make([]byte, 5)
	if _, err := rand.Read(b); err != nil {
		return "", fmt.Errorf("choose a name for the pod: %w", err)
	}
	return hex.EncodeToString(b), nil
}

// tail keeps the end of what is written to it.
type tail struct {
	buf bytes.Buffer
	max int
}

func (t *tail) Write(p []byte) (int, error) {
	t.buf.Write(p)
	if over := t.buf.Len() - t.max; over > 0 {
		t.buf.Next(over)
	}
	return len(p), nil
}

// text returns the last line.
func (t *tail) text() string {
	lines := strings.Split(strings.TrimSpace(t.buf.String()), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}
