package apiserver

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const canary = "CANARY-hunter22"

// secretive is a cluster that holds a secret wherever one can hide.
func secretive() *fakeAPI {
	f := cluster()
	p, written := &f.pods[0], at(-10)
	p.Annotations = map[string]string{"kubectl.kubernetes.io/last-applied-configuration": canary,
		"kubernetes.io/config.source": "api"}
	p.ManagedFields = []metav1.ManagedFieldsEntry{{
		Manager: "kubectl-set", Operation: "Update", APIVersion: "v1", Time: &written, FieldsType: "FieldsV1",
		FieldsV1: metav1.NewFieldsV1(`{"f:metadata":{"f:annotations":{"f:` +
			canary + `":{}}},"f:spec":{"f:containers":{"k:{\"name\":\"a\"}":{"f:image":{},"f:env":{"k:{\"name\":\"` +
			canary + `\"}":{}}}}}}`),
	}}
	p.Spec.Volumes = []corev1.Volume{
		{Name: "v", VolumeSource: corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{SecretName: canary}}}}
	p.Spec.ImagePullSecrets = []corev1.LocalObjectReference{{Name: canary}}
	p.Spec.ServiceAccountName = canary
	c := &p.Spec.Containers[0]
	c.Env = []corev1.EnvVar{{Name: "DB_PASSWORD", Value: canary}}
	c.EnvFrom = []corev1.EnvFromSource{{Prefix: canary}}
	c.Command, c.Args, c.WorkingDir = []string{canary}, []string{"--password", canary}, canary
	c.VolumeMounts = []corev1.VolumeMount{{Name: "v", MountPath: canary}}
	c.Resources.Limits = corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("64Mi")}
	c.LivenessProbe = &corev1.Probe{ProbeHandler: corev1.ProbeHandler{Exec: &corev1.ExecAction{Command: []string{canary}}},
		PeriodSeconds: 2}
	c.ReadinessProbe = &corev1.Probe{ProbeHandler: corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{
		Path: "/ready?key=" + canary, HTTPHeaders: []corev1.HTTPHeader{{Name: "Authorization", Value: canary}},
	}}}
	c.Lifecycle = &corev1.Lifecycle{PreStop: &corev1.LifecycleHandler{Exec: &corev1.ExecAction{Command: []string{canary}}}}
	p.Status.ContainerStatuses[0].LastTerminationState.Terminated.Message = "cannot log in with password=" + canary
	f.events[1].Message, f.events[1].Reason = "Liveness probe failed: GET http://admin:"+canary+"@db/", "Unhealthy"
	f.nodes[0].Annotations = map[string]string{"x": canary}
	f.nodes[0].Labels = map[string]string{"x": canary}
	return f
}

func testHash(c *corev1.Container) []evidence.SpecHash {
	return []evidence.SpecHash{{FromMinor: 31, ToMinor: 36, Algorithm: "test",
		Hex: fmt.Sprintf("%x", len(c.Env)+len(c.Image))}}
}

func filesOf(t *testing.T, p evidence.RawEvidence) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, f := range p.Files() {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil || int64(len(data)) != f.Size {
			t.Fatalf("%s: %v, %d of %d bytes", f.Path, err, len(data), f.Size)
		}
		out[f.Path] = string(data)
	}
	return out
}

func collected(t *testing.T, f *fakeAPI, s Scope) (evidence.RawEvidence, []evidence.Gap) {
	t.Helper()
	pieces, gaps := NewSource(f.serve(t), s, Hasher{Present: testHash}, Options{Now: now}).Collect(t.Context())
	if len(pieces) != 1 {
		t.Fatalf("%d pieces, gaps %v", len(pieces), gaps)
	}
	return pieces[0], gaps
}

func TestTheFilesHoldTheEvidenceAndNoSecret(t *testing.T) {
	piece, _ := collected(t, secretive(), Scope{})
	for path, got := range filesOf(t, piece) {
		if strings.Contains(got, "CANARY") {
			t.Errorf("a secret got into %s:\n%s", path, got)
		}
		if !json.Valid([]byte(got)) {
			t.Errorf("%s is not JSON", path)
		}
		golden := filepath.Join("testdata", filepath.FromSlash(path))
		if *update {
			if err := os.MkdirAll(filepath.Dir(golden), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
			t.Errorf("%s:\n%s", path, diff)
		}
	}
}

func TestABundleSaysWhatTheClusterSaid(t *testing.T) {
	piece, gaps := collected(t, secretive(), Scope{})
	again := Decode(piece.Files(), Hasher{Present: func(*corev1.Container) []evidence.SpecHash {
		t.Error("a redacted container was hashed")
		return nil
	}})
	if diff := cmp.Diff(filesOf(t, piece), filesOf(t, again)); diff != "" {
		t.Errorf("the files change when they are read and written again:\n%s", diff)
	}
	live, offline := observed([]evidence.RawEvidence{piece}, gaps), observed([]evidence.RawEvidence{again}, nil)
	if diff := cmp.Diff(live, offline, cmp.AllowUnexported(safetext.Text{})); diff != "" {
		t.Errorf("live (-) and offline (+) differ:\n%s", diff)
	}
	if len(offline.Coverage) != 1 || len(offline.Pods[0].Containers[0].Hashes) == 0 {
		t.Errorf("coverage %+v, pod %+v", offline.Coverage, offline.Pods[0])
	}
}

// foreign is what `kubectl get pods,events,nodes -o json` would have written.
func foreign(t *testing.T) []byte {
	t.Helper()
	f := secretive()
	var items []any
	for i := range f.pods {
		f.pods[i].TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}
		items = append(items, f.pods[i])
	}
	for i := range f.events {
		f.events[i].TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "Event"}
		items = append(items, f.events[i])
	}
	f.nodes[0].TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "Node"}
	items = append(items, f.nodes[0], map[string]any{"kind": "Secret", "data": map[string]string{"x": canary}})
	data, err := json.MarshalIndent(map[string]any{"apiVersion": "v1", "kind": "List", "items": items}, "", "    ")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestWhatKubectlWroteIsReadHashedAndRedacted(t *testing.T) {
	asJSON := foreign(t)
	asYAML, err := yaml.JSONToYAML(asJSON)
	if err != nil {
		t.Fatal(err)
	}
	podList := func() []byte {
		f := secretive() // items of a PodList do not say what they are
		data, err := json.Marshal(corev1.PodList{TypeMeta: metav1.TypeMeta{Kind: "PodList", APIVersion: "v1"}, Items: f.pods})
		if err != nil {
			t.Fatal(err)
		}
		return data
	}()
	onePod, err := json.Marshal(basePod(func(p *corev1.Pod) {
		p.TypeMeta = metav1.TypeMeta{Kind: "Pod", APIVersion: "v1"}
	}))
	if err != nil {
		t.Fatal(err)
	}
	cases := map[string]struct {
		file evidence.File
		pods string
	}{
		"a list in JSON": {evidence.Bytes("all.json", asJSON), "bank/till-0 shop/web-0 shop/web-1"},
		"a list in YAML": {evidence.Bytes("all.yaml", asYAML), "bank/till-0 shop/web-0 shop/web-1"},
		"two YAML documents": {evidence.Bytes("all.yml",
			append(append([]byte("---\n"), asYAML...), "\n---\nkind: Pod\nmetadata: {name: x, uid: u1}\n"...)),
			"/x bank/till-0 shop/web-0 shop/web-1"},
		"a PodList": {evidence.Bytes("pods.json", podList), "bank/till-0 shop/web-0 shop/web-1"},
		"one pod":   {evidence.Bytes("pod.json", onePod), "shop/web-0"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if !Recognises(c.file) {
				t.Error("it is not recognised")
			}
			p := Decode([]evidence.File{c.file}, Hasher{Present: testHash})
			s := observed([]evidence.RawEvidence{p}, nil)
			if podNames(s) != c.pods || len(s.Coverage) != 0 || len(s.Gaps) != 0 {
				t.Errorf("pods %q, coverage %+v, gaps %+v", podNames(s), s.Coverage, s.Gaps)
			}
			for path, text := range filesOf(t, p) {
				if strings.Contains(text, "CANARY") {
					t.Errorf("a secret got into %s", path)
				}
			}
			for _, pod := range s.Pods {
				for _, container := range pod.Containers {
					if len(container.Hashes) == 0 {
						t.Errorf("%s/%s was not hashed", pod.Name, container.Name)
					}
				}
			}
		})
	}
}

func TestBadFilesCostOnlyThemselves(t *testing.T) {
	good := evidence.Bytes("cluster/nodes.json",
		[]byte(`{"kind":"List","items":[{"kind":"Node","metadata":{"name":"n1"}}]}`))
	broken := evidence.File{Path: "x.json", Open: func() (io.ReadCloser, error) { return nil, errors.New("disk on fire") }}
	cases := map[string]struct {
		file evidence.File
		gaps int
		why  string
	}{
		"not JSON":         {evidence.Bytes("cluster/pods.json", []byte(`{"items":[`)), 1, "unexpected end"},
		"not YAML":         {evidence.Bytes("x.yaml", []byte("a: b: c")), 1, "mapping values"},
		"not to be opened": {broken, 1, "disk on fire"},
		"one bad item": {evidence.Bytes("cluster/pods.json",
			[]byte(`{"kind":"List","items":[{"kind":"Pod","metadata":7},{"kind":"Pod","metadata":{"name":"x","uid":"y"}}]}`)),
			1, "item 0"},
		"many bad items": {evidence.Bytes("cluster/pods.json", []byte(`{"kind":"PodList","items":[1,2,3,4,5,6]}`)),
			4, "6 items cannot be read"},
		"an impossible quantity": {evidence.Bytes("p.json",
			[]byte(
				`{"kind":"Pod","metadata":{"name":"x","uid":"y"},"spec":{"containers":[{"resources":{"limits":{"memory":"lots"}}}]}}`)), 1, "quantities must match"},
		"nothing": {evidence.Bytes("cluster/pods.json", nil), 1, "unexpected end"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := observed([]evidence.RawEvidence{Decode([]evidence.File{c.file, good}, Hasher{})}, nil)
			if len(s.Nodes) != 1 || len(s.Gaps) != c.gaps || !strings.Contains(fmt.Sprint(s.Gaps), c.why) {
				t.Errorf("nodes %v, gaps %+v", s.Nodes, s.Gaps)
			}
		})
	}
}

func TestOnlyKubernetesObjectsAreRecognised(t *testing.T) {
	for path, content := range map[string]string{
		"kubelet.log": `{"kind":"Pod"}`, "a.json": `{"kind":"ConfigMap"}`, "b.json": `[]`,
		"c.yaml": "kind: Podlike\n", "d.json": "",
	} {
		if Recognises(evidence.Bytes(path, []byte(content))) {
			t.Errorf("%s with %q was recognised", path, content)
		}
	}
	if !Recognises(evidence.Bytes(hashesPath, []byte(`{"kind":"SpecHashes","items":[]}`))) {
		t.Error("the hashes were not recognised")
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(
		[]byte(
			`{"kind":"List","redacted":true,"window":{"from":"2026-11-21T07:00:00Z","until":"2026-11-21T07:01:00Z"},"items":[{"kind":"Pod","metadata":{"uid":"u"}}]}`), true)
	f.Add(
		[]byte("kind: Pod\nmetadata: {uid: u}\nspec: {containers: [{name: a, resources: {limits: {memory: 1e9999999}}}]}\n"),
		false)
	f.Add([]byte(`{"kind":"SpecHashes","items":[{"podUID":"u","container":"a","hashes":[{"hex":"1"}]}]}`), true)
	f.Add(
		[]byte(
			`{"kind":"EventList","items":[{"involvedObject":{"kind":"Pod","fieldPath":"spec.containers{a}"},"reason":"Killing","series":{}}]}`), true)
	for _, name := range []string{podsPath, eventsPath, nodesPath, hashesPath} {
		if data, err := os.ReadFile(filepath.Join("testdata", filepath.FromSlash(name))); err == nil {
			f.Add(data, true)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, asJSON bool) {
		name := "x.yaml"
		if asJSON {
			name = "x.json"
		}
		p := Decode([]evidence.File{evidence.Bytes(name, data)}, Hasher{Present: testHash})
		for _, o := range observed([]evidence.RawEvidence{p}, nil).Observations {
			if !safetext.Safe(o.Text.String()) || !safetext.Safe(o.Subject.Pod) {
				t.Fatalf("unsafe text in %+v", o)
			}
		}
		again := Decode(p.Files(), Hasher{})
		again.gaps = nil
		for path, text := range filesOf(t, again) {
			if !json.Valid([]byte(text)) {
				t.Fatalf("%s is not JSON: %s", path, text)
			}
		}
	})
}

func BenchmarkFilesOf10000Pods(b *testing.B) {
	p := &Piece{}
	for _, pod := range manyPods(10_000) {
		p.pods = append(p.pods, &pod)
	}
	b.ReportAllocs()
	for b.Loop() {
		p.Files()
	}
}
