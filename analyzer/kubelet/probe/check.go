package probe

import (
	"fmt"
	"slices"
	"time"
)

// Seen is one run that a log or an event shows, at the moment it was over.
type Seen struct {
	At      time.Time
	Outcome RunResult
}

// Observed is what is known of the runs against one container.
type Observed struct {
	Runs []Seen
	// FailuresComplete: no failed run of this container can be missing (a log
	// that covers its life; failures are logged at -v=1).
	FailuresComplete bool
}

// Fit is whether a kill fits the probe, and the sentence that says why.
type Fit struct {
	Fits bool
	Why  string
	// Window is what the kill was held against.
	Window Window
	// CarriedOver is how many failures must have been counted against the
	// container before, for the kill to be this probe's; 0 for none.
	CarriedOver int
}

// Check holds a kill at the given moment against the probe. A kill before its
// window, or with fewer failures than it takes although none can be missing, is
// not the probe's. A late kill fits: runs that pass, err or hang, and a kubelet
// that waits for its runtime, move it.
func Check(r Rules, s Spec, l Life, kill time.Time, o Observed) (Fit, error) {
	w, err := KillWindow(r, s, l)
	if err != nil {
		return Fit{}, err
	}
	v := Fit{Window: w}
	no := func(format string, args ...any) (Fit, error) {
		v.Why = fmt.Sprintf(format, args...)
		return v, nil
	}
	seen := lastFailures(o.Runs, later(l.ContainerStarted.Truncate(time.Second), l.KubeletStarted), kill)
	if seen.passedLast {
		return no("the last %s probe before the kill had passed, at %s", s.Kind, clockTime(seen.last))
	}
	// Times of logs and of the runtime are a second apart at most.
	if kill.Before(w.Earliest.Add(-time.Second)) {
		return no("the kill came at %s, but the %s probe could not have failed %d times before %s",
			clockTime(kill), s.Kind, w.Failures, clockTime(w.Earliest))
	}
	if missing := w.Failures - seen.failures; o.FailuresComplete && missing > 0 {
		if l.KubeletStarted.After(l.ContainerStarted) || seen.passed || seen.failures == 0 {
			return no("%d failures of the %s probe in a row were seen, and the kill takes %d", seen.failures, s.Kind, w.Failures)
		}
		v.CarriedOver = missing
		v.Fits, v.Why = true, fmt.Sprintf("%d failures were seen and %d are needed: %d must have been carried over from "+
			"the previous container",
			seen.failures, w.Failures, missing)
		return v, nil
	}
	v.Fits = true
	switch {
	case kill.After(w.Latest):
		v.Why = fmt.Sprintf("the kill came at %s, later than %s: before the last %d failures the probe had passed, errored "+
			"or hung, or the kubelet was delayed",
			clockTime(kill), clockTime(w.Latest), w.Failures)
	default:
		v.Why = fmt.Sprintf("%d failures in a row lead to a kill between %s and %s; it came at %s",
			w.Failures, clockTime(w.Earliest), clockTime(w.Latest), clockTime(kill))
	}
	return v, nil
}

// tail is what the runs before a kill end with.
type tail struct {
	failures   int // failed runs since the last one that passed
	passed     bool
	passedLast bool
	last       time.Time
}

// lastFailures counts the failures in a row before the kill; errored runs do not
// count, and do not break the row.
func lastFailures(runs []Seen, from, kill time.Time) tail {
	var t tail
	runs = slices.Clone(runs)
	slices.SortStableFunc(runs, func(a, b Seen) int { return a.At.Compare(b.At) })
	for _, x := range runs {
		if x.At.Before(from) || x.At.After(kill.Add(time.Second)) || x.Outcome == Errored {
			continue
		}
		t.last, t.passedLast = x.At, x.Outcome == Passed
		if x.Outcome == Passed {
			t.failures, t.passed = 0, true
		} else {
			t.failures++
		}
	}
	return t
}
