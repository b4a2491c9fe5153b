// Package probe is how each version of the kubelet handles probes: when a kill had to come if every run fails
// (KillWindow), and what a restart of the kubelet resets (AfterRestart). It is pure: no I/O, no clock.
//
// It may import the standard library and analyzer/kubelet. Collected evidence and API objects never enter; callers
// translate. Rules are held to the real worker by test/oracle.
package probe
