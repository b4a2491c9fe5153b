package textkind

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/naming"
)

// This file recognizes documentation.

// pages are files of documentation: their quotes from programs are in fences.
var pages = []string{".md", ".markdown", ".rst", ".adoc", ".html", ".htm"}

// titles are words in the first line of documentation, whatever the file's name is.
var titles = regexp.MustCompile(`(?i)\b(?:run ?book|play ?book|guides?|how[ -]to|trouble-?shooting|faq|cheat ?sheet|change ?log|` +
	`release notes|tutorial|documentation|reference)\b|^#{1,6} (?:release )?\[?v?\d+\.\d+\.\d+\]?(?:\W*$|\s*[-(–])`)

// Guide reports whether a text is a page for other readers, rather than a person's message: it begins with a title,
// and explains more than it says about its writer.
func Guide(text, name string) bool {
	isReadme := readme.MatchString(path.Base(name))
	if !isReadme && form.MatchString(text) {
		return false
	}
	first, rest, _ := strings.Cut(strings.TrimSpace(text), "\n")
	first = label.ReplaceAllString(first, "$1")
	if len(first) < longTitle && titles.MatchString(first) && !Asks(first) && !aboutWriter(text) {
		return true
	}
	if !slices.Contains(pages, strings.ToLower(path.Ext(name))) {
		return false
	}
	if happened.MatchString(first) && !strings.Contains(first, "template") {
		return false
	}
	titled := strings.HasPrefix(first, "# ") || strings.HasPrefix(first, "---") || strings.HasPrefix(first, "<") ||
		strings.HasPrefix(first, "= ") || strings.HasPrefix(rest, "===")
	if isReadme {
		return titled && !aboutWriter(text)
	}
	return titled && !oneReport(text) && (speaks(text, complaint.MatchString(first)) || general(first, text))
}

// speaks reports whether a text says more to its readers than about its writer. Below a complaint only words count that
// no report has.
func speaks(text string, complains bool) bool {
	if complains {
		return addresses(text)
	}
	return explains(text)
}

// complaint matches the title of a report: what goes wrong, or what has to change. Whoever reports may say when it
// happens and what it may come from, as a page does; but only a page speaks to its reader.
var complaint = regexp.MustCompile(`(?i)\b(?:(?:crash|kill|restart|fail|evict|terminat|exit)(?:s|ed|es|ing)?|die[sd]?|OOM\w*|` +
	`broken|bugs?|regression|leak\w*|stuck|hangs?|errors?|too|not|never|can(?:not|'t)|won't|doesn't|isn't|` +
	`increase|raise|(?:all|every|each) (?:the )?(?:time|day|hour|night)|Exit Code \d+|code \d+)\b`)

// label matches what projects put before the title of a report.
var label = regexp.MustCompile(`^(#{1,6} )\[[A-Za-z][A-Za-z /-]*\]:? `)

// form matches a heading of the forms in which projects ask for reports, filled in by someone to whom it happened. They
// address him, as a guide does its readers.
var form = regexp.MustCompile(`(?im)^(?:\*\*|__)what happened\b|^### what happened\?\s*$|^(?:#{1,6} |\*\*|__)\W*(?:(?:what (?:did )?you expect(?:ed)?|(?:expected|actual) behaviou?r|` +
	`describe the (?:bug|issue|problem)|bug description|(?:how|steps) to reproduce|to reproduce|reproduction steps|` +
	`anything else we need to know|(?:actual|current|observed) (?:behaviou?r|results?)|which (?:jobs|tests?) (?:is|are) (?:failing|flaking)|what steps did you take)\b)`)

// readme matches the names of the pages that every source tree has: the first one, and those for who takes part.
var readme = regexp.MustCompile(`(?i)^(?:readme|contributing|support|bug[_-]report)\b`)

// oneReport reports whether a text has a log and explains nothing around it: a report that was saved with its title.
func oneReport(text string) bool {
	logged, inFence := false, false
	for line := range strings.Lines(text) {
		logged = logged || logLine.MatchString(line)
		switch {
		case strings.HasPrefix(strings.TrimSpace(line), "```"):
			inFence = !inFence
		case !inFence && !logLine.MatchString(line) && Teaches(line):
			return false
		}
	}
	return logged
}

// logLine matches the beginning of a line of a log, the kernel's too.
var logLine = regexp.MustCompile(naming.Stamped.String() + `|^\s*\[ *\d+\.\d{6}\] `)

// happened are titles of reports about one event.
var happened = regexp.MustCompile(`(?i)\b(?:incident|post-?mortem|outage|rca|root[ -]cause|retrospective|timeline|firing|fired)\b`)

// longTitle is longer than a title.
const longTitle = 100

// OfWriter reports whether a line has words of a person who writes about himself.
func OfWriter(line string) bool { return ofWriter.MatchString(line) }

var ofWriter = regexp.MustCompile(`\b(?:I|[Ii]'m|[Ii]'ve|i (?:am|have|see|get)|[Mm]y|me|[Oo]ur|[Ww]e|[Ww]e're|us)\b|` +
	`(?i)\b(?:can|could) you (?:please )?(?:fix|help|check|look)\b|\bplease (?:fix|help|advi[sc]e)\b`)

// addresses reports whether a text says more to its readers than about its writer, in words that only an explanation
// has. What belongs to "you" in a report is its reader's project.
func addresses(text string) bool {
	own, teaches := 0, 0
	inFence := false
	for i, line := range slices.Collect(strings.Lines(strings.TrimSpace(text))) {
		switch {
		case strings.HasPrefix(strings.TrimSpace(line), "```"):
			inFence = !inFence
		case inFence, i == 0, strings.HasPrefix(line, ">"), heading.MatchString(line):
		case OfWriter(line):
			own++
		case telling.MatchString(line):
			teaches += 2
		case spoken.MatchString(ofProject.ReplaceAllString(line, "")):
			teaches++
		}
	}
	return teaches > own+1 // one such word is said of a single event, too
}

var (
	spoken = regexp.MustCompile(`(?i)\b(?:usually|typically|indicates?|means?|you|your|how to|what is|` +
		`is an? (?:state|status|condition|reason) (?:in|of|that|when|where|which)|` +
		`(?:an?|any|every|each) (?:pod|container|process|node) (?:that|which|whose) is in\b)\b`)
	// telling matches sentences that do nothing else.
	telling   = regexp.MustCompile(`(?i)^\W*(?:look for|if you (?:see|get|find)|(?:this|it) (?:usually |typically )?(?:means|indicates))\b`)
	ofProject = regexp.MustCompile(`\bhttps?://\S+|(?i)\byour (?:docs?|documentation|chart|charts|image|images|project|` +
		`repo|repository|team|example|examples|page|site|guide|release|version|template|templates|code|work)\b|` +
		`\b(?:thank you|if you (?:accept|want|need|like)|could you|can you|do you)\b`)
)

// aboutWriter reports whether the writer of a text says what happened to him, outside of quotes.
func aboutWriter(text string) bool {
	own, teaches := voices(text)
	return own > teaches
}

// explains reports whether a text says more to its readers than about its writer. In a short one a single word that
// explains may be said of an event, too.
func explains(text string) bool {
	own, teaches := voices(text)
	return teaches > own && (teaches > 1 || strings.Count(text, "\n") > shortReport)
}

// shortReport is how many lines a report has that explains what happened in passing.
const shortReport = 16

// voices counts the lines of a writer about himself and those that explain, without quotes.
func voices(text string) (own, teaches int) {
	inFence := false
	for i, line := range slices.Collect(strings.Lines(strings.TrimSpace(text))) {
		switch {
		case strings.HasPrefix(strings.TrimSpace(line), "```"):
			inFence = !inFence
		case inFence, strings.HasPrefix(line, ">"):
		case OfWriter(quotes.ReplaceAllString(line, "")):
			own++
		case i > 0 && heading.MatchString(line): // of a form, which addresses whoever fills it in
		case asking.MatchString(line), Asks(strings.TrimSpace(line)):
		case i == 0 && Teaches(line), telling.MatchString(line):
			teaches += 2
		case Teaches(line):
			teaches++
		}
	}
	return own, teaches
}

// asking matches a question for what a report shows, which its writer does not know.
var asking = regexp.MustCompile(`(?i)^(?:so )?what (?:is|does|do|are) (?:\w+ ){0,4}\w+\?(?: |$)`)

// quotes are words of programs in a sentence.
var quotes = regexp.MustCompile("`[^`]*`")

var heading = regexp.MustCompile(`^\s*(?:#{1,6} |(?:\*\*|__)[^*_]+(?:\*\*|__)\W*$)`)

// Teaches reports whether a sentence has words of an explanation, rather than of a program that reports.
func Teaches(s string) bool { return taught.MatchString(s) }

var taught = regexp.MustCompile(`(?i)\b(?:if|whenever|usually|typically|indicates?|means?|might|e\.g\.|for example|` +
	`you|your|how to|what is|(?:an?|any|every|each) (?:pod|container|process|node) (?:that|which|whose)|is an? (?:state|status|condition|reason) (?:in|of|that|when|where|which)|difference between|when (?:does|do|will)|(?:fires|triggers) (?:when|if|after)|troubleshoot\w*|such as|in case|` +
	`should (?:not )?(?:be|get) (?:restarted|killed|evicted|OOMKilled|recreated|deleted|terminated))\b|(?i:^\W*look for\b)`)

// Asks reports whether a sentence is a question.
func Asks(s string) bool { return question.MatchString(s) }

var question = regexp.MustCompile(`(?i)\?\s*$|^(?:why|how come|what (?:makes|causes|could))\b`)
