package e2e

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/cluster"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/judge"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/machine"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/scenario"
)

// demoPlan is the incident of the demo: an operator replaced the kubelet of a node without draining it, while a dozen
// pods in all kinds of trouble ran there.
var demoPlan = Plan{Node: "n2", Version: "v1.30.14", Upgrade: "v1.36.3"}

// The minimum that a recording must have to be shown.
const (
	demoRestarts = 10
	demoCauses   = 6
	demoUpgrades = 2 // proven restarts by the kubelet's upgrade
)

// The incident takes its time: crash loops back off for a while before the kubelet is replaced, and what it restarts
// has settled before the evidence is collected.
const (
	demoBefore = 45 * time.Second
	demoAfter  = 15 * time.Second
)

// kubeconfigInNode exists only while the tool runs.
const kubeconfigInNode = "/run/lab-admin.kubeconfig"

// RecordDemo lets the incident happen on a lab that is not yet up and writes one bundle with the cluster's and the
// node's evidence to file. It fails if the built binary does not find the whole story in the bundle.
func RecordDemo(ctx context.Context, lab *cluster.Lab, file string) error {
	t, err := BuildTool(ctx, lab)
	if err != nil {
		return err
	}
	plans, scenarios, nodes := []Plan{demoPlan}, scenario.All(), []string{demoPlan.Node}
	if err := lab.Up(ctx, []cluster.NodeSpec{{Name: demoPlan.Node, Version: demoPlan.Version}}); err != nil {
		return err
	}
	if err := Provoke(ctx, lab, nodes, scenarios, ProvokeLimit); err != nil {
		return err
	}
	if err := machine.Pause(ctx, demoBefore); err != nil {
		return fmt.Errorf("record demo: %w", err)
	}
	if err := upgrade(ctx, lab, plans, scenarios); err != nil {
		return err
	}
	if err := machine.Pause(ctx, demoAfter); err != nil {
		return fmt.Errorf("record demo: %w", err)
	}
	bundle := filepath.Join(t.Results, "demo.tar.zst")
	if err := t.CollectAll(ctx, demoPlan.Node, bundle); err != nil {
		return err
	}
	report, err := t.report(ctx, "demo.json", "analyze", bundle)
	if err != nil {
		return err
	}
	if err := worthShowing(report); err != nil {
		return fmt.Errorf("record demo: %w (bundle: %s)", err, bundle)
	}
	raw, err := os.ReadFile(bundle)
	if err != nil {
		return fmt.Errorf("record demo: %w", err)
	}
	if err := os.WriteFile(file, raw, 0o644); err != nil {
		return fmt.Errorf("record demo: %w", err)
	}
	lab.Say("recorded %d restarts in %d bytes: %s", len(report.Items), len(raw), file)
	return nil
}

// CollectAll runs the tool inside a node with a kubeconfig, so that one bundle has both the API server's data and the
// node's own evidence.
func (t Tool) CollectAll(ctx context.Context, node, bundle string, more ...string) error {
	m, err := t.Lab.Machine(node)
	if err != nil {
		return err
	}
	if err := m.CopyFile(t.Path, toolInNode, 0o755); err != nil {
		return err
	}
	kubeconfig, err := os.ReadFile(t.Lab.Kubeconfig())
	if err != nil {
		return fmt.Errorf("record demo: %w", err)
	}
	if err := m.Feed(ctx, kubeconfigInNode, kubeconfig); err != nil {
		return err
	}
	_, err = m.Run(ctx,
		append([]string{toolInNode, "collect", "--local", "--force", "-A", "--kubeconfig=" + kubeconfigInNode,
			"-o", bundleInNode}, more...)...)
	if _, rmErr := m.Run(ctx, "rm", "-f", kubeconfigInNode); err == nil {
		err = rmErr
	}
	if err != nil {
		return err
	}
	return m.Fetch(bundleInNode, bundle)
}

// worthShowing returns what a recording lacks; nil if it lacks nothing.
func worthShowing(r judge.Report) error {
	causes := map[string]int{}
	upgrades := 0
	for _, i := range r.Items {
		causes[i.Verdict.Cause]++
		if i.Verdict.Cause == kubeletUpgrade && i.Verdict.Confidence == "proven" {
			upgrades++
		}
	}
	delete(causes, judge.Unknown)
	switch {
	case len(r.Items) < demoRestarts:
		return fmt.Errorf("only %d restarts, want %d", len(r.Items), demoRestarts)
	case len(causes) < demoCauses:
		return fmt.Errorf("only %d causes, want %d", len(causes), demoCauses)
	case upgrades < demoUpgrades:
		return fmt.Errorf("only %d proven %s, want %d", upgrades, kubeletUpgrade, demoUpgrades)
	}
	return nil
}
