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

// Root is the directory in the pod below which the node's directories are.
const Root = "/host"

// Grant is something that the pod gets only when it was asked for, because it is
// worth more than reading.
type Grant string

// The grants.
const (
	// GrantCRI mounts the sockets of container runtimes. Whoever may speak to one
	// is root on the node, although the mount is read-only.
	GrantCRI Grant = "cri"
	// GrantProc mounts the node's /proc: the command lines and cgroups of all
	// processes of the node, and ways out of a container for a program that looks
	// for one.
	GrantProc Grant = "proc"
	// GrantSystemd mounts the socket of the system bus: root may start and stop
	// units over it.
	GrantSystemd Grant = "systemd"
	// GrantSELinux runs the pod as spc_t. Where SELinux is enforced no other
	// container may read the node's logs.
	GrantSELinux Grant = "selinux"
	// GrantHostNetwork runs the pod in the node's network: on a node whose pod
	// network is broken no other pod starts.
	GrantHostNetwork Grant = "hostnetwork"
)

// Grants lists all grants, in the order of their names.
func Grants() []Grant {
	return []Grant{GrantCRI, GrantHostNetwork, GrantProc, GrantSELinux, GrantSystemd}
}

// ParseGrants reads a comma-separated list as it is given on a command line.
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
	// source is the name that `collect --local --sources` knows it by.
	source string
	grant  Grant // "" when it needs none
	// without says what a verdict lacks without it, for a gap.
	without string
	mounts  []mount
}

// mount is one directory, file or socket of the node. The kubelet checks that it is
// there and of its type: without a type the runtime would make it, and a node on
// which someone makes /var/log/journal begins to keep its journal.
type mount struct {
	name, path string
	kind       corev1.HostPathType
}

const (
	directory = corev1.HostPathDirectory
	file      = corev1.HostPathFile
	socket    = corev1.HostPathSocket
)

// views are all sources that can be read from inside a pod, narrowest first.
// /dev/kmsg is not among them: the device cgroup forbids it to a container that
// is not privileged, and the journal has the kernel's lines.
func views(info corev1.NodeSystemInfo) []view {
	return []view{
		{source: "journal", mounts: []mount{
			{"journal", "/var/log/journal", directory},
			{"journal-volatile", "/run/log", directory}, // below it is the journal that ends with the boot
		}},
		{source: "kubelet", mounts: kubeletFiles(info)},
		{source: "cgroup", mounts: []mount{{"cgroup", "/sys/fs/cgroup", directory}}},
		{source: "cri", grant: GrantCRI,
			without: "the runtime's records: each container's stored hash, earlier instances, sandboxes",
			mounts:  runtimes(info)},
		{source: "host", grant: GrantProc, without: "the node's boot and the kubelet's settings", mounts: []mount{
			{"proc", "/proc", directory},
			// kubeadm's; where the command line names another, that is a gap
			{"kubelet-config", "/var/lib/kubelet/config.yaml", file},
		}},
		{source: "systemd", grant: GrantSystemd, without: "the states of the kubelet's and the runtime's units",
			mounts: []mount{{"dbus", "/run/dbus/system_bus_socket", socket}}},
	}
}

// kubeletFiles are what a kubelet of this version keeps on its disk and what says
// something about restarts. The rest of its directory holds secrets of pods and
// its own keys, so that it is never mounted whole.
func kubeletFiles(info corev1.NodeSystemInfo) []mount {
	out := []mount{{"pod-logs", "/var/log/pods", directory}, {"manifests", "/etc/kubernetes/manifests", directory},
		{"cpu-manager", "/var/lib/kubelet/cpu_manager_state", file}}
	minor := 0
	_, _ = fmt.Sscanf(info.KubeletVersion, "v1.%d", &minor) // 0 for a version that is none
	if minor >= 22 {
		out = append(out, mount{"memory-manager", "/var/lib/kubelet/memory_manager_state", file})
	}
	if minor >= 33 { // in-place resize is on by default
		out = append(out, mount{"allocated-pods", "/var/lib/kubelet/allocated_pods_state", file},
			mount{"actuated-pods", "/var/lib/kubelet/actuated_pods_state", file})
	}
	return out
}

// runtimes are the sockets of the node's container runtime, as the node reports
// it (containerd://2.1.4; the kubelet's version tells k3s and RKE2, which bring
// their own containerd).
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

// seen chooses the sources for a set of grants, without the mounts that the node
// does not have. A source of which no directory is left is not asked.
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

// guess says what to do without when a pod does not start and nothing tells which of its mounts it is: what
// distributions keep in different places or not at all, or when that is gone, all but what every node with containers
// has; nil when that is gone, too.
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

// volumes turns mounts into the pod's, read-only all of them.
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

// absent finds the mounts that an event about a volume names, by the node's path or by the volume's name. Only these
// two are looked for, since the sentence around them changes:
// "hostPath type check failed: /run/crio is not a directory" (kubelet v1.10–v1.36 pkg/volume/hostpath host_path.go
// checkTypeInternal), "hostPath type check failed, /run/crio is not a directory, unable to determine its type: path
// "/run/crio" does not exist" (v1.37 typeMatchedOrError); before both: "MountVolume.SetUp failed for volume "crio" : ".
func absent(message string, mounts []mount) (paths []string) {
	for _, m := range mounts {
		if strings.Contains(message, `volume "`+m.name+`"`) || namesPath(message, m.path) {
			paths = append(paths, m.path)
		}
	}
	return paths
}

// namesPath reports whether a path stands in a text as a whole, not as a part of another one.
func namesPath(text, path string) bool {
	return regexp.MustCompile(`(?:^|[^\w./-])` + regexp.QuoteMeta(path) + `\.?(?:[^\w./-]|$)`).MatchString(text)
}
