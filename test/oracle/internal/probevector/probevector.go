// Package probevector holds the cases that both the real probe worker and ours play, and what is compared: when the
// probe ran, what the results manager announced, and when the worker ended.
//
// It imports the standard library and package probe; the callers read and write files.
package probevector

import (
	"fmt"
	"math/rand"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/probe"
	"github.com/restartwhy/kubectl-restartwhy/test/oracle/internal/worker"
)

// epoch is time zero of every case; all times are milliseconds from it.
var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// Case is one worker's life. The JSON names are short because thousands are stored.
type Case struct {
	Kind    probe.Kind `json:"k"`
	Delay   int32      `json:"d,omitempty"`
	Period  int32      `json:"p"`
	Timeout int32      `json:"t"`
	Failure int32      `json:"f"`
	Success int32      `json:"s"`
	Never   bool       `json:"never,omitempty"`
	Sidecar bool       `json:"sidecar,omitempty"`
	Kubelet int64      `json:"kubelet"`
	Added   int64      `json:"added"`
	// Seed seeds math/rand, from which the kubelet draws the jitter.
	Seed       int64       `json:"seed"`
	Changes    []Change    `json:"c"`
	Executions []Execution `json:"x"`
	Triggers   []int64     `json:"g,omitempty"`
	Until      int64       `json:"until"`
}

// Change is the pod's status from At on. Flags: n no status, o pod over,
// d deleted, r running, t terminated, s started, e exit code 0.
type Change struct {
	At      int64  `json:"at"`
	Flags   string `json:"f,omitempty"`
	ID      string `json:"id,omitempty"`
	Started int64  `json:"s,omitempty"`
}

// Execution is one run; Took is divisible by the three tries of an errored one.
type Execution struct {
	Outcome worker.RunResult `json:"o"`
	Took    int64            `json:"t"`
}

// Behaviour is what a worker did until the case ended.
type Behaviour struct {
	Runs      []int64        `json:"r,omitempty"`
	Announced []Announcement `json:"a,omitempty"`
	// Ended is when the worker ended by itself, -1 if it did not.
	Ended int64 `json:"e"`
}

// Announcement is a result that the results manager announced.
type Announcement struct {
	At     int64  `json:"at"`
	Result string `json:"r"`
}

// results are the kubelet's names.
var results = map[probe.Held]string{probe.None: "none", probe.Unknown: "Unknown", probe.Success: "Success",
	probe.Failure: "Failure"}

// Vector is one case with what the real worker of Version did.
type Vector struct {
	Version string    `json:"v"`
	Case    Case      `json:"case"`
	Want    Behaviour `json:"want"`
}

func moment(ms int64) time.Time { return epoch.Add(time.Duration(ms) * time.Millisecond) }

// Scenario translates the case for the given version.
func (c Case) Scenario(version string) (worker.Scenario, error) {
	v, err := kubelet.ParseVersion(version)
	if err != nil {
		return worker.Scenario{}, fmt.Errorf("read vector: %w", err)
	}
	rules, err := worker.RulesFor(v)
	if err != nil {
		return worker.Scenario{}, fmt.Errorf("read vector: %w", err)
	}
	s := worker.Scenario{
		Rules: rules,
		Spec: probe.Spec{
			// The worker is played alone: nothing cancels its context, as a pod's end does for exec probes.
			Kind: c.Kind, Handler: "httpGet", InitialDelay: c.Delay, Period: c.Period, Timeout: c.Timeout,
			FailureThreshold: c.Failure, SuccessThreshold: c.Success,
		},
		RestartPolicyNever: c.Never, Sidecar: c.Sidecar,
		KubeletStarted: moment(c.Kubelet), AddedAt: moment(c.Added), Until: moment(c.Until),
		Jitter: rand.New(rand.NewSource(c.Seed)).Float64(),
	}
	for _, x := range c.Changes {
		has := func(flag string) bool { return strings.Contains(x.Flags, flag) }
		s.Changes = append(s.Changes, worker.StatusChange{At: moment(x.At), View: worker.PodView{
			NoStatus: has("n"), PodOver: has("o"), Deleted: has("d"), ContainerID: x.ID, Running: has("r"),
			Terminated: has("t"), Started: has("s"), StartedAt: moment(x.Started),
			// Exit code 0 (e) under OnFailure, or any under Never; a sidecar always comes back.
			StaysEnded: (has("e") || c.Never) && !c.Sidecar,
		}})
	}
	for _, x := range c.Executions {
		s.Executions = append(s.Executions, worker.Execution{Outcome: x.Outcome,
			Took: time.Duration(x.Took) * time.Millisecond})
	}
	for _, g := range c.Triggers {
		s.Triggers = append(s.Triggers, moment(g))
	}
	return s, nil
}

// Play plays the case with our worker as the given version.
func (c Case) Play(version string) (Behaviour, error) {
	s, err := c.Scenario(version)
	if err != nil {
		return Behaviour{}, err
	}
	events, err := worker.Simulate(s)
	if err != nil {
		return Behaviour{}, err
	}
	b := Behaviour{Ended: -1}
	ms := func(t time.Time) int64 { return t.Sub(epoch).Milliseconds() }
	for _, e := range events {
		if e.Ran {
			b.Runs = append(b.Runs, ms(e.Began))
		}
		for _, a := range e.Announced {
			// A run in progress at the end of the case is not over.
			if !a.At.After(moment(c.Until)) {
				b.Announced = append(b.Announced, Announcement{ms(a.At), results[a.Result]})
			}
		}
		if e.Ended {
			b.Ended = ms(e.At)
		}
	}
	return b, nil
}
