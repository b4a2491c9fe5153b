package signs

import (
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
)

// crashes are in the line with which a process ends itself: one of Go, Rust, Java, .NET, Node.js, or a logger's.
var crashes = []string{"panic: ", "fatal error: ", "panicked at ", "Exception in thread ", "nhandled exception",
	"FATAL ", "level=fatal", `"level":"fatal"`}

const (
	// traceback begins what Python prints of an error, which is in the last line.
	traceback = "Traceback (most recent call last)"
	// lineBreak stands for one in safe text.
	lineBreak = "⏎"
	// mostOfLine is how much of a line is said in a sentence, in bytes.
	mostOfLine = 160
)

// Crash returns the line of the container's last words, or of the text that tells of its end, that is about a crash; ""
// if none is.
func Crash(f *finding.Findings) string {
	said := f.R.From.Message.String()
	lines := strings.Split(strings.TrimRight(said, lineBreak+" "), lineBreak)
	at := slices.IndexFunc(lines, func(line string) bool {
		return slices.ContainsFunc(crashes, func(c string) bool { return strings.Contains(line, c) })
	})
	if strings.Contains(said, traceback) {
		at = len(lines) - 1
	}
	if at < 0 {
		return ""
	}
	line := strings.TrimSpace(lines[at])
	if len(line) > mostOfLine {
		line = strings.ToValidUTF8(line[:mostOfLine], "") + "…"
	}
	return line
}
