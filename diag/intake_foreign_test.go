package diag

import (
	"io"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/apiobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/bundle"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
	"github.com/restartwhy/kubectl-restartwhy/diag/foreign"
)

const foreignSecret = "hunter2canary"

// foreignPod has the canary wherever a value may stand.
const foreignPod = `apiVersion: v1
items:
- apiVersion: v1
  kind: Pod
  metadata:
    annotations:
      kubectl.kubernetes.io/last-applied-configuration: '{"env":"hunter2canary"}'
    name: web-0
    namespace: shop
    uid: u1
  spec:
    nodeName: n1
    containers:
    - name: a
      image: x:1
      command: ["sh", "-c", "hunter2canary"]
      env:
      - name: PASSWORD
        value: hunter2canary
    imagePullSecrets:
    - name: hunter2canary
- apiVersion: v1
  kind: Secret
  data:
    x: hunter2canary
kind: List
`

// gathered writes a tree, opens it as someone else's and takes it in.
func gathered(t *testing.T, files map[string]string, hash func(*corev1.Container) []evidence.SpecHash) (Collection,
	*evidence.Snapshot) {
	t.Helper()
	dir := filetest.Plant(t, files)
	b, _, err := foreign.Open(dir, "", bundle.Options{Now: t0.Add(time.Hour)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	y := Load(b, apiobject.Hasher{Present: hash})
	return y, Observe(y, b.Manifest.CollectedAt)
}

func TestNoSecretOfForeignObjectsReachesABundle(t *testing.T) {
	var seen []string
	hash := func(c *corev1.Container) []evidence.SpecHash {
		for _, e := range c.Env {
			seen = append(seen, e.Value)
		}
		return []evidence.SpecHash{{FromMinor: 16, ToMinor: 30, Hex: "abc", Image: c.Image}}
	}
	y, s := gathered(t, map[string]string{
		"m/namespaces/shop/core/pods.yaml":    "---\n" + foreignPod,
		"m/namespaces/shop/core/secrets.yaml": foreignPod,
		"inspect.json": `{
 "status": {"id":"aa","metadata":{"name":"a"},"state":"CONTAINER_EXITED","createdAt":"2026-11-21T07:00:00Z","labels":{"io.kubernetes.pod.name":"web-0","x":"` + foreignSecret + `"}},
 "info": {"sandboxID": "bb", "config":{"envs":[{"value":"` + foreignSecret + `"}]},"runtimeSpec":{"process":{"env":["` + foreignSecret + `"]}}}
}`,
	}, hash)
	if len(seen) != 1 || seen[0] != foreignSecret {
		t.Errorf("hashed %q: the values are needed for that, before they go", seen)
	}
	if len(s.Pods) != 1 || len(s.Pods[0].Containers[0].Hashes) != 1 {
		t.Fatalf("pods %+v, gaps %q", s.Pods, whys(s.Gaps))
	}
	files := 0
	for _, f := range y.Files() {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil || r.Close() != nil {
			t.Fatal(err)
		}
		files++
		if strings.Contains(string(data), foreignSecret) {
			t.Errorf("%s: %s", f.Path, data)
		}
	}
	if files < 5 {
		t.Errorf("only %d files: the test sees nothing", files)
	}
	// What crictl said is of the pod, on the only node that anybody names.
	for _, o := range s.Observations {
		if _, ok := o.Fact.(evidence.ContainerRecord); ok && o.Source.Kind == evidence.SourceCRI &&
			(o.Subject.Node != "n1" || o.Subject.Pod != "web-0") {
			t.Errorf("subject %+v", o.Subject)
		}
	}
}

func TestMaskedSpecsAreSaid(t *testing.T) {
	hash := func(c *corev1.Container) []evidence.SpecHash {
		return []evidence.SpecHash{{FromMinor: 16, ToMinor: 30, Hex: "abc"}, {FromMinor: 31, ToMinor: 36, Hex: "def"}}
	}
	_, s := gathered(t,
		map[string]string{"pods.yaml": strings.ReplaceAll(foreignPod, "value: "+foreignSecret, "value: '********'")}, hash)
	if h := s.Pods[0].Containers[0].Hashes; len(h) != 1 || h[0].Hex != "def" {
		t.Errorf("hashes %+v", h)
	}
	if !strings.Contains(whys(s.Gaps), "have masked values") {
		t.Errorf("gaps %q", whys(s.Gaps))
	}
}

// When a foreign file was read is not known: only its lines tell how far it goes.
func TestAForeignLogReachesToItsLastLine(t *testing.T) {
	_, s := gathered(t, map[string]string{"kind-worker/kubelet.log": strings.ReplaceAll(precise, " n1 ", " kind-worker "),
		"kind-worker/journal.log":    strings.ReplaceAll(precise, " n1 ", " kind-worker "),
		"kind-worker/containerd.log": strings.ReplaceAll(precise, " n1 ", " kind-worker ")}, nil)
	last := time.Date(2026, 11, 21, 7, 0, 6, 100e6, time.UTC)
	if len(s.Coverage) == 0 {
		t.Fatalf("no coverage, gaps %q", whys(s.Gaps))
	}
	for _, c := range s.Coverage {
		if !c.Until.Equal(last) || c.Node != "kind-worker" {
			t.Errorf("%+v", c)
		}
	}
}
