// Package worker is a kubelet's probe worker, played over time: when a probe runs, what its result changes, and when a
// kill had to follow. It holds the rules of analyzer/kubelet/probe to the real worker, for which every rule must be in
// the model, and its windows to the kills that are possible.
//
// Simulate plays one worker against a container's life. It is pure: no I/O, no clock, no goroutines, and the kubelet's
// random jitter is an argument.
package worker

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/probe"
)

// maxTicks limits one simulation: a probe each second for eleven days.
const maxTicks = 1_000_000

// Execution is one run of the probe: how it ended and how long it took. An errored run stands for all three tries.
type Execution struct {
	Outcome RunResult
	Took    time.Duration
}

// StatusChange is the pod's status from At on.
type StatusChange struct {
	At   time.Time
	View PodView
}

// Scenario is one worker's life: what it is, and what happens to it.
type Scenario struct {
	Rules Rules
	Spec  probe.Spec
	// RestartPolicyNever is the pod's policy; Sidecar is an init container that
	// restarts always. They decide whether the worker outlives a container.
	RestartPolicyNever, Sidecar bool
	// KubeletStarted is when the kubelet process started; AddedAt when it
	// registered the worker. A kubelet restart is another scenario: nothing of a
	// worker survives it.
	KubeletStarted, AddedAt time.Time
	// Jitter is the random part of the period, 0 to 1, that the worker sleeps first, if its version and age require it.
	Jitter float64
	// Changes by time; before the first one the kubelet has no status.
	Changes []StatusChange
	// Executions happen one by one; the last one repeats. Without any, all pass.
	Executions []Execution
	// Triggers are the moments of manual runs (readiness, 1.21+). At the moment of a tick the kubelet picks one of the
	// two at random; the simulation takes the tick first.
	Triggers []time.Time
	// Until ends the simulation.
	Until time.Time
}

var errScenario = errors.New("not a possible scenario")

func (s Scenario) validate() error {
	if err := s.Spec.Validate(); err != nil {
		return err
	}
	switch {
	case s.Spec.Kind == probe.Startup && !s.Rules.StartupProbes:
		return fmt.Errorf("read startup probe for kubelet %s, which has none: %w", s.Rules.Version, errScenario)
	case s.Sidecar && !s.Rules.Sidecars:
		return fmt.Errorf("read a sidecar's probe for kubelet %s, which probes none: %w", s.Rules.Version, errScenario)
	case !(s.Jitter >= 0 && s.Jitter < 1): // NaN, too
		return fmt.Errorf("read jitter %v: %w", s.Jitter, errScenario)
	case s.Until.Sub(s.AddedAt)/seconds(s.Spec.Period) > maxTicks:
		return fmt.Errorf("simulate until %s: more than %d ticks: %w", s.Until.Format(time.RFC3339), maxTicks, errScenario)
	case !slices.IsSortedFunc(s.Changes, func(a, b StatusChange) int { return a.At.Compare(b.At) }):
		return fmt.Errorf("read status changes: not in order: %w", errScenario)
	case !slices.IsSortedFunc(s.Triggers, time.Time.Compare):
		return fmt.Errorf("read manual triggers: not in order: %w", errScenario)
	}
	for _, x := range s.Executions {
		if x.Took < 0 {
			return fmt.Errorf("read execution of %s: %w", x.Took, errScenario)
		}
	}
	return nil
}

// jitter returns how long the worker sleeps before its first tick.
func (s Scenario) jitter() time.Duration {
	period := seconds(s.Spec.Period)
	if s.Rules.JitterAlways || s.AddedAt.Sub(s.KubeletStarted) < period {
		return time.Duration(s.Jitter * float64(period))
	}
	return 0
}

// Simulate plays the worker and returns one event for each tick, in order.
func Simulate(s Scenario) ([]Event, error) {
	if err := s.validate(); err != nil {
		return nil, err
	}
	w := &worker{rules: s.Rules, spec: s.Spec, never: s.RestartPolicyNever, sidecar: s.Sidecar, kubelet: s.KubeletStarted}
	now := s.AddedAt.Add(s.jitter())
	clock := ticker{period: seconds(s.Spec.Period), from: now, next: 1}
	if s.Rules.TickerBeforeJitter {
		clock.from = s.AddedAt
	}
	triggers := s.Triggers
	if !s.Rules.ManualTrigger || s.Spec.Kind != probe.Readiness {
		triggers = nil
	}
	for len(triggers) > 0 && triggers[0].Before(s.AddedAt) {
		triggers = triggers[1:] // no worker to trigger yet
	}
	var events []Event
	executed := 0
	// Each iteration moves now by at least one tick or uses up a trigger.
	for !now.After(s.Until) && len(events) <= maxTicks+len(triggers) {
		e := Event{Began: now, At: now}
		if !w.before(&e, s.viewAt(now)) {
			x := s.cancelled(s.execution(executed), now)
			executed++
			now = now.Add(x.Took)
			e.At = now
			w.after(&e, x.Outcome)
		}
		w.finish(&e)
		events = append(events, e)
		if e.Ended {
			break
		}
		var triggered bool
		now, triggered, triggers = clock.wait(now, triggers)
		if triggered && s.Rules.TriggerRestartsTicker {
			clock.from, clock.next = now, 1
		}
	}
	return events, nil
}

func (s Scenario) execution(n int) Execution {
	if len(s.Executions) == 0 {
		return Execution{}
	}
	return s.Executions[min(n, len(s.Executions)-1)]
}

// cancelled returns the run as it ends when the pod's termination cancels the worker's context: at once, and as an
// error.
func (s Scenario) cancelled(x Execution, began time.Time) Execution {
	if !s.Rules.ExecCancelled || s.Spec.Handler != "exec" {
		return x
	}
	for _, c := range s.Changes {
		if c.View.Deleted && (!c.At.After(began) || c.At.Before(began.Add(x.Took))) {
			return Execution{Errored, max(0, c.At.Sub(began))}
		}
	}
	return x
}

func (s Scenario) viewAt(at time.Time) PodView {
	i, found := slices.BinarySearchFunc(s.Changes, at, func(c StatusChange, t time.Time) int { return c.At.Compare(t) })
	if found {
		// Of several changes at one moment the last one wins.
		for i+1 < len(s.Changes) && s.Changes[i+1].At.Equal(at) {
			i++
		}
		return s.Changes[i].View
	}
	if i == 0 {
		return PodView{NoStatus: true}
	}
	return s.Changes[i-1].View
}

// ticker is a time.Ticker: it keeps one tick for a busy reader and drops the rest.
type ticker struct {
	from   time.Time
	period time.Duration
	next   int64
}

// wait returns when a worker that is done at now continues, and whether a manual trigger caused it. Several triggers
// during one run count once.
func (c *ticker) wait(now time.Time, triggers []time.Time) (time.Time, bool, []time.Time) {
	tick := c.from.Add(time.Duration(c.next) * c.period)
	if !tick.After(now) {
		return c.late(now), false, triggers
	}
	if len(triggers) == 0 || !triggers[0].Before(tick) {
		c.next++
		return tick, false, triggers
	}
	at := now
	if triggers[0].After(now) {
		at = triggers[0]
	}
	for len(triggers) > 0 && !triggers[0].After(at) {
		triggers = triggers[1:]
	}
	return at, true, triggers
}

// late takes the tick that was kept while the worker was busy.
func (c *ticker) late(now time.Time) time.Time {
	c.next = int64(now.Sub(c.from)/c.period) + 1
	return now
}
