// Package clock is where the program gets the current time, and the only place that reads the machine's clock: the
// linter and test/arrows forbid time.Now, time.Since and time.Until elsewhere. Sources and commands take the clock as a
// func() time.Time whose default is Now, so that a test can pass its own. The analyzer gets none: its results follow
// from the evidence alone.
//
// It imports only the standard library, and holds no timers: those run on the monotonic clock, which nothing here
// changes, as does Stopwatch.
package clock

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// Variable is the environment variable that moves the clock of a test binary and of the programs that it starts under
// its own name: a time in RFC 3339 (the time when the process began), or a signed duration, which is added to the
// machine's time. It is read on each call, so that Go's test cache knows which tests depend on it. Any other program
// ignores it.
const Variable = "RESTARTWHY_TEST_CLOCK"

var began = time.Now()

// Now returns the time, in the local zone, with the machine's monotonic reading: differences between two calls of Now
// are real elapsed time.
func Now() time.Time {
	now := time.Now()
	if testing.Testing() {
		return moved(now, os.Getenv(Variable))
	}
	return now
}

// Or returns the caller's clock, Now where that is nil.
func Or(given func() time.Time) func() time.Time {
	if given == nil {
		return Now
	}
	return given
}

// Until returns the time left until t, which was computed from Now.
func Until(t time.Time) time.Duration { return t.Sub(Now()) }

// Stopwatch returns a function that returns the time since the call of Stopwatch. It knows no date, so nothing moves
// it.
func Stopwatch() (elapsed func() time.Duration) {
	from := time.Now()
	return func() time.Duration { return time.Since(from) }
}

// moved panics if it cannot parse the setting: a test that runs at the wrong time proves nothing.
func moved(now time.Time, to string) time.Time {
	if to == "" {
		return now
	}
	if strings.HasPrefix(to, "+") || strings.HasPrefix(to, "-") {
		by, err := time.ParseDuration(to)
		if err != nil {
			panic(fmt.Sprintf("read %s: %v", Variable, err))
		}
		return now.Add(by)
	}
	at, err := time.Parse(time.RFC3339, to)
	if err != nil {
		panic(fmt.Sprintf("read %s: %v", Variable, err))
	}
	return now.Add(at.Sub(began))
}
