package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/present"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report/reporttest"
	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
)

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
	filetest.Golden(t, filepath.Join("testdata", name+".golden"), got)
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
			i.Kind, i.ContainerKind, i.From, i.To, i.Time, i.Node = report.Refused,
				"sidecar", &report.Instance{Reason: "CreateContainerError", Signal: 9}, nil, nil, ""
			i.Verdict.Chain = append(i.Verdict.Chain[:3], report.Link{Role: report.RoleThen, Text: "a fifth step"},
				report.Link{Role: report.RoleEffect, Text: "the end"})
		}},
		"markdown":     {o: Options{Format: "markdown"}},
		"markdown-one": {o: Options{Format: "markdown"}, mutate: one},
		"markdown-nothing": {o: Options{Format: "markdown"}, mutate: func(r *report.Report) {
			r.Items, r.Incidents, r.Gaps = nil, nil, nil
		}},
		"html": {o: Options{Format: "html"}, mutate: func(r *report.Report) {
			r.NodeNotes = []report.NodeNote{{Node: "n1", Text: "containers outside of their pods' cgroups",
				Hint: "restart them"}}
			r.Profile = []report.Profile{{Node: "n1", KubeletVersion: "v1.31.0", ModelledAs: "v1.31"},
				{Node: "n2", KubeletVersion: "v1.99.0", ModelledAs: "v1.36"}}
		}},
		"prometheus": {o: Options{Format: "prometheus"}},
		"wide-ages":  {o: Options{Format: "wide", Ages: true}},
		"json":       {o: Options{Format: "json"}, mutate: one},
		"yaml":       {o: Options{Format: "yaml"}, mutate: one},
		"name":       {o: Options{Format: "name"}, mutate: func(r *report.Report) { r.Items = append(r.Items, r.Items[0]) }},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			r := reporttest.Report()
			if c.mutate != nil {
				c.mutate(r)
			}
			golden(t, name, render(t, c.o, r))
		})
	}
}

func TestColourNeverSaysSomethingAlone(t *testing.T) {
	plain, coloured := render(t, Options{}, reporttest.Report()), render(t, Options{Color: true}, reporttest.Report())
	if plain == coloured {
		t.Error("no colour at all")
	}
	if ansi.Strip(coloured) != plain {
		t.Error("the coloured table says more than the plain one")
	}
}

func TestNoLineIsWiderThanTheTerminal(t *testing.T) {
	r := reporttest.Report()
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
	if err := json.Unmarshal([]byte(render(t, Options{Format: "json"}, reporttest.Report())), &fromJSON); err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal([]byte(render(t, Options{Format: "yaml"}, reporttest.Report())), &fromYAML); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(*reporttest.Report(), fromJSON); diff != "" {
		t.Errorf("json: %s", diff)
	}
	if diff := cmp.Diff(fromJSON, fromYAML); diff != "" {
		t.Errorf("yaml: %s", diff)
	}
}

func TestAnEmptyReportHasListsAndNoTableRows(t *testing.T) {
	if got := render(t, Options{Format: "json"}, &report.Report{}); !strings.Contains(got, `"items": []`) ||
		strings.Contains(got, "null") {
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
		if got := render(t, Options{Format: format}, reporttest.Report()); got != want {
			t.Errorf("-o %s printed %q, want %q", format, got, want)
		}
	}
}

func TestAFormatThatIsNotThereNamesThoseThatAre(t *testing.T) {
	if _, err := New(Options{Format: "xml"}); err == nil ||
		!strings.Contains(err.Error(), `unknown output format "xml": want table|wide|brief|json`) {
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
	NodeNotes(&b, &report.Report{NodeNotes: []report.NodeNote{{Node: "n1", Text: "a", Hint: "b"},
		{Node: "n2", Text: "c"}}})
	if want := "warning: node n1: a\nhint: b\nwarning: node n2: c\n"; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}

func TestNotes(t *testing.T) {
	var buf bytes.Buffer
	Gaps(&buf, reporttest.Report().Gaps, false)
	Gaps(&buf, reporttest.Report().Gaps, true)
	Gaps(&buf, nil, true)
	nothing := func(s report.Scope, looked string) {
		fmt.Fprintln(&buf, present.Nothing(&report.Report{Scope: s}, looked))
	}
	nothing(report.Scope{Namespace: "shop", Since: "24h", Container: "a"}, "14 pods, 3 nodes")
	nothing(report.Scope{AllNamespaces: true, Selector: "app=web"}, "")
	nothing(report.Scope{Namespace: "shop", Targets: []string{"pod/web-0"}}, "1 pod")
	nothing(report.Scope{Nodes: []string{"n1", "n2"}}, "")
	nothing(report.Scope{From: []string{"b.tar.zst"}}, "3 pods")
	golden(t, "notes", buf.String())
}
