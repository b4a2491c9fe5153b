package mention

import "regexp"

// This file tells whether a person says that something was so, or that it was not.

var (
	// clauses matches what parts a sentence.
	clauses = regexp.MustCompile(`(?i)[,;:()]|\.\s|\b(?:and|but|when|whenever|if|after|before|since|because|as|` +
		`while|` +
		`although|though|so|then|that|which|until|once)\b`)
	// undenying are negations that leave what happened as it is.
	undenying = regexp.MustCompile(`(?i)\bnot[ -]?(?:ready|only|just|(?:be )?found|exist)\b|\bn[o']t exist\b|` +
		`n't exist\b|` +
		`\b(?:for no|without (?:any |a )?(?:good )?(?:reason|warning|notice)|no (?:reason|longer ready))\b|` +
		`(?:\b(?:not|never)|n't) (?:get |be |been |getting |being |\w+ly )?(?:come|comes|coming|start\w*|re-?creat\w*|` +
		`re-?schedul\w*|recover\w*|terminat\w*|respect\w*|honou?r\w*|wait\w*|expect\w*|tolerat\w*|obey\w*)`)
	// negates are the words of a clause that deny; undone those behind what they deny.
	negates = regexp.MustCompile(`(?i)\b(?:no|not|never|nobody|no one|none|nothing|neither|without|cannot|unrelated|` +
		`rather than|instead of|lack of|fail(?:s|ed|ing)? to)\b|n't\b`)
	undone = regexp.MustCompile(`(?i)^[^.;]{0,24}?(?:\b(?:is|are|was|were|did|does|do|has|have|had) (?:not|` +
		`never)\b|n't\b)|` +
		`^ (?:failed|works? (?:fine|well))\b`)
)

// denied reports whether the clause around a place in a sentence denies what stands there.
func denied(s string, from, to int) bool {
	begin, end := 0, len(s)
	for _, m := range clauses.FindAllStringIndex(s[:from], -1) {
		begin = m[1]
	}
	if m := clauses.FindStringIndex(s[to:]); m != nil {
		end = to + m[0]
	}
	return negates.MatchString(undenying.ReplaceAllString(s[begin:to], "")) ||
		undone.MatchString(undenying.ReplaceAllString(s[to:end], ""))
}
