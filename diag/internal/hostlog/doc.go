// Package hostlog reads lines of a node's other daemons that end containers, directly or indirectly: systemd-oomd,
// earlyoom, logind, yum.
//
// It holds their messages by version and nothing else. It may import diag/internal/cgroup, diag/evidence,
// diag/internal/packages and diag/safetext. It does no I/O, knows no envelope, and never decides what a line means for
// a restart.
package hostlog
