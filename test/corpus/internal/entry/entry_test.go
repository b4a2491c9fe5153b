package entry

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
)

const base = `title: A worker ends
collectedAt: 2026-03-01T10:10:00Z
truths:
- {pod: shop/worker, container: app, cause: app-exit-error, confidence: {"0": likely}}
-- cluster/pods.yaml --
kind: List
apiVersion: v1
items:
- {kind: Pod, apiVersion: v1, metadata: {name: worker, namespace: shop, uid: u1}, spec: {nodeName: n1}}
- {kind: Pod, apiVersion: v1, metadata: {name: other, namespace: shop, uid: u2}, spec: {nodeName: n1}}
-- nodes/n1/logquery/kubelet.log --
2026-03-01T09:59:00.000000+0000 n1 kubelet[80]: I0301 09:59:00.000000      80 server.go:491] "Kubelet version" kubeletVersion="v1.30.14"
-- nodes/n1/kmsg.txt --
6,1,1,-;Linux version 6.1
`

func TestAnEntryIsReadAsABundleIs(t *testing.T) {
	e, err := Parse("x", []byte(base))
	if err != nil {
		t.Fatal(err)
	}
	if e.Full() != 2 || len(e.Paths()) != 3 || Objects(e.Files["cluster/pods.json"]) != 2 {
		t.Errorf("tier %d, files %v", e.Full(), e.Paths())
	}
	s, err := e.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Pods) != 2 || len(s.Observations) == 0 || !s.CollectedAt.Equal(e.CollectedAt) {
		t.Errorf("%d pods, %d observations, collected at %v", len(s.Pods), len(s.Observations), s.CollectedAt)
	}
	for tier, want := range []int{1, 2, 3} {
		if got := e.At(tier).Paths(); len(got) != want {
			t.Errorf("tier %d has %v", tier, got)
		}
	}
	if len(e.Paths()) != 3 {
		t.Error("a tier took files away from the entry itself")
	}
}

func TestEntriesThatTestNothingAreRefused(t *testing.T) {
	for name, change := range map[string][2]string{
		"no title": {"title: A worker ends", "from: lab"},
		"no time":  {"collectedAt: 2026-03-01T10:10:00Z", "from: lab"},
		"no truth": {"- {pod: shop/worker, container: app, cause: app-exit-error, confidence: {\"0\": likely}}",
			" []"},
		"a pod without its ns":  {"pod: shop/worker", "pod: worker"},
		"an unknown word":       {`"0": likely`, `"0": certain`},
		"an unknown tier":       {`"0": likely`, `"7": likely`},
		"an unknown field":      {"title:", "tittle: x\ntitle:"},
		"the same file twice":   {"-- nodes/n1/kmsg.txt --", "-- cluster/pods.json --"},
		"a file that is broken": {"kind: List", "kind: [List"},
	} {
		text := strings.Replace(base, change[0], change[1], 1)
		if text == base {
			t.Errorf("%s: nothing was changed", name)
		}
		if _, err := Parse("x", []byte(text)); err == nil {
			t.Errorf("%s: read without an error", name)
		}
	}
	if _, err := Parse("x", []byte(base[:strings.Index(base, "-- cluster")])); err == nil {
		t.Error("an entry without files was read")
	}
}

func TestWorkedExamplesAreEntries(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "written"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "written", "worker.txtar"), []byte(base), 0o644); err != nil {
		t.Fatal(err)
	}
	all, err := Load(dir, []analyzer.Cause{{ID: "app-signal", Example: base}, {ID: "app-exit-zero", Page: "# x"}})
	if err != nil || len(all) != 2 || all[0].Name != "page app-signal" || all[1].Name != "worker" {
		t.Errorf("loaded %d entries: %v", len(all), err)
	}
	if err := os.WriteFile(filepath.Join(dir, "written", "bad.txtar"), []byte("title: x\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(dir, nil); err == nil || !strings.Contains(err.Error(), "bad") {
		t.Errorf("a bad entry: %v", err)
	}
}

func TestAnObjectIsTakenOutOfAList(t *testing.T) {
	e, err := Parse("x", []byte(base))
	if err != nil {
		t.Fatal(err)
	}
	one, err := WithoutObject(e.Files["cluster/pods.json"], 0)
	if err != nil || Objects(one) != 1 || !strings.Contains(string(one), "other") ||
		strings.Contains(string(one), "worker") {
		t.Errorf("%s, %v", one, err)
	}
	if _, err := WithoutObject([]byte("no json"), 0); err == nil {
		t.Error("an object was taken out of no list")
	}
}

func TestTiers(t *testing.T) {
	for p, want := range map[string]int{
		"cluster/pods.json": 0, "nodes/n1/logquery/kubelet.log": 1, "nodes/n1/logs/messages": 1,
		"nodes/n1/journal/kubelet.export": 1, "nodes/n1/journal/runtime.export": 1,
		"nodes/n1/journal/kernel.export": 2, "nodes/n1/cri.json": 2, "nodes/n1/kmsg.txt": 2,
		"nodes/n1/logquery/kernel.log": 2, "nodes/n1/journal/systemd.export": 2,
	} {
		if got := tierOf(p); got != want {
			t.Errorf("%s is of tier %d, want %d", p, got, want)
		}
	}
}
