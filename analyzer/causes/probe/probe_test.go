package probe

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

func TestProbes(t *testing.T) {
	failures := func(times ...int) func(*finding.Findings) {
		return func(f *finding.Findings) {
			f.R.Spec.Liveness = &evidence.Probe{Handler: "httpGet", Period: 20, FailureThreshold: 3}
			for _, s := range times {
				at := end.Add(time.Duration(s) * time.Second)
				f.Probes.Liveness = append(f.Probes.Liveness, timeline.Mark{At: at, Obs: &evidence.Observation{ID: "e3", Time: at, Fact: evidence.ProbeFailed{Probe: evidence.ProbeLiveness, Count: 1}}})
			}
		}
	}
	blind := func(f *finding.Findings) { f.Kill.Fact, f.KubeletLog = finding.Fact{}, false }
	with := func(changes ...func(*finding.Findings)) func(*finding.Findings) {
		return func(f *finding.Findings) {
			for _, c := range changes {
				c(f)
			}
		}
	}
	by := func(reason evidence.KillReason) func(*finding.Findings) {
		return func(f *finding.Findings) { killed(f, reason) }
	}
	run(t, map[string]row{
		"the kubelet's own words":                            {causes.LivenessProbeFailed, 137, with(failures(), by(evidence.KillLiveness)), causes.Decisive},
		"the words of the other probe":                       {causes.StartupProbeFailed, 137, with(failures(), by(evidence.KillLiveness)), out},
		"words about the definition":                         {causes.LivenessProbeFailed, 137, with(failures(-41, -21, -1), by(evidence.KillDefinition)), out},
		"the whole pod was taken down":                       {causes.LivenessProbeFailed, 137, with(failures(-41, -21, -1), by(evidence.KillPod)), out},
		"no probe in the spec":                               {causes.LivenessProbeFailed, 137, by(evidence.KillLiveness), out},
		"as many failures as allowed, then an end by signal": {causes.LivenessProbeFailed, 143, with(failures(-41, -21, -1), blind), causes.Strong},
		"fewer failures than allowed":                        {causes.LivenessProbeFailed, 143, with(failures(-21, -1), blind), causes.Weak},
		"failures of long ago":                               {causes.LivenessProbeFailed, 143, with(failures(-541, -521, -501), blind), causes.Weak},
		"failures and an error code of its own":              {causes.LivenessProbeFailed, 3, with(failures(-41, -21, -1), blind), none},
		"failures, and the kubelet's log has no kill":        {causes.LivenessProbeFailed, 143, failures(-41, -21, -1), out},
		"a kill whose line names no reason":                  {causes.LivenessProbeFailed, 137, with(failures(-41, -21, -1), by("")), out},
	})
}
