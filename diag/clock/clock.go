// Package clock is where the program learns what time it is, and the only place
// that asks the machine for it: the linter and test/arrows forbid time.Now,
// time.Since and time.Until elsewhere. Sources and commands take the clock as a
// func() time.Time whose default is Now, so that a test gives them its own. The
// analyzer gets none: what it says follows from the evidence alone.
//
// It imports the standard library only, and holds no timers: those run on the
// monotonic clock, which nothing here moves, as Stopwatch does.
package clock

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// Variable is the environment variable that moves the clock of a test's binary
// and of the programs that it starts under its own name: a time in RFC 3339 (the
// time when the process began), or a duration with a sign, which is added to the
// machine's time. It is looked up each time the clock is asked, so that Go's test
// cache knows which tests depend on it. Any other program ignores it.
const Variable = "RESTARTWHY_TEST_CLOCK"

var began = time.Now()

// Now returns the time, in the local zone, with the monotonic reading of the
// machine: differences between two times of Now are what has really elapsed.
func Now() time.Time {
	now := time.Now()
	if testing.Testing() {
		return moved(now, os.Getenv(Variable))
	}
	return now
}

// Or returns the clock that a caller gave, Now where that is nil.
func Or(given func() time.Time) func() time.Time {
	if given == nil {
		return Now
	}
	return given
}

// Until returns what remains until a time that was reckoned from Now.
func Until(t time.Time) time.Duration { return t.Sub(Now()) }

// Stopwatch returns a function that says how long ago Stopwatch was called. It
// knows no date, so nothing moves it.
func Stopwatch() (elapsed func() time.Duration) {
	from := time.Now()
	return func() time.Duration { return time.Since(from) }
}

// moved panics if it cannot read where to: a test that runs at another time than
// it was told says nothing.
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
