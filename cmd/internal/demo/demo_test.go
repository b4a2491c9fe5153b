package demo

import (
	"bytes"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag"
	"github.com/restartwhy/kubectl-restartwhy/diag/apiobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/bundle"
)

// TestTheRecordingShowsWhatItIsFor guards the recording and everything that
// reads it: bundle, parsers and analysis.
func TestTheRecordingShowsWhatItIsFor(t *testing.T) {
	b, err := bundle.Read("demo", bytes.NewReader(Named(Incident)),
		bundle.Options{Now: time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}()
	if len(b.Gaps) > 0 {
		t.Errorf("the recording is damaged: %+v", b.Gaps)
	}
	r := analyzer.Analyze(diag.Observe(diag.Load(b, apiobject.Hasher{}), b.Manifest.CollectedAt), analyzer.Options{})
	causes, upgrades := map[string]bool{}, 0
	for _, i := range r.Items {
		causes[i.Verdict.Cause] = true
		if i.Verdict.Cause == "hash-kubelet-upgrade" && i.Verdict.Confidence == report.Proven {
			upgrades++
		}
	}
	if len(r.Items) < 10 || len(causes) < 6 || upgrades < 2 {
		t.Errorf("%d restarts, %d causes, %d proven upgrades; want at least 10, 6, 2", len(r.Items), len(causes), upgrades)
	}
}
