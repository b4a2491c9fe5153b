package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand"
	"reflect"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/probe"
	"github.com/restartwhy/kubectl-restartwhy/test/oracle/internal/peer"
	"github.com/restartwhy/kubectl-restartwhy/test/oracle/internal/probevector"
)

// podsFor is how many container lives there are for each registered pod: a pod has few possible courses.
const podsFor = 10

// podsSince is the oldest minor version whose manager registers pods here: a worker of 1.20 keeps waiting after its
// test has ended.
const podsSince = 30

// comparePods registers pods on both sides and returns how many differ.
func comparePods(ctx context.Context, out io.Writer, driver, release string,
	minor int, o peer.Options) (pods, wrong int, err error) {
	rng := rand.New(rand.NewSource(int64(o.Seed)))
	list := make([]probevector.Pod, o.Cases/podsFor)
	for i := range list {
		list[i] = generatePod(rng, minor)
	}
	theirs, err := ask[probevector.Pod, probevector.Registered](ctx, driver, "TestOraclePods", list)
	if err != nil {
		return 0, 0, fmt.Errorf("register %d pods: %w", len(list), err)
	}
	for i, p := range list {
		ours, err := p.Register(release)
		if err != nil {
			return 0, 0, fmt.Errorf("register pod %d: %w", i, err)
		}
		if reflect.DeepEqual(ours, theirs[i]) {
			continue
		}
		if wrong++; wrong <= 3 {
			line, err := json.Marshal(p)
			if err != nil {
				return 0, 0, err
			}
			fmt.Fprintf(out, "%s pod %d differs\n  %s\n  theirs %+v\n  ours   %+v\n", release, i, line, theirs[i], ours)
		}
	}
	return len(list), wrong, nil
}

// generatePod creates a pod for which some workers already exist, and sometimes ends it. Its termination is between the
// ticks.
func generatePod(rng *rand.Rand, minor int) probevector.Pod {
	var p probevector.Pod
	for i := range 1 + rng.Intn(3) {
		c := probevector.Container{Name: string(rune('a' + i)), Sidecar: minor >= 28 && rng.Intn(4) == 0}
		for _, kind := range []probe.Kind{probe.Liveness, probe.Readiness, probe.Startup} {
			if rng.Intn(2) == 0 {
				continue
			}
			c.Kinds = append(c.Kinds, kind)
			if rng.Intn(4) == 0 {
				p.Have = append(p.Have, probevector.Worker{Container: c.Name, Kind: kind})
			}
		}
		p.Containers = append(p.Containers, c)
	}
	// Up to 1.20 every worker first sleeps for a random time.
	if minor >= 21 && rng.Intn(3) == 0 {
		p.Cancel = 1500 + 1000*int64(rng.Intn(3))
	}
	return p
}
