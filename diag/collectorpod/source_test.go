package collectorpod

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clienttesting "k8s.io/client-go/testing"

	"github.com/restartwhy/kubectl-restartwhy/diag"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

func TestANodeIsReadAndNothingStays(t *testing.T) {
	c := newCluster(t)
	pieces, gaps, s := c.collect(t.Context(), Options{Grants: Grants()})
	if len(pieces) != 1 || pieces[0].Files()[0].Path != "nodes/n1/kmsg.txt" || !s.Read() {
		t.Errorf("pieces %v, gaps %s", pieces, whys(gaps))
	}
	if left := c.left(); left != nil {
		t.Errorf("left behind: %v", left)
	}
	if len(gaps) != 1 || gaps[0].Node != "n1" || gaps[0].Source != "cri" {
		t.Errorf("gaps %s: want the node's own, under its name", whys(gaps))
	}
}

// Whatever goes wrong, at whatever point: it is a gap with a reason, and the pod
// and its job are gone.
func TestEveryFailureIsAGapAndLeavesNothing(t *testing.T) {
	waiting := func(reason, message string) func(*cluster) {
		return func(c *cluster) {
			c.kubelet = func(p *corev1.Pod) {
				p.Status.ContainerStatuses = []corev1.ContainerStatus{
					{State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: reason, Message: message}}}}
			}
		}
	}
	refuse := func(verb, resource string, err error) func(*cluster) {
		return func(c *cluster) {
			c.PrependReactor(verb, resource, func(clienttesting.Action) (bool, runtime.Object, error) { return true, nil, err })
		}
	}
	pods := schema.GroupResource{Resource: "pods"}
	attached := func(f func(ctx context.Context, in io.Reader, out, errOut io.Writer) error) func(*cluster) {
		return func(c *cluster) { c.attached = f }
	}
	for name, c := range map[string]struct {
		spoil     func(*cluster)
		why, hint string
	}{
		"the namespace is restricted": {refuse("create", "pods",
			apierrors.NewForbidden(pods, "x",
				errors.New(`violates PodSecurity "restricted:latest": hostPath volumes (volume "journal")`))),
			"violates PodSecurity", "enforce=privileged"},
		"no right to make pods": {refuse("create", "pods",
			apierrors.NewForbidden(pods, "x", errors.New(`User "u" cannot create`))),
			"make the pod in namespace restartwhy", "docs/RBAC.md"},
		"no right to make jobs": {refuse("create", "jobs",
			apierrors.NewForbidden(pods, "x", errors.New(`User "u" cannot create`))),
			"create the job that removes the pod", "docs/RBAC.md"},
		"the quota is used up": {refuse("create", "pods",
			apierrors.NewForbidden(pods, "x", errors.New("exceeded quota: q"))), "exceeded quota", "another"},
		"the namespace is not there": {refuse("create", "jobs",
			apierrors.NewNotFound(schema.GroupResource{Resource: "namespaces"}, "restartwhy")),
			"not found", "kubectl apply -f docs/rbac/collector.yaml"},
		"the image cannot be pulled": {waiting("ImagePullBackOff", "Back-off pulling image \x1b[31m"),
			"ImagePullBackOff: Back-off pulling image ^[[31m", "--collector-image"},
		"the image is nowhere": {waiting("ErrImageNeverPull", ""), "ErrImageNeverPull", "import the image"},
		"the runtime refuses":  {waiting("CreateContainerError", "no such device"), "no such device", "runtime"},
		"the kubelet has no room": {func(c *cluster) {
			c.kubelet = func(p *corev1.Pod) { p.Status.Phase, p.Status.Reason = corev1.PodFailed, "OutOfcpu" }
		}, "OutOfcpu", "no room"},
		"the program ends at once": {func(c *cluster) {
			c.kubelet = func(p *corev1.Pod) {
				p.Status.Phase = corev1.PodFailed
				p.Status.ContainerStatuses = []corev1.ContainerStatus{
					{State: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: 2, Reason: "Error"}}}}
			}
		}, "exit code 2 Error", "another version"},
		"the kubelet never answers": {func(c *cluster) { c.kubelet = func(*corev1.Pod) {} }, "has not answered", ""},
		"somebody removes the pod": {func(c *cluster) {
			c.kubelet = func(p *corev1.Pod) {
				_ = c.Tracker().Delete(corev1.SchemeGroupVersion.WithResource("pods"), p.Namespace, p.Name)
			}
		}, "someone removed the pod", ""},
		"attaching is refused": {attached(func(context.Context, io.Reader, io.Writer, io.Writer) error {
			return apierrors.NewForbidden(pods, "x", errors.New("cannot create pods/attach"))
		}), "attach to the pod", "docs/RBAC.md"},
		"it says why it cannot": {attached(func(_ context.Context, in io.Reader, _, errOut io.Writer) error {
			_ = goes(in)
			_, err := io.WriteString(errOut, "usage\nerror: unknown flag: --leash\n")
			return err
		}), "unknown flag: --leash", "this version"},
		"it sends something else": {attached(func(_ context.Context, in io.Reader, out, _ io.Writer) error {
			_ = goes(in)
			_, err := out.Write([]byte{0, 1, 2, 3})
			return err
		}), "sent no bundle", ""},
		"it sends nothing and hangs": {attached(func(ctx context.Context, in io.Reader, _, _ io.Writer) error {
			_ = goes(in)
			<-ctx.Done()
			return ctx.Err()
		}), "the limit of 300ms was reached", "--collector-timeout"},
		"the node runs another system": {func(c *cluster) {
			c.PrependReactor("get", "nodes", func(clienttesting.Action) (bool, runtime.Object, error) {
				return true, &corev1.Node{Status: corev1.NodeStatus{NodeInfo: corev1.NodeSystemInfo{OperatingSystem: "windows"}}},
					nil
			})
		}, "runs Windows", ""},
	} {
		t.Run(name, func(t *testing.T) {
			cl := newCluster(t)
			c.spoil(cl)
			pieces, gaps, s := cl.collect(t.Context(), Options{Timeout: 300 * time.Millisecond, Grants: Grants()})
			if len(pieces) != 0 || s.Read() {
				t.Errorf("%d pieces", len(pieces))
			}
			if len(gaps) != 1 || !strings.Contains(gaps[0].Why, c.why) || !strings.Contains(gaps[0].Hint, c.hint) ||
				gaps[0].Source != Kind || gaps[0].Node != "n1" {
				t.Errorf("gaps %s", whys(gaps))
			}
			if left := cl.left(); left != nil {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

func TestWhatANodeLacksIsLeftOutAndTheRestIsRead(t *testing.T) {
	for name, c := range map[string]struct {
		says func(string) string
		pods int
		told string
		args string // of the last pod
	}{
		"as kubelets up to 1.36 say it": {func(p string) string {
			return `MountVolume.SetUp failed for volume "x" : hostPath type check failed: ` + p + " is not a directory"
		}, 2, "the node has no /run/dbus/system_bus_socket, /var/log/journal [", "journal,kubelet,cgroup,cri,host"},
		"as 1.37 says it": {func(p string) string {
			return `MountVolume.SetUp failed for volume "x" : hostPath type check failed, ` +
				p + ` is not a file, unable to determine its type: path "` + p + `" does not exist`
		}, 2, "the node has no /run/dbus/system_bus_socket, /var/log/journal [", "journal,kubelet,cgroup,cri,host"},
		"in words that name nothing": {func(string) string { return "a volume cannot be had" },
			3, "/var/log/journal, /run/log, because with them the pod did not start: FailedMount: a volume cannot be had [",
			"kubelet,cgroup,host"},
	} {
		t.Run(name, func(t *testing.T) {
			cl := newCluster(t)
			cl.lacks, cl.says = []string{"/run/dbus/system_bus_socket", "/var/log/journal"}, c.says
			pieces, gaps, _ := cl.collect(t.Context(), Options{Grants: Grants()})
			if len(pieces) != 1 || !strings.Contains(whys(gaps), c.told) {
				t.Fatalf("%d pieces, gaps %s", len(pieces), whys(gaps))
			}
			if len(cl.made) != c.pods {
				t.Fatalf("%d pods", len(cl.made))
			}
			args := strings.Join(cl.made[c.pods-1].Spec.Containers[0].Args, " ")
			if !strings.Contains(args, "--sources="+c.args+" ") {
				t.Errorf("the last pod was told %s", args)
			}
			if left := cl.left(); left != nil {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// Nothing is left to do without: the event's words are the reason, not the state that every waiting container has.
func TestAPodThatCannotMountAnythingSaysSo(t *testing.T) {
	c := newCluster(t)
	c.says = func(string) string { return "the disk is gone" }
	c.lacks = []string{"/sys/fs/cgroup"}
	pieces, gaps, _ := c.collect(t.Context(), Options{Grants: Grants()})
	if len(pieces) != 0 || !strings.Contains(whys(gaps), "read the node through a pod: FailedMount: the disk is gone") {
		t.Errorf("%d pieces, gaps %s", len(pieces), whys(gaps))
	}
	if left := c.left(); left != nil {
		t.Errorf("left behind: %v", left)
	}
}

func TestAWarningSaysMoreThanAState(t *testing.T) {
	c := newCluster(t)
	c.kubelet = func(p *corev1.Pod) {
		p.Status.ContainerStatuses = []corev1.ContainerStatus{
			{State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "ContainerCreating"}}}}
	}
	c.PrependReactor("list", "events", func(clienttesting.Action) (bool, runtime.Object, error) {
		return true, &corev1.EventList{Items: []corev1.Event{
			{Type: corev1.EventTypeWarning, Reason: "FailedCreatePodSandBox", Message: "no plugin",
				LastTimestamp: metav1.NewTime(t0.Add(time.Second))},
			{Type: corev1.EventTypeWarning, Reason: "Older", LastTimestamp: metav1.NewTime(t0)},
			{Type: corev1.EventTypeNormal, Reason: "Pulled", LastTimestamp: metav1.NewTime(t0.Add(time.Hour))},
		}}, nil
	})
	_, gaps, _ := c.collect(t.Context(), Options{Timeout: time.Second})
	if !strings.Contains(whys(gaps), "FailedCreatePodSandBox: no plugin") {
		t.Errorf("gaps %s", whys(gaps))
	}
}

// A pod has half of the time for each step of its start, so that a slow node gets on and a dead one is given up early.
func TestAStartIsWaitedForAsLongAsItGetsOn(t *testing.T) {
	at := t0
	clock := func() time.Time { at = at.Add(time.Second); return at }
	for name, c := range map[string]struct {
		step  func(n int) string // the state after n looks
		after int                // looks at least, before it is given up; 0: it starts
	}{
		"slow":  {func(n int) string { return fmt.Sprint("step ", n/20) }, 0},
		"still": {func(int) string { return "ContainerCreating" }, 50},
	} {
		cl, looks := newCluster(t), 0
		start := cl.kubelet
		cl.kubelet = func(p *corev1.Pod) {
			if looks++; c.after == 0 && looks > 90 {
				start(p)
				return
			}
			p.Status.ContainerStatuses = []corev1.ContainerStatus{
				{State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: c.step(looks)}}}}
		}
		pieces, gaps, _ := cl.collect(t.Context(), Options{Now: clock})
		if started := len(pieces) == 1; started != (c.after == 0) {
			t.Errorf("%s: %d pieces, gaps %s", name, len(pieces), whys(gaps))
		}
		if c.after > 0 && (looks < c.after || looks > 70 || !strings.Contains(whys(gaps), "did not start in 1m")) {
			t.Errorf("%s: %d looks, gaps %s", name, looks, whys(gaps))
		}
	}
}

func TestANodeSpeaksForItselfOnly(t *testing.T) {
	c := newCluster(t)
	c.attached = func(_ context.Context, in io.Reader, out, _ io.Writer) error {
		_ = goes(in)
		return sendBundle(out, "nodes/n2/kmsg.txt", "nodes/n1/kmsg.txt", "cluster/pods.json")
	}
	pieces, gaps, _ := c.collect(t.Context(), Options{Grants: Grants()})
	if len(pieces) != 1 || pieces[0].Files()[0].Path != "nodes/n1/kmsg.txt" {
		t.Errorf("pieces %v", pieces)
	}
	for _, want := range []string{"left out cluster/pods.json", "left out nodes/n2/kmsg.txt"} {
		if !strings.Contains(whys(gaps), want) {
			t.Errorf("gaps %s lack %q", whys(gaps), want)
		}
	}
}

func TestWhatWasNotGrantedIsAGapWithItsFlag(t *testing.T) {
	_, gaps, _ := newCluster(t).collect(t.Context(), Options{})
	for _, flag := range []string{"--collector-allow cri", "--collector-allow proc", "--collector-allow systemd"} {
		if !strings.Contains(whys(gaps), flag) {
			t.Errorf("gaps %s lack %s", whys(gaps), flag)
		}
	}
}

// sourceFunc is a diag.Source made of a function.
type sourceFunc func(ctx context.Context) diag.Collection

func (f sourceFunc) Name() string { return "pod" }
func (f sourceFunc) Collect(ctx context.Context) (pieces []evidence.RawEvidence, gaps []evidence.Gap) {
	y := f(ctx)
	return y.Pieces, y.Gaps
}
