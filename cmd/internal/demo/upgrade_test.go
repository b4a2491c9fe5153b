package demo

import (
	"bytes"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/preflight"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag"
	"github.com/restartwhy/kubectl-restartwhy/diag/apiobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/bundle"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

func snapshotOf(t *testing.T, name string) *evidence.Snapshot {
	t.Helper()
	b, err := bundle.Read(name, bytes.NewReader(Named(name)),
		bundle.Options{Now: time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	if len(b.Gaps) > 0 {
		t.Errorf("%s is damaged: %+v", name, b.Gaps)
	}
	return diag.Observe(diag.Load(b, apiobject.Hasher{}), b.Manifest.CollectedAt)
}

// What the preflight foretells of the node as it was is what the upgrade then did.
func TestTheSecondRecordingComesTrue(t *testing.T) {
	before := snapshotOf(t, Before)
	to, err := kubelet.ParseVersion("v1.37.1")
	if err != nil {
		t.Fatal(err)
	}
	r, err := preflight.Run(before, preflight.Options{To: to, GeneratedAt: before.CollectedAt})
	if err != nil {
		t.Fatal(err)
	}
	foretold := map[string]bool{}
	for _, it := range r.Items {
		if it.Prediction == report.Restarts && it.Pod != "stumbling" { // that one ends by itself all the time
			foretold[it.Namespace+"/"+it.Pod+"/"+it.Container] = true
		}
	}
	happened, proven := map[string]bool{}, 0
	for _, it := range analyzer.Analyze(snapshotOf(t, Upgrade), analyzer.Options{}).Items {
		switch it.Verdict.Cause {
		case "hash-kubelet-upgrade", "static-pod-kubelet-upgrade":
			happened[it.Namespace+"/"+it.Pod+"/"+it.Container] = true
			if it.Verdict.Confidence == report.Proven {
				proven++
			}
		}
	}
	for name := range happened {
		if !foretold[name] {
			t.Errorf("%s restarted, and the preflight did not say so", name)
		}
	}
	for name := range foretold {
		if !happened[name] {
			t.Errorf("the preflight said that %s restarts, and no verdict says that it did", name)
		}
	}
	if proven < 2 {
		t.Errorf("%d of %d restarts are proven", proven, len(happened))
	}
}
