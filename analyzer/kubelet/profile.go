package kubelet

import (
	"errors"
	"fmt"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/hash"
)

// The minors of Kubernetes 1 whose kubelet is modelled. Every newer one is treated as the newest.
const (
	OldestMinor = hash.OldestMinor
	NewestMinor = hash.NewestMinor
)

// ErrVersionNotModelled is returned for a kubelet older than v1.5 or of another major than 1.
var ErrVersionNotModelled = errors.New("this kubelet version is not modelled (v1.5 and newer are)")

// Modelled reports whether what this version does is known, rather than assumed from a neighbouring one.
func (v Version) Modelled() bool {
	return v.Major == 1 && v.Minor >= OldestMinor && v.Minor <= NewestMinor
}

// TakenFor formats a version, with the minor that is assumed for one that is not modelled: "v1.99.0 (treated as
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
	// StaticPodUID names what a static pod's UID is computed from; a change of it recreates every static pod
	// (config/common.go applyDefaults).
	StaticPodUID StaticPodUIDRecipe

	// KillingBeforeStop: the Killing event precedes the stop and has the plain text of the reason. Before 1.14 it
	// follows the stop, so it may be late by the whole grace period (kuberuntime_container.go killContainer).
	KillingBeforeStop bool

	// StartupProbes: a failed startup probe kills (1.17+, behind its gate until 1.18; computePodActions).
	StartupProbes bool
	// StartupProbeReruns: after a kubelet restart, startup probes run again for containers that had passed them
	// (1.17–1.34; prober/prober_manager.go, gate ChangeContainerStatusOnKubeletRestart off since 1.35).
	StartupProbeReruns bool
	// ExecProbeTimeout: an exec probe that exceeds its timeout has failed; before 1.20 it was ignored.
	ExecProbeTimeout bool
}

// StaticPodUIDRecipe names what the UID of a static pod is computed from.
type StaticPodUIDRecipe string

// The three recipes of config/common.go applyDefaults.
const (
	StaticPodUIDFromPod       StaticPodUIDRecipe = "md5-pod"            // up to 1.20: node and file are lost in a reset
	StaticPodUIDFromPodAndURL StaticPodUIDRecipe = "md5-pod-source"     // 1.21–1.34: pod, then node and file
	StaticPodUIDFNV           StaticPodUIDRecipe = "fnv128a-pod-source" // 1.35+: the same text, another hash
)

// ProfileFor returns the profile of v's minor. A minor newer than NewestMinor is modelled as that one and is marked
// Extrapolated; older than OldestMinor, or of another major, is ErrVersionNotModelled.
func ProfileFor(v Version) (Profile, error) {
	if v.Major != 1 || v.Minor < OldestMinor {
		return Profile{}, fmt.Errorf("model kubelet %s: %w", v, ErrVersionNotModelled)
	}
	modelled := min(v.Minor, NewestMinor)
	since := func(minor int) bool { return modelled >= minor }
	// Each of these holds from the first to the last patch of its minors.
	p := Profile{
		Minor:        v.Minor,
		ModelledAs:   Version{Major: 1, Minor: modelled}.MinorString(),
		Extrapolated: !v.Modelled(),
		Patch:        v.Patch,
		Gates:        defaultGates(modelled),

		HashesSidecars:     since(32),
		StaticPodUID:       StaticPodUIDFromPod,
		KillingBeforeStop:  since(14),
		StartupProbes:      since(17),
		StartupProbeReruns: since(17) && !since(35),
		ExecProbeTimeout:   since(20),
	}
	switch {
	case since(35):
		p.StaticPodUID = StaticPodUIDFNV
	case since(21):
		p.StaticPodUID = StaticPodUIDFromPodAndURL
	}
	if p.Extrapolated {
		p.Patch = PatchNotGiven
	}
	p.Rules = rulesFor(modelled, p.Patch)
	p.HashEra, _ = hash.EraOf(modelled)
	return p, nil
}
