// Package clocktest is for tests that wait for something concurrent: a goroutine, a program, a server. It imports
// diag/clock; only tests import it.
package clocktest

import (
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/clock"
)

// Patience is how long a test waits for what takes no time on an idle machine. A busy one may take long, and only a
// failing test ever waits to the end.
const Patience = time.Minute

// Reached polls until come returns true, for at most Patience, and returns whether it did.
func Reached(come func() bool) bool {
	for elapsed := clock.Stopwatch(); !come(); time.Sleep(2 * time.Millisecond) {
		if elapsed() > Patience {
			return false
		}
	}
	return true
}

// Await fails the test if come does not return true in time; what describes the state instead.
func Await(t testing.TB, come func() bool, what func() string) {
	t.Helper()
	if !Reached(come) {
		t.Fatalf("timed out waiting for %s: %s", Patience, what())
	}
}
