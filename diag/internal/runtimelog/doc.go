// Package runtimelog reads the lines of container runtimes into statements: containerd 1.2 to 2.x, CRI-O with its
// conmon, dockerd.
//
// It holds the logfmt line format that all of them share, and what each runtime logs about itself, containers and
// sandboxes. It may import diag/evidence, diag/redact, diag/safetext and the standard library. It does no I/O, knows no
// envelope, and never decides what a statement means for a restart: a stop request may come from the kubelet or from a
// person.
package runtimelog
