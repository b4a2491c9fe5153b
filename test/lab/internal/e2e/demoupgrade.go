package e2e

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/cluster"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/machine"
)

// upgradePlan is the second recording of the demo: a node with healthy pods gets the newest kubelet in place.
var upgradePlan = Plan{Node: "n2", Version: "v1.30.14", Upgrade: "v1.37.1"}

// How long the containers of that recording run before the upgrade.
const upgradeBefore = 30 * time.Second

// RecordUpgrade upgrades a node of a lab that is not yet up, and writes two bundles into a directory: before.tar.zst,
// for the preflight, and upgrade.tar.zst, for what really happened.
func RecordUpgrade(ctx context.Context, lab *cluster.Lab, dir string) error {
	t, err := BuildTool(ctx, lab)
	if err != nil {
		return err
	}
	if _, err := lab.Program(ctx, "kubelet", upgradePlan.Upgrade); err != nil {
		return err
	}
	specs := []cluster.NodeSpec{{Name: upgradePlan.Node, Version: upgradePlan.Version}}
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
	if err := machine.Pause(ctx, upgradeBefore); err != nil {
		return fmt.Errorf("record upgrade: %w", err)
	}
	if err := t.collectInto(ctx, filepath.Join(dir, "before.tar.zst")); err != nil {
		return err
	}
	if err := lab.Upgrade(ctx, upgradePlan.Node, upgradePlan.Upgrade); err != nil {
		return err
	}
	if err := machine.Pause(ctx, demoAfter+demoBefore); err != nil {
		return fmt.Errorf("record upgrade: %w", err)
	}
	file := filepath.Join(dir, "upgrade.tar.zst")
	if err := t.collectInto(ctx, file); err != nil {
		return err
	}
	report, err := t.report(ctx, "upgrade.json", "analyze", file)
	if err != nil {
		return err
	}
	proven := 0
	for _, i := range report.Items {
		if i.Verdict.Cause == kubeletUpgrade && i.Verdict.Confidence == "proven" {
			proven++
		}
	}
	if proven < demoUpgrades {
		return fmt.Errorf("record upgrade: only %d proven %s, want %d (bundle: %s)", proven, kubeletUpgrade, demoUpgrades, file)
	}
	lab.Say("recorded %d restarts, %d of them by the upgrade: %s", len(report.Items), proven, file)
	return nil
}

func (t Tool) collectInto(ctx context.Context, file string) error {
	bundle := filepath.Join(t.Results, filepath.Base(file))
	if err := t.CollectAll(ctx, upgradePlan.Node, bundle); err != nil {
		return err
	}
	raw, err := os.ReadFile(bundle)
	if err == nil {
		err = os.WriteFile(file, raw, 0o644)
	}
	if err != nil {
		return fmt.Errorf("record upgrade: %w", err)
	}
	return nil
}
