package main

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag"
	"github.com/restartwhy/kubectl-restartwhy/diag/apiobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/apiserver"
	"github.com/restartwhy/kubectl-restartwhy/diag/kube/kubetest"
)

// What is not kept of pods in which nothing ended does not change any verdict.
func TestQuietPodsChangeNoVerdict(t *testing.T) {
	const many, from = 300, 1000
	s := kubetest.Serve(t)
	collected := base.Add(many*apart + 12*24*time.Hour)
	for i := range many {
		o := statusOf(7, uint64(from+i)).object(i)
		for n := range 3 { // the one that has run longest on its node represents the others
			s.Put(neighbour((n+1)*many+i, o.pod.Spec.NodeName, collected.Add(time.Duration(n)*time.Hour)))
		}
		s.Put(o.pod)
		if o.node != nil {
			s.Put(o.node)
		}
		if o.beside != nil {
			s.Put(o.beside)
		}
		for _, e := range o.events {
			s.Put(e)
		}
	}
	read := func(k apiserver.Keeping) (*report.Report, int, int) {
		source := apiserver.NewSource(s.Client(), apiserver.Scope{}, apiobject.Hasher{}, apiserver.Options{
			PageSize: 50, Quiet: k, Now: func() time.Time { return collected },
		})
		pieces, gaps := source.Collect(t.Context())
		if len(gaps) > 0 {
			t.Fatalf("%+v", gaps)
		}
		snapshot := diag.Observe(diag.Collection{Pieces: pieces}, collected)
		return analyzer.Analyze(snapshot, analyzer.Options{GeneratedAt: collected}), len(snapshot.Pods), snapshot.Quiet
	}
	want, whole, none := read(apiserver.KeepWhole)
	if none != 0 || len(want.Items) < many/2 {
		t.Fatalf("%d items of %d pods, %d of them not kept", len(want.Items), whole, none)
	}
	for name, k := range map[string]apiserver.Keeping{"outlines": apiserver.KeepOutline, "a count": apiserver.KeepCount} {
		got, pods, quiet := read(k)
		if diff := cmp.Diff(want.Items, got.Items); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if pods+quiet != whole || k == apiserver.KeepCount && quiet < many/4 {
			t.Errorf("%s: %d pods and %d that are not kept, of %d", name, pods, quiet, whole)
		}
	}
}
