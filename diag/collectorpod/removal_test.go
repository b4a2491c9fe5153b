package collectorpod

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clienttesting "k8s.io/client-go/testing"

	"github.com/restartwhy/kubectl-restartwhy/diag"
	"github.com/restartwhy/kubectl-restartwhy/diag/kube/kubetest"
)

func TestAPodThatSeemedNotToBeMadeIsRemovedToo(t *testing.T) {
	c := newCluster(t)
	c.PrependReactor("create", "pods", func(a clienttesting.Action) (bool, runtime.Object, error) {
		create := a.(clienttesting.CreateAction)
		if err := c.Tracker().Create(create.GetResource(), create.GetObject(), create.GetNamespace()); err != nil {
			t.Error(err)
		}
		return true, nil, errors.New("connection reset by peer")
	})
	_, gaps, _ := c.collect(t.Context(), Options{})
	if left := c.left(); left != nil || !strings.Contains(whys(gaps), "connection reset") {
		t.Errorf("left behind: %v; gaps %s", left, whys(gaps))
	}
}

func TestCtrlCKeepsWhatCameAndRemovesThePod(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	c := newCluster(t)
	c.attached = func(ctx context.Context, in io.Reader, out, _ io.Writer) error {
		_ = goes(in)
		_ = sendBundle(out, "nodes/n1/kmsg.txt")
		cancel()
		<-ctx.Done()
		return ctx.Err()
	}
	var s *Source
	y := diag.Collect(ctx, []diag.Source{sourceFunc(func(ctx context.Context) diag.Collection {
		pieces, gaps, one := c.collect(ctx, Options{Grants: Grants()})
		s = one
		return diag.Collection{Pieces: pieces, Gaps: gaps}
	})}, diag.Options{Grace: Grace})
	if len(y.Pieces) != 1 || !s.Read() || !strings.Contains(whys(y.Gaps), "interrupted") {
		t.Errorf("%d pieces, gaps %s", len(y.Pieces), whys(y.Gaps))
	}
	if left := c.left(); left != nil {
		t.Errorf("left behind: %v", left)
	}
}

func TestARemovalThatFailsIsToldWithItsCommand(t *testing.T) {
	c := newCluster(t)
	c.PrependReactor("delete", "jobs", func(clienttesting.Action) (bool, runtime.Object, error) {
		return true, nil, errors.New("etcd is gone")
	})
	pieces, gaps, _ := c.collect(t.Context(), Options{Grants: Grants()})
	if len(pieces) != 1 ||
		!strings.Contains(whys(gaps),
			"remove what was made: etcd is gone [kubectl delete job,pod -n restartwhy -l app.kubernetes.io/name=restartwhy-collector") {
		t.Errorf("%d pieces, gaps %s", len(pieces), whys(gaps))
	}
}

// A fake API server removes a pod at once; a real one waits for its node.
func TestANodeThatDoesNotConfirmCannotKeepThePod(t *testing.T) {
	c := newCluster(t)
	c.attached = func(_ context.Context, in io.Reader, out, _ io.Writer) error {
		_ = goes(in)
		_ = sendBundle(out, "nodes/n1/kmsg.txt")
		return errors.New("the connection broke")
	}
	var graces []int64
	c.PrependReactor("delete", "pods", func(a clienttesting.Action) (bool, runtime.Object, error) {
		grace := *a.(clienttesting.DeleteActionImpl).GetDeleteOptions().GracePeriodSeconds
		graces = append(graces, grace)
		return grace > 0, nil, nil
	})
	pieces, gaps, _ := c.collect(t.Context(), Options{Grants: Grants(), confirm: 20 * time.Millisecond})
	if len(pieces) != 1 || len(graces) != 2 || graces[0] != 1 || graces[1] != 0 || strings.Contains(whys(gaps), "remove") {
		t.Errorf("%d pieces, removed with grace %v, gaps %s", len(pieces), graces, whys(gaps))
	}
	if left := c.left(); left != nil {
		t.Errorf("left behind: %v", left)
	}
}

// A pod that has answered ends by itself: no node is waited for.
func TestAPodThatHasAnsweredIsGoneAtOnce(t *testing.T) {
	c := newCluster(t)
	var graces []int64
	c.PrependReactor("delete", "pods", func(a clienttesting.Action) (bool, runtime.Object, error) {
		graces = append(graces, *a.(clienttesting.DeleteActionImpl).GetDeleteOptions().GracePeriodSeconds)
		return graces[len(graces)-1] > 0, nil, nil
	})
	pieces, gaps, _ := c.collect(t.Context(), Options{Grants: Grants(), confirm: time.Hour})
	if len(pieces) != 1 || len(graces) != 1 || graces[0] != 0 || strings.Contains(whys(gaps), "remove") {
		t.Errorf("%d pieces, removed with grace %v, gaps %s", len(pieces), graces, whys(gaps))
	}
	if left := c.left(); left != nil {
		t.Errorf("left behind: %v", left)
	}
}

func TestWhoMayMakeAndNotRemoveIsTold(t *testing.T) {
	c := newCluster(t)
	c.PrependReactor("delete", "pods", func(clienttesting.Action) (bool, runtime.Object, error) {
		return true, nil, apierrors.NewForbidden(schema.GroupResource{Resource: "pods"}, "x", errors.New("no role"))
	})
	_, gaps, _ := c.collect(t.Context(), Options{Grants: Grants()})
	if !strings.Contains(whys(gaps), "remove what was made: pods \"x\" is forbidden") {
		t.Errorf("gaps %s", whys(gaps))
	}
}

func TestSweepRemovesWhatIsPastItsTimeAndNothingElse(t *testing.T) {
	c := newCluster(t)
	ctx := t.Context()
	add := func(name string, expiry time.Time, change func(*metav1.ObjectMeta)) {
		m := meta(name, DefaultNamespace, "n1", expiry)
		if change != nil {
			change(&m)
		}
		for _, o := range []runtime.Object{&corev1.Pod{ObjectMeta: m}, &batchv1.Job{ObjectMeta: m}} {
			if err := c.Tracker().Add(o); err != nil {
				t.Fatal(err)
			}
		}
	}
	add("old", t0.Add(-time.Hour), nil)
	add("running", t0.Add(time.Minute), nil)
	add("somebody-elses", t0.Add(-time.Hour), func(m *metav1.ObjectMeta) { m.Labels = nil })
	add("odd", t0, func(m *metav1.ObjectMeta) { m.Annotations[noteExpiry] = "soon" })
	n, err := Sweep(ctx, kubetest.Client(c), DefaultNamespace, t0)
	if n != 2 || err != nil {
		t.Errorf("removed %d, error %v", n, err)
	}
	if left := strings.Join(c.left(), " "); strings.Contains(left, "old") || len(c.left()) != 6 {
		t.Errorf("left: %s", left)
	}
	if _, err := Sweep(ctx, kubetest.Client(c), "other", t0); err != nil {
		t.Error(err)
	}
}
