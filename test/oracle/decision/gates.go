package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/test/oracle/internal/cases"
)

// gateNames are the gates that computePodActions and its callees check in any release.
var gateNames = []string{
	"EphemeralContainers", "InPlacePodVerticalScaling", "InPlacePodVerticalScalingInitContainers",
	"InPlacePodLevelResourcesVerticalScaling", "SidecarContainers", "LegacySidecarContainers", "ContainerRestartRules",
	"RestartAllContainersOnContainerExits", "EventedPLEG",
}

// gateSets returns every setting of a release's gates that the release itself allows: some are locked, some require
// others. The first one is its defaults. It is an error if we treat a gate as locked that the release allows to set.
func gateSets(u upstream, release string) ([]map[string]bool, error) {
	base, err := cases.Profile(release, nil)
	if err != nil {
		return nil, err
	}
	sets, seen := []map[string]bool{{}}, map[string]bool{}
	for _, name := range gateNames {
		if _, err := base.WithGate(name, true); errors.Is(err, kubelet.ErrUnknownGate) {
			continue
		}
		var more []map[string]bool
		for _, set := range sets {
			for _, on := range []bool{false, true} {
				wider := map[string]bool{name: on}
				for k, v := range set {
					wider[k] = v
				}
				more = append(more, wider)
			}
		}
		sets = more
	}
	var allowed []map[string]bool
	for _, set := range sets {
		p, locked := cases.Profile(release, set)
		if locked != nil {
			p = base
		}
		c := cases.NewGenerator(0, p, set).Next()
		line, err := c.Line()
		if err != nil {
			return nil, err
		}
		a, err := u.answerOne(line)
		if err != nil {
			return nil, err
		}
		if locked != nil && !strings.HasPrefix(a.Refused, "gates: ") {
			return nil, fmt.Errorf("set gates of %s: the release allows it, but we: %w", release, locked)
		}
		if strings.HasPrefix(a.Refused, "gates: ") || seen[fmt.Sprint(set)] {
			continue
		}
		seen[fmt.Sprint(set)] = true
		if p.Gates == base.Gates {
			allowed = append([]map[string]bool{set}, allowed...)
		} else {
			allowed = append(allowed, set)
		}
	}
	if len(allowed) == 0 {
		return nil, fmt.Errorf("set gates of %s: the driver refuses every combination", release)
	}
	return allowed, nil
}
