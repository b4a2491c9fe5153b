package signs

import (
	"regexp"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// crashes are in the line with which a process ends itself: one of Go, Rust, Java, .NET, Node.js, or a logger's.
var crashes = []string{"panic: ", "fatal error: ", "panicked at ", "Exception in thread ", "nhandled exception",
	"FATAL ", "level=fatal", `"level":"fatal"`, "java.lang.OutOfMemoryError", "exec format error"}

// OfRuntime reports whether a line is a journal's, of a node's runtime or of a program that has one in it: what such a
// program says of its own end is about no container's.
func OfRuntime(line string) bool { return ofRuntime.MatchString(line) }

var ofRuntime = regexp.MustCompile(ofUnit + `(?:k3s|rke2|k0s|containerd|dockerd|crio|microk8s\.daemon-\w+)\[\d+\]: `)

// ofUnit is what a journal writes before the name of the program whose line it is, which the program cannot write.
const ofUnit = `(?:^|⏎ *)\W*(?:(?:[A-Z][a-z]{2} [ \d]\d [\d:.]{8,}|\d{4}-[\d-]+T\S+) \S+ )?`

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
	if said == "" || RuntimeFell(f) {
		return ""
	}
	lines := strings.Split(strings.TrimRight(said, lineBreak+" "), lineBreak)
	at := slices.IndexFunc(lines, func(line string) bool {
		return !OfRuntime(line) &&
			slices.ContainsFunc(crashes, func(c string) bool { return strings.Contains(line, c) })
	})
	if strings.Contains(said, traceback) {
		at = len(lines) - 1
	}
	if at < 0 {
		return ""
	}
	return short(lines[at])
}

// fell matches the line with which a runtime ends itself.
var fell = regexp.MustCompile(ofUnit + `(?:containerd|dockerd?|crio)(?:\[\d+\])?: ` +
	`(?:panic: |fatal error: |.*\blevel=(?:fatal|panic) )`)

// RuntimeFell reports whether a text tells of an end only that a runtime ended itself then.
func RuntimeFell(f *finding.Findings) bool {
	return f.R.Mentioned() && fell.MatchString(f.R.From.Message.String())
}

// Lines returns the lines of the container's last words, or of the text that tells of its end.
func Lines(f *finding.Findings) []string {
	if said := f.R.From.Message.String(); said != "" {
		return strings.Split(said, lineBreak)
	}
	return nil
}

// LastWords returns what the container said of its end in one line: the line of a crash, or the first of the one or two
// lines that its message has; "" if it said nothing, or too much to know which line matters.
func LastWords(f *finding.Findings) string {
	if line := Crash(f); line != "" || f.R.Mentioned() {
		return line
	}
	first, rest, _ := strings.Cut(strings.Trim(f.R.From.Message.String(), lineBreak+" "), lineBreak)
	if strings.Contains(rest, lineBreak) {
		return ""
	}
	return short(first)
}

// Told returns the line of a text that tells of the end; "" where something better than a text does.
func Told(f *finding.Findings) string {
	if !f.R.Mentioned() || strings.HasSuffix(f.R.PodUID, evidence.Asked) {
		return ""
	}
	line, _, _ := strings.Cut(strings.Trim(f.R.From.Message.String(), lineBreak+" "), lineBreak)
	return short(line)
}

// short cuts a line that is too long for a sentence.
func short(line string) string {
	line = strings.TrimSpace(line)
	if len(line) > mostOfLine {
		line = strings.ToValidUTF8(line[:mostOfLine], "") + "…"
	}
	return line
}
