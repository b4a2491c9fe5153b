package lookup

import (
	"regexp"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/likelihood"
)

// Kind is what a term is.
type Kind string

// The kinds.
const (
	ExitCode Kind = "exit code"
	Reason   Kind = "reason of a container or pod"
	Event    Kind = "reason of an event"
	Message  Kind = "message"
)

// Weights are the frequencies of causes relative to each other.
type Weights map[causes.ID]float64

// Meaning is a term and its meaning.
type Meaning struct {
	// Term is spelled as in Kubernetes. Also are other spellings; case, blanks and punctuation do not matter in either.
	Term string
	Is   Kind
	Also []string
	// Says are the prefixes of messages that mean it; one with a leading * may be anywhere in the message.
	Says  []string
	Means string
	// Facts are the statements of the facts that mean it whatever their fields say, separated by blanks.
	Facts string
	// Look names the form of end whose shares apply. Without one, Causes are estimated weights, and the answer says so.
	// Without both the term is not about an end.
	Look   likelihood.Look
	Causes Weights
	Do     []Command
	// Source is where the term comes from.
	Source string
	// Page is the name of its page in docs/words, "" for none.
	Page string
}

// All returns the entries, in the order of the tables.
func All() []Meaning { return slices.Clone(entries) }

var entries = slices.Concat(codes, reasons, podReasons, events, nodeEvents, killMessages, kubeletLines,
	nodeLines)

// byTerm finds entries by the result of folded.
var byTerm = func() map[string]*Meaning {
	out := map[string]*Meaning{}
	for i := range entries {
		e := &entries[i]
		for _, t := range append([]string{e.Term}, e.Also...) {
			// The first wins: a container's reason before an event's of the same name.
			if k := folded(t); out[k] == nil {
				out[k] = e
			}
		}
	}
	return out
}()

// folded normalizes a term: case, blanks and punctuation are dropped.
func folded(s string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(s) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// longest is the maximal length of a term: anything longer is a message.
const longest = 60

// codeWords are what people write before a number.
var codeWords = []string{
	"exitcode", "exitstatus", "exitedwithcode", "exitedwith", "exited", "exit", "statuscode", "code", "status", "rc",
}

// noCode matches numbers below zero (except in kill -9) and versions.
var noCode = regexp.MustCompile(`^(?i:[^k]*[^a-z0-9])?-[0-9]|[0-9]\.[0-9]`)

// Find returns the entry of a term.
func Find(term string) (Meaning, bool) {
	term = strings.TrimSpace(term)
	if term == "" || len(term) > longest {
		return Meaning{}, false
	}
	// kubectl get pods shows the state of init containers as "Init:Error".
	if _, after, ok := strings.Cut(term, "Init:"); ok {
		term = after
	}
	if e, ok := ofStatus(term); ok {
		return e, true
	}
	if noCode.MatchString(term) {
		return Meaning{}, false // folded would accept it
	}
	key := folded(term)
	if e, ok := byTerm[key]; ok {
		return *e, true
	}
	for _, label := range []string{"reason", "status"} { // kubectl describe: "Reason: OOMKilled"
		if e, ok := byTerm[strings.TrimPrefix(key, label)]; ok {
			return *e, true
		}
	}
	for _, w := range codeWords {
		if n, ok := strings.CutPrefix(key, w); ok && n != "" {
			key = n
			break
		}
	}
	for _, w := range []string{"signal", "kill"} {
		if n, ok := strings.CutPrefix(key, w); ok {
			return ofSignal(n)
		}
	}
	return ofCode(key)
}

// OfMessage returns the entry whose message this is.
func OfMessage(message string) (Meaning, bool) {
	message = strings.TrimSpace(message)
	for i := range entries {
		for _, says := range entries[i].Says {
			part, anywhere := strings.CutPrefix(says, "*")
			if at := strings.Index(message, part); at == 0 || anywhere && at > 0 {
				return entries[i], true
			}
		}
	}
	return Meaning{}, false
}

// phrase is the minimal length of a spelling that is searched in a longer text.
const phrase = 10

// Within returns the entry with the longest spelling that is in a longer text.
func Within(text string) (found Meaning, ok bool) {
	text = strings.ToLower(text)
	most := phrase - 1
	for i := range entries {
		for _, t := range append([]string{entries[i].Term}, entries[i].Also...) {
			if len(t) > most && hasPhrase(text, strings.ToLower(t)) {
				found, ok, most = entries[i], true, len(t)
			}
		}
	}
	return found, ok
}

// hasPhrase reports whether a text contains a phrase as whole words: "OutOfmemory" is not in OutOfMemoryError.
func hasPhrase(text, phrase string) bool {
	inWord := func(b byte) bool { return b >= 'a' && b <= 'z' || b >= '0' && b <= '9' }
	for from := 0; ; {
		at := strings.Index(text[from:], phrase)
		if at < 0 {
			return false
		}
		at += from
		end := at + len(phrase)
		if (at == 0 || !inWord(text[at-1])) && (end == len(text) || !inWord(text[end])) {
			return true
		}
		from = at + 1
	}
}

// noName reports whether a spelling is nothing that Kubernetes or Linux has as a name: words of people, and numbers.
func noName(spelling string) bool {
	return spelling[0] < 'A' || spelling[0] > 'Z' || strings.ContainsAny(spelling, " -.")
}

// Terms returns the spellings that a reader may have meant.
func Terms() []string {
	var out []string
	for i := range entries {
		if entries[i].Is != Message {
			out = append(out, entries[i].Term)
			out = append(out, slices.DeleteFunc(slices.Clone(entries[i].Also), noName)...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
