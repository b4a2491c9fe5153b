package mention

import (
	"regexp"
	"slices"
)

// This file tells whether a sentence says that something happened, and is not a denial, a wish, a lesson or a question
// in general. What a person blames or names as a reason needs more: it must not be a plan or a remedy either.

// actual reports whether a line says of the words at a place in it that they happened.
func (t *Text) actual(line string, from, to int) bool {
	begin, end := bounds(line, from, to)
	return !negated.MatchString(line[to:]) && !defined.MatchString(line) && !remedied(line[begin:end]) &&
		!denies.MatchString(line[:from]) && t.tells(line[begin:max(end, to)], to-begin)
}

// tells reports whether a sentence tells what happened, up to a place in it, and not how things are meant to be.
func (t *Text) tells(s string, to int) bool {
	return !inGeneral.MatchString(s) && !asksHow(s) && !well(s) && !t.explains(s, 0, to) && !expected(s[:to])
}

// expected reports whether a sentence is up to where it is cut about what somebody expected.
func expected(s string) bool {
	at := expects.FindStringIndex(s)
	return at != nil && !turns.MatchString(s[at[1]:])
}

// remedied reports whether a sentence is only about what a person tried or found to help.
func remedied(s string) bool {
	return inVain.MatchString(s) || remedy.MatchString(s) && !nextTime.MatchString(s)
}

// asksHow reports whether a sentence is a reader's who only asks how things are, or wants something.
func asksHow(s string) bool { return inquiry.MatchString(s) && !personal.MatchString(s) }

// well reports whether a sentence is only about what went well.
func well(s string) bool { return over.MatchString(s) && !turned.MatchString(s) }

// happens reports whether a text has one of some words without denying it: "no restarts", "never failed", "evicted: 0".
func happens(words *regexp.Regexp, text string) bool {
	return slices.ContainsFunc(words.FindAllStringIndex(text, 16), func(at []int) bool {
		before := text[max(0, at[0]-64):at[0]]
		return !denies.MatchString(before) && !meantTo.MatchString(before) && !negated.MatchString(text[at[1]:])
	})
}

var (
	// meantTo matches what makes the verb behind it one of how things are to be.
	meantTo = regexp.MustCompile(`(?i)\b(?:must|should|would|shall) (?:not |never |\w+ly )?$`)
	// clauses matches what parts a sentence.
	clauses = regexp.MustCompile(`(?i)[,;:()]|\.\s|\b(?:and|but|when|whenever|if|after|before|since|because|as|` +
		`while|` +
		`although|though|so|then|that|which|until|once)\b`)
	// undenying are negations that leave what happened as it is.
	undenying = regexp.MustCompile(`(?i)\bnot[ -]?(?:ready|only|just|(?:be )?found|exist)\b|\bn[o']t exist\b|` +
		`n't exist\b|` +
		`\b(?:for no|without (?:any |a )?(?:good )?(?:reason|warning|notice)|no (?:reason|longer ready))\b|` +
		`(?:\b(?:not|never)|n't) (?:get |be |been |getting |being |\w+ly )?(?:come|comes|coming|start\w*|re-?creat\w*|` +
		`re-?schedul\w*|recover\w*|terminat\w*|respect\w*|honou?r\w*|wait\w*|expect\w*|tolerat\w*|obey\w*|` +
		`answer\w*|respond\w*|respon\w+|pass\w*|succeed\w*|enough|long enough|sufficient)`)
	// negates are the words of a clause that deny; undone those behind what they deny.
	negates = regexp.MustCompile(`(?i)\b(?:no|not|never|nobody|no one|none|nothing|neither|without|cannot|unrelated|` +
		`rather than|instead of|lack of|fail(?:s|ed|ing)? to|cancell?ing)\b|n't\b`)
	undone = regexp.MustCompile(`(?i)^[^.;]{0,24}?(?:\b(?:is|are|was|were|did|does|do|has|have|had) (?:not|` +
		`never)\b|n't\b)|` +
		`^ (?:failed|works? (?:fine|well))\b`)
)

// clauseBounds returns where the clause around a place in a sentence begins and ends.
func clauseBounds(s string, from, to int) (begin, end int) {
	end = len(s)
	for _, m := range clauses.FindAllStringIndex(s[:from], -1) {
		begin = m[1]
	}
	if m := clauses.FindStringIndex(s[to:]); m != nil {
		end = to + m[0]
	}
	return begin, end
}

// denied reports whether the clause around a place in a sentence denies what stands there.
func denied(s string, from, to int) bool {
	begin, end := clauseBounds(s, from, to)
	return negates.MatchString(undenying.ReplaceAllString(s[begin:to], "")) ||
		undone.MatchString(undenying.ReplaceAllString(s[to:end], ""))
}
