package finding_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/history"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// The kubelet's message names a process and no container: if another container of the node was killed for memory at
// that moment, the process is more likely that one's.
func TestWhoseShortageItWas(t *testing.T) {
	code := int32(137)
	other := evidence.Subject{Node: analyzertest.Node, Namespace: "ops", Pod: "w",
		PodUID: "uid-w", Container: "w", ContainerID: strings.Repeat("3", 64)}
	for name, c := range map[string]struct {
		node     string
		reason   string
		end      float64
		restarts int
		want     bool
	}{
		"another one, killed for memory":              {analyzertest.Node, "OOMKilled", 42, 1, true},
		"another one, killed for another":             {analyzertest.Node, "Error", 42, 1, false},
		"another one, long before":                    {analyzertest.Node, "OOMKilled", 20, 1, false},
		"another one, later":                          {analyzertest.Node, "OOMKilled", 70, 1, false},
		"another one, later, and not the first time":  {analyzertest.Node, "OOMKilled", 70, 3, true},
		"another one, before, and not the first time": {analyzertest.Node, "OOMKilled", 20, 3, false},
		"another one of another node":                 {"n2", "OOMKilled", 42, 1, false},
		"nobody else ended, says the record":          {analyzertest.Node, "", 0, 0, false},
	} {
		s := analyzertest.New().Status(10, 42.5, 137, "Error", 0).Add(evidence.SourceKubeletLog,
			42.6, evidence.Subject{Node: analyzertest.Node}, evidence.SystemOOM{})
		if c.end > 0 {
			who := other
			who.Node = c.node
			s.Add(evidence.SourceAPI, c.end, who, evidence.ContainerRecord{State: evidence.StateExited,
				Started: analyzertest.At(5), Finished: analyzertest.At(c.end), ExitCode: &code, Reason: c.reason,
				RestartCount: c.restarts})
			for i := range s.Observations {
				if o := &s.Observations[i]; o.Subject.PodUID == who.PodUID {
					o.Source.Node = c.node
				}
			}
		}
		tl := history.Build(s.Snapshot())
		i := slices.IndexFunc(tl.Restarts, func(r *timeline.Restart) bool { return r.PodUID == analyzertest.PodUID })
		if i < 0 {
			t.Fatalf("%s: the story has no restart", name)
		}
		got := finding.Derive(tl, tl.Restarts[i]).OOM
		if got.Shortage.Answer != finding.Yes || got.Elsewhere != c.want {
			t.Errorf("%s: %+v, want elsewhere %t", name, got, c.want)
		}
	}
}

// A kubelet reads the kernel's buffer from its beginning: its first events are of kills that are old.
func TestAShortageThatAStartingKubeletTellsOf(t *testing.T) {
	for name, c := range map[string]struct {
		start float64 // of the kubelet
		fact  evidence.Fact
		want  finding.YesNo
	}{
		"when it starts":         {41, evidence.SystemOOM{}, finding.Unknown},
		"when it has run":        {20, evidence.SystemOOM{}, finding.Yes},
		"before it starts":       {44, evidence.SystemOOM{}, finding.Yes},
		"with the kernel's time": {41, evidence.OOMSeen{Process: "java", PID: 7}, finding.Yes},
	} {
		s := analyzertest.New().Status(10, 42.5, 137, "Error", 0).KubeletStarts(c.start, "v1.36.3", 81)
		s.Add(evidence.SourceAPI, 42, evidence.Subject{Node: analyzertest.Node}, c.fact)
		if got := find(t, s).OOM.Shortage.Answer; got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// A table tells an end by its age, in hours or days: a kernel's record of the container may be hours away from that.
func TestAKillOfAContainerWhoseEndHasOnlyAnAge(t *testing.T) {
	for name, c := range map[string]struct {
		code int32
		at   float64 // of the kill; the table has the end at 50_000 s
		aged bool
		want bool
	}{
		"hours before, by its age":    {code: 137, at: 1800, aged: true, want: true},
		"hours before, by a clock":    {code: 137, at: 1800},
		"another code":                {code: 1, at: 1800, aged: true},
		"after the table was printed": {code: 137, at: 50_100, aged: true},
	} {
		s := analyzertest.New().Add(evidence.SourceCRI, 50_000, evidence.Subject{PodUID: analyzertest.PodUID,
			Container: analyzertest.Container, ContainerID: analyzertest.OldID}, evidence.ContainerRecord{Attempt: 0,
			State: evidence.StateExited, Finished: analyzertest.At(50_000), ExitCode: &c.code, Coarse: c.aged})
		own := "/kubepods/burstable/pod" + analyzertest.PodUID + "/" + analyzertest.OldID
		s.Kernel(c.at, analyzertest.OldID, evidence.OOMKill{Constraint: "CONSTRAINT_NONE", Global: true, TaskMemcg: own})
		s.Add(evidence.SourceKubeletLog, c.at, evidence.Subject{ContainerID: analyzertest.OldID},
			evidence.KillStarted{GraceSeconds: 30})
		tl := history.Build(s.Snapshot())
		f := finding.Derive(tl, tl.Restarts[0])
		if got := f.OOM.Answer == finding.Yes; got != c.want {
			t.Errorf("%s: %v", name, f.OOM.Answer)
		}
		if got := f.Kill.Answer == finding.Yes; got != c.aged && c.at < 50_000 {
			t.Errorf("%s: the kubelet's kill of it: %v", name, f.Kill.Answer)
		}
		if c.want && len(f.Doubts) == 0 {
			t.Errorf("%s: no doubt, though no clock tells the end", name)
		}
	}
}

// Kernels before 5.0 name no cgroup, but a process without a score of its own is no container's.
func TestAKillOfAProgramOfTheNode(t *testing.T) {
	for _, unscored := range []bool{true, false} {
		s := analyzertest.New().Logs().Status(10, 42.5, 137, "Error", 43)
		s.Add(evidence.SourceKernelLog, 42.4, evidence.Subject{}, evidence.OOMKill{Task: "stress", PID: 7, Global: true,
			Unscored: unscored})
		f := find(t, s)
		if (f.OOM.Shortage.Answer == finding.Yes) == unscored || f.OOM.Answer != finding.Unknown {
			t.Errorf("without a score %t: shortage %v, killed for memory %v", unscored, f.OOM.Shortage.Answer, f.OOM.Answer)
		}
	}
}

// Kernels before 5.0 name no cgroup: a process that is called like the container may have been its own.
func TestAKilledProcessThatIsCalledLikeTheContainer(t *testing.T) {
	for name, c := range map[string]struct {
		container, task string
		at              float64
		unscored, told  bool
	}{
		"undated, of the node itself": {container: "etcd", task: "etcd", at: analyzertest.Never, unscored: true},
		"undated":                     {container: "etcd", task: "etcd", at: analyzertest.Never, told: true},
		"at the end":                  {container: "etcd", task: "etcd", at: 41, told: true},
		"long before":                 {container: "etcd", task: "etcd", at: 10},
		"as the kernel cuts": {container: "kube-controller-manager", task: "kube-controller", at: analyzertest.Never,
			told: true},
		"a beginning of it":    {container: "etcd-events", task: "etcd", at: analyzertest.Never},
		"another program":      {container: "etcd", task: "java", at: analyzertest.Never},
		"another one, in time": {container: "etcd", task: "java", at: 41},
	} {
		s := analyzertest.New()
		s.Pod.Containers[0].Name = c.container
		s.Add(evidence.SourceKubeletLog, 42, evidence.Subject{PodUID: analyzertest.PodUID, Container: c.container,
			ContainerID: analyzertest.OldID}, evidence.ContainerDied{})
		s.Add(evidence.SourceKernelLog, c.at, evidence.Subject{}, evidence.OOMKill{Task: c.task, PID: 7, Global: true,
			Unscored: c.unscored})
		tl := history.Build(s.Snapshot())
		f := finding.Derive(tl, tl.Restarts[0])
		if f.OOM.Told != c.told || c.told && (f.OOM.Shortage.Answer != finding.Yes || len(f.Doubts) == 0) {
			t.Errorf("%s: told %v, shortage %v, %d doubts", name, f.OOM.Told, f.OOM.Shortage.Answer, len(f.Doubts))
		}
	}
}

func TestAChildAtAnEndWithoutACode(t *testing.T) {
	group := "/kubepods/pod" + analyzertest.PodUID + "/" + analyzertest.OldID
	table := []evidence.OOMProcess{{PID: 71}, {PID: 79}}
	for name, c := range map[string]struct {
		pid  int
		want bool
	}{"the first process of its cgroup": {71, false}, "one that it started": {79, true}} {
		s := analyzertest.New().Logs().Kubelet(10, analyzertest.OldID, evidence.ContainerStarted{})
		s.Kernel(42, analyzertest.OldID, evidence.OOMKill{Task: "w", PID: c.pid, First: 71, Processes: table,
			TaskMemcg: group, OOMMemcg: group})
		s.Add(evidence.SourceKubeletLog, 42.5, of(analyzertest.OldID), evidence.ContainerDied{})
		if f := find(t, s); f.Exit.Known || f.OOM.Answer != finding.Yes || f.OOM.Child != c.want {
			t.Errorf("%s: child %t, want %t: %+v", name, f.OOM.Child, c.want, f.OOM.Point)
		}
	}
}
