package cli

import (
	"fmt"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/diag/clock/clocktest"
	"github.com/restartwhy/kubectl-restartwhy/diag/kube/kubetest"
)

func asked(s *kubetest.Server, what string) (n int) {
	for _, a := range s.Asked() {
		if strings.HasPrefix(a, what) {
			n++
		}
	}
	return n
}

func awaitAsked(t *testing.T, s *kubetest.Server, what string, n int) {
	t.Helper()
	clocktest.Await(t, func() bool { return asked(s, what) >= n }, func() string {
		return fmt.Sprintf("%s was not asked for %d times: %q", what, n, s.Asked())
	})
}
