// Package contrib holds the tests of contrib: the dashboard and the rules are well-formed, and use metrics and labels
// that `-o prometheus` writes. `make metrics` has promtool check the rules.
package contrib

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// written are the metrics of a report, and their labels (docs/REPORT.md).
var written = map[string][]string{
	"restartwhy_restarts":                 {"cause", "confidence", "kind", "node", "namespace", "workload"},
	"restartwhy_incidents":                {"cause"},
	"restartwhy_evidence_gaps":            {"source"},
	"restartwhy_series_folded":            nil,
	"restartwhy_report_timestamp_seconds": nil,
	"restartwhy_report_info":              {"version"},
}

func TestTheMetricsAreThoseOfAReport(t *testing.T) {
	source, err := os.ReadFile(filepath.Join("..", "..", "cmd", "internal", "render", "data", "prometheus.go"))
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`family\(&b, "(\w+)"`).FindAllSubmatch(source, -1)
	if len(found) != len(written) {
		t.Errorf("%d metrics are written, %d are known here", len(found), len(written))
	}
	for _, m := range found {
		if _, ok := written[string(m[1])]; !ok {
			t.Errorf("%s is not known here", m[1])
		}
	}
	for _, label := range written["restartwhy_restarts"] {
		if !strings.Contains(string(source), label+`="%s"`) {
			t.Errorf("restartwhy_restarts has no label %s", label)
		}
	}
}

var (
	metric = regexp.MustCompile(`restartwhy_\w+`)
	labels = regexp.MustCompile(`by \(([^)]*)\)|(\w+)=~?"`)
)

// check reports the metrics and labels in an expression that are never written.
func check(t *testing.T, where, expr string) {
	t.Helper()
	names := metric.FindAllString(expr, -1)
	if len(names) == 0 || strings.Count(expr, "(") != strings.Count(expr, ")") ||
		strings.Count(expr, "{") != strings.Count(expr, "}") {
		t.Errorf("%s: %s", where, expr)
		return
	}
	for _, name := range names {
		have, ok := written[name]
		if !ok {
			t.Errorf("%s asks for %s", where, name)
		}
		for _, m := range labels.FindAllStringSubmatch(expr, -1) {
			for _, label := range strings.FieldsFunc(m[1]+" "+m[2], func(r rune) bool { return r == ',' || r == ' ' }) {
				if !slices.Contains(have, label) {
					t.Errorf("%s asks %s for label %s", where, name, label)
				}
			}
		}
	}
}

func TestTheRulesAskForWhatIsWritten(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "contrib", "prometheusrule.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var rule struct {
		APIVersion, Kind string
		Metadata         map[string]any
		Spec             struct {
			Groups []struct {
				Name  string
				Rules []struct {
					Record, Alert, Expr, For string
					Labels, Annotations      map[string]string
				}
			}
		}
	}
	if err := yaml.UnmarshalStrict(data, &rule); err != nil {
		t.Fatal(err)
	}
	if rule.APIVersion != "monitoring.coreos.com/v1" || rule.Kind != "PrometheusRule" || len(rule.Spec.Groups) != 1 ||
		len(rule.Spec.Groups[0].Rules) < 3 {
		t.Fatalf("%+v", rule)
	}
	for _, r := range rule.Spec.Groups[0].Rules {
		check(t, r.Record+r.Alert, r.Expr)
		if r.Alert != "" &&
			(r.Labels["severity"] == "" || r.Annotations["summary"] == "" || r.Annotations["description"] == "") {
			t.Errorf("%s lacks a severity, a summary or a description", r.Alert)
		}
	}
}

func TestTheDashboardAsksForWhatIsWritten(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "contrib", "grafana-dashboard.json"))
	if err != nil {
		t.Fatal(err)
	}
	var board struct {
		Title, UID string
		Panels     []struct {
			ID          int
			Title, Type string
			Targets     []struct{ Expr string }
		}
	}
	if err := json.Unmarshal(data, &board); err != nil {
		t.Fatal(err)
	}
	seen := map[int]bool{}
	for _, p := range board.Panels {
		if p.Title == "" || p.Type == "" || len(p.Targets) == 0 || seen[p.ID] {
			t.Errorf("panel %+v", p)
		}
		seen[p.ID] = true
		for _, target := range p.Targets {
			check(t, p.Title, target.Expr)
		}
	}
	if board.Title == "" || board.UID == "" || len(seen) < 5 {
		t.Errorf("%+v", board)
	}
}
