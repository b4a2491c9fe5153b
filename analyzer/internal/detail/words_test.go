package detail

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

var t0 = time.Date(2026, 11, 21, 7, 0, 0, 0, time.UTC)

func at(seconds float64) time.Time { return t0.Add(time.Duration(seconds * float64(time.Second))) }

func says(s string) safetext.Text { return safetext.Clean(s) }

func code(n int32) *int32 { return &n }

// known returns what the tests' ids refer to.
func known() *names {
	return &names{
		byID: map[string]who{"old": {container: "a", attempt: 3}, "box": {sandbox: true, attempt: 1},
			"logs": {container: "a", attempt: -1}},
		boxes: map[string]*timeline.Sandbox{
			"box": {ID: "box", Attempt: 1},
		},
	}
}

// toldFacts are the facts that are occurrences, each with its lane and text. The subject is container a by id, unless
// another is given.
var toldFacts = []struct {
	fact evidence.Fact
	of   evidence.Subject
	lane report.LaneKind
	text string
}{
	{fact: evidence.KillDecided{Message: says("Container a failed liveness probe")},
		lane: "kubelet", text: "decides to kill a (attempt 3): Container a failed liveness probe"},
	{fact: evidence.KillDecided{}, lane: "kubelet", text: "decides to kill a (attempt 3)"},
	{fact: evidence.KillStarted{GraceSeconds: 30}, lane: "kubelet",
		text: "kills a (attempt 3) with a grace period of 30 s"},
	{fact: evidence.KillStarted{GraceSeconds: -1}, lane: "kubelet", text: "kills a (attempt 3)"},
	{fact: evidence.KillFinished{}, lane: "kubelet", text: "has killed a (attempt 3)"},
	{fact: evidence.KillFailed{Message: says("deadline")}, lane: "kubelet", text: "cannot kill a (attempt 3): deadline"},
	{fact: evidence.ContainerStarted{}, lane: "kubelet", text: "sees that a (attempt 3) started"},
	{fact: evidence.ContainerStarted{}, of: evidence.Subject{ContainerID: "box"},
		lane: "kubelet", text: "sees that the sandbox (attempt 1) started"},
	{fact: evidence.ContainerStarted{}, of: evidence.Subject{ContainerID: "0123456789abcdef"},
		lane: "kubelet", text: "sees that container 0123456789ab started"},
	{fact: evidence.ContainerDied{}, lane: "kubelet", text: "sees that a (attempt 3) ended"},
	{fact: evidence.ContainerFinished{ExitCode: 137}, lane: "kubelet",
		text: "sees that a (attempt 3) ended with exit code 137"},
	{fact: evidence.HookFailed{Hook: "PostStart", Output: says("boom")}, lane: "kubelet",
		text: "the PostStart hook of a (attempt 3) failed: boom"},
	{fact: evidence.HookFailed{}, lane: "kubelet", text: "the lifecycle hook of a (attempt 3) failed"},
	{fact: evidence.ContainerRemoved{}, lane: "kubelet", text: "removes the record of a (attempt 3)"},
	{fact: evidence.LogFileRead{Attempt: 3}, of: evidence.Subject{Container: "a"},
		lane: "kubelet", text: "has read the whole log of attempt 3 of a"},
	{fact: evidence.BackedOff{Delay: 40 * time.Second}, lane: "kubelet",
		text: "waits 40s before it starts a (attempt 3) again"},
	{fact: evidence.BackedOff{}, of: evidence.Subject{Container: "a"}, lane: "kubelet",
		text: "waits before it starts a again"},
	{fact: evidence.RestartDecided{}, lane: "kubelet", text: "finds a (attempt 3) dead and starts it again"},
	{fact: evidence.StartFailed{Reason: "ErrImagePull", Message: says("no such image")},
		lane: "kubelet", text: "cannot start a (attempt 3): ErrImagePull: no such image"},
	{fact: evidence.MissingActuatedRecord{}, lane: "kubelet",
		text: "has no record of the resources that it gave to a (attempt 3)"},
	{fact: evidence.ImageSeen{Image: "busybox:1"}, lane: "kubelet", text: "has the image of a (attempt 3): busybox:1"},
	{fact: evidence.ProbeFailed{Probe: evidence.ProbeLiveness, Output: says("refused")},
		lane: "probe", text: "liveness probe of a (attempt 3) failed: refused"},
	{fact: evidence.ProbeFailed{Probe: evidence.ProbeStartup, Errored: true},
		lane: "probe", text: "startup probe of a (attempt 3) could not run (not counted as a failure)"},
	{fact: evidence.ProbeResultChanged{Probe: evidence.ProbeReadiness}, of: evidence.Subject{PodUID: "u"},
		lane: "probe", text: "readiness of the pod is now: not ready"},
	{fact: evidence.ProbeResultChanged{Probe: evidence.ProbeLiveness, Status: "unhealthy"},
		of: evidence.Subject{PodUID: "u"}, lane: "probe", text: "liveness of the pod is now: unhealthy"},
	{fact: evidence.RestartAll{Step: evidence.RestartAllKilling}, lane: "kubelet",
		text: "restarts all containers, step killing, a (attempt 3)"},

	{fact: evidence.SandboxJudged{Reason: evidence.SandboxNotReady}, lane: "kubelet",
		text: "wants a new sandbox for the pod: the last one is not ready"},
	{fact: evidence.SandboxUnready{Reason: evidence.SandboxNoIP}, lane: "kubelet",
		text: "must replace the pod's sandbox: it has no IP address"},
	{fact: evidence.SandboxJudged{Reason: "new-words"}, lane: "kubelet",
		text: "wants a new sandbox for the pod: new-words"},
	{fact: evidence.SandboxChanged{}, lane: "kubelet",
		text: "stops the pod and creates a new sandbox: the sandbox changed"},
	{fact: evidence.PodConfig{Op: "ADD", Origin: "api"}, lane: "kubelet", text: "gets ADD for the pod from api"},
	{fact: evidence.PodConfig{Op: "REMOVE"}, lane: "kubelet", text: "gets REMOVE for the pod from its source"},
	{fact: evidence.PodRejected{Reason: "OutOfcpu", Message: says("Node didn't have enough resource")},
		lane: "kubelet", text: "rejects the pod: OutOfcpu: Node didn't have enough resource"},
	{fact: evidence.PodEvicted{Reason: "Evicted", Message: says("low on memory")},
		lane: "kubelet", text: "stops the pod: Evicted: low on memory"},
	{fact: evidence.PodEvicted{Reason: "EvictionByEvictionAPI"}, lane: "api",
		text: "the pod is stopped: EvictionByEvictionAPI"},
	{fact: evidence.PodEvicted{Reason: "EvictedByVPA"}, lane: "api", text: "the pod is stopped: EvictedByVPA"},
	{fact: evidence.PodEvicted{Reason: evidence.NodeLost}, lane: "api", text: "the pod is stopped: NodeLost"},
	{fact: evidence.PodEvicted{Reason: "TerminationByKubelet"}, lane: "kubelet",
		text: "stops the pod: TerminationByKubelet"},
	{fact: evidence.PodDeleted{GraceSeconds: 30}, lane: "api", text: "the pod was deleted (deletion requested)"},
	{fact: evidence.PodTeardown{Reason: evidence.TeardownOrphan}, lane: "kubelet", text: "stops the pod: orphan"},
	{fact: evidence.UIDReused{}, lane: "kubelet", text: "the pod comes back under the same UID"},
	{fact: evidence.PodReplaced{OldUID: "u0"}, lane: "kubelet", text: "another pod has the name now; the old UID is u0"},
	{fact: evidence.PreemptionPlanned{Resources: says("cpu 1")}, lane: "kubelet",
		text: "must preempt pods for a critical one: cpu 1"},
	{fact: evidence.CgroupMissing{Cgroup: "/kubepods/podu", Missing: says("memory")},
		lane: "kubelet", text: "cannot find the cgroup /kubepods/podu: memory"},
	{fact: evidence.StaticPodUID{}, lane: "kubelet", text: "computed the static pod's UID"},
	{fact: evidence.MirrorPod{Change: evidence.MirrorDeleted}, lane: "kubelet", text: "mirror pod: deleted"},
	{fact: evidence.ReadinessEarly{}, lane: "kubelet", text: "had a readiness result before its first sync of the pod"},
	{fact: evidence.ReadinessChanged{Ready: true}, lane: "api", text: "the pod is ready; its containers keep running"},
	{fact: evidence.ReadinessChanged{}, lane: "api", text: "the pod is not ready; its containers keep running"},
	{fact: evidence.PodResize{State: evidence.ResizeAllocated}, of: evidence.Subject{PodUID: "u"},
		lane: "kubelet", text: "resize of the pod: allocated"},
	{fact: evidence.APIEvent{Reason: "Created", Message: says("Created container: a")},
		of: evidence.Subject{Container: "a"}, lane: "api", text: "Created: Created container: a"},
	{fact: evidence.APIEvent{Reason: "Created", Message: says("Container created")},
		of: evidence.Subject{Container: "web"}, lane: "api", text: "Created of web: Container created"},

	{fact: evidence.RuntimeCreated{Attempt: 3}, lane: "runtime", text: "created a (attempt 3)"},
	{fact: evidence.TaskStarted{}, lane: "runtime", text: "started a (attempt 3)"},
	{fact: evidence.SandboxCreated{}, of: evidence.Subject{SandboxID: "box"},
		lane: "runtime", text: "created the sandbox (attempt 1)"},
	{fact: evidence.SandboxCreated{}, of: evidence.Subject{SandboxID: "another"},
		lane: "runtime", text: "created the sandbox"},
	{fact: evidence.StopRequested{TimeoutSeconds: 2}, lane: "runtime",
		text: "gets a request to stop a (attempt 3) within 2 s"},
	{fact: evidence.StopRequested{TimeoutSeconds: -1, Signal: "killed"}, lane: "runtime",
		text: "stops a (attempt 3) with the signal killed"},
	{fact: evidence.StopRequested{TimeoutSeconds: -1}, lane: "runtime", text: "gets a request to stop a (attempt 3)"},
	{fact: evidence.RemovalRequested{}, lane: "runtime", text: "gets a request to remove a (attempt 3)"},
	{fact: evidence.SandboxStopRequested{}, of: evidence.Subject{SandboxID: "box"},
		lane: "runtime", text: "gets a request to stop the sandbox (attempt 1)"},
	{fact: evidence.SandboxStopped{}, of: evidence.Subject{SandboxID: "box"},
		lane: "runtime", text: "stopped the sandbox (attempt 1)"},
	{fact: evidence.ExecStarted{Attached: true}, lane: "runtime", text: "attaches someone to a (attempt 3) (kubectl attach)"},
	{fact: evidence.ExecExited{}, lane: "runtime", text: "a command that was run in a (attempt 3) ended"},
	{fact: evidence.ExecStarted{}, lane: "runtime", text: "runs a command in a (attempt 3) (kubectl exec, crictl exec)"},
	{fact: evidence.TaskExited{ExitCode: code(1)}, lane: "runtime", text: "a (attempt 3) exited with code 1"},
	{fact: evidence.TaskExited{}, of: evidence.Subject{ContainerID: "logs"}, lane: "runtime", text: "a exited"},
	{fact: evidence.Counted{Counter: evidence.CountedLiveness, By: 3},
		lane: "probe", text: "liveness probe failed 3 times since the scrape before"},
	{fact: evidence.Counted{Counter: evidence.CountedOOM, By: 1},
		lane: "kernel", text: "killed 1 processes for memory in its cgroup, by the counter"},
	{fact: evidence.MemoryNear{WorkingSet: 63 << 20},
		lane: "runtime", text: "the memory of a (attempt 3) was above 90 % of its limit, last 63 MiB"},
	{fact: evidence.TaskOOM{}, lane: "runtime", text: "is notified of an OOM kill in a (attempt 3)"},
	{fact: evidence.RuntimeFailed{Op: "ExecSync", Message: says("not found")},
		lane: "runtime", text: "ExecSync of a (attempt 3) failed: not found"},
	{fact: evidence.ShimLost{}, lane: "runtime", text: "lost the shim of a (attempt 3)"},
	{fact: evidence.StateLost{Message: says("no task")}, lane: "runtime",
		text: "does not know the state of a (attempt 3): no task"},

	{fact: evidence.KubeletStarted{Version: "v1.36.3", PID: 7}, lane: "kubelet", text: "kubelet v1.36.3 started (pid 7)"},
	{fact: evidence.KubeletStarted{}, lane: "kubelet", text: "kubelet started"},
	{fact: evidence.KubeletExited{Message: says("bad config")}, lane: "kubelet", text: "the kubelet exits: bad config"},
	{fact: evidence.RuntimeTrouble{State: evidence.RuntimeNoAnswer}, lane: "kubelet", text: "the runtime does not answer"},
	{fact: evidence.EvictionPressure{Resource: "memory", State: evidence.EvictionMustEvict},
		lane: "kubelet", text: "the node is low on memory: the kubelet must evict pods"},
	{fact: evidence.NodeShutdown{Phase: evidence.ShutdownDetected}, lane: "kubelet", text: "node shutdown: detected"},
	{fact: evidence.ManifestRead{Path: "/m/a.yaml", Failed: true, Why: says("no pod")},
		lane: "kubelet", text: "cannot read the manifest /m/a.yaml: no pod"},
	{fact: evidence.ManifestRead{Path: "/m/a.yaml"}, lane: "kubelet", text: "reads the manifest /m/a.yaml"},
	{fact: evidence.NodeCordoned{}, lane: "kubelet", text: "the node was closed to new pods"},
	{fact: evidence.SystemOOM{Message: says("victim process: java")}, lane: "kubelet",
		text: "the node ran out of memory: victim process: java"},
	{fact: evidence.ProbeTotals{Liveness: 3}, lane: "probe",
		text: "liveness probes failed 3 times and startup probes 0 times since the kubelet was started"},
	{fact: evidence.HostOOMKills{By: 2}, lane: "kernel",
		text: "killed 2 processes for memory somewhere on the node, by its counter"},
	{fact: evidence.OOMSeen{Process: "java", PID: 9}, lane: "kubelet",
		text: "saw that the node ran out of memory; killed: java (pid 9)"},
	{fact: evidence.RuntimeStarted{Version: "1.6.20"}, lane: "runtime", text: "the container runtime 1.6.20 started"},
	{fact: evidence.RuntimeStopping{Signal: "terminated"}, lane: "runtime",
		text: "the container runtime shuts down cleanly, signal terminated"},
	{fact: evidence.RuntimeStopping{}, lane: "runtime", text: "the container runtime shuts down cleanly"},
	{fact: evidence.OOMKill{Constraint: "CONSTRAINT_MEMCG", Task: "tail", PID: 4, Limit: 24 << 20},
		lane: "kernel", text: "out of memory at a cgroup's limit of 24 MiB: killed tail (pid 4) in a (attempt 3)"},
	{fact: evidence.OOMKill{Constraint: "CONSTRAINT_NONE", Global: true},
		of: evidence.Subject{Node: "n1"}, lane: "kernel", text: "out of memory of the whole node: killed a process"},
	{fact: evidence.OOMKill{Task: "java"}, of: evidence.Subject{Namespace: "shop", Pod: "web-0"},
		lane: "kernel", text: "out of memory at a cgroup's limit: killed java in pod shop/web-0"},
	{fact: evidence.Segfault{Task: "app", PID: 5, Kind: "segfault"}, of: evidence.Subject{Node: "n1"},
		lane: "kernel", text: "segfault in app (pid 5)"},
	{fact: evidence.HungTask{Kind: "blocked", Task: "jbd2", Seconds: 120},
		lane: "kernel", text: "jbd2 made no progress for 120 s (blocked)"},
	{fact: evidence.KernelBooted{BootID: "b1"}, lane: "kernel", text: "the node booted, boot b1"},
	{fact: evidence.NodeRebooted{}, lane: "kernel", text: "the kubelet saw that the node had rebooted"},
	{fact: evidence.ClockSet{}, lane: "systemd", text: "the node's clock was set"},
	{fact: evidence.ClockSet{Disorder: true}, lane: "systemd", text: "the times of the log go back"},
	{fact: evidence.UnitChanged{Unit: "kubelet.service", Change: "stopped"},
		lane: "systemd", text: "kubelet.service stopped"},
	{fact: evidence.UnitChanged{Unit: "kubelet.service", Change: "exited", Code: "killed", Status: 9},
		lane: "systemd", text: "kubelet.service exited: killed 9"},
	{fact: evidence.UnitChanged{Unit: "kubelet.service", Change: "failed", Result: "oom-kill"},
		lane: "systemd", text: "kubelet.service failed (oom-kill)"},
	{fact: evidence.UnitChanged{Unit: "containerd.service", Change: "process-killed", Process: "containerd-shim", PID: 8},
		lane: "systemd", text: "containerd.service process killed: containerd-shim (pid 8)"},
	{fact: evidence.UnitChanged{Unit: "kubelet.service", Change: "restart-scheduled", Restarts: 5},
		lane: "systemd", text: "kubelet.service restart scheduled, number 5"},
	{fact: evidence.OOMKill{}, lane: "kernel",
		text: "the out-of-memory killer ran; the line that says whom it killed is missing"},
	{fact: evidence.UserspaceOOMKill{Killer: "systemd-oomd", Cgroup: "/kubepods"},
		lane: "systemd", text: "systemd-oomd killed /kubepods because memory was low"},
	{fact: evidence.Signalled{By: "systemd", Signal: "SIGTERM"}, lane: "systemd",
		text: "systemd reports a signal SIGTERM"},
	{fact: evidence.PackageChanged{Manager: "dpkg", Action: "upgrade", Package: "kubelet",
		From: "1.30", To: "1.31", By: "unattended-upgrade"}, lane: "systemd",
		text: "dpkg upgrade kubelet 1.30 → 1.31, by unattended-upgrade"},
	{fact: evidence.PackageChanged{Manager: "dpkg", Action: "remove", Package: "runc", From: "1.1"},
		lane: "systemd", text: "dpkg remove runc 1.1"},
	{fact: evidence.RestartAsked{By: "needrestart", Units: []string{"kubelet.service", "containerd.service"}},
		lane: "systemd", text: "needrestart restarted kubelet.service, containerd.service"},
	{fact: evidence.PowerChange{Change: "reboot"}, lane: "systemd", text: "a request for the machine's reboot"},
}

func TestEveryOccurrenceHasItsLaneAndPlainWords(t *testing.T) {
	for _, c := range toldFacts {
		t.Run(c.text, func(t *testing.T) {
			subject := c.of
			if subject == (evidence.Subject{}) {
				subject = evidence.Subject{Container: "a", ContainerID: "old"}
			}
			all := known().tellAll(&evidence.Observation{Time: at(1), Subject: subject, Fact: c.fact})
			if len(all) != 1 || all[0].lane != c.lane || all[0].text != c.text || !all[0].at.Equal(at(1)) {
				t.Errorf("told as %+v, want once in lane %s: %s", all, c.lane, c.text)
			}
			if len(known().tellAll(&evidence.Observation{Subject: subject, Fact: c.fact})) != 0 {
				t.Error("without a time it is told nevertheless")
			}
		})
	}
}

// records are the facts about a state rather than an occurrence.
var records = []string{
	"ClockCompared", "ContainerRecord", "SandboxRecord", "RestartCount", "RestartCounted", "CgroupState",
	"CgroupPlacement", "CgroupControllers", "KubeletSetting", "KubeletSettings",
	"CheckpointState", "ResourceRecord", "StaticManifest", "ContainerLogs",
	"SandboxCheckpoint", "RuntimeEndpoint", "RuntimeSettings", "RunsSince", "UnitState", "NameTold",
}

// TestNoFactIsForgotten checks all facts: a new one needs a text, or a place among the records.
func TestNoFactIsForgotten(t *testing.T) {
	covered := map[string]bool{}
	for _, c := range toldFacts {
		covered[reflect.TypeOf(c.fact).Name()] = true
	}
	for _, name := range records {
		if covered[name] {
			t.Errorf("%s is told and listed as a record", name)
		}
		covered[name] = true
	}
	files, err := filepath.Glob(filepath.Join("..", "..", "..", "diag", "evidence", "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no source of diag/evidence: %v", err)
	}
	seen := 0
	for _, path := range files {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Name.Name != "Statement" || f.Recv == nil {
				continue
			}
			seen++
			if name := f.Recv.List[0].Type.(*ast.Ident).Name; !covered[name] {
				t.Errorf("the fact %s has no words in a story and is not listed as a record", name)
			}
		}
	}
	if seen < 60 {
		t.Errorf("only %d facts found", seen)
	}
}

func TestAnAggregatedEventIsToldTwice(t *testing.T) {
	base := evidence.Observation{Time: at(60), Subject: evidence.Subject{Container: "a"}}
	for _, c := range []struct {
		name string
		fact evidence.Fact
		want []told
	}{
		{"probe failures", evidence.ProbeFailed{Probe: evidence.ProbeLiveness, Count: 8, First: at(2)}, []told{
			{report.LaneProbe, at(2), "liveness probe of a failed (the first of 8)"},
			{report.LaneProbe, at(60), "liveness probe of a failed (the last of 8)"}}},
		{"kills", evidence.KillDecided{Count: 2, First: at(2)}, []told{
			{report.LaneKubelet, at(2), "decides to kill a (the first of 2)"},
			{report.LaneKubelet, at(60), "decides to kill a (the last of 2)"}}},
		{"an event that came once", evidence.ProbeFailed{Probe: evidence.ProbeLiveness, Count: 1, First: at(60)}, []told{
			{report.LaneProbe, at(60), "liveness probe of a failed"}}},
		{"several within one second", evidence.SandboxChanged{Count: 3, First: at(60)}, []told{
			{report.LaneKubelet, at(60), "stops the pod and creates a new sandbox: the sandbox changed"}}},
		{"a first time that is not known", evidence.APIEvent{Reason: "BackOff", Count: 3}, []told{
			{report.LaneAPI, at(60), "BackOff of a"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := base
			o.Fact = c.fact
			if got := known().tellAll(&o); !reflect.DeepEqual(got, c.want) {
				t.Errorf("told as %+v, want %+v", got, c.want)
			}
		})
	}
}

func TestAUnitsStateTellsOfItsPast(t *testing.T) {
	o := evidence.Observation{Time: at(99), Fact: evidence.UnitState{Unit: "kubelet.service",
		MainPID: 7, ActiveEnterTime: at(3), ExitTime: at(9), ExitCode: "killed", ExitStatus: 9}}
	want := []told{{report.LaneSystemd, at(3), "kubelet.service became active (pid 7)"},
		{report.LaneSystemd, at(9), "the main process of kubelet.service ended: killed 9"}}
	if got := known().tellAll(&o); !reflect.DeepEqual(got, want) {
		t.Errorf("told as %+v, want %+v", got, want)
	}
	o.Fact = evidence.UnitState{Unit: "kubelet.service"}
	if got := known().tellAll(&o); len(got) != 0 {
		t.Errorf("a state without times is told as %+v", got)
	}
}

func TestLongMessagesAreCutWhereACharacterEnds(t *testing.T) {
	text := short(strings.Repeat("é", 500))
	if len([]rune(text)) != longest || !strings.HasSuffix(text, "é…") {
		t.Errorf("cut to %d characters: %s", len([]rune(text)), text)
	}
	if short("as it is") != "as it is" {
		t.Error("a short text was changed")
	}
	if because(says("  ")) != "" {
		t.Error("an empty message is quoted")
	}
}
