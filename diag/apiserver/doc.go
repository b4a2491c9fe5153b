// Package apiserver asks the API server for what it knows: pods with their
// statuses, their events, the nodes they run on and those nodes' events. That
// is the least evidence there is, and often enough. Of the workloads that control
// the pods it reads the revisions where that is asked for: their templates are
// hashed and dropped. What the objects say is read by package apiobject.
//
// It may import apiobject, evidence, safetext and redact, client-go and the API
// types. It only ever reads (get, list and watch), never imports the analyzer, and
// never judges: container hashes are computed by a function that the caller
// hands in, because they need environment values that are not kept.
//
// Lists are consistent reads in pages: no resource version is asked for. A list
// at resource version 0 may be minutes old on a lagging API server, and an old
// status beside a new event is a false clue; older API servers would also
// ignore the page size and send everything at once.
//
// Every page is redacted as it arrives, so the memory needed is that of the
// part which is kept.
//
// A Watcher keeps what a Source has read up to date by watching: streams (stream.go)
// bring pods and events, changed.go tells what of them is news, and Collect hands out
// what is known now, in the same shape.
package apiserver
