package runtimelog

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// Every runtime can be told to log as JSON; the lines say the same.
func TestALineAsJSONSaysTheSame(t *testing.T) {
	tested := 0
	for _, l := range lines {
		msg, rest, ok := message(l.line)
		if !ok || l.want == nil || strings.HasPrefix(msg, "ShouldRestart ") { // its status is an object then
			continue
		}
		fields := map[string]any{"level": "info", "msg": msg, "time": "2026-11-21T08:32:38.157445494Z", "n": 3,
			"deep": map[string]any{"msg": "x"}}
		for _, key := range []string{"id", "container", "namespace", "error", "containerID", "sandboxID", "description",
			"topic"} {
			if v := field(rest, key); v != "" {
				fields[key] = v
			}
		}
		if pid, err := strconv.Atoi(field(rest, "PID")); err == nil {
			fields["PID"] = pid
		}
		line, err := json.Marshal(fields)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range []string{string(line), strings.ReplaceAll(string(line), `\u0026`, "&")} {
			tested++
			if diff := cmp.Diff(l.want, feed(line), texts); diff != "" {
				t.Errorf("%s: %s\n%s", l.name, line, diff)
			}
		}
	}
	if tested < 40 {
		t.Errorf("only %d lines were tested", tested)
	}
	started := feed(`{"level":"info","msg":"starting containerd","time":"x","version":"v2.1.4"}`,
		`{"level":"info","msg":"containerd successfully booted in 0.02s"}`)
	if diff := cmp.Diff(one(evidence.Subject{}, evidence.RuntimeStarted{Version: "v2.1.4"}), started, texts); diff != "" {
		t.Error(diff)
	}
	for _, odd := range []string{`{`, `{"msg":"Kill container`, `{"msg":7}`, `{"x":"\"msg\":\"Kill container"}`,
		`{"msg":"could","a":{"msg":"Could not restore sandbox ` + sid + `: no"}}`, `{"msg":"Failed","a":{"msg":"Events for "}}`,
		`{"a":{"msg":"Kill container \"` + cid + `\""}}`} {
		if got := feed(odd); got != nil {
			t.Errorf("%s says %+v", odd, got)
		}
	}
}

// A recorded containerd 1.6.20: two pods, in each a container that runs, one that
// cannot be started and one that runs out of memory. Then the shim of the first
// pod is killed, the daemon is stopped, the second shim is killed meanwhile, and
// the daemon is started again, and stopped at last.
func TestARecordedContainerdWithItsFailures(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "containerd-1.6.20.log"))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]int{}
	var lost []string
	for _, x := range feed(strings.Split(string(text), "\n")...) {
		name := x.Fact.Statement()
		switch f := x.Fact.(type) {
		case evidence.RuntimeFailed:
			name += " " + f.Op
			if !strings.Contains(f.Message.String(), "stat /bin/nothing: no such file or directory") {
				t.Errorf("the reason is lost: %s", f.Message)
			}
		case evidence.ShimLost:
			lost = append(lost, x.Subject.ContainerID[:8])
		}
		got[name]++
	}
	want := map[string]int{"runtime.started": 2, "runtime.stopping": 2, "runtime.sandbox-created": 2,
		"runtime.container-created": 6, "runtime.task-started": 4,
		"runtime.failed StartContainer": 2, "runtime.task-oom": 2, "runtime.shim-lost": 4, "runtime.task-exited": 6}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"2e2c810b", "b1339b46", "ada3dfa5", "adf63598"}, lost); diff != "" {
		t.Errorf("whose shim was lost: %s", diff)
	}
}

func TestLinesForATerminalAreReadAsThoseForAFile(t *testing.T) {
	const stamp = "2026-11-21T08:32:38.157445494Z"
	for name, line := range map[string]string{
		"aligned": "INFO[" + stamp + "] shim disconnected                             id=" + cid,
		"folded":  "INFO[" + stamp + "] shim disconnected id=" + cid + " namespace=k8s.io",
		"seconds": "WARN[0042] shim disconnected                             id=" + cid,
	} {
		if diff := cmp.Diff(one(c, evidence.TaskExited{}), feed(line), texts); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		at, ok := Time(line)
		if want := name != "seconds"; ok != want || ok && at.Second() != 38 {
			t.Errorf("%s: time %v %v", name, at, ok)
		}
	}
	long := `ERRO[` + stamp + `] StopContainer for "` + cid + `" failed             error="no such \"task\""`
	want := one(c, evidence.RuntimeFailed{Op: "StopContainer", Message: safetext.Clean(`no such "task"`)})
	if diff := cmp.Diff(want, feed(long), texts); diff != "" {
		t.Error(diff)
	}
	if got := feed("INFO[not a line] of logrus", "[2026] x", "INFO["); got != nil {
		t.Errorf("read %v", got)
	}
}
