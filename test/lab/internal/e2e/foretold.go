package e2e

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/test/internal/score"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/cluster"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/judge"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/scenario"
)

// foretold is what was predicted for one change with one tier of evidence, what happened, and what the tool said about
// it afterwards.
type foretold struct {
	change Change
	tier   int
	// containers counts all running ones; restarted those that were then replaced.
	containers, restarted int
	// missed restarted without a prediction, false were predicted to restart and did not, open were not decided (with
	// what happened to them), unseen restarted for a reason that this tier does not show.
	missed, false, open, unseen []string
	verdicts                    []judge.Result
}

// readPredictions reads the output of preflight -o json.
func readPredictions(raw []byte) (map[string]string, error) {
	var r struct {
		Kind  string `json:"kind"`
		Items []struct{ Namespace, Pod, Container, Prediction string }
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		return nil, fmt.Errorf("read predictions: %w", err)
	}
	if r.Kind != "PreflightReport" || len(r.Items) == 0 {
		return nil, fmt.Errorf("read predictions: a %q with %d items", r.Kind, len(r.Items))
	}
	out := map[string]string{}
	for _, it := range r.Items {
		out[it.Namespace+"/"+it.Pod+"/"+it.Container] = it.Prediction
	}
	return out, nil
}

// cameOut compares predictions with what happened to the running containers.
func cameOut(c Change, tier int, predicted, before, after map[string]string) foretold {
	f := foretold{change: c, tier: tier, containers: len(before)}
	for name, id := range before {
		again := after[name] != id
		if again {
			f.restarted++
		}
		word := "went on"
		if again {
			word = "restarted"
		}
		switch p := predicted[name]; {
		case p == "restarts" && !again:
			f.false = append(f.false, name)
		case p == "stays" && again && tier < 2 && c.cause(name) == recordLost:
			f.unseen = append(f.unseen, name)
		case p == "stays" && again:
			f.missed = append(f.missed, name)
		case p != "restarts" && p != "stays":
			if p == "" {
				p = "nothing said"
			}
			f.open = append(f.open, fmt.Sprintf("%s (%s, it %s)", name, p, word))
		}
	}
	for _, names := range [][]string{f.missed, f.false, f.open, f.unseen} {
		slices.Sort(names)
	}
	return f
}

// Why a container restarts because of a change, if it does.
const (
	recordLost = "resize-record-missing"
	initAgain  = "init-rerun"
	otherUID   = "static-pod-kubelet-upgrade"
)

// cause returns the cause that a container's restart by this change has. Whether it restarts is up to the kubelet.
func (c Change) cause(name string) string {
	namespace, rest, _ := strings.Cut(name, "/")
	pod, container, _ := strings.Cut(rest, "/")
	if namespace == "kube-system" {
		if pod == scenario.StaticPod+"-"+c.Node {
			return otherUID
		}
		return kubeletUpgrade
	}
	if minor, err := cluster.Minor(c.From); c.Lost && err == nil && minor > 30 {
		for _, s := range scenario.Lasting(minor) {
			if s.Name == pod && s.Resizable(container) {
				return recordLost
			}
		}
	}
	return kubeletUpgrade
}

// casesOf returns the truths about the containers that ran before a change, and about the init container whose record
// was removed: kubelets up to 1.36 run it again.
func casesOf(c Change, before, after map[string]string) []judge.Case {
	var out []judge.Case
	for _, name := range slices.Sorted(maps.Keys(before)) {
		parts := strings.Split(name, "/")
		k := judge.Case{Namespace: parts[0], Scenario: parts[1], Container: parts[2],
			Node: c.Node, Kubelet: c.From + " → " + c.To}
		if after[name] != before[name] {
			k.Cause = c.cause(name)
		}
		out = append(out, k)
	}
	if c.Forgotten {
		k := judge.Case{Namespace: scenario.Namespace(c.Node), Scenario: scenario.Stumbling().Name, Container: "prepare",
			Node: c.Node, Kubelet: c.From + " → " + c.To}
		if minor, err := cluster.Minor(c.To); err == nil && minor < 37 {
			k.Cause = initAgain
		}
		out = append(out, k)
	}
	return out
}

// tell prints the table and the summary. It returns an error for anything unexpected, a wrong verdict, or a container
// without a verdict.
func tell(out io.Writer, all []foretold, took time.Duration) error {
	var b strings.Builder
	b.WriteString(
		"| node | change | tier | running | restarted | missed | false | open | right | honest | vague | silent | wrong | wrong proven |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n")
	var sum [3]foretold
	var notes strings.Builder
	otherwise, unsaid := 0, false
	var verdicts []judge.Result
	for _, f := range all {
		tally := judge.Count(f.verdicts)
		fmt.Fprintf(&b, "| %s | %s → %s | %d | %d | %d | %d | %d | %d | %s |\n",
			f.change.Node, f.change.From, f.change.To, f.tier,
			f.containers, f.restarted, len(f.missed), len(f.false), len(f.open), strings.Join(tally.Counts().Cells()[1:], " | "))
		s := &sum[f.tier]
		s.containers, s.restarted = s.containers+f.containers, s.restarted+f.restarted
		s.missed, s.false, s.open = append(s.missed, f.missed...), append(s.false, f.false...), append(s.open, f.open...)
		s.verdicts = append(s.verdicts, f.verdicts...)
		for _, list := range []struct {
			word  string
			names []string
		}{{"missed", f.missed}, {"false", f.false}, {"open", f.open}, {"not to be seen", f.unseen}} {
			for _, name := range list.names {
				fmt.Fprintf(&notes, "%s: %s, %s → %s, tier %d\n", list.word, name, f.change.From, f.change.To, f.tier)
				unsaid = unsaid || strings.Contains(name, "nothing said")
			}
		}
		for _, v := range f.verdicts {
			if v.Outcome != score.Right {
				fmt.Fprintf(&notes, "%s: %s/%s/%s, %s, tier %d, truth %q: %s\n", v.Outcome,
					v.Namespace, v.Scenario, v.Container, v.Kubelet, v.Tier, v.Cause, v.Why)
			}
		}
		otherwise += len(f.missed) + len(f.false)
		verdicts = append(verdicts, f.verdicts...)
	}
	b.WriteString(notes.String())
	fmt.Fprintf(&b, "preflight: %d changes, %d running containers, %d restarted",
		len(all)/len(sum), sum[2].containers, sum[2].restarted)
	for tier, s := range sum {
		tally := judge.Count(s.verdicts)
		o := tally.Counts().Outcomes
		fmt.Fprintf(&b, "; tier %d: %d missed, %d false, %d open, verdicts %d right %d honest %d wrong %d vague %d silent",
			tier, len(s.missed), len(s.false), len(s.open),
			o[score.Right], o[score.Honest], o[score.Wrong]+o[score.WrongProven], o[score.Vague], o[score.Silent])
	}
	fmt.Fprintf(&b, " (%v)\n", took.Round(time.Second))
	if _, err := io.WriteString(out, b.String()); err != nil {
		return err
	}
	var problems []error
	if sum[2].restarted == 0 {
		problems = append(problems, errors.New("compare predictions: nothing restarted, so nothing was compared"))
	}
	if otherwise > 0 {
		problems = append(problems, fmt.Errorf("compare predictions: %d came out otherwise", otherwise))
	}
	if unsaid {
		problems = append(problems, errors.New("compare predictions: of a container that ran nothing was said"))
	}
	if sum := judge.Count(verdicts); len(verdicts) > 0 && sum.Failed() {
		problems = append(problems, fmt.Errorf("judge verdicts: %s", sum.Why()))
	}
	return errors.Join(problems...)
}
