// Package secrets finds secrets in free text and puts a mark in their place: in a whole
// message at once, or in a log line by line, where a secret may go over many lines.
//
// Patterns catch what is written as a secret usually is, nothing else; what can be left
// out altogether, package redact leaves out. What looks like a secret and names something
// that explains restarts (an object's key, an image's digest, a container's id) stays.
//
// It imports the standard library only and does no I/O.
package secrets

// Mark stands where something was taken out.
const Mark = "[redacted]"
