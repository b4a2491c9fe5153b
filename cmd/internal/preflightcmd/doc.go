// Package preflightcmd is the command `preflight`: what a change of kubelets would do, predicted at once, page by page,
// in the viewer, or watched while it happens.
//
// It may import cmd/internal/command and render, the viewer and the analyzer.
package preflightcmd
