// Package finding works out, for one restart, the facts that rules reason with:
// did the kubelet kill it and why, did the runtime get a stop request, did the
// kernel's out-of-memory killer strike and at which limit, did the sandbox die
// first, which kubelet made the stored hash.
//
// Every finding has an answer of four: yes, no, no trace (the API's events reach
// back far enough and have none, which is a hint and no proof), unknown. "No" is
// only given where a log that covers the moment lacks the line.
//
// What the facts rest on, and those families that rest on little else, are packages of
// their own below: basis, then stop, memory, definition and node. Here they come together:
// the sandbox, the pod's end, static pods, what happened around and before, and what of
// all that does not agree (doubts).
//
// It may import timeline, evidence and the kubelet's profiles and hashes. It
// names no causes and decides nothing.
package finding
