package mention

import (
	"regexp"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/naming"
)

// This file reads words that count only where a text says nothing else of how something ended: what was typed, what
// was done to a whole node, and what keeps a container from being made. Beside another end they are what somebody did
// about it, or what came of it.

// resort returns the ends in such words. For a text that tells how something ended there are none.
func (t *Text) resort(around naming.Names) (ends []*end) {
	if t.teaches || t.Settled() {
		return nil
	}
	var near nearest
	rest, blames, vague := t.only.Beside(around), len(t.general(around)) == 0, false
	for i := range t.lines {
		l := &t.lines[i]
		near.line(l)
		if l.fence || l.outside || l.wished || l.command && !ofSentence.MatchString(l.text) {
			continue
		}
		near.names(l.of(), l.text)
		w, said := lastResort(t, l)
		if said == nil && blames && (len(ends) == 0 || vague) {
			form, e := t.blamed(i)
			if e != nil && vague && !form.vague {
				ends = nil
			}
			if e != nil && len(ends) == 0 {
				w, said, vague = form, e, form.vague
			}
		}
		if said == nil || len(ends) == mostEnds {
			continue
		}
		said.Names, said.line, said.prose, said.written = l.of(), l.text, l.prose, t.writtenAt(l.text)
		if naming.DrawnOf(said.Pod, rest.Pod) {
			said.Pod = rest.Pod
		}
		if rest.Pod == "" && said.Pod == "" {
			said.Names = said.Names.Beside(near.now(l.text))
		}
		if said.Names = said.Names.Beside(rest); said.Pod == "" && w.ofNode {
			if rows := t.waiting(); len(rows) > 0 {
				for _, n := range rows {
					e := *said
					e.Names = n.Beside(said.Names).Whole()
					ends = append(ends, &e)
				}
				continue
			}
		}
		said.Names = t.whole(said.Names, w.ofNode)
		ends = append(ends, said)
	}
	return ends
}

// Resorts reports whether a text tells of an end only in such words.
func (t *Text) Resorts(around naming.Names) bool { return len(t.resort(around)) > 0 }

// ofSentence matches words of a sentence that begins with a command.
var ofSentence = regexp.MustCompile(`\b(?:the|my|our|all|it|its|them)\b`)

// lastResort returns the first form of such words in a line, and the end that it tells.
func lastResort(t *Text, l *line) (*word, *end) {
	text := spaced(naming.Plain(l.text))
	for i := range resorts {
		w := &resorts[i]
		if w.about && (!t.about || !l.prose && !l.title || ofEvent.MatchString(text)) || !naming.AnyOf(text, w.any...) {
			continue
		}
		at := w.says.FindStringSubmatchIndex(text)
		if at == nil || w.but != nil && w.but.MatchString(text) || defined.MatchString(text) ||
			l.prose && !t.actual(text, at[0], at[1]) {
			continue
		}
		return w, w.end(groups(text, at)[1], text)
	}
	return nil, nil
}

// bare reports whether an end has nothing that tells how: people say that something restarts or does not start, or that
// a node booted.
func (e *end) bare() bool {
	return e.prose && e.code == nil && e.waits == "" && e.failed == "" && len(e.events) == 0 &&
		(e.ended == "" || e.ended == endsBare || e.ended == "Error" && failsToStart.MatchString(e.line))
}

var failsToStart = regexp.MustCompile(`(?i)\bfails to start\b`)

// creating reports whether a table shows of a pod that nothing of it was made yet.
func (t *Text) creating(pod string) bool {
	return slices.ContainsFunc(t.lines, func(l line) bool {
		m := pendingRow.FindStringSubmatch(l.text)
		return m != nil && m[2] == pod && strings.Contains(l.text, "ContainerCreating")
	})
}

// waiting returns the few pods of a table that wait for a node, beside others that run: they replace those that ended.
func (t *Text) waiting() (pods []naming.Names) {
	runs := false
	for i := range t.lines {
		if m := pendingRow.FindStringSubmatch(t.lines[i].text); m != nil {
			pods = append(pods, naming.Names{Namespace: m[1], Pod: m[2]})
		}
		runs = runs || runningRow.MatchString(t.lines[i].text)
	}
	if !runs || len(pods) > mostRestarted {
		return nil
	}
	return pods
}
