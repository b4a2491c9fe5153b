package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/api"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/cluster"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/scenario"
)

// Change is what happens to one node's kubelet. To is a release, or same for a mere
// restart.
type Change struct{ Node, From, To string }

const same = "same"

// Changes are rounds of changes, one after the other on the same pods: over 1.31 in
// both directions, past it, within one side of it, and restarts alone.
func Changes() [][]Change {
	return [][]Change{
		{{"n1", "v1.30.14", "v1.31.0"}, {"n2", "v1.30.14", "v1.36.3"}, {"n3", "v1.34.4", "v1.36.3"}},
		{{"n1", "v1.31.0", same}, {"n2", "v1.36.3", "v1.30.14"}, {"n3", "v1.36.3", same}},
	}
}

// Preflight asks the tool who would restart before each change, makes the change, and
// compares with who did. It wants a lab that is not up and leaves it up.
func Preflight(ctx context.Context, lab *cluster.Lab, out io.Writer) error {
	began := time.Now()
	t, err := buildTool(ctx, lab)
	if err != nil {
		return err
	}
	rounds, scenarios := Changes(), scenario.Lasting()
	var specs []cluster.NodeSpec
	var nodes []string
	for _, c := range rounds[0] {
		specs, nodes = append(specs, cluster.NodeSpec{Name: c.Node, Version: c.From}), append(nodes, c.Node)
	}
	if err := lab.Up(ctx, specs); err != nil {
		return err
	}
	for _, node := range nodes {
		m, err := lab.Machine(node)
		if err != nil {
			return err
		}
		if err := m.WriteFile(cluster.StaticPods+"/from-a-file.yaml", []byte(scenario.StaticPod()), 0o644); err != nil {
			return err
		}
	}
	if err := Provoke(ctx, lab, nodes, scenarios, provokeLimit); err != nil {
		return err
	}
	client, err := lab.Client()
	if err != nil {
		return err
	}
	if err := allRunning(ctx, client, nodes, len(scenarios)+1); err != nil {
		return err
	}
	var all []foretold
	for i, round := range rounds {
		got, err := foretell(ctx, t, client, round, fmt.Sprintf("round-%d", i+1))
		if err != nil {
			return err
		}
		all = append(all, got...)
	}
	return tell(out, all, time.Since(began))
}

// foretold is what was predicted for one change with one tier of evidence, and how
// that came out.
type foretold struct {
	change Change
	tier   int
	// containers are all that were running; restarted those that then were others.
	containers, restarted int
	// missed restarted unforeseen, false were foreseen and went on, open were not
	// decided (with what became of them).
	missed, false, open []string
}

// foretell asks, changes and compares, for one round.
func foretell(ctx context.Context, t tool, client *api.Client, round []Change, name string) ([]foretold, error) {
	predicted, err := t.predictions(ctx, round, name)
	if err != nil {
		return nil, err
	}
	before, err := running(ctx, client)
	if err != nil {
		return nil, err
	}
	var wg sync.WaitGroup
	errs := make([]error, len(round))
	for i, c := range round {
		t.lab.Say("%s: %s → %s", c.Node, c.From, c.To)
		wg.Go(func() {
			if c.To == same {
				errs[i] = t.lab.RestartKubelet(ctx, c.Node)
				return
			}
			errs[i] = t.lab.Upgrade(ctx, c.Node, c.To)
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	if err := sleep(ctx, scenario.Settled); err != nil {
		return nil, err
	}
	after, err := running(ctx, client)
	if err != nil {
		return nil, err
	}
	var out []foretold
	for i, c := range round {
		for tier := range predicted[i] {
			if p := predicted[i][tier]; p != nil {
				out = append(out, cameOut(c, tier, p, before[c.Node], after[c.Node]))
			}
		}
	}
	return out, nil
}

// predictions asks for every change at tier 0 and with the node's own evidence. The
// answers are container → prediction, by tier.
func (t tool) predictions(ctx context.Context, round []Change, name string) ([][3]map[string]string, error) {
	kubeconfig := "--kubeconfig=" + t.lab.Kubeconfig()
	if err := os.MkdirAll(filepath.Join(t.results, name), 0o755); err != nil {
		return nil, fmt.Errorf("make results directory: %w", err)
	}
	bundle := filepath.Join(t.results, name, "cluster.tar.zst")
	if _, err := t.run(ctx, filepath.Join(name, "collect.txt"), "collect", "-A", kubeconfig, "--evidence=api", "-o", bundle); err != nil {
		return nil, err
	}
	out := make([][3]map[string]string, len(round))
	for i, c := range round {
		own := filepath.Join(t.results, name, c.Node+".tar.zst")
		if err := t.collectNode(ctx, c.Node, own); err != nil {
			return nil, err
		}
		for tier, args := range map[int][]string{0: {"-A", kubeconfig, "--evidence=api"}, 2: {"--from", bundle, "--from", own}} {
			file := filepath.Join(name, fmt.Sprintf("preflight-%s-tier%d.json", c.Node, tier))
			raw, err := t.run(ctx, file, append([]string{"preflight", "--to", c.To, "--node", c.Node, "-o", "json"}, args...)...)
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

// readPredictions reads the answer of preflight -o json.
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

// running is the id of every container that runs, by node and name.
func running(ctx context.Context, client *api.Client) (map[string]map[string]string, error) {
	pods, err := client.Pods(metav1.NamespaceAll).List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, fmt.Errorf("list pods: %w", err)
	}
	out := map[string]map[string]string{}
	for _, pod := range pods.Items {
		node := pod.Spec.NodeName
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

// allRunning waits until every pod of the lab runs and is ready.
func allRunning(ctx context.Context, client *api.Client, nodes []string, each int) error {
	ctx, cancel := context.WithTimeout(ctx, provokeLimit)
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
		if !slices.ContainsFunc(nodes, func(n string) bool { return ready[n] < each }) {
			return nil
		}
		if err := sleep(ctx, poll); err != nil {
			return fmt.Errorf("wait for %d ready pods on each node: %v: %w", each, ready, err)
		}
	}
}

// cameOut compares predictions with what became of the containers that ran.
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
		case p == "stays" && again:
			f.missed = append(f.missed, name)
		case p != "restarts" && p != "stays":
			if p == "" {
				p = "nothing said"
			}
			f.open = append(f.open, fmt.Sprintf("%s (%s, it %s)", name, p, word))
		}
	}
	slices.Sort(f.missed)
	slices.Sort(f.false)
	slices.Sort(f.open)
	return f
}

// tell prints the table and the summary. Whatever came out otherwise is an error, and
// so is a container of which nothing was said.
func tell(out io.Writer, all []foretold, took time.Duration) error {
	var b strings.Builder
	b.WriteString("| node | change | tier | running | restarted | missed | false | open |\n|---|---|---|---|---|---|---|---|\n")
	var sum [3]foretold
	for _, f := range all {
		fmt.Fprintf(&b, "| %s | %s → %s | %d | %d | %d | %d | %d | %d |\n", f.change.Node, f.change.From, f.change.To, f.tier, f.containers, f.restarted, len(f.missed), len(f.false), len(f.open))
		s := &sum[f.tier]
		s.containers, s.restarted = s.containers+f.containers, s.restarted+f.restarted
		s.missed, s.false, s.open = append(s.missed, f.missed...), append(s.false, f.false...), append(s.open, f.open...)
	}
	wrong := 0
	for _, f := range all {
		for word, names := range map[string][]string{"missed": f.missed, "false": f.false, "open": f.open} {
			for _, name := range names {
				fmt.Fprintf(&b, "%s: %s, %s → %s, tier %d\n", word, name, f.change.From, f.change.To, f.tier)
			}
		}
		wrong += len(f.missed) + len(f.false)
	}
	fmt.Fprintf(&b, "preflight: %d changes, %d running containers, %d restarted; tier 0: %d missed, %d false, %d open; tier 2: %d missed, %d false, %d open (%v)\n",
		len(all)/2, sum[2].containers, sum[2].restarted, len(sum[0].missed), len(sum[0].false), len(sum[0].open),
		len(sum[2].missed), len(sum[2].false), len(sum[2].open), took.Round(time.Second))
	if _, err := io.WriteString(out, b.String()); err != nil {
		return err
	}
	switch {
	case sum[2].restarted == 0:
		return errors.New("compare predictions: nothing restarted, so nothing was compared")
	case wrong > 0:
		return fmt.Errorf("compare predictions: %d came out otherwise", wrong)
	case slices.ContainsFunc(all, func(f foretold) bool {
		return slices.ContainsFunc(f.open, func(o string) bool { return strings.Contains(o, "nothing said") })
	}):
		return errors.New("compare predictions: of a container that ran nothing was said")
	}
	return nil
}
