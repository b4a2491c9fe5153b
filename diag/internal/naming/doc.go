// Package naming finds which pod, namespace and container a text names, in any form and place: a command, a prompt, a
// field of a table or of a record, a path, a person's sentence, the shape of a name alone.
//
// It holds the forms, and the one rule that gives a name to an end without one: if all of a person's texts name only
// one, that one is meant; names that contradict each other name nothing. It does not know what ends. It may import
// diag/evidence for the placeholder of a missing name, diag/internal/podname and the standard library. It does no I/O.
package naming
