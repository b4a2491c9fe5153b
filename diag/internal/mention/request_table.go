package mention

import "regexp"

// label is what projects put before a title: "[Feature]", "feat(chart):".
const label = `^(?:#{1,6} )?\W*(?:(?:\[[^\]]*\]|[\w/.-]+(?:\([\w/., -]+\))?!?:)\s*)*`

var (
	// changes are verbs of what is to be done, at the beginning of a title. Those that may be nouns have an object.
	changes = regexp.MustCompile(`(?i)` + label + `(?:please |can we |could (?:we|you) )?(?:(?:add|allow|support|notify|` +
		`improve|consider|introduc|implement|document|expos|provid|enabl|handl|replac|remov|reduc|migrat|refactor|` +
		`clarify|ignor|ensur|configur|mak|writ|respect|explain|enrich|skip|detect|treat|surfac|emit|propagat|preserv|` +
		`renam|revert|deprecat|rework|rewrit|return|validat|mention|describ|annotat|track|generat)` +
		`(?:e|s|es|ies|ing)?|includes?|back out|restart [\w-]+ (?:if|when)|` +
		`(?:set|use|update|move|show|change|limit|switch|send|log|print|retry|drop) ` +
		`(?:the|an?|all|our|its|for|more|less|some|default|active\w*|` +
		`\w*(?:limits?|probes?|policy|timeouts?|deadline\w*)))(?:[\s:]|$)`)
	// ofRequests are words of such a title for itself.
	ofRequests = regexp.MustCompile(`(?i)^(?:#{1,6} )?\W*(?:how to\b|support (?:for|of) |` +
		`(?:feat|features?|enhancements?|proposals?|ideas?|thoughts?|RFC|docs?|chore|refactor|perf|documentation|` +
		`suggestions?)\b(?:\([^)]*\)|[ /]\w+)?[\]:】)]|feature request\b)|^\W*what does \W?[\w-]+\W? mean\b|` +
		`\bunclarity\b|\bdocumentation (?:of|on|about|for)\b|\b(?:docs?|documentation|pages?|wording|messages?) (?:is|are) unclear|` +
		`\b(?:mistakes?|typos?|wording|error) (?:on|in) (?:the|a|an) (?:\w+ ){0,2}` +
		`(?:pages?|docs?|documentation|examples?|guide|readme)\b`)
	own  = regexp.MustCompile(`(?i)\b(?:I|we|my|us|our (?:pods?|containers?|jobs?|nodes?|clusters?|services?))\b`)
	seen = regexp.MustCompile(`(?i)\b(?:has|have|had|was|were|(?:is|are) (?:\w+ly )?(?:being|\w+ing)|got|keeps?|kept|` +
		`currently|now|today|tonight|yesterday|recently|often|always|constantly|regularly|randomly|daily|times|every (?:\d+|few|night|day|hour|morning|minute|time)|` +
		`caus(?:es|ed|ing)|(?-i:refused|failed|crashed|died|exited|noticed|observed))\b`)
	// endsOnly is what only an end has.
	endsOnly = regexp.MustCompile(`\b(?:OOM ?[Kk]illed|Evicted|(?i:exit(?:s|ed)? (?:with )?(?:code |status )?[1-9]\d*|with 1[34]\d)|` +
		`(?i:still|but|since|and (?:then|now)) (?:\w+ ){0,4}(?:` + falls + `|restarts?|is killed|was killed|gets? killed|dies|evicted))\b`)
	// told matches a verb of an end, governed words before it that make it no report.
	told = regexp.MustCompile(`(?i)\b(?:kills?|killed|crash(?:es|ed)?|OOM ?killed|evict(?:s|ed)|restarts|restarted|exits|exited|died|dies|fails|` +
		`exit(?: code)? [1-9]\d*|code (?:is |of )?[1-9]\d*|is 1[34]\d|keeps \w+ing)\b`)
	governed = regexp.MustCompile(`(?i)\b(?:when|if|whenever|once|that|which|until|unless|in case|after|before)\b|\b(?:for|of|on|about|ignor\w+|count\w*) $`)
	imagined = regexp.MustCompile(`(?i)\b(?:would|could|should|may|might|can|will|shall|if|unless|so that|in order to|in case|to (?:avoid|prevent)|(?:need|want|like|going|able|trying) to)\b`)
)
