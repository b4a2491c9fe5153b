package main

import (
	"fmt"
	"slices"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/entry"
	"github.com/restartwhy/kubectl-restartwhy/test/internal/score"
)

// analysed returns the report on an entry, after a change of its snapshot, which may be nil.
func analysed(e *entry.Entry, change func(*evidence.Snapshot)) (*report.Report, error) {
	snap, err := e.Snapshot()
	if err != nil {
		return nil, err
	}
	if change != nil {
		change(snap)
	}
	return analyzer.Analyze(snap, analyzer.Options{GeneratedAt: snap.CollectedAt}), nil
}

// wrong returns the verdicts of a report on an entry that are proven and wrong, or have another of these outcomes.
func wrong(e *entry.Entry, r *report.Report, also ...score.Outcome) []string {
	var out []string
	for _, j := range score.All(e.Scored(), r.Items) {
		if j.Outcome == score.WrongProven || slices.Contains(also, j.Outcome) {
			out = append(out, fmt.Sprintf("%s/%s was %q: %s", j.Truth.Pod, j.Truth.Container, j.Truth.Cause, j.Why))
		}
	}
	return out
}

func proven(r *report.Report) map[string]string {
	out := map[string]string{}
	for _, it := range r.Items {
		if v := it.Verdict; v.Confidence == report.Proven {
			out[it.Namespace+"/"+it.Pod+"/"+it.Container] = v.Cause + ": " + v.Summary
		}
	}
	return out
}
