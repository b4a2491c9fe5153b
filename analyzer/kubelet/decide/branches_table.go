package decide

// The functions with the conditions, by their present names.
const (
	fnAdd     = "HandlePodAdditions"          // kubelet.go
	fnSync    = "SyncPod"                     // kubelet.go
	fnSandbox = "PodSandboxChanged"           // kuberuntime/util/util.go
	fnActions = "computePodActions"           // kuberuntime/kuberuntime_manager.go
	fnChanges = "computePodContainerChanges"  // kuberuntime/kuberuntime_manager.go, up to 1.7
	fnNext    = "findNextInitContainerToRun"  // kuberuntime/kuberuntime_container.go, up to 1.33
	fnInit    = "computeInitContainerActions" // kuberuntime/kuberuntime_container.go, 1.28+
	fnResize  = "computePodResizeAction"      // kuberuntime/kuberuntime_manager.go, 1.27+
	fnRecords = "InitializeActuatedPod"       // kuberuntime/kuberuntime_manager.go, 1.37+
	fnStarts  = "startingResizedContainer"    // kuberuntime/kuberuntime_manager.go, 1.36.4+
	fnRestart = "ShouldContainerBeRestarted"  // container/helpers.go
	fnBackOff = "doBackOff"                   // kuberuntime/kuberuntime_manager.go
	fnStart   = "startContainer"              // kuberuntime/kuberuntime_container.go
)

// Before the containers are considered.
var (
	bDeleted = branch{"pod-deleted", fnSync, "Is the pod being deleted or evicted?",
		"Everything in the pod is stopped permanently.", ""}
	bDeadline = branch{"deadline-exceeded", fnSync, "Has the pod exceeded its active deadline?",
		"The pod fails and everything in it is stopped.", ""}
	bTerminal = branch{"pod-terminal", fnSync, "Has the pod already ended (phase Succeeded or Failed)?",
		"What still runs is stopped; nothing is ever started again.", ""}
	bNotAllowed = branch{"not-runnable", fnSync, "Does the node forbid the pod to run?",
		"The pod's containers are stopped.", ""}
	bNetwork = branch{"network-not-ready", fnSync, "Must the pod wait for the node's network?",
		"The sync ends here: nothing is started and nothing is stopped.", ""}
	bCgroup = branch{"cgroup-missing", fnSync, "Is the pod's cgroup missing although a container runs?",
		"The whole pod is killed, without a log message at the usual verbosity.", ""}
	bCgroupOnce = branch{"cgroup-run-once", fnSync, "May none of the pod's containers ever run again?",
		"No cgroup is created and the pod stays stopped.",
		"The cgroup is created again and the pod is decided with all of its containers stopped."}
)

// When a kubelet that has just started processes the pods that it finds.
var (
	bReadmitted = branch{"readmitted", fnAdd, "Does the kubelet find this pod again after its own start?",
		"The pod must be admitted again, although it runs.", ""}
	bSpared = branch{"spared-admission", fnAdd, "Does the pod skip admission because it has ended?",
		"Admission is not checked again.", ""}
	bRejected = branch{"rejected", fnAdd, "Does admission reject the pod now?",
		"The pod fails permanently: its running containers are killed, and only a controller creates another pod.",
		"It continues as before."}
)

// PodSandboxChanged.
var (
	bNoSandbox = branch{"sandbox-missing", fnSandbox, "Is the pod without any sandbox?",
		"A first sandbox is created (attempt 0).", ""}
	bManyReady = branch{"sandbox-multiple-ready", fnSandbox, "Is more than one sandbox ready?",
		"All of them are stopped and a new one is created.", ""}
	bNotReady = branch{"sandbox-not-ready", fnSandbox, "Is the newest sandbox no longer ready?",
		"It is replaced, together with every container in it.", ""}
	bNetworkMode = branch{"sandbox-network-changed", fnSandbox, "Does the sandbox's network mode differ from the spec's?",
		"The sandbox is replaced.", ""}
	bNoIP = branch{"sandbox-no-ip", fnSandbox, "Does the sandbox lack the IP address that it should have?",
		"The sandbox is replaced.", "The sandbox stays."}
)

// computePodActions, around the containers.
var (
	bResetAll = branch{"restart-all-containers", fnActions,
		"Is the pod marked to restart all of its containers in place?",
		"Every container record is killed where it runs and removed; the sandbox stays.", ""}
	bNewSandbox = branch{"sandbox-changed", fnActions, "Must the sandbox be replaced?",
		"The whole pod is killed first.", "The containers are looked at one by one."}
	bNeverEnds = branch{"never-pod-ends", fnActions,
		"Is this a pod of restartPolicy Never that had its sandbox already?", "It is not started again.", ""}
	bSucceeded = branch{"container-succeeded", fnActions, "Has container {c} succeeded, so that it need not run again?",
		"It is left out of the new sandbox.", "It is started in the new sandbox."}
	bIdleSandbox = branch{"no-idle-sandbox", fnActions, "Is initialization over and nothing left to start?",
		"No new sandbox is created.", ""}
	bInitFirst = branch{"init-from-start", fnActions, "Has the pod init containers?",
		"A new sandbox means initialization from the first of them; the others wait.",
		"The regular containers are started right away."}
	bEphemeral = branch{"ephemeral-start", fnActions, "Was ephemeral container {c} never started?",
		"It is started.", "It is left alone: ephemeral containers are never restarted."}
	bInitDone = branch{"initialized", fnActions, "Is initialization over?",
		"The regular containers are looked at.", "The regular containers are not looked at in this round."}
	bNothingLeft = branch{"nothing-left", fnActions, "Is the pod left without a container that runs or is about to start?",
		"The pod's sandbox is stopped: the pod has ended.", "The pod goes on."}
)

// Init containers, in findNextInitContainerToRun.
var (
	bNextRunning = branch{"init-regular-running", fnNext, "Does a regular container run?",
		"Then initialization must be over.", ""}
	bNextFailed = branch{"init-failed", fnNext, "Has init container {c} failed?", "It is the one to look at.", ""}
	bNextMayNot = branch{"init-policy-never", fnActions, "Does the pod's restart policy forbid to run {c} again?",
		"The pod has failed and is killed.", "It is run again."}
	bNextUnknown = branch{"init-unknown", fnActions, "Is init container {c} in state unknown?",
		"It is killed first, so that it does not run twice.", ""}
	bNextWaits    = branch{"init-running", fnNext, "Is init container {c} still running?", "The kubelet waits for it.", ""}
	bNextDone     = branch{"init-exited", fnNext, "Has init container {c} succeeded?", "The one after it is next.", ""}
	bNextNoRecord = branch{"init-no-record", fnNext, "Are all init containers without a record?",
		"Initialization starts from the first one.", ""}
)

// Init containers, in computeInitContainerActions.
var (
	bInitRegular = branch{"init-regular-created", fnInit, "Has a regular container been created in this sandbox?",
		"Then initialization must be over; only sidecars are looked after.", "Initialization is not known to be over."}
	bInitMissing = branch{"init-no-record", fnInit, "Is the record of {c} gone, a sidecar that must run by now?",
		"It is started again.", ""}
	bInitPast = branch{"init-past", fnInit, "Is {c} an ordinary init container that has had its turn?",
		"It is left alone.", ""}
	bInitCreated = branch{"init-created", fnInit, "Was {c} created but never started?", "", ""}
	bInitRuns    = branch{"init-running", fnInit, "Is {c} an ordinary init container that still runs?",
		"The kubelet waits for it.", ""}
	bSideStartup = branch{"sidecar-startup-pending", fnInit, "Has sidecar {c} not yet passed its startup probe?",
		"Nothing else about it is looked at.", "It counts as started, so the next container may start."}
	bSideFailed = branch{"sidecar-startup-failed", fnInit, "Has sidecar {c} failed its startup probe?",
		"It is killed and started again.", "The kubelet waits for the probe."}
	bSideHash = branch{"sidecar-hash-differs", fnInit,
		"Does the stored hash of sidecar {c} differ from the hash of its spec?", "It is killed and started again.", ""}
	bSideLive = branch{"sidecar-liveness-failed", fnInit, "Has sidecar {c} failed its liveness probe?",
		"It is killed and started again.", ""}
	bSideExited = branch{"sidecar-exited", fnInit, "Is {c} a sidecar that has exited?",
		"It is started again, whatever the exit code and the restart policy.", ""}
	bInitFailed = branch{"init-failed", fnInit, "Has init container {c} failed?",
		"", "It is done; the next one may start."}
	bInitRetry = branch{"init-may-restart", fnInit, "May init container {c} run again?",
		"It is started again.", "The pod has failed and is killed."}
	bInitUnknown = branch{"init-unknown", fnInit, "Is {c} in state unknown?",
		"It is killed before anything else, so that it does not run twice.", ""}
	bInitNoRecord = branch{"init-from-start", fnInit, "Are all init containers without a record?",
		"Initialization starts from the first one.", ""}
)

// Regular containers.
var (
	bNotRunning = branch{"not-running", fnActions, "Is {c} stopped or gone?",
		"Then the question is whether to start it.", "Then the question is whether to kill it."}
	bUnknown = branch{"unknown-state", fnActions, "Is {c} in state unknown?",
		"It is killed first, so that it does not run twice.", ""}
	bHash = branch{"hash-differs", fnActions, "Does the stored hash of {c} differ from the hash of its spec?",
		"It is killed and started again, whatever the restart policy.", ""}
	bLiveness    = branch{"liveness-failed", fnActions, "Has {c} failed its liveness probe?", "It is killed.", ""}
	bStartup     = branch{"startup-failed", fnActions, "Has {c} failed its startup probe?", "It is killed.", ""}
	bRestartKill = branch{"restart-after-kill", fnActions,
		"Does the restart policy require {c} to restart after the kill?", "It is started again.", "It stays stopped."}
	bResize = branch{"resize-restart", fnResize,
		"Did the resources of {c} change in a way for which its resize policy requires a restart?",
		"It is killed and started again.", "It stays."}
	bResizeMiss = branch{"resize-record-missing", fnResize,
		"Is the kubelet's record of the resources that it gave {c} missing?",
		"Each of them counts as zero, so any request or limit looks like a change.", ""}
	bRecords = branch{"resize-records-made", fnRecords,
		"Is the pod without any record of the resources that it was given?",
		"The resources in its spec are recorded, so nothing looks like a change.", ""}
	bStartSize = branch{"starting-resized", fnStarts, "Does {c} start with resources that differ from the record?",
		"The pod's cgroup is resized; nothing restarts because of it.", ""}
)

// computePodContainerChanges, up to 1.7; what it shares with computePodActions is listed there.
var (
	bOldModel = branch{"modelled-cri", fnChanges, "Is the kubelet assumed to use the container runtime through CRI?",
		"The decision is that of its CRI part (kuberuntime).", ""}
	bOldSandbox = branch{"sandbox-restart", fnChanges,
		"Does the restart policy require {c} to start in the new sandbox?", "It is started there.", "It stays stopped."}
	bOldInitFailed = branch{"init-failed-kills", fnChanges, "Has {c} been started although an init container failed?",
		"It is killed.", ""}
	bOldUnwanted = branch{"unwanted", fnChanges, "Is {c} running without being kept?",
		"It is killed.", "It is left alone."}
	bOldInitEnds = branch{"init-policy-never", fnChanges,
		"Does the pod's restart policy forbid to run init container {c} again?", "Nothing is started.", ""}
	bOldInitStart = branch{"init-start", fnChanges, "Are there regular containers to start behind init container {c}?",
		"It is started first.", "It is not started."}
)

// ShouldContainerBeRestarted.
var (
	bRestartDeleted = branch{"restart-deleted", fnRestart, "Is the pod being deleted?", "Nothing is started again.", ""}
	bRestartFirst   = branch{"restart-no-record", fnRestart,
		"Are the runtime's records of {c} gone, or was it never created?", "It is started as if for the first time.", ""}
	bRestartRunning = branch{"restart-running", fnRestart, "Does {c} run?", "It needs no start.", ""}
	bRestartUnclear = branch{"restart-unclear", fnRestart, "Is {c} in state unknown or created?",
		"It is started, whatever the restart policy.", ""}
	bRestartRule = branch{"restart-rule", fnRestart, "Does one of {c}'s own restart rules match its exit code?",
		"The rule's action is to restart.", ""}
	bRestartOwn = branch{"restart-own-policy", fnRestart, "Does {c}'s own restart policy require it to start?",
		"It is started again.", "It stays stopped."}
	bRestartNever   = branch{"restart-never", fnRestart, "Is the pod's restart policy Never?", "It stays stopped.", ""}
	bRestartSuccess = branch{"restart-on-failure", fnRestart, "Is the policy OnFailure, and did {c} succeed?",
		"It stays stopped.", "It is started again."}
)

// After the decision.
var (
	bBackOff = branch{"back-off", fnBackOff, "Must {c} wait after its last crash?", "It is not started before that.",
		"It is started now."}
	bCount = branch{"restart-count", fnStart, "Does the runtime still have a record of {c}?",
		"Its restart count is one more than the record's.", "The count does not come from the runtime."}
)
