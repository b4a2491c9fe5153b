package likelihood

import "regexp"

// This file tells whether a person says that something was so, or that it was not. Which sentences tell of an end at
// all is decided where texts are read (diag/internal/mention); here it is about what else they say.

var (
	// clauses matches what parts a line.
	clauses = regexp.MustCompile(`(?i)[,;:()]|[.!?]\s|\b(?:and|but|when|whenever|if|after|before|since|because|` +
		`as|while|` +
		`although|though|so|then|that|which|until|once)\b`)
	// undenying are negations that leave what happened as it is.
	undenying = regexp.MustCompile(`(?i)\bnot[ -]?(?:ready|only|just|found)\b|\bno (?:such|memory|RAM)\b|` +
		`\bfor no\b|\bwithout (?:limits?|any|warning|reason|a)\b|` +
		`(?:\b(?:not|never)|n't) (?:\w+ly )?(?:come|start\w*|re-?creat\w*|re-?schedul\w*|recover\w*)`)
	// negates are the words of a clause that deny, or tell that something is only there; undone those behind them.
	negates = regexp.MustCompile(`(?i)\b(?:no|not|never|nobody|no one|none|nothing|neither|without|unrelated|` +
		`rather than|instead of|lack of|we (?:use|have))\b|n't\b`)
	undone = regexp.MustCompile(`(?i)^[^.;]{0,24}?(?:\b(?:is|are|was|were|did|does|do|has|have|had) (?:not|` +
		`never)\b|n't\b)|` +
		`^ (?:failed|works? (?:fine|well)|(?:is|are) (?:installed|in use|set up|enabled)|alerts?|team)\b`)
)

// denied reports whether the clause around a place in a line denies what stands there.
func denied(line string, from, to int) bool {
	begin, end := 0, len(line)
	for _, m := range clauses.FindAllStringIndex(line[:from], -1) {
		begin = m[1]
	}
	if m := clauses.FindStringIndex(line[to:]); m != nil {
		end = to + m[0]
	}
	return negates.MatchString(undenying.ReplaceAllString(line[begin:to], "")) ||
		undone.MatchString(undenying.ReplaceAllString(line[to:end], ""))
}
