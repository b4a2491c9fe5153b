// Package idnames finds, in any text, the lines that say which pod or container an id belongs to: mounted volumes,
// paths of containers' logs, calls of network plugins, references in events. A log that reports an end only by id then
// gets the names from another line or another file.
//
// It may import diag/evidence, diag/safetext and diag/internal/nodefile. It does not read what ended, or why.
package idnames
