// Package secrets finds secrets in free text and replaces them with a mark: in a whole message at once, or in a log
// line by line, where a secret may span many lines.
//
// It goes through a text once and looks for hints (text.go): stems of names, programs, beginnings of tokens, signs. A
// hint's finder looks at a limited number of bytes around it and cuts out what it finds (package cut), so the time is
// proportional to the text's length. The kind of a name (package words), what follows a name (named.go) and where a
// value ends (package lex) are determined in one place for all names, whatever quotes, brackets and signs are in
// between. Commands are read as words, of a shell or of a vector (package shell), and addresses as a whole (package
// address).
//
// Finders only know how secrets are usually written; what can be left out entirely is left out by package redact. What
// looks like a secret but explains restarts (an object's key, an image's digest, a container's id) stays.
//
// It imports the packages below it and the standard library, and does no I/O.
package secrets

import "github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/lex"

// Mark replaces what was removed.
const Mark = lex.Mark
