package faults

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// stopsWithin is how long the program may run after Ctrl-C, on a busy machine.
const stopsWithin = 5 * time.Second

// interrupted presses Ctrl-C at moments that are spread evenly over a run without a fault, in the cluster and on the
// node. It returns how many of them left a whole bundle or none, and no other file.
func (b *bench) interrupted(ctx context.Context, each int) (int, error) {
	held := 0
	var problems []error
	for _, w := range []where{live, local} {
		for i := range each {
			moment := b.quiet[w].took * time.Duration(i) / time.Duration(each)
			o, err := b.collect(ctx, w, fmt.Sprintf("interrupt-%s-%d", w, i), interruptAfter(moment))
			if err == nil {
				err = stopped(o, moment)
			}
			if err != nil {
				problems = append(problems, fmt.Errorf("Ctrl-C of the %s after %v: %w", w, moment, err))
				continue
			}
			held++
		}
		b.lab.Say("Ctrl-C of the %s at %d moments of %v: %d problems so far", w, each,
			b.quiet[w].took.Round(time.Millisecond), len(problems))
	}
	return held, errors.Join(problems...)
}

// interruptAfter returns a command line that sends SIGINT to the one that follows, and SIGKILL if that is not enough.
func interruptAfter(moment time.Duration) []string {
	// In the foreground it sends one signal to the program alone, as a second one kills it immediately.
	return []string{"timeout", "--foreground", "--preserve-status", "--signal=INT", "--kill-after=20",
		fmt.Sprintf("%.3f", max(moment, time.Millisecond).Seconds())}
}

// stopped says what is wrong with an interrupted run.
func stopped(o outcome, moment time.Duration) error {
	const killedByINT = 130 // before the program could install its handler
	switch {
	case o.took > moment+stopsWithin:
		return fmt.Errorf("it went on for %v: %s", o.took-moment, o.stderr)
	case len(o.left) > 0:
		return fmt.Errorf("left behind: %s", strings.Join(o.left, " "))
	case o.code == 0 && !o.wrote:
		return errors.New("exit code 0 without a bundle")
	case o.code != 0 && o.code != 1 && o.code != killedByINT && o.code != -1:
		return fmt.Errorf("exit code %d: %s", o.code, o.stderr)
	case o.code == 1 && !strings.Contains(o.stderr, "error: "):
		return fmt.Errorf("exit code 1 without a word: %s", o.stderr)
	}
	return nil
}
