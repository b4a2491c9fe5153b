// Package glob holds patterns for the paths of files in an archive. It imports only the standard library and opens no
// file.
package glob

import (
	"path"
	"strings"
)

// Glob is a pattern for the segments of a path: each as in path.Match, and ** at the end for everything below.
type Glob []string

// Of parses a pattern.
func Of(s string) Glob { return strings.Split(s, "/") }

// Match reports whether the segments of a path match.
func (g Glob) Match(segments []string) bool {
	for i, want := range g {
		if want == "**" {
			return len(segments) > i
		}
		if i >= len(segments) {
			return false
		}
		if want == "*" || want == segments[i] {
			continue
		}
		if !strings.ContainsAny(want, "*?[") {
			return false
		}
		if ok, err := path.Match(want, segments[i]); err != nil || !ok {
			return false
		}
	}
	return len(g) == len(segments)
}

// Find returns the first segment of a path at which the pattern matches, -1 if there is none.
func (g Glob) Find(segments []string) int {
	for i := range segments {
		if g.Match(segments[i:]) {
			return i
		}
	}
	return -1
}
