package textkind

import (
	"regexp"
	"strings"
)

// This file tells reports of one event from pages about what happens in general, where the writer neither speaks of
// himself nor to a reader.

// general reports whether a text in the third person is a page: its title, its headings or its tables say so, or
// nothing in its title and its first lines happened once.
func general(title, text string) bool {
	own, _ := voices(text)
	switch {
	case own > 0, filled.MatchString(text), one.MatchString(text):
		return false
	case kinds.MatchString(title), strings.HasPrefix(title, "---"), aspects.MatchString(text), meanings.MatchString(text):
		return true
	case inTitle.MatchString(title):
		return false
	}
	shown, inFence := 0, false
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(strings.TrimSpace(line), "```"):
			inFence = !inFence
		case inFence, strings.TrimSpace(line) == "":
		case strings.HasPrefix(line, "|"):
			shown++
		case habit.MatchString(line):
			return true
		case event.MatchString(passive.ReplaceAllString(line, "")):
			return false
		default:
			shown++
		}
		if shown >= firstLines {
			return true
		}
	}
	return false // what is shorter is a report that leaves out when it was
}

// firstLines is how far a report gets before it says what happened.
const firstLines = 8

// Of pages.
var (
	kinds = regexp.MustCompile(`(?i)\b(?:ADR|RFC|KEP|proposal|design|architecture|overview|concepts?|glossary|` +
		`templates?|interview questions|release v?\d|releases)\b`)
	aspects = regexp.MustCompile(`(?im)^#{2,6} (?:meaning|diagnosis|mitigation|see also|usage|overview|` +
		`evidence needed|what decides|confirm by hand|not to be confused\b.*)$`)
	// meanings is the head of a table that explains words.
	meanings = regexp.MustCompile(`(?im)^\|[^\n]*\b(?:meaning|description|purpose)\b[^\n]*\|\s*\n\|[ :|-]+$`)
	// habit matches what a reader fills in, and what always follows from what a sentence says.
	habit = regexp.MustCompile(`\{\{.*\}\}|` +
		`(?i)\b(?:kernel|kubelet|Kubernetes) (?:kills|restarts|evicts|deletes) (?:it|them)\b`)
	// passive matches what is done to things in general.
	passive = regexp.MustCompile(`(?i)\b(?:is|are|be|being) (?:not )?(?:\w+,? (?:and|or) )?\w+ed\b`)
)

// Of reports.
var (
	// filled are headings of forms that address nobody.
	filled = regexp.MustCompile(`(?im)^(?:#{1,6} |\*\*|__)\W*(?:(?:expected|actual|current situation|bug report|` +
		`is your feature request|does this issue|what version|which version)\b|version\s*$|what happened\?)`)
	// one matches names that only one pod has, rows of pods and events, and the times of logs.
	one = regexp.MustCompile(`(?m)\b[a-z][a-z0-9-]*-[0-9a-f]{8,10}-[bcdfghjklmnpqrstvwxz2456789]{5}\b|` +
		`^.*\s\d+/\d+ +[A-Z][\w:]+ +\d+ |^\S+ +[A-Z][a-z]+ +[A-Z]\w+ +\S+/\S+|\(x\d+ over \w+\)|` +
		`^.{0,48}\d[T ]\d\d:\d\d:\d\d`)
	// inTitle matches what happens to something now, or happened to it once, as titles say it.
	inTitle = regexp.MustCompile(`(?i)\b(?:(?:pods?|containers?|process|workers?|nodes?|jobs?) (?:\w+ )?(?:killed|` +
		`evicted|OOM ?Killed|restarted|deleted|terminated|recreated|rebooted)|constantly|always|all the time|panics|` +
		`hangs?|couldn't|(?:crash|OOM|restarting)\w* (?:on|with|after|because|occurred|when do)|trying to|` +
		`(?:problem|issue|loop|error)s?\s*\.?$|in (?:a )?(?:crash ?loop\w*|\w+Error)|it will be (?:killed|restarted))\b|` +
		`[?？]\s*$|:\s?CrashLoop`)
	// event matches the same in sentences.
	event = regexp.MustCompile(`(?i)\b(?:keeps?|kept|stuck|crash(?:s|ing|looping)|hung|sometimes|randomly|` +
		`at random|suddenly|spontaneously|yesterday|ago|since|unable|(?:does|do|did)(?:n't| not)|can(?:not|'t)|won't|not working|` +
		`(?:is|are|starts?|started|been) (?:\w+ )?(?:failing|restarting|dying)|` +
		`(?:was|were|got|gets?|getting|has been|have been|had) \w+|crashed|failed|died|restarted|exited|rebooted|ended|` +
		`(?:fails?|crash(?:es)?|restarts?|dies|exits?|OOM\w*|terminat\w+|evict\w+) ` +
		`(?:to|with|after|during|post|due|because|at)|` +
		`after (?:an? |the )?(?:upgrad|updat|reboot|restart)\w*|CrashLoopBackOff\W*$)\b`)
)
