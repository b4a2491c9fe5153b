package e2e

import (
	"errors"

	"github.com/restartwhy/kubectl-restartwhy/test/internal/score"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/cluster"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/judge"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/ledger"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/scenario"
)

// round says which truths are checked.
type round int

const (
	// FirstRound checks what the scenarios provoked; healthy pods must not show up.
	FirstRound  round = iota
	secondRound       // what replacing the kubelets did
)

// Compare judges one round at every tier.
func Compare(plans []Plan, scenarios []scenario.Scenario, r reports, which round) []judge.Result {
	var out []judge.Result
	for _, p := range plans {
		for _, s := range scenarios {
			for _, c := range Cases(p, s, which) {
				for tier := range 3 {
					out = append(out, judge.Compare(c, tier, r.at(tier, p.Node)))
				}
			}
		}
	}
	return out
}

// Cases returns the truths of one scenario on one node in one round.
func Cases(p Plan, s scenario.Scenario, which round) []judge.Case {
	base := judge.Case{Scenario: s.Name, Node: p.Node, Kubelet: p.Version, Namespace: scenario.Namespace(p.Node)}
	var out []judge.Case
	add := func(truths []scenario.Truth, change func(*judge.Case)) {
		for _, t := range truths {
			c := base
			c.Container, c.Cause, c.Mechanism, c.Undecidable = t.Container, t.Cause, t.Mechanism, t.Undecidable
			c.Also = t.Also
			change(&c)
			out = append(out, c)
		}
	}
	switch which {
	case FirstRound:
		add(s.Truths, func(*judge.Case) {})
		add(s.Upgrade, func(c *judge.Case) { c.Cause, c.Mechanism = "", "" })
	case secondRound:
		add(s.Upgrade, func(c *judge.Case) { c.Kubelet = p.Version + " → " + p.Upgrade })
	}
	return out
}

// falseCertainty looks in the second round's reports for the containers of the first round. Whatever state they were in
// when their kubelet was replaced, a proven verdict about them names their own trouble or the upgrade.
func falseCertainty(plans []Plan, scenarios []scenario.Scenario, r reports) []judge.Result {
	var out []judge.Result
	for _, p := range plans {
		for _, s := range scenarios {
			for _, c := range Cases(p, s, FirstRound) {
				if c.Cause == "" {
					continue
				}
				c.Also = []string{kubeletUpgrade}
				c.Kubelet = p.Version + " → " + p.Upgrade
				for tier := range 3 {
					if result := judge.Compare(c, tier, r.at(tier, p.Node)); result.Outcome == score.WrongProven {
						out = append(out, result)
					}
				}
			}
		}
	}
	return out
}

// names lists all nodes, and those whose first kubelet has no node log query. The log of the latter is passed as a file
// in both rounds, so that only the kubelet differs between the rounds.
func names(plans []Plan) (nodes, fileOnly []string) {
	for _, p := range plans {
		nodes = append(nodes, p.Node)
		if !cluster.HasLogQuery(p.Version) {
			fileOnly = append(fileOnly, p.Node)
		}
	}
	return nodes, fileOnly
}

func planned(running []ledger.Node) ([]Plan, round, error) {
	var out []Plan
	upgraded := 0
	for _, n := range running {
		for _, p := range Plans() {
			if p.Node == n.Name && (n.Version == p.Version || n.Version == p.Upgrade) {
				out = append(out, p)
				if n.Version == p.Upgrade {
					upgraded++
				}
			}
		}
	}
	switch {
	case len(running) == 0 || len(out) != len(running):
		return nil, FirstRound, errors.New("judge lab: its nodes are not those of the end-to-end test")
	case upgraded == 0:
		return out, FirstRound, nil
	case upgraded == len(out):
		return out, secondRound, nil
	}
	return nil, FirstRound, errors.New("judge lab: some kubelets were replaced, some not yet")
}
