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
