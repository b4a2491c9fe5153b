package render

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report/reporttest"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/render/data"
)

var sample = regexp.MustCompile(`^([a-z_]+)(?:\{((?:[a-z_]+="(?:[^"\\\n]|\\[\\n"])*",?)*)\})? (\d+)$`)

// samples reads the text format as strictly as the node exporter does: a family
// has its help and its type once, before its samples.
func samples(t *testing.T, text string) map[string]int {
	t.Helper()
	out, family := map[string]int{}, ""
	declared := map[string]bool{}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if name, ok := strings.CutPrefix(line, "# HELP "); ok {
			family, _, _ = strings.Cut(name, " ")
			if declared[family] {
				t.Errorf("%s is declared twice", family)
			}
			declared[family] = true
			continue
		}
		if strings.HasPrefix(line, "# TYPE ") {
			if line != "# TYPE "+family+" gauge" {
				t.Errorf("%q in the family %s", line, family)
			}
			continue
		}
		m := sample.FindStringSubmatch(line)
		if m == nil || m[1] != family {
			t.Fatalf("%q is no sample of %s", line, family)
		}
		key := m[1] + "{" + m[2] + "}"
		if _, twice := out[key]; twice {
			t.Errorf("%s is there twice", key)
		}
		n, err := strconv.Atoi(m[3])
		if err != nil {
			t.Fatal(err)
		}
		out[key] = n
	}
	return out
}

func TestMetricsCountRestartsByCause(t *testing.T) {
	r := reporttest.Report()
	r.Items = append(r.Items, report.Item{Kind: report.None,
		Verdict: report.Verdict{Cause: "readiness-flip", Confidence: report.Proven}})
	got := samples(t, render(t, Options{Format: "prometheus"}, r))
	for key, want := range map[string]int{
		`restartwhy_restarts{cause="hash-kubelet-upgrade",confidence="proven",kind="Restart",node="n1",namespace="shop",workload="statefulset/web"}`: 2,
		`restartwhy_restarts{cause="hash-kubelet-upgrade",confidence="proven",kind="Restart",node="n1",namespace="shop",workload="statefulset/db"}`:  1,
		`restartwhy_restarts{cause="unknown",confidence="unknown",kind="Death",node="n1",namespace="shop",workload="cart"}`:                          1,
		`restartwhy_incidents{cause="hash-kubelet-upgrade"}`: 1,
		`restartwhy_evidence_gaps{source="kernel-log"}`:      1,
		`restartwhy_series_folded{}`:                         0,
		`restartwhy_report_timestamp_seconds{}`:              int(r.GeneratedAt.Unix()),
		`restartwhy_report_info{version="v0.1.0"}`:           1,
	} {
		if n, ok := got[key]; !ok || n != want {
			t.Errorf("%s is %d, want %d", key, n, want)
		}
	}
	for key := range got {
		if strings.Contains(key, "readiness-flip") {
			t.Errorf("%s: what did not restart is no restart", key)
		}
	}
}

func TestNoTextBreaksTheTextFormat(t *testing.T) {
	for _, a := range append(attacks, "a\nb", `c:\d`, `"`, "\xff\xfe", "{}", "# HELP x") {
		samples(t, render(t, Options{Format: "prometheus"}, hostile(a)))
	}
}

func TestTheSeriesAreBounded(t *testing.T) {
	r := reporttest.Report()
	base := r.Items[0]
	r.Items = nil
	for i := range 5000 {
		it := base
		it.Namespace = fmt.Sprintf("team-%d", i)
		r.Items = append(r.Items, it)
		if i < 10 {
			r.Items = append(r.Items, it) // these matter more
		}
	}
	got := samples(t, render(t, Options{Format: "prometheus"}, r))
	series, sum := 0, 0
	for key, n := range got {
		if strings.HasPrefix(key, "restartwhy_restarts{") {
			series++
			sum += n
		}
	}
	if series != data.MostSeries+1 || sum != 5010 {
		t.Errorf("%d series, %d restarts in them", series, sum)
	}
	if got[`restartwhy_series_folded{}`] != 4000 {
		t.Errorf("%d folded", got[`restartwhy_series_folded{}`])
	}
	if got[`restartwhy_restarts{cause="hash-kubelet-upgrade",confidence="proven",kind="Restart",node="n1",namespace="team-3",workload="`+base.Workload+`"}`] != 2 {
		t.Error("a large series was folded before small ones")
	}
}
