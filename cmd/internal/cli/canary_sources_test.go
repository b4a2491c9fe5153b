package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/diag/bundle"
	"github.com/restartwhy/kubectl-restartwhy/diag/kube/kubetest"

	corev1 "k8s.io/api/core/v1"
)

// confided are secrets in the forms in which programs print them: everything that a filter
// of text promises to find. Each holds the mark.
var confided = []string{
	"password=hunter2c4n4ry", "PGPASSWORD=hunter2c4n4ry", "DB_PASS=hunter2c4n4ry",
	"password:hunter2c4n4ry", "ENCRYPTION_KEY=hunter2c4n4ry", "key=hunter2c4n4ry",
	`{"client_secret":"hunter2c4n4ry"}`, `{"key":"hunter2c4n4ry"}`, "api_key: hunter2c4n4ry",
	"--token hunter2c4n4ry", "--db-password=hunter2c4n4ry",
	"Authorization: Bearer aHVudGVyc4n4ry", "Authorization: Token hunter2c4n4ry",
	"Authorization: ApiKey hunter2c4n4ry", "Set-Cookie: sid=hunter2c4n4ry; Path=/",
	"postgres://app:hunter2/c4n4ry@db:5432/x", "redis://:hunter2c4n4ry@cache:6379",
	"app:hunter2@c4n4ry@tcp(db:3306)/x", "https://s.example/c?se=1&sig=hunter2c4n4ry&sp=r",
	"id AKIAC4N4RYAAAAAAAAAA", "ghp_abcdefghijklmnopqrstuvc4n4ry", `{"auths":{"r.example":{"auth":"YXBwOmh1c4n4ry"}}}`,
	"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxc4n4ry.c2lnbmF0dXJl", "&HTTPHeader{Name:X-Auth,Value:hunter2c4n4ry,}",
	"EnvVar{Name:A,Value:hunter2\nc4n4ry,ValueFrom:nil,}",
	"-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIc4n4ry\nAAAc4n4ry\n-----END EC PRIVATE KEY-----",
	"token: |\n  hunter2c4n4ry\n  hunter3c4n4ry\n", "password: \"hunter2\nc4n4ry\"",
	"curl -u app:hunter2c4n4ry https://x", "pass\u00adword=hunter2c4n4ry", "passphrase: 'correct c4n4ry battery'",
	"sid=hunter2c4n4ry", `{"session":"hunter2c4n4ry"}`, "ticket=ST-1-hunter2c4n4ry", "code=hunter2c4n4ryX9a1", "community=c4n4ry",
	"login=app:hunter2c4n4ry", "LICENSE=AB12-c4n4ry-EF56", "recovery_code=c4n4ry", "p%61ssword=hunter2c4n4ry",
	"p\u0430ssword=hunter2c4n4ry", "db:5432:shop:app:hunter2c4n4ry", "machine x login y password hunter2c4n4ry",
	"release: H4sIAAAAc4n4ryAAAA", "password:\n  hunter2c4n4ry", `invalid argument "c4n4ry" for "--db-password" flag`,
	`json: cannot unmarshal string "c4n4ry" into Go struct field C.db_password of type int`,
	"passwords:\n  a: hunter2c4n4ry",
	`parse "redis://:x#hunter2c4n4ry/y@r:6379": invalid port ":hunter2c4n4ry" after host`,
	"\\u003cpassword\\u003ec4n4ry\\u003c/password\\u003e", `redis.connect( 'auth', {"password":"c4n4ry"})`,
	"tool -p hunter2c4n4ry",
}

var mark = regexp.MustCompile(`(?i)c4n4ry`)

// spilt returns what stands around a secret in a text, "" if there is none.
func spilt(text string) string {
	at := mark.FindStringIndex(text)
	if at == nil {
		return ""
	}
	return fmt.Sprintf("%q", text[max(0, at[0]-160):min(len(text), at[1]+60)])
}

// quoted is a text as it stands within the quotes of JSON and Go.
func quoted(s string) string {
	b, _ := json.Marshal(s) // a string always can
	return string(b[1 : len(b)-1])
}

// secretPod has a secret wherever someone could put one. Its free texts hold one.
func secretPod(one string) string {
	q := quoted(one)
	applied := quoted(`{"spec":{"containers":[{"name":"a","image":"x:1","env":[{"name":"DB","value":"` +
		quoted(one) + `"}]}]}}`)
	return strings.NewReplacer("§§", applied, "§",
		q).Replace(
		`{"kind":"Pod","apiVersion":"v1","metadata":{"name":"web-0","namespace":"shop","uid":"u1","creationTimestamp":"2026-11-21T06:00:00Z",
"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"§§","note":"§"},"ownerReferences":[{"kind":"ReplicaSet","name":"web-1","uid":"o","controller":true,"apiVersion":"apps/v1"}]},
"spec":{"nodeName":"n1","restartPolicy":"Always","containers":[{"name":"a","image":"x:1","env":[{"name":"DB","value":"§"}],"command":["sh","-c","§"],"args":["§"],"workingDir":"/c4n4ry",
 "livenessProbe":{"httpGet":{"path":"/h?token=c4n4ry","port":80,"httpHeaders":[{"name":"X","value":"§"}]},"periodSeconds":10},"lifecycle":{"preStop":{"exec":{"command":["§"]}}}}]},
"status":{"phase":"Running","reason":"Odd","message":"§","conditions":[{"type":"Ready","status":"False","reason":"R","message":"§","lastTransitionTime":"2026-11-21T07:00:00Z"},
 {"type":"DisruptionTarget","status":"True","reason":"EvictionByEvictionAPI","message":"§","lastTransitionTime":"2026-11-21T07:00:00Z"}],
 "containerStatuses":[{"name":"a","image":"x:1","imageID":"i","containerID":"containerd://cfbbbf3f70d6994adc39f392fb9750a9e7d70445fca6d1fc5e265b88c024f0fa","restartCount":2,"state":{"waiting":{"reason":"CrashLoopBackOff","message":"§"}},
 "lastState":{"terminated":{"exitCode":1,"reason":"Error","message":"§","containerID":"containerd://` + secretOld + `","startedAt":"2026-11-21T07:00:00Z","finishedAt":"2026-11-21T07:09:58Z"}}}]}}`)
}

const secretOld = "0d4e8a1535ff50a48ce3204880af7cafddcc8521f56ff3382fdf0621d2b36338"

// secretObjects are those around the pod.
func secretObjects(one string) (event, node, set string) {
	r := strings.NewReplacer("§", quoted(one))
	event = r.Replace(
		`{"kind":"Event","apiVersion":"v1","metadata":{"name":"e1","namespace":"shop","annotations":{"a":"§"}},"involvedObject":{"kind":"Pod","namespace":"shop","name":"web-0","uid":"u1","fieldPath":"spec.containers{a}"},
"reason":"Unhealthy","message":"Liveness probe failed: §","type":"Warning","source":{"component":"kubelet","host":"n1"},"lastTimestamp":"2026-11-21T07:09:49Z","count":3}`)
	node = r.Replace(
		`{"kind":"Node","apiVersion":"v1","metadata":{"name":"n1","annotations":{"a":"§"},"labels":{"l":"c4n4ry"}},"status":{"conditions":[{"type":"Ready","status":"True","reason":"r","message":"§"}],
"nodeInfo":{"bootID":"b","machineID":"m","kernelVersion":"6.1","osImage":"Debian","containerRuntimeVersion":"containerd://2.1","kubeletVersion":"v1.31.0"}}}`)
	set = r.Replace(
		`{"kind":"ReplicaSet","apiVersion":"apps/v1","metadata":{"name":"web-1","namespace":"shop","uid":"o","annotations":{"a":"§"}},"spec":{"template":{"spec":{"containers":[{"name":"a","image":"x:1","env":[{"name":"DB","value":"§"}]}]}}}}`)
	return event, node, set
}

// secretLogs are a node's logs whose programs print a secret, over several lines where it has them.
func secretLogs(one string) map[string]string {
	kubelet := []string{
		`I1121 07:00:00.100000      80 server.go:1] "Kubelet version" kubeletVersion="v1.31.0"`,
		`I1121 07:09:49.100000      80 prober.go:111] "Probe failed" probeType="Liveness" pod="shop/web-0" podUID="u1" containerName="a" probeResult="failure" output="` + quoted(one) + `"`,
		"I1121 07:09:49.200000      80 prober.go:111] \"Probe failed\" probeType=\"Liveness\" pod=\"shop/web-0\" podUID=\"u1\" containerName=\"a\" probeResult=\"failure\" output=<\n\t" + strings.ReplaceAll(one, "\n", "\n\t") + "\n >",
		`E1121 07:09:49.300000      80 kuberuntime_manager.go:1] container &Container{Name:a,Image:x:1,Command:[sh -c ` +
			one + `],Args:[` + one + `],WorkingDir:,Env:[]EnvVar{EnvVar{Name:DB,Value:` +
			one + `,ValueFrom:nil,},},} start failed in pod web-0_shop(u1)`,
		`I1121 07:09:50.100000      80 kuberuntime_container.go:1] "Killing container with a grace period" pod="shop/web-0" podUID="u1" containerName="a" containerID="containerd://` + secretOld + `" gracePeriod=30`,
		`E1121 07:09:51.100000      80 pod_workers.go:1] "Error syncing pod, skipping" err="failed to \"StartContainer\" for \"a\" with PostStartHookError: ` + quoted(quoted(one)) + `" pod="shop/web-0" podUID="u1"`,
	}
	runtime := []string{
		`time="2026-11-21T07:09:58Z" level=info msg="Stop container \"` + secretOld +
			`\" with signal terminated ` + quoted(one) + `"`,
		`time="2026-11-21T07:09:58Z" level=error msg="StartContainer for \"` +
			secretOld + `\" failed" error="exec: ` + quoted(one) + `"`,
	}
	kernel := []string{`Out of memory: Killed process 13 (sh) total-vm:1kB`, `Kernel command line: quiet ` + quoted(one)}
	text, export := strings.Builder{}, strings.Builder{}
	put := func(program, unit string, pid int, messages []string) {
		for i, m := range messages {
			for line := range strings.Lines(m) {
				fmt.Fprintf(&text, "2026-11-21T07:09:5%d.1+00:00 n1 %s[%d]: %s\n", i, program, pid, strings.TrimSuffix(line, "\n"))
			}
			n := len(m)
			fmt.Fprintf(&export,
				"__CURSOR=%s%d\n__REALTIME_TIMESTAMP=%d\n_HOSTNAME=n1\n%sSYSLOG_IDENTIFIER=%s\n_PID=%d\nMESSAGE\n%s%s\n\n",
				program, i, 1795244990100000+i*1000000, unit, program, pid,
				[]byte{byte(n), byte(n >> 8), byte(n >> 16), 0, 0, 0, 0, 0}, m)
		}
	}
	put("kubelet", "_SYSTEMD_UNIT=kubelet.service\n", 80, kubelet)
	put("containerd", "_SYSTEMD_UNIT=containerd.service\n", 81, runtime)
	put("kernel", "_TRANSPORT=kernel\nSYSLOG_FACILITY=0\n", 0, kernel)
	return map[string]string{
		"nodes/n1/logs/messages": text.String(), "nodes/n1/journal/kubelet.export": export.String(),
		"nodes/n1/kmsg.txt": "# kmsg boottime=2026-11-21T06:00:00Z bootid=b\n6,1,1,-;" +
			strings.Join(kernel, "\n6,2,2,-;") + "\n",
	}
}

// secretRecords are a runtime's, as our own bundles have them and as crictl prints them.
func secretRecords(one string) (own, printed string) {
	r := strings.NewReplacer("§", quoted(one))
	own = r.Replace(
		`{"runtime":"containerd","runtimeVersion":"2.1","collectedAt":"2026-11-21T07:12:00Z","containers":[{"id":"` +
			secretOld + `","namespace":"shop","pod":"web-0","podUID":"u1","name":"a","attempt":1,
"state":"CONTAINER_EXITED","createdAt":1795244405100000000,"exitCode":1,"reason":"Error","message":"§","image":"x:1","annotations":{"io.kubernetes.container.hash":"§"},"statusError":"§"}]}`)
	printed = r.Replace(`{
 "status": {"id":"` + secretOld + `","metadata":{"name":"a","attempt":1},"state":"CONTAINER_EXITED","createdAt":"2026-11-21T07:00:00Z","startedAt":"2026-11-21T07:00:00Z","finishedAt":"2026-11-21T07:09:58Z","exitCode":1,
  "reason":"Error","message":"§","image":{"image":"x:1"},"labels":{"io.kubernetes.container.name":"a","io.kubernetes.pod.name":"web-0","io.kubernetes.pod.namespace":"shop","io.kubernetes.pod.uid":"u1","note":"§"},
  "annotations":{"io.kubernetes.container.hash":"abc","note":"§"},"mounts":[{"hostPath":"/c4n4ry"}]},
 "info": {"sandboxID":"x","pid":0,"config":{"envs":[{"key":"DB","value":"§"}],"command":["§"]},"runtimeSpec":{"process":{"env":["DB=c4n4ry"],"args":["§"]}}}}`)
	return own, printed
}

// secretCluster serves the objects, and is the cluster of KUBECONFIG.
func secretCluster(t *testing.T, one string) *kubetest.Server {
	t.Helper()
	var p corev1.Pod
	var e corev1.Event
	var n corev1.Node
	event, node, _ := secretObjects(one)
	for text, into := range map[string]any{secretPod(one): &p, event: &e, node: &n} {
		if err := json.Unmarshal([]byte(text), into); err != nil {
			t.Fatalf("%v in %s", err, text)
		}
	}
	s := kubetest.Serve(t)
	s.Put(&p, &e, &n)
	t.Setenv("KUBECONFIG", s.Kubeconfig("shop"))
	return s
}

// spiltFromBundle looks into every file of a bundle.
func spiltFromBundle(t *testing.T, name string) (found string, files int) {
	t.Helper()
	b, err := bundle.Open(name, bundle.Options{Now: t0})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	manifest, err := json.Marshal(b.Manifest)
	if err != nil {
		t.Fatal(err)
	}
	found = spilt(string(manifest))
	for _, f := range b.Files {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		r.Close()
		if err != nil {
			t.Fatal(err)
		}
		if at := spilt(string(data)); at != "" && found == "" {
			found = f.Path + ": " + at
		}
		files++
	}
	return found, files
}
