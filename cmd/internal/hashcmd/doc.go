// Package hashcmd is the command `hash`: the hashes of containers for every kubelet version, of manifests, of pods and
// their stored hashes, and of static pods.
//
// It may import cmd/internal/command and manifest, and the analyzer.
package hashcmd
