// Package binaries builds Kubernetes programs of exact versions from their Go
// modules and keeps them in a cache, so that a second lab builds nothing; and it prepares
// modules in which one package of a release can be built, for the oracle.
//
// It may import the standard library only and runs the `go` command. It knows
// nothing of nodes, clusters or scenarios. No prebuilt program ever enters: what
// is run is what the module mirror's source says.
package binaries
