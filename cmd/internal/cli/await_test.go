package cli

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/diag/clock/clocktest"
	"github.com/restartwhy/kubectl-restartwhy/diag/kube/kubetest"
)

// This file holds what tests of a watch wait for: what it prints, and what it asks the API server.

// screen is what a run has printed, for one who waits for a part of it.
type screen struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

func (s *screen) await(t *testing.T, text string) {
	t.Helper()
	clocktest.Await(t, func() bool { return strings.Contains(s.String(), text) }, func() string {
		return fmt.Sprintf("%q does not come; there is %q", text, s.String())
	})
}

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
