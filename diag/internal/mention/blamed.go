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
	// place matches what is in front of words that are where it happened, and not who did it.
	place *regexp.Regexp
	sure  bool // the words are a program's, whatever the sentence is about
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
		told := unconditional.ReplaceAllString(asking.ReplaceAllString(s, ""), "")
		doubted := hypothetical.MatchString(s) || inGeneral.MatchString(s) ||
			textkind.Teaches(told) && !textkind.Asks(s) && !t.talk
		beside := strings.Join(said[max(0, n-1):min(len(said), n+3)], " ")
		if n == len(said)-1 && i+1 < len(t.lines) && t.lines[i+1].blanks < 2 && !t.lines[i+1].fence {
			beside += ". " + t.lines[i+1].text
		}
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
	at := b.who.FindStringSubmatchIndex(s)
	if at == nil || b.but != nil && b.but.MatchString(s) || denies.MatchString(s[:at[0]]) ||
		b.place != nil && b.place.MatchString(s[:at[0]]) {
		return nil
	}
	if b.does != nil && !happens(b.does, s) && (hypothetical.MatchString(beside) || !happens(b.does, beside)) {
		return nil
	}
	return b.word.end(groups(s, at)[1], s)
}

// where matches the end of what is in front of a place.
var where = regexp.MustCompile(`(?i)\b(?:on|in|to|from|onto|at|of) (?:(?:the|an?|our|my|its|that|this|each|every|all|any|some|one|same|other|another|new) ){0,2}(?:\w+ )?$`)

// ofTitle reports whether a line is a title or a remark that is no whole sentence.
func ofTitle(line string) bool {
	return len(line) < shortLine && len(strings.Fields(line)) > 2 && !textkind.Stamped(line) &&
		!strings.ContainsAny(line, "{}<>\t|$")
}

// hypothetical matches sentences about what nobody has seen: a wish, a plan, a proposal.
var hypothetical = regexp.MustCompile(`(?i)\b(?:would|could|may|might|please|plan(?:s|ned|ning)? to|wish|propos\w+|suggest\w*|` +
	`feature|configurable|support(?:s|ed)?|allow(?:s|ed)?|optional\w*|so that|in order to|document\w*|add(?:s|ing)?|enable|` +
	`how (?:do|can|should) (?:I|we) (?:\w+ly )?(?:drain|upgrade|update|use|add|set|configure|cordon|scale)|` +
	`(?:want|like|need|try|going|able|possible) to|ability|instead of|should (?:contain|have|be able|support|drain|evict|run|also|use))\b`)

// unconditional matches words that set no condition.
var unconditional = regexp.MustCompile(`(?i)\b(?:(?:even|as|only) (?:if|though)|whenever|if (?:I|we))\b`)

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
