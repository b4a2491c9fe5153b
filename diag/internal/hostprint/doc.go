// Package hostprint reads what a node's own tools print for people about its boots and its services: last, who -b,
// uptime, top, journalctl --list-boots, systemctl status.
//
// It holds the readers of such lines and of the file that stores them (nodes/<node>/printed.txt). Nothing vouches for
// such output, and most of its times have neither zone nor year. It may import diag/evidence, diag/internal/cgroup,
// field (for zones) and nodefile, diag/safetext and, for the names of units, diag/statement. It does no I/O.
package hostprint
