package foreign

import (
	"slices"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// A log of any name may be what a container printed, in whatever form: it stands where nothing is proven by it. The
// name of a node's log tells otherwise.
func TestALogIsBelievedByItsName(t *testing.T) {
	const journal = `{"__REALTIME_TIMESTAMP":"1763709691823000","_BOOT_ID":"3e35731d488a498ba6eb103ff6db4a36",` +
		`"_SYSTEMD_UNIT":"kubelet.service","_HOSTNAME":"n1","SYSLOG_IDENTIFIER":"kubelet","MESSAGE":"hello"}` + "\n"
	for name, text := range map[string]string{
		"lines of a journal": kubeletLine,
		"lines of a kubelet": "I1121 07:21:31.823000      80 kubelet.go:1] \"hello\"\n",
		"lines of a kernel":  "[Fri Nov 21 07:21:31 2026] Linux version 6.1.0\n",
		"records":            journal,
	} {
		for path, want := range map[string]bool{
			"web-0.log": false, "shop/web-0/app.log": false, "previous.txt": false, "stdout": false, "a.json": false,
			"kubelet.log": true, "n1/kubelet.log.1": true, "journalctl.txt": true, "messages-20261121": true, "kern.log": true,
			"dmesg.txt": true, "containerd.log": true,
		} {
			got, _ := placed(t, "n1", map[string]string{path: text, "pods.json": podList})
			at := ""
			for p := range got {
				if strings.Contains(p, "/logs/") {
					at = p
				}
			}
			if at == "" || strings.Contains(at, "/unwrapped/") == want {
				t.Errorf("%s in %s stand at %q, believed should be %t", name, path, at, want)
			}
		}
	}
}

// Records that name a container are what it printed: no reader takes a word of them, however few they are and whatever
// else could read them.
func TestRecordsOfContainersAreNotRead(t *testing.T) {
	const line = `I1121 07:21:31.823000      80 kuberuntime_container.go:808] \"Killing container with a grace period\" ` +
		`pod=\"shop/web-0\" containerName=\"app\" containerID=\"containerd://1\" gracePeriod=30`
	for name, record := range map[string]string{
		"Fluent Bit": `{"@timestamp":"2026-11-21T07:21:31Z","log":"` + line + `","stream":"stderr",` +
			`"kubernetes":{"pod_name":"web-0","namespace_name":"shop","container_name":"app"}}`,
		"Filebeat": `{"@timestamp":"2026-11-21T07:21:31Z","message":"` + line + `","stream":"stderr",` +
			`"kubernetes":{"pod":{"name":"web-0"},"namespace":"shop","container":{"name":"app"}}}`,
		"a path alone": `{"@timestamp":"2026-11-21T07:21:31Z","message":"` + line + `",` +
			`"log":{"file":{"path":"/var/log/containers/web-0_shop_app-1.log"}}}`,
		"New Relic": `{"timestamp":1795245691000,"message":"` + line + `","pod_name":"web-0","container_name":"app"}`,
		"Datadog":   `{"timestamp":1795245691000,"message":"` + line + `","tags":["kube_container_name:app"]}`,
		"a kubelet's JSON": `{"ts":1795245691000.1,"caller":"kuberuntime_container.go:808","msg":"Killing container with a ` +
			`grace period","v":2,"pod":{"name":"web-0","namespace":"shop"},"containerName":"app","kubernetes":` +
			`{"pod_name":"web-0","container_name":"app"}}`,
		"a pod": `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"web-0","namespace":"shop"},` +
			`"spec":{"containers":[{"name":"app"}]},"stream":"stdout","kubernetes":{"pod_name":"x","container_name":"y"}}`,
	} {
		for _, n := range []int{1, 6} {
			got, _ := placed(t, "", map[string]string{"export.json": strings.Repeat(record+"\n", n)})
			for path := range got {
				t.Errorf("%s, %d times: %s", name, n, path)
			}
		}
	}
}

// What kubectl logs and stern put before a container's lines names no machine: beside other files nothing of it is
// read, whoever the lines seem to be of.
func TestPrefixedLinesOfContainersAreNotRead(t *testing.T) {
	for name, line := range map[string]string{
		"a kubelet's":      `I1121 07:21:31.823000      80 kubelet.go:1] "hello"`,
		"a kubelet's JSON": `{"ts":1763709691823.1,"caller":"kubelet.go:1","msg":"hello","v":2,"containerName":"app"}`,
		"a runtime's":      `time="2025-11-21T07:21:31Z" level=info msg="TaskOOM event container_id:\"1\""`,
		"the kernel's":     "Memory cgroup out of memory: Killed process 42 (app)",
	} {
		for _, prefix := range []string{"2025-11-21T07:21:31.823000000Z ", "[pod/web-0/app] 2025-11-21T07:21:31.823Z "} {
			got, _ := placed(t, "n1", map[string]string{"web-0.log": "hello\n" + prefix + line + "\n", "pods.json": podList})
			for path := range got {
				if strings.Contains(path, "/logs/") {
					t.Errorf("%s behind %q: %s", name, prefix, path)
				}
			}
		}
	}
}

// What the records of a store say counts as words, also where the export was cut; what a container's say does not.
// Another file may have the export's name without its extension.
func TestWordsOfAStoreAreRead(t *testing.T) {
	const said = `{"timestamp":"2026-11-21T07:21:31Z","message":"container web of pod shop/web-0 was OOMKilled"`
	const other = `{"timestamp":"2026-11-21T07:21:32Z","message":"hello"}` + "\n"
	const container = `,"kubernetes":{"pod_name":"x","container_name":"y"}`
	for name, c := range map[string]struct {
		text string
		want bool
	}{
		"whole":                  {said + "}\n" + other, true},
		"its end is cut":         {said + "}\n" + other + other[:20], true},
		"so is its beginning":    {other[:20] + "\n" + said + "}\n" + other, true},
		"a container's":          {said + container + "}\n" + other, false},
		"a container's, and cut": {said + container + "}\n" + other + other[:20], false},
	} {
		_, p := placed(t, "", map[string]string{"export.json": c.text, "export": "hello\n"})
		read := slices.ContainsFunc(p.out, func(f evidence.File) bool {
			return f.Path == Mentioned && strings.Contains(text(t, f), "OOMKilled")
		})
		if read != c.want {
			t.Errorf("%s: words are read: %t, want %t", name, read, c.want)
		}
	}
}
