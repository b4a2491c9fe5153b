package foreign

import (
	"regexp"
	"slices"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/glob"
)

// use is the purpose of a file of a layout.
type use int

const (
	useNothing use = iota
	useLog         // lines of kubelet, runtime, kernel or systemd, in any envelope
	useHosts       // the same of several nodes, distinguished by the host in each line
	useDmesg       // the kernel's lines, counted from the boot
	useClock       // the same lines with a local time: second best
	useJournal     // a file of systemd's journal
	useObjects     // pods, events, nodes
	usePod         // one pod that a list of the same tree has too
	useCRI         // records of the runtime, as crictl or docker print them
	useHostname
	useBootID
	useStat // /proc/stat
	useZone // what timedatectl prints
)

// layout is how one tool arranges what it collects.
type layout struct {
	name string
	// marks are paths that identify the layout; at least need of them must be there, below one root.
	marks []glob.Glob
	need  int
	// nodeDir: the first directory below the root is a node's name.
	nodeDir bool
	// oneNode: all files belong to one node.
	oneNode bool
	// utc: the tool, or where it runs, prints times in UTC.
	utc bool
	// open: what no rule names is read by its content, as a person's files beside these names are. Containers' output
	// is where containerLogs says.
	open  bool
	rules []rule
}

type rule struct {
	path glob.Glob
	use  use
}

// layouts are searched in this order. Files that match no rule of their layout are not used, unless it is open.
//
// Sources, all as of 2026: must-gather collection-scripts/gather* and the OpenShift enhancement oc/must-gather.md; sos
// report/plugins/*.py (names of files are the commands, blanks as _); eks-log-collector.sh of amazon-eks-ami; kind
// pkg/cluster/provider.go collectNodeLogs; kubectl cluster-info dump --help.
var layouts = []layout{
	{
		name: "must-gather", need: 1, utc: true, // node logs come from the kubelet, which asks journalctl for --utc
		marks: globs("cluster-scoped-resources/**", "host_service_logs/**", "namespaces/*/core/*.yaml",
			"namespaces/*/pods/*/*.yaml"),
		rules: slices.Concat(
			of(useHosts, "host_service_logs/*/kubelet_service.log", "host_service_logs/*/crio_service.log",
				"nodes/*/*_logs_kubelet", "nodes/*/*_logs_crio"),
			of(useObjects, "namespaces/*/core/pods.yaml", "namespaces/*/core/events.yaml",
				"namespaces/*/events.k8s.io/events.yaml"),
			of(usePod, "namespaces/*/pods/*/*.yaml"),
			of(useObjects, "cluster-scoped-resources/core/nodes.yaml", "cluster-scoped-resources/core/nodes/*.yaml"),
		),
	},
	{
		name: "sos report", need: 1, oneNode: true,
		marks: globs("sos_commands/**"),
		rules: slices.Concat(
			of(useNothing, "sos_commands/*/journalctl_--list-boots*", "sos_commands/*/journalctl_--disk-usage*",
				"sos_commands/*/journalctl_--verify*"),
			of(useLog, "sos_commands/*/journalctl_*"),
			of(useDmesg, "sos_commands/kernel/dmesg"),
			of(useClock, "sos_commands/kernel/dmesg_-T"),
			of(useCRI, "sos_commands/*/containers/crictl_inspect_*", "sos_commands/*/pods/crictl_inspectp_*",
				"sos_commands/*/crictl_inspect_*", "sos_commands/*/crictl_inspectp_*",
				"sos_commands/docker/containers/docker_inspect_*"),
			of(useObjects, "sos_commands/kubernetes/cluster-info/*get_-o_json*",
				"sos_commands/kubernetes/cluster-info/*/*get_-o_json*", "sos_commands/openshift/namespaces/*/pods/*.yaml",
				"sos_commands/openshift/namespaces/*/events/*.yaml"),
			of(useHostname, "sos_commands/host/hostname", "etc/hostname"),
			of(useZone, "sos_commands/systemd/timedatectl"),
			of(useStat, "proc/stat"),
			of(useBootID, "proc/sys/kernel/random/boot_id"),
			of(useLog, "var/log/messages*", "var/log/syslog*", "var/log/kern.log*"),
			of(useJournal, "var/log/journal/*/*", "run/log/journal/*/*"),
		),
	},
	{
		name: "EKS log collector", need: 2, oneNode: true,
		marks: globs("kubelet/kubelet.log", "containerd/containerd-log.txt",
			"var_log/messages", "kernel/dmesg.current", "system/procstat.txt", "system/instance-id.txt"),
		rules: slices.Concat(
			of(useLog, "kubelet/kubelet.log", "containerd/containerd-log.txt", "docker/docker.log"),
			of(useDmesg, "kernel/dmesg.current"),
			of(useClock, "kernel/dmesg.human.current"),
			of(useLog, "var_log/messages*", "var_log/syslog*"),
			of(useStat, "system/procstat.txt"),
		),
	},
	{
		name: "kind export", need: 3, nodeDir: true, utc: true, open: true, // node images have no zone of their own
		marks: globs("*/kubelet.log", "*/containerd.log", "*/journal.log"),
		rules: of(useLog, "*/kubelet.log", "*/containerd.log", "*/journal.log"),
	},
	{
		name: "cluster-info dump", need: 2, open: true,
		marks: globs("nodes.json", "*/pods.json", "*/events.json"),
		rules: of(useObjects, "nodes.json", "*/pods.json", "*/events.json"),
	},
}

// containerLogs are where containers' output is, in any layout, and what else containers write: their volumes and root
// file systems. Their author chooses a file's name there, and it may contain a kubelet's lines.
var containerLogs = globs(
	"kubelet/pods/*/**", "pods/????????-????-????-????-????????????/**", "kubernetes.io~*/**", "volume-subpaths/**",
	"io.containerd.runtime.v2.task/*/*/rootfs/**", "snapshots/*/fs/**",
	"overlay2/*/diff/**", "overlay2/*/merged/**", "overlay/*/diff/**", "overlay/*/merged/**", "overlay-containers/**",
	"docker/containers/*/**", "containers/*/*-json.log*", "docker/volumes/**",
	"namespaces/*/pods/*/*.log", "namespaces/*/pods/*/*/*.log", "pods/*/*.log", "pods/*/*/*.log",
	"namespaces/*/pods/*/*/*/logs/**", "podlogs/**", "var/log/pods/**", "var/log/containers/**",
	"pods/*_*_*/**", "containers/*_*_*.log", "*/logs.txt", "var_log/kube-system_*/**",
	"var_log/*_kube-system_*", "var_log/mount-s3_*/**",
	"crictl_logs_*", "docker_logs_*", "*.containers.log", "cluster-resources/pods/logs/**", "config/pod/*/logs/**",
	"pod-logs/**", "pod_logs/**", "container-logs/**", "container_logs/**",
)

// useless are directories without useful files in any layout; the rules of a layout are checked first.
var useless = globs("sos_commands/**", "cluster-scoped-resources/**", "namespaces/*/**", "host_service_logs/**")

// of returns the rules that give all files of some paths one use.
func of(u use, patterns ...string) []rule {
	rules := make([]rule, len(patterns))
	for i, g := range globs(patterns...) {
		rules[i] = rule{g, u}
	}
	return rules
}

func globs(patterns ...string) []glob.Glob {
	out := make([]glob.Glob, len(patterns))
	for i, p := range patterns {
		out[i] = glob.Of(p)
	}
	return out
}

// registered matches where a kubelet names its own node (kubelet_node_status.go: "Attempting to register node",
// "Successfully registered node", "Recording event message for node"; the printed form up to v1.20; its flag).
var registered = regexp.MustCompile(
	`(?:"(?:Attempting to register|Successfully registered|Recording event message for) node" node="|\] (?:Attempting to register|Successfully registered) node |FLAG: --hostname-override=")([a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?)`)

// ofDocker matches what docker inspect and its like print of a container that is no kubelet's.
var ofDocker = regexp.MustCompile(`"State"\s*:\s*\{[^{}]*(?:"(?:Running|Pid|OOMKilled)"\s*:[^{}]*"ExitCode"\s*:|` +
	`"ExitCode"\s*:[^{}]*"(?:Running|Pid|OOMKilled|FinishedAt)"\s*:)`)
