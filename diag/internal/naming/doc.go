// Package naming tells which pod, which namespace and which container a text names, in whatever form and place: a
// command, a prompt, a field of a table or of a record, a path, a person's sentence, the shape of a name alone.
//
// It holds the forms, and the one rule by which an end without a name gets one: what all of a person's texts name just
// one of is meant; names that contradict each other name nothing. What ends, it does not know. It may import
// diag/evidence for the name of what has none, diag/internal/podname and the standard library. It does no I/O.
package naming
