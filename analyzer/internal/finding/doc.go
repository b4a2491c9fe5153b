// Package finding derives, for one restart, the facts that rules work with: whether the kubelet killed it and why, the
// runtime got a stop request, the kernel's out-of-memory killer killed it and at which limit, the sandbox died first,
// which kubelet computed the stored hash.
//
// Every finding has one of four answers: yes, no, no trace (the API's events reach back far enough and have none, which
// is a hint and no proof), unknown. "No" is only given where a log that covers the moment lacks the line.
//
// The foundation of all facts, and families that depend on little else, are packages below: basis, then stop, memory,
// definition and node. They come together here: the sandbox, the pod's end, static pods, what happened around and
// before, and contradictions (doubts).
//
// It may import timeline, evidence and the kubelet's profiles and hashes. It names no causes and decides nothing.
package finding
