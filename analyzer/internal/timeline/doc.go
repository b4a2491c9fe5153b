// Package timeline puts observations in order: which container instances there
// were, which ended and which came after them (restarts and deaths), and what
// happened on each node meanwhile (kubelet and runtime starts, boots).
//
// It may import evidence and the kubelet profiles. It joins and sorts, it does
// not judge: no cause is named here. It never does I/O and never reads the
// clock; everything follows from the snapshot.
package timeline
