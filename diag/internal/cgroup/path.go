package cgroup

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// The cgroup drivers, as the kubelet spells them (--cgroup-driver).
const (
	DriverCgroupfs = "cgroupfs"
	DriverSystemd  = "systemd"
)

// The QoS classes, as the API spells them (core/v1 PodQOSClass).
const (
	QOSGuaranteed = "Guaranteed"
	QOSBurstable  = "Burstable"
	QOSBestEffort = "BestEffort"
)

// Depth is the level of a cgroup in the kubelet's hierarchy.
type Depth string

// The levels, from the top down.
const (
	LevelNode      Depth = "node"      // kubepods itself: node allocatable
	LevelQOS       Depth = "qos"       // kubepods/burstable, kubepods/besteffort
	LevelPod       Depth = "pod"       // the pod's cgroup, shared by its containers
	LevelContainer Depth = "container" // a container's cgroup, or a sandbox's: the path is the same for both
	LevelMonitor   Depth = "monitor"   // crio-conmon-<id>.scope: CRI-O's monitor of a container, not the container
)

// Ref is what a cgroup path says. Fields that are not in the path are empty.
type Ref struct {
	Level Depth
	// PodUID has its dashes back if systemd's naming turned them into underscores.
	PodUID      string
	ContainerID string
	Driver      string // whose naming the path follows: cgroupfs or systemd
	QOS         string // empty for LevelNode, and for a scope outside kubepods
	// Root is the kubelet's cgroup root ("/" by default): the part above kubepods.
	Root string
	// Spec is true for the form slice:prefix:id. In an OCI spec that form addresses the systemd driver; as a directory
	// it shows a runtime that uses cgroupfs under a kubelet that uses systemd.
	Spec bool
	// Inner is the rest below the cgroup that the other fields describe: a cgroup that the container created itself.
	Inner string
}

// ParsePath reads the path of a cgroup, in the form of either driver, with or without a prefix before kubepods (a mount
// point, a cgroup root, the cgroup of an enclosing machine). It returns false for a path that is not the kubelet's. For
// a cluster inside a pod it returns the outer pod.
//
// Naming: kubelet v1.6–v1.36 cm/cgroup_manager_linux.go ToSystemd, ToCgroupfs; cm/pod_container_manager_linux.go
// GetPodContainerName.
func ParsePath(p string) (Ref, bool) {
	parts := strings.FieldsFunc(p, func(r rune) bool { return r == '/' })
	for i, part := range parts {
		if slice, leaf, ok := strings.Cut(part, ".slice:"); ok {
			ref, isSlice := parseSlice(slice)
			prefix, id, _ := strings.Cut(leaf, ":")
			if isSlice && evidence.IsContainerID(id, leastID) {
				ref.Spec = true
				return ref.descend(prefix+"-"+id, parts[i+1:])
			}
		}
		if part == "kubepods" {
			return parseCgroupfs(parts[:i], parts[i+1:])
		}
		if name, ok := strings.CutSuffix(part, ".slice"); ok {
			if ref, ok := parseSlice(name); ok {
				return walkSlices(ref, parts[i+1:])
			}
		}
	}
	// A scope below another slice (a runtime without a cgroup parent).
	for i, part := range parts {
		if strings.HasPrefix(part, "cri-containerd-") || strings.HasPrefix(part, "crio-") {
			ref, ok := Ref{Driver: DriverSystemd}.descend(part, parts[i+1:])
			return ref, ok && ref.ContainerID != ""
		}
	}
	return Ref{}, false
}

// enter reads what is below kubepods, [qos] and pod<uid>, and returns what is below that.
func (r *Ref) enter(below []string) []string {
	r.Level = LevelNode
	if len(below) > 0 {
		if qos := qosOf(below[0]); qos != QOSGuaranteed {
			r.Level, r.QOS, below = LevelQOS, qos, below[1:]
		}
	}
	if len(below) > 0 {
		if uid, ok := strings.CutPrefix(below[0], "pod"); ok && isUID(uid) {
			r.Level, r.QOS, r.PodUID, below = LevelPod, cmp.Or(r.QOS, QOSGuaranteed), uid, below[1:]
		}
	}
	return below
}

// parseCgroupfs reads [qos/]pod<uid>/<id> below kubepods.
func parseCgroupfs(above, below []string) (Ref, bool) {
	ref := Ref{Driver: DriverCgroupfs, Root: "/" + strings.Join(above, "/")}
	rest := ref.enter(below)
	if ref.Level == LevelPod && len(rest) > 0 {
		return ref.descend(rest[0], rest[1:])
	}
	ref.Inner = strings.Join(rest, "/")
	return ref, true
}

// walkSlices descends the nested slices of systemd's naming: each child repeats its parent's whole name.
func walkSlices(ref Ref, below []string) (Ref, bool) {
	for len(below) > 0 && ref.Level != LevelPod {
		name, ok := strings.CutSuffix(below[0], ".slice")
		if !ok {
			break
		}
		next, ok := parseSlice(name)
		if !ok {
			break
		}
		ref, below = next, below[1:]
	}
	if len(below) == 0 {
		return ref, true
	}
	if ref.Level == LevelPod {
		return ref.descend(below[0], below[1:])
	}
	ref.Inner = strings.Join(below, "/")
	return ref, true
}

// parseSlice reads a slice name without its suffix:
// [<root>-…]kubepods[-burstable|-besteffort][-pod<uid_>].
func parseSlice(name string) (Ref, bool) {
	words := strings.Split(name, "-")
	k := slices.Index(words, "kubepods")
	if k < 0 {
		return Ref{}, false
	}
	ref := Ref{Driver: DriverSystemd, Root: "/" + unescape(strings.Join(words[:k], "/"))}
	for i, word := range words {
		words[i] = unescape(word)
	}
	return ref, len(ref.enter(words[k+1:])) == 0
}

// descend reads the name below a pod's cgroup.
func (r Ref) descend(leaf string, below []string) (Ref, bool) {
	name := strings.TrimSuffix(leaf, ".scope")
	level := LevelContainer
	for _, prefix := range []string{"crio-conmon-", "cri-containerd-", "crio-", "docker-", "libpod-"} {
		if id, ok := strings.CutPrefix(name, prefix); ok {
			name = id
			if prefix == "crio-conmon-" {
				level = LevelMonitor
			}
			break
		}
	}
	if !evidence.IsContainerID(name, leastID) {
		r.Inner = strings.Join(append([]string{leaf}, below...), "/")
		return r, true
	}
	r.Level, r.ContainerID, r.Inner = level, name, strings.Join(below, "/")
	return r, true
}

// ExpectedPath returns the pod cgroup that a kubelet with this driver and cgroup root uses for a pod, below the mount
// point. root is "/" or empty by default. It returns "" for an unknown driver or QoS class, and for an empty UID.
//
// Kubelet v1.6–v1.36 cm/cgroup_manager_linux.go ToSystemd, ToCgroupfs.
func ExpectedPath(driver, root, qos, uid string) string {
	if uid == "" {
		return ""
	}
	parts := strings.FieldsFunc(root, func(r rune) bool { return r == '/' })
	parts = append(parts, "kubepods")
	switch qos {
	case QOSBurstable:
		parts = append(parts, "burstable")
	case QOSBestEffort:
		parts = append(parts, "besteffort")
	case QOSGuaranteed:
	default:
		return ""
	}
	parts = append(parts, "pod"+uid)
	switch driver {
	case DriverCgroupfs:
		return path.Join("/", path.Join(parts...))
	case DriverSystemd:
		full, name := "", ""
		for i, part := range parts {
			// systemd nests slices at dashes, so a dash within a part is escaped.
			part = strings.ReplaceAll(part, "-", "_")
			if i > 0 {
				name += "-"
			}
			name += part
			full += "/" + name + ".slice"
		}
		return full
	}
	return ""
}

func unescape(s string) string { return strings.ReplaceAll(s, "_", "-") }

// qosOf returns Guaranteed for every other name: that class has no directory.
func qosOf(name string) string {
	switch name {
	case "burstable":
		return QOSBurstable
	case "besteffort":
		return QOSBestEffort
	}
	return QOSGuaranteed
}

// isUID accepts UUIDs, the hashes that static pods have as UIDs, and the arbitrary UIDs that a static pod's manifest
// may set.
func isUID(s string) bool {
	return s != "" && len(s) <= 128 &&
		strings.Trim(s, "-0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// leastID is to how many digits people shorten the ids of containers.
const leastID = 12
