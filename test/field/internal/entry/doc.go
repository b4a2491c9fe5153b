// Package entry holds the field incidents: evidence as a person had it who asked in
// public why a container restarted, with the truth that was established there.
//
// An entry is a text archive (txtar). Its files are raw, under the names that a person
// gave them, and are read by what `kubectl restartwhy analyze DIR` reads a directory
// with; its time of collection stands in for now. Nobody who made a rule made an entry,
// and half of them are blind (Entry.Blind).
//
// The package may import diag, diag/foreign, the analyzer, and the scorer's types; it
// judges nothing.
package entry
