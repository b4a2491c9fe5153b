package finding_test

import (
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// Of the requests that an audit log has, the one at the moment of the deletion counts: another may be of another pod or
// another cluster.
func TestWhoDeletedThePod(t *testing.T) {
	by := func(who string) evidence.PodDeleted {
		return evidence.PodDeleted{GraceSeconds: -1, By: safetext.Clean(who)}
	}
	object := evidence.PodDeleted{Until: analyzertest.At(70), GraceSeconds: 30}
	told := evidence.PodConfig{Op: "DELETE", Origin: "api"}
	type seen map[float64]evidence.Fact
	for name, c := range map[string]struct {
		seen seen
		want string
	}{
		"one, and nothing else":               {seen{40: by("alice")}, "alice"},
		"two, of which the object has one":    {seen{10: by("mallory"), 39.5: by("alice"), 40: object}, "alice"},
		"two, of which the kubelet knows one": {seen{10: by("mallory"), 39.5: by("alice"), 40: told}, "alice"},
		"one at another time than the object": {seen{10: by("mallory"), 40: object}, ""},
		"one long before the kubelet's line":  {seen{10: by("mallory"), 40: told}, ""},
	} {
		s := analyzertest.New().Status(10, 42.5, 137, "Error", 0)
		for _, at := range slices.Sorted(maps.Keys(c.seen)) {
			s.PodEvent(at, c.seen[at])
		}
		got := find(t, s)
		if got.End.By != c.want || (c.want == "") != (len(got.Doubts) > 0) {
			t.Errorf("%s: by %q with %v", name, got.End.By, got.Doubts)
		}
	}
}

func evictedFor(reason, message string) evidence.Fact {
	return evidence.PodEvicted{Reason: reason, Message: safetext.Clean(message)}
}

func TestHowAPodEnded(t *testing.T) {
	const low = "The node was low on resource: "
	for name, c := range map[string]struct {
		facts    []evidence.Fact
		how      evidence.Ending
		resource string
	}{
		"memory": {
			[]evidence.Fact{evictedFor("Evicted", low+"memory. Threshold quantity: 100Mi, available: 1Mi. ")},
			evidence.EndEvicted, "memory"},
		"memory, before v1.11": {[]evidence.Fact{evictedFor("Evicted", low+"memory.")}, evidence.EndEvicted, "memory"},
		"a brackets form": {[]evidence.Fact{evictedFor("Evicted", low+"[DiskPressure]. ")},
			evidence.EndEvicted, "DiskPressure"},
		"disk": {[]evidence.Fact{evictedFor("Evicted", low+"ephemeral-storage. ")}, evidence.EndEvicted, "ephemeral-storage"},
		"an emptyDir": {
			[]evidence.Fact{evictedFor("Evicted", `Usage of EmptyDir volume "x" exceeds the limit "1Gi". `)},
			evidence.EndEvicted, "ephemeral-storage"},
		"a container's limit": {
			[]evidence.Fact{evictedFor("Evicted", `Container app exceeded its local ephemeral storage limit "1Gi". `)},
			evidence.EndEvicted, "ephemeral-storage"},
		"process ids": {[]evidence.Fact{evictedFor("Evicted", low+"pids. ")}, evidence.EndEvicted, "pids"},
		"for a critical pod": {[]evidence.Fact{evictedFor("Preempting", "Preempted in order to admit critical pod")},
			evidence.EndPreempted, ""},
		"its deadline":      {[]evidence.Fact{evictedFor("DeadlineExceeded", "")}, evidence.EndDeadline, ""},
		"a shutdown":        {[]evidence.Fact{evictedFor("Terminated", "")}, evidence.EndShutdown, ""},
		"a shutdown, v1.20": {[]evidence.Fact{evictedFor("Shutdown", "")}, evidence.EndShutdown, ""},
		"a drain": {[]evidence.Fact{evictedFor("EvictionByEvictionAPI", ""), evidence.PodDeleted{}},
			evidence.EndAPI, ""},
		"a drain, told late": {[]evidence.Fact{evidence.PodDeleted{}, evictedFor("EvictionByEvictionAPI", "")},
			evidence.EndAPI, ""},
		"a taint":               {[]evidence.Fact{evictedFor("TaintManagerEviction", "")}, evidence.EndTaint, ""},
		"a taint, by condition": {[]evidence.Fact{evictedFor("DeletionByTaintManager", "")}, evidence.EndTaint, ""},
		"the scheduler":         {[]evidence.Fact{evictedFor("PreemptionByScheduler", "")}, evidence.EndScheduler, ""},
		"a deletion":            {[]evidence.Fact{evidence.PodDeleted{}}, evidence.EndDeleted, ""},
		"the kubelet's word": {[]evidence.Fact{evidence.PodConfig{Op: "DELETE", Origin: "api"},
			evidence.PodConfig{Op: "REMOVE", Origin: "api"}}, evidence.EndDeleted, ""},
		"a removal": {[]evidence.Fact{evidence.PodConfig{Op: "REMOVE", Origin: "file"}}, evidence.EndRemoved, ""},
		"refused":   {[]evidence.Fact{evidence.PodRejected{Reason: "NodeAffinity"}}, evidence.EndRejected, ""},
		"only that the kubelet did it, and the status says why": {
			[]evidence.Fact{evictedFor("TerminationByKubelet", ""), evictedFor("Evicted", low+"memory. ")},
			evidence.EndEvicted, "memory"},
	} {
		s := analyzertest.New().Status(10, 42.5, 137, "Error", 0)
		for _, f := range c.facts {
			s.PodEvent(40, f)
		}
		got := find(t, s).End
		if got.Answer != finding.Yes || got.How != c.how || got.Resource != c.resource || len(got.Evidence) == 0 {
			t.Errorf("%s: %+v", name, got)
		}
		if c.how != evidence.EndRemoved && got.Asked.Answer == finding.Yes &&
			len(c.facts) == 1 && c.how != evidence.EndDeleted {
			t.Errorf("%s: a deletion that nobody told of", name)
		}
	}
}

func TestAPodThatDidNotEnd(t *testing.T) {
	if e := find(t, analyzertest.New().Status(10, 42.5, 137, "Error", 43)).End; e.Answer != finding.No {
		t.Errorf("a pod that runs: %+v", e)
	}
	s := analyzertest.New().Status(10, 42.5, 137, "Error", 43)
	s.Pod.Phase = "" // of a piece of a description
	if e := find(t, s).End; e.Answer != finding.Unknown {
		t.Errorf("a pod whose phase was not read: %+v", e)
	}
	s = analyzertest.New().Status(10, 42.5, 137, "Error", 0)
	s.Pod.Phase = "Failed"
	if e := find(t, s).End; e.Answer != finding.Unknown {
		t.Errorf("a failed pod without a reason: %+v", e)
	}
	s = analyzertest.New().Status(10, 42.5, 137, "Error", 0).PodEvent(300, evidence.PodDeleted{})
	s.Pod.DeletedAt = analyzertest.At(330)
	if e := find(t, s).End; e.Answer == finding.Yes {
		t.Errorf("a deletion minutes after the container's end: %+v", e)
	}
}

// The kubelet says that it evicted a pod when its kill has returned, behind the containers' ends.
func TestAnEvictionIsToldBehindTheEnd(t *testing.T) {
	const why = "The node was low on resource: memory. "
	whole, liveness := evidence.KillDecided{Count: 1}, evidence.KillDecided{Reason: evidence.KillLiveness, Count: 1}
	for name, c := range map[string]struct {
		killed, told float64 // 0 for none
		kill         evidence.KillDecided
		want         bool
	}{
		"killed, and told a second later":         {killed: 42.3, told: 43.6, kill: whole, want: true},
		"killed, and told half a minute later":    {killed: 42.3, told: 73, kill: whole, want: true},
		"killed, and told minutes later":          {killed: 42.3, told: 242, kill: whole},
		"no kill in the log":                      {told: 43.6},
		"killed for its probe, and evicted later": {killed: 42.3, told: 43.6, kill: liveness},
	} {
		s := analyzertest.New().Logs().Status(10, 42.5, 137, "Error", 0)
		s.Runtime(42.5, analyzertest.OldID, evidence.TaskExited{})
		s.Pod.Phase = "Failed"
		s.Add(evidence.SourceAPI, 0, evidence.Subject{Namespace: analyzertest.Namespace, Pod: analyzertest.PodName,
			PodUID: analyzertest.PodUID}, evictedFor("Evicted", why))
		s.Observations[len(s.Observations)-1].Time = time.Time{} // a status does not say when
		if c.killed != 0 {
			s.Kubelet(c.killed, analyzertest.OldID, c.kill)
		}
		s.KubeletPod(c.told, evictedFor("Evicted", ""))
		if e := find(t, s).End; (e.How == evidence.EndEvicted && e.Message == why) != c.want {
			t.Errorf("%s: %+v", name, e)
		}
	}
}

func TestASuccessorBearsTheNameAndCameLater(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*evidence.Pod)
		want   bool
	}{
		"later, same name":    {func(*evidence.Pod) {}, true},
		"earlier":             {func(p *evidence.Pod) { p.CreatedAt = analyzertest.At(0) }, false},
		"another name":        {func(p *evidence.Pod) { p.Name = "web-1" }, false},
		"another namespace":   {func(p *evidence.Pod) { p.Namespace = "x" }, false},
		"the very same pod":   {func(p *evidence.Pod) { p.UID = analyzertest.PodUID }, false},
		"created that second": {func(p *evidence.Pod) { p.CreatedAt = analyzertest.At(42) }, true},
	} {
		s := analyzertest.New().Status(10, 42.5, 137, "Error", 0)
		next := s.Pod
		next.UID, next.CreatedAt = "another", analyzertest.At(45)
		c.change(&next)
		snap := s.Snapshot()
		snap.Pods = append(snap.Pods, next)
		if got := findIn(t, snap).End.Successor != nil; got != c.want {
			t.Errorf("%s: successor %v", name, got)
		}
	}
}

// A kubelet that is told of a shutdown stops its pods, and the machine may be off before the API server has their end.
func TestAPodThatWasStoppedRightBeforeABoot(t *testing.T) {
	pod := evidence.KillDecided{Reason: evidence.KillPod, Count: 1}
	for name, c := range map[string]struct {
		kill, boot, changed float64 // 0 for none
		fact                evidence.KillDecided
		want                bool
	}{
		"stopped, and booted":                  {kill: 30, boot: 55, changed: 56, fact: pod, want: true},
		"stopped, and no boot":                 {kill: 30, changed: 56, fact: pod},
		"booted, and then stopped":             {kill: 57, boot: 41, changed: 58, fact: pod},
		"its sandbox was gone before the boot": {kill: 30, boot: 55, changed: 31, fact: pod},
		"killed for its probe, and then a boot": {kill: 30, boot: 55, changed: 56,
			fact: evidence.KillDecided{Reason: evidence.KillLiveness, Count: 1}},
	} {
		s := analyzertest.New().Events().Status(10, 40, 137, "Error", 60).Event(c.kill, c.fact)
		if c.boot != 0 {
			s.Add(evidence.SourceAPI, c.boot, evidence.Subject{}, evidence.NodeRebooted{BootID: "b2"})
		}
		s.PodEvent(c.changed, evidence.SandboxChanged{Count: 1})
		f := find(t, s)
		if (f.End.How == evidence.EndShutdown) != c.want {
			t.Errorf("%s: %+v, kill %+v, boot %+v", name, f.End.Point, f.Kill.Point, f.NodeEvents.Boot)
		}
		for words, want := range map[string]bool{"no evidence states the shutdown": c.want,
			"only a controller's log": false} {
			if with(f, words) != want {
				t.Errorf("%s: %q is a doubt: %t, want %t: %v", name, words, !want, want, f.Doubts)
			}
		}
	}
}
