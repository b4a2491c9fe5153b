package app

import (
	"regexp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
)

// path is a program in a message, with a slash: "failed" is none.
const path = "[\\\\\"`]*(\\.{0,2}/[^\"\\\\:` ]+)[\\\\\"`]*"

// starts are the messages of runtimes about a container that they could not create or start: runc, crun, gVisor and
// Windows' host compute service, as containerd, CRI-O and Docker pass them on, with quotes escaped once or more often.
// The first that fits counts: what names a path or a program comes before what any operation may report.
//
// They say what the message says and no more: paths and names in it are the pod's, so a row never looks for a word that
// may be part of one.
var starts = []causes.KnownMessage{
	{Message: regexp.MustCompile(`OOM-killed|memory limit too low`),
		Words:  "it did not fit into its memory limit even while it was started",
		Advice: "raise resources.limits.memory: the process did not fit into it even while it was started"},
	{Message: regexp.MustCompile(`volume-subpaths/([\w.-]+)/.*no such file or directory`),
		Words: "what it mounts from volume $1 by subPath is no longer there, as after a change of its ConfigMap or Secret",
		Advice: "delete the pod, so that its controller creates one that mounts what is there now; a mount without subPath " +
			"follows such changes"},
	{Message: regexp.MustCompile(`(?:failed to stat|error mounting) \\*"(/[^"\\:]+)\\*".*no such file or directory`),
		Words:  "$1, which it mounts, does not exist on the node",
		Advice: "create $1 on NODE, or correct the hostPath (with type DirectoryOrCreate the kubelet creates it)"},
	{Message: regexp.MustCompile(`(?:mounting|mount src=|trying to mount).*not a directory`),
		Words: "a mount would put a directory on a file, or a file on a directory",
		Advice: "compare mountPath and subPath with what the image has there, and a hostPath with what is on NODE " +
			"(hostPath.type makes the kubelet check that)"},
	{Message: regexp.MustCompile(`mkdir /var/lib/containerd/.*read-only file system`),
		Words: "the node's own disk is read-only",
		Advice: "look for errors of the disk, for which the kernel makes it read-only: on NODE, journalctl -k -g " +
			"'I/O error|EXT4|XFS'"},
	{Message: regexp.MustCompile(`(?:mkdir(?:at)?|mount ?point|mounting) .*read-only file system`),
		Words:  "a directory that it mounts something on does not exist and lies in a read-only file system",
		Advice: "mount it elsewhere, or create the directory in the image or volume that is mounted above it"},
	{Message: regexp.MustCompile(`chdir to cwd \(\\*"([^"\\:]+)\\*"\) set in config\.json failed: ([\w -]+)`),
		Words:  "its working directory $1 cannot be entered ($2)",
		Advice: "correct workingDir in the pod, or let the user that it runs as enter $1 in the image"},
	{Message: regexp.MustCompile(`unable to find (user|group) ([\w.-]+)`),
		Words:  "the image has no $1 $2",
		Advice: "set runAsUser and runAsGroup to numbers, or use an image that has $1 $2"},
	{Message: regexp.MustCompile(`exec: \\*"([^"\\]*)\\*": executable file not found|` +
		"executable file `?([^`\" ]+)`? not found in|" + `finding executable \\*"([^"\\]+)\\*" in PATH`),
		Words:  `program "$1$2$3" is not in the image, or not in its PATH`,
		Advice: "correct command in the pod, or use an image that has this program"},
	{Message: regexp.MustCompile(`(?i)container command\b.* not found or does not exist`),
		Words:  "its program is not in the image, or not in its PATH",
		Advice: "correct command in the pod, or use an image that has this program"},
	{Message: regexp.MustCompile(`(?i)exec(?: container process)?:? ` + path +
		`: (?:stat [^:]+: )?no such file or directory`),
		Words:  "$1 is not in the image, or the interpreter that its first line (#!) names is not",
		Advice: "correct command in the pod, or use an image that has $1 and what runs it"},
	{Message: regexp.MustCompile(`(?i)exec format error`),
		Words: "its program is built for another architecture, or is a script without a first line (#!)",
		Advice: "give a script its first line, or build the image for the node's architecture: kubectl get node/NODE -o " +
			"jsonpath='{.status.nodeInfo.architecture}'"},
	{Message: regexp.MustCompile(`(?i)exec(?: container process)?:? ` + path + `: (?:stat [^:]+: )?permission denied`),
		Words:  "$1 may not be executed",
		Advice: "make $1 executable in the image, for the user that the container runs as (chmod +x; runAsUser)"},
	{Message: regexp.MustCompile(`(?i)open executable: permission denied|command could not be invoked`),
		Words:  "its program may not be executed",
		Advice: "make it executable in the image, for the user that the container runs as (chmod +x; runAsUser)"},
	{Message: regexp.MustCompile(`nvidia-container-cli(?:\.real)?: (.+)`),
		Words:  "NVIDIA's hook failed: $1",
		Advice: "check the driver (nvidia-smi on NODE) and the pod of the device plugin"},
	{Message: regexp.MustCompile(`unresolvable CDI devices ([\w./=,:-]+)`),
		Words:  "the runtime does not know device $1 (CDI)",
		Advice: "check the device plugin's pod on NODE, and what is in /etc/cdi and /var/run/cdi there"},
	{Message: regexp.MustCompile(`custom device \\*"(/dev/[^"\\]+)`),
		Words:  "the node has no device $1",
		Advice: "check the device and its driver on NODE, and whether the pod belongs on another node"},
	{Message: regexp.MustCompile(`(?i)apparmor.*(?:not found|not loaded|no such file)|unable to apply apparmor profile`),
		Words:  "its AppArmor profile is not loaded on the node",
		Advice: "load the profile on NODE, or change appArmorProfile in the pod (an annotation before v1.30)"},
	{Message: regexp.MustCompile(`(?i)seccomp profile.*no such file|cannot load seccomp profile`),
		Words:  "its seccomp profile is not on the node",
		Advice: "copy the profile to NODE (/var/lib/kubelet/seccomp), or change seccompProfile in the pod"},
	{Message: regexp.MustCompile(`(?i)apply caps|\bcapset\b`),
		Words: "its capabilities could not be set",
		Advice: "compare securityContext.capabilities with what the runtime on NODE may grant (rootless nodes and user " +
			"namespaces cannot grant all)"},
	{Message: regexp.MustCompile(`(?i)operating system does not match the host`),
		Words:  "its image is for another version of Windows than the node's",
		Advice: "use an image for the node's version: kubectl get node/NODE -o jsonpath='{.status.nodeInfo.osImage}'"},
	{Message: regexp.MustCompile(`(?i)system cannot find the (?:file|path) specified`),
		Words:  "its program, or a directory that it mounts, is not there",
		Advice: "correct command and mounts in the pod, or use an image that has what they name"},
	{Message: regexp.MustCompile(`(?i)is reserved for|failed to reserve \w+ name|\bname "[^"]*" is already in use`),
		Words: "an earlier attempt still holds its name in the runtime",
		Advice: "wait, and look for a slow disk on NODE: creating it took longer than the kubelet waits; if that does not " +
			"end, restart the container runtime there"},
	{Message: regexp.MustCompile(`(?i)address already in use|port is already allocated`),
		Words:  "a port of the node that it needs is taken",
		Advice: "see what listens on its hostPort: on NODE, ss -ltnp"},
	{Message: regexp.MustCompile(`(?i)no space left on device`),
		Words:  "no space was left on the node: disk, inodes, or memory cgroups for a path below /sys/fs/cgroup",
		Advice: "free disk space and inodes on NODE (df -h; df -i)"},
	{Message: regexp.MustCompile(`(?i)resource temporarily unavailable|pthread_create|cannot allocate memory`),
		Words:  "the node, or the pod, had no process IDs or no memory left",
		Advice: "check free memory and the number of processes on NODE, and podPidsLimit in its kubelet's configuration"},
	{Message: regexp.MustCompile(`(?i)too many open files`), Words: "the runtime had too many files open",
		Advice: "raise the runtime's LimitNOFILE on NODE, and fs.inotify limits if it names inotify"},
	{Message: regexp.MustCompile(`failed to write .*(?:cgroup|cpu\.|cpuset\.|memory\.|pids\.)|` +
		`cgroup config .*invalid argument`),
		Words: "its limits could not be written to its cgroup",
		Advice: "compare its requests and limits with those of the pod and with the CPUs of NODE, and look for known " +
			"faults of that kernel and runc"},
	{Message: regexp.MustCompile(`dbus: |(?:connect|call|reply).{0,40}\bdbus\b|` +
		`Unit \S+ (?:already exists|was already loaded)|recipient disconnected from message bus`),
		Words:  "systemd on the node did not create its cgroup",
		Advice: "check systemd and D-Bus: on NODE, systemctl is-system-running"},
	{Message: regexp.MustCompile(`(?i)error running (?:\w+ )*hook`), Words: "a hook of the runtime failed",
		Advice: "see which OCI hooks the runtime on NODE runs, and the end of the message for their error"},
	{Message: regexp.MustCompile(`(?i)content digest \S+ not found|no such image|failed to get image`),
		Words:  "its image is not whole on the node",
		Advice: "remove the image on NODE (crictl rmi), then delete the pod: it is pulled again"},
	{Message: regexp.MustCompile(`(?:dial|read) unix \S*\.sock|transport is closing`),
		Words:  "the runtime went away, or did not answer",
		Advice: "find out why the runtime restarted: on NODE, journalctl -u containerd -u crio -u docker"},
	{Message: regexp.MustCompile(`(?i)deadline ?exceeded|timed? ?out`),
		Words:  "the runtime did not finish in time",
		Advice: "look for a slow disk or an overloaded runtime: on NODE, journalctl -u containerd -u crio -u docker"},
}
