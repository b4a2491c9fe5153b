package mention

import "regexp"

// ofChange matches a sentence of who describes a change that he made.
var ofChange = regexp.MustCompile(`(?i)\bthis (?:PR|pull request|patch|MR|merge request|commit|change) (?:add|allow|introduce|implement|enabl|expos|let|improv|enrich)(?:e?s)\b`)

// label is what projects put before a title: "[Feature]", "feat(chart):".
const label = `^(?:#{1,6} )?\W*(?:(?:\[[^\]]*\]|[\w/.-]+(?:\([\w/., -]+\))?!?:)\s*)*`

var (
	// changes are verbs of what is to be done, at the beginning of a title. Those that may be nouns have an object.
	changes = regexp.MustCompile(`(?i)` + label + `(?:please |can we |could (?:we|you) )?(?:(?:add|allow|support|notify|` +
		`improve|consider|introduc|implement|document|expos|provid|enabl|handl|replac|remov|reduc|migrat|refactor|` +
		`clarify|ignor|ensur|configur|mak|writ|respect|explain|enrich|skip|detect|treat|surfac|emit|propagat|preserv|` +
		`renam|revert|deprecat|rework|rewrit|return|validat|mention|describ|annotat|track|generat)` +
		`(?:e|s|es|d|ed|ies|ied|ing)?|include[sd]?|back out|restart [\w-]+ (?:if|when)|` +
		`(?:set|use|update|move|show|change|limit|switch|send|log|print|retry|drop) ` +
		`(?:the|an?|all|our|its|for|more|less|some|default|active\w*|` +
		`\w*(?:limits?|probes?|policy|timeouts?|deadline\w*)))(?:[\s:]|$)`)
	// ofRequests are words of such a title for itself.
	ofRequests = regexp.MustCompile(`(?i)^(?:#{1,6} )?\W*(?:how to\b|support (?:for|of) |` +
		`(?:feat|features?|enhancements?|proposals?|ideas?|thoughts?|RFC|docs?|chore|refactor|perf|documentation|` +
		`suggestions?)\b(?:\([^)]*\)|[ /]\w+)?[\]:】)])|\bfeature request\b|^\W*what does \W?[\w-]+\W? mean\b|` +
		`\bun ?clear|\bunclarity\b|\bdocumentation (?:of|on|about|for)\b|` +
		`\b(?:mistakes?|typos?|wording|error) (?:on|in) (?:the|a|an) (?:\w+ ){0,2}` +
		`(?:pages?|docs?|documentation|examples?|guide|readme)\b`)
	own  = regexp.MustCompile(`(?i)\b(?:I|we|my|us|our (?:pods?|containers?|jobs?|nodes?|clusters?|services?))\b`)
	seen = regexp.MustCompile(`(?i)\b(?:has|have|had|was|were|(?:is|are) (?:\w+ly )?(?:being|\w+ing)|got|keeps?|kept|` +
		`currently|now|today|tonight|yesterday|recently|often|always|constantly|regularly|randomly|daily|times|every (?:\d+|few|night|day|hour|morning|minute|time)|` +
		`caus(?:es|ed|ing)|(?-i:refused|failed|crashed|died|exited|noticed|observed))\b`)
	imagined = regexp.MustCompile(`(?i)\b(?:would|could|should|may|might|can|will|shall|if|unless|so that|in order to|in case|to (?:avoid|prevent)|(?:need|want|like|going|able|trying) to)\b`)
)
