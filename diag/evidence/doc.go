// Package evidence is the data model of everything that diagnostics found: observations with time, subject and
// provenance, the pods and nodes they are about, how far each source reached (coverage), and what could not be
// collected (gaps).
//
// It holds data and the small rules that keep data consistent (a Builder that assigns ids and order). It may import
// safetext, k8s.io/api types and the standard library. It never does I/O, never reads the clock and never judges: what
// a fact means for a restart is up to the analyzer.
//
// Raw and parsed data are kept apart: RawEvidence is what one source collected, unchanged (a bundle stores that); its
// Observe parses it into facts. A live and an offline run differ only in where the raw evidence came from.
package evidence
