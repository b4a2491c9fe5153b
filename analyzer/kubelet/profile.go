package kubelet

import (
	"errors"
	"fmt"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/hash"
)

// The minors of Kubernetes 1 whose kubelet is modelled. Every newer one is taken for the newest.
const (
	OldestMinor = 5
	NewestMinor = 37
)

// ErrVersionNotModelled is returned for a kubelet older than v1.5 or of another major than 1.
var ErrVersionNotModelled = errors.New("this kubelet version is not modelled (v1.5 and newer are)")

// Modelled returns whether what this version does is known, not taken from a neighbouring one.
func (v Version) Modelled() bool {
	return v.Major == 1 && v.Minor >= OldestMinor && v.Minor <= NewestMinor
}

// TakenFor names a version, and beside one that is not modelled the minor that it is taken for: "v1.99.0 (taken for
// v1.37)".
func (v Version) TakenFor() string {
	switch {
	case v.Modelled():
		return v.String()
	case v.Major != 1 || v.Minor < OldestMinor:
		return v.String() + " (which is not modelled)"
	}
	return v.String() + " (treated as " + Version{Major: 1, Minor: NewestMinor}.MinorString() + ")"
}

// Profile says how the kubelet of one minor behaves where it matters to restarts. Each field names the source that
// shows the change.
type Profile struct {
	// Minor is the version's own minor; ModelledAs, such as "v1.36", is the minor whose behaviour is assumed.
	Minor      int
	ModelledAs string
	// Extrapolated is true for a minor newer than NewestMinor: its behaviour is assumed, not known.
	Extrapolated bool
	// Patch is the version's own patch; PatchNotGiven counts as the last one of the minor.
	Patch int
	// Gates are the feature gates that are on: the minor's defaults, unless WithGate says otherwise.
	Gates Gates
	// Rules are those of computePodActions in this version.
	Rules Rules

	// HashEra is how HashContainer computes what is stored with a container (container/helpers.go).
	HashEra hash.Era
	// HashesSidecars: the hash of a restartable init container is compared too
	// (1.32+, kuberuntime_container.go computeInitContainerActions).
	HashesSidecars bool
	// StaticPodUID names what a static pod's UID is made from; a change of it recreates every static pod
	// (config/common.go applyDefaults).
	StaticPodUID StaticPodUIDRecipe

	// KillingBeforeStop: the Killing event precedes the stop and has the plain text of the reason. Before 1.14 it
	// follows the stop, so it may be late by the whole grace period (kuberuntime_container.go killContainer).
	KillingBeforeStop bool
	// StructuredLog: log lines are `"message" key=value` (1.21+) instead of printf text.
	StructuredLog bool
	// LogsContainerFinished: `"Generic (PLEG): container finished"` gives each exit code at -v=2 (1.22+, pleg/generic.go).
	LogsContainerFinished bool

	// StartupProbes: a failed startup probe kills (1.17+, behind its gate until 1.18; computePodActions).
	StartupProbes bool
	// StartupProbeReruns: a kubelet restart runs startup probes again against containers that had passed them
	// (1.17–1.34; prober/prober_manager.go, gate ChangeContainerStatusOnKubeletRestart off since 1.35).
	StartupProbeReruns bool
	// ExecProbeTimeout: an exec probe that exceeds its timeout has failed; before 1.20 it was ignored.
	ExecProbeTimeout bool

	// StatusUnknown: exit code 137 with reason ContainerStatusUnknown may be the kubelet's invention
	// (1.20+, kubelet_pods.go convertToAPIContainerStatuses).
	StatusUnknown bool
	// Sidecars: init containers with restartPolicy Always are restarted on their own (gate on since 1.29).
	Sidecars bool
	// InPlaceResize: container resources may change in place, and a container whose actuated resources are not on
	// record may be restarted for it (gate on since 1.33; kuberuntime_manager.go computePodResizeAction). Since 1.37 only
	// where its pod is on record without it (Rules.RecordsMade).
	InPlaceResize bool
	// RestartRules: a container may have a restart policy and rules of its own (gate on since 1.35).
	RestartRules bool
	// RestartAllContainers: a rule may restart all containers of the pod in place (gate on since 1.36).
	RestartAllContainers bool
}

// StaticPodUIDRecipe names what the UID of a static pod is computed from.
type StaticPodUIDRecipe string

// The three recipes of config/common.go applyDefaults.
const (
	StaticPodUIDFromPod       StaticPodUIDRecipe = "md5-pod"            // up to 1.20: node and file are reset away
	StaticPodUIDFromPodAndURL StaticPodUIDRecipe = "md5-pod-source"     // 1.21–1.34: pod, then node and file
	StaticPodUIDFNV           StaticPodUIDRecipe = "fnv128a-pod-source" // 1.35+: the same text, another hash
)

// minorChange is one minor's difference from the minor before it; nil means none that a Profile shows.
type minorChange struct {
	minor int
	apply func(*Profile)
}

// minors is read from the oldest to the wanted minor. Each fact holds from the first to the last patch of its minor.
var minors = [...]minorChange{
	{5, func(p *Profile) { p.StaticPodUID = StaticPodUIDFromPod }},
	{6, nil},
	{7, nil},
	{8, nil},
	{9, nil},
	{10, nil},
	{11, nil},
	{12, nil},
	{13, nil},
	{14, func(p *Profile) { p.KillingBeforeStop = true }},
	{15, nil},
	{16, nil},
	{17, func(p *Profile) { p.StartupProbes, p.StartupProbeReruns = true, true }},
	{18, nil},
	{19, nil},
	{20, func(p *Profile) { p.ExecProbeTimeout, p.StatusUnknown = true, true }},
	{21, func(p *Profile) { p.StructuredLog, p.StaticPodUID = true, StaticPodUIDFromPodAndURL }},
	{22, func(p *Profile) { p.LogsContainerFinished = true }},
	{23, nil},
	{24, nil},
	{25, nil},
	{26, nil},
	{27, nil},
	{28, nil},
	{29, func(p *Profile) { p.Sidecars = true }},
	{30, nil},
	{31, nil},
	{32, func(p *Profile) { p.HashesSidecars = true }},
	{33, func(p *Profile) { p.InPlaceResize = true }},
	{34, nil},
	{35, func(p *Profile) {
		p.RestartRules, p.StaticPodUID, p.StartupProbeReruns = true, StaticPodUIDFNV, false
	}},
	{36, func(p *Profile) { p.RestartAllContainers = true }},
	{37, nil},
}

// ProfileFor returns the profile of v's minor. A minor newer than NewestMinor is modelled as that one and is marked
// Extrapolated; older than OldestMinor, or of another major, is ErrVersionNotModelled.
func ProfileFor(v Version) (Profile, error) {
	if v.Major != 1 || v.Minor < OldestMinor {
		return Profile{}, fmt.Errorf("model kubelet %s: %w", v, ErrVersionNotModelled)
	}
	modelled := min(v.Minor, NewestMinor)
	p := Profile{
		Minor:        v.Minor,
		ModelledAs:   Version{Major: 1, Minor: modelled}.MinorString(),
		Extrapolated: !v.Modelled(),
		Patch:        v.Patch,
		Gates:        defaultGates(modelled),
	}
	if p.Extrapolated {
		p.Patch = PatchNotGiven
	}
	p.Rules = rulesFor(modelled, p.Patch)
	p.HashEra, _ = hash.EraOf(modelled)
	for _, m := range minors {
		if m.minor > modelled {
			break
		}
		if m.apply != nil {
			m.apply(&p)
		}
	}
	return p, nil
}
