package cgroup

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// The controllers in which a kubelet expects a pod's cgroup: on v1 each of these that is mounted, on v2 each that the
// root offers (kubelet v1.20–v1.36 cm/cgroup_v1_manager_linux.go, cgroup_v2_manager_linux.go; hugetlb since v1.18, pids
// always since v1.20). The named hierarchy systemd is left out: a kubelet in its own machine, such as a container with
// systemd, sees another hierarchy than we do from outside.
var (
	expectedV1 = []string{"cpu", "cpuacct", "cpuset", "hugetlb", "memory", "pids"}
	neededV2   = []string{"cpu", "cpuset", "memory", "pids"}
)

// mounted maps the controllers of v1 to the directories where they are mounted.
func mounted(root string) map[string]string {
	entries, err := os.ReadDir(root)
	if err != nil {
		return nil
	}
	found := map[string]string{}
	for _, e := range entries {
		for _, name := range strings.Split(e.Name(), ",") {
			if slices.Contains(expectedV1, name) && found[name] == "" {
				found[name] = filepath.Join(root, e.Name())
			}
		}
	}
	return found
}

// available returns the controllers that a node offers: those that are mounted (v1), or that the root of the tree lists
// (v2).
func available(root, mount string, version int) []string {
	if version == 1 {
		return slices.Sorted(maps.Keys(mounted(root)))
	}
	text, err := readCapped(filepath.Join(mount, "cgroup.controllers"))
	if err != nil {
		return nil
	}
	return slices.Sorted(slices.Values(strings.Fields(text)))
}

// lacking returns the v1 controllers that lack a cgroup which the memory controller has.
func lacking(controllers map[string]string, p string) []string {
	var names []string
	for name, mount := range controllers {
		if _, err := os.Stat(filepath.Join(mount, filepath.FromSlash(p))); os.IsNotExist(err) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// controllerFact returns the observation of what a node offers, if the file says so.
func controllerFact(t *tree) (evidence.Observation, bool) {
	if len(t.Available) == 0 {
		return evidence.Observation{}, false
	}
	f := evidence.CgroupControllers{Version: t.Version}
	for _, name := range t.Available {
		f.Available = append(f.Available, safetext.Ident(name))
	}
	needed := neededV2
	if t.Version == 1 {
		needed = []string{"cpu", "cpuacct", "cpuset", "memory"} // others may be compiled out
	}
	for _, name := range needed {
		if !slices.Contains(t.Available, name) {
			f.Lacking = append(f.Lacking, name)
		}
	}
	text := "cgroup controllers: " + strings.Join(f.Available, " ")
	if len(f.Lacking) > 0 {
		text += "; missing: " + strings.Join(f.Lacking, " ")
	}
	return evidence.Observation{Fact: f, Text: safetext.Clean(text)}, true
}
