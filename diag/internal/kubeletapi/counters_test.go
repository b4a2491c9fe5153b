package kubeletapi

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// What a kubelet of v1.34 answers, shortened, with a series that is none of ours.
const (
	process = `# HELP kubernetes_build_info [BETA] A metric with a constant '1' value
# TYPE kubernetes_build_info gauge
kubernetes_build_info{build_date="2026-01-01T00:00:00Z",git_version="v1.34.4",major="1",minor="34"} 1
kubelet_http_requests_total{method="GET",path="hunter2"} 12
process_start_time_seconds 1.7637e+09
`
	probes = `# HELP prober_probe_total [BETA] Cumulative number of a liveness, readiness or startup probe
# TYPE prober_probe_total counter
prober_probe_total{container="app",namespace="s",pod="web-0",pod_uid="u1",probe_type="Liveness",result="failed"} 6
prober_probe_total{container="app",namespace="s",pod="web-0",pod_uid="u1",probe_type="Liveness",result="successful"} 34
prober_probe_total{container="app",namespace="s",pod="web-0",pod_uid="u1",probe_type="Readiness",result="failed"} 99
prober_probe_total{container="app",namespace="s",pod="calm-0",pod_uid="u2",probe_type="Startup",result="successful"} 1
prober_probe_total{container="app",namespace="s",pod="ready-0",pod_uid="u3",probe_type="Readiness",result="failed"} 4
`
)

// ask asks a kubelet that answers so.
func ask(process, probes string) ([]evidence.RawEvidence, []evidence.Gap) {
	f := &fake{answers: map[string]string{"metrics": process, "metrics/probes": probes}}
	return Counters(f, "n1", then).Collect(context.Background())
}

// The kubelet's start and the counters of probes that can end a container are read and stored, and nothing else.
func TestCountersAreKeptAndNothingElse(t *testing.T) {
	pieces, gaps := ask(process, probes)
	if len(pieces) != 1 || len(gaps) != 0 {
		t.Fatalf("%d pieces, gaps %+v", len(pieces), gaps)
	}
	file := pieces[0].Files()[0]
	r, err := file.Open()
	if err != nil {
		t.Fatal(err)
	}
	stored, err := io.ReadAll(r)
	if err != nil || file.Path != "nodes/n1/kubelet-metrics.json" || strings.Contains(string(stored), "hunter2") {
		t.Fatalf("%v, %s: %s", err, file.Path, stored)
	}
	for name, s := range map[string]*evidence.Snapshot{"live": observed(pieces...),
		"from a bundle": observed(NewCountersPiece("n1", evidence.Bytes(file.Path, stored), time.Time{}))} {
		got := map[string]evidence.Fact{}
		for _, o := range s.Observations {
			got[o.Subject.Pod] = o.Fact
		}
		since := time.Unix(1763700000, 0).UTC()
		want := map[string]evidence.Fact{
			"":       evidence.KubeletStarted{Version: "v1.34.4"},
			"web-0":  evidence.ProbeTotals{Since: since, Liveness: 6},
			"calm-0": evidence.ProbeTotals{Since: since},
		}
		if len(got) != len(want) || len(s.Observations) != len(want) {
			t.Fatalf("%s: %+v", name, s.Observations)
		}
		for pod, f := range want {
			if got[pod] != f {
				t.Errorf("%s: %q: %+v, want %+v", name, pod, got[pod], f)
			}
		}
		if !s.Observations[0].Time.Equal(since) {
			t.Errorf("%s: the kubelet was started at %s", name, s.Observations[0].Time)
		}
	}
}

func TestAnAnswerThatHasNoCountersIsAGap(t *testing.T) {
	for name, c := range map[string]struct{ process, probes, want string }{
		"a page":            {"<html>hunter2</html>", "", "no process_start_time_seconds"},
		"a broken line":     {"process_start_time_seconds hunter2\n", "", "no list of metrics"},
		"one endless line":  {strings.Repeat("x", maxLine+1), "", "no list of metrics"},
		"a start in 1970":   {"process_start_time_seconds 12\n", "", "no process_start_time_seconds"},
		"no number":         {"process_start_time_seconds NaN\n", "", "no process_start_time_seconds"},
		"too long":          {strings.Repeat("a 1\n", maxAnswer/4+1), "", "longer than 32 MiB"},
		"probes are broken": {process, probeTotal + "{hunter2\n", "no list of metrics"},
	} {
		pieces, gaps := ask(c.process, c.probes)
		if len(pieces) != 0 || len(gaps) != 1 || !strings.Contains(gaps[0].Why, c.want) ||
			!strings.Contains(gaps[0].Hint, "is not known") || strings.Contains(gaps[0].Why, "hunter2") {
			t.Errorf("%s: %d pieces, gaps %+v", name, len(pieces), gaps)
		}
	}
}

func FuzzAnswers(f *testing.F) {
	f.Add(process, probes)
	f.Add("process_start_time_seconds 1e9\n",
		probeTotal+`{container="`+"\x1b[31m"+`",pod_uid="u",result="failed",probe_type="Startup"} 1e300`)
	f.Fuzz(func(t *testing.T, process, probes string) {
		pieces, gaps := ask(process, probes)
		if len(pieces)+len(gaps) != 1 {
			t.Fatalf("%d pieces beside gaps %+v", len(pieces), gaps)
		}
		for _, o := range observed(pieces...).Observations {
			if !safetext.Safe(o.Text.String()) || !safetext.Safe(o.Subject.Container) {
				t.Fatalf("%+v", o)
			}
		}
	})
}

func FuzzCountersPiece(f *testing.F) {
	f.Add([]byte(`{"collectedAt":"2026-11-21T07:00:00Z","startedAt":"2026-11-20T07:00:00Z","version":"v1","probes":[
		{"uid":"u","container":"c","liveness":{"failed":-1,"succeeded":2},"startup":{"failed":3}}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, o := range observed(NewCountersPiece("n1", evidence.Bytes(CountersName, data), at)).Observations {
			p, ok := o.Fact.(evidence.ProbeTotals)
			if !safetext.Safe(o.Text.String()) || ok && (p.Liveness < 0 || p.Startup < 0) {
				t.Fatalf("%+v", o)
			}
		}
	})
}
