package definition

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

func TestDefinition(t *testing.T) {
	// told is "definition changed" by a kubelet of a version, after another.
	told := func(before, at string) func(*finding.Findings) {
		return func(f *finding.Findings) {
			killed(f, evidence.KillDefinition)
			f.Versions = finding.Versions{Before: before, At: at, Certain: true, UpgradedAt: end.Add(-time.Minute)}
			f.R.Spec.Hashes = []evidence.SpecHash{
				{FromMinor: 16, ToMinor: 30, Algorithm: "fnv32a-json", Hex: "aaaa", Image: f.R.Spec.Image},
				{FromMinor: 31, ToMinor: 36, Algorithm: "fnv32a-name-image", Hex: "bbbb", Image: f.R.Spec.Image},
				{FromMinor: 31, ToMinor: 36, Algorithm: "fnv32a-name-image", Hex: "cccc", Image: "busybox:0"},
			}
		}
	}
	made := func(by ...finding.Identity) func(*finding.Findings) {
		return func(f *finding.Findings) { f.Hashes.Old, f.Hashes.OldMade = by[0].Hex, by }
	}
	old := finding.Identity{FromMinor: 16, ToMinor: 30, Algorithm: "fnv32a-json", Hex: "aaaa", Image: "busybox:1", SpecImage: true}
	other := finding.Identity{FromMinor: 31, ToMinor: 36, Algorithm: "fnv32a-name-image", Hex: "cccc", Image: "busybox:0"}
	differ := func(a finding.Answer) func(*finding.Findings) {
		return func(f *finding.Findings) { f.Images = finding.Images{Old: "busybox:0", New: "busybox:1", Differ: a} }
	}
	one := func(f *finding.Findings) { f.Versions.SameProcess = true }
	with := func(changes ...func(*finding.Findings)) func(*finding.Findings) {
		return func(f *finding.Findings) {
			for _, c := range changes {
				c(f)
			}
		}
	}
	up, edit := causes.HashKubeletUpgrade, causes.SpecImageChanged
	run(t, map[string]row{
		"the stored hash is the old kubelet's of this spec":        {up, 137, with(told("v1.30.14", "v1.31.0"), made(old)), causes.Decisive},
		"and so nobody edited it":                                  {edit, 137, with(told("v1.30.14", "v1.31.0"), made(old)), out},
		"a kubelet that expects the stored hash did not mind":      {up, 137, with(told("", "v1.30.14"), made(old), one), out},
		"another era, and no stored hash":                          {up, 137, told("v1.30.14", "v1.31.0"), causes.Strong},
		"an era that nobody computes":                              {up, 137, told("v1.13.6", "v1.14.7"), causes.Strong},
		"an upgrade within one era":                                {up, 137, with(told("v1.31.0", "v1.32.0"), func(f *finding.Findings) { f.Images.Write = end }), none},
		"one process made it and found it changed":                 {up, 137, with(told("v1.30.14", "v1.31.0"), one), out},
		"the stored hash is another image's":                       {up, 137, with(told("v1.30.14", "v1.31.0"), made(other)), out},
		"and so somebody edited it":                                {edit, 137, with(told("", "v1.31.0"), made(other)), causes.Decisive},
		"the images differ":                                        {edit, 137, with(told("", "v1.25.4"), differ(finding.Yes)), causes.Decisive},
		"the images are the same":                                  {edit, 137, with(told("v1.13.6", "v1.14.7"), differ(finding.No)), out},
		"one process of an era in which only name and image count": {edit, 137, with(told("", "v1.31.0"), one), causes.Decisive},
		"one process of an era in which every field counts":        {edit, 137, with(told("", "v1.25.4"), one), causes.Weak},
		"a write to the image right before":                        {edit, 137, with(told("", "v1.25.4"), func(f *finding.Findings) { f.Images.Write = end.Add(-10 * time.Second) }), causes.Strong},
		"a kill for another reason is no edit":                     {edit, 137, func(f *finding.Findings) { killed(f, evidence.KillLiveness) }, out},
		"no kill is no upgrade":                                    {up, 1, nil, out},
	})
}
