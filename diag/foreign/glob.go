package foreign

import (
	"path"
	"strings"
)

// glob is a pattern for paths below the root of a layout: segments as in
// path.Match, and ** at the end for everything below.
type glob []string

func pattern(s string) glob { return strings.Split(s, "/") }

// match reports whether the segments of a path fit.
func (g glob) match(segments []string) bool {
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

// find tells at which segment of a path the pattern begins to fit, -1 if nowhere.
func (g glob) find(segments []string) int {
	for i := range segments {
		if g.match(segments[i:]) {
			return i
		}
	}
	return -1
}
