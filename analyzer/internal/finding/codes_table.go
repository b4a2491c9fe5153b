package finding

import (
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file holds what exit codes and signals stand for, and lists of words and kinds.

// rank orders endings: who ended the pod tells more than that it was deleted.
var rank = map[evidence.Ending]int{evidence.EndRemoved: 1, evidence.EndDeleted: 2}

// logsReason are the reasons that the kubelet's log gives, at the level at which it tells of kills (kubelet v1.8
// and newer kuberuntime_manager.go computePodActions).
var logsReason = map[evidence.KillReason]bool{evidence.KillLiveness: true,
	evidence.KillStartup: true, evidence.KillDefinition: true}

// taintsFrom is the minor from which node controllers only taint (kubernetes v1.13 TaintBasedEvictions).
const taintsFrom = 14
