package cli

import (
	"encoding/base64"
	"io"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"

	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/command"
	"github.com/restartwhy/kubectl-restartwhy/diag/clock/clocktest"
	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
)

// formats are all outputs of a report. The first of them show all that it holds, and what is worked out when asked; the
// others have nothing that these have not.
var formats = [][]string{
	{"-o", "json"}, {"web-0", "-n", "shop", "-v"}, {"-o", "html"},
	{"-v"}, {"-o", "wide"}, {"-o", "yaml"}, {"-o", "markdown"}, {"-o", "prometheus"}, {"-o", "name"}, {"--plain"},
	{"-o", "brief"},
	{"-o", "custom-columns=WHY:.verdict.summary,FROM:.from,CHAIN:.verdict.chain[*],HAND:.verdict.decide,LOG:.logCommand"},
	{"-o", "jsonpath={.items[*]}{.evidence[*]}{.gaps}"},
	{"-o", "go-template={{range .items}}{{.}}{{end}}{{range .evidence}}{{.text}}{{end}}"},
}

// others are the commands that show other parts of a report, or another document.
var others = [][]string{{"incidents", "-v"}, {"incidents", "-o", "json"}, {"top"}, {"node", "n1", "-v"},
	{"preflight", "--to", "v1.37", "-o", "json"}, {"preflight", "--to", "v1.37", "-o", "html"}}

// sourcesOf are all ways in which evidence comes here, with a secret in each place of it. Each
// returns what --from takes.
var sourcesOf = map[string]func(t *testing.T, one string) string{
	"objects as kubectl prints them": func(t *testing.T, one string) string {
		event, node, set := secretObjects(one)
		return filetest.Plant(t, map[string]string{"all.json": `{"apiVersion":"v1","kind":"List","items":[` +
			strings.Join([]string{secretPod(one), event, node, set}, ",") + "]}"})
	},
	"logs and records of a node": func(t *testing.T, one string) string {
		files := secretLogs(one)
		files["bundle.json"] = `{"formatVersion":1,"tool":"x","collectedAt":"2026-11-21T07:30:00Z"}`
		files["nodes/n1/cri.json"], _ = secretRecords(one)
		event, node, _ := secretObjects(one)
		files["cluster/all.json"] = `{"apiVersion":"v1","kind":"List","items":[` +
			strings.Join([]string{secretPod(one), event, node}, ",") + "]}"
		return filetest.Plant(t, files)
	},
	"what crictl prints": func(t *testing.T, one string) string {
		_, printed := secretRecords(one)
		logs := secretLogs(one)
		event, node, _ := secretObjects(one)
		return filetest.Plant(t, map[string]string{"inspect.json": printed, "kubelet.log": logs["nodes/n1/logs/messages"],
			"all.json": `{"apiVersion":"v1","kind":"List","items":[` + strings.Join([]string{secretPod(one), event, node}, ",") +
				"]}"})
	},
	"a bundle of a cluster": func(t *testing.T, one string) string {
		secretCluster(t, one)
		return bundled(t, "-n", "shop", "--evidence", "api")
	},
	"a bundle of one pod": func(t *testing.T, one string) string {
		secretCluster(t, one)
		return bundled(t, "web-0", "-n", "shop", "--evidence", "api")
	},
	"a bundle of a node": func(t *testing.T, one string) string {
		manifest := strings.Replace(secretPod(one), `"uid":"u1",`, "", 1)
		root := filetest.Plant(t, map[string]string{
			"etc/kubernetes/manifests/web.yaml": manifest, "var/log/kubelet.log": secretLogs(one)["nodes/n1/logs/messages"],
			"etc/hostname":                "n1\n",
			"var/lib/kubelet/config.yaml": "kind: KubeletConfiguration\nstaticPodPath: /etc/kubernetes/manifests\nstaticPodURLHeader:\n  X: [" + `"` + quoted(one) + `"` + "]\n",
			"var/lib/kubelet/cpu_manager_state": `{"policyName":"none","defaultCpuSet":"","checksum":1,"note":"` +
				quoted(one) + `"}`,
			"var/log/dpkg.log": "2026-11-21 06:00:00 upgrade runc:amd64 1 2\n", "proc/sys/kernel/random/boot_id": "b\n",
		})
		return bundled(t, "--local", "--root", root, "--node", "n1", "--sources", "host,kubelet,packages,logfiles")
	},
}

// bundled collects a bundle, which holds no secret itself.
func bundled(t *testing.T, args ...string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "x.tar.zst")
	out, errOut, code := run(t, append([]string{"collect", "-o", name, "-v"}, args...)...)
	if code != command.ExitDone {
		t.Fatalf("exit code %d: %s", code, errOut)
	}
	found, files := spiltFromBundle(t, name)
	if found += spilt(out + errOut); found != "" || files == 0 {
		t.Errorf("collect: %d files, %s", files, found)
	}
	return name
}

// No secret of any form, put into any place of any source, reaches a bundle or an output.
func TestNoSecretReachesAnyOutput(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is the race detector's run: this has one goroutine, and make test runs it whole")
	}
	for source, plant := range sourcesOf {
		t.Run(source, func(t *testing.T) {
			for i, one := range confided {
				from, shown := plant(t, one), formats[:3]
				if i%20 == 0 || strings.HasPrefix(one, "-----BEGIN") {
					shown = slices.Concat(formats, others)
				}
				for _, args := range shown {
					out, errOut, code := run(t, append(slices.Clone(args), "--from", from)...)
					// A node has the pod under its mirror's name.
					if code != command.ExitDone && args[0] != "preflight" &&
						!strings.Contains(errOut, "hint: did you mean web-0-n1?") {
						t.Fatalf("%q as %v: exit code %d: %s", one, args, code, errOut)
					}
					if found := spilt(out) + spilt(errOut); found != "" {
						t.Errorf("%q as %v: %s", one, args, found)
					}
				}
			}
		})
	}
}

var copied = regexp.MustCompile(`\x1b\]52;c;([A-Za-z0-9+/=]*)`)

// Key by key through the viewer nothing is drawn, or copied, that holds a secret.
func TestNoSecretReachesTheViewer(t *testing.T) {
	for _, one := range []string{confided[0],
		"-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIc4n4ry\nAAAc4n4ry\n-----END EC PRIVATE KEY-----"} {
		master, tty, err := pty.Open()
		if err != nil {
			t.Skipf("no terminals here: %v", err)
		}
		if err := pty.Setsize(master, &pty.Winsize{Rows: 50, Cols: 200}); err != nil {
			t.Fatal(err)
		}
		var shown clocktest.Screen
		go func() { _, _ = io.Copy(&shown, master) }() // ends with the process
		env, _, errOut := testEnv()
		env.Streams.In, env.Streams.Out = tty, tty
		from := sourcesOf["logs and records of a node"](t, one)
		done := make(chan int, 1)
		go func() { done <- Run(t.Context(), env, []string{"kubectl-restartwhy", "analyze", from}) }()
		shown.Await(t, "web-0")
		keys := []string{"2", "\r", "2", "y", "c", "j", "\r", "y", "3", "j",
			"y", "4", "5", "\x1b", "\x1b", "3", "\r", "2", "y", "\x1b", "4", "m", "?"}
		for _, key := range keys {
			before := len(shown.String())
			_, _ = io.WriteString(master, key)
			for wait := 0; wait < 10 && len(shown.String()) == before; wait++ {
				time.Sleep(20 * time.Millisecond) // a key that does nothing here draws nothing
			}
			time.Sleep(40 * time.Millisecond) // two frames
		}
		_, _ = io.WriteString(master, "\x1b\x1b\x1b\x1bq\x03")
		clocktest.Await(t, func() bool { return len(done) == 1 }, func() string { return "the viewer does not end" })
		text := shown.String()
		n := 0
		for _, m := range copied.FindAllStringSubmatch(text, -1) {
			plain, err := base64.StdEncoding.DecodeString(m[1])
			if found := spilt(string(plain)); err != nil || found != "" {
				t.Errorf("copied: %v %s", err, found)
			}
			n++
		}
		if found := spilt(text) + spilt(errOut.String()); found != "" || n == 0 {
			t.Errorf("%d texts copied, on the screen: %s", n, found)
		}
		// The terminal stays open: Bubble Tea may ask it for its size after its end.
		runtime.KeepAlive(master)
	}
}
