package main

import (
	"fmt"
	"math/rand"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/probe"
	"github.com/restartwhy/kubectl-restartwhy/test/oracle/internal/probevector"
	"github.com/restartwhy/kubectl-restartwhy/test/oracle/internal/worker"
)

// generate creates one case that is possible in the given minor version. Ticks, status changes, triggers and ends of
// runs have different milliseconds within a second: for the same moment the real worker's order is up to the Go
// scheduler.
func generate(rng *rand.Rand, minor int) probevector.Case {
	pick := func(n ...int32) int32 { return n[rng.Intn(len(n))] }
	c := probevector.Case{
		Kind: probe.Kind(rng.Intn(3)), Delay: pick(0, 0, 1, 7, 20), Period: pick(1, 2, 5, 10), Timeout: pick(1, 5, 30),
		Failure: pick(1, 2, 3, 5), Success: 1, Never: rng.Intn(4) == 0,
		Kubelet: -1000 * int64(pick(0, 1, 3, 9, 60, 3600)), Seed: rng.Int63(),
	}
	c.Sidecar = minor >= 28 && rng.Intn(5) == 0
	if c.Kind == probe.Readiness {
		c.Success = pick(1, 1, 2, 3)
	}
	if rng.Intn(3) == 0 {
		c.Added = 1000 * int64(rng.Intn(8))
	}
	c.Until = c.Added + 1000*int64(c.Period)*int64(5+rng.Intn(25)) + 777
	life(rng, &c)
	if c.Kind == probe.Readiness && minor >= 21 && rng.Intn(2) == 0 {
		for t := c.Added; t < c.Until; t += 1000 * int64(1+rng.Intn(int(c.Period)*6)) {
			c.Triggers = append(c.Triggers, t+125)
		}
	}
	failing := rng.Intn(3)
	for range 1 + rng.Intn(12) {
		x := probevector.Execution{Outcome: worker.Failed}
		switch n := rng.Intn(10); {
		case n < 2, failing == 0 && n < 6:
			x.Outcome = worker.Passed
		case n < 4 && failing < 2:
			x.Outcome = worker.Errored
		}
		if rng.Intn(3) == 0 {
			// 30 ms: in three parts for the tries, and never on a whole second.
			x.Took = 30
			if len(c.Triggers) == 0 {
				// If a tick and a trigger both wait for a slow run, the real worker chooses one at random.
				x.Took += 3000 * int64(rng.Intn(5))
			}
		}
		c.Executions = append(c.Executions, x)
	}
	return c
}

// life creates the status changes of some successive containers.
func life(rng *rand.Rand, c *probevector.Case) {
	at, id := -1000*int64(rng.Intn(3)), 0
	started := []string{"s", "", "s"}[rng.Intn(3)]
	add := func(flags, id string, since int64) {
		c.Changes = append(c.Changes, probevector.Change{At: at + 250, Flags: flags, ID: id, Started: since})
		at += 1000 * int64(1+rng.Intn(int(c.Period)*5))
	}
	if rng.Intn(4) == 0 {
		add([]string{"n", ""}[rng.Intn(2)], "", 0)
	}
	if at < 0 {
		at = 0
	}
	for at < c.Until {
		id++
		name := fmt.Sprintf("c%d", id)
		since := at - int64(rng.Intn(1500))
		if id == 1 && rng.Intn(2) == 0 {
			since -= 1000 * int64(rng.Intn(100)) // it was running before the kubelet
		}
		add("r"+started, name, since)
		if started == "" && rng.Intn(2) == 0 {
			add("rs", name, since)
		}
		switch rng.Intn(12) {
		case 0:
			add("ro"+started, name, since)
		case 1, 2:
			add("rd"+started, name, since)
		case 3:
			add("", name, 0) // waiting
		case 4, 5, 6:
			add("t", name, 0)
		case 7:
			add("te", name, 0)
		}
	}
}
