// Package entry holds the field incidents: the evidence of a person who asked in public why a container restarted, with
// the truth that was established there.
//
// An entry is a text archive (txtar). Its files are raw, under the names that a person gave them, and are read as
// `kubectl restartwhy analyze DIR` reads a directory; its time of collection is used as now. Nobody who made a rule
// made an entry, and half of them are blind (Entry.Blind).
//
// The package may import diag, diag/foreign, the analyzer, and the scorer's types; it judges nothing.
package entry
