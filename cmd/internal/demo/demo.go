// Package demo holds recorded real incidents: ordinary bundles, as `collect`
// writes them, that are read through the ordinary path. It imports nothing.
package demo

import _ "embed"

// Bundle is the incident, a .tar.zst archive.
//
//go:embed incident.tar.zst
var Bundle []byte

//go:embed before.tar.zst
var before []byte

//go:embed upgrade.tar.zst
var upgrade []byte

// The names under which --from reads a node whose kubelet was upgraded from v1.30 to v1.37 in place, before and after.
const (
	Before  = "demo:before"
	Upgrade = "demo:upgrade"
)

// Named is a recording by its name; nil where there is none.
func Named(name string) []byte {
	return map[string][]byte{Before: before, Upgrade: upgrade}[name]
}
