// Package secrets finds secrets in free text and puts a mark in their place: in a whole
// message at once, or in a log line by line, where a secret may go over many lines.
//
// One pass goes over a text and looks for hints (text.go): stems of names, programs, beginnings
// of tokens, signs. A hint's finder looks around it, a bounded number of bytes, and cuts out what
// it finds, so that any text costs time in proportion to its length. What a name's kind is
// (names.go), what follows a name (named.go) and where a value ends (package lex) is read once for
// all names, whatever quotes, brackets and signs stand between; commands are read as words, be
// they of a shell or of a vector (clients.go).
//
// Finders know how secrets are usually written, nothing else; what can be left
// out altogether, package redact leaves out. What looks like a secret and names something
// that explains restarts (an object's key, an image's digest, a container's id) stays.
//
// It imports packages lex, look and column and the standard library, and does no I/O.
package secrets

import "github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/lex"

// Mark stands where something was taken out.
const Mark = lex.Mark
