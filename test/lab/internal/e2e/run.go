package e2e

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/restartwhy/kubectl-restartwhy/test/internal/score"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/cluster"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/judge"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/scenario"
)

// Plan is one node of the end-to-end test and the version that its kubelet is changed to.
type Plan struct{ Node, Version, Upgrade string }

// Plans cross 1.31, where the container hash changed, in both directions, from 1.20 with its unstructured log as well
// as from the last version before 1.31.
func Plans() []Plan {
	return []Plan{{"n1", "v1.20.15", "v1.37.1"}, {"n2", "v1.30.14", "v1.37.1"}, {"n3", "v1.37.1", "v1.30.14"}}
}

// kubeletUpgrade is the cause that every restart of the second round may have.
const kubeletUpgrade = "hash-kubelet-upgrade"

// Time limits: several times what a machine with two cores needs.
const (
	ProvokeLimit = 8 * time.Minute // for all scenarios of one round
	upgradeLimit = 3 * time.Minute
)

// Run performs the whole test on a lab that is not yet up and leaves it up; the caller takes it down. The table and the
// summary go to out. The error says what did not hold, or what could not be done at all.
func Run(ctx context.Context, lab *cluster.Lab, out io.Writer) error {
	began := time.Now()
	t, err := BuildTool(ctx, lab)
	if err != nil {
		return err
	}
	plans, scenarios := Plans(), scenario.All()
	var specs []cluster.NodeSpec
	for _, p := range plans {
		specs = append(specs, cluster.NodeSpec{Name: p.Node, Version: p.Version})
	}
	nodes, fileOnly := names(plans)
	if err := lab.Up(ctx, specs); err != nil {
		return err
	}
	if err := Provoke(ctx, lab, nodes, scenarios, ProvokeLimit); err != nil {
		return err
	}
	lab.Say("every truth can be observed; asking the tool")
	first, err := t.Ask(ctx, "before-upgrade", nodes, fileOnly)
	if err != nil {
		return err
	}
	pace, err := measurePace(ctx, t)
	if err != nil {
		return err
	}
	lab.Say("replacing the kubelets")
	if err := upgrade(ctx, lab, plans, scenarios); err != nil {
		return err
	}
	second, err := t.Ask(ctx, "after-upgrade", nodes, fileOnly)
	if err != nil {
		return err
	}

	results := append(Compare(plans, scenarios, first, FirstRound), Compare(plans, scenarios, second, secondRound)...)
	results = append(results, falseCertainty(plans, scenarios, second)...)
	for _, h := range slices.Concat(first.Holes(nodes), second.Holes(nodes)) {
		lab.Say("not all evidence was at hand: %s", h)
	}
	lacking := errors.Join(first.Lacking(nodes), second.Lacking(nodes))
	return errors.Join(lacking, conclude(lab, out, results, pace, time.Since(began)))
}

// Judge asks the tool about a lab that was provoked by hand and stays as it is: the short way while working on the
// tool. The kubelets that run now determine what is checked.
func Judge(ctx context.Context, lab *cluster.Lab, out io.Writer) error {
	began := time.Now()
	t, err := BuildTool(ctx, lab)
	if err != nil {
		return err
	}
	plans, which, err := planned(lab.Book.Book().Nodes)
	if err != nil {
		return err
	}
	nodes, fileOnly := names(plans)
	r, err := t.Ask(ctx, "by-hand", nodes, fileOnly)
	if err != nil {
		return err
	}
	pace, err := measurePace(ctx, t)
	if err != nil {
		return err
	}
	return errors.Join(r.Lacking(nodes), conclude(lab, out, Compare(plans, scenario.All(), r, which),
		pace, time.Since(began)))
}

// conclude prints the table, what went wrong and the summary.
func conclude(lab *cluster.Lab, out io.Writer, results []judge.Result, pace Pace, took time.Duration) error {
	err := Settle(lab, out, "e2e", results, pace.String()+"\n", took)
	if !pace.Holds() {
		err = errors.Join(err, errors.New("measure pace: "+pace.String()))
	}
	return err
}

// Settle prints the table, more, what went wrong, what differs from the last run, and the summary, and keeps them in
// files of the lab's directory, whose names begin with name.
func Settle(lab *cluster.Lab, out io.Writer, name string, results []judge.Result, more string,
	took time.Duration) error {
	kept := filepath.Join(lab.Dir, name+".json")
	before, err := judge.ReadResults(kept)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	tally := judge.Count(results)
	text := judge.Table(results) + "\n" + tally.Outcomes() + "\n" + more
	for _, r := range results {
		if r.Outcome != score.Right {
			text += fmt.Sprintf("%s: %s/%s on %s, tier %d, truth %q: %s\n", r.Outcome,
				r.Scenario, r.Container, r.Node, r.Tier, r.Cause, r.Why)
		}
	}
	text += judge.Difference(before, results)
	text += tally.Summary(took) + "\n"
	if err := judge.KeepResults(kept, judge.Merged(before, results)); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(lab.Dir, name+".md"), []byte(text), 0o644); err != nil {
		return fmt.Errorf("write table: %w", err)
	}
	if _, err := io.WriteString(out, text); err != nil {
		return fmt.Errorf("write table: %w", err)
	}
	if tally.Failed() {
		where, err := keepFailed(lab.Dir, name, time.Now())
		return errors.Join(fmt.Errorf("judge verdicts: %s (reports and bundles: %s)", tally.Why(), where), err)
	}
	return nil
}

// upgrade replaces every kubelet at once and waits until the resulting restarts can be observed.
func upgrade(ctx context.Context, lab *cluster.Lab, plans []Plan, scenarios []scenario.Scenario) error {
	client, err := lab.Client()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, upgradeLimit)
	defer cancel()
	before := map[string]int32{}
	for _, p := range plans {
		pods, err := client.Pods(scenario.Namespace(p.Node)).List(ctx, metav1.ListOptions{})
		if err != nil {
			return fmt.Errorf("upgrade: list pods: %w", err)
		}
		for _, pod := range pods.Items {
			for _, s := range pod.Status.ContainerStatuses {
				before[pod.Namespace+"/"+pod.Name+"/"+s.Name] = s.RestartCount
			}
		}
	}
	errs := make([]error, len(plans))
	var wg sync.WaitGroup
	var nodes []string
	for i, p := range plans {
		nodes = append(nodes, p.Node)
		wg.Go(func() { errs[i] = lab.Upgrade(ctx, p.Node, p.Upgrade) })
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	return Await(ctx, client, nodes, scenarios, "upgrade", func(s scenario.Scenario, pod *corev1.Pod) bool {
		counts := map[string]int32{}
		for _, t := range s.Upgrade {
			counts[t.Container] = before[pod.Namespace+"/"+pod.Name+"/"+t.Container]
		}
		return s.Upgraded(pod, counts)
	})
}
