package excerpt

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/describe"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/klogline"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/markup"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/screen"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/textkind"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/typed"
	"github.com/restartwhy/kubectl-restartwhy/diag/textlog"
)

// This file removes what mail programs, issue trackers and grep put around pasted lines.

// glyphs are characters that word processors put in place of those that tools print, and HTML's codes for them.
var glyphs = strings.NewReplacer("\u200b", "", "\ufeff", "",
	"\u201c", `"`, "\u201d", `"`, "\u201e", `"`, "\u2018", "'", "\u2019", "'",
	"&quot;", `"`, "&#34;", `"`, "&#39;", "'", "&gt;", ">", "&lt;", "<", "&nbsp;", " ", "&amp;", "&")

// tidy returns a text as the tools printed it, and whether anything was around it. Text whose lines are as they were
// printed stays as it is.
func tidy(text string, printed time.Time) (string, bool) {
	plain := strings.ReplaceAll(text, "\r\n", "\n")
	printable := glyphs.Replace(markup.Blanks(plain))
	lines := strings.Split(glyphs.Replace(markup.Blanks(textkind.WithoutChanges(plain))), "\n")
	unquote(lines)
	lines = markup.Rows(lines, describe.IsHead, isRow)
	markup.Unnumber(lines)
	screen.Unframe(lines)
	unnote(lines)
	lines = withoutCuts(rejoin(klogline.Unwrap(lines))) // before outdent: a piece may begin with a blank
	outdent(lines)
	lines = klogline.Unwrap(lines)
	remargin(lines)
	nest(lines)
	finish(lines)
	for i, line := range lines {
		if text := strings.TrimSpace(line); strings.Count(line, "`") == 1 && (text[0] == '`' || text[len(text)-1] == '`') {
			line = strings.Replace(line, "`", "", 1) // several lines within one pair of them
		}
		if end := markup.Closing(line); len(end) < len(line) {
			line = line[:len(line)-len(end)]
		}
		if strings.Contains(line, "**") && aRow.MatchString(line) {
			line = inBold.ReplaceAllString(line, "$1")
		}
		if strings.ContainsAny(line, "<←⇐⬅") {
			if at := remark.FindStringIndex(line); at != nil {
				line = line[:at[0]]
			}
		}
		if m := bracketed.FindStringSubmatch(line); m != nil {
			lines[i] = m[2] + "   0s   " + m[1] + "   " + m[4] + "   pod/" + m[3] + "   " + m[5]
			continue
		}
		if m := annotated.FindStringSubmatch(line); m != nil {
			line = m[1] + m[2] + m[3] + m[4]
			if why := inBrackets.FindStringSubmatch(m[5]); why != nil && m[4] == "Terminated" {
				line += "\n" + m[1] + "  Reason: " + why[1]
			}
		}
		lines[i] = line
		if strings.HasSuffix(line, "State:") && i+1 < len(lines) && stateAlone.MatchString(line) &&
			stateBelow.MatchString(lines[i+1]) {
			lines[i], lines[i+1] = line+" "+strings.TrimSpace(lines[i+1]), ""
			continue
		}
		if line == "" || line[0] > ' ' && textlog.IsLine(line) {
			continue
		}
		if bare, ok := atConsole(line); ok {
			lines[i] = bare
			continue
		}
		lines[i] = bareLine(line)
	}
	klogline.Restore(lines, printed)
	switch tidied := strings.Join(lines, "\n"); {
	case tidied != printable:
		return tidied, true
	case printable != plain: // a log may hold such characters, too: they do not mean that the text was pasted together
		return printable, false
	}
	return text, false
}

var (
	// remark is what people put after a value of a description to point at it.
	remark = regexp.MustCompile(`(?:\s+<[<-]+|\s+[←⇐⬅])\s?.*$`)
	// annotated is such a value of one word, with a mark for bold or with the name of a reason or a signal behind it;
	// inBrackets is the reason that people add to a state. Other remarks may deny the value.
	annotated = regexp.MustCompile(`^(\s*)\*{0,2}((?:(?:Last )?State|Reason|Exit Code|Restart Count):)` +
		`\*{0,2}(\s+)\*{0,2}(-?\w+)\*{0,2}(\s*\([A-Z]\w+\)\s*|)$`)
	inBrackets = regexp.MustCompile(`^\s*\(([A-Z]\w+)\)`)
	// bracketed is an event as Jenkins' kubernetes-plugin prints it (KubernetesLauncher, PodTemplate's listener).
	bracketed = regexp.MustCompile(`^\s*\[(Normal|Warning)\]\[([a-z0-9-]+)/([a-z0-9.-]+)\]\[([A-Z]\w+)\] (.*)$`)
	// stateAlone is the name of a container's state whose value is on the next line.
	stateAlone = regexp.MustCompile(`^\s*(?:Last )?State:$`)
	stateBelow = regexp.MustCompile(`^\s*(?:Terminated|Waiting|Running)\s*$`)
)

// aRow matches a row of a table of pods or of events, inBold a highlighted cell in it.
var (
	aRow = regexp.MustCompile(`^\W*[a-z0-9][a-z0-9.-]*\W+(?:[a-z0-9.-]+\W+)?\d+/\d+\W+[A-Z]|` +
		`^\W*(?:Normal|Warning)\W+[A-Z]\w+\W+\d`)
	inBold = regexp.MustCompile(`\*\*([^*]+)\*\*`)
)

// quoteMark is what a mail program puts before quoted lines.
var quoteMark = regexp.MustCompile(`^\s{0,3}(?:>\s?)+`)

// unquote removes the marks from runs of at least two quoted lines. A single one may be a prompt, unless it is a log
// line's.
func unquote(lines []string) {
	for i := 0; i < len(lines); {
		j := i
		for j < len(lines) && quoteMark.MatchString(lines[j]) {
			j++
		}
		if j-i >= 2 || j > i && textlog.IsLine(lines[i][len(quoteMark.FindString(lines[i])):]) {
			for k := i; k < j; k++ {
				lines[k] = lines[k][len(quoteMark.FindString(lines[k])):]
			}
		}
		i = max(j, i+1)
	}
}

// marks are what programs and people put before every line of an output: test programs (TAP, pytest, go test, those of
// Kubernetes), scripts and source code, compose, jobs of a CI.
var marks = []*regexp.Regexp{
	regexp.MustCompile(`^\s{0,4}#(?: |$|\b)`),
	regexp.MustCompile(`^\s{0,4}//(?: |$)`),
	regexp.MustCompile(`^\|(?: |$)`),
	regexp.MustCompile(`^E(?:   |\s*$)`),
	regexp.MustCompile(`^\s+\w+\.go:\d+: `),
	regexp.MustCompile(`^[\w.-]{1,40} +\|(?: |$)`),
	regexp.MustCompile(`^[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d\.\d{3}: INFO:(?: |$)`),
	regexp.MustCompile(`^\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?\]?(?: |$)`),
}

// leastNoted is the minimum number of such lines in a row: fewer are remarks, unless the first is a table's header.
const leastNoted = 5

// unnote removes the marks from runs of lines that have the same, if a known output begins after them. A time may also
// be that of a log's line: only a description or a table is no log.
func unnote(lines []string) {
	for i := 0; i < len(lines); {
		end := i
		for _, mark := range marks {
			j, known := i, false
			for ; j < len(lines) && mark.MatchString(lines[j]); j++ {
				rest := strings.TrimSpace(mark.ReplaceAllString(lines[j], ""))
				known = known || rest != "" && (strings.HasPrefix(rest, "Name:") || describe.IsHead(rest) ||
					mark != marks[len(marks)-1] && (begins(rest) || piece.MatchString(rest)))
			}
			if known && (j-i >= leastNoted || j > i+1 && describe.IsHead(mark.ReplaceAllString(lines[i], ""))) {
				for k := i; k < j; k++ {
					lines[k] = mark.ReplaceAllString(lines[k], "")
				}
				end = j
				break
			}
			end = max(end, j)
		}
		i = max(end, i+1)
	}
}

// outdent removes the blanks with which all lines of a paragraph or a fence begin, if something known follows them.
func outdent(lines []string) {
	for i := 0; i < len(lines); {
		blanks, j, known := -1, i, false
		for ; j < len(lines); j++ {
			rest := strings.TrimLeft(lines[j], " \t")
			if rest == "" {
				continue
			}
			n := len(lines[j]) - len(rest)
			if n == 0 {
				break
			}
			if blanks < 0 || n < blanks {
				blanks = n
			}
			known = known || strings.HasPrefix(rest, "```") || begins(rest) || blanks == n && wholeBegins(lines, i, j)
		}
		if known && blanks > 0 {
			for k := i; k < j; k++ {
				if len(lines[k]) >= blanks {
					lines[k] = lines[k][blanks:]
				}
			}
		}
		i = j + 1
	}
}

// wholeBegins reports whether an object or a description begins at line j of a run from i, rather than below a key of
// another one.
func wholeBegins(lines []string, i, j int) bool {
	text := strings.TrimSpace(lines[j])
	switch {
	case i > 0 && bareKey.MatchString(lines[i-1]):
		return false
	case strings.HasPrefix(text, "apiVersion:"), strings.HasPrefix(text, "Name:"):
		return (&splitter{lines: lines, at: j}).kindOf(text) != Other
	}
	return false
}

// withoutCuts removes the marks that people put in the place of keys that they cut out of an object in YAML.
func withoutCuts(lines []string) (kept []string) {
	for i, line := range lines {
		if cutOut.MatchString(line) && i > 0 && aKey.MatchString(lines[i-1]) &&
			i+1 < len(lines) && aKey.MatchString(lines[i+1]) && !ofAnother(lines[:i], lines[i+1]) {
			continue
		}
		kept = append(kept, line)
	}
	return kept
}

// ofAnother reports whether a key that follows such a mark belongs to another object or list item than the lines before
// it: kubectl sorts the keys of one.
func ofAnother(before []string, next string) bool {
	key := strings.TrimLeft(next, " ")
	indent := len(next) - len(key)
	if strings.HasPrefix(key, "- ") {
		return slices.Contains(before, "items:") // it may be of another object of that list
	}
	for _, line := range slices.Backward(before) {
		text := strings.TrimLeft(line, " ")
		at := len(line) - len(text)
		item := strings.HasPrefix(text, "- ")
		if item {
			text, at = text[2:], at+2
		}
		if at < indent || strings.HasPrefix(line, "---") {
			return false
		}
		if at == indent && aKey.MatchString(text) &&
			text[:strings.IndexByte(text, ':')] >= key[:strings.IndexByte(key, ':')] {
			return true
		}
		if item && at == indent {
			return false
		}
	}
	return strings.HasPrefix(key, "apiVersion:")
}

var (
	cutOut = regexp.MustCompile(`^\s*[\[(<{]{0,2}\s*` +
		`(?:\.{2,}|…|(?i:snip(?:ped)?|truncated|omitted|redacted))\s*[\])>}]{0,2}\s*$`)
	aKey = regexp.MustCompile(`^\s*(?:- )?[\w."/-]+:(?:\s|$)`)
)

var bareKey = regexp.MustCompile(`^\s*(?:- )?[\w."/-]+:\s*$`)

// begins reports whether a line begins an output at the left margin.
func begins(line string) bool {
	if _, ok := typed.Of(line); ok {
		return true
	}
	if line[0] == '{' || line[0] == '[' && len(strings.TrimSpace(line)) < 3 {
		return true
	}
	kind, _ := rowOf(line)
	return textlog.IsLine(line) || runtimeHead.MatchString(line) || kind == Table || describe.IsHead(line)
}

// escaped reports whether a page or a mail program replaced characters of a text.
func escaped(text string) bool {
	return strings.Contains(text, "\u00a0") || strings.Contains(text, "&quot;") || strings.Contains(text, "&gt;") ||
		strings.Contains(text, "&#39;") || strings.Contains(text, "&#34;")
}

// Worn reports whether someone put marks around the lines of a log: Markdown's fences and backticks, or quote marks. A
// log whose first lines lost the kubelet's header counts, too.
func Worn(text string) bool {
	looked, marked := 0, 0
	for line := range strings.Lines(text) {
		if looked++; looked <= mostLooked {
			if klogline.LostInside(line) {
				return true
			}
			if escaped(line) {
				marked++
			}
		}
		if strings.HasPrefix(line, "```") {
			return true
		}
		rest := strings.TrimLeft(line, "> ")
		if rest = strings.TrimLeft(rest, "`"); len(line)-len(rest) > 0 && line[0] != ' ' && textlog.IsLine(rest) {
			return true
		}
	}
	return 2*marked > min(looked, mostLooked) // a line or two may have marks by themselves
}

// mostLooked is how many lines of a log are checked for a header that was cut off: short logs are cut.
const mostLooked = 50
