// Package finding works out, for one restart, the facts that rules reason with:
// did the kubelet kill it and why, did the runtime get a stop request, did the
// kernel's out-of-memory killer strike and at which limit, did the sandbox die
// first, which kubelet made the stored hash.
//
// Every finding has an answer of four: yes, no, no trace (the API's events reach
// back far enough and have none, which is a hint and no proof), unknown. "No" is
// only given where a log that covers the moment lacks the line.
//
// It may import timeline, evidence and the kubelet's profiles and hashes. It
// names no causes and decides nothing.
package finding
