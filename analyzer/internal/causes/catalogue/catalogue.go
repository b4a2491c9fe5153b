// Package catalogue lists every cause, in the order in which equally strong claims win: what explains more comes first.
package catalogue

import (
	"cmp"
	"slices"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/app"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/definition"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/external"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/hook"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/node"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/oom"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/podend"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/probe"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/resize"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/sandbox"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/state"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/staticpod"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/sim"
)

// Rules returns the rule of every cause but `unknown`, the fallback when no rule claims.
func Rules() []causes.Rule {
	return slices.Concat(
		podend.Rules(), staticpod.Rules(), node.Rules(), definition.Rules(),
		resize.Rules(), sandbox.Rules(), kubelet.Rules(), probe.Rules(), hook.Rules(),
		oom.Rules(), external.Rules(), app.Rules(), state.Rules(),
	)
}

// Supposes returns the hypothesis of a cause for an item, sim.None for one that has none.
func Supposes(id causes.ID, f *finding.Findings) sim.Hypothesis {
	for _, r := range All() {
		if r.ID == id {
			return r.Supposes(f)
		}
	}
	return sim.None
}

// All returns every cause with its page, by id, including those without a rule: the fallback, and what appears only in
// chains.
func All() []causes.Rule {
	all := append(Rules(), causes.Rule{ID: causes.Unknown, Title: "The evidence does not show the cause"})
	all = append(all, state.Told()...)
	all = append(all, sandbox.Told()...)
	slices.SortFunc(all, func(a, b causes.Rule) int { return cmp.Compare(a.ID, b.ID) })
	return all
}
