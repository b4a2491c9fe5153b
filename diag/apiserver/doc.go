// Package apiserver reads evidence from the API server: pods with their statuses, their events, the nodes they run on
// and those nodes' events. That is the least evidence there is, and often enough. On request it also reads the
// revisions of the workloads that control the pods: their templates are hashed and dropped. Package apiobject parses
// the objects.
//
// It may import apiobject, evidence, safetext and redact, client-go and the API types. It only ever reads (get, list
// and watch), never imports the analyzer, and never judges: container hashes are computed by a function that the caller
// passes in, because they need environment values that are not kept.
//
// Lists are consistent reads in pages: no resource version is requested. A list at resource version 0 may be minutes
// old on a lagging API server, and an old status next to a new event is a false clue; older API servers would also
// ignore the page size and send everything at once.
//
// Every page is redacted as it arrives, so the memory needed is that of the part that is kept.
//
// A Watcher keeps what a Source has read up to date by watching: streams (stream.go) bring pods and events, changed.go
// decides which of them are news, and Collect returns what is known now, in the same shape.
package apiserver
