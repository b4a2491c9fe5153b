package app

import (
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

var end = time.Date(2026, 11, 21, 7, 0, 0, 0, time.UTC)

const (
	none = causes.Strength(0)
	out  = causes.Strength(-1)
)

// base is a container with a limit that ended with a code after a minute; logs
// of kubelet, runtime and kernel cover the time and are silent.
func base(code int32) *finding.Findings {
	spec := evidence.Container{Name: "a", Kind: evidence.KindApp, Image: "busybox:1", MemoryLimit: 20 << 20}
	pod := &evidence.Pod{Namespace: "shop", Name: "web-0", UID: "u1", Node: "n1", RestartPolicy: "Always", Containers: []evidence.Container{spec}}
	silent := finding.Fact{Answer: finding.No}
	f := &finding.Findings{
		R: &timeline.Restart{Node: "n1", Namespace: "shop", PodName: "web-0", PodUID: "u1", Container: "a", ContainerKind: evidence.KindApp, Pod: pod, Spec: &pod.Containers[0],
			From: &timeline.Instance{Started: end.Add(-time.Minute), Finished: end, ExitCode: &code}},
		T:    &timeline.Timeline{Snapshot: &evidence.Snapshot{}},
		Exit: finding.Exit{Known: true, Code: code, Evidence: []string{"e1"}},
		Stop: silent, Hook: silent, KubeletLog: true, RuntimeLog: true, KernelLog: true, Events: true,
	}
	f.Kill = finding.Kill{Fact: silent, Grace: -1}
	f.OOM.Fact, f.OOM.Notice, f.Sandbox.Changed = silent, silent, silent
	f.Around = finding.Disturbance{Boot: silent, Runtime: silent, Kubelet: silent}
	return f
}

func yes(seconds int) finding.Fact {
	return finding.Fact{Answer: finding.Yes, At: end.Add(time.Duration(seconds) * time.Second), Evidence: []string{"e2"}}
}

func killed(f *finding.Findings, reason evidence.KillReason) {
	f.Kill = finding.Kill{Fact: yes(-3), Reason: reason, Grace: 2, DecidedAt: end.Add(-3 * time.Second)}
}

// says is what a rule says of findings: its strength, none when it is silent and
// nothing contradicts it, out when a fact does.
func says(t *testing.T, id causes.ID, f *finding.Findings) causes.Strength {
	t.Helper()
	for _, r := range Rules() {
		if r.ID != id {
			continue
		}
		c, a := r.Claim(f), r.Against(f)
		switch {
		case a != nil && a.Because == "":
			t.Errorf("%s is contradicted without a reason", id)
		case a != nil:
			return out
		case c == nil:
			return none
		case c.Summary == "" || len(c.Chain) == 0:
			t.Errorf("%s claims without a summary or a chain", id)
		}
		return c.Strength
	}
	t.Fatalf("no rule %s in this family", id)
	return none
}

type row struct {
	id     causes.ID
	code   int32
	change func(*finding.Findings)
	want   causes.Strength
}

func run(t *testing.T, rows map[string]row) {
	t.Helper()
	for name, c := range rows {
		t.Run(name, func(t *testing.T) {
			f := base(c.code)
			if c.change != nil {
				c.change(f)
			}
			if got := says(t, c.id, f); got != c.want {
				t.Errorf("%s: strength %d, want %d (-1: contradicted, 0: silent)", c.id, got, c.want)
			}
		})
	}
}

func TestEndsOfTheProcessItself(t *testing.T) {
	blind := func(f *finding.Findings) {
		f.Kill.Fact, f.Stop, f.KubeletLog, f.RuntimeLog = finding.Fact{}, finding.Fact{}, false, false
	}
	initial := func(f *finding.Findings) { f.R.ContainerKind = evidence.KindInit }
	run(t, map[string]row{
		"an error code and silent logs":                     {causes.AppExitError, 3, nil, causes.Decisive},
		"an error code without logs":                        {causes.AppExitError, 3, blind, causes.Strong},
		"an error code without logs, with a liveness probe": {causes.AppExitError, 3, func(f *finding.Findings) { blind(f); f.R.Spec.Liveness = &evidence.Probe{} }, causes.Weak},
		"an error code after a stop request":                {causes.AppExitError, 3, func(f *finding.Findings) { f.Stop = yes(-1) }, out},
		"an error code after a kill":                        {causes.AppExitError, 3, func(f *finding.Findings) { killed(f, evidence.KillPod) }, out},
		"an error code after the kernel struck":             {causes.AppExitError, 3, func(f *finding.Findings) { f.OOM.Fact = yes(-1) }, out},
		"a process that never ran":                          {causes.AppExitError, 127, func(f *finding.Findings) { f.Exit.NotStarted, f.Exit.Reason = true, "ContainerCannotRun" }, out},
		"a code above 127 is no error code":                 {causes.AppExitError, 143, nil, out},
		"one clean end":                                     {causes.AppExitZero, 0, nil, causes.Strong},
		"clean ends again and again":                        {causes.AppExitZero, 0, func(f *finding.Findings) { f.Repeats = 1 }, causes.Decisive},
		"clean ends again and again without logs":           {causes.AppExitZero, 0, func(f *finding.Findings) { f.Repeats = 4; blind(f) }, causes.Strong},
		"a clean end after a stop request":                  {causes.AppExitZero, 0, func(f *finding.Findings) { f.Stop = yes(-1) }, out},
		"a segmentation fault":                              {causes.AppSignal, 139, nil, causes.Decisive},
		"a fault in a shared process namespace":             {causes.AppSignal, 139, func(f *finding.Findings) { f.R.Pod.ShareProcessNamespace = true }, causes.Strong},
		"SIGTERM tells nothing about its sender":            {causes.AppSignal, 143, nil, causes.Weak},
		"SIGKILL tells nothing about its sender":            {causes.AppSignal, 137, nil, causes.Weak},
		"an invented 137 is no signal":                      {causes.AppSignal, 137, func(f *finding.Findings) { f.Exit.Invented = true }, out},
		"a lost 255 is no signal":                           {causes.AppSignal, 255, func(f *finding.Findings) { f.Exit.Lost = true }, out},
		"255 of a process that returns it is no signal":     {causes.AppSignal, 255, nil, out},
		"an init container":                                 {causes.InitContainerFailed, 1, initial, causes.Decisive},
		"an init container that succeeded":                  {causes.InitContainerFailed, 0, initial, out},
		"an init container with a SIGKILL":                  {causes.InitContainerFailed, 137, initial, causes.Strong},
		"no init container":                                 {causes.InitContainerFailed, 1, nil, out},
		"an init container is no error of the application":  {causes.AppExitError, 1, initial, out},
	})
}
