package statement

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

var t0 = time.Date(2026, 11, 21, 7, 0, 0, 0, time.UTC)

const (
	kubeletLine = `I1121 07:00:00.000000      80 kuberuntime_manager.go:1] "No ready sandbox for pod can be found. Need to start a new one" pod="s/p"`
	otherKlog   = `I1121 07:00:00.000000      81 proxier.go:1] "Syncing iptables rules"`
	runtimeLine = `time="2026-11-21T08:32:38.1Z" level=info msg="containerd successfully booted in 0.01s"`
	bootA       = "904dc9692186409b9fbb5fcf727be42d"
	bootB       = "e9c7ac5023c04cb9871ed59d73bc3c56"
)

func route(o Options, entries ...evidence.Entry) *evidence.Snapshot {
	b := evidence.NewBuilder(t0)
	r := NewRouter(b, o)
	for i, e := range entries {
		if e.Time.IsZero() {
			e.Time = t0.Add(time.Duration(i) * time.Second)
		}
		r.Add(e)
	}
	r.Close()
	return b.Build()
}

func said(s *evidence.Snapshot) []string {
	var out []string
	for _, o := range s.Observations {
		out = append(out, fmt.Sprintf("%s %s", o.Source.Kind, o.Fact.Statement()))
	}
	return out
}

func TestEachWriterHasItsParser(t *testing.T) {
	const segfault = "tail[123]: segfault at 0 ip 1 sp 2"
	for _, c := range []struct {
		name  string
		entry evidence.Entry
		want  []string
	}{
		{"the kubelet's unit", evidence.Entry{Unit: "kubelet.service", Message: kubeletLine},
			[]string{"kubelet-log kubelet.sandbox-judged"}},
		{"the kubelet inside k3s", evidence.Entry{Unit: "k3s-agent.service", Message: kubeletLine},
			[]string{"kubelet-log kubelet.sandbox-judged"}},
		{"the kubelet's name in syslog", evidence.Entry{Unit: "kubelet", Message: kubeletLine},
			[]string{"kubelet-log kubelet.sandbox-judged"}},
		{"a kubelet's line without a unit", evidence.Entry{Message: kubeletLine},
			[]string{"kubelet-log kubelet.sandbox-judged"}},
		{"the same line under a name that nobody knows", evidence.Entry{Unit: "start-kubelet.sh", Message: kubeletLine},
			[]string{"kubelet-log kubelet.sandbox-judged"}},
		{"the same line of another component", evidence.Entry{Unit: "kube-proxy.service", Message: kubeletLine}, nil},
		{"the same line of a container, by its id", evidence.Entry{Unit: "3f4e5d6c7b8a", Message: kubeletLine}, nil},
		{"the same line of a container, by its scope",
			evidence.Entry{Unit: "cri-containerd-3f4e5d6c7b8a.scope", Message: kubeletLine}, nil},
		{"k0s around it", evidence.Entry{Unit: "k0sworker.service", Message: `time="2026-11-21 07:00:00" level=info msg="` +
			strings.ReplaceAll(kubeletLine, `"`, `\"`) + `" component=kubelet stream=stderr`},
			[]string{"kubelet-log kubelet.sandbox-judged"}},
		{"k0s around a runtime's", evidence.Entry{Unit: "k0s", Message: `time="2026-11-21 07:00:00" level=info msg="` +
			strings.ReplaceAll(runtimeLine, `"`, `\"`) + `" component=containerd stream=stderr`},
			[]string{"runtime-log runtime.started"}},
		{"k0s around another part's", evidence.Entry{Unit: "k0s", Message: `time="2026-11-21 07:00:00" level=info msg="` +
			strings.ReplaceAll(kubeletLine, `"`, `\"`) + `" component=kube-scheduler stream=stderr`}, nil},
		{"MicroShift in front of it", evidence.Entry{Unit: "microshift", Message: "kubelet " + kubeletLine},
			[]string{"kubelet-log kubelet.sandbox-judged"}},
		{"the runtime's unit", evidence.Entry{Unit: "containerd.service", Message: runtimeLine},
			[]string{"runtime-log runtime.started"}},
		{"a runtime's line without a unit", evidence.Entry{Message: runtimeLine},
			[]string{"runtime-log runtime.started"}},
		{"a runtime's line of the kubelet", evidence.Entry{Unit: "kubelet.service", Message: runtimeLine}, nil},
		{"the kernel", evidence.Entry{Kernel: true, Message: segfault}, []string{"kernel-log kernel.segfault"}},
		{"who only says what the kernel says", evidence.Entry{Unit: "evil.service", Message: segfault}, nil},
		{"systemd about the kubelet", evidence.Entry{Unit: "init.scope", About: "kubelet.service",
			Message: "Stopping kubelet.service..."}, []string{"systemd systemd.unit-changed"}},
		{"systemd about something else", evidence.Entry{Unit: "init.scope", About: "cron.service",
			Message: "Stopping cron.service..."}, nil},
		{"systemd in syslog", evidence.Entry{Unit: "systemd", Message: "Stopped kubelet: The Kubernetes Node Agent."},
			[]string{"systemd systemd.unit-changed"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := route(Options{Node: "n1", Where: "f"}, c.entry)
			if diff := cmp.Diff(c.want, said(s)); diff != "" {
				t.Error(diff)
			}
			for _, o := range s.Observations {
				if o.Subject.Node != "n1" || o.Source.Node != "n1" || o.Source.Where != "f" || !o.Time.Equal(t0) {
					t.Errorf("%+v", o)
				}
			}
		})
	}
}

func TestSystemdsLinesOfManyVersions(t *testing.T) {
	for _, c := range []struct{ about, msg, want string }{
		{"kubelet.service", "Started kubelet.service - kubelet: The Kubernetes Node Agent.", "kubelet.service started"},
		{"", "Started kubelet.service - kubelet: The Kubernetes Node Agent.", "kubelet.service started"},
		{"", "Started kubelet: The Kubernetes Node Agent.", "kubelet.service started"},
		{"", "Stopping kubelet: The Kubernetes Node Agent...", "kubelet.service stopping"},
		{"", "Starting containerd container runtime...", "containerd.service starting"},
		{"", "Stopping Container Runtime Interface for OCI (CRI-O)...", "crio.service stopping"},
		{"", "Started Container Runtime Interface for OCI (CRI-O).", "crio.service started"},
		{"", "Started Lightweight Kubernetes.", "k3s.service started"},
		{"", "Stopped Rancher Kubernetes Engine v2 (agent).", "rke2-agent.service stopped"},
		{"kubelet.service", "kubelet.service: Main process exited, code=exited, status=255/EXCEPTION",
			"kubelet.service exited"},
		{"", "kubelet.service: main process exited, code=exited, status=255/n/a", "kubelet.service exited"},
		{"kubelet.service", "kubelet.service: Failed with result 'exit-code'.", "kubelet.service failed"},
		{"", "Unit kubelet.service entered failed state.", "kubelet.service failed"},
		{"kubelet.service", "kubelet.service: Scheduled restart job, restart counter is at 23.",
			"kubelet.service restart-scheduled"},
		{"", "kubelet.service: Service RestartSec=10s expired, scheduling restart.", "kubelet.service restart-scheduled"},
		{"", "kubelet.service: Service hold-off time over, scheduling restart.", "kubelet.service restart-scheduled"},
		{"", "kubelet.service holdoff time over, scheduling restart.", "kubelet.service restart-scheduled"},
		{"kubelet.service", "kubelet.service holdoff time over, scheduling restart.", "kubelet.service restart-scheduled"},
		{"", "kubelet.service failed.", "kubelet.service failed"},
		{"", "kubelet.service: Unit entered failed state.", "kubelet.service failed"},
		{"", "containerd.service: Main process exited, code=killed, status=9/KILL", "containerd.service exited"},
		{"", "nginx.service holdoff time over, scheduling restart.", ""},
		{"", "Unit nginx.service entered failed state.", ""},
		{"", "kubelet.service watchdog timeout (limit 30s)!", "kubelet.service watchdog"},
		{"kubelet.service", "kubelet.service: Watchdog timeout (limit 30s)!", "kubelet.service watchdog"},
		{"containerd.service", "containerd.service: A process of this unit has been killed by the OOM killer.",
			"containerd.service oom-killed"},
		{"kubelet.service", "kubelet.service: Start request repeated too quickly.", "kubelet.service start-limit"},
		{"docker.service", "docker.service: State 'stop-sigterm' timed out. Killing.", "docker.service stop-timeout"},
		{"containerd.service", "containerd.service: Killing process 4711 (containerd-shim) with signal SIGKILL.",
			"containerd.service process-killed"},
		{"containerd.service", "containerd.service: Killing process 4711 without a name", ""},
		{"", "Reloading containerd.service - containerd container runtime...", "containerd.service reloading"},
		{"apt-daily-upgrade.service", "Starting apt-daily-upgrade.service - Daily apt upgrade and clean activities...",
			"apt-daily-upgrade.service starting"},
		{"", "Starting Daily apt upgrade and clean activities...", "apt-daily-upgrade.service starting"},
		{"snapd.service", "snapd.service: Scheduled restart job, restart counter is at 1.",
			"snapd.service restart-scheduled"},
		{"kubelet.service", "Started nothing in particular.", "kubelet.service started"},
		{"kubelet.service", "kubelet.service: Deactivated successfully.", ""},
		{"kubelet.service", "kubelet.service: Consumed 3.1s CPU time.", ""},
		{"", "Started Regular background program processing daemon.", ""},
		{"", "Reloading.", ""},
		{"kubelet.service", "", ""},
	} {
		got := ""
		if u, ok := unitChange(c.about, c.msg); ok {
			got = u.Unit + " " + u.Change
		}
		if got != c.want {
			t.Errorf("%q about %q: %q, want %q", c.msg, c.about, got, c.want)
		}
	}
}

func TestANewBootIDIsAReboot(t *testing.T) {
	k := func(boot string) evidence.Entry {
		return evidence.Entry{Unit: "kubelet.service", BootID: boot, Message: otherKlog}
	}
	boots := func(s *evidence.Snapshot) (out []string) {
		for _, o := range s.Observations {
			if b, ok := o.Fact.(evidence.KernelBooted); ok {
				out = append(out, b.BootID)
			}
		}
		return out
	}
	if got := boots(route(Options{}, k(bootA), k(bootA))); got != nil {
		t.Errorf("the boot that the log starts in: %v", got)
	}
	if diff := cmp.Diff([]string{"e9c7ac50-23c0-4cb9-871e-d59d73bc3c56"},
		boots(route(Options{}, k(bootA), k(bootB), k(bootB)))); diff != "" {
		t.Error(diff)
	}
	line := evidence.Entry{Kernel: true, BootID: bootB, Message: "Linux version 6.1"}
	if got := boots(route(Options{}, evidence.Entry{Kernel: true, BootID: bootA, Message: "x"}, line)); len(got) != 1 {
		t.Errorf("the kernel's own line and the new id are one boot: %v", got)
	}
	s := route(Options{}, evidence.Entry{Unit: "kubelet.service", BootID: bootA,
		Message: `I1121 07:00:00.000000      80 server.go:1] "Kubelet version" kubeletVersion="v1.30.14"`},
		evidence.Entry{Unit: "kubelet.service", BootID: bootB,
			Message: `I1121 07:00:01.000000      80 server.go:1] "Kubelet version" kubeletVersion="v1.30.14"`})
	if n := len(s.Observations); n != 3 {
		t.Errorf("%v: the same pid after a reboot is another kubelet", said(s))
	}
}

func TestReachIsClaimedOnlyForWhatWasRead(t *testing.T) {
	until := t0.Add(time.Hour)
	k, p := evidence.Entry{Unit: "kubelet.service", Message: kubeletLine}, evidence.Entry{Message: otherKlog}
	// A whole log has lines of several source files.
	const head = `I1121 07:00:00.000000      80 `
	whole := []evidence.Entry{k, {Unit: "kubelet.service", Message: head +
		`scope.go:117] "RemoveContainer" containerID="c"`},
		{Unit: "kubelet.service", Message: head +
			`pod_workers.go:1] "Error syncing pod, skipping" err="x" pod="s/p" podUID="u"`}}
	for _, c := range []struct {
		name    string
		until   time.Time
		entries []evidence.Entry
		want    []evidence.Coverage
	}{
		{"up to when it was read", until, whole,
			[]evidence.Coverage{{Source: evidence.SourceKubeletLog, Node: "n1", From: t0, Until: until, Verbosity: 2}}},
		{"up to its last entry otherwise", time.Time{}, whole,
			[]evidence.Coverage{{Source: evidence.SourceKubeletLog, Node: "n1",
				From: t0, Until: t0.Add(2 * time.Second), Verbosity: 2}}},
		{"without what level it has, where a search left lines of one source file", until, []evidence.Entry{k, k},
			[]evidence.Coverage{{Source: evidence.SourceKubeletLog, Node: "n1", From: t0, Until: until}}},
		{"not of a kubelet, where another component wrote", until, []evidence.Entry{p, p}, nil},
		{"of a kubelet, where its own files show", until, []evidence.Entry{{Message: kubeletLine}},
			[]evidence.Coverage{{Source: evidence.SourceKubeletLog, Node: "n1", From: t0, Until: until}}},
		{"of nobody, where strangers wrote", until, []evidence.Entry{{Unit: "cron.service", Message: "x"}}, nil},
		{"of a kubelet that has written nothing of level 2", until,
			[]evidence.Entry{{Unit: "kubelet.service", Message: otherKlog}},
			[]evidence.Coverage{{Source: evidence.SourceKubeletLog, Node: "n1", From: t0, Until: until}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, route(Options{Node: "n1", Until: c.until}, c.entries...).Coverage,
				cmpopts.IgnoreFields(evidence.Coverage{}, "Origin")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestTheHostNameStandsInForTheNode(t *testing.T) {
	s := route(Options{}, evidence.Entry{Host: "n7", Unit: "kubelet", Message: kubeletLine})
	if s.Observations[0].Subject.Node != "n7" || s.Coverage[0].Node != "n7" {
		t.Errorf("%+v %+v", s.Observations, s.Coverage)
	}
}

func FuzzRouter(f *testing.F) {
	for _, m := range []string{kubeletLine, otherKlog, runtimeLine, "Stopping kubelet.service...",
		"tail[1]: segfault at 0"} {
		f.Add("kubelet.service", "", m, bootA, false)
		f.Add("", "", m, bootB, true)
		f.Add("systemd", "kubelet.service", m, "", false)
	}
	f.Fuzz(func(t *testing.T, unit, about, msg, boot string, kernel bool) {
		e := evidence.Entry{Unit: unit, About: about, Message: msg, BootID: boot, Kernel: kernel}
		s := route(Options{Node: "n1"}, e, evidence.Entry{Unit: "kubelet.service", BootID: bootA, Message: kubeletLine}, e)
		for _, o := range s.Observations {
			if o.Source.Kind == "" || o.Subject.Node != "n1" {
				t.Fatalf("%+v", o)
			}
		}
		for _, c := range s.Coverage {
			if c.Until.Before(c.From) {
				t.Fatalf("%+v", c)
			}
		}
	})
}

// Where a kubelet writes under its own name, what looks like its lines under another name is
// someone's words.
func TestAKubeletByItsNameSilencesOthers(t *testing.T) {
	s := route(Options{Node: "n1", Where: "f"}, evidence.Entry{Unit: "kubelet", Message: otherKlog},
		evidence.Entry{Unit: "start-kubelet.sh", Message: kubeletLine})
	if got := said(s); got != nil {
		t.Errorf("%q", got)
	}
}

// A journal that begins within a boot tells when that was by the clock that counts from there.
func TestABootIsDatedByItsClock(t *testing.T) {
	const since = 40 * time.Minute
	for name, c := range map[string]struct {
		mono time.Duration
		boot string
		want string
	}{
		"a journal":               {since, bootA, t0.Add(-since).Format(time.TimeOnly)},
		"a log without a clock":   {0, bootA, ""},
		"a clock of no boot's id": {since, "", ""},
	} {
		got := ""
		for _, o := range route(Options{Node: "n1"}, evidence.Entry{Mono: c.mono, BootID: c.boot, Message: otherKlog},
			evidence.Entry{Mono: c.mono + time.Second, BootID: c.boot, Message: otherKlog}).Observations {
			if boot, ok := o.Fact.(evidence.KernelBooted); ok && boot.Reckoned {
				got += o.Time.Format(time.TimeOnly)
			}
		}
		if got != c.want {
			t.Errorf("%s: boots at %q, want %q", name, got, c.want)
		}
	}
}

func TestAControllersLineIsAnEventWithoutANode(t *testing.T) {
	var b evidence.Builder
	r := NewRouter(&b, Options{Node: "cp-1", Where: "kube-controller-manager.log"})
	r.Add(evidence.Entry{Time: time.Date(2024, 3, 5, 10, 0, 9, 0, time.UTC),
		Message: `I0305 10:00:09.000000       1 taint_manager.go:106] "NoExecuteTaintManager is deleting pod" pod="prod/web-0"`})
	r.Close()
	all := b.Build().Observations
	if len(all) != 1 || all[0].Subject.Node != "" || all[0].Source.Kind != evidence.SourceAPI ||
		all[0].Fact != (evidence.PodEvicted{Reason: "TaintManagerEviction"}) {
		t.Errorf("the line becomes %+v", all)
	}
}
