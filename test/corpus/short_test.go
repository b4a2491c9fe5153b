package main

import (
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/entry"
	"github.com/restartwhy/kubectl-restartwhy/test/internal/score"
)

func right(v report.Verdict) score.Judged {
	return score.Judged{Outcome: score.Right, Item: &report.Item{Verdict: v}}
}

func TestShortOfWhatIsAsked(t *testing.T) {
	truth := entry.Truth{Cause: "app-signal", Confidence: map[string]string{"0": "likely", "2": "proven"},
		Rivals: []string{"oom-node"}}
	v := report.Verdict{Cause: "app-signal", Confidence: report.Likely,
		Eliminated: report.Eliminations{{Causes: []string{"oom-node"}}}}
	if s := short(truth, 0, 2, right(v)); s != "" {
		t.Errorf("enough at tier 0: %s", s)
	}
	if s := short(truth, 2, 2, right(v)); !strings.HasPrefix(s, "likely, want proven") {
		t.Errorf("short at tier 2: %q", s)
	}
	if s := short(truth, 2, 2, score.Judged{Outcome: score.Honest, Item: right(v).Item}); s != "" {
		t.Errorf("what is not right is told elsewhere: %q", s)
	}
	v.Confidence = report.Proven
	if s := short(truth, 2, 2, right(v)); s != "" {
		t.Errorf("enough at tier 2: %s", s)
	}
	v.Eliminated = report.Eliminations{}
	if s := short(truth, 2, 2, right(v)); !strings.Contains(s, "oom-node") {
		t.Errorf("its rival stands: %q", s)
	}
	if s := short(truth, 2, 2, score.Judged{Outcome: score.Right}); s != "" {
		t.Errorf("silence that is right: %q", s)
	}
}

func TestTheChainThatIsAskedFor(t *testing.T) {
	v := report.Verdict{Cause: "app-signal", Confidence: report.Likely}
	for _, id := range []string{"", "kubelet-restarted", "admission-rejected", ""} {
		v.Chain = append(v.Chain, report.Link{Cause: id})
	}
	for _, c := range []struct {
		want  []string
		short string
	}{
		{nil, ""},
		{[]string{"kubelet-restarted", "admission-rejected"}, ""},
		{[]string{"admission-rejected"}, ""},
		{[]string{"admission-rejected", "kubelet-restarted"}, "its chain does not name kubelet-restarted"},
		{[]string{"node-reboot"}, "its chain does not name node-reboot"},
	} {
		truth := entry.Truth{Cause: "app-signal", Chain: c.want}
		if got := short(truth, 2, 2, right(v)); got != c.short {
			t.Errorf("%v: %q, want %q", c.want, got, c.short)
		}
		if got := short(truth, 0, 2, right(v)); got != "" {
			t.Errorf("%v, with less evidence: %q", c.want, got)
		}
	}
}
