package runtimelog

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

const (
	cid = "0d4e8a1535ff50a48ce3204880af7cafddcc8521f56ff3382fdf0621d2b36338"
	sid = "bbfe039a9d29a30bea2afe54af7ccddd46c4e4b239650d99a7bc055638ffd07b"
	uid = "2bb96539-a50d-4fd1-b632-a8197d650ff4"
	at  = `time="2026-11-21T08:32:38.157445494Z" level=info `
)

var t0 = time.Date(2026, 11, 21, 8, 32, 38, 0, time.UTC)

type said struct {
	Subject evidence.Subject
	Fact    evidence.Fact
}

func feed(lines ...string) []said {
	var p Parser
	var out []said
	for _, l := range lines {
		p.Add(evidence.Entry{Time: t0, Message: l}, func(o evidence.Observation) {
			out = append(out, said{o.Subject, o.Fact})
		})
	}
	return out
}

func one(s evidence.Subject, f evidence.Fact) []said { return []said{{s, f}} }

// texts lets go-cmp compare texts, which keep their content to themselves.
var texts = cmp.AllowUnexported(safetext.Text{})

func code(n int32) *int32 { return &n }

var (
	c = evidence.Subject{ContainerID: cid}
	s = evidence.Subject{SandboxID: sid}
)

var lines = []struct {
	name string
	line string
	want []said
}{
	{"containerd 1.6 container created", at + `msg="CreateContainer within sandbox \"` +
		sid + `\" for &ContainerMetadata{Name:a,Attempt:3,} returns container id \"` + cid + `\""`,
		one(evidence.Subject{Container: "a", ContainerID: cid, SandboxID: sid}, evidence.RuntimeCreated{Attempt: 3})},
	{"2.x leaves the last comma of the metadata out", at + `msg="CreateContainer within sandbox \"` +
		sid + `\" for &ContainerMetadata{Name:a,Attempt:3} returns container id \"` + cid + `\""`,
		one(evidence.Subject{Container: "a", ContainerID: cid, SandboxID: sid}, evidence.RuntimeCreated{Attempt: 3})},
	{"the call alone is no creation", at + `msg="CreateContainer within sandbox \"` +
		sid + `\" for container &ContainerMetadata{Name:a,Attempt:3,}"`, nil},
	{"a failed creation", at + `msg="CreateContainer within sandbox \"` +
		sid + `\" for &ContainerMetadata{Name:a,Attempt:3,} failed" error="no"`,
		one(evidence.Subject{Container: "a", SandboxID: sid},
			evidence.RuntimeFailed{Op: "CreateContainer", Message: safetext.Clean("no")})},
	{"a failed start", at + `msg="StartContainer for \"` + cid +
		`\" failed" error="failed to create containerd task: exec: \"/no\": stat /no: no such file or directory: unknown"`,
		one(c, evidence.RuntimeFailed{Op: "StartContainer", Message: safetext.Clean(
			`failed to create containerd task: exec: "/no": stat /no: no such file or directory: unknown`)})},
	{"a start", at + `msg="StartContainer for \"` + cid + `\" returns successfully"`, one(c, evidence.TaskStarted{})},
	{"a start asked for", at + `msg="StartContainer for \"` + cid + `\""`, nil},
	{"a failed sandbox", at + `msg="RunPodSandbox for &PodSandboxMetadata{Name:p,Uid:` +
		uid + `,Namespace:s-n3,Attempt:1,} failed, error" error="no network"`,
		one(evidence.Subject{Namespace: "s-n3", Pod: "p", PodUID: uid},
			evidence.RuntimeFailed{Op: "RunPodSandbox", Attempt: 1, Message: safetext.Clean("no network")})},
	{"a failed stop", at + `msg="StopContainer for \"` + cid +
		`\" failed" error="rpc error: code = Canceled desc = context canceled"`,
		one(c, evidence.RuntimeFailed{Op: "StopContainer", Message: safetext.Clean("rpc error: code = Canceled desc = context canceled")})},
	{"a failed stop of a sandbox", at + `msg="StopPodSandbox for \"` + sid +
		`\" failed" error="context deadline exceeded"`,
		one(s, evidence.RuntimeFailed{Op: "StopPodSandbox", Message: safetext.Clean("context deadline exceeded")})},
	{"an exec that took too long", at + `msg="ExecSync for \"` + cid + `\" failed" error="timeout 1s exceeded"`,
		one(c, evidence.RuntimeFailed{Op: "ExecSync", Message: safetext.Clean("timeout 1s exceeded")})},
	{"an update that failed", at + `msg="UpdateContainerResources for \"` + cid + `\" failed" error="no"`,
		one(c, evidence.RuntimeFailed{Op: "UpdateContainerResources", Message: safetext.Clean("no")})},
	{"an update that went well", at + `msg="UpdateContainerResources for \"` + cid + `\" returns successfully"`, nil},
	{"removal is not our business", at + `msg="RemoveContainer for \"` + cid + `\" failed" error="no"`, nil},
	{"a secret in an error stays behind", at + `msg="StartContainer for \"` +
		cid + `\" failed" error="exec: --password=hunter2 not found"`,
		one(c, evidence.RuntimeFailed{Op: "StartContainer", Message: safetext.Clean("exec: --password=hunter2 not found")})},
	{"the shim was lost", at + `msg="failed to get task exit status for \"` + cid + `\"" error="ttrpc: closed: unknown"`,
		one(c, evidence.ShimLost{Message: safetext.Clean("ttrpc: closed: unknown")})},
	{"the shim was lost, up to 1.4", at + `msg="Failed to get task exit status for \"` + cid + `\"" error="ttrpc: closed: unknown"`,
		one(c, evidence.ShimLost{Message: safetext.Clean("ttrpc: closed: unknown")})},
	{"an exit that is handled again, in Go's syntax", at + `msg="Failed to handle backOff event &TaskExit{ContainerID:` + cid + `,ID:` + cid +
		`,Pid:33,ExitStatus:137,ExitedAt:2026-11-21 08:30:00.5 +0000 UTC,XXX_unrecognized:[],} for ` + cid + `"`,
		one(c, evidence.TaskExited{ExitCode: code(137), PID: 33, Ended: t0.Add(-158 * time.Second).Add(time.Second / 2)})},
	{"an exit that waits to be handled", at + `msg="Events for \"` +
		cid + `\" is in backoff, enqueue event &TaskExit{ContainerID:` +
		cid + `,ID:` + cid + `,Pid:33,ExitStatus:1,ExitedAt:x,}"`, one(c, evidence.TaskExited{ExitCode: code(1), PID: 33})},
	{"an event that was no exit", at + `msg="Failed to handle event &TaskOOM{ContainerID:` + cid + `,} for ` + cid + `"`, nil},
	{"a sandbox's exit that is not handled", at + `msg="failed to handle sandbox TaskExit event container_id:\"` + sid + `\" id:\"` +
		sid + `\" pid:33 exit_status:137 exited_at:{seconds:1}"`,
		one(s, evidence.TaskExited{ExitCode: code(137), Ended: time.Unix(1, 0).UTC()})},
	{"an end that dockerd was asked for, now or before", at + `msg="ShouldRestart failed, container will not be restarted" container=` + cid +
		` error="restart canceled" exitStatus="{143 2026-11-21 08:32:38 +0000 UTC}" hasBeenManuallyStopped=true`,
		one(c, evidence.TaskExited{ExitCode: code(143), Ended: t0})},
	{"an end as dockerd shuts down", at + `msg="ShouldRestart failed, container will not be restarted" container=` + cid +
		` exitStatus="{2 x}" hasBeenManuallyStopped=false`, one(c, evidence.TaskExited{ExitCode: code(2)})},
	{"any program's words", at + `msg="failed to start container" container=` + cid + ` error=no`, nil},
	{"CRI-O has no files of a sandbox", at + `msg="Could not restore sandbox ` + sid + `: failed to Statfs \"/run/x\": no such file or directory"`,
		one(evidence.Subject{}, evidence.RuntimeTrouble{State: evidence.RuntimeEmptied,
			Message: safetext.Clean(`failed to Statfs "/run/x": no such file or directory`)})},
	{"CRI-O loses a sandbox", at + `msg="Could not restore sandbox ` + sid + `: no"`, one(s, evidence.StateLost{Message: safetext.Clean("no")})},
	{"CRI-O loses a container", at + `msg="Could not restore container ` + cid + `: no"`,
		one(c, evidence.StateLost{Message: safetext.Clean("no")})},
	{"CRI-O, of no id", at + `msg="Could not restore container x: no"`, nil},
	{"waiting given up", at + `msg="failed to get task exit status for \"` + cid + `\"" error="context canceled"`, nil},
	{"a state that is lost", `time="2026-11-21T08:32:41Z" level=warning msg="Failed to load container status for \"` +
		cid + `\"" error="failed to load task: context deadline exceeded"`,
		one(c, evidence.StateLost{Message: safetext.Clean("failed to load task: context deadline exceeded")})},
	{"a sandbox's state that is lost", at + `msg="Failed to load sandbox status for \"` + sid + `\"" error="no"`,
		one(s, evidence.StateLost{Message: safetext.Clean("no")})},
	{"a sandbox that cannot be loaded", at + `msg="Failed to load sandbox \"` + sid + `\"" error="no"`,
		one(s, evidence.StateLost{Message: safetext.Clean("no")})},
	{"containerd goes down", at + `msg="Stop CRI service"`, one(evidence.Subject{}, evidence.RuntimeStopping{})},
	{"sandbox created", at + `msg="RunPodSandbox for &PodSandboxMetadata{Name:p,Uid:` +
		uid + `,Namespace:s-n3,Attempt:1,} returns sandbox id \"` + sid + `\""`,
		one(evidence.Subject{Namespace: "s-n3", Pod: "p", PodUID: uid, SandboxID: sid}, evidence.SandboxCreated{Attempt: 1})},
	{"2.4 writes protobuf's text and leaves a zero out", at + `msg="RunPodSandbox for name:\"p\"  uid:\"` +
		uid + `\"  namespace:\"s-n3\" returns sandbox id \"` + sid + `\""`,
		one(evidence.Subject{Namespace: "s-n3", Pod: "p", PodUID: uid, SandboxID: sid}, evidence.SandboxCreated{Attempt: 0})},
	{"2.4 container created", at + `msg="CreateContainer within sandbox \"` +
		sid + `\" for name:\"a\"  attempt:3 returns container id \"` + cid + `\""`,
		one(evidence.Subject{Container: "a", ContainerID: cid, SandboxID: sid}, evidence.RuntimeCreated{Attempt: 3})},
	{"2.4: the call alone is no creation", at + `msg="CreateContainer within sandbox \"` +
		sid + `\" for container name:\"a\""`, nil},
	{"2.4: a failed creation", at + `msg="CreateContainer within sandbox \"` +
		sid + `\" for name:\"a\" attempt:3 failed" error="name:\"b\" no"`,
		one(evidence.Subject{Container: "a", SandboxID: sid},
			evidence.RuntimeFailed{Op: "CreateContainer", Message: safetext.Clean(`name:"b" no`)})},
	{"sandbox asked for", at + `msg="RunPodSandbox for &PodSandboxMetadata{Name:p,Uid:` +
		uid + `,Namespace:s-n3,Attempt:1,}"`, nil},
	{"stop asked for", at + `msg="StopContainer for \"` + cid + `\" with timeout 30 (s)"`,
		one(c, evidence.StopRequested{TimeoutSeconds: 30})},
	{"stop answered", at + `msg="StopContainer for \"` + cid + `\" returns successfully"`, nil},
	{"signal sent", at + `msg="Stop container \"` + cid + `\" with signal terminated"`,
		one(c, evidence.StopRequested{TimeoutSeconds: -1, Signal: "terminated"})},
	{"signal not obeyed", at + `msg="Stop container \"` + cid + `\" with signal terminated timed out"`, nil},
	{"grace over", at + `msg="Kill container \"` + cid + `\""`,
		one(c, evidence.StopRequested{TimeoutSeconds: -1, Signal: "killed"})},
	{"removed as it runs", at + `msg="Forcibly stopping container \"` + cid + `\""`,
		one(c, evidence.StopRequested{Signal: "killed"})},
	{"a sandbox removed as it runs", at + `msg="Forcibly stopping sandbox \"` + sid + `\""`,
		one(s, evidence.SandboxStopRequested{})},
	{"a command run in it", at + `msg="Exec for \"` + cid + `\" with command [sh -c kill 1], tty true and stdin true"`,
		one(c, evidence.ExecStarted{})},
	{"somebody attached to it", at + `msg="Attach for \"` + cid + `\" with tty true and stdin true"`,
		one(c, evidence.ExecStarted{Attached: true})},
	{"its address", at + `msg="Exec for \"` + cid + `\" returns URL \"http://127.0.0.1:33333/exec/Xk2l\""`, nil},
	{"sandbox stop asked for", at + `msg="StopPodSandbox for \"` + sid + `\""`, one(s, evidence.SandboxStopRequested{})},
	{"sandbox stop answered", at + `msg="StopPodSandbox for \"` + sid + `\" returns successfully"`,
		one(s, evidence.SandboxStopped{})},
	{"shim gone", at + `msg="shim disconnected" id=` + cid, one(c, evidence.TaskExited{})},
	{"1.0-1.2 shim gone", at + `msg="shim reaped" id=` + cid, one(c, evidence.TaskExited{})},
	{"2.x shim gone", at + `msg="shim disconnected" id=` + cid + ` namespace=k8s.io`, one(c, evidence.TaskExited{})},
	{"cleaning up is not the end itself",
		`time="2026-11-21T08:32:41Z" level=warning msg="cleaning up after shim disconnected" id=` + cid + ` namespace=k8s.io`,
		nil},
	{"1.6 exit, Go syntax", at + `msg="TaskExit event &TaskExit{ContainerID:` +
		cid + `,ID:` + cid + `,Pid:123,ExitStatus:137,ExitedAt:2026-11-21 08:32:41 +0000 UTC,XXX_unrecognized:[],}"`,
		one(c, evidence.TaskExited{ExitCode: code(137), PID: 123, Ended: t0.Add(3 * time.Second)})},
	{"1.7 exit, protobuf text", at + `msg="received exit event container_id:\"` +
		cid + `\"  id:\"` + cid + `\"  pid:123  exit_status:137  exited_at:{seconds:1795249961  nanos:5}"`,
		one(c, evidence.TaskExited{ExitCode: code(137), PID: 123, Ended: time.Unix(1795249961, 5).UTC()})},
	{"1.7 exit with zero", at + `msg="TaskExit event in podsandbox handler container_id:\"` +
		cid + `\"  id:\"` + cid + `\"  pid:123  exited_at:{seconds:1795249961}"`,
		one(c, evidence.TaskExited{ExitCode: code(0), PID: 123, Ended: time.Unix(1795249961, 0).UTC()})},
	{"2.x sandbox exit", at + `msg="received sandbox exit event sandbox_id:\"` +
		sid + `\"  exit_status:143  exited_at:{seconds:1795249961}"`,
		one(s, evidence.TaskExited{ExitCode: code(143), Ended: time.Unix(1795249961, 0).UTC()})},
	{"the exit of an exec'd process", at + `msg="TaskExit event &TaskExit{ContainerID:` +
		cid + `,ID:probe,Pid:123,ExitStatus:1,ExitedAt:x,}"`, one(c, evidence.ExecExited{})},
	{"1.6 OOM", at + `msg="TaskOOM event &TaskOOM{ContainerID:` + cid + `,XXX_unrecognized:[],}"`,
		one(c, evidence.TaskOOM{})},
	{"1.7 OOM", at + `msg="TaskOOM event container_id:\"` + cid + `\""`, one(c, evidence.TaskOOM{})},
	{"booted", at + `msg="containerd successfully booted in 0.015676s"`,
		one(evidence.Subject{}, evidence.RuntimeStarted{})},
	{"CRI-O started",
		`time="2026-11-21 08:32:38.157445494Z" level=info msg="Starting CRI-O, version: 1.30.4, git: dbc00ffd(clean)"`,
		one(evidence.Subject{}, evidence.RuntimeStarted{Version: "1.30.4"})},
	{"CRI-O created", at + `msg="Created container ` + cid +
		`: s-n3/p/a" id=8b1f name=/runtime.v1.RuntimeService/CreateContainer`,
		one(evidence.Subject{Namespace: "s-n3", Pod: "p", Container: "a", ContainerID: cid},
			evidence.RuntimeCreated{Attempt: -1})},
	{"CRI-O sandbox", at + `msg="Ran pod sandbox ` + sid +
		` with infra container: s-n3/p/POD" id=8b1f name=/runtime.v1.RuntimeService/RunPodSandbox`,
		one(evidence.Subject{Namespace: "s-n3", Pod: "p", SandboxID: sid}, evidence.SandboxCreated{Attempt: -1})},
	{"CRI-O removal", at + `msg="Removing container: ` + cid + `" id=8b1f`,
		one(c, evidence.RemovalRequested{})},
	{"CRI-O stop", at + `msg="Stopping container: ` + cid + ` (timeout: 30s)" id=8b1f`,
		one(c, evidence.StopRequested{TimeoutSeconds: 30})},
	{"CRI-O stopped", at + `msg="Stopped container ` + cid + `: s-n3/p/a" id=8b1f`,
		one(evidence.Subject{Namespace: "s-n3", Pod: "p", Container: "a", ContainerID: cid}, evidence.TaskExited{})},
	{"CRI-O sandbox stop", at + `msg="Stopping pod sandbox: ` + sid + `" id=8b1f`,
		one(s, evidence.SandboxStopRequested{})},
	{"CRI-O sandbox stopped", at + `msg="Stopped pod sandbox: ` + sid + `" id=8b1f`, one(s, evidence.SandboxStopped{})},
	{"CRI-O started a container", at + `msg="Started container" PID=4711 containerID=` +
		cid + ` description=s-n3/p/a id=8b1f name=/runtime.v1.RuntimeService/StartContainer sandboxID=` + sid,
		one(evidence.Subject{Namespace: "s-n3", Pod: "p", Container: "a", ContainerID: cid, SandboxID: sid},
			evidence.TaskStarted{PID: 4711})},
	{"an old CRI-O started a container, no matter which", at + `msg="Started container: s-n3/p/a"`, nil},
	{"dockerd gives up asking", at +
		`msg="Container failed to exit within 10s of kill - trying direct SIGKILL" container=` +
		cid + ` error="context deadline exceeded"`,
		one(c, evidence.StopRequested{TimeoutSeconds: -1, Signal: "killed"})},
	{"dockerd's container ended", at + `msg="ignoring event" container=` +
		cid + ` module=libcontainerd namespace=moby topic=/tasks/delete type="*events.TaskDelete"`,
		one(c, evidence.TaskExited{})},
	{"another event of dockerd", at + `msg="ignoring event" container=` + cid + ` topic=/tasks/start`, nil},
	{"dockerd cannot start it", at + `msg="Handler for POST /v1.41/containers/` +
		cid + `/start returned error: OCI runtime create failed"`,
		one(c, evidence.RuntimeFailed{Op: "StartContainer", Message: safetext.Clean("OCI runtime create failed")})},
	{"dockerd cannot do something else", at + `msg="Handler for POST /v1.41/containers/` +
		cid + `/resize returned error: no"`, nil},
	{"dockerd goes down", at + `msg="Processing signal 'terminated'"`,
		one(evidence.Subject{}, evidence.RuntimeStopping{Signal: "terminated"})},
	{"dockerd is down", at + `msg="Daemon shutdown complete"`, nil},
	{"dockerd, old", at + `msg="Container ` + cid + ` failed to exit within 30 seconds of signal 15 - using the force"`,
		one(c, evidence.StopRequested{TimeoutSeconds: -1, Signal: "killed"})},
	{"dockerd, new", at + `msg="Container failed to exit within 10s of signal 15 - using the force" container=` + cid,
		one(c, evidence.StopRequested{TimeoutSeconds: -1, Signal: "killed"})},
	{"dockerd started", at + `msg="Daemon has completed initialization"`,
		one(evidence.Subject{}, evidence.RuntimeStarted{})},
	{"something else", at + `msg="Start streaming server"`, nil},
	{"no message", at, nil},
	{"a message inside another one", at + `msg="exec: msg=\"Kill container \\\"` + cid + `\\\"\""`, nil},
	{"an id that is none", at + `msg="StopContainer for \"../../etc\" with timeout 30 (s)"`, nil},
	{"cut in the middle", at + `msg="StopContainer for \"` + cid, nil},
}

func TestRuntimesLinesBecomeStatements(t *testing.T) {
	for _, l := range lines {
		t.Run(l.name, func(t *testing.T) {
			if diff := cmp.Diff(l.want, feed(l.line), texts); diff != "" {
				t.Errorf("%s\n%s", l.line, diff)
			}
		})
	}
}

func TestWhatTheSilenceOfARuntimeSays(t *testing.T) {
	const (
		created = at + `msg="CreateContainer within sandbox \"` + sid +
			`\" for &ContainerMetadata{Name:a,Attempt:3,} returns container id \"` + cid + `\""`
		stopped = at + `msg="StopContainer for \"` + cid + `\" with timeout 30 (s)"`
	)
	for name, c := range map[string]struct {
		line string
		want int
	}{
		"nothing was read":     {"", 0},
		"a warning":            {`time="2026-11-21T08:32:38.157445494Z" level=warning msg="x"`, 0},
		"a line of level info": {at + `msg="x"`, evidence.RuntimeTellsStarts},
		"the same as JSON":     {`{"level":"info","msg":"x"}`, evidence.RuntimeTellsStarts},
		"dockerd's start":      {at + `msg="Daemon has completed initialization"`, evidence.RuntimeTellsStarts},
		"dockerd kills what does not obey": {at + `msg="Container ` + cid +
			` failed to exit within 10 seconds of signal 15 - using the force"`, 0},
		"a container that a kubelet asked for":  {created, evidence.RuntimeTellsStarts},
		"a request to stop, as a search leaves": {stopped, 0},
		"both of them":                          {created + "\n" + stopped, evidence.RuntimeTellsStops},
		"one kind of them twice":                {created + "\n" + created, evidence.RuntimeTellsStarts},
	} {
		var p Parser
		for line := range strings.Lines(c.line) {
			p.Add(evidence.Entry{Time: t0, Message: strings.TrimSuffix(line, "\n")}, func(evidence.Observation) {})
		}
		if p.Tells() != c.want {
			t.Errorf("%s: %d, want %d", name, p.Tells(), c.want)
		}
	}
}

func TestTheVersionComesFromTheLineBeforeTheStart(t *testing.T) {
	got := feed(at+`msg="starting containerd" revision="1.6.20~ds1-1+deb12u1" version="1.6.20~ds1"`,
		at+`msg="containerd successfully booted in 0.01s"`)
	if diff := cmp.Diff(one(evidence.Subject{}, evidence.RuntimeStarted{Version: "1.6.20~ds1"}), got, texts); diff != "" {
		t.Error(diff)
	}
}

func TestDockersVersionComesFromALineOfItsOwn(t *testing.T) {
	got := feed(at+`msg="Docker daemon" commit=abc storage-driver=overlay2 version=20.10.24`,
		at+`msg="Daemon has completed initialization"`)
	if diff := cmp.Diff(one(evidence.Subject{}, evidence.RuntimeStarted{Version: "20.10.24"}), got, texts); diff != "" {
		t.Error(diff)
	}
}

// A daemon that goes down gives up all its waiting at once: no shim was lost.
func TestADaemonThatGoesDownLosesNoShims(t *testing.T) {
	lost := at + `msg="failed to get task exit status for \"` + cid + `\"" error="ttrpc: closed"`
	got := feed(at+`msg="Stop CRI service"`, at+`msg="Stop CRI service"`, lost,
		at+`msg="starting containerd" version=2.1.4`, lost)
	want := []said{{evidence.Subject{}, evidence.RuntimeStopping{}},
		{c, evidence.ShimLost{Message: safetext.Clean("ttrpc: closed")}}}
	if diff := cmp.Diff(want, got, texts); diff != "" {
		t.Error(diff)
	}
	got = feed(at+`msg="Processing signal 'terminated'"`, at+`msg="Processing signal 'terminated'"`,
		at+`msg="Daemon shutdown complete"`, at+`msg="Processing signal 'interrupt'"`)
	if diff := cmp.Diff([]said{{evidence.Subject{}, evidence.RuntimeStopping{Signal: "terminated"}},
		{evidence.Subject{}, evidence.RuntimeStopping{Signal: "interrupt"}}}, got, texts); diff != "" {
		t.Error(diff)
	}
}

func TestConmonSpeaksOfTheContainerOfItsScope(t *testing.T) {
	short, unit := cid[:20], "crio-conmon-"+cid+".scope"
	for _, x := range []struct {
		name, unit, msg string
		want            []said
	}{
		{"the end", unit, "conmon " + short + " <ninfo>: container 4711 exited with status 137",
			one(c, evidence.TaskExited{ExitCode: code(137)})},
		{"out of memory", unit, "conmon " + short + " <ninfo>: OOM received", one(c, evidence.TaskOOM{})},
		{"out of memory, cgroup v1", unit, "conmon " + short + " <ninfo>: OOM event received", one(c, evidence.TaskOOM{})},
		{"without a scope of its own the id is too short", "crio.service", "conmon " + short + " <ninfo>: OOM received", nil},
		{"without its scope there are the digits", "conmon", "conmon " + short + " <ninfo>: container 4711 exited with status 1",
			one(evidence.Subject{ContainerID: short}, evidence.TaskExited{ExitCode: code(1)})},
		{"something else", unit, "conmon " + short + " <ninfo>: attach sock path: /run/x", nil},
		{"a status that is none", unit, "conmon " + short + " <ninfo>: container 4711 exited with status x", nil},
		{"a container that only mentions it", unit, "container 4711 exited with status 0", nil},
	} {
		var got []said
		Conmon(evidence.Entry{Time: t0, Unit: x.unit, Message: x.msg},
			func(o evidence.Observation) { got = append(got, said{o.Subject, o.Fact}) })
		if diff := cmp.Diff(x.want, got, texts); diff != "" {
			t.Errorf("%s: %s", x.name, diff)
		}
	}
}

func TestTheTimeOfALine(t *testing.T) {
	want := time.Date(2026, 11, 21, 8, 32, 38, 157445494, time.UTC)
	for _, l := range []string{at, strings.Replace(at, "T", " ", 1), `time="2026-11-21T10:32:38.157445494+02:00"`} {
		if got, ok := Time(l); !ok || !got.Equal(want) {
			t.Errorf("%s: %v", l, got)
		}
	}
	for _, l := range []string{"", `time="`, `time="yesterday at noon, or later"`, `x time="2026-11-21T08:32:38Z"`} {
		if got, ok := Time(l); ok {
			t.Errorf("%q has time %v", l, got)
		}
	}
}

func TestTheQuoteNamesTheContainer(t *testing.T) {
	var p Parser
	p.Add(evidence.Entry{Message: at + `msg="shim disconnected" id=` + cid}, func(o evidence.Observation) {
		if o.Text.String() != "shim disconnected id="+cid {
			t.Errorf("quoted as %s", o.Text)
		}
	})
}

func FuzzAdd(f *testing.F) {
	for _, l := range lines {
		f.Add(l.line)
	}
	f.Add(`{"level":"info","msg":"shim disconnected","id":"` + cid + `","n":1}`)
	f.Fuzz(func(t *testing.T, line string) {
		var p Parser
		p.Add(evidence.Entry{Message: line}, func(o evidence.Observation) {
			if o.Fact == nil || !safetext.Safe(o.Text.String()) {
				t.Fatalf("%+v from %q", o, line)
			}
			if id := o.Subject.ContainerID; id != "" && !isID(id) {
				t.Fatalf("container %q from %q", id, line)
			}
		})
		Time(line)
		Conmon(evidence.Entry{Unit: "crio-conmon-" + cid + ".scope", Message: line}, func(o evidence.Observation) {
			if o.Subject.ContainerID != cid || o.Fact == nil {
				t.Fatalf("%+v from %q", o, line)
			}
		})
	})
}
