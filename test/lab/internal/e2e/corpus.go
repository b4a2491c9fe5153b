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

// recordedSince keeps the machine's log from before the lab out of a recording.
const recordedSince = "15m"

// RecordCorpus writes one bundle for each node of a provoked lab, along with the truth about every container, as
// entries of the corpus.
func RecordCorpus(ctx context.Context, lab *cluster.Lab, dir string) error {
	t, err := BuildTool(ctx, lab)
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
		if err := t.CollectAll(ctx, p.Node, file+".tar.zst", "--since="+recordedSince); err != nil {
			return err
		}
		if err := os.WriteFile(file+".yaml", []byte(truths(p, which)), 0o644); err != nil {
			return fmt.Errorf("record corpus: %w", err)
		}
		lab.Say("recorded %s", file)
	}
	return nil
}

func truths(p Plan, which round) string {
	var b strings.Builder
	fmt.Fprintf(&b,
		"title: Every scenario of the lab on a node with kubelet %s\nfrom: lab\ncollectedAt: 2026-01-01T00:00:00Z # the bundle's own counts\ntruths:\n", p.Version)
	for _, s := range scenario.All() {
		for _, c := range Cases(p, s, which) {
			b.WriteString(Truth(c))
		}
	}
	return b.String()
}

// Truth returns a case as a line of a corpus entry.
func Truth(c judge.Case) string {
	out := fmt.Sprintf("- {pod: %s/%s, container: %s", c.Namespace, c.Scenario, c.Container)
	if c.Cause != "" {
		out += ", cause: " + c.Cause
	}
	if c.Mechanism != "" {
		out += ", mechanism: " + c.Mechanism
	}
	if len(c.Also) > 0 {
		out += ", also: [" + strings.Join(c.Also, ", ") + "]"
	}
	return out + "}\n"
}

// recordChange writes the bundle of a node whose kubelet was changed, and what happened to its containers.
func (t Tool) recordChange(ctx context.Context, dir string, c Change, f foretold) error {
	if c.To == same {
		return nil
	}
	file := filepath.Join(dir, "lab-"+c.To+"-after-"+c.From)
	if err := t.CollectAll(ctx, c.Node, file+".tar.zst", "--since="+recordedSince); err != nil {
		return err
	}
	if err := os.WriteFile(file+".yaml", []byte(changeTruths(c, f)), 0o644); err != nil {
		return fmt.Errorf("record corpus: %w", err)
	}
	t.Lab.Say("recorded %s", file)
	return nil
}

// changeTruths returns the head of a corpus entry about a change. It leaves out containers that had restarted for
// another reason before: an entry has one cause per container.
func changeTruths(c Change, f foretold) string {
	minor, _ := cluster.Minor(c.From) // the change was made
	past := map[string]scenario.Truth{}
	for _, s := range scenario.Lasting(minor) {
		for _, t := range s.Truths {
			past[s.Name+"/"+t.Container] = t
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "title: Pods that last on a node whose kubelet was brought from %s to %s\nfrom: lab\n"+
		"collectedAt: 2026-01-01T00:00:00Z # the bundle's own counts\ntruths:\n", c.From, c.To)
	for _, v := range f.verdicts {
		k := v.Case
		if t, had := past[k.Scenario+"/"+k.Container]; had && k.Cause != "" {
			continue
		} else if had {
			k.Cause = t.Cause
		}
		b.WriteString(Truth(k))
	}
	return b.String()
}
