package lookup

import (
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/catalogue"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/likelihood"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// Line is the parsed content of one line: the facts that its parsers made, or the reason and the message of an event.
type Line struct {
	Text            string
	Facts           []evidence.Fact
	Reason, Message string
}

// limits of an explanation: pasted logs may be of any length.
const (
	mostUnknown = 5
	mostSaid    = 300 // characters of a quoted line
)

// Explainer collects the answers to words and lines.
type Explainer struct {
	out   report.Explanation
	place map[string]int // index of an answer, by its term
}

// New returns an empty explanation.
func New() *Explainer {
	return &Explainer{
		out: report.Explanation{
			APIVersion: report.APIVersion, Kind: report.ExplanationKind, Answers: []report.Answer{},
		},
		place: map[string]int{},
	}
}

// Word looks a term up; false where it is none.
func (x *Explainer) Word(term string) bool {
	e, ok := Find(term)
	if ok {
		x.add(&e, "")
	}
	return ok
}

// Sentence explains the terms in a user's own text ("pod evicted", "why was it killed with exit code 2"), of up to
// three words each. A number below 100 alone may count anything.
func (x *Explainer) Sentence(text string) bool {
	words := strings.Fields(text)
	found := false
	for len(words) > 0 {
		n := min(3, len(words))
		for ; n > 0; n-- {
			term := strings.Trim(strings.Join(words[:n], " "), `.,;:?!()"'`)
			if k, err := strconv.Atoi(term); (err != nil || k >= 100) && x.Word(term) {
				found = true
				break
			}
		}
		words = words[max(n, 1):]
	}
	return found
}

// Line explains one line. It returns false where nothing in it is known.
func (x *Explainer) Line(l Line) bool {
	found := false
	seen := map[string]bool{}
	for _, f := range l.Facts {
		if e, ok := OfFact(f); ok {
			found = true
			if !seen[e.Term] {
				x.add(&e, l.Text)
			}
			seen[e.Term] = true
		}
	}
	for _, look := range []func() (Meaning, bool){
		func() (Meaning, bool) { return OfMessage(l.Message) },
		func() (Meaning, bool) { return Find(l.Reason) },
		func() (Meaning, bool) { return Find(l.Text) },
		func() (Meaning, bool) { return Within(l.Text) },
	} {
		if found {
			break
		}
		if e, ok := look(); ok {
			found = true
			x.add(&e, l.Text)
		}
	}
	if !found {
		if x.out.UnknownLines++; len(x.out.Unknown) < mostUnknown {
			x.out.Unknown = append(x.out.Unknown, safe(l.Text))
		}
	}
	return found
}

// ofRuntime are signs of a runtime that could not start a process: a program's own errors have the same words.
var ofRuntime = regexp.MustCompile(`(?i)OCI runtime|runc create|container (?:process|init)|containerd task|` +
	`create shim|chdir to cwd|CreateComputeSystem|^exec: `)

// Message explains what a runtime says of a start that failed, or what a program may say when it gives up: for one
// message, not for each line of a log. It returns false for any other.
func (x *Explainer) Message(text string) bool {
	id := causes.AppExitError
	means := "A program may say such a thing when it gives up. The container then ends with an exit code of its own."
	if ofRuntime.MatchString(text) {
		id, means = causes.StartError, "The runtime could not start the process. The application never ran."
	}
	_, known := reads(id, text)
	if known {
		x.add(&Meaning{Term: string(id), Is: Message, Means: means, Causes: Weights{id: 1},
			Do: []Command{doDescribe, doWhy}}, text)
	}
	return known
}

// reads returns what a message says, if the cause knows such messages.
func reads(id causes.ID, message string) (causes.KnownMessage, bool) {
	for _, r := range catalogue.Rules() {
		if r.ID == id {
			return r.Reads(message)
		}
	}
	return causes.KnownMessage{}, false
}

// LastWords returns what to look at first when this is among the last lines of a program that ended, "" for an unknown
// line.
func LastWords(line string) string {
	told, _ := reads(causes.AppExitError, line)
	return safe(told.Advice)
}

// inPlainWords adds what a message says, and what to do about it, where only one cause prints such messages.
func inPlainWords(a *report.Answer, message string) {
	if len(a.Causes) == 1 {
		told, _ := reads(causes.ID(a.Causes[0].Cause), message)
		a.Here, a.Advice = safe(told.Words), safe(told.Advice)
	}
}

// Report returns what was collected.
func (x *Explainer) Report() *report.Explanation { return &x.out }

func (x *Explainer) add(e *Meaning, said string) {
	n, ok := x.place[e.Term]
	if !ok {
		n = len(x.out.Answers)
		x.place[e.Term] = n
		x.out.Answers = append(x.out.Answers, Answer(e))
		x.out.Answers[n].Said = safe(said)
		inPlainWords(&x.out.Answers[n], said)
	}
	if said != "" {
		x.out.Answers[n].Lines++
	}
}

// Answer converts an entry to the report's form.
func Answer(e *Meaning) report.Answer {
	a := report.Answer{
		Term: e.Term, Is: string(e.Is), Means: e.Means, Source: e.Source,
		Estimated: e.Look == "" && len(e.Causes) > 1,
		Causes:    []report.AnswerCause{}, Do: []report.AnswerCommand{},
	}
	shares := likelihood.SharesOf(e.Causes)
	if e.Look != "" {
		shares = likelihood.Shares(e.Look)
	}
	for _, s := range shares {
		c := report.AnswerCause{Cause: string(s.ID), Percent: s.Percent, Only: s.Only, Text: titles()[s.ID],
			Decides: decides(s.ID)}
		a.Causes = append(a.Causes, c)
	}
	for _, d := range e.Do {
		a.Do = append(a.Do, report.AnswerCommand{Command: d.Line, For: d.For})
	}
	return a
}

// titles are those of the causes, in a form that continues a sentence.
var titles = sync.OnceValue(func() map[causes.ID]string {
	out := map[causes.ID]string{}
	for _, r := range catalogue.All() {
		out[r.ID] = strings.ToLower(r.Title[:1]) + r.Title[1:]
	}
	return out
})

// safe returns a pasted text in safe form and limited length.
func safe(s string) string { return safetext.Shorten(safetext.Clean(s).String(), mostSaid) }
