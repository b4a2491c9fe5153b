package mention

import "regexp"

var (
	// denies matches words directly before others that negate them: of what a program says, and of what people say
	// beside the words in question, no more is known.
	denies = regexp.MustCompile(`(?i)\b(?:(?:no|not|never|without|[^-\w]zero|isn't|aren't|wasn't|weren't|doesn't|didn't|don't|` +
		`nothing)[\s*_` + "`" + `]+(?:an?\s|the\s|any\s|being\s|get\s)?|` +
		`(?:nothing|nobody|none|no \w+)(?: of \w+)? (?:was|is|were|are|got|has been|have been) |` +
		`(?:not|n't) (?:\w+ )?(?:caused by|due to|because of|related to)(?: an?| the| any| running| going)* |` +
		`false["'*_” ]+(?:for|on) (?:OOM\w* \()?|` +
		`(?:unrelated to|rather than|instead of|nothing to do with|no signs? of)(?: an?| the| any| running| going)* )` +
		`[*_` + "`" + `]*$`)
	// expects matches an expectation up to what was expected, turns what came instead.
	expects = regexp.MustCompile(`(?i)\b(?:I|we|you|one)(?:'d| would| had)?(?: have)? expect(?:ed)?\b[^,;:.]{1,60}? to `)
	turns   = regexp.MustCompile(`(?i)[,;:.]\s|\b(?:but|and it|instead|yet|however|whereas)\b`)
	// negated matches the rest of a field whose value says no: "OOMKilled: false", or a person's words for it.
	negated = regexp.MustCompile("^[\"'`*]*(?:\\s*[:=]\\s*|\\s+(?i:is|was|(?:flag|status|field) (?:is|was)|shows?|" +
		"says?|set to)\\s+)[\"'`*]*" +
		`(?i:false|0|null|none)\b`)
	// defined matches lines that look for ends: a template of an alert, an expression of a query.
	defined = regexp.MustCompile(`\{\{.*\}\}|^\w+\{.*\} 0$|_over_time\(|\b(?:increase|rate|changes|absent)\(|^expr: `)
	// inGeneral matches questions about how things are meant to be, and questions to the person whom it happened to:
	// neither says that something ended.
	inGeneral = regexp.MustCompile(`(?i)\b(?:difference between|(?:alert|alarm|query|panel|rule)s? ` +
		`(?:that|which|when|for|on|if)\b|when (?:does|do|will) (?:an?|the|k8s|kubernetes)\b|` +
		`(?:can|could|would|did|do|have) you (?:\w+ ){0,3}(?:check|confirm|verify|see|look|tell|say)(?:ed|ied)? ` +
		`(?:\w+ ){0,3}(?:if|whether)\b)|^\W*(?:did|was|were|has|have) (?:the|your|it|this|that|any|there)\b[^?]*\?`)
	// purpose matches the beginning of what somebody wants with what he did.
	purpose = regexp.MustCompile(`(?i)\bso that (?:[^n]|n[^o])`)
	// inquiry matches such a question or wish, personal the words of one who has met it.
	inquiry = regexp.MustCompile(`(?i)^\W*(?:(?:does|do|is|are|can|should|what happens)\b[^?]*\?\s*$|docs:|` +
		`(?:test|docs?)\(|(?:please )?(?:add|allow|document|implement|provide) (?:an?|the|some|support|how|more)\b|` +
		`[^.;]{0,40}\bwould be (?:nice|great|good|useful|helpful)\b)|\basserts? that\b`)
	personal = regexp.MustCompile(`(?i)\b(?:why|any(?:one|body)|some(?:one|body)|I|we|my|our)\b`)
	// inVain matches sentences about what a person tried without success, remedy those about what helped: neither ended
	// anything.
	inVain = regexp.MustCompile(`(?i)\b(?:tr(?:y|ied|ying)|attempted)(?: to)? (?:\w+ ){0,2}?` +
		cures + `.*\b(?:no luck|(?:not|n't) help|` +
		`no (?:change|success|effect|avail|difference)|without (?:success|luck|effect)|in vain|nothing (?:helps|helped|changed))\b`)
	remedy = regexp.MustCompile(`(?i)` +
		`(?:^|\band )\W*(?:(?:an?|only|just|simply) )?(?:re-?boots?|` + cures + `ing)\b[^.;,]{0,60}\b(?:(?:fix|help|solv|resolv|cur)e?(?:s|d|ed)|` +
		`seems? to (?:fix|help|solve|cure)|makes? (?:it|them|the)|(?:brings?|brought|gets?|got) (?:it|them|the \w+|every\w+) (?:back|up)|healthy again)\b`)
	// nextTime matches what came of it.
	nextTime = regexp.MustCompile(`(?i)\bbut\b|\b(?:and|until) (?:then|now|after)\b`)
	// ofOtherTrouble matches what a person tells of somebody else's trouble, behind where that is written about.
	ofOtherTrouble = regexp.MustCompile(`(?i)(\b(?:relat\w+|similar|identical|duplicate|same)\b[^.;]{0,24}(?:#\d+|https?://\S+)),? ` +
		`(?:where|in which|whose)\b[^.;?!]*`)
	// over matches what went well.
	over = regexp.MustCompile(`(?i)\b(?:as (?:planned|expected|intended|designed)|(?:pods?|containers?|they|it) (?:all )?surviv(?:es?|ed)|` +
		`(?:pods?|containers?|they|it) (?:\w+ )?(?:runs?|running|works?) (?:well|fine|great|normally)|(?:works? )?great now|and they do|` +
		`(?:restart|terminat)\w* (?:gracefully|normally|properly))\b`)
	// turned matches words with which a sentence turns to what did not.
	turned = regexp.MustCompile(`(?i)\b(?:but|why|until|yet|however|although|though|all the time|kills?|in kubernetes)\b`)
	// hypothetical matches sentences about what nobody has seen: a wish, a plan, a proposal.
	hypothetical = regexp.MustCompile(`(?i)\b(?:would|could|may|might|please|plan(?:s|ned|ning)? to|wish|` +
		`propos\w+|suggest\w*|feature|configurable|support(?:s|ed)?|allow(?:s|ed)?|optional\w*|so that|` +
		`in order to|document\w*|add(?:s|ing)?|enable|` +
		`how (?:do|can|should) (?:I|we) (?:\w+ly )?(?:drain|upgrade|update|use|add|set|configure|cordon|scale)|` +
		`(?:want|like|need|try|going|able|possible) to|ability|instead of|should (?:contain|have|be able|support|` +
		`drain|evict|run|also|use))\b`)
)

// cures are the verbs of what people try.
const cures = `(?:delet|re-?start|re-?boot|re-?creat|kill|drain|remov|re-?deploy|power[- ]?cycl)`
