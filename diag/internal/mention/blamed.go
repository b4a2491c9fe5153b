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

// blame is one family of those.
type blame struct {
	// who matches what people name; does what it did, in the same sentence or in one beside it. Without does the words
	// are enough.
	who, does *regexp.Regexp
	// but matches sentences in which it is something else.
	but *regexp.Regexp
	// place tells that such words are where it happened, and not who did it, behind a word for a place.
	place bool
	sure  bool // the words are a program's, whatever the sentence is about
	// apart tells that the words for what they did are not their own: a drained node has taken no pod yet.
	apart bool
	// vague families yield to any other in the text; those anywhere count beside a title that tells the end.
	vague, anywhere bool
	word            word // what that becomes
}

// blamed returns what the first such words of a line tell, nil for none; vague if another line may tell it better.
func (t *Text) blamed(i int) (e *end, vague bool) {
	l := &t.lines[i]
	if !t.about || l.wished || !l.prose && !ofTitle(l.text) || ofEvent.MatchString(l.text) || defined.MatchString(l.text) {
		return nil, false
	}
	text := spaced(naming.Plain(glossary.Replace(l.text)))
	said := sentences(text)
	for n, s := range said {
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
		doubted := hypothetical.MatchString(s) || !t.tells(s) || fine.MatchString(beside)
		for b := range blames {
			if doubted && !blames[b].sure {
				continue
			}
			around := beside
			if blames[b].anywhere {
				around = t.lines[0].text + ". " + beside
			}
			if e := blames[b].in(s, around); e != nil {
				return e, blames[b].vague
			}
		}
	}
	return nil, false
}

// in returns what a sentence tells, with those beside it; nil for nothing.
func (b *blame) in(s, beside string) *end {
	if b.but != nil && b.but.MatchString(s) {
		return nil
	}
	for _, at := range b.who.FindAllStringSubmatchIndex(s, 8) {
		if denied(s, at[0], at[1]) || b.place && where.MatchString(s[:at[0]]) {
			continue
		}
		did, more := s, beside
		if b.apart {
			own := s[at[0]:at[1]]
			did, more = strings.Replace(s, own, "", 1), strings.Replace(beside, own, "", 1)
		}
		if b.does == nil || happens(b.does, did) || !hypothetical.MatchString(beside) && happens(b.does, more) {
			return b.word.end(groups(s, at)[1], s)
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

// settled reports whether a text tells how something ended: an end has more than the word for it.
func (t *Text) settled() bool {
	return slices.ContainsFunc(t.ends, func(e *end) bool { return !e.bare() && !e.vaguely() })
}

// blamed is the form of all of them, where a pod without a name is meant.
var blamed = word{}
