// Package binaries builds Kubernetes programs of exact versions from their Go modules and keeps them in a cache, so
// that a second lab builds nothing. It also prepares modules in which one package of a release can be built, for the
// oracle.
//
// It may import only the standard library and runs the `go` command. It knows nothing of nodes, clusters or scenarios.
// It uses no prebuilt program: everything is built from the module mirror's source.
package binaries
