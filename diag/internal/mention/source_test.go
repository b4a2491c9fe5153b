package mention

import (
	"bytes"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/naming"
)

// Programs, rules, settings, and pages that teach have the words of an end, and tell of none.
func TestWhatIsWrittenForAMachineOrAReaderTellsOfNoEnd(t *testing.T) {
	for name, text := range map[string]string{
		"README.md": "# Exit codes\n\nContainers end with a code.\n\n| code | meaning |\n|------|------|\n" +
			"| 137 | SIGKILL, mostly OOMKilled |\n\nA pod in CrashLoopBackOff with exit code 137 was killed by the kernel.\n",
		"status_test.go": "package status\n\nfunc TestReason(t *testing.T) {\n\tpod := newPod(\"web-0\")\n" +
			"\tif got := reason(pod); got != \"OOMKilled\" {\n\t\tt.Errorf(\"reason = %q\", got)\n\t}\n" +
			"\tassert.Contains(t, msg, \"container exited with code 137\")\n}\n",
		"pasted.txt": "package status\n\nfunc TestReason(t *testing.T) {\n\tpod := newPod(\"web-0\")\n" +
			"\tif got := reason(pod); got != \"OOMKilled\" {\n\t\tt.Errorf(\"reason = %q\", got)\n\t}\n}\n",
		"alerts.yaml": "groups:\n- name: apps\n  rules:\n  - alert: ContainerOOMKilled\n" +
			"    expr: kube_pod_container_status_last_terminated_reason{reason=\"OOMKilled\"} == 1\n" +
			"    annotations:\n      summary: Container was OOMKilled\n",
		"dashboard.json": `{"title":"OOMKilled containers","panels":[{"targets":[{"expr":"x{reason=\"OOMKilled\"}"}]}]}`,
		"jobs.json":      `{"jobs":[{"name":"x","State":{"ExitCode":3,"Name":"build"}}],"about":"pod cart-0"}`,
		"runbook.txt": "Runbook: pods that restart\n\n1. Look for pods in CrashLoopBackOff\n" +
			"2. Exit code 137 means that it was OOMKilled; exit code 1 is an error of the application.\n",
		"check.sh": "#!/bin/bash\nfor p in $(kubectl get pods -n shop | awk '/CrashLoopBackOff/{print $1}'); do\n" +
			"  echo \"pod $p is in CrashLoopBackOff\"\ndone\nif [ \"$code\" -eq 137 ]; then\n  echo \"container was OOMKilled\"\nfi\n",
		"values.yaml":  "# memory limit: the container is OOMKilled beyond it\nresources:\n  limits: {memory: 256Mi}\n",
		"CHANGELOG.md": "# Changelog\n\n- fix: the worker pod was OOMKilled (#812)\n- pods in CrashLoopBackOff are reported\n",
		"reasons.py": "def explain(pod):\n    for c in pod.status.container_statuses:\n        if c.exit_code == 137:\n" +
			"            raise RuntimeError(f\"container {c.name} was OOMKilled\")\n",
		"change.patch": "diff --git a/m.go b/m.go\n--- a/m.go\n+++ b/m.go\n@@ -8,2 +8,2 @@ func kill() {\n" +
			"-\t\tmessage = fmt.Sprintf(\"Container %s failed liveness probe\", name)\n" +
			"+\t\tmessage = fmt.Sprintf(\"Container %s failed liveness probe, will be restarted\", name)\n",
		"commands.txt": "# Check if the pod is OOMKilled\nkubectl describe pod web-0 -n shop | grep -i 'oom\\|kill\\|exit'\n\n" +
			"# look for evicted ones\n$ kubectl get events -A | grep Evicted\n" +
			"kubectl describe pod web-0\n# Look for: Exit Code, OOMKilled, Back-off restarting\n" +
			"kubectl get events --field-selector reason=Evicted -A --sort-by=.lastTimestamp\n",
		"half.txt": "package status\n\nimport (\n\t\"testing\"\n\t\"context\"\n\t\"net/http\"\n)\n\nfunc TestReason(t *testing.T) {\n" +
			"\tpod := newPod(\"web-0\")\n\tcheck(t,\n\t\tpod,\n\t\t\"container was OOMKilled\")\n\treturn\n}\n",
		"fence.txt": "The pod is then looked at:\n\n```go\nif reason == \"OOMKilled\" {\n\treturn\n}\nfor {\n}\n```\n\n```mermaid\nPhase -->|OOMKilled| up\n```\n",
		"lines.txt": "pods = v1.list_namespaced_pod(namespace=ns)\nfor pod in pods.items:\n    if pod.last.reason == \"OOMKilled\":\n" +
			"        alerts.append(f\"pod {pod.name} was OOMKilled\")\n",
		"checker.md": "Our checker:\n\n```\nstatus = read_status()\nif status.phase == \"Failed\":\n    raise RuntimeError(\"exit code 137\")\n" +
			"elif status.reason == \"Evicted\":\n    log.warning(\"evicted\")\n```\n",
		"plan.md": "## Test plan\n1. Apply pod.yaml\n2. Wait until pod `demo-2` is OOMKilled\n- [ ] the container is restarted\n\n" +
			"## Expected\nThe pod demo-2 should be restarted with exit code 137.\n",
		"node1/logs/agent.log": "time=\"2022-03-06T22:50:33Z\" level=error msg=\"exit status 1\"\n",
		"deletor.txt": "W0623 08:59:31.085316    4355 pod_container_deletor.go:77] Container " +
			"\"f945d4b8c255c66278f2defd984bcfaa270f3bfe4ec572ec0dacb23627a1f4f7\" not found in pod's containers\n",
		"compose.txt": "# docker compose up\nweb-1  | listening on 8080\nmigrate-1 exited with code 0\nseed-1 exited with code 0\n",
		"exec.txt":    "$ kubectl exec web-0 -n shop -- cat /x\ncommand terminated with exit code 1\n",
		"mount.txt":   "Warning  FailedMount  kubelet  mount failed: exit status 32\n",
		"status.txt":  "No restarts, nothing was OOMKilled, and kubectl get pods shows 0 restarts for each container.\n",
	} {
		if got := rawOf(Of(text, name, printed).Read(naming.Names{}, true)); len(got) > 0 {
			t.Errorf("%s: %s", name, bytes.Join(got, nil))
		}
	}
	// the same kinds of files, when somebody wrote down what happened
	for name, text := range map[string]string{
		"node1/logs/engine.log": "time=\"2022-03-06T22:50:33Z\" level=error " +
			"msg=\"the container exited with code 137, OOMKilled\"\n",
		"README.md": "# mkdir fails for me, help wanted\n\nPod `cart-0` is in CrashLoopBackOff.\n",
		"job.sh":    "2026-03-04 07:00:00 start\n2026-03-04 07:00:01 pod cart-0: OOMKilled\n",
		"pod.yaml":  "status:\n  containerStatuses:\n  - lastState: {terminated: {reason: OOMKilled, exitCode: 137}}\n",
		"plan.md":   "## Test plan\n1. Apply pod.yaml\n\n```\npod cart-0 exited with code 3\n```\n",
		"trace.txt": "panic: no route\n\ngoroutine 1 [running]:\nmain.main()\n\t/app/main.go:12 +0x1d\npod cart-0 exited with code 2\n",
		"guide.txt": "We followed the guide, and our pod cart-0 is OOMKilled.\n",
	} {
		if got := rawOf(Of(text, name, printed).Read(naming.Names{}, true)); len(got) == 0 {
			t.Errorf("%s: nothing of %q", name, text)
		}
	}
}

// Of several pods that a text names, an end without a name is of the one named last before it.
func TestAnEndIsOfThePodNamedLast(t *testing.T) {
	const text = "pod=web-0 is well\n\npod=cart-0:\n\n```\nOOMKilled, exit code 137\n```\n\nsomething else\n\nand more\n\nEvicted: reason: Evicted\n"
	got := string(bytes.Join(rawOf(Of(text, "notes.txt", printed).Read(naming.Names{}, false)), []byte("\n")))
	if !bytes.Contains([]byte(got), []byte(`"name":"cart-0"`)) || bytes.Contains([]byte(got), []byte(`"name":"web-0"`)) {
		t.Errorf("%s", got)
	}
}

// Of an object that no reader could take apart the words count, and its values are not shown.
func TestNoPieceOfAnObjectIsShown(t *testing.T) {
	for _, text := range []string{
		`{"status":{"metadata":{"name":"cart-0"},"state":"CONTAINER_EXITED","exitCode":137,"reason":"OOMKilled"},` +
			`"config":{"envs":[{"key":"A","value":"falcon-secret"}],`,
		`pod cart-0 was OOMKilled (exit code 137): {"spec":{"containers":[{"env":[{"name":"A","value":"falcon-secret"}]`,
		`msg="pod cart-0 exited with code 137" pod="{\"metadata\":{\"annotations\":{\"a\":\"falcon-secret\"}}}"`,
		`{"Name":"cart-0","State":{"ExitCode":137},"Config":{"Env":["A=falcon-secret"],"Labels":{"io.kubernetes.pod.name":"cart-0"`,
		`pod cart-0 exited with code 137 map[env:[map[name:A value:falcon-secret]]]`,
		`{Name:cart-0 ExitCode:137 Reason:OOMKilled Config:{Env:[A=falcon-secret]`,
		`{name: cart-0, exitCode: 137, reason: OOMKilled, env: [{name: A, value: falcon-secret}]`,
	} {
		if got := read(text, "a.txt"); !strings.Contains(got, "137") || strings.Contains(got, "falcon-secret") {
			t.Errorf("%s: %s", text, got)
		}
	}
	if got := read("pod shop/cart-0 exited with code 137 [exec: no such file]", "a.txt"); !strings.Contains(got, "no such file") {
		t.Errorf("a person's words: %s", got)
	}
}
