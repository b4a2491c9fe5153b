package kubelet

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ErrUnknownGate is returned for a feature gate that a minor does not have, or that changes no restart decision.
var ErrUnknownGate = errors.New("no such gate")

// Gate is a feature gate of the kubelet that changes a restart decision.
type Gate uint8

// The gates; the names that the kubelet gives them are in gateTable.
const (
	EphemeralContainers Gate = iota
	InPlacePodVerticalScaling
	InPlacePodVerticalScalingInitContainers
	InPlacePodLevelResourcesVerticalScaling
	SidecarContainers
	LegacySidecarContainers
	ContainerRestartRules
	RestartAllContainersOnContainerExits
	KubeletCrashLoopBackOffMax
	ReduceDefaultCrashLoopBackOffDecay
	gateCount
)

// gateTable holds each gate's name, the minor that introduced it, and the minor since which it is on (0: never).
// Source: features/kube_features.go of each minor. A gate whose code was removed later stays at its last value.
var gateTable = [gateCount]struct {
	name      string
	since, on int
	until     int // the last minor whose code asks for the gate; 0: still asked for
}{
	EphemeralContainers:                     {"EphemeralContainers", 16, 23, 24},
	InPlacePodVerticalScaling:               {"InPlacePodVerticalScaling", 27, 33, 0},
	InPlacePodVerticalScalingInitContainers: {"InPlacePodVerticalScalingInitContainers", 36, 36, 0},
	InPlacePodLevelResourcesVerticalScaling: {"InPlacePodLevelResourcesVerticalScaling", 35, 36, 0},
	SidecarContainers:                       {"SidecarContainers", 28, 29, 32},
	LegacySidecarContainers:                 {"LegacySidecarContainers", 33, 0, 33},
	ContainerRestartRules:                   {"ContainerRestartRules", 34, 35, 0},
	RestartAllContainersOnContainerExits:    {"RestartAllContainersOnContainerExits", 35, 36, 0},
	KubeletCrashLoopBackOffMax:              {"KubeletCrashLoopBackOffMax", 32, 35, 0},
	ReduceDefaultCrashLoopBackOffDecay:      {"ReduceDefaultCrashLoopBackOffDecay", 33, 0, 0},
}

// String returns the name that the kubelet's --feature-gates takes.
func (g Gate) String() string {
	if g >= gateCount {
		return fmt.Sprintf("gate %d", uint8(g))
	}
	return gateTable[g].name
}

// Gates is a set of gates that are on.
type Gates uint32

// On returns whether g is on.
func (s Gates) On(g Gate) bool { return s>>g&1 == 1 }

// With returns the set with g turned on or off.
func (s Gates) With(g Gate, on bool) Gates {
	if on {
		return s | 1<<g
	}
	return s &^ (1 << g)
}

// String lists the gates that are on, in the table's order.
func (s Gates) String() string {
	var on []string
	for g := Gate(0); g < gateCount; g++ {
		if s.On(g) {
			on = append(on, g.String())
		}
	}
	return strings.Join(on, ",")
}

// defaultGates returns the gates that are on in a minor unless its configuration says otherwise.
func defaultGates(minor int) (s Gates) {
	for g, row := range gateTable {
		if row.on != 0 && minor >= row.on {
			s = s.With(Gate(g), true)
		}
	}
	return s
}

// WithGate returns the profile with a gate of that name turned on or off, as the kubelet's --feature-gates does. A name
// that this minor does not know is ErrUnknownGate, with the names that it does.
func (p Profile) WithGate(name string, on bool) (Profile, error) {
	minor := min(p.Minor, NewestMinor)
	var known []string
	for g, row := range gateTable {
		if minor < row.since || row.until != 0 && minor > row.until {
			continue
		}
		if row.name == name {
			p.Gates = p.Gates.With(Gate(g), on)
			return p, nil
		}
		known = append(known, row.name)
	}
	slices.Sort(known)
	return p, fmt.Errorf("set feature gate %q of kubelet %s: %w: want one of %s", name, p.ModelledAs, ErrUnknownGate, strings.Join(known, ", "))
}
