// Package collector judges collector pods in a lab: what they read of a node is the same as on the node itself, and
// none of them stays, however the program ends.
//
// It may import api, cluster, e2e and scenario. It never imports the tool's own packages.
package collector
