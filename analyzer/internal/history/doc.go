// Package history orders a snapshot's observations: which container instances there were, which ended and which came
// after them (restarts and deaths). What an observation is about is resolved below, in subject.
//
// It may import evidence and timeline, which it fills. It joins and sorts, and does not judge: no cause is named here.
// It never does I/O and never reads the clock; everything follows from the snapshot.
package history
