package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/test/oracle/internal/cases"
	"github.com/restartwhy/kubectl-restartwhy/test/oracle/internal/peer"
)

// actAs makes this test binary a driver: it answers as we would, except where its part says otherwise.
const actAs = "ORACLE_TEST_DRIVER"

const release = "v1.36.3"

func TestMain(m *testing.M) {
	if part := os.Getenv(actAs); part != "" {
		if err := drive(part); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func drive(part string) error {
	lines := bufio.NewReaderSize(os.Stdin, 1<<20)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return nil
		}
		c, err := cases.Read(line)
		if err != nil {
			return err
		}
		p, err := cases.Profile(release, c.Gates)
		locked := errors.Is(err, kubelet.ErrLockedGate)
		if err != nil && !locked {
			return err
		}
		a, _ := cases.Ours(p, &c, false)
		switch {
		case locked && part != "unlocks":
			a = cases.Answer{Refused: "gates: locked"}
		case part == "ignores-liveness":
			for i := range a.Kill {
				if a.Kill[i].Reason == "LivenessProbe" {
					a.Kill[i].Message = "it felt like it"
				}
			}
		case part == "locks-rules" && !c.Gates["ContainerRestartRules"]:
			a = cases.Answer{Refused: "gates: locked"}
		case part == "panics" && len(c.Status.Containers) > 3:
			a = cases.Answer{Refused: "panic: nil"}
		case part == "dies" && len(c.Status.Containers) > 3:
			return fmt.Errorf("gone")
		}
		text, err := json.Marshal(a)
		if err != nil {
			return err
		}
		if _, err := os.Stdout.Write(append(text, '\n')); err != nil {
			return err
		}
	}
}

func askDriver(t *testing.T, part string, n int, keep *recorder) (*result, string, error) {
	t.Helper()
	t.Setenv(actAs, part)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	r, err := ask(context.Background(), &out, self, release, 11, n, keep)
	return r, out.String(), err
}

func TestAKubeletThatDecidesLikeUsShowsNoDifference(t *testing.T) {
	r, out, err := askDriver(t, "agrees", 300, nil)
	if err != nil {
		t.Fatal(err)
	}
	if r.cases != 300 || r.differences != 0 || r.refused != 0 || out != "" {
		t.Errorf("%d cases, %d differences, %d refused; printed %q", r.cases, r.differences, r.refused, out)
	}
	// Four gates of 1.36 can be set, two are locked: every combination is used.
	if r.gateSets != 16 {
		t.Errorf("%d settings of the gates, want 16", r.gateSets)
	}
	if len(r.branches) < 40 {
		t.Errorf("only %d branch outcomes seen", len(r.branches))
	}
}

func TestADifferenceIsCountedShrunkAndPrintedOnce(t *testing.T) {
	r, out, err := askDriver(t, "ignores-liveness", 300, nil)
	if err != nil {
		t.Fatal(err)
	}
	if r.differences < 5 || r.cases != 300 {
		t.Fatalf("%d differences in %d cases", r.differences, r.cases)
	}
	if n := strings.Count(out, "difference in "+release); n != 1 {
		t.Fatalf("printed %d differences of one kind, want 1:\n%s", n, out)
	}
	_, text, _ := strings.Cut(out, "case     ")
	line, rest, _ := strings.Cut(text, "\n")
	c, err := cases.Read([]byte(line))
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Status.Containers) != 1 || len(c.Status.Liveness) != 1 {
		t.Errorf("not shrunk to one container with one probe result: %s", line)
	}
	for _, want := range []string{"it felt like it", "liveness-failed"} {
		if !strings.Contains(rest, want) {
			t.Errorf("the printed difference lacks %q:\n%s", want, rest)
		}
	}
}

func TestGatesThatUpstreamLocksAreLeftAlone(t *testing.T) {
	r, _, err := askDriver(t, "locks-rules", 300, nil)
	if err != nil {
		t.Fatal(err)
	}
	if r.gateSets != 8 || r.refused != 0 || r.differences != 0 {
		t.Errorf("%d settings, %d refused, %d differences; want 8 and none", r.gateSets, r.refused, r.differences)
	}
}

func TestALockOfOursThatUpstreamDoesNotHaveIsAnError(t *testing.T) {
	if _, _, err := askDriver(t, "unlocks", 10, nil); err == nil ||
		!strings.Contains(err.Error(), "the release allows it") {
		t.Errorf("err = %v, want one that says so", err)
	}
}

func TestCasesThatUpstreamCannotAnswerDoNotCount(t *testing.T) {
	r, _, err := askDriver(t, "panics", 300, nil)
	if err != nil {
		t.Fatal(err)
	}
	if r.cases < 300 || r.refused == 0 || r.refusals["panic: nil"] != r.refused {
		t.Errorf("%d cases, %d refused, reasons %v", r.cases, r.refused, r.refusals)
	}
}

func TestADriverThatDiesIsAnError(t *testing.T) {
	if _, _, err := askDriver(t, "dies", 300, nil); err == nil || !strings.Contains(err.Error(), "driver") {
		t.Errorf("err = %v, want one that names the driver", err)
	}
}

func TestTheRecorderKeepsOneCaseOfEachPath(t *testing.T) {
	dir := t.TempDir()
	keep := newRecorder(dir, 40)
	if _, _, err := askDriver(t, "agrees", 600, keep); err != nil {
		t.Fatal(err)
	}
	size, err := keep.write()
	if err != nil {
		t.Fatal(err)
	}
	packed, err := os.ReadFile(filepath.Join(dir, release+cases.VectorSuffix))
	if err != nil || len(packed) != size {
		t.Fatalf("%d bytes read, %d written, %v", len(packed), size, err)
	}
	vectors, err := peer.Unpack[cases.Vector](packed)
	if err != nil || len(vectors) != 40 {
		t.Fatalf("%d vectors, %v; want 40", len(vectors), err)
	}
	again := newRecorder(dir, 40)
	again.add(release, "path", []byte("{}"), &cases.Answer{})
	again.add(release, "path", []byte("{}"), &cases.Answer{})
	if n := len(again.kept[release]); n != 1 {
		t.Errorf("one path was kept %d times", n)
	}
}

func TestTheMinorChoosesItsRelease(t *testing.T) {
	tests := []struct {
		minor string
		want  []string
	}{
		{"", releases},
		{"1.34", []string{"v1.34.4"}},
		{"v1.34", []string{"v1.34.4"}},
		{"1.30.14", []string{"v1.30.14"}},
		{"1.30.2", []string{"v1.30.2"}},
		{"1.3", nil},
		{"nonsense", nil},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, chosen(tt.minor)); diff != "" {
			t.Errorf("chosen(%q) (-want +got):\n%s", tt.minor, diff)
		}
	}
	if err := run(context.Background(), new(bytes.Buffer), peer.Options{Minor: "1.3"}); err == nil ||
		!strings.Contains(err.Error(), `choose minor "1.3"`) {
		t.Errorf("err = %v, want one that names the minor", err)
	}
}

func TestKindNamesTheFieldsThatDiffer(t *testing.T) {
	a := cases.Answer{KillPod: true, Start: []int{1}}
	b := cases.Answer{Start: []int{1}, Attempt: 2}
	if got := kind(a, b); got != "KillPod,Attempt" {
		t.Errorf("kind = %q", got)
	}
	if got := kind(a, a); got != "" {
		t.Errorf("kind of equal answers = %q", got)
	}
}
