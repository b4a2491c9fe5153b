package pasted

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

const header = "I0301 12:00:00.123456      80 kuberuntime_container.go:779] "

func TestALineStatesWhatItStatesInALog(t *testing.T) {
	for name, c := range map[string]struct {
		line            string
		want            string
		reason, message string
	}{
		"nothing": {"", "", "", ""},
		"an event's message": {"Container a failed liveness probe", "kubelet.kill-decided",
			"", "Container a failed liveness probe"},
		"a row of describe": {"  Warning  Unhealthy  2m (x5 over 3m)  kubelet  Liveness probe failed: no",
			"kubelet.probe-failed", "Unhealthy", "Liveness probe failed: no"},
		"a row of get events": {"3m12s   Normal   Scheduled   pod/web-0   Successfully assigned shop/web-0 to n1",
			"", "Scheduled", "Successfully assigned shop/web-0 to n1"},
		"a report's event":  {"Killing: Stopping container a", "kubelet.kill-decided", "Killing", "Stopping container a"},
		"no event":          {"Foo: bar", "", "", "Foo: bar"},
		"a dmesg line":      {"[12.5] Linux version 6.1.0 (x)", "kernel.booted", "", "Linux version 6.1.0 (x)"},
		"an unnamed writer": {"Linux version 6.1.0 (x)", "kernel.booted", "", "Linux version 6.1.0 (x)"},
		"a line of klog": {
			header +
				`"Killing container with a grace period" pod="shop/a" podUID="u" containerName="a" containerID="containerd://` +
				strings.Repeat("ab", 32) + `" gracePeriod=30`,
			"kubelet.kill-started", "", "",
		},
	} {
		got := NewReader().Read(c.line)
		if c.message == "" {
			c.message = got.Message
		}
		stated := ""
		for _, f := range got.Facts {
			stated += f.Statement()
		}
		if diff := cmp.Diff([]string{c.want, c.reason, c.message}, []string{stated, got.Reason, got.Message}); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestAKillThatTakesTwoLines(t *testing.T) {
	r := NewReader()
	first := r.Read("Task in /kubepods/pod1/c killed as a result of limit of /kubepods/pod1/c")
	facts := append(first.Facts, r.Read("Memory cgroup out of memory: Killed process 7 (java) total-vm:1kB").Facts...)
	facts = append(facts, r.Close()...)
	if len(facts) != 1 {
		t.Fatalf("%d facts: %+v", len(facts), facts)
	}
	if _, ok := facts[0].(evidence.OOMKill); !ok {
		t.Errorf("%+v", facts[0])
	}
}

func FuzzRead(f *testing.F) {
	f.Add("Killing: Stopping container a\nWarning  BackOff  2m  kubelet  Back-off")
	f.Add(header + `"x" err=<` + "\n\ta\n >")
	f.Add("[1.5] Task in /a killed as a result of limit of /b")
	f.Add(`time="x" level=info msg="TaskOOM event &TaskOOM{ContainerID:x,}"`)
	f.Fuzz(func(t *testing.T, s string) {
		r := NewReader()
		for line := range strings.Lines(s) {
			if l := r.Read(line); len(l.Message) > MaxLine || strings.Contains(l.Reason, " ") {
				t.Errorf("%q became %+v", line, l)
			}
		}
		r.Close()
	})
}
