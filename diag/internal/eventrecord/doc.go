// Package eventrecord recognizes the events of the API in the records of stores and exporters, each of which has its
// own names for an event's fields, and returns them as the API has them.
//
// Such an event has no UIDs, or one that says where it is from, so no verdict is proven by it. It may import field,
// evidence and the standard library.
package eventrecord
