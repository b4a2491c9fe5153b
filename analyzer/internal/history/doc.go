// Package history puts a snapshot's observations in order: which container instances
// there were, which ended and which came after them (restarts and deaths). What an
// observation is about is settled below, in subject.
//
// It may import evidence and timeline, which it fills. It joins and sorts, it does
// not judge: no cause is named here. It never does I/O and never reads the
// clock; everything follows from the snapshot.
package history
