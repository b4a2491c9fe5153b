package textlog

import "regexp"

// This file tells whose a log is by its name.

// UnwrappedDir is where, below a node's logs, those stand that had something around each line, and no time in it, and
// those of which nothing tells that they are a node's.
const UnwrappedDir = "unwrapped/"

// Place is where, below a node's logs, a log of no layout stands. Its path has to say that it is a node's: what a
// container printed, which somebody keeps beside the pod's object, may have the lines of a kubelet, a kernel or a
// journal with all its fields. A log of any other name proves nothing by itself, as what a log store gives back.
func Place(path, rel string) string {
	if OfDaemon(path) || nodeLogs.MatchString(path) {
		return rel
	}
	return UnwrappedDir + rel
}

// OfDaemon tells the path of a file that a kubelet or a runtime wrote, also one that runs in a container.
func OfDaemon(path string) bool { return daemons.MatchString(path) }

var (
	daemons  = regexp.MustCompile(`(?i)kubelet|containerd|cri-?o|docker|k3s|rke2|k0s|hyperkube`)
	nodeLogs = regexp.MustCompile(`(?i)journal|messages|syslog|kern|dmesg|kmsg|systemd`)
)
