package apiserver

import (
	"context"
	"fmt"
	"sync/atomic"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/pace"
	"github.com/restartwhy/kubectl-restartwhy/diag/kube"
)

// page is a list of some kind, or a part of it.
type page interface {
	runtime.Object
	metav1.ListInterface
}

// fetch reads one page of a list.
type fetch[P page] func(context.Context, metav1.ListOptions) (P, error)

// list returns a function that reads pages of lists of type L.
func list[L any, P interface {
	*L
	page
}](c kube.Client, of kube.Resource, namespace string) fetch[P] {
	return func(ctx context.Context, o metav1.ListOptions) (P, error) {
		return kube.List[L, P](ctx, c, of, namespace, o)
	}
}

// pages reads a list page by page and passes every page to take. A continue token that has expired (410 Gone: the list
// took longer than the API server keeps old versions) restarts the list once from the beginning; take then sees objects
// again. It returns the version of the last page that was read.
func pages[P page](ctx context.Context, o metav1.ListOptions, read fetch[P], take func(P) error) (version string,
	err error) {
	for again := false; ; {
		p, err := read(ctx, o)
		switch {
		case apierrors.IsResourceExpired(err) || apierrors.IsGone(err):
			if again || o.Continue == "" {
				return version, fmt.Errorf("the list changes faster than it can be read: %w", err)
			}
			again, o.Continue = true, ""
			continue
		case err != nil:
			return version, err
		}
		version = p.GetResourceVersion()
		if err := take(p); err != nil {
			return version, err
		}
		pace.Step(ctx)
		if o.Continue = p.GetContinue(); o.Continue == "" {
			return version, nil
		}
	}
}

// budget counts down the bytes that may still be read.
type budget struct{ left atomic.Int64 }

// errBudget says that a list was cut short on purpose.
type errBudget struct{ max int64 }

func (e errBudget) Error() string {
	return fmt.Sprintf("stopped after %d MiB of objects", e.max>>20)
}

func (b *budget) spend(bytes int) bool { return b.left.Add(-int64(bytes)) >= 0 }
