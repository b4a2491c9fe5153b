package e2e

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/cluster"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/judge"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/scenario"
)

// recordedSince keeps what the machine said before the lab out of a recording.
const recordedSince = "15m"

// RecordCorpus writes one bundle for each node of a lab that was provoked, and
// beside it the truth about every container, as entries of the corpus.
func RecordCorpus(ctx context.Context, lab *cluster.Lab, dir string) error {
	t, err := buildTool(ctx, lab)
	if err != nil {
		return err
	}
	plans, which, err := planned(lab.Book.Book().Nodes)
	if err != nil {
		return err
	}
	for _, p := range plans {
		kubelet := p.Version
		if which == secondRound {
			kubelet = p.Upgrade + "-after-" + p.Version
		}
		file := filepath.Join(dir, "lab-"+kubelet)
		if err := t.collectAll(ctx, p.Node, file+".tar.zst", "--since="+recordedSince); err != nil {
			return err
		}
		if err := os.WriteFile(file+".yaml", []byte(truths(p, which)), 0o644); err != nil {
			return fmt.Errorf("record corpus: %w", err)
		}
		lab.Say("recorded %s", file)
	}
	return nil
}

// truths is the head of a corpus entry.
func truths(p Plan, which round) string {
	var b strings.Builder
	fmt.Fprintf(&b, "title: Every scenario of the lab on a node with kubelet %s\nfrom: lab\ncollectedAt: 2026-01-01T00:00:00Z # the bundle's own counts\ntruths:\n", p.Version)
	for _, s := range scenario.All() {
		for _, c := range cases(p, s, which) {
			b.WriteString(truth(c))
		}
	}
	return b.String()
}

func truth(c judge.Case) string {
	out := fmt.Sprintf("- {pod: %s/%s, container: %s", c.Namespace, c.Scenario, c.Container)
	if c.Cause != "" {
		out += ", cause: " + c.Cause
	}
	if c.Mechanism != "" {
		out += ", mechanism: " + c.Mechanism
	}
	return out + "}\n"
}
