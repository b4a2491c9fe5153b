// Package kubeletlog reads the lines of every kubelet since 1.5 into statements: facts about one container, pod or
// kubelet, each from one line.
//
// It holds the klog line format (glog text, structured text, JSON), the blocks that klog spreads over several lines,
// and one table per style of what is worth reading, with the minors that write it (structured_table.go and
// classic_table.go; test/messages compares them with every message of every minor). It may import diag/evidence,
// diag/internal/kubeletmsg, diag/internal/searched, diag/safetext and the standard library. It does no I/O, knows no
// envelope (journald, syslog), and never decides what a statement means for a restart.
//
// Most lines of a kubelet say nothing about restarts: Peek turns them away before anything is allocated. What a line
// says by itself is read in an Arena, by any number of goroutines; what it says in its place among the others (a new
// process, a kill that an earlier line told) is for the Parser, which reads them in order.
package kubeletlog
