package e2e

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/restartwhy/kubectl-restartwhy/test/internal/score"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/api"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/cluster"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/judge"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/machine"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/scenario"
)

// untold are the scenarios whose cause leaves no trace in the series that are read. The tool must report it as unknown
// or as one of several possibilities, and never as another cause with more confidence.
var untold = map[string]string{
	"edited":            "the old and the new image are in no series that is read",
	"pauseless":         "sandboxes have no series",
	"sent-home":         "exit code 0 after a SIGTERM looks like an end of its own",
	"kills-its-child":   "who sent a SIGKILL has no series",
	"hook-breaks":       "hooks have no series",
	"never-initialised": "restarts of init containers are not read",
}

// The minimum for a Prometheus: how many ends it must show, and which share of them must be judged right.
const (
	rememberedEnds  = 20
	rememberedShare = 0.8
	rememberedLimit = 8 * time.Minute
)

// Metrics provokes restarts on a lab with a Prometheus, removes the other evidence (events, pods, containers), and
// judges by what Prometheus has. One node's kubelet is replaced across 1.31, where the hash of containers changed; the
// other node's kubelet is only restarted, and nothing may be reported for that. The lab is left up; the caller takes it
// down.
func Metrics(ctx context.Context, lab *cluster.Lab, out io.Writer, becomes string) error {
	began := time.Now()
	upgraded := Plan{Node: "n1", Version: "v1.30.14", Upgrade: becomes}
	t, err := BuildTool(ctx, lab)
	if err != nil {
		return err
	}
	plans, scenarios := []Plan{upgraded, {Node: "n2", Version: "v1.37.1"}}, scenario.Remembered()
	var specs []cluster.NodeSpec
	for _, p := range plans {
		specs = append(specs, cluster.NodeSpec{Name: p.Node, Version: p.Version})
	}
	nodes, _ := names(plans)
	if _, err := lab.Program(ctx, "kubelet", upgraded.Upgrade); err != nil { // built now, so that nothing waits later
		return err
	}
	if err := lab.Up(ctx, specs); err != nil {
		return err
	}
	stop, err := lab.Monitor(ctx)
	if err != nil {
		return err
	}
	defer stop()
	if err := Provoke(ctx, lab, nodes, scenarios, rememberedLimit); err != nil {
		return err
	}
	client, err := lab.Client()
	if err != nil {
		return err
	}
	if err := machine.Pause(ctx, 3*cluster.ScrapeInterval); err != nil {
		return err
	}
	lab.Say("every truth was provoked and scraped; restarting one kubelet and replacing the other")
	if err := lab.RestartKubelet(ctx, "n2"); err != nil {
		return err
	}
	replaced := time.Now()
	if err := upgrade(ctx, lab, plans[:1], scenarios); err != nil {
		return err
	}
	ready := time.Now()
	if err := machine.Pause(ctx, 3*cluster.ScrapeInterval); err != nil {
		return err
	}
	if err := forgetEvents(ctx, client, nodes); err != nil {
		return err
	}
	after, err := t.remembered(ctx, "upgrade.json", true)
	if err != nil {
		return err
	}
	lab.Say("deleting pods, containers and events")
	if err := forgetPods(ctx, client, nodes); err != nil {
		return err
	}
	if err := errors.Join(forgetEvents(ctx, client, nodes), machine.Pause(ctx, cluster.ScrapeInterval)); err != nil {
		return err
	}
	without, err := t.remembered(ctx, "without.json", false)
	if err != nil {
		return err
	}
	with, err := t.remembered(ctx, "with.json", true)
	if err != nil {
		return err
	}
	r := rememberings(plans, scenarios, without, with, replaced)
	r.upgrade(upgraded, scenarios, after, replaced, ready)
	return r.conclude(out, time.Since(began))
}

// remembered has the tool judge from the API alone, with or without Prometheus.
func (t Tool) remembered(ctx context.Context, name string, metrics bool) (judge.Report, error) {
	args := []string{"-A", "--kubeconfig=" + t.Lab.Kubeconfig(), "--evidence=api"}
	if metrics {
		args = append(args, "--prometheus="+cluster.PrometheusURL, "--since=1h")
	}
	return t.report(ctx, name, args...)
}

func forgetEvents(ctx context.Context, client *api.Client, nodes []string) error {
	for _, namespace := range append(namespaces(nodes), metav1.NamespaceDefault) {
		if err := client.Events(namespace).DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{}); err != nil {
			return fmt.Errorf("delete events of %s: %w", namespace, err)
		}
	}
	return nil
}

func forgetPods(ctx context.Context, client *api.Client, nodes []string) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	for _, namespace := range namespaces(nodes) {
		if err := client.Pods(namespace).DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{}); err != nil {
			return fmt.Errorf("delete pods of %s: %w", namespace, err)
		}
	}
	for {
		left, err := client.Pods("").List(ctx, metav1.ListOptions{})
		if err == nil && !slices.ContainsFunc(left.Items, func(p corev1.Pod) bool {
			return slices.Contains(namespaces(nodes), p.Namespace)
		}) {
			return nil
		}
		if err := machine.Pause(ctx, Poll); err != nil {
			return fmt.Errorf("wait until the pods are gone: %w", err)
		}
	}
}

func namespaces(nodes []string) []string {
	out := make([]string, len(nodes))
	for i, n := range nodes {
		out[i] = scenario.Namespace(n)
	}
	return out
}

// remembering is one end, judged with and without Prometheus.
type remembering struct {
	notes         string
	with, without judge.Result
}

type remembered struct {
	ends    []remembering
	moments []string // false statements about the upgrade
	replace string   // the upgrade in words
}

// rememberings judges every truth by two reports. A container that never restarted must not show up at all.
func rememberings(plans []Plan, scenarios []scenario.Scenario, without,
	with judge.Report, replaced time.Time) *remembered {
	r := &remembered{}
	for _, p := range plans {
		for _, s := range scenarios {
			for _, t := range slices.Concat(s.Truths, s.Upgrade) {
				c := judge.Case{Scenario: s.Name, Node: p.Node, Kubelet: p.Version, Namespace: scenario.Namespace(p.Node),
					Container: t.Container, Cause: t.Cause, Mechanism: t.Mechanism}
				told := with
				if strings.HasPrefix(t.Cause, "evicted-") {
					c.Container = "" // the pod as a whole ended
				}
				switch {
				case p.Upgrade != "" && t.Cause == kubeletUpgrade:
					c.Kubelet = p.Version + " → " + p.Upgrade
				case t.Cause == kubeletUpgrade:
					c.Cause, t.Notes = "", "its kubelet was restarted, and nothing else"
				case p.Upgrade != "": // containers that ran when their kubelet was replaced restarted for that, too
					told = with.Until(replaced)
				}
				r.ends = append(r.ends, remembering{t.Notes, judge.Compare(c, 0, told), judge.Compare(c, 0, without)})
			}
		}
	}
	return r
}

// upgrade checks the verdicts about the restarts that the upgrade caused, while the pods still exist.
func (r *remembered) upgrade(upgraded Plan, scenarios []scenario.Scenario,
	report judge.Report, replaced, ready time.Time) {
	for _, s := range scenarios {
		for _, t := range s.Upgrade {
			c := judge.Case{Scenario: s.Name, Node: upgraded.Node, Namespace: scenario.Namespace(upgraded.Node),
				Container: t.Container, Cause: t.Cause}
			got := judge.Compare(c, 0, report)
			at, ok := report.Newest(c)
			switch {
			case got.Outcome != score.Right:
				r.moments = append(r.moments, fmt.Sprintf("upgrade: %s/%s: %s: %s", s.Name, t.Container, got.Outcome, got.Why))
			case !ok || at.Before(replaced.Truncate(time.Second)) || at.After(ready):
				r.moments = append(r.moments, fmt.Sprintf("upgrade: %s/%s: dated %s, was between %s and %s", s.Name, t.Container,
					at.Format(time.TimeOnly), replaced.UTC().Format(time.TimeOnly), ready.UTC().Format(time.TimeOnly)))
			}
		}
	}
	r.replace = fmt.Sprintf("%s → %s between %s and %s", upgraded.Version, upgraded.Upgrade,
		replaced.UTC().Format(time.TimeOnly), ready.UTC().Format(time.TimeOnly))
}

// conclude prints the table and the figures; the error says which expectation failed.
func (r *remembered) conclude(out io.Writer, took time.Duration) error {
	rows := [][]string{{"what was done", "kubelet", "truth", "without Prometheus", "with Prometheus alone"}}
	all, ends, right, lost, proven, alarms, sure := 0, 0, 0, 0, 0, 0, 0
	var notes []string
	for _, e := range r.ends {
		c := e.with.Case
		truth := c.Cause
		if truth == "" {
			truth = "(no restart)"
		}
		rows = append(rows, []string{c.Scenario + "/" + c.Container + ": " + e.notes, c.Kubelet, truth,
			told(e.without), told(e.with)})
		if e.with.Outcome == score.WrongProven {
			proven++
		}
		if c.Cause == "" {
			if e.with.Outcome != score.Right {
				alarms++
			}
			continue
		}
		all++
		if _, beyond := untold[c.Scenario]; !beyond {
			ends++
			if e.with.Outcome == score.Right {
				right++
			}
		} else if e.with.Outcome == score.Wrong {
			sure++
		}
		if e.with.Outcome != score.Right {
			notes = append(notes, fmt.Sprintf("%s/%s on %s: %s: %s", c.Scenario,
				c.Container, c.Node, e.with.Outcome, e.with.Why))
		}
		if e.without.Outcome == score.Silent {
			lost++
		}
	}
	var b strings.Builder
	score.Lay(&b, rows)
	for _, n := range append(notes, r.moments...) {
		b.WriteString(n + "\n")
	}
	fmt.Fprintf(&b,
		"metrics: %d ends whose events, pods and containers are gone, %d of a kind that series tell: %d of these right with "+
			"Prometheus alone (%.0f %%); of the others %d wrong; %d wrong proven, %d false alarms; %d lost without; "+
			"upgrade %s, %d misjudged (%s)\n", all, ends, right, 100*float64(right)/float64(max(ends, 1)), sure, proven,
		alarms, lost, r.replace, len(r.moments), took.Round(time.Second))
	_, err := io.WriteString(out, b.String())
	if ends < rememberedEnds || float64(right) < rememberedShare*float64(ends) ||
		sure+proven+alarms+len(r.moments) > 0 || lost < all {
		err = errors.Join(err, errors.New("judge by what Prometheus remembers: not what it must be"))
	}
	return err
}

// told returns a verdict and its score.
func told(r judge.Result) string {
	switch {
	case r.Verdict == nil && r.Cause == "":
		return "nothing: " + r.Outcome.String()
	case r.Verdict == nil:
		return "lost"
	}
	return fmt.Sprintf("%s, %s: %s", r.Verdict.Cause, r.Verdict.Confidence, r.Outcome)
}
