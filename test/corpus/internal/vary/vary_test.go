package vary

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/entry"
)

const story = `title: A worker ends
collectedAt: 2026-03-01T10:10:00Z
truths:
- {pod: shop/worker, container: app, cause: app-exit-error}
-- cluster/pods.yaml --
kind: List
apiVersion: v1
items:
- {kind: Pod, apiVersion: v1, metadata: {name: worker, namespace: shop, uid: u1, creationTimestamp: "2026-03-01T10:00:00Z"}, spec: {nodeName: n1, containers: [{name: app, image: "worker-image:1"}]}}
-- cluster/events.yaml --
kind: List
apiVersion: v1
items:
- {kind: Event, apiVersion: v1, metadata: {name: e1, namespace: shop}, involvedObject: {kind: Pod, namespace: shop, name: worker, uid: u1, fieldPath: "spec.containers{app}"}, reason: Killing, message: Stopping container app, source: {component: kubelet, host: n1}, lastTimestamp: "2026-03-01T10:05:00Z", count: 1}
-- nodes/n1/logquery/kubelet.log --
2026-03-01T09:59:00.000000+0000 n1 kubelet[80]: I0301 09:59:00.000000      80 flags.go:64] FLAG: --v="2"
2026-03-01T10:00:03.000000+0000 n1 kubelet[80]: I0301 10:00:03.000000      80 kubelet.go:2450] "SyncLoop (PLEG): event for pod" pod="shop/worker" event={"ID":"u1","Type":"ContainerStarted","Data":"11111111aaaa"}
2026-03-01T10:05:01.700000+0000 n1 kubelet[80]: I0301 10:05:01.700000      80 generic.go:334] "Generic (PLEG): container finished" podID="u1" containerID="11111111aaaa" exitCode=3
2026-03-01T10:06:00.000000+0000 n1 kubelet[80]: E0301 10:06:00.000000      80 x.go:1] "later"
-- nodes/n1/logquery/containerd.log --
2026-03-01T10:05:01.600000+0000 n1 containerd[70]: time="2026-03-01T10:05:01.600000000Z" level=info msg="StopContainer for \"11111111aaaa\" with timeout 30 (s)"
`

func parsed(t *testing.T) *entry.Entry {
	t.Helper()
	e, err := entry.Parse("x", []byte(story))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func snapshot(t *testing.T, v Variant) *evidence.Snapshot {
	t.Helper()
	s, err := v.Entry.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	if v.Change != nil {
		v.Change(s)
	}
	return s
}

func facts(s *evidence.Snapshot, kind evidence.SourceKind) (names []string) {
	for _, o := range s.Observations {
		if o.Source.Kind == kind {
			names = append(names, o.Fact.Statement())
		}
	}
	return names
}

func find(t *testing.T, all []Variant, how string) Variant {
	t.Helper()
	for _, v := range all {
		if v.How == how {
			return v
		}
	}
	t.Fatalf("no variant %q", how)
	return Variant{}
}

func TestSourcesAreTakenAway(t *testing.T) {
	e := parsed(t)
	all := Sources(e)
	whole := snapshot(t, Variant{Entry: e})
	if n := len(facts(whole, evidence.SourceKubeletLog)); n < 2 || len(facts(whole, evidence.SourceRuntimeLog)) == 0 ||
		len(facts(whole, evidence.SourceAPI)) == 0 {
		t.Fatalf("the base lacks facts: %v", whole.Observations)
	}
	if got := facts(snapshot(t, find(t, all, "without nodes/n1/logquery/containerd.log")),
		evidence.SourceRuntimeLog); len(got) != 0 {
		t.Errorf("without the runtime's log: %v", got)
	}
	if got := facts(snapshot(t, find(t, all, "with nothing but nodes/n1/logquery/containerd.log")),
		evidence.SourceKubeletLog); len(got) != 0 {
		t.Errorf("with nothing but the runtime's log: %v", got)
	}
	low := snapshot(t, find(t, all, "kubelet at -v=0"))
	for _, name := range facts(low, evidence.SourceKubeletLog) {
		if name == "kubelet.container-started" || name == "kubelet.container-finished" {
			t.Errorf("at -v=0 the log still says %s", name)
		}
	}
	for _, c := range low.Coverage {
		if c.Source == evidence.SourceKubeletLog && c.Verbosity > 0 {
			t.Errorf("at -v=0 the log claims verbosity %d", c.Verbosity)
		}
	}
	for _, name := range facts(snapshot(t, find(t, all, "events expired")), evidence.SourceAPI) {
		if name == "kubelet.kill-decided" {
			t.Error("an expired event is there")
		}
	}
	if s := snapshot(t, find(t, all, "no log claims to be whole")); len(s.Coverage) != 0 {
		t.Errorf("coverage is left: %v", s.Coverage)
	}
	late := snapshot(t, find(t, all, "logs rotated in the middle"))
	if len(facts(late, evidence.SourceKubeletLog)) >= len(facts(whole, evidence.SourceKubeletLog)) {
		t.Error("rotation took nothing away")
	}
	for _, c := range late.Coverage {
		if c.Source == evidence.SourceKubeletLog && c.From.Before(time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)) {
			t.Errorf("a rotated log reaches back to %v", c.From)
		}
	}
	if again := snapshot(t, Variant{Entry: e}); len(again.Observations) != len(whole.Observations) {
		t.Error("a variant changed the entry itself")
	}
}

func TestLinesAreTakenAwayOneByOne(t *testing.T) {
	e := parsed(t)
	all := Lines(e, 1000)
	if len(all) != 7 { // two objects, four lines, one line
		t.Fatalf("%d variants", len(all))
	}
	for _, v := range all {
		lost := 0
		for p, data := range e.Files {
			if !bytes.Equal(data, v.Entry.Files[p]) {
				lost++
				if len(v.Entry.Files[p]) >= len(data) {
					t.Errorf("%s: %s did not shrink", v.How, p)
				}
			}
		}
		if lost != 1 {
			t.Errorf("%s changed %d files", v.How, lost)
		}
	}
	if n := len(Lines(e, 3)); n > 3 || n == 0 {
		t.Errorf("asked for 3 variants, got %d", n)
	}
}

func TestEqualVariants(t *testing.T) {
	e := parsed(t)
	all := Equal(e, 1)
	whole := snapshot(t, Variant{Entry: e})
	renamed := find(t, all, "pods renamed")
	s := snapshot(t, renamed)
	if s.Pods[0].Name != "renamed-worker" || renamed.Entry.Truths[0].Pod != "shop/renamed-worker" ||
		s.Pods[0].Containers[0].Image != "worker-image:1" {
		t.Errorf("renamed: %s, image %s", s.Pods[0].Name, s.Pods[0].Containers[0].Image)
	}
	if strings.Contains(string(renamed.Entry.Files["nodes/n1/logquery/kubelet.log"]), `"shop/worker"`) {
		t.Error("the log knows the old name")
	}
	later := snapshot(t, find(t, all, "41 days and an hour later"))
	by := 41*24*time.Hour + time.Hour
	if !later.CollectedAt.Equal(whole.CollectedAt.Add(by)) ||
		!later.Pods[0].CreatedAt.Equal(whole.Pods[0].CreatedAt.Add(by)) ||
		!later.Coverage[0].From.Equal(whole.Coverage[0].From.Add(by)) {
		t.Error("not everything moved")
	}
	for i, o := range later.Observations {
		if at := whole.Observations[i].Time; !at.IsZero() && !o.Time.Equal(at.Add(by)) {
			t.Errorf("%s did not move", o.ID)
		}
	}
	if got := snapshot(t, find(t, all, "observations shuffled")); !reflect.DeepEqual(got.Observations,
		whole.Observations) {
		t.Error("the order of collection left a trace")
	}
	if twice := find(t, all, "logs doubled"); len(twice.Entry.Files) != len(e.Files)+2 {
		t.Errorf("doubled: %v", twice.Entry.Paths())
	}
}
