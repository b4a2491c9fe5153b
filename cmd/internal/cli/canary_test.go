package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"sigs.k8s.io/yaml"

	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
)

// The canaries: what could steer a terminal or turn text around, raw and as JSON
// and Go write it.
const (
	rawCanary    = "\x1b[31m\x1b]0;x\x07\u202e\u009b2J"
	quotedCanary = `\u001b[31m\u001b]0;x\u0007\u202e\u009b2J`
)

// hostileBundle has the canary in every name, message and id that ends up in a
// report, of a pod that restarted twice and of its node.
func hostileBundle(t *testing.T) string {
	t.Helper()
	const id, old = "cfbbbf3f70d6994adc39f392fb9750a9e7d70445fca6d1fc5e265b88c024f0fa",
		"0d4e8a1535ff50a48ce3204880af7cafddcc8521f56ff3382fdf0621d2b36338"
	files := map[string]string{
		"bundle.json": `{"formatVersion":1,"tool":"x@","collectedAt":"2026-11-21T07:30:00Z","scope":{"namespace":"shop@","selector":"a@","targets":["pod/x@"],"nodes":["n1@"]},
"gaps":[{"source":"cri@","node":"n1@","why":"why@","hint":"hint@"}],"redactions":["none@"]}`,
		"cluster/pods.json": `{"kind":"List","apiVersion":"v1","items":[{"kind":"Pod","apiVersion":"v1","metadata":{"name":"web@","namespace":"shop@","uid":"u1@","creationTimestamp":"2026-11-21T06:00:00Z"},
"spec":{"nodeName":"n1@","restartPolicy":"Always","containers":[{"name":"a@","image":"x:1@"},{"name":"b","image":"x:1"}]},
"status":{"phase":"Running@","reason":"R@","message":"m@","containerStatuses":[
{"name":"a@","image":"x:1@","imageID":"i@","containerID":"containerd://` + id + `","restartCount":2,"state":{"running":{"startedAt":"2026-11-21T07:10:00Z"}},
 "lastState":{"terminated":{"exitCode":1,"reason":"Error@","message":"last words@","containerID":"containerd://` + old + `","startedAt":"2026-11-21T07:00:00Z","finishedAt":"2026-11-21T07:09:58Z"}}},
{"name":"b","image":"x:1","restartCount":1,"state":{"waiting":{"reason":"CrashLoopBackOff@","message":"m@"}},
 "lastState":{"terminated":{"exitCode":137,"reason":"OOMKilled","containerID":"containerd://ab@","startedAt":"2026-11-21T07:00:00Z","finishedAt":"2026-11-21T07:09:58Z"}}}]}},
{"kind":"Node","apiVersion":"v1","metadata":{"name":"n1@"},"status":{"nodeInfo":{"bootID":"b@","kernelVersion":"6.1@","osImage":"Debian@","containerRuntimeVersion":"containerd://2.1@","kubeletVersion":"v1.31.0@"}}},
{"kind":"Event","apiVersion":"v1","metadata":{"name":"e1@","namespace":"shop@"},"involvedObject":{"kind":"Pod","namespace":"shop@","name":"web@","uid":"u1@","fieldPath":"spec.containers{a@}"},
 "reason":"Killing","message":"Container a failed liveness probe, will be restarted@","type":"Normal","source":{"component":"kubelet","host":"n1@"},"lastTimestamp":"2026-11-21T07:09:50Z"},
{"kind":"Event","apiVersion":"v1","metadata":{"name":"e2","namespace":"shop@"},"involvedObject":{"kind":"Pod","namespace":"shop@","name":"web@","uid":"u1@","fieldPath":"spec.containers{a@}"},
 "reason":"Unhealthy","message":"Liveness probe failed: no@","type":"Warning","source":{"component":"kubelet","host":"n1@"},"lastTimestamp":"2026-11-21T07:09:49Z","count":3}]}`,
		"nodes/n1/logs/messages": strings.ReplaceAll(
			`2026-11-21T07:00:00.1+00:00 n1@ kubelet[80]: I1121 07:00:00.100000      80 server.go:1] "Kubelet version" kubeletVersion="v1.31.0@"
2026-11-21T07:09:50.1+00:00 n1@ kubelet[80]: I1121 07:09:50.100000      80 kuberuntime_container.go:1] "Killing container with a grace period" pod="shop@/web@" podUID="u1@" containerName="a@" containerID="containerd://`+old+`" gracePeriod=30
2026-11-21T07:09:58.2+00:00 n1@ containerd[81]: time="2026-11-21T07:09:58Z" level=info msg="Stop container \"`+old+`\" with signal terminated@"
2026-11-21T07:09:58.3+00:00 n1@ kernel: Out of memory: Killed process 13 (tail@) total-vm:1kB
2026-11-21T07:20:00.1+00:00 n1@ kubelet[99]: I1121 07:20:00.100000      99 server.go:1] "Kubelet version" kubeletVersion="v1.32.0@"
`, "@", rawCanary),
	}
	for name, text := range files {
		if strings.HasSuffix(name, ".json") {
			files[name] = strings.ReplaceAll(text, "@", quotedCanary)
		}
	}
	return filetest.Plant(t, files)
}

// steering returns the first rune of a text that must not reach a terminal.
func steering(s string) string {
	for at, r := range s {
		if r != '\n' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) {
			return fmt.Sprintf("%q at %d in %q", r, at, s[max(0, at-60):min(len(s), at+40)])
		}
	}
	return ""
}

// strings of a decoded document, keys too.
func leaves(v any, visit func(string)) {
	switch v := v.(type) {
	case string:
		visit(v)
	case []any:
		for _, e := range v {
			leaves(e, visit)
		}
	case map[string]any:
		for k, e := range v {
			visit(k)
			leaves(e, visit)
		}
	}
}

func TestNothingHostileReachesAnyOutput(t *testing.T) {
	dir := hostileBundle(t)
	for _, args := range []string{
		"", "-o json", "-o yaml", "-o name", "-o jsonpath={.items[*].pod}{.items[*].verdict.summary}{.gaps}",
		"-o go-template={{range .items}}{{.pod}}{{.from.reason}}{{.verdict.summary}}{{end}}",
		"-v=2", "--no-color", "-o markdown", "-o html", "-o prometheus", "-o wide", "--plain",
	} {
		t.Run(args, func(t *testing.T) {
			env, out, errOut := testEnv()
			line := []string{"kubectl-restartwhy", "analyze", dir}
			if flag, value, ok := strings.Cut(args, " "); ok {
				line = append(line, flag, value)
			} else if args != "" {
				line = append(line, args)
			}
			if code := Run(t.Context(), env, line); code != 0 {
				t.Fatalf("exit code %d: %s", code, errOut)
			}
			for stream, text := range map[string]string{"stdout": out.String(), "stderr": errOut.String()} {
				if found := steering(text); found != "" {
					t.Errorf("%s: %s", stream, found)
				}
			}
			if args == "" && !strings.Contains(out.String(), "web") {
				t.Errorf("the pod is not in it:\n%s", out)
			}
			var doc any
			var err error
			switch args {
			case "-o json":
				err = json.Unmarshal(out.Bytes(), &doc)
			case "-o yaml":
				err = yaml.Unmarshal(out.Bytes(), &doc)
			default:
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			leaves(doc, func(s string) {
				n++
				if found := steering(s); found != "" {
					t.Errorf("decoded: %s", found)
				}
			})
			if n < 100 {
				t.Errorf("only %d strings: the report is empty", n)
			}
		})
	}
}

// A file's own name is untrusted too.
func TestAHostileFileNameReachesNoOutput(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"kubelet" + rawCanary + ".log", "pods" + rawCanary + ".json",
		"broken" + rawCanary + ".gz"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("{\"kind\":\"Pod"+rawCanary+"\n"), 0o600); err != nil {
			t.Skipf("this file system has no such names: %v", err)
		}
	}
	for _, path := range []string{dir, filepath.Join(dir, "kubelet"+rawCanary+".log"),
		filepath.Join(dir, "none"+rawCanary)} {
		env, out, errOut := testEnv()
		Run(t.Context(), env, []string{"kubectl-restartwhy", "analyze", path})
		for stream, text := range map[string]string{"stdout": out.String(), "stderr": errOut.String()} {
			if found := steering(text); found != "" {
				t.Errorf("%s: %s", stream, found)
			}
		}
	}
}
