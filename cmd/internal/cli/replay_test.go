package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/command"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/demo"
)

// replayed runs `replay` on the recorded incident.
func replayed(t *testing.T, args ...string) (code int, out, errOut string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "incident.tar.zst")
	if err := os.WriteFile(file, demo.Named(demo.Incident), 0o600); err != nil {
		t.Fatal(err)
	}
	env, o, e := testEnv()
	code = Run(context.Background(), env, append([]string{"kubectl-restartwhy", "replay", "--from", file}, args...))
	return code, o.String(), e.String()
}

func TestReplayReadsLikeAnExplanation(t *testing.T) {
	code, out, errOut := replayed(t, "ambushed", "--suppose", "liveness-failed=app")
	if code != command.ExitDone || errOut != "" {
		t.Fatalf("exit code %d: %s", code, errOut)
	}
	golden := filepath.Join("testdata", "replay-liveness.golden")
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(golden, []byte(out), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, []byte(out)) {
		t.Errorf("got:\n%s\nwant:\n%s", out, want)
	}
}

func TestReplayPrintsForPrograms(t *testing.T) {
	for _, format := range []string{"json", "yaml"} {
		code, out, errOut := replayed(t, "ambushed", "--suppose", "sandbox-not-ready", "--kubelet", "v1.99", "-o", format)
		if code != command.ExitDone {
			t.Fatalf("%s: exit code %d: %s", format, code, errOut)
		}
		raw := []byte(out)
		if format == "yaml" {
			var err error
			if raw, err = yaml.YAMLToJSON(raw); err != nil {
				t.Fatal(err)
			}
		}
		var r struct {
			Kind          string
			ModelledAs    string
			Extrapolated  bool
			CreateSandbox bool
			Kill          []any
			Trace         []struct{ Branch, Question, Fact string }
		}
		if err := json.Unmarshal(raw, &r); err != nil {
			t.Fatal(err)
		}
		if r.Kind != "Replay" || r.ModelledAs != "v1.37" || !r.Extrapolated ||
			!r.CreateSandbox || r.Kill == nil || len(r.Trace) < 5 {
			t.Errorf("%s: %+v", format, r)
		}
	}
}

func TestReplayOutcomeInOneGlance(t *testing.T) {
	cases := map[string]struct{ args, want string }{
		"left alone":   {"ambushed", "nothing: every container stays as it is"},
		"no sandbox":   {"ambushed --suppose deleted", "the whole pod is killed and gets no new sandbox"},
		"new sandbox":  {"ambushed --suppose cgroup-missing", "the whole pod is killed and gets a new sandbox"},
		"no network":   {"ambushed --suppose network-not-ready", "nothing is started and nothing is stopped"},
		"a crash loop": {"fails-liveness", "not before 2026-"},
		"a newer minor": {"ambushed --kubelet v1.40",
			"decided by kubelet v1.40 (modelled as v1.37, the newest that is known)"},
		"a supposition": {"ambushed --suppose exited=app:3", "supposed  exited=app:3"},
		"a refusal": {"ambushed --suppose rejected=OutOfcpu",
			"the pod is rejected: it fails, its running containers are killed"},
		"a restart": {"ambushed --suppose readmitted", "in the first status: ready (it has no readiness probe)"},
		"an old kubelet": {"ambushed --kubelet v1.7.3",
			"Is the kubelet assumed to use the container runtime through CRI? · CRI is the default since 1.6"},
		"lost records": {"ambushed --kubelet v1.26 --suppose record-gone=app --suppose log-dir-count=7",
			"start container app, restart count 8"},
		"an end":         {"ambushed --suppose deadline-exceeded", "the pod has an active deadline"},
		"what was taken": {"ambushed --suppose exited=app:3", "Is app stopped or gone? · it exited with code 3"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			code, out, errOut := replayed(t, strings.Fields(c.args)...)
			if code != command.ExitDone || !strings.Contains(out, c.want) {
				t.Errorf("exit code %d, %q not in\n%s%s", code, c.want, out, errOut)
			}
		})
	}
}

func TestReplayRefusesWhatItCannotTake(t *testing.T) {
	cases := map[string]struct {
		args, want string
		code       int
	}{
		"no pod":           {"", "replay takes one pod", command.ExitUsage},
		"two pods":         {"a b", "replay takes one pod", command.ExitUsage},
		"no pod's owner":   {"deploy/web", "replay takes a pod, not deploy/web", command.ExitUsage},
		"an unknown fact":  {"ambushed --suppose bored", "want one of sandbox-not-ready", command.ExitUsage},
		"a fact of no one": {"ambushed --suppose unknown=x", "the pod has app", command.ExitUsage},
		"a fact cut short": {"ambushed --suppose log-dir-count=many", "want log-dir-count=N with a number",
			command.ExitUsage},
		"a reason that is no": {"ambushed --suppose rejected=", "want rejected=REASON, such as rejected=OutOfcpu", command.ExitUsage},
		"an unknown version":  {"ambushed --kubelet new", "parse kubelet version", command.ExitUsage},
		"an old version":      {"ambushed --kubelet v1.2", "not modelled", command.ExitUsage},
		"an unknown format":   {"ambushed -o pdf", "want table, wide, json, yaml, markdown, html", command.ExitUsage},
		"a pod that is not":   {"absent", "it is not in the evidence", command.ExitError},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			code, out, errOut := replayed(t, strings.Fields(c.args)...)
			if code != c.code || !strings.Contains(errOut, c.want) || out != "" {
				t.Errorf("exit code %d, want %d; %q not in %q; printed %q", code, c.code, c.want, errOut, out)
			}
		})
	}
}
