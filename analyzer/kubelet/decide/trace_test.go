package decide

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// oneWay are the branches that upstream's code takes in one direction only: the other case was checked before.
var oneWay = map[string]bool{
	fnNext + " init-no-record": true, fnInit + " init-created": true, fnInit + " init-unknown": true,
	// never called for a running container
	fnChanges + " modelled-cri": true, fnAdd + " readmitted": true, fnRestart + " restart-running": true,
}

func TestEveryBranchIsReachedBothWays(t *testing.T) {
	type way struct {
		branch string
		taken  bool
	}
	reached := map[way]int{}
	random := rand.New(rand.NewPCG(3, 4))
	for range 20000 {
		d := dice(randomBytes(random))
		for _, s := range check(t, &d) {
			name := s.Function
			switch name { // older names of the same functions
			case "podSandboxChanged":
				name = fnSandbox
			case "syncPod":
				name = fnSync
			}
			reached[way{name + " " + s.Branch, s.Taken}]++
		}
	}
	for _, b := range allBranches() {
		name := b.function + " " + b.id
		yes, no := reached[way{name, true}], reached[way{name, false}]
		if yes+no == 0 || !oneWay[name] && (yes == 0 || no == 0) {
			t.Errorf("%s: %d times yes, %d times no", name, yes, no)
		}
	}
}

func allBranches() []*branch {
	return []*branch{
		&bReadmitted, &bSpared, &bRejected, &bDeleted, &bDeadline, &bTerminal,
		&bNotAllowed, &bNetwork, &bCgroup, &bCgroupOnce,
		&bNoSandbox, &bManyReady, &bNotReady, &bNetworkMode, &bNoIP,
		&bResetAll, &bNewSandbox, &bNeverEnds, &bSucceeded, &bIdleSandbox, &bInitFirst,
		&bEphemeral, &bInitDone, &bNothingLeft,
		&bNextRunning, &bNextFailed, &bNextMayNot, &bNextUnknown, &bNextWaits, &bNextDone, &bNextNoRecord,
		&bInitRegular, &bInitMissing, &bInitPast, &bInitCreated, &bInitRuns,
		&bSideStartup, &bSideFailed, &bSideHash, &bSideLive, &bSideExited,
		&bInitFailed, &bInitRetry, &bInitUnknown, &bInitNoRecord,
		&bNotRunning, &bUnknown, &bHash, &bLiveness, &bStartup, &bRestartKill, &bResize, &bResizeMiss, &bRecords, &bStartSize,
		&bOldModel, &bOldSandbox, &bOldInitFailed, &bOldUnwanted, &bOldInitEnds, &bOldInitStart,
		&bRestartDeleted, &bRestartFirst, &bRestartRunning, &bRestartUnclear,
		&bRestartRule, &bRestartOwn, &bRestartNever, &bRestartSuccess,
		&bBackOff, &bCount,
	}
}

// Programs identify a branch by function and id, and it has a question.
func TestBranchesAreNamedOnceAndInWords(t *testing.T) {
	seen := map[string]bool{}
	for _, b := range allBranches() {
		name := b.function + " " + b.id
		if seen[name] {
			t.Errorf("%s stands twice", name)
		}
		seen[name] = true
		if !strings.HasSuffix(b.question, "?") || b.id != strings.ToLower(b.id) {
			t.Errorf("%s asks %q", name, b.question)
		}
	}
}

func TestTheTraceTellsALivenessKill(t *testing.T) {
	s := base(liveness("a0", ProbeFailure), func(s *situation) { s.pod.Spec.Containers = s.pod.Spec.Containers[:1] })
	o := unchanged
	o.Trace = true
	_, trace := ComputePodActions(profileOf(t, "v1.24.3"), s.pod, s.status, o)
	want := []string{
		"podSandboxChanged v1.24 sandbox-missing no: the runtime knows 1 sandbox",
		"podSandboxChanged v1.24 sandbox-multiple-ready no: ready are 1 of 1",
		"podSandboxChanged v1.24 sandbox-not-ready no: attempt 0 is ready",
		"podSandboxChanged v1.24 sandbox-network-changed no: the sandbox has mode POD, the spec wants hostNetwork: false",
		"podSandboxChanged v1.24 sandbox-no-ip no: its address is 10.0.0.1",
		"computePodActions v1.24 sandbox-changed no: podSandboxChanged said no",
		"computePodActions v1.24 not-running no: it is running",
		"computePodActions v1.24 hash-differs no: stored 7, this kubelet computes 7",
		"computePodActions v1.24 liveness-failed yes: the probe's present result is failure",
		"computePodActions v1.24 restart-after-kill yes: the pod's restartPolicy is Always",
		"computePodActions v1.24 nothing-left no: 0 kept, 1 to start",
	}
	var got []string
	for _, s := range trace {
		got = append(got, fmt.Sprintf("%s %s %s %s: %s", s.Function, s.Minor, s.Branch, yesNo(s.Taken), s.Fact))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if q := trace[8]; q.Question != "Has a failed its liveness probe?" || q.Then != "It is killed." || q.Container != "a" {
		t.Errorf("the step reads %+v", q)
	}
}

func TestNothingGivenIsNoPanic(t *testing.T) {
	a, _ := Decide(profileOf(t, "v1.36"), nil, nil, noon, Options{})
	if !a.CreateSandbox || a.SandboxID != "" {
		t.Errorf("an empty pod without a sandbox: %+v", a)
	}
	if changed, _, _, _ := PodSandboxChanged(profileOf(t, "v1.36"), nil, nil); !changed {
		t.Error("no pod at all has a sandbox")
	}
	if !ShouldContainerBeRestarted(profileOf(t, "v1.36"), nil, nil, nil) {
		t.Error("a container without a record is not started")
	}
}

func BenchmarkComputePodActions(b *testing.B) {
	p := profileOf(b, "v1.36")
	for name, m := range map[string][]mutation{
		"healthy":  {recorded("a"), recorded("b")},
		"liveness": {recorded("b"), liveness("a0", ProbeFailure)},
		"sandbox":  {initContainer("i"), sandboxNotReady},
	} {
		s := base(m...)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				ComputePodActions(p, s.pod, s.status, unchanged)
			}
		})
	}
}
