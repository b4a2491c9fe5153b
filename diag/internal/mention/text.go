package mention

import (
	"iter"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/naming"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/textkind"
)

// Text is a text that was read once: its lines with the names in them. Finding names costs most.
type Text struct {
	all     string
	printed time.Time
	tree    bool // its file is deep in a tree of files, which a tool collected
	about   bool // it is about containers
	teaches bool // it is documentation
	talk    bool // people talk with each other in it
	lines   []line
	only    naming.Names // names of which the whole text has only one
	called  []string     // what a person calls the things that ended, where no form of a name has a pod
	request bool         // it asks for a change: only what was seen counts
	killed  string       // what a parent says last of a child that was killed
	ends    []*end       // the ends that it reports
}

// line is a line, or what a sentence in it says about one of several pods.
type line struct {
	blanks  int           // empty lines before it
	text    string        // clean
	names   *naming.Names // nil for none
	row     *row          // of a table of pods
	prose   bool
	fence   bool // it begins or ends a fence
	outside bool // outside of a documentation page's fences
	another bool // it begins what is said about another pod without naming it
	command bool // a typed command
	remark  bool // a shell's comment
	wished  bool // below a heading of what was expected, or of a request and no report
	title   bool // a report's first line, however short
}

func (l *line) of() (n naming.Names) {
	if l.names != nil {
		n = *l.names
	}
	return n
}

// Of reads a text; name is its file's, printed the latest time at which it existed. It reads nothing of source code,
// settings and rules, and of documentation only what is in fences.
func Of(text, name string, printed time.Time) *Text {
	t := &Text{all: text, printed: printed, tree: strings.Count(name, "/") > 1,
		about: subject.MatchString(glossary.Replace(text)), talk: conversation(text)}
	if textkind.Program(text, name) {
		return t
	}
	text = textkind.WithoutChanges(naming.WithoutValues(text))
	page, inFence, argo := textkind.Guide(text, name), false, strings.Contains(text, "argoproj.io/")
	var names naming.Text
	var table table
	var called []string
	blanks, plan, wish, sure := 0, false, false, false
	for raw := range eachClause(unwrapped(textkind.WithoutPrograms(text))) {
		l := line{blanks: blanks, another: another.MatchString(raw), command: isCommand(raw),
			remark: strings.HasPrefix(raw, "# ")}
		if strings.TrimSpace(raw) == "" {
			blanks++
			continue
		}
		blanks = 0
		l.fence = strings.HasPrefix(strings.TrimSpace(raw), "```")
		if !inFence && len(t.lines) > 0 && ofForm.MatchString(raw) {
			wish = wishes.MatchString(raw) && !happening.MatchString(raw)
		}
		l.wished = wish
		raw = ofOtherTrouble.ReplaceAllString(raw[:min(len(raw), maxLine)], "$1")
		if heading.MatchString(raw) && !inFence {
			plan = planned.MatchString(raw)
		}
		code, quoted := inBackticks(raw)
		switch {
		case l.fence:
			inFence = !inFence
			l.text = naming.Clean(raw)
		case page && !inFence && quoted:
			l.text = naming.Clean(code)
		case page && !inFence, page && heading.MatchString(raw), plan && !inFence && step.MatchString(raw):
			names.Shape(raw)
			l.outside = true
		default:
			l.text = naming.Clean(raw)
		}
		if l.blanks > 0 {
			names.Line("") // it ends a table
		}
		if l.row, table = table.next(l.text, l.blanks > 0, t.about); l.row != nil {
			l.names = &l.row.Names
			names.Take(l.row.Names)
		} else if !l.fence && !l.outside {
			n := names.Line(l.text)
			if m := ofNode.FindStringSubmatch(l.text); argo && m != nil {
				n.Pod = m[1]
				names.Take(n)
			}
			l.title = len(t.lines) == 0 && strings.HasPrefix(raw, "# ") && ofTitle(l.text)
			if l.prose = naming.Prose(l.text); n != (naming.Names{}) {
				l.names = &n
			}
			if len(t.lines) == 0 {
				t.request = (l.title || l.prose && !strings.HasPrefix(raw, "[") &&
					!strings.HasSuffix(l.text, ".")) && request(raw)
			}
			l.wished = l.wished && !inFence || t.request && !inFence && !textkind.Stamped(l.text) &&
				(len(t.lines) == 0 || !slices.ContainsFunc(sentences(l.text), reports))
			if !inFence && (l.prose || !textkind.Stamped(l.text) && len(l.text) < shortLine) {
				if name, ends := naming.Called(l.text); name != "" && !slices.Contains(called, name) {
					called, sure = append(called, name), sure || ends
				}
			}
		}
		l.outside = l.outside || table != nil && l.row == nil // the head of a table says nothing
		if runsInside(l.text) {
			l.text = ""
		}
		t.lines = append(t.lines, l)
	}
	t.only = names.Only()
	t.about = t.about || t.only.Pod != "" || sure // nothing else has such a name
	if !slices.ContainsFunc(t.lines, func(l line) bool { return l.of().Pod != "" }) {
		t.called = called
	}
	t.teaches = page
	t.ends = t.find()
	return t
}

// shortLine is longer than a title or a remark that is no whole sentence.
const shortLine = 80

// planned matches headings above what is to be done, step one of the steps below: nothing of it happened yet.
var (
	planned = regexp.MustCompile(`(?i)\b(?:test(?:ing)? plan|acceptance criteria|test cases|checklist)\b`)
	// ofForm matches the headings of a form, wishes those above what did not happen.
	ofForm = regexp.MustCompile(`^\s*(?:#{1,6} |\*\*|__)`)
	wishes = regexp.MustCompile(`(?i)\b(?:expect(?:ed|ation)?s?|desired|proposal|proposed|solution|feature|alternatives?|` +
		`would like|enhancement)\b`)
	happening = regexp.MustCompile(`(?i)\b(?:problem|actual|current|observed|happen(?:s|ed)?)\b`)
	step      = regexp.MustCompile(`^\s*(?:[-*+]|\d+[.)]) `)
)

// another matches the beginning of what a sentence says about a further, unnamed pod.
var another = regexp.MustCompile(`(?i)(?:^|[,;.]|\b(?:and|while|but))\s*(?:(?:the |an)?other) ` +
	`(?:one|pods?|containers?|is|was|has|gets|got|keeps|with|exit\w*|crash\w*|restart\w*)\b`)

// eachClause yields the lines of a text, split where a sentence continues with another pod.
func eachClause(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for line := range strings.Lines(text) {
			from := 0
			if naming.Prose(naming.Clean(line)) {
				for _, m := range another.FindAllStringIndex(line, -1) {
					if !yield(line[from:m[0]]) {
						return
					}
					from = m[0]
				}
			}
			if !yield(line[from:]) {
				return
			}
		}
	}
}

// inBackticks returns a program's output in a line of a page: a line that begins with a backtick counts as a fence.
func inBackticks(line string) (string, bool) {
	rest, ok := strings.CutPrefix(naming.Clean(line), "`")
	code, _, closed := strings.Cut(rest, "`")
	return code, ok && closed && strings.Contains(code, " ")
}

// ofNode is how Argo Workflows names the pod of a step, in its nodes (pkg/apis/workflow/v1alpha1 NodeStatus).
var ofNode = regexp.MustCompile(`^id: ([a-z][a-z0-9.]*[0-9-][a-z0-9.-]*[a-z0-9])\s*$`)

// composed matches a program's own name for what happened, such as CONTAINER_OOM.
var composed = regexp.MustCompile(`\b[A-Z]{2,}(?:_[A-Z]{2,})+\b`)

// spaced returns a line in which the words of such names are separated.
func spaced(line string) string {
	if !strings.Contains(line, "_") {
		return line
	}
	return composed.ReplaceAllStringFunc(line, func(s string) string { return strings.ReplaceAll(s, "_", " ") })
}
