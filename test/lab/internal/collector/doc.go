// Package collector judges collector pods in a lab: they read the same from a node as the tool does on the node itself,
// and none of them remains, however the program ends.
//
// It may import api, cluster, e2e and scenario. It never imports the tool's own packages.
package collector
