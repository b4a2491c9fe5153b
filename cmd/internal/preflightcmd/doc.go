// Package preflightcmd is the command `preflight`: what an exchange of kubelets would do, at once, page by page, in the
// viewer, and watched while it is done.
//
// It may import cmd/internal/command and render, the viewer and the analyzer.
package preflightcmd
