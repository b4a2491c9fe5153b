// Package demo holds recorded real incidents: ordinary bundles, as `collect` writes them, which are read like any
// other. It imports nothing.
package demo

import _ "embed"

// The recordings, .tar.zst archives.
var (
	//go:embed incident.tar.zst
	incident []byte
	//go:embed before.tar.zst
	before []byte
	//go:embed upgrade.tar.zst
	upgrade []byte
)

// The names with which --from reads the incident, and a node whose kubelet was upgraded from v1.30 to v1.37 in place,
// before and after.
const (
	Incident = "demo"
	Before   = "demo:before"
	Upgrade  = "demo:upgrade"
)

// Named returns a recording by its name; nil if there is none.
func Named(name string) []byte {
	return map[string][]byte{Incident: incident, Before: before, Upgrade: upgrade}[name]
}
