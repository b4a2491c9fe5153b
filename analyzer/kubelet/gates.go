package kubelet

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Errors of WithGate: a feature gate that a minor does not have or that changes no restart decision, and one that the
// minor has locked to the other value, so that such a kubelet does not start.
var (
	ErrUnknownGate = errors.New("no such gate")
	ErrLockedGate  = errors.New("the gate is locked")
)

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
	EventedPLEG
	gateCount
)

// gateTable holds each gate's name and its minors: the first that has it, the one since which it is on and the one
// since which it cannot be set otherwise (0: never), and the last that knows it (0: still known). Source:
// features/kube_features.go of each minor. A gate that was removed stays at its last value.
var gateTable = [gateCount]struct {
	name                     string
	since, on, locked, until int
}{
	EphemeralContainers:                     {"EphemeralContainers", 16, 23, 25, 26},
	InPlacePodVerticalScaling:               {"InPlacePodVerticalScaling", 27, 33, 35, 0},
	InPlacePodVerticalScalingInitContainers: {"InPlacePodVerticalScalingInitContainers", 36, 36, 37, 0},
	InPlacePodLevelResourcesVerticalScaling: {"InPlacePodLevelResourcesVerticalScaling", 35, 36, 0, 0},
	SidecarContainers:                       {"SidecarContainers", 28, 29, 33, 36},
	LegacySidecarContainers:                 {"LegacySidecarContainers", 33, 0, 0, 33},
	ContainerRestartRules:                   {"ContainerRestartRules", 34, 35, 0, 0},
	RestartAllContainersOnContainerExits:    {"RestartAllContainersOnContainerExits", 35, 36, 0, 0},
	KubeletCrashLoopBackOffMax:              {"KubeletCrashLoopBackOffMax", 32, 35, 0, 0},
	ReduceDefaultCrashLoopBackOffDecay:      {"ReduceDefaultCrashLoopBackOffDecay", 33, 0, 0, 0},
	EventedPLEG:                             {"EventedPLEG", 37, 0, 0, 0}, // known since 26; no effect before 37
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

// On reports whether g is on.
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
// that this minor does not know is ErrUnknownGate, with the names that it does; one that it has locked to the other
// value is ErrLockedGate.
func (p Profile) WithGate(name string, on bool) (Profile, error) {
	minor := min(p.Minor, NewestMinor)
	var known []string
	for g, row := range gateTable {
		if minor < row.since || row.until != 0 && minor > row.until {
			continue
		}
		if row.name == name {
			if row.locked != 0 && minor >= row.locked && on != p.Gates.On(Gate(g)) {
				return p, fmt.Errorf("set feature gate %s=%t of kubelet %s: %w to %t since v1.%d: a kubelet with this setting "+
					"does not start",
					name, on, p.ModelledAs, ErrLockedGate, !on, row.locked)
			}
			p.Gates = p.Gates.With(Gate(g), on)
			return p, nil
		}
		known = append(known, row.name)
	}
	slices.Sort(known)
	return p, fmt.Errorf("set feature gate %q of kubelet %s: %w: want one of %s",
		name, p.ModelledAs, ErrUnknownGate, strings.Join(known, ", "))
}
