// Package searched tells a whole log from what someone's search left of one: of the latter, silence says nothing.
//
// It imports the standard library only, and reads no files.
package searched

import "strings"

// words are what people search logs for when something ended, in lower case.
var words = []string{"error", "fail", "exit", "die", "dead", "stop", "kill", "term", "restart", "oom", "memory",
	"unhealthy", "warn", "crash", "panic", "fatal", "evict", "back-off", "backoff", "probe", "timeout",
	"timed out", "deadline"}

// Log learns from the lines of a log whether it is whole. The zero value is ready.
type Log struct{ whole bool }

// Add takes a line.
func (l *Log) Add(line string) {
	l.whole = l.whole || Calm(line)
}

// Whole reports whether a line was there that no search for an end leaves.
func (l *Log) Whole() bool { return l.whole }

// Calm tells a line without any word that people search for.
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
