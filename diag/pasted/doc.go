// Package pasted reads what users paste: single lines of a log or of a listing of events, without the log around them.
// It returns what a line states, and concludes nothing.
//
// Each line is parsed by the parser for its writer (diag/statement), so a line means the same here as in a log. It may
// import diag/evidence, diag/textlog, diag/statement, diag/internal/kernel, diag/internal/kubeletmsg, diag/safetext and
// the standard library. It does no I/O except on the reader passed to it.
package pasted
