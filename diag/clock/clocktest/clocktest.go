// Package clocktest is for tests that wait for what goes on beside them: a
// goroutine, a program, a server. It imports diag/clock; only tests import it.
package clocktest

import (
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/clock"
)

// Patience is how long a test waits for what a quiet machine does at once. A busy
// one may take long, and only a test that fails ever waits to the end.
const Patience = time.Minute

// Reached looks again and again whether something has come about, for as long as
// Patience, and returns whether it has.
func Reached(come func() bool) bool {
	for elapsed := clock.Stopwatch(); !come(); time.Sleep(2 * time.Millisecond) {
		if elapsed() > Patience {
			return false
		}
	}
	return true
}

// Await ends the test if something does not come about in time; what says what is
// there instead.
func Await(t testing.TB, come func() bool, what func() string) {
	t.Helper()
	if !Reached(come) {
		t.Fatalf("timed out waiting for %s: %s", Patience, what())
	}
}
