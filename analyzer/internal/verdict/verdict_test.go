package verdict_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/catalogue"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/history"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/verdict"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/sim"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

func rule(id causes.ID, strength causes.Strength, against string) causes.Rule {
	return causes.Rule{
		ID: id,
		Claim: func(*finding.Findings) *causes.Claim {
			if strength == 0 {
				return nil
			}
			return &causes.Claim{
				Strength: strength, Summary: "because of " + string(id),
				Chain: []causes.Link{{Cause: id, Text: "x", Evidence: []string{"e1"}}, {}},
				Needs: []causes.Need{{What: "a log"}, {What: "a log"}}, Actions: []string{"do"},
			}
		},
		Against: func(*finding.Findings) causes.Against {
			if against == "" {
				return causes.Against{}
			}
			return causes.Contradict(against, "e2")
		},
	}
}

func findings(s *analyzertest.Story) *finding.Findings {
	t := history.Build(s.Snapshot())
	return finding.Derive(t, t.Restarts[0])
}

func decide(f *finding.Findings, rules []causes.Rule, predict verdict.Predict) verdict.Result {
	return verdict.NewJudge(rules, predict).Decide(f)
}

// What the kubelet killed has a reason that its log has: a single guess beside that is no verdict.
func TestAGuessAloneBesideAKillIsUnknown(t *testing.T) {
	f := findings(analyzertest.New().Status(10, 17, 1, "Error", 18))
	f.Kill.Answer = finding.Yes
	for name, c := range map[string]struct {
		rules []causes.Rule
		want  report.Confidence
	}{
		"a guess alone":       {[]causes.Rule{rule("c", causes.Weak, "")}, report.Unknown},
		"beside another":      {[]causes.Rule{rule("c", causes.Weak, ""), rule("d", 0, "")}, report.Possible},
		"more than that":      {[]causes.Rule{rule("c", causes.Strong, "")}, report.Likely},
		"and a contradiction": {[]causes.Rule{rule("c", causes.Weak, ""), rule("d", 0, "no")}, report.Unknown},
	} {
		v := decide(f, c.rules, nil).Verdict
		if v.Confidence != c.want {
			t.Errorf("%s: %s (%s), want %s", name, v.Cause, v.Confidence, c.want)
		}
	}
}

func TestTheFourWords(t *testing.T) {
	f := findings(analyzertest.New().Status(10, 17, 1, "Error", 18))
	decisive, strong, weak := rule("a", causes.Decisive, ""), rule("b", causes.Strong, ""), rule("c", causes.Weak, "")
	cases := map[string]struct {
		rules []causes.Rule
		cause string
		want  report.Confidence
	}{
		"decisive and every rival contradicted": {[]causes.Rule{decisive, rule("b", 0, "no"),
			rule("c", causes.Strong, "no")}, "a", report.Proven},
		"decisive, and a rival has nothing against it": {[]causes.Rule{decisive, rule("b", 0, "")}, "a", report.Likely},
		"decisive, and a rival has something for it":   {[]causes.Rule{decisive, strong}, "a", report.Likely},
		"two decisive ones": {[]causes.Rule{decisive, rule("b", causes.Decisive, "")},
			"a", report.Possible},
		"strong alone":       {[]causes.Rule{strong, rule("a", 0, "no")}, "b", report.Likely},
		"strong beside weak": {[]causes.Rule{weak, strong}, "b", report.Likely},
		"two strong ones":    {[]causes.Rule{strong, rule("d", causes.Strong, "")}, "b", report.Possible},
		"weak alone":         {[]causes.Rule{weak}, "c", report.Possible},
		"a contradiction beats a decisive claim": {[]causes.Rule{rule("a", causes.Decisive, "no"), weak},
			"c", report.Possible},
		"nothing speaks": {[]causes.Rule{rule("a", 0, "no"), rule("b", 0, "")}, "unknown", report.Unknown},
		"everything is contradicted, also what claimed": {[]causes.Rule{rule("a", causes.Decisive, "no")},
			"unknown", report.Unknown},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			v := decide(f, c.rules, nil).Verdict
			if v.Cause != c.cause || v.Confidence != c.want {
				t.Errorf("got %s (%s), want %s (%s)", v.Cause, v.Confidence, c.cause, c.want)
			}
			if (v.Confidence == report.Proven) != (len(v.Missing) == 0) {
				t.Errorf("%s with missing %+v", v.Confidence, v.Missing)
			}
		})
	}
}

func TestWhatStandsAndWhatFellIsListed(t *testing.T) {
	f := findings(analyzertest.New().Status(10, 17, 1, "Error", 18))
	v := decide(f, []causes.Rule{rule("a", causes.Strong, ""), rule("b", causes.Weak, ""),
		rule("c", 0, "it is Monday"), rule("d", 0, "")}, nil).Verdict
	if len(v.Alternatives) != 1 || v.Alternatives[0].Cause != "b" || len(v.Alternatives[0].Evidence) != 1 {
		t.Errorf("alternatives: %+v", v.Alternatives)
	}
	if len(v.Eliminated) != 1 || v.Eliminated[0].Because != "it is Monday" || v.Eliminated[0].Evidence[0] != "e2" {
		t.Errorf("eliminated: %+v", v.Eliminated)
	}
	if len(v.Missing) != 1 {
		t.Errorf("missing: %+v (the same need twice must count once)", v.Missing)
	}
	if len(v.Chain) != 1 {
		t.Errorf("a step without text is in the chain: %+v", v.Chain)
	}
}

func TestUnknownSaysWhatIsKnown(t *testing.T) {
	cases := map[string]struct {
		story *analyzertest.Story
		want  string
	}{
		"an exit code": {analyzertest.New().Status(10, 17, 137, "Error", 18), "exit code 137 (Error)"},
		"a code that the kubelet made up": {analyzertest.New().Status(10, 17, 137, "ContainerStatusUnknown", 18),
			"recorded the placeholder exit code 137"},
		"a kill for a probe that the spec does not have": {analyzertest.New().Status(10, 42, 137, "Error", 43).Event(40,
			evidence.KillDecided{Reason: evidence.KillLiveness, Message: safetext.Clean("failed liveness probe"), Count: 1}),
			"which says that a probe failed; but the pod's spec has no such probe (failed liveness probe)"},
		"a kill for a reason that is not known": {analyzertest.New().Status(10, 42, 137, "Error", 43).Event(40,
			evidence.KillDecided{Message: safetext.Clean("Killing it"), Count: 1}),
			"stopped by the kubelet (Killing it); the evidence does not show what led to that"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			v := decide(findings(c.story), nil, nil).Verdict
			if !strings.Contains(v.Summary, c.want) {
				t.Errorf("summary %q lacks %q", v.Summary, c.want)
			}
			if len(v.Missing) == 0 || len(v.Actions) == 0 {
				t.Error("it does not say what to collect")
			}
		})
	}
}

// What keeps a container that ended from being started again is what is wrong now: it is said with the end.
func TestWhatHoldsItUpIsSaidWithTheEnd(t *testing.T) {
	const said = "cannot be started again: ImagePullBackOff"
	rules := []causes.Rule{rule("app-exit-error", causes.Strong, "")}
	for name, c := range map[string]struct {
		waits  string
		change func(*finding.Findings)
		want   bool
	}{
		"its image is not pulled": {waits: "ImagePullBackOff", want: true},
		"it is started again":     {waits: "ImagePullBackOff", change: func(f *finding.Findings) { f.R.To = f.R.From }},
		"the same one never ran": {waits: "ImagePullBackOff",
			change: func(f *finding.Findings) { f.Exit.Known = false }},
		"back-off is what comes next": {waits: "CrashLoopBackOff"},
		"it is being created":         {waits: "ContainerCreating"},
		"it waits for nothing":        {},
	} {
		t.Run(name, func(t *testing.T) {
			f := findings(analyzertest.New().Status(10, 17, 1, "Error", 18))
			f.R.Kind, f.R.To, f.R.Waiting.Reason = timeline.KindDeath, nil, c.waits
			if c.change != nil {
				c.change(f)
			}
			v := decide(f, rules, nil).Verdict
			row := verdict.NewJudge(rules, nil).Row(f).Verdict
			if strings.Contains(v.Summary, said) != c.want || row.Summary != v.Summary {
				t.Errorf("summary %q, in a row %q", v.Summary, row.Summary)
			}
			if first := strings.Contains(v.Actions[0], "ImagePullBackOff"); first != c.want {
				t.Errorf("actions %q", v.Actions)
			}
		})
	}
}

// A verdict that needs nothing in particular names the logs that were not read, with the command that gets them.
func TestWhatWasNotRead(t *testing.T) {
	r := rule("a", causes.Strong, "")
	r.Claim = func(*finding.Findings) *causes.Claim {
		return &causes.Claim{Strength: causes.Strong, Summary: "s",
			Chain: []causes.Link{{Text: "x", Evidence: []string{"e"}}}}
	}
	for name, c := range map[string]struct {
		story *analyzertest.Story
		want  []string
	}{
		"no log": {analyzertest.New().Status(10, 17, 1, "Error", 18),
			[]string{"the kubelet's log", "the container runtime's log", "the kernel's log"}},
		"all logs": {analyzertest.New().Logs().Status(10, 17, 1, "Error", 18).Kubelet(17, analyzertest.OldID,
			evidence.ContainerDied{}), []string{"a record that names both this container and this cause"}},
	} {
		missing := decide(findings(c.story), []causes.Rule{r}, nil).Verdict.Missing
		if len(missing) != len(c.want) {
			t.Errorf("%s: %+v", name, missing)
			continue
		}
		for i, m := range missing {
			if !strings.Contains(m.What, c.want[i]) {
				t.Errorf("%s: %+v, want %s", name, m, c.want[i])
			}
		}
	}
}

func TestAPredictionRulesOutAndNeverProves(t *testing.T) {
	f := findings(analyzertest.New().Status(10, 17, 1, "Error", 18))
	supposing := map[causes.ID]sim.Hypothesis{"a": sim.Ended, "b": sim.NodeDown, "c": sim.PodFailed}
	rule := func(id causes.ID, s causes.Strength, against string) causes.Rule {
		r := rule(id, s, against)
		r.Hypothesis = supposing[id]
		return r
	}
	foresee := func(ids ...causes.ID) verdict.Predict {
		return func(_ *finding.Findings, h sim.Hypothesis) *causes.Against {
			if slices.ContainsFunc(ids, func(id causes.ID) bool { return supposing[id] == h }) {
				return &causes.Against{Because: "the kubelet would have done otherwise", Evidence: []string{"e3"}}
			}
			return nil
		}
	}
	for name, c := range map[string]struct {
		rules   []causes.Rule
		predict verdict.Predict
		cause   string
		want    report.Confidence
	}{
		"a rival without evidence is ruled out": {[]causes.Rule{rule("a", causes.Decisive, ""), rule("b", 0, "")},
			foresee("b"), "a", report.Proven},
		"a strong claim is ruled out": {[]causes.Rule{rule("a", causes.Strong, ""),
			rule("b", causes.Weak, "")}, foresee("a"), "b", report.Possible},
		"a decisive claim stands": {[]causes.Rule{rule("a", causes.Decisive, "")}, foresee("a"), "a", report.Proven},
		"the last one left is not proven by it": {[]causes.Rule{rule("a", causes.Strong, ""),
			rule("b", 0, ""), rule("c", 0, "")}, foresee("b", "c"), "a", report.Likely},
		"what nobody claims is not claimed by it": {[]causes.Rule{rule("a", 0, ""), rule("b", 0, "")},
			foresee("b"), "unknown", report.Unknown},
		"nothing is asked where nobody can foretell": {[]causes.Rule{rule("a", causes.Decisive, ""), rule("b", 0, "")},
			nil, "a", report.Likely},
	} {
		t.Run(name, func(t *testing.T) {
			v := decide(f, c.rules, c.predict).Verdict
			if v.Cause != c.cause || v.Confidence != c.want {
				t.Errorf("got %s (%s), want %s (%s)", v.Cause, v.Confidence, c.cause, c.want)
			}
		})
	}
	v := decide(f, []causes.Rule{rule("a", causes.Decisive, ""), rule("b", 0, ""), rule("c", 0, "no")},
		foresee("b", "c")).Verdict
	if len(v.Eliminated) != 2 || v.Eliminated[0].Because != "the kubelet would have done otherwise" ||
		v.Eliminated[0].Evidence[0] != "e3" || v.Eliminated[1].Because != "no" {
		t.Errorf("%+v (a rule's own contradiction comes before a prediction)", v.Eliminated)
	}
}

func TestAnInstanceThatOnlyItsLogFileRemembers(t *testing.T) {
	s := analyzertest.New().Add("kubelet-dir", analyzertest.Never,
		evidence.Subject{Namespace: analyzertest.Namespace, Pod: analyzertest.PodName,
			PodUID: analyzertest.PodUID, Container: "a"},
		evidence.ContainerLogs{Attempts: []evidence.LoggedAttempt{
			{Number: 0, Begun: analyzertest.At(10), Changed: analyzertest.At(17)}, {Number: 1, Begun: analyzertest.At(18)}}})
	v := decide(findings(s), catalogue.Rules(), nil).Verdict
	if v.Cause != "unknown" || !strings.Contains(v.Summary, "only its log file 0.log shows that it ran") {
		t.Errorf("%s: %s", v.Cause, v.Summary)
	}
	if len(v.Missing) == 0 || len(v.Actions) == 0 ||
		!strings.HasSuffix(v.Actions[0], "tail /var/log/pods/shop_web-0_"+analyzertest.PodUID+"/a/0.log") {
		t.Errorf("what to collect: %+v %+v", v.Missing, v.Actions)
	}
	if l := v.Chain[0]; !strings.Contains(l.Text, "the last line at 2026-11-21T07:00:17Z") || len(l.Evidence) != 1 {
		t.Errorf("%+v", l)
	}
}
