package cases

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/decide"
	"github.com/restartwhy/kubectl-restartwhy/test/oracle/internal/peer"
)

// Every recorded vector is the answer of a real kubelet's code; our decision must answer the same.
func TestRecordedKubeletsAreAnsweredAlike(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "*"+VectorSuffix))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 8 {
		t.Fatalf("only %d recorded releases found", len(files))
	}
	for _, file := range files {
		release := strings.TrimSuffix(filepath.Base(file), VectorSuffix)
		t.Run(release, func(t *testing.T) {
			vectors := read(t, file)
			if len(vectors) < 200 {
				t.Fatalf("only %d vectors", len(vectors))
			}
			for i, v := range vectors {
				c, err := Read(v.Case)
				if err != nil {
					t.Fatalf("vector %d: %v", i, err)
				}
				p, err := Profile(release, c.Gates)
				if err != nil {
					t.Fatalf("vector %d: %v", i, err)
				}
				got, _ := Ours(p, &c, false)
				if diff := cmp.Diff(v.Answer, got); diff != "" {
					t.Errorf("vector %d (-kubelet +ours):\n%s%s", i, diff, v.Case)
				}
			}
		})
	}
}

func read(t testing.TB, file string) []Vector {
	t.Helper()
	packed, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	vectors, err := peer.Unpack[Vector](packed)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return vectors
}

func profile(t testing.TB, release string, gates map[string]bool) kubelet.Profile {
	t.Helper()
	p, err := Profile(release, gates)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestTheSameSeedGivesTheSameCases(t *testing.T) {
	p := profile(t, "v1.36.3", nil)
	a, b, other := NewGenerator(7, p, nil), NewGenerator(7, p, nil), NewGenerator(8, p, nil)
	differ := false
	for range 50 {
		x, y, z := a.Next(), b.Next(), other.Next()
		if diff := cmp.Diff(lineOf(t, &x), lineOf(t, &y)); diff != "" {
			t.Fatalf("same seed, other case:\n%s", diff)
		}
		differ = differ || lineOf(t, &x) != lineOf(t, &z)
	}
	if !differ {
		t.Error("another seed gave the same 50 cases")
	}
}

func lineOf(t testing.TB, c *Case) string {
	t.Helper()
	line, err := c.Line()
	if err != nil {
		t.Fatal(err)
	}
	return string(line)
}

func TestACaseSurvivesItsLine(t *testing.T) {
	p := profile(t, "v1.30.14", nil)
	g := NewGenerator(1, p, map[string]bool{})
	for range 200 {
		c := g.Next()
		back, err := Read([]byte(lineOf(t, &c)))
		if err != nil {
			t.Fatal(err)
		}
		want, _ := Ours(p, &c, false)
		got, _ := Ours(p, &back, false)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("decided otherwise after JSON (-before +after):\n%s\n%s", diff, lineOf(t, &c))
		}
	}
}

func TestATracedDecisionIsTheSameDecision(t *testing.T) {
	for _, release := range []string{"v1.8.15", "v1.13.12", "v1.20.15", "v1.28.0", "v1.33.13", "v1.36.3", "v1.37.1"} {
		p := profile(t, release, nil)
		g := NewGenerator(3, p, nil)
		for range 150 {
			c := g.Next()
			plain, none := Ours(p, &c, false)
			traced, steps := Ours(p, &c, true)
			if diff := cmp.Diff(plain, traced); diff != "" {
				t.Fatalf("%s: tracing changed the decision:\n%s", release, diff)
			}
			if none != nil || len(steps) == 0 {
				t.Fatalf("%s: %d steps untraced, %d traced", release, len(none), len(steps))
			}
		}
	}
}

func TestShrinkLeavesOnlyWhatTheDifferenceNeeds(t *testing.T) {
	p := profile(t, "v1.36.3", nil)
	g := NewGenerator(5, p, nil)
	// Represents a difference: a container is killed for its liveness probe.
	differs := func(c *Case) bool {
		a, _ := Ours(p, c, false)
		for _, k := range a.Kill {
			if k.Reason == string(decide.ReasonLivenessProbe) {
				return true
			}
		}
		return false
	}
	shrunk := 0
	for shrunk < 5 {
		c := g.Next()
		if !differs(&c) {
			continue
		}
		before := lineOf(t, &c)
		small, err := Read(peer.Shrink([]byte(before), func(line []byte) bool {
			c, err := Read(line)
			return err == nil && c.Pod != nil && differs(&c)
		}))
		if err != nil {
			t.Fatal(err)
		}
		shrunk++
		if !differs(&small) {
			t.Fatal("the shrunk case shows no difference")
		}
		if len(small.Status.Containers) != 1 || len(small.Status.Liveness) != 1 || len(small.Status.Startup) > 1 ||
			len(small.Pod.Spec.Containers)+len(small.Pod.Spec.InitContainers) > 2 || small.Pod.DeletionTimestamp != nil {
			t.Errorf("not small: %s", lineOf(t, &small))
		}
	}
}

// The cases must include what distinguishes 1.37 from earlier minor versions, or they prove nothing about it.
func TestCasesTellOneThirtySevenFromTheMinorBefore(t *testing.T) {
	p, before := profile(t, "v1.37.1", nil), profile(t, "v1.36.3", nil)
	g := NewGenerator(6, p, nil)
	seen := map[string]int{}
	for range 3000 {
		c := g.Next()
		a, steps := Ours(p, &c, true)
		b, _ := Ours(before, &c, false)
		for _, s := range steps {
			if s.Taken && (s.Branch == "resize-records-made" || s.Branch == "starting-resized" ||
				strings.Contains(s.Fact, "older sandbox")) {
				seen[s.Branch]++
			}
		}
		if a.SandboxReason = ""; !cmp.Equal(a, b) {
			seen["differs"]++
			if !cmp.Equal(a.Init, b.Init) {
				seen["init"]++
			}
			if !cmp.Equal(a.Kill, b.Kill) {
				seen["kill"]++
			}
		}
	}
	for _, what := range []string{"resize-records-made", "starting-resized", "init-no-record", "differs", "init", "kill"} {
		if seen[what] < 20 {
			t.Errorf("%s: %d of 3000 cases, want at least 20", what, seen[what])
		}
	}
}

func TestPackedVectorsComeBack(t *testing.T) {
	want := []Vector{
		{Case: []byte(`{"Pod":null}`), Answer: Answer{KillPod: true, Kill: []Kill{{ID: "c0", Message: "gone"}}}},
		{Case: []byte(`{}`), Answer: Answer{Update: map[string][]string{"cpu": {"c1"}}, Reset: []Reset{{"c2", true}}}},
	}
	packed, err := peer.Pack(want)
	if err != nil {
		t.Fatal(err)
	}
	got, err := peer.Unpack[Vector](packed)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if _, err := peer.Unpack[Vector](packed[:len(packed)/2]); err == nil {
		t.Error("half a file was read without an error")
	}
}

func TestAProfileKnowsOnlyTheGatesOfItsRelease(t *testing.T) {
	if _, err := Profile("v1.24.17", map[string]bool{"SidecarContainers": true}); err == nil {
		t.Error("v1.24 took the gate SidecarContainers")
	}
	if _, err := Profile("nonsense", nil); err == nil {
		t.Error("a release that is none was taken")
	}
}

// FuzzOurs checks that no case makes our decision panic, in any minor version.
func FuzzOurs(f *testing.F) {
	for _, release := range []string{"v1.8.15", "v1.31.0", "v1.37.1"} {
		g := NewGenerator(2, profile(f, release, nil), nil)
		for range 5 {
			c := g.Next()
			f.Add([]byte(lineOf(f, &c)), uint8(g.Profile.Minor))
		}
	}
	f.Add(
		[]byte(
			`{"Pod":{"spec":{"containers":[{},{}],"restartPolicy":"x"}},"Status":{"Containers":[{},{"Name":"z","RestartCount":-1}]}}`), uint8(36))
	f.Fuzz(func(t *testing.T, line []byte, minor uint8) {
		c, err := Read(line)
		if err != nil {
			return
		}
		p, err := kubelet.ProfileFor(kubelet.Version{Major: 1, Minor: int(minor)})
		if err != nil {
			return
		}
		got, _ := Ours(p, &c, true)
		containers := 0
		if c.Pod != nil {
			containers = len(c.Pod.Spec.Containers)
		}
		for _, i := range got.Start {
			if i < 0 || i >= containers {
				t.Errorf("container %d of %d is to be started", i, containers)
			}
		}
	})
}

// BenchmarkComputePodActions decides the recorded cases; the driver of a release times upstream on the same ones.
func BenchmarkComputePodActions(b *testing.B) {
	for _, release := range []string{"v1.24.17", "v1.30.14", "v1.36.3"} {
		b.Run(release, func(b *testing.B) {
			type question struct {
				p   kubelet.Profile
				pod *corev1.Pod
				s   decide.Status
			}
			var all []question
			for _, v := range read(b, filepath.Join("testdata", release+VectorSuffix)) {
				c, err := Read(v.Case)
				if err != nil {
					b.Fatal(err)
				}
				all = append(all, question{profile(b, release, c.Gates), c.Pod, c.Status})
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				q := &all[i%len(all)]
				decide.ComputePodActions(q.p, q.pod, &q.s, decide.Options{})
			}
		})
	}
}
