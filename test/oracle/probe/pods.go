package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/probe"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/probe/probevector"
)

// podsFor is how many lives there are for each pod that is registered: a pod has few ways to go.
const podsFor = 10

// podsSince is the oldest minor whose manager is asked to register pods: a worker of 1.20 waits on after its test has
// ended.
const podsSince = 30

// comparePods registers pods on both sides and returns how many differ.
func comparePods(ctx context.Context, out io.Writer, driver, release string,
	minor int, o options) (pods, wrong int, err error) {
	rng := rand.New(rand.NewSource(int64(o.seed)))
	list := make([]probevector.Pod, o.cases/podsFor)
	for i := range list {
		list[i] = generatePod(rng, minor)
	}
	theirs, err := register(ctx, driver, list)
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

// generatePod makes a pod of which some workers are there already, and sometimes ends it. Its termination falls between
// the ticks.
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
	// Up to 1.20 every worker sleeps a random time first.
	if minor >= 21 && rng.Intn(3) == 0 {
		p.Cancel = 1500 + 1000*int64(rng.Intn(3))
	}
	return p
}

// register runs the driver over the pods and reads what their manager did.
func register(ctx context.Context, driver string, pods []probevector.Pod) ([]probevector.Registered, error) {
	dir, err := os.MkdirTemp("", "oracle-probe-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	in, out := filepath.Join(dir, "pods"), filepath.Join(dir, "answers")
	var b bytes.Buffer
	for _, p := range pods {
		if err := json.NewEncoder(&b).Encode(p); err != nil {
			return nil, err
		}
	}
	if err := os.WriteFile(in, b.Bytes(), 0o600); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, driver, "-test.run", "^TestOraclePods$", "-test.timeout", "30m")
	cmd.Env = append(os.Environ(), "GODEBUG=asynctimerchan=0", "PODS="+in, "ANSWERS="+out)
	if said, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("run %s: %w: %s", filepath.Base(driver), err, said[max(0, len(said)-2000):])
	}
	content, err := os.ReadFile(out)
	if err != nil {
		return nil, err
	}
	var all []probevector.Registered
	for d := json.NewDecoder(bytes.NewReader(content)); d.More(); {
		var one probevector.Registered
		if err := d.Decode(&one); err != nil {
			return nil, fmt.Errorf("read answer %d: %w", len(all), err)
		}
		all = append(all, one)
	}
	if len(all) != len(pods) {
		return nil, fmt.Errorf("read answers: %d of %d pods", len(all), len(pods))
	}
	return all, nil
}
