package main

import (
	"fmt"
	"slices"
	"strings"
)

// shrink makes a violation's status smaller, choice by choice, as long as it is violated in the same way.
func shrink(f *finding) status {
	small := f.example
	for again := true; again; {
		again = false
		for d := range small {
			for choice := uint8(0); choice < small[d]; choice++ {
				try := small
				try[d] = choice
				if try = lawful(try); try.size() < small.size() && f.holds(try) {
					small, again = try, true
					break
				}
			}
		}
	}
	return small
}

// holds reports whether the status violates the property in this way.
func (f *finding) holds(s status) bool {
	a, err := answer([]status{s})
	if err != nil {
		return false
	}
	i := slices.IndexFunc(properties, func(p property) bool { return p.name == f.property })
	return slices.Contains(properties[i].check(a[0]), f.shape)
}

// size returns how far a status is from the plainest one: first the number of choices, then their positions in the
// tables.
func (s status) size() (n int) {
	for _, choice := range s {
		if choice > 0 {
			n += 100 + int(choice)
		}
	}
	return n
}

// String names the choices that are not the plainest ones.
func (s status) String() string {
	var words []string
	put := func(format string, a ...any) { words = append(words, fmt.Sprintf(format, a...)) }
	p := podEnds[s[ofPod]]
	put("%s %s %.60q", p.phase, p.reason, p.message)
	switch now := int(s[ofNow]); {
	case now == nowRuns:
		put("running")
	case now == nowAbsent:
		put("no statuses")
	case s.waits() != nil:
		put("waiting %s", s.waits().reason)
	default:
		put("terminated %s", ends[now-nowWaits-len(waits)])
	}
	if s[ofLast] > 0 {
		put("last %s", ends[s[ofLast]-1])
	}
	put("%s %s", [...]string{"app", "init", "sidecar"}[s[ofKind]], policies[s[ofPolicy]])
	for d, text := range map[int]string{
		ofBeside:   [...]string{"", "beside runs", "beside ended with it", "beside had finished"}[s[ofBeside]],
		ofLimit:    [...]string{"", "limit", "limit = request"}[s[ofLimit]],
		ofPodLimit: "pod limit", ofProbe: fmt.Sprintf("probes %+v", probes[s[ofProbe]]),
		ofHook:  [...]string{"", "postStart", "preStop"}[s[ofHook]],
		ofOwner: owners[s[ofOwner]], ofDisruption: fmt.Sprintf("DisruptionTarget %d", s[ofDisruption]),
		ofDeletion: "deleted", ofVersion: versions[s[ofVersion]].text,
		ofRuntime: runtimes[s[ofRuntime]].name, ofNode: [...]string{"", "node unknown", "a neighbour runs on"}[s[ofNode]],
		ofLife:  "lived " + lives[s[ofLife]].String(),
		ofCount: fmt.Sprintf("restarts %d", s[ofCount]), ofMerged: "merged events",
		ofKill: fmt.Sprintf("Killing %d", s[ofKill]), ofUnhealthy: fmt.Sprintf("Unhealthy %d", s[ofUnhealthy]),
		ofPodEvent: fmt.Sprintf("pod event %d", s[ofPodEvent]), ofNodeEvent: fmt.Sprintf("node event %d", s[ofNodeEvent]),
	} {
		if s[d] > 0 {
			words = append(words, text)
		}
	}
	slices.Sort(words[2:])
	return strings.Join(words, "; ")
}

func (e end) String() string {
	if e.signal > 0 {
		return fmt.Sprintf("%s %d signal %d", e.reason, e.code, e.signal)
	}
	return fmt.Sprintf("%s %d", e.reason, e.code)
}
