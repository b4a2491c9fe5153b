// Package kubeletmsg knows the sentences with which kubelets since 1.5 explain what they do to a container: why they
// kill it, which probe failed, which image they pull. The same sentence arrives as an event and as a log line, so both
// readers use this package.
//
// It may import evidence (for the model's constants) and the standard library. It does no I/O, knows nothing of events
// or log envelopes, and never decides what a message means for a restart.
//
// A sentence is matched whole: container names are checked, and nothing is searched for inside free text. A message
// that merely quotes a kubelet does not match.
package kubeletmsg
