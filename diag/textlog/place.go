package textlog

import "regexp"

// This file decides by its name whose log a file is.

// UnwrappedDir is the directory, below a node's logs, for logs that had a wrapper without a time around each line, and
// for those not known to be a node's.
const UnwrappedDir = "unwrapped/"

// Place is the path, below a node's logs, for a log outside of any known layout. Its path must show that it is a
// node's: a container's output, which may be stored next to the pod's object, can contain lines of a kubelet, a kernel
// or a journal with all its fields. A log with any other name proves nothing by itself, like the output of a log store.
func Place(path, rel string) string {
	if OfDaemon(path) || nodeLogs.MatchString(path) {
		return rel
	}
	return UnwrappedDir + rel
}

// OfDaemon reports whether a path is that of a file written by a kubelet or runtime, even one that runs in a container.
func OfDaemon(path string) bool { return daemons.MatchString(path) }

var (
	daemons  = regexp.MustCompile(`(?i)kubelet|containerd|cri-?o|docker|k3s|rke2|k0s|hyperkube`)
	nodeLogs = regexp.MustCompile(`(?i)journal|messages|syslog|kern|dmesg|kmsg|systemd`)
)
