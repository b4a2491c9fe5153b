package collectorpod

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clienttesting "k8s.io/client-go/testing"

	"github.com/restartwhy/kubectl-restartwhy/diag/bundle"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/kube/kubetest"
)

var t0 = time.Date(2026, 11, 21, 7, 0, 0, 0, time.UTC)

// cluster is an API server with one node, whose kubelet starts every pod at once
// unless a test says otherwise.
type cluster struct {
	*kubetest.Fake
	t *testing.T

	mu sync.Mutex
	// kubelet changes a pod before it is read: what has become of it.
	kubelet func(*corev1.Pod)
	// lacks are directories that the node does not have, and says how its kubelet words that.
	lacks []string
	says  func(path string) string
	// made are all pods that were ever created.
	made []*corev1.Pod
	// attached is what the program in the pod does.
	attached func(ctx context.Context, in io.Reader, out, errOut io.Writer) error
}

func newCluster(t *testing.T) *cluster {
	t.Helper()
	c := &cluster{t: t,
		Fake: kubetest.NewFake(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n1"},
			Status: corev1.NodeStatus{NodeInfo: corev1.NodeSystemInfo{ContainerRuntimeVersion: "containerd://2.1.4",
				OperatingSystem: "linux"}}})}
	c.says = func(path string) string {
		return `MountVolume.SetUp failed for volume "x" : hostPath type check failed: ` + path + " is not a directory"
	}
	c.kubelet = func(p *corev1.Pod) {
		p.Status.Phase = corev1.PodRunning
		p.Status.ContainerStatuses = []corev1.ContainerStatus{
			{State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}}}
	}
	c.attached = func(_ context.Context, in io.Reader, out, _ io.Writer) error {
		if err := goes(in); err != nil {
			return err
		}
		return sendBundle(out, "nodes/n1/kmsg.txt")
	}
	c.PrependReactor("create", "pods", func(a clienttesting.Action) (bool, runtime.Object, error) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.made = append(c.made, a.(clienttesting.CreateAction).GetObject().DeepCopyObject().(*corev1.Pod))
		return false, nil, nil
	})
	c.PrependReactor("get", "pods", func(a clienttesting.Action) (bool, runtime.Object, error) {
		get := a.(clienttesting.GetAction)
		o, err := c.Tracker().Get(get.GetResource(), get.GetNamespace(), get.GetName())
		if err != nil {
			return true, nil, err
		}
		p := o.(*corev1.Pod).DeepCopy()
		if len(c.missing(p)) == 0 {
			c.kubelet(p)
		}
		return true, p, nil
	})
	c.PrependReactor("list", "events", func(clienttesting.Action) (bool, runtime.Object, error) {
		c.mu.Lock()
		defer c.mu.Unlock()
		list := &corev1.EventList{}
		for _, m := range c.missing(c.made[len(c.made)-1]) {
			list.Items = append(list.Items, corev1.Event{Type: corev1.EventTypeWarning,
				Reason: "FailedMount", Message: c.says(m)})
		}
		return true, list, nil
	})
	return c
}

// missing are the directories that a pod mounts and the node does not have.
func (c *cluster) missing(p *corev1.Pod) (out []string) {
	for _, v := range p.Spec.Volumes {
		if slices.Contains(c.lacks, v.HostPath.Path) {
			out = append(out, v.HostPath.Path)
		}
	}
	return out
}

// Attach implements Attacher.
func (c *cluster) Attach(ctx context.Context, _, pod, _ string, in io.Reader, out, errOut io.Writer) error {
	return c.attached(ctx, in, out, errOut)
}

// goes waits for the line that the program waits for.
func goes(in io.Reader) error {
	b := make([]byte, 3)
	if _, err := io.ReadFull(in, b); err != nil || string(b) != "go\n" {
		return errors.New("it was not told to go")
	}
	return nil
}

func sendBundle(out io.Writer, paths ...string) error {
	var files []evidence.File
	for _, p := range paths {
		files = append(files,
			evidence.Bytes(p, []byte("# kmsg boottime=2026-11-21T06:00:00Z bootid=b1\n6,1,1,-;Linux version 6.1\n")))
	}
	return bundle.Write(out, bundle.Manifest{Tool: "x", CollectedAt: t0,
		Gaps: []evidence.Gap{{Source: "cri", Node: "elsewhere", Why: "no socket"}}}, files)
}

// collect runs a source on the cluster's node.
func (c *cluster) collect(ctx context.Context, o Options) ([]evidence.RawEvidence, []evidence.Gap, *Source) {
	c.t.Helper()
	if o.Image == "" {
		o.Image = "example.org/restartwhy@sha256:" + strings.Repeat("a", 64)
	}
	o.poll = time.Millisecond
	s := New(kubetest.Client(c), c, "n1", o)
	c.t.Cleanup(func() {
		if err := s.Close(); err != nil {
			c.t.Error(err)
		}
	})
	pieces, gaps := s.Collect(ctx)
	return pieces, gaps, s
}

// left are the names of what is still in the cluster.
func (c *cluster) left() (names []string) {
	c.t.Helper()
	pods, err := c.Tracker().List(corev1.SchemeGroupVersion.WithResource("pods"),
		corev1.SchemeGroupVersion.WithKind("Pod"), "")
	if err != nil {
		c.t.Fatal(err)
	}
	for _, p := range pods.(*corev1.PodList).Items {
		names = append(names, "pod "+p.Name)
	}
	jobs, err := c.Tracker().List(batchv1.SchemeGroupVersion.WithResource("jobs"),
		batchv1.SchemeGroupVersion.WithKind("Job"), "")
	if err != nil {
		c.t.Fatal(err)
	}
	for _, j := range jobs.(*batchv1.JobList).Items {
		names = append(names, "job "+j.Name)
	}
	return names
}

func whys(gaps []evidence.Gap) string {
	var b bytes.Buffer
	for _, g := range gaps {
		b.WriteString(string(g.Source) + ": " + g.Why + " [" + g.Hint + "]\n")
	}
	return b.String()
}
