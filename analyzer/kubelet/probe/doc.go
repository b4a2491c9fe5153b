// Package probe is the kubelet's probe worker, re-implemented per version: a simulation over time of when a probe runs,
// what its result changes, and when a kill had to follow.
//
// Simulate plays one worker against a container's life; KillWindow returns the bounds of a kill when every run fails.
// Both are pure: no I/O, no clock, no goroutines, and the kubelet's random jitter is an argument.
//
// It may import the standard library and analyzer/kubelet. Collected evidence and API objects never enter; callers
// translate.
package probe
