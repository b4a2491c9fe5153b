package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/command"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/demo"
	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
)

// foretold runs `preflight` on the recorded incident.
func foretold(t *testing.T, args ...string) (out, errOut string, code int) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "incident.tar.zst")
	if err := os.WriteFile(file, demo.Named(demo.Incident), 0o600); err != nil {
		t.Fatal(err)
	}
	return run(t, append([]string{"preflight", "--from", file}, args...)...)
}

// Each file is a command line, what it is about, the evidence, and what is printed and returned.
func TestPreflightStories(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "preflight", "*.txtar"))
	if err != nil || len(files) < 2 {
		t.Fatalf("stories: %v %v", files, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			files, want := map[string][]byte{}, -1
			for i, f := range a.Files {
				if f.Name == "want" {
					want = i
					continue
				}
				files[f.Name] = f.Data
			}
			dir := filetest.Plant(t, files)
			line, _, _ := strings.Cut(string(a.Comment), "\n")
			out, errOut, code := run(t, append(strings.Fields(line), "--from", dir)...)
			got := strings.ReplaceAll(out+"--- "+errOut, dir, "DIR") + "--- exit code " + string(rune('0'+code)) + "\n"
			if os.Getenv("UPDATE_GOLDEN") != "" {
				a.Files[want].Data = []byte(got)
				if err := os.WriteFile(file, txtar.Format(a), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(string(a.Files[want].Data), got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestPreflightOfTheRecordedNode(t *testing.T) {
	cases := map[string]struct {
		args string
		code int
		want string
	}{
		"the same kubelet":          {"--to same", command.ExitDone, "0 of 22 containers would restart"},
		"another era":               {"--to v1.30", command.ExitDone, "10 of 22 containers would restart"},
		"another era, as a gate":    {"--to v1.30 --fail-on restart", command.ExitMatched, "10 of 22"},
		"nothing to gate":           {"--to v1.36 --fail-on unknown", command.ExitDone, "0 of 22"},
		"a newer one than is known": {"--to v1.41", command.ExitDone, "behaves like v1.37, the newest known version"},
		"one pod":                   {"--to v1.30 steady", command.ExitDone, "1 of 1 container would restart"},
		"one node":                  {"--to v1.30 --node n2", command.ExitDone, "10 of 22"},
		"a node that is not there":  {"--to v1.30 --node n9", command.ExitError, "no running pod that was asked for (18 in all)"},
		"a node as an argument":     {"--to v1.30 node/n2", command.ExitDone, "10 of 22"},
		"a namespace":               {"--to v1.30 -n nowhere", command.ExitError, "no running pod that was asked for (18 in all)"},
		"an API server that is older": {"--to v1.36 --api-server v1.35", command.ExitDone,
			"would be newer than its API server v1.35"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			out, errOut, code := foretold(t, strings.Fields(c.args)...)
			if code != c.code || !strings.Contains(out+errOut, c.want) {
				t.Errorf("exit code %d, want %d and %q in\n%s%s", code, c.code, c.want, out, errOut)
			}
		})
	}
}

func TestWrongPreflightsAreUsageErrors(t *testing.T) {
	for args, want := range map[string]string{
		"":                              "needs --to",
		"--to nonsense":                 "parse kubelet version",
		"--to v1.4":                     "not modelled",
		"--to v2.0":                     "not modelled",
		"--to v1.31 --api-server x":     "--api-server",
		"--to v1.31 --fail-on proven":   "want restart, may, unknown",
		"--to v1.31 -o prometheus":      "unknown output format",
		"--to v1.31 --node n1 web-0":    "name nodes or what runs on them, not both",
		"--to v1.31 -l app=web":         "-l needs a cluster",
		"--to v1.31 --evidence nothing": "unknown value",
	} {
		_, errOut, code := foretold(t, strings.Fields(args)...)
		if code != command.ExitUsage || !strings.Contains(errOut, want) {
			t.Errorf("%q: exit code %d: %s", args, code, errOut)
		}
	}
}

// The cluster's pods and nodes are asked for once, and nothing else.
func TestPreflightOfACluster(t *testing.T) {
	config := api(t, map[string]string{
		"/api/v1/namespaces/shop/pods": `{"kind":"PodList","apiVersion":"v1","items":[{"metadata":{"namespace":"shop","name":"web-0","uid":"u1"},"spec":{"nodeName":"n1","restartPolicy":"Always","containers":[{"name":"app","image":"web:1","env":[{"name":"A","value":"b"}]}]},
			"status":{"phase":"Running","containerStatuses":[{"name":"app","containerID":"containerd://b2","started":true,"state":{"running":{"startedAt":"2026-11-20T07:00:00Z"}}}]}}]}`,
		"/api/v1/nodes/n1":               `{"kind":"Node","apiVersion":"v1","metadata":{"name":"n1"},"status":{"nodeInfo":{"kubeletVersion":"v1.30.14","containerRuntimeVersion":"containerd://1.7.2","operatingSystem":"linux"}}}`,
		"/api/v1/namespaces/shop/events": `{"kind":"EventList","apiVersion":"v1","items":[]}`,
	})
	out, errOut, code := run(t, "--kubeconfig", config, "preflight", "--to",
		"v1.31.0", "-o", "json", "--fail-on", "restart")
	if code != command.ExitMatched {
		t.Fatalf("exit code %d: %s", code, errOut)
	}
	var r report.Preflight
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err)
	}
	if r.Kind != report.PreflightKind || len(r.Items) != 1 || r.Items[0].Rule != "hash-kubelet-upgrade" ||
		r.Nodes[0].OS != "linux" || r.Scope.Namespace != "shop" {
		t.Errorf("%+v", r)
	}
	if strings.Contains(out, `"b"`) {
		t.Error("an environment value is in the report")
	}
}

func TestNothingHostileReachesAPreflight(t *testing.T) {
	dir := hostileBundle(t)
	for _, format := range []string{"table", "wide", "json", "yaml", "name", "markdown", "html"} {
		out, errOut, code := run(t, "preflight", "--to", "v1.30", "--from", dir, "-o", format)
		if code != command.ExitDone {
			t.Fatalf("%s: exit code %d: %s", format, code, errOut)
		}
		for _, text := range []string{out, errOut} {
			if found := steering(text); found != "" {
				t.Errorf("%s: %s", format, found)
			}
		}
		// The version of its kubelet is none, so no name of a pod that restarts is printed.
		if format != "name" && !strings.Contains(out, "web") {
			t.Errorf("%s: the pod is not in it", format)
		}
	}
}
