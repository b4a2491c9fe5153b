package main

import (
	"bytes"
	"context"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/test/oracle/internal/peer"
	"github.com/restartwhy/kubectl-restartwhy/test/oracle/internal/probevector"
	"github.com/restartwhy/kubectl-restartwhy/test/oracle/internal/worker"
)

func TestTheSameSeedMakesTheSameCases(t *testing.T) {
	a, b := rand.New(rand.NewSource(5)), rand.New(rand.NewSource(5))
	for range 100 {
		if diff := cmp.Diff(generate(a, 36), generate(b, 36)); diff != "" {
			t.Fatal(diff)
		}
	}
	if cmp.Equal(generate(rand.New(rand.NewSource(1)), 36), generate(rand.New(rand.NewSource(2)), 36)) {
		t.Error("two seeds make the same case")
	}
}

// The cases are only useful if they reach every branch of doProbe.
func TestTheCasesReachEveryStep(t *testing.T) {
	want := []worker.Branch{
		worker.StepNoStatus, worker.StepPodOver, worker.StepNoContainer, worker.StepOnHold,
		worker.StepNotRunning, worker.StepDeleted,
		worker.StepInitialDelay, worker.StepAlreadyStarted, worker.StepNotStarted,
		worker.StepErrored, worker.StepBelowThreshold, worker.StepResult,
	}
	for _, release := range releases {
		v, err := kubelet.ParseVersion(release)
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewSource(1))
		reached := map[worker.Branch]int{}
		var sidecars, triggers int
		for range 500 {
			c := generate(rng, v.Minor)
			s, err := c.Scenario(release)
			if err != nil {
				t.Fatal(err)
			}
			events, err := worker.Simulate(s)
			if err != nil {
				t.Fatalf("%s cannot meet %+v: %v", release, c, err)
			}
			for _, e := range events {
				reached[e.Step]++
			}
			triggers += len(c.Triggers)
			if c.Sidecar {
				sidecars++
			}
		}
		for _, step := range want {
			if reached[step] == 0 {
				t.Errorf("%s: no case reaches %s", release, step)
			}
		}
		if modern := v.Minor >= 28; modern != (sidecars > 0) || modern != (triggers > 0) {
			t.Errorf("%s: %d sidecars, %d triggers", release, sidecars, triggers)
		}
	}
}

// The cases must include what 1.37 changed about registering a pod, or the comparison proves nothing about it.
func TestPodsTellWhat137Changed(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	added, cancelled := 0, 0
	for range 500 {
		p := generatePod(rng, 37)
		before, err := p.Register("v1.36.3")
		if err != nil {
			t.Fatal(err)
		}
		now, err := p.Register("v1.37.1")
		if err != nil {
			t.Fatal(err)
		}
		if len(now.Added) > len(before.Added) {
			added++
		} else if !cmp.Equal(now.Cancelled, before.Cancelled) {
			cancelled++
		}
	}
	if added < 50 || cancelled < 50 {
		t.Errorf("of 500 pods %d differ in what is added, %d in what is cancelled", added, cancelled)
	}
	if _, err := (probevector.Pod{}).Register("nonsense"); err == nil {
		t.Error("a version that is none registered a pod")
	}
}

func TestTheMinorChoosesItsRelease(t *testing.T) {
	for minor, want := range map[string][]string{
		"": releases, "1.30": {"v1.30.14"}, "v1.30": {"v1.30.14"}, "1.36.3": {"v1.36.3"},
		"1.3": nil, "1.30.2": nil, "1.31": nil,
	} {
		if diff := cmp.Diff(want, peer.Choose(releases, minor)); diff != "" {
			t.Errorf("Choose(%q) (-want +got):\n%s", minor, diff)
		}
	}
}

// The decision of such a minor version may be compared in the same run, so it is no error here.
func TestAMinorWhoseWorkerIsNotPlayedSaysSo(t *testing.T) {
	var out bytes.Buffer
	if err := run(context.Background(), &out, peer.Options{Seed: 4, Cases: 10, Minor: "1.31"}); err != nil {
		t.Fatal(err)
	}
	const want = "oracle-probe: seed 4, 0 of 0 releases, 0 cases, 0 differences: no worker of 1.31 is played, only those of v1.20.15, v1.30.14, v1.36.3, v1.37.1\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A driver in the cache is used as it is; if it cannot run, nothing was compared.
func TestADriverThatDoesNotRunIsCountedAsNotCompared(t *testing.T) {
	cache := t.TempDir()
	files, err := sources(30)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(cache, fileName("v1.30.14", files))
	if err := os.WriteFile(path, []byte("#!/bin/sh\necho out of order; exit 3\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	err = run(context.Background(), &out, peer.Options{Cases: 2, Minor: "1.30", Cache: cache})
	if err == nil || !strings.Contains(err.Error(), "1 releases not compared") {
		t.Errorf("err = %v, want one that counts the release", err)
	}
	for _, want := range []string{"v1.30.14 not compared", "out of order", "0 of 1 releases, 0 cases"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q does not say %q", out.String(), want)
		}
	}
}

func TestEveryReleaseHasItsOwnDriver(t *testing.T) {
	seen := map[string]string{}
	for release, minor := range map[string]int{"v1.20.15": 20, "v1.30.14": 30, "v1.37.1": 37} {
		files, err := sources(minor)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(files[0], []byte("func TestOracle(")) || !bytes.Contains(files[1], []byte("func oracleRun(")) ||
			!bytes.Contains(files[2], []byte("func TestOraclePods(")) {
			t.Errorf("%s: the driver or its adapter is missing", release)
		}
		if other := seen[string(files[1])]; other != "" {
			t.Errorf("%s and %s share an adapter", release, other)
		}
		seen[string(files[1])] = release
	}
}
