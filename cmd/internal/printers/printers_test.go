package printers

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

var update = flag.Bool("update", false, "write the golden files anew")

var t0 = time.Date(2026, 11, 21, 7, 11, 58, 0, time.UTC)

func ptr[T any](v T) *T { return &v }

func at(seconds int) *time.Time { return ptr(t0.Add(time.Duration(seconds) * time.Second)) }

// upgrade is a restart of the kubelet upgrade, proven.
func upgrade(id, pod string, seconds int) report.Item {
	return report.Item{
		ID: id, Node: "n1", Namespace: "shop", Pod: pod, PodUID: "u-" + pod, Container: "a", ContainerKind: "app", Workload: "statefulset/" + strings.TrimRight(pod, "-0123456789"), WorkloadFrom: report.FromOwners, Kind: report.Restart, Time: at(seconds),
		From: &report.Instance{ContainerID: "c5d81de25b9cb1a7f0", Attempt: ptr(0), StartedAt: at(-3600), FinishedAt: at(seconds), ExitCode: ptr(int32(137)), Reason: "Error", Image: "busybox:1.36", Hash: "c87f01d2"},
		To:   &report.Instance{ContainerID: "0d41e2b6a6f3b1a7f0", Attempt: ptr(1), StartedAt: at(seconds + 3), Image: "busybox:1.36", Hash: "5d6b12"},
		Verdict: report.Verdict{
			Cause: "hash-kubelet-upgrade", Mechanism: "hash-kubelet-upgrade", Confidence: report.Proven,
			Summary: "the kubelet was upgraded from v1.30.14 to v1.31.0 and hashes containers differently",
			Chain: []report.Link{
				{Role: report.RoleRoot, Cause: "hash-kubelet-upgrade", Text: "kubelet upgraded in place v1.30.14 → v1.31.0", At: at(-1), Evidence: []string{"e1"}},
				{Role: report.RoleMechanism, Cause: "hash-kubelet-upgrade", Text: "stored hash c87f01d2 is v1.30's hash of this very spec; v1.31 expects 5d6b12", Evidence: []string{"e2", "e3"}},
				{Role: report.RoleDecision, Cause: "hash-kubelet-upgrade", Text: "computePodActions: container a changed, kill and recreate", Evidence: []string{"e2"}},
				{Role: report.RoleEffect, Cause: "hash-kubelet-upgrade", Text: "SIGTERM, grace over, SIGKILL: exit 137", At: at(seconds), Evidence: []string{"e4", "e1", "e2", "e3"}},
			},
			Eliminated: report.Eliminate(
				report.Eliminated{Cause: "spec-image-changed", Because: "the image is the one that the stored hash was made from", Evidence: []string{"e2"}},
				report.Eliminated{Cause: "oom-container-limit", Because: "no kernel record of this cgroup"},
			),
			Actions: []string{"drain nodes before changing the kubelet's minor version"},
		},
		Incident: "i1",
	}
}

func fixture() *report.Report {
	unknown := upgrade("r9", "cart-0", -300)
	unknown.Kind, unknown.To, unknown.Incident, unknown.Namespace = report.Death, nil, "", "shop"
	unknown.Workload, unknown.WorkloadFrom = "cart", report.FromName
	unknown.Verdict = report.Verdict{
		Cause: "unknown", Mechanism: "unknown", Confidence: report.Unknown, Summary: "exit 137 without a statement of who sent the signal",
		Chain:        []report.Link{{Role: report.RoleEffect, Cause: "unknown", Text: "exit 137"}},
		Alternatives: []report.Alternative{{Cause: "killed-externally", Confidence: report.Possible, Text: "nothing in the API speaks against it", Evidence: []string{"e4"}}},
		Missing:      []report.Missing{{What: "kubelet log of n1", Consequence: "a kill by the kubelet cannot be excluded", Command: "kubectl restartwhy shop/cart-0 --evidence logs"}},
	}
	r := &report.Report{
		GeneratedAt: t0.Add(10 * time.Minute), Tool: report.Tool{Version: "v0.1.0"},
		Scope: report.Scope{Namespace: "shop"},
		Items: []report.Item{upgrade("r1", "web-0", 2), upgrade("r2", "web-1", 1), upgrade("r3", "db-0", 0), unknown},
		Incidents: []report.Incident{
			{ID: "i1", Cause: "hash-kubelet-upgrade", Node: "n1", Start: at(0), End: at(2), Items: []string{"r1", "r2", "r3"}, Summary: "kubelet upgraded v1.30.14 → v1.31.0 on n1: 3 containers"},
			{ID: "i2", Cause: "unknown", Items: []string{"r9"}, Summary: "too small for a line"},
		},
		Evidence: []report.Evidence{
			{ID: "e1", Source: report.Source{Kind: "kubelet-log", Node: "n1", Where: "nodes/n1/journal/kubelet.export"}, Time: at(-1), Text: `"Kubelet version" kubeletVersion="v1.31.0"`},
			{ID: "e2", Source: report.Source{Kind: "cri", Node: "n1"}, Text: "container a attempt 0 exited 137 Error, hash c87f01d2"},
			{ID: "e3", Source: report.Source{Kind: "spec-hash"}, Text: "fnv32a-json c87f01d2 for 1.16–1.30"},
			{ID: "e4", Source: report.Source{Kind: "api", Where: "pod/web-0"}, Time: at(2), Text: "exited 137 Error"},
		},
		Gaps: []report.Gap{
			{Source: "kernel-log", Node: "n1", Why: "permission denied", Hint: "run as root"},
			{Source: "api", Why: "events: forbidden", Hint: "needs list events"},
		},
	}
	r.Normalise()
	return r
}

func render(t *testing.T, o Options, r *report.Report) string {
	t.Helper()
	p, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	var buf bytes.Buffer
	if err := p(&buf, r); err != nil {
		t.Fatal(err)
	}
	return buf.String()
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs (-want +got); run with -update if that is meant:\n%s", path, diff)
	}
}

func TestWhatPeopleSee(t *testing.T) {
	one := func(r *report.Report) { r.Items, r.Incidents = r.Items[:1], nil }
	cases := map[string]struct {
		o      Options
		mutate func(*report.Report)
	}{
		"table":               {o: Options{}},
		"table-ages":          {o: Options{Ages: true}},
		"table-no-headers":    {o: Options{NoHeaders: true}},
		"table-narrow":        {o: Options{Width: 130}},
		"table-allnamespaces": {mutate: func(r *report.Report) { r.Scope.AllNamespaces = true }},
		"table-detail":        {o: Options{Detail: true}},
		"table-color":         {o: Options{Color: true}},
		"table-mixed": {mutate: func(r *report.Report) {
			r.Items[1].Verdict.Confidence = report.Likely
			r.Items[2].Namespace = "other"
		}},
		"table-of-one": {o: Options{Format: "table", Detail: true}, mutate: one},
		"wide":         {o: Options{Format: "wide"}},
		"item":         {mutate: one},
		"item-wrap":    {o: Options{Width: 80}, mutate: one},
		"item-unknown": {mutate: func(r *report.Report) {
			r.Items, r.Incidents = r.Items[3:], nil
		}},
		"item-sidecar-refused": {mutate: func(r *report.Report) {
			one(r)
			i := &r.Items[0]
			i.Kind, i.ContainerKind, i.From, i.To, i.Time, i.Node = report.Refused, "sidecar", &report.Instance{Reason: "CreateContainerError", Signal: 9}, nil, nil, ""
			i.Verdict.Chain = append(i.Verdict.Chain[:3], report.Link{Role: report.RoleThen, Text: "a fifth step"}, report.Link{Role: report.RoleEffect, Text: "the end"})
		}},
		"markdown":     {o: Options{Format: "markdown"}},
		"markdown-one": {o: Options{Format: "markdown"}, mutate: one},
		"markdown-nothing": {o: Options{Format: "markdown"}, mutate: func(r *report.Report) {
			r.Items, r.Incidents, r.Gaps = nil, nil, nil
		}},
		"html": {o: Options{Format: "html"}, mutate: func(r *report.Report) {
			r.NodeNotes = []report.NodeNote{{Node: "n1", Text: "containers outside of their pods' cgroups", Hint: "restart them"}}
			r.Profile = []report.Profile{{Node: "n1", KubeletVersion: "v1.31.0", ModelledAs: "v1.31"}, {Node: "n2", KubeletVersion: "v1.99.0", ModelledAs: "v1.36"}}
		}},
		"prometheus": {o: Options{Format: "prometheus"}},
		"wide-ages":  {o: Options{Format: "wide", Ages: true}},
		"json":       {o: Options{Format: "json"}, mutate: one},
		"yaml":       {o: Options{Format: "yaml"}, mutate: one},
		"name":       {o: Options{Format: "name"}, mutate: func(r *report.Report) { r.Items = append(r.Items, r.Items[0]) }},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			r := fixture()
			if c.mutate != nil {
				c.mutate(r)
			}
			golden(t, name, render(t, c.o, r))
		})
	}
}

func TestColourNeverSaysSomethingAlone(t *testing.T) {
	plain, coloured := render(t, Options{}, fixture()), render(t, Options{Color: true}, fixture())
	if plain == coloured {
		t.Error("no colour at all")
	}
	if ansi.Strip(coloured) != plain {
		t.Error("the coloured table says more than the plain one")
	}
}

func TestNoLineIsWiderThanTheTerminal(t *testing.T) {
	r := fixture()
	r.Items = r.Items[:1]
	for _, width := range []int{50, 80, 120} {
		for line := range strings.Lines(render(t, Options{Width: width, Color: true}, r)) {
			if n := ansi.StringWidth(strings.TrimSuffix(line, "\n")); n > width {
				t.Errorf("%d columns on a terminal of %d: %q", n, width, line)
			}
		}
	}
}

func TestStructuredOutputIsTheReport(t *testing.T) {
	var fromJSON, fromYAML report.Report
	if err := json.Unmarshal([]byte(render(t, Options{Format: "json"}, fixture())), &fromJSON); err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal([]byte(render(t, Options{Format: "yaml"}, fixture())), &fromYAML); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(*fixture(), fromJSON); diff != "" {
		t.Errorf("json: %s", diff)
	}
	if diff := cmp.Diff(fromJSON, fromYAML); diff != "" {
		t.Errorf("yaml: %s", diff)
	}
}

func TestAnEmptyReportHasListsAndNoTableRows(t *testing.T) {
	if got := render(t, Options{Format: "json"}, &report.Report{}); !strings.Contains(got, `"items": []`) || strings.Contains(got, "null") {
		t.Errorf("json: %s", got)
	}
	if got := render(t, Options{Format: "name"}, &report.Report{}); got != "" {
		t.Errorf("name: %q", got)
	}
}

func TestKubectlTemplates(t *testing.T) {
	cases := map[string]string{
		`jsonpath-as-json={.items[0].from.exitCode}`:                   "[\n    137\n]\n",
		`template={{len .items}}`:                                      "4",
		`go-template={{base64decode "aGk="}}`:                          "hi",
		`jsonpath={.items[*].verdict.cause}`:                           "hash-kubelet-upgrade hash-kubelet-upgrade hash-kubelet-upgrade unknown",
		`jsonpath={.items[?(@.verdict.confidence=="unknown")].pod}`:    "cart-0",
		`go-template={{range .items}}{{.from.exitCode}} {{end}}`:       "137 137 137 137 ",
		`go-template={{(index .incidents 0).summary}}{{"\n"}}`:         "kubelet upgraded v1.30.14 → v1.31.0 on n1: 3 containers\n",
		`jsonpath={range .items[*]}{.pod}{"/"}{.container}{"\n"}{end}`: "web-0/a\nweb-1/a\ndb-0/a\ncart-0/a\n",
	}
	for format, want := range cases {
		if got := render(t, Options{Format: format}, fixture()); got != want {
			t.Errorf("-o %s printed %q, want %q", format, got, want)
		}
	}
}

func TestAFormatThatIsNotThereNamesThoseThatAre(t *testing.T) {
	if _, err := New(Options{Format: "xml"}); err == nil || !strings.Contains(err.Error(), `unknown output format "xml": want table|wide|json`) {
		t.Errorf("xml: %v", err)
	}
	for _, format := range []string{"jsonpath={.items[", "go-template={{"} {
		if _, err := New(Options{Format: format}); err == nil {
			t.Errorf("%s was accepted", format)
		}
	}
}

func TestNodeNotesComeWithTheirHints(t *testing.T) {
	var b strings.Builder
	NodeNotes(&b, &report.Report{NodeNotes: []report.NodeNote{{Node: "n1", Text: "a", Hint: "b"}, {Node: "n2", Text: "c"}}})
	if want := "warning: node n1: a\nhint: b\nwarning: node n2: c\n"; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}

func TestNotes(t *testing.T) {
	var buf bytes.Buffer
	Gaps(&buf, fixture(), false)
	Gaps(&buf, fixture(), true)
	Gaps(&buf, &report.Report{}, true)
	Nothing(&buf, &report.Report{Scope: report.Scope{Namespace: "shop", Since: "24h", Container: "a"}}, "14 pods, 3 nodes")
	Nothing(&buf, &report.Report{Scope: report.Scope{AllNamespaces: true, Selector: "app=web"}}, "")
	Nothing(&buf, &report.Report{Scope: report.Scope{Namespace: "shop", Targets: []string{"pod/web-0"}}}, "1 pod")
	Nothing(&buf, &report.Report{Scope: report.Scope{Nodes: []string{"n1", "n2"}}}, "")
	Nothing(&buf, &report.Report{Scope: report.Scope{From: []string{"b.tar.zst"}}}, "3 pods")
	golden(t, "notes", buf.String())
}
