// Package idnames finds, in any text, the lines that tell which pod or container an id is of: volumes that are mounted,
// paths of containers' logs, calls of network plugins, references in events. A log that tells of an end by an id alone
// is joined with the names that another line, or another file, has for it.
//
// It may import diag/evidence, diag/safetext and diag/internal/nodefile. What ended, and why, never enters.
package idnames
