package finding

import (
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file holds the meaning of exit codes and signals, and lists of messages and kinds.

// rank orders endings: who ended the pod says more than its deletion.
var rank = map[evidence.Ending]int{evidence.EndRemoved: 1, evidence.EndDeleted: 2}

// logsReason are the reasons that are in the kubelet's log at the verbosity that has kills (kubelet v1.8 and newer
// kuberuntime_manager.go computePodActions).
var logsReason = map[evidence.KillReason]bool{evidence.KillLiveness: true,
	evidence.KillStartup: true, evidence.KillDefinition: true}

// taintsFrom is the minor from which node controllers only taint (kubernetes v1.13 TaintBasedEvictions).
const taintsFrom = 14

// killsFrom is the minor from which kubelets kill for a reason: startup probes, resizes in place and rules that restart
// all containers came later (kubernetes v1.16, v1.27, v1.35 kuberuntime_manager.go computePodActions).
var killsFrom = map[evidence.KillReason]int{
	evidence.KillStartup: 16, evidence.KillResize: 27, evidence.KillRestartAll: 35,
}
