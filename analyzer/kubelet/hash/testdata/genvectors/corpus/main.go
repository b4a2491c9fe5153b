// Corpus prints containers, one JSON object a line, that set every field of a container at least once in many
// combinations. The same containers come out of every run. Fields are text, not Go types, so that one line means the
// same to the types of every minor, fields that some of them do not know included.
package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// plain fields are known to every minor since 1.16; newer ones came later.
var plain = []struct {
	key    string
	values []string
}{
	{"command", []string{`["/bin/testcmd"]`, `["sh","-c","a <b >c && d"]`, `[]`, `["\u2028","\u007f","\u0001","tab\tquote\"back\\slash\\b"]`, `["ünï","🦊"]`}},
	{"args", []string{`["-v=2"]`, `["",""]`, `["\b\f"]`, `["--x={\"a\":1}"]`}},
	{"workingDir", []string{`"/srv"`}},
	{"ports", []string{`[{"containerPort":8001}]`, `[{"name":"http","hostPort":80,"containerPort":8080,"protocol":"TCP","hostIP":"127.0.0.1"},{"containerPort":53,"protocol":"UDP"}]`}},
	{"envFrom", []string{`[{"prefix":"A_","configMapRef":{"name":"c"}},{"secretRef":{"name":"s","optional":false}}]`, `[{"configMapRef":{}}]`}},
	{"env", []string{
		`[{"name":"A","value":"b"},{"name":"EMPTY"}]`,
		`[{"name":"P","valueFrom":{"fieldRef":{"apiVersion":"v1","fieldPath":"metadata.name"}}},{"name":"S","valueFrom":{"secretKeyRef":{"name":"foo","key":"bar","optional":true}}}]`,
		`[{"name":"R","valueFrom":{"resourceFieldRef":{"containerName":"a","resource":"limits.cpu","divisor":"0"}}},{"name":"C","valueFrom":{"configMapKeyRef":{"name":"c","key":"k"}}}]`,
		`[{"name":"R","valueFrom":{"resourceFieldRef":{"resource":"limits.memory","divisor":"1Mi"}}},{"name":"D","valueFrom":{"resourceFieldRef":{"resource":"requests.cpu"}}}]`,
	}},
	{"resources", []string{
		`{}`,
		`{"limits":{"cpu":"0.5","memory":"128Mi"},"requests":{"cpu":"100m","memory":"64Mi"}}`,
		`{"limits":{"memory":134217728,"cpu":2,"nvidia.com/gpu":"1"}}`,
		`{"limits":{"memory":"1.5Gi","cpu":"1500m","ephemeral-storage":"1e3"},"requests":{"memory":"0.1","cpu":"0"}}`,
		`{"requests":{"memory":"12345678901234567890123","cpu":"0.0000000001","hugepages-2Mi":"4096Ki"}}`,
		`{"limits":{"cpu":"1000m","memory":"1024Mi"},"requests":{"cpu":"+1","memory":"1E"}}`,
	}},
	{"volumeMounts", []string{
		`[{"name":"t","readOnly":true,"mountPath":"/var/run/secrets/kubernetes.io/serviceaccount"}]`,
		`[{"name":"d","mountPath":"/d","subPath":"s","mountPropagation":"HostToContainer"},{"name":"e","mountPath":"/e","subPathExpr":"$(POD)"}]`,
	}},
	{"volumeDevices", []string{`[{"name":"b","devicePath":"/dev/xvda"}]`}},
	{"livenessProbe", []string{
		`{"httpGet":{"path":"/healthz","port":8080,"scheme":"HTTP"},"initialDelaySeconds":3,"timeoutSeconds":1,"periodSeconds":10,"successThreshold":1,"failureThreshold":3}`,
		`{"exec":{"command":["cat","/tmp/h"]}}`,
		`{"tcpSocket":{"port":"http","host":"h"},"periodSeconds":5}`,
		`{}`,
	}},
	{"readinessProbe", []string{`{"httpGet":{"path":"/r?a=1&b=2","port":"web","host":"x","httpHeaders":[{"name":"H","value":"v"}]},"failureThreshold":1}`}},
	{"startupProbe", []string{`{"tcpSocket":{"port":1},"failureThreshold":30}`}},
	{"lifecycle", []string{`{"preStop":{"exec":{"command":["sleep","5"]}}}`, `{"postStart":{"httpGet":{"port":80}},"preStop":{"tcpSocket":{"port":1}}}`, `{}`}},
	{"terminationMessagePath", []string{`"/dev/termination-log"`}},
	{"terminationMessagePolicy", []string{`"File"`, `"FallbackToLogsOnError"`}},
	{"imagePullPolicy", []string{`"IfNotPresent"`, `"Always"`}},
	{"securityContext", []string{
		`{}`,
		`{"capabilities":{"add":["NET_ADMIN"],"drop":["ALL"]},"privileged":false,"runAsUser":0,"runAsGroup":1000,"runAsNonRoot":true,"readOnlyRootFilesystem":true,"allowPrivilegeEscalation":false,"procMount":"Default"}`,
		`{"seLinuxOptions":{"user":"u","role":"r","type":"t","level":"s0:c1"},"windowsOptions":{"gmsaCredentialSpecName":"g","gmsaCredentialSpec":"x","runAsUserName":"y"}}`,
	}},
	{"stdin", []string{`true`, `false`}},
	{"stdinOnce", []string{`true`}},
	{"tty", []string{`true`}},
}

var newer = []struct {
	key    string
	values []string
}{
	{"env", []string{`[{"name":"F","valueFrom":{"fileKeyRef":{"volumeName":"v","path":"p","key":"k","optional":true}}},{"name":"G","value":"g"}]`}},
	{"resources", []string{`{"claims":[{"name":"gpu"}]}`, `{"limits":{"cpu":"1"},"claims":[{"name":"gpu","request":"one"},{"name":"b"}]}`}},
	{"resizePolicy", []string{`[{"resourceName":"cpu","restartPolicy":"NotRequired"},{"resourceName":"memory","restartPolicy":"RestartContainer"}]`, `[]`}},
	{"restartPolicy", []string{`"Always"`}},
	{"restartPolicyRules", []string{`[{"action":"Restart","exitCodes":{"operator":"In","values":[42]}}]`}},
	{"volumeMounts", []string{`[{"name":"r","readOnly":true,"recursiveReadOnly":"Enabled","mountPath":"/r"},{"name":"s","mountPath":"/s"}]`, `[{"name":"b","mountPath":"/b","bindMountOptions":["noexec"]}]`}},
	{"livenessProbe", []string{`{"grpc":{"port":9000,"service":"s"},"terminationGracePeriodSeconds":5}`, `{"httpGet":{"port":80,"protocol":"HTTP2"}}`}},
	{"readinessProbe", []string{`{"grpc":{"port":9000,"mode":"TLS"}}`, `{"grpc":{"port":9001}}`}},
	{"startupProbe", []string{`{"exec":{},"terminationGracePeriodSeconds":0}`}},
	{"lifecycle", []string{`{"preStop":{"sleep":{"seconds":5}},"stopSignal":"SIGUSR1"}`, `{"postStart":{"sleep":{"seconds":0}},"preStop":{"httpGet":{"port":1,"protocol":"HTTP2"}}}`, `{"stopSignal":"SIGTERM"}`}},
	{"securityContext", []string{
		`{"seccompProfile":{"type":"Localhost","localhostProfile":"p"}}`,
		`{"runAsNonRoot":true,"seccompProfile":{"type":"RuntimeDefault"},"appArmorProfile":{"type":"Localhost","localhostProfile":"k8s"},"windowsOptions":{"hostProcess":true}}`,
		`{"windowsOptions":{"hostProcess":false}}`,
		`{"appArmorProfile":{"type":"RuntimeDefault"}}`,
	}},
}

var names = []string{"a", "sidecar-0", "test_container"}

var images = []string{"foo/image:v1", "registry.k8s.io/pause@sha256:0123", "nginx", "odd<image>&\"name\"", "ünï/image:\\b"}

func main() {
	// The container of the kubelet's own test of HashContainer.
	fmt.Println(`{"name":"test_container","image":"foo/image:v1","command":["/bin/testcmd"],"args":["/bin/sh","-c","echo abc"],"ports":[{"containerPort":8001}],"env":[{"name":"ENV_FOO","value":"bar"},{"name":"ENV_BAR","valueFrom":{"secretKeyRef":{"name":"foo","key":"bar","optional":true}}}],"resources":{"limits":{"foo":"1G"},"requests":{"foo":"500M"}}}`)
	fmt.Println(`{}`)
	// Each value alone, so that a difference points at its field.
	for _, list := range [][]struct {
		key    string
		values []string
	}{plain, newer} {
		for _, f := range list {
			for _, v := range f.values {
				fmt.Printf(`{"name":"a","image":"nginx",%q:%s}`+"\n", f.key, v)
			}
		}
	}
	r := rand.New(rand.NewPCG(1, 16))
	for i := range 60 {
		chosen := map[string]string{}
		for _, f := range plain {
			if r.IntN(3) == 0 {
				chosen[f.key] = f.values[r.IntN(len(f.values))]
			}
		}
		if i%3 != 0 { // every third has no newer field at all
			for _, f := range newer {
				if r.IntN(5) == 0 {
					chosen[f.key] = f.values[r.IntN(len(f.values))]
				}
			}
		}
		var b strings.Builder
		fmt.Fprintf(&b, `{"name":%q,"image":%q`, names[r.IntN(len(names))], images[r.IntN(len(images))])
		// Keys not in the order of the Go struct: decoding must put them right.
		for j := len(plain) - 1; j >= 0; j-- {
			if v, ok := chosen[plain[j].key]; ok {
				fmt.Fprintf(&b, ",%q:%s", plain[j].key, v)
				delete(chosen, plain[j].key)
			}
		}
		for _, f := range newer {
			if v, ok := chosen[f.key]; ok {
				fmt.Fprintf(&b, ",%q:%s", f.key, v)
				delete(chosen, f.key)
			}
		}
		fmt.Println(b.String() + "}")
	}
}
