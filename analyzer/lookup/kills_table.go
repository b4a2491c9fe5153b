package lookup

import (
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/likelihood"
)

// killMessages are the kubelet's messages when it kills a container. Their terms are those of OfFact.
var killMessages = []Meaning{
	{
		Term: "Container failed liveness probe, will be restarted", Is: Message, Also: []string{"failed liveness probe"},
		Causes: Weights{causes.LivenessProbeFailed: 94, causes.ProbeTimeoutEnforced: 3, causes.ProbeFailuresCarriedOver: 3},
		Means: "The liveness probe failed as often as failureThreshold allows, and the kubelet kills the " +
			"container. The events Unhealthy before it say what the probe saw.",
		Do: []Command{doDescribe, doWhy, doPrevious}, Source: killSource,
	},
	{
		Term: "Container failed startup probe, will be restarted", Is: Message, Also: []string{"failed startup probe"},
		Causes: Weights{causes.StartupProbeFailed: 95, causes.StartupProbeRerun: 5},
		Means: "The startup probe did not succeed in time (failureThreshold × periodSeconds), and the " +
			"kubelet kills the container.",
		Do: []Command{doDescribe, doWhy, doPrevious}, Source: killSource,
	},
	{
		Term: "Container definition changed, will be restarted", Is: Message,
		Also: []string{"definition changed", "spec hash changed", "container spec hash changed"},
		Page: "definition-changed",
		Causes: Weights{
			causes.HashKubeletUpgrade: 45, causes.SpecImageChanged: 40, causes.HashAPIServerChange: 8,
			causes.SpecChanged: 7,
		},
		Means: "The kubelet computes another hash for the container's spec than the one that is stored with " +
			"it, and replaces the container. Either the image was changed, or nothing was changed and another " +
			"kubelet version computes another hash.",
		Do: []Command{doHash, doWhy, doTogether}, Source: killSource,
	},
	{
		Term: "FailedPostStartHook (killing)", Is: Message, Causes: Weights{causes.PostStartHookFailed: 100},
		Means: "The postStart hook failed, and the kubelet kills the container for it.",
		Do:    []Command{doDescribe, doWhy, doPrevious}, Source: killSource,
	},
	{
		Term: `Container is in "unknown" state, try killing it before restart`, Is: Message,
		Causes: Weights{causes.ContainerUnknownState: 70, causes.RuntimeRestarted: 15, causes.NodeReboot: 15},
		Means: "The runtime does not know whether the container still runs, most often after its own " +
			"restart; the kubelet makes sure by killing it, then starts it again.",
		Do: []Command{doWhy, doUnit}, Source: killSource,
	},
	{
		Term: "Container resize requires restart", Is: Message,
		Causes: Weights{causes.ResizeRestart: 85, causes.ResizeRecordMissing: 15},
		Means: "The container's resources differ from what it was started with, and its resizePolicy requires a " +
			"restart for that.",
		Do: []Command{doWhy, doDescribe}, Source: killSource,
	},
	{
		Term: "RestartAllContainers", Is: Message, Also: []string{"restart all containers"}, Facts: "kubelet.restart-all",
		Causes: Weights{causes.RestartAllContainers: 100},
		Means:  "A restart rule of one container makes the kubelet restart all containers of the pod (1.35 and later).",
		Do:     []Command{doWhy, doReplay}, Source: killSource,
	},
	{
		Term: "Stopping container", Is: Message, Also: []string{"Need to kill Pod"}, Causes: takenDown,
		Means: "The kubelet stops the whole pod. The message does not say why: deletion, eviction, " +
			"preemption, a shutdown of the node, or a sandbox that is recreated.",
		Do: []Command{doWhy, doStatus, doEvents}, Source: killSource,
	},
	{
		Term: "Killing container with a grace period", Is: Message, Look: likelihood.Stopped, Facts: "kubelet.kill-started",
		Means: "The kubelet asks the runtime to stop the container: SIGTERM, and SIGKILL after the grace " +
			"period. The line before it says why.",
		Do: []Command{doWhy, doLogs}, Source: killSource,
	},
	{
		Term: "Container exited normally", Is: Message, Look: likelihood.Stopped, Facts: "kubelet.kill-finished",
		Means: "The runtime has done what the kubelet asked for and stopped the container, by SIGTERM or by SIGKILL.",
		Do:    []Command{doWhy, doLogs}, Source: killSource,
	},
	{
		Term: "Liveness probe failed", Is: Message, Also: []string{"liveness", "liveness failing"},
		Causes: Weights{causes.LivenessProbeFailed: 94, causes.ProbeTimeoutEnforced: 3, causes.ProbeFailuresCarriedOver: 3},
		Means: "One liveness probe failed. The container is restarted when failureThreshold probes in a row " +
			"have failed (3 by default).",
		Do: []Command{doDescribe, doWhy, doPrevious}, Source: "kubelet prober/prober.go",
	},
	{
		Term: "Startup probe failed", Is: Message, Also: []string{"startup", "startup failing"},
		Causes: Weights{causes.StartupProbeFailed: 95, causes.StartupProbeRerun: 5},
		Means:  "One startup probe failed. The container is restarted when failureThreshold probes in a row have failed.",
		Do:     []Command{doDescribe, doWhy}, Source: "kubelet prober/prober.go",
	},
	{
		Term: "Readiness probe failed", Is: Message, Also: []string{"readiness", "readiness failing"},
		Means: noRestartOfItself + "One readiness probe failed: after failureThreshold of them the pod gets " +
			"no traffic from Services.",
		Do: []Command{doDescribe}, Source: "kubelet prober/prober.go",
	},
	{
		Term: "Probe errored", Is: Message,
		Means: noRestartOfItself + "A probe could not be run, so it counts neither as a success nor as a " +
			"failure: an exec whose command is not there, or a runtime that does not answer.",
		Do: []Command{doDescribe, doUnit}, Source: "kubelet prober/prober.go",
	},
}
