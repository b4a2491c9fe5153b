package cgroup

import (
	"fmt"
	"path"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// driverOf returns the kubelet's driver, and how we know it: from the only kubepods cgroup below its root, which the
// kubelet creates at its start with whatever driver it uses. If there is one of each kind, the driver was changed since
// the boot. Then the kubelet's configuration is the best source, though not a good one: from v1.31 on the runtime's
// answer overrides it (gate KubeletCgroupDriverFromCRI).
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

// rootOf returns the kubelet's cgroup root: the configured one, or else the only place with a kubepods cgroup of its
// driver. It returns false if several kubelets share a machine and nothing says which one is meant.
func rootOf(t *tree, dirs []dir, driver string) (string, bool) {
	if t.Kubelet.Root != "" {
		return t.Kubelet.Root, true
	}
	root, found := "", false
	for _, d := range dirs {
		ref, ok := ParsePath(d.Path)
		if !ok || ref.Level != LevelNode || ref.Inner != "" || ref.Driver != driver {
			continue
		}
		if found && root != ref.Root {
			return "", false
		}
		root, found = ref.Root, true
	}
	return root, found
}

// podOf returns the pod's cgroup that contains a path, "" for a path of another form.
func podOf(p string) string {
	for ; p != "/" && p != "."; p = path.Dir(p) {
		if ref, ok := ParsePath(p); ok && ref.Level == LevelPod && ref.Inner == "" {
			return p
		}
	}
	return ""
}

func below(root, of string) bool { return of == "" || unescape(root) == unescape(path.Join("/", of)) }

// placements compares where containers' processes are with where the kubelet looks for their pods. It returns nothing
// if the tree was not read completely or the kubelet's driver is unknown: then nothing is known to be missing.
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
			expected := podOf(p.Path)
			if ref.Spec || ref.Driver != driver || expected == "" {
				// A kubelet with this driver does not have its pods here. Where it has them depends on its root.
				root, known := rootOf(t, dirs, driver)
				if !known {
					continue
				}
				expected = ExpectedPath(driver, root, ref.QOS, ref.PodUID)
			}
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
