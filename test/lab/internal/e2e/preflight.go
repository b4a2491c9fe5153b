package e2e

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/api"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/cluster"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/judge"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/machine"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/scenario"
)

// Change is what happens to one node's kubelet. To is a release, or same for a restart only.
type Change struct {
	Node, From, To string
	// Lost: the kubelet's file of allocated resources is removed first.
	Lost bool
	// Forgotten: the runtime's record of the init container of the stumbling pod is removed too.
	Forgotten bool
}

const same = "same"

// Changes returns rounds of changes, one after the other on the same pods: over 1.31 and 1.37 in both directions, over
// 1.37 alone, and a restart alone.
func Changes() [][]Change {
	return [][]Change{
		{
			{Node: "n1", From: "v1.30.14", To: "v1.31.0"}, {Node: "n2", From: "v1.30.14", To: "v1.37.1"},
			{Node: "n3", From: "v1.36.3", To: "v1.37.1", Lost: true},
		},
		{
			{Node: "n1", From: "v1.31.0", To: same}, {Node: "n2", From: "v1.37.1", To: "v1.30.14"},
			{Node: "n3", From: "v1.37.1", To: "v1.36.3", Lost: true, Forgotten: true},
		},
	}
}

// Preflight has the tool predict who restarts before each change, makes the change, and compares the prediction with
// what happened; then it asks the tool for the reasons. It needs a lab that is not up and leaves it up. only selects
// one node, "" means all. With a directory, each node becomes an entry of the corpus after each round.
func Preflight(ctx context.Context, lab *cluster.Lab, out io.Writer, only, corpus string) error {
	began := time.Now()
	t, err := BuildTool(ctx, lab)
	if err != nil {
		return err
	}
	rounds := Changes()
	for i := range rounds {
		rounds[i] = slices.DeleteFunc(rounds[i], func(c Change) bool { return only != "" && c.Node != only })
	}
	for _, c := range slices.Concat(rounds...) {
		if c.To == same {
			continue
		}
		if _, err := lab.Program(ctx, "kubelet", c.To); err != nil { // built now: no round waits for it
			return err
		}
	}
	var specs []cluster.NodeSpec
	for _, c := range rounds[0] {
		specs = append(specs, cluster.NodeSpec{Name: c.Node, Version: c.From})
	}
	if len(specs) == 0 {
		return fmt.Errorf("compare predictions: there is no node %q", only)
	}
	if err := lab.Up(ctx, specs); err != nil {
		return err
	}
	client, err := lab.Client()
	if err != nil {
		return err
	}
	if err := populate(ctx, lab, client, specs); err != nil {
		return err
	}
	var all []foretold
	for i, round := range rounds {
		got, err := t.goThrough(ctx, client, round, fmt.Sprintf("round-%d", i+1))
		if err != nil {
			return err
		}
		all = append(all, got...)
		if corpus == "" {
			continue
		}
		for j, c := range round {
			if err := t.recordChange(ctx, corpus, c, got[3*j+2]); err != nil {
				return err
			}
		}
	}
	return tell(out, all, time.Since(began))
}

// populate creates the long-lived pods on every node and returns when all of them run.
func populate(ctx context.Context, lab *cluster.Lab, client *api.Client, specs []cluster.NodeSpec) error {
	want := map[string]int{}
	errs := make([]error, len(specs))
	var wg sync.WaitGroup
	for i, s := range specs {
		m, err := lab.Machine(s.Name)
		if err != nil {
			return err
		}
		for name, text := range scenario.StaticPods() {
			if err := m.WriteFile(cluster.StaticPods+"/"+name+".yaml", []byte(text), 0o644); err != nil {
				return err
			}
		}
		minor, err := cluster.Minor(s.Version)
		if err != nil {
			return err
		}
		pods := scenario.Lasting(minor)
		want[s.Name] = len(pods) + len(scenario.StaticPods())
		wg.Go(func() {
			errs[i] = Provoke(ctx, lab, []string{s.Name}, append(pods, scenario.Stumbling()), ProvokeLimit)
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	return allRunning(ctx, client, want)
}

// goThrough runs one round: predict, change, compare, ask for the reasons. Each change gets three results in turn, one
// per tier.
func (t Tool) goThrough(ctx context.Context, client *api.Client, round []Change, name string) ([]foretold, error) {
	for _, c := range round {
		if err := t.lose(ctx, client, c); err != nil {
			return nil, err
		}
	}
	predicted, err := t.predictions(ctx, round, name)
	if err != nil {
		return nil, err
	}
	before, err := running(ctx, client)
	if err != nil {
		return nil, err
	}
	began := time.Now().Truncate(time.Second)
	var wg sync.WaitGroup
	errs := make([]error, len(round))
	var nodes []string
	for i, c := range round {
		nodes = append(nodes, c.Node)
		t.Lab.Say("%s: %s → %s", c.Node, c.From, c.To)
		wg.Go(func() {
			if c.To == same {
				errs[i] = t.Lab.RestartKubelet(ctx, c.Node)
				return
			}
			errs[i] = t.Lab.Upgrade(ctx, c.Node, c.To)
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	if err := machine.Pause(ctx, scenario.Settled); err != nil {
		return nil, err
	}
	after, err := running(ctx, client)
	if err != nil {
		return nil, err
	}
	t.Lab.Say("asking why")
	said, err := t.Ask(ctx, name+"-after", nodes, nil)
	if err != nil {
		return nil, err
	}
	if err := said.Lacking(nodes, "kernel-log"); err != nil { // the kernel logged nothing
		return nil, err
	}
	var out []foretold
	for i, c := range round {
		for tier := range predicted[i] {
			f := cameOut(c, tier, predicted[i][tier], before[c.Node], after[c.Node])
			report := said.at(tier, c.Node).Since(began)
			for _, k := range casesOf(c, before[c.Node], after[c.Node]) {
				f.verdicts = append(f.verdicts, judge.Compare(k, tier, report))
			}
			out = append(out, f)
		}
	}
	return out, nil
}

// resizeRecords is where a kubelet records the resources that it allocated.
const resizeRecords = "/var/lib/kubelet/actuated_pods_state"

// lose removes the records that must be missing during a change.
func (t Tool) lose(ctx context.Context, client *api.Client, c Change) error {
	if c.Lost {
		m, err := t.Lab.Machine(c.Node)
		if err != nil {
			return err
		}
		if _, err := m.Run(ctx, "rm", resizeRecords); err != nil {
			return err
		}
	}
	if !c.Forgotten {
		return nil
	}
	pod, err := client.Pods(scenario.Namespace(c.Node)).Get(ctx, scenario.Stumbling().Name, metav1.GetOptions{})
	if err != nil {
		return fmt.Errorf("find the pod that stumbles: %w", err)
	}
	return Hands{t.Lab, client}.Forget(ctx, pod, "prepare")
}

// predictions gets the prediction for every change at every tier: by tier, container → prediction.
func (t Tool) predictions(ctx context.Context, round []Change, name string) ([][3]map[string]string, error) {
	kubeconfig := "--kubeconfig=" + t.Lab.Kubeconfig()
	if err := os.MkdirAll(filepath.Join(t.Results, name), 0o755); err != nil {
		return nil, fmt.Errorf("make results directory: %w", err)
	}
	bundle := filepath.Join(t.Results, name, "cluster.tar.zst")
	if _, err := t.Run(ctx, filepath.Join(name, "collect.txt"), "collect",
		"-A", kubeconfig, "--evidence=api", "-o", bundle); err != nil {
		return nil, err
	}
	out := make([][3]map[string]string, len(round))
	for i, c := range round {
		own := filepath.Join(t.Results, name, c.Node+".tar.zst")
		if err := t.CollectNode(ctx, c.Node, own); err != nil {
			return nil, err
		}
		for tier, args := range [][]string{{"-A", kubeconfig, "--evidence=api"},
			{"-A", kubeconfig, "--evidence=logs"}, {"--from", bundle, "--from", own}} {
			file := filepath.Join(name, fmt.Sprintf("preflight-%s-tier%d.json", c.Node, tier))
			raw, err := t.Run(ctx, file, append([]string{"preflight", "--to", c.To, "--node", c.Node, "-o", "json"}, args...)...)
			if err != nil {
				return nil, err
			}
			if out[i][tier], err = readPredictions(raw); err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
		}
	}
	return out, nil
}

// running returns the id of every running container, by node and name, except those of the stumbling pod.
func running(ctx context.Context, client *api.Client) (map[string]map[string]string, error) {
	pods, err := client.Pods(metav1.NamespaceAll).List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, fmt.Errorf("list pods: %w", err)
	}
	out := map[string]map[string]string{}
	for _, pod := range pods.Items {
		node := pod.Spec.NodeName
		if pod.Name == scenario.Stumbling().Name {
			continue
		}
		if out[node] == nil {
			out[node] = map[string]string{}
		}
		for _, s := range slices.Concat(pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses) {
			if s.State.Running != nil {
				out[node][pod.Namespace+"/"+pod.Name+"/"+s.Name] = s.ContainerID
			}
		}
	}
	return out, nil
}

// allRunning waits until the wanted number of pods on each node run and are ready.
func allRunning(ctx context.Context, client *api.Client, want map[string]int) error {
	ctx, cancel := context.WithTimeout(ctx, ProvokeLimit)
	defer cancel()
	for {
		ready := map[string]int{}
		pods, err := client.Pods(metav1.NamespaceAll).List(ctx, metav1.ListOptions{})
		if err == nil {
			for _, pod := range pods.Items {
				for _, c := range pod.Status.Conditions {
					if c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue {
						ready[pod.Spec.NodeName]++
					}
				}
			}
		}
		all := true
		for node, n := range want {
			all = all && ready[node] >= n
		}
		if all {
			return nil
		}
		if err := machine.Pause(ctx, Poll); err != nil {
			return fmt.Errorf("wait for ready pods on each node: %v of %v: %w", ready, want, err)
		}
	}
}
