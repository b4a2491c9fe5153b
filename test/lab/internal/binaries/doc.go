// Package binaries builds Kubernetes programs of exact versions from their Go
// modules and keeps them in a cache, so that a second lab builds nothing.
//
// It may import the standard library only and runs the `go` command. It knows
// nothing of nodes, clusters or scenarios. No prebuilt program ever enters: what
// the lab runs is what the module mirror's source says.
package binaries
