package statement_test

import (
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/journal"
	"github.com/restartwhy/kubectl-restartwhy/diag/statement"
)

// observe reads a recorded journal. The recordings are of real nodes; the pods
// are named after what was done to them.
func observe(t testing.TB, name string) *evidence.Snapshot {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name+".export.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	b := evidence.NewBuilder(time.Time{})
	journal.Observe(journal.ReadExport, b, r, statement.Options{Node: "n", Where: name},
		func(why string) { t.Errorf("gap: %s", why) })
	return b.Build()
}

// counts counts facts by what distinguishes them.
func counts(s *evidence.Snapshot) map[string]int {
	out := map[string]int{}
	for _, o := range s.Observations {
		key := o.Fact.Statement()
		switch f := o.Fact.(type) {
		case evidence.KillDecided:
			key += " " + string(f.Reason)
		case evidence.SandboxJudged:
			key += " " + string(f.Reason)
		case evidence.PodConfig:
			key += " " + f.Op
		case evidence.ProbeFailed:
			key += " " + string(f.Probe)
		case evidence.UnitChanged:
			key += " " + f.Unit + " " + f.Change
		case evidence.StopRequested:
			key += " " + f.Signal
		}
		out[key]++
	}
	return out
}

// kubelets lists the versions that started, in order.
func kubelets(s *evidence.Snapshot) []string {
	var out []string
	for _, o := range s.Observations {
		if k, ok := o.Fact.(evidence.KubeletStarted); ok {
			out = append(out, fmt.Sprintf("%s %s/%d", o.Time.Format("15:04:05"), k.Version, k.PID))
		}
	}
	return out
}

// kills lists the kills for a reason between two times, by pod and container.
func kills(s *evidence.Snapshot, reason evidence.KillReason, from, to string) map[string]int {
	out := map[string]int{}
	for _, o := range s.Observations {
		if k, ok := o.Fact.(evidence.KillDecided); ok && k.Reason == reason {
			if at := o.Time.Format("15:04:05"); at >= from && at < to {
				out[o.Subject.Pod+"/"+o.Subject.Container]++
			}
		}
	}
	return out
}

func TestThreeUpgradesOfAKubelet(t *testing.T) {
	s := observe(t, "kubelet-1.28-1.30-1.31-1.34")
	if diff := cmp.Diff([]string{"08:32:36 v1.28.15/81", "08:33:27 v1.30.14/3146",
		"08:33:56 v1.31.0/4413", "08:34:24 v1.34.4/6078"}, kubelets(s)); diff != "" {
		t.Error(diff)
	}
	// Only 1.30 → 1.31 changes the hash of containers that run.
	for _, c := range []struct {
		name, from, to string
		want           int
	}{{"before", "08:32:36", "08:33:27", 0}, {"1.30.14", "08:33:27", "08:33:56", 0},
		{"1.31.0", "08:33:56", "08:34:24", 8}, {"1.34.4", "08:34:24", "09", 0}} {
		got := 0
		for _, n := range kills(s, evidence.KillDefinition, c.from, c.to) {
			got += n
		}
		if got != c.want {
			t.Errorf("%s: %d kills for a changed definition, want %d", c.name, got, c.want)
		}
	}
	want := map[string]int{
		"kubelet.backed-off": 84, "kubelet.container-died": 88, "kubelet.container-finished": 120,
		"kubelet.container-started": 110,
		"kubelet.hook-failed":       6, "kubelet.kill-decided definition": 8,
		"kubelet.kill-decided liveness": 9, "kubelet.kill-decided startup": 11,
		"kubelet.kill-started": 34, "kubelet.missing-actuated-record": 24, "kubelet.pod-config ADD": 53,
		"kubelet.probe-failed liveness": 20,
		"kubelet.probe-failed startup":  33, "kubelet.sandbox-judged none": 13, "kubelet.started": 4,
		"kubelet.probe-result": 33, "kubelet.runtime-trouble": 7, "kubelet.setting": 16,
		"systemd.unit-changed kubelet.service started": 4, "systemd.unit-changed kubelet.service stopped": 3,
		"systemd.unit-changed kubelet.service stopping": 3,
	}
	if diff := cmp.Diff(want, counts(s)); diff != "" {
		t.Error(diff)
	}
}

func TestAnUpgradeThatFirstFails(t *testing.T) {
	s := observe(t, "kubelet-1.30-1.36")
	started := kubelets(s)
	if first, last := started[0], started[len(started)-1]; first != "07:21:32 v1.30.14/80" ||
		last != "07:43:39 v1.36.3/8252" || len(started) != 26 {
		t.Errorf("%d starts from %s to %s", len(started), first, last)
	}
	c := counts(s)
	// 24 processes ended before they told a version; systemd started the next each time but the last.
	if c["systemd.unit-changed kubelet.service exited"] != 24 ||
		c["systemd.unit-changed kubelet.service restart-scheduled"] != 23 {
		t.Errorf("%v", c)
	}
	if diff := cmp.Diff(map[string]int{"image-edit/a": 1},
		kills(s, evidence.KillDefinition, "07:21", "07:25")); diff != "" {
		t.Errorf("the edit: %s", diff)
	}
	if diff := cmp.Diff(map[string]int{"steady/a": 1, "steady/b": 1, "image-edit/a": 1,
		"runtime-killed/a": 1, "sandbox-killed/a": 1},
		kills(s, evidence.KillDefinition, "07:42", "07:45")); diff != "" {
		t.Errorf("the upgrade: %s", diff)
	}
	var judged []string
	for _, o := range s.Observations {
		if j, ok := o.Fact.(evidence.SandboxJudged); ok && j.Reason == evidence.SandboxNotReady {
			judged = append(judged, o.Subject.Namespace+"/"+o.Subject.Pod)
		}
	}
	if diff := cmp.Diff([]string{"s-n1/sandbox-killed", "s-n1/sandbox-killed"}, judged); diff != "" {
		t.Errorf("sandboxes: %s", diff)
	}
	if v := s.Coverage[0]; v.Source != evidence.SourceKubeletLog || v.Verbosity != 2 {
		t.Errorf("reach %+v", v)
	}
}

func TestAKubeletOfTheUnstructuredTimes(t *testing.T) {
	s := observe(t, "kubelet-1.20")
	if diff := cmp.Diff([]string{"08:42:04 v1.20.15/80"}, kubelets(s)); diff != "" {
		t.Error(diff)
	}
	want := map[string]int{
		"kubelet.backed-off": 76, "kubelet.container-died": 47, "kubelet.container-started": 65, "kubelet.hook-failed": 5,
		"kubelet.kill-decided liveness": 6, "kubelet.kill-decided startup": 6,
		"kubelet.kill-started": 17, "kubelet.pod-config ADD": 14,
		"kubelet.probe-failed liveness": 12, "kubelet.probe-failed startup": 18,
		"kubelet.sandbox-judged none": 13, "kubelet.started": 1,
		"kubelet.oom-seen": 31, "kubelet.probe-result": 6, "kubelet.runtime-trouble": 1, "kubelet.setting": 9,
		"systemd.unit-changed kubelet.service started": 1,
	}
	if diff := cmp.Diff(want, counts(s)); diff != "" {
		t.Error(diff)
	}
	if v := s.Coverage[0]; v.Verbosity != 2 || v.From.Format("15:04:05") != "08:42:04" {
		t.Errorf("reach %+v", v)
	}
	for _, o := range s.Observations {
		if k, ok := o.Fact.(evidence.KillDecided); ok &&
			(o.Subject.PodUID == "" || len(o.Subject.ContainerID) != 64 || o.Subject.Container != "a") {
			t.Errorf("%s: subject %+v of %+v", o.Time, o.Subject, k)
		}
	}
}

func TestAContainerd16(t *testing.T) {
	s := observe(t, "containerd-1.6")
	want := map[string]int{
		"runtime.container-created": 97, "runtime.sandbox-created": 13, "runtime.started": 1, "runtime.stop-requested ": 34,
		"runtime.stop-requested terminated": 33, "runtime.stop-requested killed": 31,
		"runtime.task-exited": 88, "runtime.failed": 2, "runtime.task-started": 97,
		"runtime.task-oom": 38,
		"systemd.unit-changed containerd.service starting": 1, "systemd.unit-changed containerd.service started": 1,
	}
	if diff := cmp.Diff(want, counts(s)); diff != "" {
		t.Error(diff)
	}
	attempts := map[string]int{}
	for _, o := range s.Observations {
		if c, ok := o.Fact.(evidence.RuntimeCreated); ok {
			if was, seen := attempts[o.Subject.SandboxID+o.Subject.Container]; seen && c.Attempt <= was {
				t.Errorf("attempt %d after %d", c.Attempt, was)
			}
			attempts[o.Subject.SandboxID+o.Subject.Container] = c.Attempt
		}
	}
}

func BenchmarkObserve(b *testing.B) {
	for b.Loop() {
		observe(b, "kubelet-1.28-1.30-1.31-1.34")
	}
}
