package command

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// The exit codes, a contract with scripts.
const (
	ExitDone    = 0
	ExitError   = 1
	ExitUsage   = 2
	ExitMatched = 3
)

// failure is an error with its own exit code, hints, or both.
type failure struct {
	err   error
	code  int
	hints []string
}

func (f *failure) Error() string { return f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

// Usage returns an error about the command line itself.
func Usage(format string, args ...any) error {
	return &failure{err: fmt.Errorf(format, args...), code: ExitUsage}
}

// Hint adds what the user can do about an error.
func Hint(err error, hints ...string) error {
	return &failure{err: err, code: ExitError, hints: hints}
}

// Matched ends a run whose report matched --fail-on. It is not printed as an error.
type Matched struct{ Text string }

func (m *Matched) Error() string { return m.Text }

// ExitCode prints an error, its hints after it, and returns the exit code.
func ExitCode(w io.Writer, err error) int {
	if err == nil {
		return ExitDone
	}
	var m *Matched
	if errors.As(err, &m) {
		fmt.Fprintf(w, "fail-on: %s\n", m.Text)
		return ExitMatched
	}
	fmt.Fprintf(w, "error: %s\n", oneLine(err.Error()))
	code := ExitError
	for _, f := range within[*failure](err) {
		for _, h := range f.hints {
			fmt.Fprintf(w, "hint: %s\n", oneLine(h))
		}
		code = max(code, f.code)
	}
	return code
}

// within finds all errors of a type in an error, joined or wrapped, outermost first: errors.As stops at the first.
func within[E error](err error) (all []E) {
	if e, ok := err.(E); ok { //nolint:errorlint // each level is looked at by itself
		all = append(all, e)
	}
	switch e := err.(type) { //nolint:errorlint // walks down what errors.As would skip
	case interface{ Unwrap() []error }:
		for _, one := range e.Unwrap() {
			all = append(all, within[E](one)...)
		}
	case interface{ Unwrap() error }:
		all = append(all, within[E](e.Unwrap())...)
	}
	return all
}

// oneLine keeps an error on one line: an API server's answer may have several. It also makes it safe to print, because
// that answer is untrusted.
func oneLine(s string) string {
	s = safetext.Clean(strings.ReplaceAll(s, "\r", "\n")).String() // a secret may have several lines
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == '⏎' }), "; ")
}
