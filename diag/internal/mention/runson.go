package mention

import (
	"regexp"
	"slices"
	"strings"
)

// This file reads that a container runs on of which a line seemed to tell an end: systemd drops the scope of a running
// one now and then, and a kill for memory may have been of any of its processes.

var (
	// scopeGone and oomEvent match lines that tell of an end only by what mostly comes with one.
	scopeGone = regexp.MustCompile(`\b(?:cri-containerd|crio|docker)-([0-9a-f]{12})[0-9a-f]{52}\.scope: |` +
		`Stopped (?:libcontainer container |crio-)([0-9a-f]{12})[0-9a-f]{52}\b`)
	oomEvent = regexp.MustCompile(`\bcontainer oom ([0-9a-f]{12})[0-9a-f]{52}\b`)
	// up matches a row of crictl ps or docker ps that has a container as running.
	up = regexp.MustCompile(`^([0-9a-f]{12})[0-9a-f]{0,52}\s.*\s(?:Running\s+[a-z0-9]|Up \S)`)
	// unmade matches CRI-O's line of a sandbox that it could not run, yet.
	unmade = regexp.MustCompile(`[rR]unSandbox: .*\b([0-9a-f]{64})\b`)
	// ofCrictl matches a row of crictl ps with its pod, which has its own reader.
	ofCrictl = regexp.MustCompile(`^[0-9a-f]{13}\s.*\sago\s+(?:Running|Exited|Created|Unknown)\s+\S+\s+\d+\s+[0-9a-f]{13}\s+\S`)
)

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
