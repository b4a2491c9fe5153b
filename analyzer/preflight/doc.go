// Package preflight predicts what happens to running containers when kubelets are changed in place: upgraded,
// downgraded or only restarted. Each container's prediction is the decision of the new kubelet
// (analyzer/kubelet/decide, through analyzer/replay) about what the old one left behind; there is no table of pairs of
// versions. What a decision about one pod cannot show is added from what the minors are known to do: static pods that
// get another UID, startup probes that run again, and kubelets that would not start at all. Package exchange compares a
// prediction with what happened afterwards.
//
// It may import diag/evidence, diag/safetext, analyzer/report, analyzer/replay and analyzer/kubelet with its
// sub-packages. I/O and the clock never enter: the same snapshot gives the same report.
package preflight
