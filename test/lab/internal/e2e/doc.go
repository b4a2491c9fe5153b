// Package e2e drives a lab through its scenarios and judges the built binary: provoke, wait until every truth can be
// observed, judge at three tiers, replace the kubelets, judge again.
//
// It may import cluster, scenario and judge. It runs kubectl-restartwhy as users do, as a program; it never imports the
// tool's own packages, so that both cannot share a mistake.
package e2e
