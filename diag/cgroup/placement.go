package cgroup

import (
	"fmt"
	"path"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// driverOf is the driver of the kubelet, and where that comes from: the only
// kubepods cgroup below its root, which the kubelet makes when it starts, in
// whatever way it came to its driver. Where there is one of each kind the driver
// was changed since the boot; then what the kubelet was told is the best there is,
// and none too good: from v1.31 on the runtime's answer overrides it (gate
// KubeletCgroupDriverFromCRI).
func driverOf(t *tree, dirs []dir) (driver, from string) {
	for _, d := range dirs {
		ref, ok := ParsePath(d.Path)
		if !ok || ref.Level != LevelNode || ref.Inner != "" || !below(ref.Root, t.Kubelet.Root) {
			continue
		}
		if driver != "" && driver != ref.Driver {
			if told := t.Kubelet.Driver; told == DriverSystemd || told == DriverCgroupfs {
				return told, "told"
			}
			return "", ""
		}
		driver = ref.Driver
	}
	return driver, "tree"
}

func below(root, of string) bool { return of == "" || unescape(root) == unescape(path.Join("/", of)) }

// placements compares where containers' processes are with where the kubelet
// looks for their pods. It says nothing when the tree was not read whole, or the
// kubelet's driver is not known: then nothing is known to be missing.
func placements(t *tree, dirs []dir) []evidence.Observation {
	driver, from := driverOf(t, dirs)
	if !t.Whole || driver == "" {
		return nil
	}
	there := map[string]*dir{}
	for i := range dirs {
		there[dirs[i].Path] = &dirs[i]
	}
	var out []evidence.Observation
	for _, p := range t.Places {
		ref, ok := ParsePath(p.Path)
		if !ok || ref.Level != LevelContainer || ref.PodUID == "" && ref.QOS != "" || p.PID <= 0 || p.Count <= 0 {
			continue
		}
		if ref.Root != "" && !below(ref.Root, t.Kubelet.Root) && !ref.Spec {
			continue // another kubelet's, on the same machine
		}
		f := evidence.CgroupPlacement{
			Version: t.Version, Path: safetext.Ident(p.Path), KubeletDriver: driver, DriverFrom: from, PathDriver: ref.Driver,
			SpecForm: ref.Spec, Processes: p.Count, PID: p.PID, Outside: true,
		}
		if ref.PodUID != "" {
			expected := ExpectedPath(driver, t.Kubelet.Root, ref.QOS, ref.PodUID)
			f.Expected = safetext.Ident(expected)
			f.Outside = !strings.HasPrefix(p.Path, expected+"/")
			if d := there[expected]; d != nil {
				f.Exists = true
				for _, name := range d.Lacking {
					f.Lacking = append(f.Lacking, safetext.Ident(name))
				}
			}
		}
		out = append(out, evidence.Observation{
			Subject: evidence.Subject{PodUID: ref.PodUID, ContainerID: ref.ContainerID},
			Fact:    f, Text: safetext.Clean(quotePlacement(f)),
		})
	}
	return out
}

func quotePlacement(f evidence.CgroupPlacement) string {
	text := fmt.Sprintf("%d processes (first %d) in cgroup %s", f.Processes, f.PID, f.Path)
	switch {
	case f.Expected == "":
		text += ", which is no pod's"
	case f.Outside:
		text += ", outside of " + f.Expected
	}
	switch {
	case f.Expected != "" && !f.Exists:
		text += "; " + f.Expected + " does not exist"
	case len(f.Lacking) > 0:
		text += "; " + f.Expected + " is missing in " + strings.Join(f.Lacking, ", ")
	}
	return text
}
