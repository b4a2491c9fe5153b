package kubelet

// Rules is what computePodActions and what it calls do in one version, apart from feature gates. Each field names the
// change upstream, with the patch if a change came within a minor.
type Rules struct {
	// ContainerChanges: computePodContainerChanges decides, the function before computePodActions (up to 1.7).
	ContainerChanges bool
	// CreatedIsUnclear: a container that was created but never started is started whatever the policy (1.6+, helpers.go
	// ShouldContainerBeRestarted).
	CreatedIsUnclear bool

	// SandboxNeedsIP: a sandbox without an address is replaced (1.8+); SandboxIPMayBeUnreported: but not when the runtime
	// gave no network block at all (1.25+, util/util.go PodSandboxChanged).
	SandboxNeedsIP, SandboxIPMayBeUnreported bool
	// NamespaceModes: the sandbox's network mode must be exactly the wanted one (1.10+); before, only host network or not.
	NamespaceModes bool
	// SandboxReasons: PodSandboxChanged says why, in the condition PodReadyToStartContainers (1.37+).
	SandboxReasons bool

	// NeverPod is what happens to a pod of restartPolicy Never whose sandbox is gone.
	NeverPod NeverPodRule
	// NoIdleSandbox: a pod whose containers have all succeeded gets no new sandbox (#92614: 1.17.15, 1.18.13, 1.19.4,
	// 1.20.0).
	NoIdleSandbox bool
	// SucceededIsExited: only an exited container can have succeeded (1.32+); before, any that does not run.
	SucceededIsExited bool

	// Ephemeral: ephemeral containers are started (1.16+ behind the gate EphemeralContainers, without it since 1.25).
	Ephemeral bool

	// InitPath chooses the function that handles init containers.
	InitPath InitPath
	// RunningIsInitialized: one running container shows that initialization is over (1.21+,
	// findNextInitContainerToRun).
	RunningIsInitialized bool
	// ExitedIsInitialized: so does an exited one (1.28 only, computeInitContainerActions).
	ExitedIsInitialized bool
	// ActiveSandboxOnly: initialization is judged by the records of the newest sandbox alone, if that is ready, and any
	// record of a regular container in it shows that initialization is over (1.37+, computeInitContainerActions and
	// container/helpers.go HasAnyActiveRegularContainerStarted; #138514).
	ActiveSandboxOnly bool
	// CreatedInitStarts: an init container left in state created is started again (1.29.9, 1.30.5, 1.31.1, 1.32+;
	// computeInitContainerActions). Before, the kubelet waits for it forever.
	CreatedInitStarts bool
	// OOMKilledInitFails: an init container of reason OOMKilled has failed whatever its exit code (1.23+).
	OOMKilledInitFails bool

	// UnknownIsKilled: a container in state unknown is killed before it is started again, and an init container in that
	// state has failed (1.14+).
	UnknownIsKilled bool
	// StartupKills: a failed startup probe kills (1.17+).
	StartupKills bool
	// HashWithoutResources: with in-place resize a container whose hash without resources is the stored one is unchanged
	// (1.27–1.30).
	HashWithoutResources bool
	// Resize is what in-place resize compares the spec with.
	Resize ResizeRule
	// RecordsMade: a pod without any record of its allocated resources gets them before the decision (1.37+, kubelet.go
	// SyncPod calls InitializeActuatedPod).
	RecordsMade bool
	// StartingResized: if a container is about to start with another size than recorded, the pod's cgroup is resized
	// (1.36.4+, kuberuntime_manager.go startingResizedContainer).
	StartingResized bool
	// DeletedStays: nothing in a pod that is being deleted is started again (1.17.11, 1.18+; helpers.go
	// ShouldContainerBeRestarted).
	DeletedStays bool

	// EndedSkipsAdmission: a pod whose phase is Failed or Succeeded is not admitted again after a kubelet restart (up
	// to 1.21, 1.28.14, 1.29.9, 1.30.5, 1.31.1, 1.32+; kubelet.go HandlePodAdditions). In between, a refused pod that
	// had succeeded became Failed.
	EndedSkipsAdmission bool

	// KillText is the wording of Killing events; KillReasons: kills carry a reason code (1.21+).
	KillText    KillText
	KillReasons bool
}

// NeverPodRule is what computePodActions does with a pod of restartPolicy Never that had a sandbox and lost it.
type NeverPodRule uint8

// The three rules, by age.
const (
	NeverPodGetsSandbox NeverPodRule = iota // 1.8–1.12: a sandbox is created, nothing is started in it
	NeverPodEnds                            // 1.13: neither
	NeverPodEndsIfRan                       // 1.13.8, 1.14.4, 1.15.1, 1.16+ (#79451): unless no container ever existed
)

// InitPath is how a version chooses between findNextInitContainerToRun and computeInitContainerActions, the function
// that knows sidecars.
type InitPath uint8

// The ways of choosing, by age.
const (
	InitNext         InitPath = iota // up to 1.27: always findNextInitContainerToRun
	InitActions                      // 1.28.0–1.28.1 and 1.34+: always computeInitContainerActions
	InitByGate                       // 1.28.2–1.28.15, 1.29.0–8, 1.30.0–4, 1.31.0: the gate SidecarContainers decides
	InitBySidecar                    // 1.29.9, 1.30.5, 1.31.1, 1.32: gate on and the pod has a sidecar
	InitUnlessLegacy                 // 1.33: unless LegacySidecarContainers is on and the pod has no sidecar
)

// ResizeRule is where computePodResizeAction takes the present resources from.
type ResizeRule uint8

// The sources, by age.
const (
	ResizeNever    ResizeRule = iota // up to 1.26
	ResizeStatus                     // 1.27–1.31: the API status, overridden by the runtime
	ResizeRuntime                    // 1.32: the runtime alone
	ResizeActuated                   // 1.33+: the kubelet's record; memory requests and sidecars count too
)

// KillText is the wording of a Killing event's reason.
type KillText uint8

// The wordings.
const (
	// 1.8–1.13: "Container failed liveness probe.. Container will be killed and recreated."
	KillTextSentence KillText = iota
	KillTextPlain             // 1.14+: "Container a failed liveness probe, will be restarted"
)

// fixedIn is the first patch of each minor that has a change which came within minors.
type fixedIn map[int]int

// has reports whether a version has a change: always from the minor first on, in an earlier one from its patch on. An
// unnamed patch counts as the minor's last.
func (f fixedIn) has(first, minor, patch int) bool {
	if minor >= first {
		return true
	}
	p, ok := f[minor]
	return ok && (patch == PatchNotGiven || patch >= p)
}

// The changes that came within minors; each holds without exception from some later minor on.
var (
	fixNeverPod     = fixedIn{13: 8, 14: 4, 15: 1}
	fixIdleSandbox  = fixedIn{17: 15, 18: 13, 19: 4}
	fixSidecarOnly  = fixedIn{29: 9, 30: 5, 31: 1}
	fixDeletedStays = fixedIn{17: 11}
	fixInitByGate   = fixedIn{28: 2}
	fixEndedAdmit   = fixedIn{28: 14, 29: 9, 30: 5, 31: 1}
	fixStartingSize = fixedIn{36: 4}
)

// rulesFor returns the rules of a version; minor is at most NewestMinor.
func rulesFor(minor, patch int) Rules {
	since := func(first int) bool { return minor >= first }
	r := Rules{
		ContainerChanges:         !since(8),
		CreatedIsUnclear:         since(6),
		SandboxNeedsIP:           since(8),
		SandboxIPMayBeUnreported: since(25),
		NamespaceModes:           since(10),
		SandboxReasons:           since(37),
		NoIdleSandbox:            fixIdleSandbox.has(20, minor, patch),
		SucceededIsExited:        since(32),
		Ephemeral:                since(16),
		RunningIsInitialized:     since(21),
		ExitedIsInitialized:      minor == 28,
		ActiveSandboxOnly:        since(37),
		CreatedInitStarts:        fixSidecarOnly.has(32, minor, patch),
		OOMKilledInitFails:       since(23),
		UnknownIsKilled:          since(14),
		StartupKills:             since(17),
		HashWithoutResources:     since(27) && minor <= 30,
		RecordsMade:              since(37),
		StartingResized:          fixStartingSize.has(37, minor, patch),
		DeletedStays:             fixDeletedStays.has(18, minor, patch),
		KillReasons:              since(21),
		EndedSkipsAdmission:      !since(22) || fixEndedAdmit.has(32, minor, patch),
	}
	switch {
	case fixNeverPod.has(16, minor, patch):
		r.NeverPod = NeverPodEndsIfRan
	case since(13):
		r.NeverPod = NeverPodEnds
	}
	switch {
	case since(34):
		r.InitPath = InitActions
	case since(33):
		r.InitPath = InitUnlessLegacy
	case fixSidecarOnly.has(32, minor, patch):
		r.InitPath = InitBySidecar
	case fixInitByGate.has(29, minor, patch):
		r.InitPath = InitByGate
	case since(28):
		r.InitPath = InitActions
	}
	switch {
	case since(33):
		r.Resize = ResizeActuated
	case since(32):
		r.Resize = ResizeRuntime
	case since(27):
		r.Resize = ResizeStatus
	}
	if since(14) {
		r.KillText = KillTextPlain
	}
	return r
}
