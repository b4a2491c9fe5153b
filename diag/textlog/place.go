package textlog

import (
	"regexp"
	"strings"
)

// This file tells by its path whether a log is a node's own.

// UnwrappedDir is the directory below a node's logs for logs whose lines were wrapped in something else and lost their
// time, and for logs that nothing identifies as a node's.
const UnwrappedDir = "unwrapped/"

// Place returns where, below a node's logs, a log without a known layout stands. The path must identify it as a node's
// log: the saved output of a container may hold the lines of a kubelet, a kernel, or a journal with all its fields, and
// the author of a pod chooses the name that its file then has: "kubelet-csr-approver.log", "messages-api-0.log". So the
// file's name may contain nothing but words for logs and the name of a node of the evidence, and it or a directory must
// name a daemon. Any other log proves nothing by itself, like the content of a log store.
func Place(path, rel string, nodes map[string]bool) string {
	segments, named := strings.Split(strings.ToLower(path), "/"), false
	for i, s := range segments {
		daemon, rest := words(s)
		alien := rest != "" && (!daemon && !named || !isNode(s, rest, nodes))
		if i == len(segments)-1 && (alien || runtimes.MatchString(s)) {
			return UnwrappedDir + rel
		}
		named = named || daemon && !alien
	}
	if named {
		return rel
	}
	return UnwrappedDir + rel
}

// words reports whether a segment of a path names a daemon or a log of the node, and returns what is in it beside words
// of that kind, from the first such word to the last.
func words(segment string) (daemon bool, rest string) {
	from, to := len(segment), 0
	for _, at := range tokens.FindAllStringIndex(segment, -1) {
		if word := segment[at[0]:at[1]]; plainWord.MatchString(word) {
			daemon = daemon || daemonWord.MatchString(word)
		} else {
			from, to = min(from, at[0]), at[1]
		}
	}
	return daemon, segment[min(from, to):to]
}

// isNode reports whether rest is within the name of a node, whole or short, that the segment holds.
func isNode(segment, rest string, nodes map[string]bool) bool {
	for node := range nodes {
		short, _, _ := strings.Cut(node, ".")
		for _, name := range []string{node, short} {
			if strings.Contains(name, rest) && strings.Contains(segment, name) {
				return true
			}
		}
	}
	return false
}

// OfDaemon reports whether the path is that of a file that a kubelet or a runtime wrote, also one that runs in a
// container.
func OfDaemon(path string) bool { return daemons.MatchString(path) }

var daemons = regexp.MustCompile(`(?i)kubelet|containerd|cri-?o|docker|k3s|rke2|k0s|hyperkube`)

var (
	// runtimes call the output of a container so, by the count of its starts (kubelet v1.31 kuberuntime/helpers.go
	// buildContainerLogsPath).
	runtimes   = regexp.MustCompile(`^[0-9]+\.log`)
	tokens     = regexp.MustCompile(`[^\W_]+`)
	daemonWord = regexp.MustCompile(`kubelet|containerd|crio|cri$|docker|k3s|rke2|k0s|hyperkube|kubelite|` +
		`journal|messages|syslog|kern|dmesg|kmsg|systemd`)
	// plainWord is a word for a log, a daemon that writes one, a program that prints it, or a part of a date.
	plainWord = regexp.MustCompile(`^(?:[ubkto]|xe|xeu|no|pager|all|since|until|boot|unit|current|prev|previous|old|new|last|` +
		`error|warning|info|fatal|root|full|cat|short|iso|precise|verbose|human|utc|today|yesterday|cri|tail|oom|` +
		`txt|gz|xz|zst|bz2|json|jsonl|csv|yaml|yml|export|var|audit|daemon|system|user|` +
		`(?:kubelet|containerd|crio|dockerd?|k3s|rke2|k0s|hyperkube|kubelite|microk8s|snap|agent|server|controller|worker|` +
		`master|service|journalctl|journald?|messages|syslog|kern|kernel|dmesg|kmsg|systemd|oomd|earlyoom|` +
		`logs?|out|err|std|node|[0-9]+[a-z]?)+)$`)
)
