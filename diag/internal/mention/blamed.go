package mention

import (
	"regexp"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/naming"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/textkind"
)

// This file reads whom a person blames for an end: what is able to end pods, in a sentence about pods that end. It
// counts only where a text says nothing else of how something ended.

// blamed returns the surest such words of a line and what they tell, nil for none.
func (t *Text) blamed(i int) (*word, *end) {
	l := &t.lines[i]
	if !t.about || l.wished || !l.prose && !ofTitle(l.text) || ofEvent.MatchString(l.text) || defined.MatchString(l.text) {
		return nil, nil
	}
	text := noTrouble.ReplaceAllString(spaced(naming.Plain(glossary.Replace(l.text))), "")
	said := sentences(compound.ReplaceAllString(text, "it"))
	best := len(blames)
	var told *end
	for n, s := range said {
		if remedied(s) {
			continue
		}
		beside := s
		if n > 0 && continues.MatchString(s) {
			beside = said[n-1] + " " + beside
		}
		if n+1 < len(said) && continues.MatchString(said[n+1]) {
			beside += " " + said[n+1]
		} else if n+1 == len(said) && i+1 < len(t.lines) && t.lines[i+1].blanks < 2 && !t.lines[i+1].fence &&
			continues.MatchString(t.lines[i+1].text) {
			beside += ". " + t.lines[i+1].text
		}
		doubted := hypothetical.MatchString(s) || inGeneral.MatchString(s) || asksHow(s) || well(beside) ||
			t.explains(s, 0, 0) && !textkind.Asks(s)
		for _, e := range t.ends {
			if e.vaguely() {
				beside += ". " + e.line // whoever evicts may be named anywhere
				break
			}
		}
		for b := range blames[:best] {
			if doubted && !blames[b].sure {
				continue
			}
			around := beside
			if blames[b].anywhere {
				around = t.lines[0].text + ". " + beside
			}
			if e := blames[b].blames(s, around); e != nil {
				best, told = b, e
				break
			}
		}
	}
	if told != nil {
		return &blames[best], told
	}
	return nil, nil
}

// blames returns what a sentence tells with these words, and with those beside it; nil for nothing.
func (w *word) blames(s, beside string) *end {
	if w.but != nil && w.but.MatchString(s) {
		return nil
	}
	for _, at := range w.says.FindAllStringSubmatchIndex(s, 8) {
		if denied(s, at[0], at[1]) || w.place && where.MatchString(s[:at[0]]) {
			continue
		}
		did, more := s, beside
		if w.apart {
			own := s[at[0]:at[1]]
			did, more = strings.Replace(s, own, "", 1), strings.Replace(beside, own, "", 1)
		}
		if w.with == nil || happens(w.with, did) || !hypothetical.MatchString(beside) && happens(w.with, more) {
			return w.end(groups(s, at)[1], s)
		}
	}
	return nil
}

// continues matches the beginning of a sentence that goes on with the one before it.
var continues = regexp.MustCompile(`(?i)^\W*(?:it|they|(?:all |its )?pods|then|and|this|these|that|so|` +
	`as a (?:result|consequence)|` +
	`therefore|after (?:this|that)|afterwards)\b`)

// where matches the end of what is in front of a place.
var where = regexp.MustCompile(`(?i)\b(?:on|in|to|from|onto|at|of) (?:(?:the|an?|our|my|its|that|this|each|` +
	`every|all|any|some|one|same|` +
	`other|another|new) ){0,2}(?:\w+ )?$`)

// ofTitle reports whether a line is a title or a remark that is no whole sentence.
func ofTitle(line string) bool {
	return len(line) < shortLine && len(strings.Fields(line)) > 2 && !textkind.Stamped(line) &&
		!strings.ContainsAny(line, "{}<>\t|$")
}

// vaguely reports whether an end is an eviction of which nothing tells whose.
func (e *end) vaguely() bool {
	return e.failed == "Evicted" && strings.EqualFold(e.said, "evicted")
}

// Settled reports whether a text tells how something ended: an end has more than the word for it, or a trace.
func (t *Text) Settled() bool {
	return slices.ContainsFunc(t.ends, func(e *end) bool { return !e.bare() && !e.vaguely() && !e.trace })
}
