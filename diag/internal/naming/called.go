package naming

import (
	"regexp"
	"slices"
	"strings"
)

// This file guesses what a person calls the thing that ended, where nothing says that it is a pod: "dex-0 died", "the
// postgres container was killed", "after the upgrade of grafana". The guess names an end that has no name otherwise.

const (
	// goesDown are the verbs of such an end.
	goesDown = `(?:(?:\([^)]{1,40}\) |v?\d[\w.+-]* )?(?i:\(?exit (?:code |status )?\d+|` +
		`died?|dies|exit(?:s|ed)?|restart(?:s|ed)|crash(?:es|ed|[ -]?loops?)?|` +
		`terminate[sd]|quits?|OOM(?:s|ed|'d|[ -]?killed)?|vanish(?:es|ed)|disappear(?:s|ed)|` +
		`(?:is|was|are|were) (?:\w+ )?gone|` +
		`(?:is|are|was|were|being|gets?|got|getting|keeps?|kept|has been|ends|ended|goes|went) (?:\w+ ){0,2}?` +
		`(?:OOM|kill|evict|preempt|restart|crash|terminat|dying|stopp|exit|recreat|shot|in (?:a )?crash)\w*|` +
		`(?:goes|went|ends?|ended) (?:down|away|with)|never (?:gets|becomes|comes)|(?:does|do|did|ca|could|wo)(?:n't| not) (?:come|start|boot)|(?:refuse|fail|failed|fails)s? to (?:start|boot))|` +
		`(?:in )?CrashLoopBackOff)\b`
	// runsAs are the words for what has a name of its own.
	runsAs = `(?:pods?|containers?|daemon ?sets?|stateful ?sets?|deployments?)`
	// begins is the beginning of a sentence, opens that of any part of one.
	begins = `(?:^|[.;!?] |\b(?i:see|sees|seeing|saw|noticed?|why (?:do|does|is|did|was)) )`
	opens  = `(?:^(?:[*-] )?|[.;:!?,(] |\b(?i:why (?:do|does|is|did|was)|that|and|but|because|when|while|since|our|my|` +
		`the|all|both|see|sees|seeing|saw|noticed?) )`
	// behind are what has the name behind it: first what tells an end, then what does not.
	behindEnd = `(?i:exit (?:code|status) \d+ (?:on|in|of|from|for)|oom(?:[ -]?kills?)? (?:in|of|on)|` +
		`crash(?:es)? (?:of|in)|restarts? of) (?:the |our |my )?`
	behind    = `(?i:probes? of|start-?up of|logs? (?:of|from|for)|\blogs) (?:the |our |my )?`
	installed = `(?i:\b(?:helm (?:install|upgrade)(?: --?\S+)*|install(?:ing|ed)|upgrad(?:ing|ed)|deploy(?:ing|ed))) `
	// ends matches words of an end anywhere behind a name.
	ends = `(?i:exit(?:s|ed)?\b|OOM|kill|evict|crash|restart|died|dies|terminat)`
)

// called are the forms, the surest first: what ends, what has an end behind its name, what is said to end as a pod or a
// container, and what was installed or started. One word is a name only at a sentence's beginning, in small letters, or
// before "pod" and its like.
var called = []form{
	newForm("-", opens+marks+dashed+marks+`,? (?i:`+runsAs+`:? )?`+goesDown, "w"),
	newForm("-", behindEnd+marks+dashed+marks+`(?:$|[\s,;:.)])`, "w"),
	newForm("-", behind+marks+dashed+marks+`(?:$|[\s,;:.)])`, "w"),
	newForm("-", `^(?:[*-] )?`+marks+dashed+marks+`(?::| -|,) .*`+ends, "w"),
	newForm("-", `\(`+marks+`([a-z][a-z0-9]*(?:-[a-z0-9]+)*-\d{1,3})`+marks+`\)`, "w"),
	newForm(" ", opens+marks+either+marks+` (?i:`+runsAs+`) `+goesDown, "w"),
	newForm(" ", `^`+marks+either+marks+`: (?i:(?:the |its )?`+runsAs+`) .*`+ends, "w"),
	newForm(" ", `^`+marks+either+marks+` (?i:`+runsAs+`): .*`+ends, "w"),
	newForm(" ", begins+marks+either+marks+` `+goesDown, "w"),
	newForm("--name", `\b(?:docker|podman|nerdctl) run .*--name[ =]`+either+`\b`, "w"),
	newForm("nstall|pgrad|eploy", installed+marks+either+marks+` (?:with|via|using|by|from|->|and|chart)(?: |$)`, "w"),
}

// sureOf is how many of these forms tell an end of a name with a dash, which no plain word has.
const sureOf = 2

// Called returns the pod that a line about an end calls by such a form, "" for none. sure: the line is about something
// that runs, whatever else it says.
func Called(line string) (name string, sure bool) {
	if len(line) > longOwned {
		return "", false
	}
	line = Plain(line)
	for i := range called {
		found := called[i].find(line)
		if found == nil {
			continue
		}
		name := found[0]
		if !notNamed(name) && !machine.MatchString(name) && !slices.Contains(notPods, name) &&
			!composed.MatchString(name) && !slices.Contains(noSubjects, name) && !release.MatchString(name) &&
			isName('p', name) {
			return name, i < sureOf
		}
	}
	return "", false
}

// release matches the number of a version.
var release = regexp.MustCompile(`^v?\d+(?:\.\d+)+$`)

// noSubjects are words in the place of such a name that are none.
var noSubjects = strings.Fields("command this that these those they there then here what which when while where also still " +
	"just always often sometimes usually memory limit limits usage load traffic network disk storage upgrade update " +
	"release install chart helm probe liveness readiness startup config reason status state message error errors " +
	"event events image both none nothing anything nobody someone user users client clients request requests something " +
	"kube kubectl kubernetes worker master latest more much over with without after before from into")

// introduced returns the only name with a dash in a remark above an output: "this is from web-0:".
func introduced(line string) string {
	if line = Plain(line); len(line) > shortLine || !strings.HasSuffix(line, ":") || !strings.Contains(line, " ") ||
		Stamped.MatchString(line) { // a name alone is a container's
		return ""
	}
	found := ""
	for _, m := range withDash.FindAllStringSubmatchIndex(line, -1) {
		name, before := line[m[2]:m[3]], line[:m[2]]
		if notNamed(name) || machine.MatchString(name) || slices.Contains(notPods, name) || composed.MatchString(name) ||
			counted.MatchString(name) || machineBefore.MatchString(before) || !isName('p', name) {
			continue
		}
		if found != "" {
			return ""
		}
		found = name
	}
	return found
}

var withDash = regexp.MustCompile(`(?:^|[\s("'])([a-z][a-z0-9]*-[a-z0-9-]*[a-z0-9])(?:$|[\s)"',:])`)
