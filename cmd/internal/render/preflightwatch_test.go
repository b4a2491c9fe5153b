package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report/reporttest"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/render/data"
)

// cameTrue are outcomes with every way of seeing and every verdict.
func cameTrue() []report.PreflightOutcome {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	full := report.PreflightOutcome{ObservedAt: at, Node: "n1", From: "v1.30.1",
		Now: "v1.31.4", To: "v1.31", Seen: report.SeenVersion}
	for _, row := range []struct {
		p report.Prediction
		b report.Became
		v report.OutcomeVerdict
	}{
		{report.Restarts, report.BecameRestarted, report.VerdictRight},
		{report.Restarts, report.BecameStayed, report.VerdictWaiting},
		{report.MayRestart, report.BecameRestarted, report.VerdictOpen},
		{report.MayRestart, report.BecameStayed, report.VerdictOpen},
		{report.Undetermined, report.BecameEnded, report.VerdictOpen},
		{report.Stays, report.BecameRestarted, report.VerdictWrong},
		{report.Stays, report.BecameStayed, report.VerdictRight}, {report.Stays, report.BecameMoved, report.VerdictNeither},
	} {
		it := report.PreflightOutcomeItem{Namespace: "shop", Pod: fmt.Sprintf("web-%d", len(full.Items)),
			Container: "app", Prediction: row.p, Rule: "rule", Became: row.b, Verdict: row.v}
		full.Count.Add(&it)
		full.Items = append(full.Items, it)
	}
	settled := full
	settled.Node, settled.Now, settled.OtherVersion = "n2", "v1.32.0", true
	settled.Items = append([]report.PreflightOutcomeItem(nil), full.Items...)
	settled.Settle()
	return []report.PreflightOutcome{
		full, settled,
		{ObservedAt: at, Node: "n3", From: "v1.30.1", Now: "v1.30.1", To: "same", Seen: report.SeenStart},
		{ObservedAt: at, Node: "n4", From: "v1.30.1", Now: "v1.30.1", To: "same",
			Seen: report.SeenContainers, Count: report.PreflightOutcomeCount{NotRunning: 1, Unpredicted: 2}},
	}
}

func outcomes(t *testing.T, format string, o []report.PreflightOutcome) string {
	t.Helper()
	var b bytes.Buffer
	if err := Outcomes(&b, format, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestOutcomesReadAsTheyShould(t *testing.T) {
	for _, format := range PreflightWatchFormats {
		t.Run(format, func(t *testing.T) { golden(t, "preflight-outcomes-"+format, outcomes(t, format, cameTrue())) })
	}
}

func TestEachLineOfAWatchIsADocument(t *testing.T) {
	var b bytes.Buffer
	if err := data.Line(&b, reporttest.Preflight()); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(b.String()+outcomes(t, "json", cameTrue())), "\n")
	if len(lines) != 5 {
		t.Fatalf("%d lines", len(lines))
	}
	for i, line := range lines {
		var o struct{ APIVersion, Kind string }
		if err := json.Unmarshal([]byte(line), &o); err != nil || strings.Contains(line, "null") {
			t.Errorf("line %d: %v: %s", i, err, line)
		}
		want := report.PreflightOutcomeKind
		if i == 0 {
			want = report.PreflightKind
		}
		if o.Kind != want || o.APIVersion != report.APIVersion {
			t.Errorf("line %d: %+v", i, o)
		}
	}
}

func TestALargeOutcomeIsCutInText(t *testing.T) {
	o := cameTrue()[:1]
	for range 40 {
		o[0].Items = append(o[0].Items, o[0].Items[5])
	}
	if text := outcomes(t, "table", o); !strings.Contains(text, "  - and 15 more (-o json)\n") ||
		strings.Count(text, "\n") != 32 {
		t.Error(text)
	}
}

func TestTheEndOfAWatchIsSummedUp(t *testing.T) {
	o := cameTrue()
	s := report.PreflightWatched{Nodes: 5, For: 90500 * time.Millisecond}
	for name, c := range map[string]struct {
		mutate func(*report.PreflightWatched)
		want   string
	}{
		"nothing happened": {func(*report.PreflightWatched) {}, "Watched for 1m31s: 0 of 5 kubelets replaced, 0 settled\n"},
		"containers changed": {func(s *report.PreflightWatched) { s.Changed = 1 },
			"Watched for 1m31s: 0 of 5 kubelets replaced, 0 settled; on 1 node containers changed, and no start of the kubelet was seen\n"},
		"kubelets were exchanged": {func(s *report.PreflightWatched) {
			s.Exchanged, s.Settled = 2, 1
			s.Count.Sum(o[0].Count)
			s.Count.Sum(o[1].Count)
		}, "Watched for 1m31s: 2 of 5 kubelets replaced, 1 settled: 2 of 4 containers that would restart did, 1 not yet, 1 did not; 2 of 4 that would stay did; may: 2 restarted, 2 stayed; unknown: 2 restarted, 0 stayed; 2 moved or done\n"},
	} {
		w := s
		c.mutate(&w)
		var b bytes.Buffer
		if err := Watched(&b, w); err != nil || b.String() != c.want {
			t.Errorf("%s: %q %v", name, b.String(), err)
		}
	}
}
