package score

import (
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/entry"
)

func said(cause string, c report.Confidence) report.Item {
	return report.Item{Namespace: "shop", Pod: "web-0", Container: "app", Kind: "Restart",
		Verdict: report.Verdict{Cause: cause, Mechanism: cause, Confidence: c, Eliminated: report.Eliminate(report.Eliminated{Cause: "oom-node"})}}
}

func TestJudge(t *testing.T) {
	base := entry.Truth{Pod: "shop/web-0", Container: "app", Cause: "app-signal"}
	for name, c := range map[string]struct {
		change func(*entry.Truth)
		items  []report.Item // newest first
		want   Outcome
	}{
		"the right cause":                            {nil, []report.Item{said("app-signal", report.Likely)}, Right},
		"another cause as a guess":                   {nil, []report.Item{said("oom-node", report.Likely)}, Honest},
		"another cause as a certainty":               {nil, []report.Item{said("oom-node", report.Proven)}, WrongProven},
		"silence":                                    {nil, nil, Honest},
		"the newest counts":                          {nil, []report.Item{said("app-signal", report.Likely), said("unknown", report.Unknown)}, Right},
		"the second of two":                          {func(t *entry.Truth) { t.Restart = 2 }, []report.Item{said("app-signal", report.Likely), said("unknown", report.Unknown)}, Right},
		"the first of two":                           {func(t *entry.Truth) { t.Restart = 1 }, []report.Item{said("app-signal", report.Likely), said("unknown", report.Unknown)}, Honest},
		"one that is not there":                      {func(t *entry.Truth) { t.Restart = 3 }, []report.Item{said("app-signal", report.Likely)}, Honest},
		"an older wrong certainty":                   {nil, []report.Item{said("app-signal", report.Likely), said("oom-node", report.Proven)}, WrongProven},
		"an older certainty that is true":            {func(t *entry.Truth) { t.Also = []string{"oom-node"} }, []report.Item{said("app-signal", report.Likely), said("oom-node", report.Proven)}, Right},
		"nothing restarted":                          {func(t *entry.Truth) { t.Cause = "" }, nil, Right},
		"nothing restarted, and something said":      {func(t *entry.Truth) { t.Cause = "" }, []report.Item{said("oom-node", report.Possible)}, Honest},
		"nothing restarted, and something proven":    {func(t *entry.Truth) { t.Cause = "" }, []report.Item{said("oom-node", report.Proven)}, WrongProven},
		"the wrong mechanism":                        {func(t *entry.Truth) { t.Mechanism = "sandbox-changed" }, []report.Item{said("app-signal", report.Likely)}, Honest},
		"the wrong mechanism as a certainty":         {func(t *entry.Truth) { t.Mechanism = "sandbox-changed" }, []report.Item{said("app-signal", report.Proven)}, WrongProven},
		"the wrong kind":                             {func(t *entry.Truth) { t.Kind = "None" }, []report.Item{said("app-signal", report.Proven)}, Honest},
		"the cause with no confidence at all":        {nil, []report.Item{said("app-signal", report.Unknown)}, Honest},
		"an unknown that is the truth":               {func(t *entry.Truth) { t.Cause = "unknown" }, []report.Item{said("unknown", report.Unknown)}, Right},
		"a certainty where the truth is not known":   {func(t *entry.Truth) { t.Cause = "unknown" }, []report.Item{said("app-signal", report.Proven)}, WrongProven},
		"a certainty about another container's item": {nil, []report.Item{said("app-signal", report.Likely), {Namespace: "shop", Pod: "web-0", Container: "b", Verdict: report.Verdict{Confidence: report.Proven, Cause: "x"}}}, Right},
	} {
		truth := base
		if c.change != nil {
			c.change(&truth)
		}
		got := Judge(&entry.Entry{Name: "e", Truths: []entry.Truth{truth}}, 2, &report.Report{Items: c.items})
		if len(got) != 1 || got[0].Outcome != c.want {
			t.Errorf("%s: %+v, want %v", name, got, c.want)
		}
		if (got[0].Outcome == Right) != (got[0].Why == "") && c.want != WrongProven {
			t.Errorf("%s: outcome %v because %q", name, got[0].Outcome, got[0].Why)
		}
	}
}

func TestShortOfWhatIsAsked(t *testing.T) {
	truth := entry.Truth{Pod: "shop/web-0", Container: "app", Cause: "app-signal", Confidence: map[string]string{"0": "likely", "2": "proven"}, Rivals: []string{"oom-node"}}
	r := &report.Report{Items: []report.Item{said("app-signal", report.Likely)}}
	if s := Short(truth, 0, 2, r); s != "" {
		t.Errorf("enough at tier 0: %s", s)
	}
	if s := Short(truth, 2, 2, r); !strings.HasPrefix(s, "likely, want proven") {
		t.Errorf("short at tier 2: %q", s)
	}
	r.Items[0].Verdict.Confidence = report.Proven
	if s := Short(truth, 2, 2, r); s != "" {
		t.Errorf("enough at tier 2: %s", s)
	}
	r.Items[0].Verdict.Eliminated = report.Eliminations{}
	if s := Short(truth, 2, 2, r); !strings.Contains(s, "oom-node") {
		t.Errorf("its rival stands: %q", s)
	}
}

func TestTheChainThatIsAskedFor(t *testing.T) {
	r := &report.Report{Items: []report.Item{said("app-signal", report.Likely)}}
	for _, id := range []string{"", "kubelet-restarted", "admission-rejected", ""} {
		r.Items[0].Verdict.Chain = append(r.Items[0].Verdict.Chain, report.Link{Cause: id})
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
		truth := entry.Truth{Pod: "shop/web-0", Container: "app", Cause: "app-signal", Chain: c.want}
		if got := Short(truth, 2, 2, r); got != c.short {
			t.Errorf("%v: %q, want %q", c.want, got, c.short)
		}
		if got := Short(truth, 0, 2, r); got != "" {
			t.Errorf("%v, with less evidence: %q", c.want, got)
		}
	}
}

func TestTally(t *testing.T) {
	var sum Tally
	if _, of := sum.Overall(); of != 0 {
		t.Error("nothing was counted, and something is there")
	}
	for _, j := range []Judged{
		{Tier: 0, Outcome: Right, Confidence: "likely"}, {Tier: 0, Outcome: Honest, Confidence: "likely"}, {Tier: 0, Outcome: Honest},
		{Tier: 2, Outcome: Right, Confidence: "proven"}, {Tier: 2, Outcome: WrongProven, Confidence: "proven"},
	} {
		sum.Add(j)
	}
	if share, of := sum.Accuracy(0); of != 3 || share < 0.33 || share > 0.34 {
		t.Errorf("tier 0: %v of %d", share, of)
	}
	if share, of := sum.Overall(); of != 5 || share != 0.4 || sum.WrongProven() != 1 {
		t.Errorf("overall: %v of %d, %d wrongly proven", share, of, sum.WrongProven())
	}
	var out strings.Builder
	sum.Print(&out)
	for _, want := range []string{"1 of 2 right", "33.3%", "0 of 1 right", "| proven", "50.0%"} {
		if !strings.Contains(strings.Join(strings.Fields(out.String()), " "), want) {
			t.Errorf("the table lacks %q:\n%s", want, out.String())
		}
	}
}
