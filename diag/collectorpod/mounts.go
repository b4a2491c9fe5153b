package collectorpod

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// Root is where the node's directories are mounted in the pod.
const Root = "/host"

// Grant is access that the pod gets only on request, because it allows more than reading.
type Grant string

// The grants.
const (
	// GrantCRI mounts the sockets of container runtimes. Access to one is root on the node, although the mount is
	// read-only.
	GrantCRI Grant = "cri"
	// GrantProc mounts the node's /proc: the command lines and cgroups of all processes of the node, and ways to escape
	// the container for a program that looks for one.
	GrantProc Grant = "proc"
	// GrantSystemd mounts the socket of the system bus: root may start and stop units through it.
	GrantSystemd Grant = "systemd"
	// GrantSELinux runs the pod as spc_t. Where SELinux is enforced, no other container may read the node's logs.
	GrantSELinux Grant = "selinux"
	// GrantHostNetwork runs the pod in the node's network: on a node with a broken pod network, no other pod starts.
	GrantHostNetwork Grant = "hostnetwork"
)

// Grants lists all grants, in the order of their names.
func Grants() []Grant {
	return []Grant{GrantCRI, GrantHostNetwork, GrantProc, GrantSELinux, GrantSystemd}
}

// ParseGrants parses a list from the command line.
func ParseGrants(list []string) ([]Grant, error) {
	var out []Grant
	for _, one := range list {
		if !slices.Contains(Grants(), Grant(one)) {
			var known []string
			for _, g := range Grants() {
				known = append(known, string(g))
			}
			return nil, fmt.Errorf("unknown grant %q: want %s", one, strings.Join(known, ", "))
		}
		out = append(out, Grant(one))
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// view is one source of a node with the directories that it reads.
type view struct {
	// source is its name in `collect --local --sources`.
	source string
	grant  Grant // "" when none is needed
	// without says what a verdict lacks without it, for a gap.
	without string
	mounts  []mount
}

// mount is one directory, file or socket of the node. The kubelet checks that it exists with its type: without a type
// the runtime would create it, and a node with a new /var/log/journal would start to keep its journal.
type mount struct {
	name, path string
	kind       corev1.HostPathType
}

const (
	directory = corev1.HostPathDirectory
	file      = corev1.HostPathFile
	socket    = corev1.HostPathSocket
)

// views returns all sources that can be read from inside a pod, narrowest first. /dev/kmsg is not among them: the
// device cgroup forbids it to unprivileged containers, and the journal has the kernel's lines.
func views(info corev1.NodeSystemInfo) []view {
	return []view{
		{source: "journal", mounts: []mount{
			{"journal", "/var/log/journal", directory},
			{"journal-volatile", "/run/log", directory}, // the volatile journal below it is lost at a reboot
		}},
		{source: "kubelet", mounts: kubeletFiles(info)},
		{source: "cgroup", mounts: []mount{{"cgroup", "/sys/fs/cgroup", directory}}},
		{source: "cri", grant: GrantCRI,
			without: "the runtime's records: each container's stored hash, earlier instances, sandboxes",
			mounts:  runtimes(info)},
		{source: "host", grant: GrantProc, without: "the node's boot and the kubelet's settings", mounts: []mount{
			{"proc", "/proc", directory},
			// kubeadm's path; where the command line names another, that is a gap
			{"kubelet-config", "/var/lib/kubelet/config.yaml", file},
		}},
		{source: "systemd", grant: GrantSystemd, without: "the states of the kubelet's and the runtime's units",
			mounts: []mount{{"dbus", "/run/dbus/system_bus_socket", socket}}},
	}
}

// kubeletFiles are the files relevant to restarts that a kubelet of this version keeps on disk. The rest of its
// directory holds secrets of pods and its own keys, so it is never mounted whole.
func kubeletFiles(info corev1.NodeSystemInfo) []mount {
	out := []mount{{"pod-logs", "/var/log/pods", directory}, {"manifests", "/etc/kubernetes/manifests", directory},
		{"cpu-manager", "/var/lib/kubelet/cpu_manager_state", file}}
	minor := 0
	_, _ = fmt.Sscanf(info.KubeletVersion, "v1.%d", &minor) // 0 for an invalid version
	if minor >= 22 {
		out = append(out, mount{"memory-manager", "/var/lib/kubelet/memory_manager_state", file})
	}
	if minor >= 33 { // in-place resize is on by default
		out = append(out, mount{"allocated-pods", "/var/lib/kubelet/allocated_pods_state", file},
			mount{"actuated-pods", "/var/lib/kubelet/actuated_pods_state", file})
	}
	return out
}

// runtimes returns the sockets of the node's container runtime, as the node reports it (containerd://2.1.4; the
// kubelet's version identifies k3s and RKE2, which bring their own containerd).
func runtimes(info corev1.NodeSystemInfo) []mount {
	all := map[string]mount{
		"containerd": {"containerd", "/run/containerd/containerd.sock", socket},
		"cri-o":      {"crio", "/run/crio/crio.sock", socket},
		"docker":     {"cri-dockerd", "/run/cri-dockerd.sock", socket},
		"k3s":        {"k3s", "/run/k3s/containerd/containerd.sock", socket},
	}
	name, _, _ := strings.Cut(info.ContainerRuntimeVersion, "://")
	if strings.Contains(info.KubeletVersion, "+k3s") || strings.Contains(info.KubeletVersion, "+rke2") {
		name = "k3s"
	}
	if m, ok := all[name]; ok {
		return []mount{m}
	}
	return []mount{all["containerd"], all["cri-o"], all["docker"], all["k3s"]}
}

// seen chooses the sources for a set of grants, without the mounts that the node lacks. A source with no directory left
// is skipped.
func seen(info corev1.NodeSystemInfo, grants []Grant, missing []string) (sources []string,
	mounts []mount, denied []view) {
	for _, v := range views(info) {
		if v.grant != "" && !slices.Contains(grants, v.grant) {
			denied = append(denied, v)
			continue
		}
		left := slices.DeleteFunc(v.mounts, func(m mount) bool { return slices.Contains(missing, m.path) })
		if len(left) > 0 {
			sources = append(sources, v.source)
			mounts = append(mounts, left...)
		}
	}
	return sources, mounts, denied
}

// guess returns the mounts to drop when a pod does not start and nothing says which mount is missing: first those that
// differ between distributions; if they are gone already, all but what every node with containers has; then nil.
func guess(mounts []mount) []string {
	var differ, rest []string
	for _, m := range mounts {
		switch m.path {
		case "/var/log/pods", "/sys/fs/cgroup", "/proc":
		case "/var/log/journal", "/run/log":
			rest = append(rest, m.path)
		default:
			differ = append(differ, m.path)
		}
	}
	if len(differ) > 0 {
		return differ
	}
	return rest
}

// volumes converts mounts into the pod's, all read-only.
func volumes(mounts []mount) (vs []corev1.Volume, ms []corev1.VolumeMount) {
	for _, m := range mounts {
		vs = append(vs, corev1.Volume{Name: m.name, VolumeSource: corev1.VolumeSource{
			HostPath: &corev1.HostPathVolumeSource{Path: m.path, Type: &m.kind}}})
		ms = append(ms, corev1.VolumeMount{Name: m.name, MountPath: path.Join(Root, m.path), ReadOnly: true})
	}
	slices.SortFunc(vs, func(a, b corev1.Volume) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortFunc(ms, func(a, b corev1.VolumeMount) int { return cmp.Compare(a.MountPath, b.MountPath) })
	return vs, ms
}

// absent finds the mounts that an event about a volume names, by the node's path or by the volume's name. It searches
// only for these two, since the sentence around them changes: "hostPath type check failed: /run/crio is not a
// directory" (kubelet v1.10–v1.36 pkg/volume/hostpath host_path.go checkTypeInternal), "hostPath type check failed,
// /run/crio is not a directory, unable to determine its type: path "/run/crio" does not exist" (v1.37
// typeMatchedOrError); both start with "MountVolume.SetUp failed for volume "crio" : ".
func absent(message string, mounts []mount) (paths []string) {
	for _, m := range mounts {
		if strings.Contains(message, `volume "`+m.name+`"`) || namesPath(message, m.path) {
			paths = append(paths, m.path)
		}
	}
	return paths
}

// namesPath reports whether a text contains the whole path, not as part of another one.
func namesPath(text, path string) bool {
	return regexp.MustCompile(`(?:^|[^\w./-])` + regexp.QuoteMeta(path) + `\.?(?:[^\w./-]|$)`).MatchString(text)
}
