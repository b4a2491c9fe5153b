package mention

import (
	"slices"
	"strings"
)

// This file reads that a container runs on of which a line seemed to tell an end: systemd drops the scope of a running
// one now and then, and a kill for memory may have been of any of its processes.

// withoutLiving leaves out the ends of containers that run on, and adds the row that shows that to a line about memory:
// then it was a child that was killed.
func (t *Text) withoutLiving(ends []*end) []*end {
	return slices.DeleteFunc(ends, func(e *end) bool {
		if m := unmade.FindStringSubmatch(e.line); m != nil && strings.Contains(t.all, "Ran pod sandbox "+m[1]) {
			return true
		}
		if m := scopeGone.FindStringSubmatch(e.line); m != nil {
			return t.runsBelow(e.line, m[1]+m[2]) != ""
		}
		if at := oomEvent.FindStringSubmatchIndex(e.line); at != nil {
			if row := t.runsBelow(e.line, e.line[at[2]:at[3]]); row != "" {
				e.line, e.ended = e.line[:at[1]]+" … "+row, endsBare // without its labels, so that both fit
			}
		}
		return false
	})
}

// runsBelow returns the row below a line that has the container as running, "" if the last row has not.
func (t *Text) runsBelow(line, id string) (row string) {
	below := false
	for i := range t.lines {
		text := t.lines[i].text
		if below = below || text == line; !below || len(text) < len(id) || text[:len(id)] != id {
			continue
		}
		if row = ""; up.MatchString(text) {
			row = text
		}
	}
	return row
}
