// Package searched distinguishes a whole log from the result of someone's search in one: in the latter, silence says
// nothing.
//
// It imports only the standard library, and reads no files.
package searched

import "strings"

// words are what people search logs for when something ended, in lower case.
var words = []string{"error", "fail", "exit", "die", "dead", "stop", "kill", "term", "restart", "oom", "memory",
	"unhealthy", "warn", "crash", "panic", "fatal", "evict", "back-off", "backoff", "probe", "timeout",
	"timed out", "deadline"}

// Log learns from a log's lines whether it is whole. The zero value is ready to use.
type Log struct{ whole bool }

// Add reads a line.
func (l *Log) Add(line string) {
	l.whole = l.whole || Calm(line)
}

// Whole reports whether there was a line that no search for an end would find.
func (l *Log) Whole() bool { return l.whole }

// Calm reports whether a line has none of the words that people search for.
func Calm(line string) bool {
	if line == "" {
		return false
	}
	lower := strings.ToLower(line)
	for _, w := range words {
		if strings.Contains(lower, w) {
			return false
		}
	}
	return true
}
