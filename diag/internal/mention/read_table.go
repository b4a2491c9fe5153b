package mention

import "regexp"

// noneToEvict matches the lines of a kubelet that was short of something and evicted nobody (eviction_manager.go
// synchronize, v1.5–v1.37).
var noneToEvict = regexp.MustCompile(`unable to evict any pods from the node|no pods are active to evict|` +
	`no ranking function for (?:resource|signal)|able to reduce \S+ pressure without evicting pods`)

// childKilled matches what a parent says of a child that a signal ended.
var childKilled = regexp.MustCompile(`(?i)\b(?:worker|child|process|program)\b.*` +
	`(?:\bsignal\b|\bSIG[A-Z]+|\bcode 1[2-5]\d\b)`)

// complains matches words of a person who did not expect what happened.
var complains = regexp.MustCompile(`(?i)\b(?:why|help me|any (?:help|ideas?|hints?)|unexpected\w*|instead|wrong|` +
	`weird|strange|problems?|issues?|fails|failing|broken|stops|dies|died|crash\w*|restart(?:s|ing|ed)|keeps|` +
	`immediately|stuck|supposed to|should|can(?:'t|not)|won't|doesn't|isn't|not work\w*)\b`)

// sameAgain matches a sentence that says of one pod what was shown of another.
var sameAgain = regexp.MustCompile(`(?i)\b(?:same (?:story|thing|error|event|reason|problem|issue|here|for|with|` +
	`happens|goes)|likewise|ditto|so (?:does|did|is|was))\b`)

// aPodsRow matches a row of kubectl get pods.
var aPodsRow = regexp.MustCompile(`\s\d+/\d+\s+[A-Z][\w:]+\s+\d`)

// neverMade finds the API server's refusal of an object: nothing of it ran, whichever fields the message names.
var neverMade = regexp.MustCompile(`(?i)\berror creating: |\b(?:pods?|jobs?\.batch) "[^"]+" is (?:invalid|forbidden): `)

// wasEnded matches signs that a container ended: output of the previous one, a row that counts restarts.
var wasEnded = regexp.MustCompile(`(?m)\blogs\b.*\s(?:-p|--previous)\b|\s\d+/\d+\s+[A-Z][A-Za-z]+\s+[1-9]\d*\s`)
