// Package kubeletlog parses the lines of every kubelet since 1.5 into statements: facts about one container, pod or
// kubelet, each from one line.
//
// It holds the klog line format (glog text, structured text, JSON), the blocks that klog spreads over several lines,
// and one table per style of the lines that matter, with the minors that write them (structured_table.go and
// classic_table.go; test/messages compares them with every message of every minor). It may import diag/evidence,
// diag/internal/kubeletmsg, diag/internal/searched, diag/safetext and the standard library. It does no I/O, knows no
// envelope (journald, syslog), and never decides what a statement means for a restart.
//
// Most lines of a kubelet are irrelevant to restarts: Peek rejects them before anything is allocated. An Arena parses
// single lines, in any number of goroutines; the Parser reads lines in order and adds what follows from their sequence
// (a new process, a kill that an earlier line reported).
package kubeletlog
