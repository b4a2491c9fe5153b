package apiserver

import (
	"context"
	"fmt"
	"sync/atomic"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/pace"
)

// page fetches one page of a list and returns its objects and the token of the
// next page, "" at the end.
type page[T any] func(context.Context, metav1.ListOptions) ([]T, string, error)

// pages reads a list page by page and gives every page to take. A continue
// token that has expired (410 Gone: the list took longer than the API server
// keeps old versions) starts the list once more from the beginning; take then
// sees objects again. It returns how many objects were taken before an error.
func pages[T any](ctx context.Context, o metav1.ListOptions, fetch page[T],
	take func([]T) error) (taken int, err error) {
	for again := false; ; {
		items, next, err := fetch(ctx, o)
		switch {
		case apierrors.IsResourceExpired(err) || apierrors.IsGone(err):
			if again || o.Continue == "" {
				return taken, fmt.Errorf("the list changes faster than it can be read: %w", err)
			}
			again, o.Continue = true, ""
			continue
		case err != nil:
			return taken, err
		}
		if err := take(items); err != nil {
			return taken, err
		}
		taken += len(items)
		pace.Step(ctx)
		if next == "" {
			return taken, nil
		}
		o.Continue = next
	}
}

// budget counts down the bytes that may be read.
type budget struct{ left atomic.Int64 }

// errBudget tells that a list was cut short on purpose.
type errBudget struct{ max int64 }

func (e errBudget) Error() string {
	return fmt.Sprintf("stopped after %d MiB of objects", e.max>>20)
}

func (b *budget) spend(bytes int) bool { return b.left.Add(-int64(bytes)) >= 0 }
