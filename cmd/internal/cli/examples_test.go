package cli

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/command"
	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
)

// Examples that no test can run, and why. All others run as they stand in the
// help, against a small API server and files of the names that they use.
var notRun = map[string]string{
	"sudo kubectl-restartwhy collect --local -o node.tar.zst":                      "reads the node that it runs on, as root",
	"ssh worker-3 sudo kubectl-restartwhy collect --local -o - > worker-3.tar.zst": "reads another node, as root",
	"kubectl restartwhy preflight --to v1.31 -A --watch":                           "does not end",
}

const (
	examplePod = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-0","namespace":"shop","uid":"11111111-1111-1111-1111-111111111111","labels":{"app":"web"},"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web-5d6b12","uid":"r","controller":true}]},` +
		`"spec":{"nodeName":"worker-3","restartPolicy":"Always","containers":[{"name":"app","image":"busybox:1.36","livenessProbe":{"exec":{"command":["true"]}}}]},` +
		`"status":{"phase":"Running","containerStatuses":[{"name":"app","image":"busybox:1.36","imageID":"x","containerID":"containerd://bbbb","ready":true,"restartCount":1,"state":{"running":{"startedAt":"2026-11-21T06:50:20Z"}},` +
		`"lastState":{"terminated":{"exitCode":3,"reason":"Error","startedAt":"2026-11-21T06:49:00Z","finishedAt":"2026-11-21T06:50:10Z","containerID":"containerd://aaaa"}}}]}}`
	exampleLog = "2026-11-21T06:40:00Z worker-3 kubelet[77]: I1121 06:40:00.000001      77 server.go:415] \"Kubelet version\" kubeletVersion=\"v1.31.0\"\n"
	exportLog  = "__REALTIME_TIMESTAMP=1795243200000000\n_HOSTNAME=worker-3\n_SYSTEMD_UNIT=kubelet.service\nSYSLOG_IDENTIFIER=kubelet\n" +
		"MESSAGE=I1121 06:40:00.000001      77 server.go:415] \"Kubelet version\" kubeletVersion=\"v1.31.0\"\n\n"
	staticPod = "apiVersion: v1\nkind: Pod\nmetadata: {name: etcd, namespace: kube-system}\nspec: {containers: [{name: etcd, image: etcd:3}]}\n"
)

// example is one line of a help text.
type example struct {
	command *cobra.Command
	line    string
}

func examples(cmd *cobra.Command) (all []example) {
	for line := range strings.Lines(cmd.Example) {
		line = strings.TrimSpace(line)
		line, _, _ = strings.Cut(line, "   ") // what stands behind says what it does
		all = append(all, example{cmd, strings.TrimSpace(line)})
	}
	for _, sub := range cmd.Commands() {
		all = append(all, examples(sub)...)
	}
	return all
}

// exampleAPI is a small API server with one pod that restarted; it returns a
// kubeconfig for it.
func exampleAPI(t *testing.T) string {
	t.Helper()
	node := `{"apiVersion":"v1","kind":"Node","metadata":{"name":"worker-3"},"status":{"nodeInfo":{"kubeletVersion":"v1.31.0"}}}`
	pods, events := `{"apiVersion":"v1","kind":"PodList","items":[`+examplePod+`]}`,
		`{"apiVersion":"v1","kind":"EventList","items":[]}`
	return api(t, map[string]string{
		"/api/v1/pods": pods, "/api/v1/namespaces/shop/pods": pods, "/api/v1/namespaces/shop/pods/web-0": examplePod,
		"/api/v1/events": events, "/api/v1/namespaces/shop/events": events, "/api/v1/namespaces/default/events": events,
		"/api/v1/nodes":          `{"apiVersion":"v1","kind":"NodeList","items":[` + node + `]}`,
		"/api/v1/nodes/worker-3": node, "/api/v1/nodes/worker-4": strings.ReplaceAll(node, "worker-3", "worker-4"),
		"/api/v1/namespaces/shop":                                `{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"shop"}}`,
		"/apis/apps/v1/namespaces/shop/deployments/web":          `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"},"spec":{"selector":{"matchLabels":{"app":"web"}}}}`,
		"/apis/authorization.k8s.io/v1/selfsubjectaccessreviews": `{"apiVersion":"authorization.k8s.io/v1","kind":"SelfSubjectAccessReview","status":{"allowed":true}}`,
	})
}

// exampleFiles writes what the examples read, and makes the directory the current
// one.
func exampleFiles(t *testing.T, config string) {
	t.Helper()
	t.Chdir(t.TempDir())
	t.Setenv("KUBECONFIG", config)
	filetest.Into(t, ".", map[string]string{
		"web.yaml": deployment, "pod.yaml": onePod, "kubelet.log": exampleLog,
		"etcd.yaml": staticPod, "journal/kubelet.log": exampleLog, "pasted.txt": pastedSession,
	})
	if _, errs, code := run(t, "collect", "-n", "shop", "--evidence", "api", "-o", "bundle.tar.zst"); code != 0 {
		t.Fatal(errs)
	}
	data, err := os.ReadFile("bundle.tar.zst")
	if err != nil {
		t.Fatal(err)
	}
	// What an archive is, its content tells.
	for _, name := range []string{"must-gather.tar.gz", "sosreport-n1.tar.xz"} {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// words splits a line as a shell does, as far as examples quote: '…' is one word.
func words(line string) (out []string) {
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			out = append(out, part)
			continue
		}
		out = append(out, strings.Fields(part)...)
	}
	return out
}

func TestEveryExampleOfTheHelpRuns(t *testing.T) {
	env, _, _ := testEnv()
	all := examples(newRoot(env, "kubectl restartwhy"))
	if len(all) < 30 {
		t.Fatalf("only %d examples: the test sees too little", len(all))
	}
	config := exampleAPI(t)
	exampleFiles(t, config)
	skipped := 0
	for _, e := range all {
		if notRun[e.line] != "" {
			skipped++
			continue
		}
		t.Run(e.line, func(t *testing.T) {
			left, line, piped := strings.Cut(e.line, " | ")
			if !piped {
				left, line = "", e.line
			}
			line, _, _ = strings.Cut(line, " > ")
			for path, here := range map[string]string{"/etc/kubernetes/manifests/": "", "/var/log/journal": "journal"} {
				line = strings.ReplaceAll(line, path, here)
			}
			args, ok := strings.CutPrefix(line, "kubectl restartwhy")
			if !ok {
				t.Fatalf("no command of this program: %s", line)
			}
			env, out, errOut := testEnv()
			switch {
			case strings.HasSuffix(line, "explain -"): // as journalctl prints it by itself
				env.Streams.In = strings.NewReader(
					"Nov 21 07:21:31 n1 kubelet[80]: I1121 07:21:31.823000      80 kuberuntime_container.go:779] \"Killing container with a grace period\" pod=\"shop/web-0\"" +
						" podUID=\"0a1b\" containerName=\"app\" containerID=\"containerd://" +
						strings.Repeat("ab", 32) + "\" gracePeriod=30\n")
			case strings.HasPrefix(left, "journalctl"):
				env.Streams.In = strings.NewReader(exportLog)
			case strings.HasPrefix(left, "logcli"):
				env.Streams.In = strings.NewReader(
					`{"labels":{"node":"n1","unit":"kubelet.service"},"line":"I1121 07:21:31.823000 80 kubelet.go:1] hello","timestamp":"2026-11-21T07:21:31Z"}` + "\n")
			case strings.HasPrefix(left, "kubectl get"):
				env.Streams.In = strings.NewReader(examplePod)
			}
			code := Run(t.Context(), env, append([]string{"kubectl-restartwhy"}, words(args)...))
			if code != command.ExitDone && (code != command.ExitMatched || !strings.Contains(line, "--fail-on")) {
				t.Errorf("exit code %d: %s", code, errOut)
			}
			// A template prints nothing of an incident where there is none.
			if out.Len() == 0 && !strings.Contains(line, "range .incidents") &&
				!strings.Contains(errOut.String(), "no restarts found") && !strings.Contains(errOut.String(), "no incident") &&
				!strings.Contains(errOut.String(), "wrote ") &&
				!strings.Contains(errOut.String(), "an agent is answered") {
				t.Errorf("it says nothing: %s", errOut)
			}
		})
	}
	for line := range notRun {
		if !slices.ContainsFunc(all, func(e example) bool { return e.line == line }) {
			t.Errorf("no command has the example %q any more", line)
		}
	}
	if skipped != 3 {
		t.Errorf("%d examples were not run", skipped)
	}
}

// A command without an example leaves the reader to guess.
func TestEveryCommandHasAnExampleAndALine(t *testing.T) {
	env, _, _ := testEnv()
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		if c.Short == "" || c.Example == "" {
			t.Errorf("%s: no line or no example", c.CommandPath())
		}
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() && sub.Name() != "help" {
				walk(sub)
			}
		}
	}
	walk(newRoot(env, "kubectl restartwhy"))
}
