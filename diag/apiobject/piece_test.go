package apiobject

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/objecttest"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// foreign is what `kubectl get pods,events,nodes -o json` would have written.
func foreign(t *testing.T) []byte {
	t.Helper()
	f := objecttest.Secretive()
	var items []any
	for i := range f.Pods {
		f.Pods[i].TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}
		items = append(items, f.Pods[i])
	}
	for i := range f.Events {
		f.Events[i].TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "Event"}
		items = append(items, f.Events[i])
	}
	f.Nodes[0].TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "Node"}
	items = append(items, f.Nodes[0], map[string]any{"kind": "Secret", "data": map[string]string{"x": objecttest.Canary}})
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
		f := objecttest.Secretive() // items of a PodList do not say what they are
		data, err := json.Marshal(corev1.PodList{TypeMeta: metav1.TypeMeta{Kind: "PodList", APIVersion: "v1"}, Items: f.Pods})
		if err != nil {
			t.Fatal(err)
		}
		return data
	}()
	onePod, err := json.Marshal(objecttest.BasePod(func(p *corev1.Pod) {
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
			p := Decode([]evidence.File{c.file}, Hasher{Present: objecttest.TestHash})
			s := objecttest.Observed([]evidence.RawEvidence{p}, nil)
			if objecttest.PodNames(s) != c.pods || len(s.Coverage) != 0 || len(s.Gaps) != 0 {
				t.Errorf("pods %q, coverage %+v, gaps %+v", objecttest.PodNames(s), s.Coverage, s.Gaps)
			}
			for path, text := range filetest.Of(t, p) {
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
				`{"kind":"Pod","metadata":{"name":"x","uid":"y"},"spec":{"containers":[`+
					`{"resources":{"limits":{"memory":"lots"}}}]}}`)),
			1, "spec.containers.0.resources.limits.memory"},
		"nothing": {evidence.Bytes("cluster/pods.json", nil), 1, "unexpected end"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := objecttest.Observed([]evidence.RawEvidence{Decode([]evidence.File{c.file, good}, Hasher{})}, nil)
			if len(s.Nodes) != 1 || len(s.Gaps) != c.gaps || !strings.Contains(fmt.Sprint(s.Gaps), c.why) {
				t.Errorf("nodes %v, gaps %+v", s.Nodes, s.Gaps)
			}
		})
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
		p := Decode([]evidence.File{evidence.Bytes(name, data)}, Hasher{Present: objecttest.TestHash})
		for _, o := range objecttest.Observed([]evidence.RawEvidence{p}, nil).Observations {
			if !safetext.Safe(o.Text.String()) || !safetext.Safe(o.Subject.Pod) {
				t.Fatalf("unsafe text in %+v", o)
			}
		}
		again := Decode(p.Files(), Hasher{})
		again.gaps = nil
		for path, text := range filetest.Of(t, again) {
			if !json.Valid([]byte(text)) {
				t.Fatalf("%s is not JSON: %s", path, text)
			}
		}
	})
}

func BenchmarkFilesOf10000Pods(b *testing.B) {
	p := &Piece{}
	for _, pod := range objecttest.ManyPods(10_000) {
		p.Pods = append(p.Pods, &pod)
	}
	b.ReportAllocs()
	for b.Loop() {
		p.Files()
	}
}
