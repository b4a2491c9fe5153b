// Package kubeletlog reads the lines of kubelets 1.5 to 1.36 into statements:
// facts about one container, pod or kubelet, each from one line.
//
// It holds the klog line format (glog text, structured text, JSON), the blocks
// that klog spreads over several lines, and one table per style of what is worth
// reading. It may import diag/evidence, diag/kubeletmsg, diag/safetext and the
// standard library. It does no I/O, knows no envelope (journald, syslog), and
// never decides what a statement means for a restart.
//
// Most lines of a kubelet say nothing about restarts; they are turned away
// before anything is allocated.
package kubeletlog
