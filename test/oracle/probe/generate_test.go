package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"math/rand"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/probe"
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

// The cases are only worth something if they get into every branch of doProbe.
func TestTheCasesReachEveryStep(t *testing.T) {
	want := []probe.Step{
		probe.StepNoStatus, probe.StepPodOver, probe.StepNoContainer, probe.StepOnHold, probe.StepNotRunning, probe.StepDeleted,
		probe.StepInitialDelay, probe.StepAlreadyStarted, probe.StepNotStarted, probe.StepErrored, probe.StepBelowThreshold, probe.StepResult,
	}
	for _, release := range releases {
		v, err := kubelet.ParseVersion(release)
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewSource(1))
		reached := map[probe.Step]int{}
		var sidecars, triggers int
		for range 500 {
			c := generate(rng, v.Minor)
			s, err := c.Scenario(release)
			if err != nil {
				t.Fatal(err)
			}
			events, err := probe.Simulate(s)
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

func TestARecordingIsTheSameFileEachTime(t *testing.T) {
	dir := t.TempDir()
	var files [2][]byte
	for i := range files {
		path := filepath.Join(dir, "v.jsonl.gz")
		if err := write(path, []byte("{}\n")); err != nil {
			t.Fatal(err)
		}
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files[i] = content
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Error("the same vectors make different files")
	}
	z, err := gzip.NewReader(bytes.NewReader(files[0]))
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(z); err != nil || string(text) != "{}\n" {
		t.Errorf("read back %q, error %v", text, err)
	}
}
