package runtimelog

import (
	"encoding/json"
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
		p.Add(evidence.Entry{Time: t0, Message: l}, func(o evidence.Observation) { out = append(out, said{o.Subject, o.Fact}) })
	}
	return out
}

func one(s evidence.Subject, f evidence.Fact) []said { return []said{{s, f}} }

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
	{"containerd 1.6 container created", at + `msg="CreateContainer within sandbox \"` + sid + `\" for &ContainerMetadata{Name:a,Attempt:3,} returns container id \"` + cid + `\""`,
		one(evidence.Subject{Container: "a", ContainerID: cid, SandboxID: sid}, evidence.RuntimeCreated{Attempt: 3})},
	{"2.x leaves the last comma of the metadata out", at + `msg="CreateContainer within sandbox \"` + sid + `\" for &ContainerMetadata{Name:a,Attempt:3} returns container id \"` + cid + `\""`,
		one(evidence.Subject{Container: "a", ContainerID: cid, SandboxID: sid}, evidence.RuntimeCreated{Attempt: 3})},
	{"the call alone is no creation", at + `msg="CreateContainer within sandbox \"` + sid + `\" for container &ContainerMetadata{Name:a,Attempt:3,}"`, nil},
	{"a failed creation", at + `msg="CreateContainer within sandbox \"` + sid + `\" for &ContainerMetadata{Name:a,Attempt:3,} failed" error="no"`, nil},
	{"sandbox created", at + `msg="RunPodSandbox for &PodSandboxMetadata{Name:p,Uid:` + uid + `,Namespace:s-n3,Attempt:1,} returns sandbox id \"` + sid + `\""`,
		one(evidence.Subject{Namespace: "s-n3", Pod: "p", PodUID: uid, SandboxID: sid}, evidence.SandboxCreated{Attempt: 1})},
	{"sandbox asked for", at + `msg="RunPodSandbox for &PodSandboxMetadata{Name:p,Uid:` + uid + `,Namespace:s-n3,Attempt:1,}"`, nil},
	{"stop asked for", at + `msg="StopContainer for \"` + cid + `\" with timeout 30 (s)"`, one(c, evidence.StopRequested{TimeoutSeconds: 30})},
	{"stop answered", at + `msg="StopContainer for \"` + cid + `\" returns successfully"`, nil},
	{"signal sent", at + `msg="Stop container \"` + cid + `\" with signal terminated"`, one(c, evidence.StopRequested{TimeoutSeconds: -1, Signal: "terminated"})},
	{"signal not obeyed", at + `msg="Stop container \"` + cid + `\" with signal terminated timed out"`, nil},
	{"grace over", at + `msg="Kill container \"` + cid + `\""`, one(c, evidence.StopRequested{TimeoutSeconds: -1, Signal: "killed"})},
	{"sandbox stop asked for", at + `msg="StopPodSandbox for \"` + sid + `\""`, one(s, evidence.SandboxStopRequested{})},
	{"sandbox stop answered", at + `msg="StopPodSandbox for \"` + sid + `\" returns successfully"`, nil},
	{"shim gone", at + `msg="shim disconnected" id=` + cid, one(c, evidence.TaskExited{})},
	{"2.x shim gone", at + `msg="shim disconnected" id=` + cid + ` namespace=k8s.io`, one(c, evidence.TaskExited{})},
	{"cleaning up is not the end itself", `time="2026-11-21T08:32:41Z" level=warning msg="cleaning up after shim disconnected" id=` + cid + ` namespace=k8s.io`, nil},
	{"1.6 exit, Go syntax", at + `msg="TaskExit event &TaskExit{ContainerID:` + cid + `,ID:` + cid + `,Pid:123,ExitStatus:137,ExitedAt:2026-11-21 08:32:41 +0000 UTC,XXX_unrecognized:[],}"`,
		one(c, evidence.TaskExited{ExitCode: code(137)})},
	{"1.7 exit, protobuf text", at + `msg="received exit event container_id:\"` + cid + `\"  id:\"` + cid + `\"  pid:123  exit_status:137  exited_at:{seconds:1795249961  nanos:5}"`,
		one(c, evidence.TaskExited{ExitCode: code(137)})},
	{"1.7 exit with zero", at + `msg="TaskExit event in podsandbox handler container_id:\"` + cid + `\"  id:\"` + cid + `\"  pid:123  exited_at:{seconds:1795249961}"`,
		one(c, evidence.TaskExited{ExitCode: code(0)})},
	{"2.x sandbox exit", at + `msg="received sandbox exit event sandbox_id:\"` + sid + `\"  exit_status:143  exited_at:{seconds:1795249961}"`,
		one(s, evidence.TaskExited{ExitCode: code(143)})},
	{"the exit of an exec'd process", at + `msg="TaskExit event &TaskExit{ContainerID:` + cid + `,ID:probe,Pid:123,ExitStatus:1,ExitedAt:x,}"`, nil},
	{"1.6 OOM", at + `msg="TaskOOM event &TaskOOM{ContainerID:` + cid + `,XXX_unrecognized:[],}"`, one(c, evidence.TaskOOM{})},
	{"1.7 OOM", at + `msg="TaskOOM event container_id:\"` + cid + `\""`, one(c, evidence.TaskOOM{})},
	{"booted", at + `msg="containerd successfully booted in 0.015676s"`, one(evidence.Subject{}, evidence.RuntimeStarted{})},
	{"CRI-O started", `time="2026-11-21 08:32:38.157445494Z" level=info msg="Starting CRI-O, version: 1.30.4, git: dbc00ffd(clean)"`, one(evidence.Subject{}, evidence.RuntimeStarted{Version: "1.30.4"})},
	{"CRI-O created", at + `msg="Created container ` + cid + `: s-n3/p/a" id=8b1f name=/runtime.v1.RuntimeService/CreateContainer`,
		one(evidence.Subject{Namespace: "s-n3", Pod: "p", Container: "a", ContainerID: cid}, evidence.RuntimeCreated{Attempt: -1})},
	{"CRI-O sandbox", at + `msg="Ran pod sandbox ` + sid + ` with infra container: s-n3/p/POD" id=8b1f name=/runtime.v1.RuntimeService/RunPodSandbox`,
		one(evidence.Subject{Namespace: "s-n3", Pod: "p", SandboxID: sid}, evidence.SandboxCreated{Attempt: -1})},
	{"CRI-O stop", at + `msg="Stopping container: ` + cid + ` (timeout: 30s)" id=8b1f`, one(c, evidence.StopRequested{TimeoutSeconds: 30})},
	{"CRI-O stopped", at + `msg="Stopped container ` + cid + `: s-n3/p/a" id=8b1f`, one(evidence.Subject{Namespace: "s-n3", Pod: "p", Container: "a", ContainerID: cid}, evidence.TaskExited{})},
	{"CRI-O sandbox stop", at + `msg="Stopping pod sandbox: ` + sid + `" id=8b1f`, one(s, evidence.SandboxStopRequested{})},
	{"dockerd, old", at + `msg="Container ` + cid + ` failed to exit within 30 seconds of signal 15 - using the force"`, one(c, evidence.StopRequested{TimeoutSeconds: -1, Signal: "killed"})},
	{"dockerd, new", at + `msg="Container failed to exit within 10s of signal 15 - using the force" container=` + cid, one(c, evidence.StopRequested{TimeoutSeconds: -1, Signal: "killed"})},
	{"dockerd started", at + `msg="Daemon has completed initialization"`, one(evidence.Subject{}, evidence.RuntimeStarted{})},
	{"something else", at + `msg="Start streaming server"`, nil},
	{"no message", at, nil},
	{"a message inside another one", at + `msg="exec: msg=\"Kill container \\\"` + cid + `\\\"\""`, nil},
	{"an id that is none", at + `msg="StopContainer for \"../../etc\" with timeout 30 (s)"`, nil},
	{"cut in the middle", at + `msg="StopContainer for \"` + cid, nil},
}

func TestRuntimesLinesBecomeStatements(t *testing.T) {
	for _, l := range lines {
		t.Run(l.name, func(t *testing.T) {
			if diff := cmp.Diff(l.want, feed(l.line)); diff != "" {
				t.Errorf("%s\n%s", l.line, diff)
			}
		})
	}
}

func TestTheVersionComesFromTheLineBeforeTheStart(t *testing.T) {
	got := feed(at+`msg="starting containerd" revision="1.6.20~ds1-1+deb12u1" version="1.6.20~ds1"`, at+`msg="containerd successfully booted in 0.01s"`)
	if diff := cmp.Diff(one(evidence.Subject{}, evidence.RuntimeStarted{Version: "1.6.20~ds1"}), got); diff != "" {
		t.Error(diff)
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
	})
}

// Every runtime can be told to log as JSON; the lines say the same.
func TestALineAsJSONSaysTheSame(t *testing.T) {
	tested := 0
	for _, l := range lines {
		msg, rest, ok := message(l.line)
		if !ok || l.want == nil {
			continue
		}
		fields := map[string]any{"level": "info", "msg": msg, "time": "2026-11-21T08:32:38.157445494Z", "n": 3, "deep": map[string]any{"msg": "x"}}
		for _, key := range []string{"id", "container", "namespace"} {
			if v := field(rest, key); v != "" {
				fields[key] = v
			}
		}
		line, err := json.Marshal(fields)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range []string{string(line), strings.ReplaceAll(string(line), `\u0026`, "&")} {
			tested++
			if diff := cmp.Diff(l.want, feed(line)); diff != "" {
				t.Errorf("%s: %s\n%s", l.name, line, diff)
			}
		}
	}
	if tested < 40 {
		t.Errorf("only %d lines were tested", tested)
	}
	started := feed(`{"level":"info","msg":"starting containerd","time":"x","version":"v2.1.4"}`, `{"level":"info","msg":"containerd successfully booted in 0.02s"}`)
	if diff := cmp.Diff(one(evidence.Subject{}, evidence.RuntimeStarted{Version: "v2.1.4"}), started); diff != "" {
		t.Error(diff)
	}
	for _, odd := range []string{`{`, `{"msg":"Kill container`, `{"msg":7}`, `{"x":"\"msg\":\"Kill container"}`, `{"a":{"msg":"Kill container \"` + cid + `\""}}`} {
		if got := feed(odd); got != nil {
			t.Errorf("%s says %+v", odd, got)
		}
	}
}
