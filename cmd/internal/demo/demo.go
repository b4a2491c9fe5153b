// Package demo holds recorded real incidents: ordinary bundles, as `collect`
// writes them, that are read through the ordinary path. It imports nothing.
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

// The names under which --from reads the incident, and a node whose kubelet was upgraded from v1.30 to v1.37 in place,
// before and after.
const (
	Incident = "demo"
	Before   = "demo:before"
	Upgrade  = "demo:upgrade"
)

// Named is a recording by its name; nil where there is none.
func Named(name string) []byte {
	return map[string][]byte{Incident: incident, Before: before, Upgrade: upgrade}[name]
}
