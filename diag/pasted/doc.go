// Package pasted reads what users paste: single lines of a log or of a listing of
// events, without the log around them. It says what a line states, and concludes
// nothing.
//
// Each line is read by the parser of whoever writes such lines (diag/statement), so a
// line means here what it means in a log. It may import diag/evidence, diag/textlog,
// diag/statement, diag/internal/kernel, diag/internal/kubeletmsg, diag/safetext and the standard library.
// It does no I/O but for the reader that it is given.
package pasted
