package describe

import (
	"regexp"
	"strings"
	"time"
)

// This file determines when a pasted text was printed, from an age and a time of the same moment in it. The text may
// have been saved long after, from an issue, a chat, a mail.

// anchor is one such moment: the resulting print time, and the uncertainty of its age.
type anchor struct {
	at    time.Time
	width time.Duration
}

// told holds a text's data about one pod: its newest start and exit, how long ago the newest events about them were,
// and the age of the exit in a table row.
type told struct {
	started, finished      time.Time
	startAgo, killAgo, row string
}

var (
	describing  = regexp.MustCompile(`\b(?:describe|get)\s+(?:pods?|po)[ /](` + aName + `)`)
	otherAt     = regexp.MustCompile(`^(?:- )?apiVersion:|^items:|\b(?:kubectl|oc) [a-z]`)
	namedAt     = regexp.MustCompile(`^(?:Name:\s+|  name: )(` + aName + `)\s*$`)
	timeAt      = regexp.MustCompile(`^\s+"?(?i:(started|finished)(?:At)?)"?:\s+"?(\S[^"]*[^\s",])"?,?\s*$`)
	eventAt     = regexp.MustCompile(`^\s+` + aKind + `\s+(Started|Killing)\s+(\S+)(?:\s|$)`)
	listedAt    = regexp.MustCompile(`(?:^|\s)(` + anAge + `)\s+` + aKind + `\s+(Started|Killing)\s+pod/(` + aName + `)\s`)
	restartedAt = regexp.MustCompile(`(?:^|\s)(` + aName + `)\s+\d+/\d+\s+\S+\s+\d+ \((\S+) ago\)\s`)
)

// Saved is how long after printing a text may have been saved by who printed it: as exact as its ages.
const Saved = 3 * time.Minute

// passed is the minimum age of a kill that an exit has surely followed: most grace periods are over by then.
const passed = 2 * time.Minute

// Clock returns when a text was printed: the exit with a time in a description or an object is the one with an age
// after the restart count in a table (kubectl printers.go printPod, 1.22+), and the newest start is that of the event.
// It returns false if there is no such pair, or if two of them disagree.
func Clock(text string) (at time.Time, ok bool) {
	pods := map[string]*told{}
	pod := &told{}
	of := func(name string) *told {
		if pods[name] == nil {
			pods[name] = &told{}
		}
		return pods[name]
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if otherAt.MatchString(line) {
			pod = &told{} // of another object or output, until a name follows
		}
		if m := describing.FindStringSubmatch(line); m != nil {
			pod = of(m[1])
		} else if m := namedAt.FindStringSubmatch(line); m != nil {
			pod = of(m[1])
		} else if m := timeAt.FindStringSubmatch(line); m != nil {
			pod.note(m[1], m[2])
		} else if m := restartedAt.FindStringSubmatch(line); m != nil {
			of(m[1]).row = m[2]
		} else if m := eventAt.FindStringSubmatch(line); m != nil {
			pod.event(m[1], m[2])
		} else if m := listedAt.FindStringSubmatch(line); m != nil {
			of(m[3]).event(m[2], m[1])
		}
	}
	var all []anchor
	add := func(moment time.Time, ago string) {
		if d, known := age(ago); known && !moment.IsZero() {
			all = append(all, anchor{moment.Add(d), width(ago)})
		}
	}
	for _, p := range pods {
		add(p.started, p.startAgo)
		add(p.finished, p.row)
		if d, _ := age(p.killAgo); d >= passed {
			add(p.finished, p.killAgo)
		}
	}
	return agreed(all)
}

// younger returns the younger of two ages, ignoring what is no age.
func younger(a, b string) string {
	x, known := age(a)
	if y, ok := age(b); ok && (!known || y < x) {
		return b
	}
	return a
}

// event notes how long ago an event was.
func (t *told) event(reason, ago string) {
	if reason == "Started" {
		t.startAgo = younger(t.startAgo, ago)
	} else {
		t.killAgo = younger(t.killAgo, ago)
	}
}

func (t *told) note(key, value string) {
	at, ok := printedTime(value)
	if written, err := time.Parse(time.RFC3339, value); err == nil {
		at, ok = written.UTC(), true
	}
	switch {
	case !ok:
	case strings.EqualFold(key, "started") && at.After(t.started):
		t.started = at
	case strings.EqualFold(key, "finished") && at.After(t.finished):
		t.finished = at
	}
}

// apart is how far apart two outputs in one text may have been printed.
const apart = 30 * time.Minute

// agreed returns the latest of the most precise anchors, if all of them agree.
func agreed(all []anchor) (at time.Time, ok bool) {
	best := 24 * time.Hour
	for _, a := range all {
		best = min(best, a.width)
	}
	for _, a := range all {
		if a.width == best && best <= time.Minute && a.at.After(at) {
			at = a.at
		}
	}
	for _, a := range all {
		if at.Sub(a.at).Abs() > apart+a.width {
			return time.Time{}, false
		}
	}
	return at, !at.IsZero()
}
