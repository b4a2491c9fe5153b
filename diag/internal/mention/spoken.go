package mention

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/naming"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/textkind"
)

// This file reads what people write in their own words.

// conversation reports whether people talk with each other in a text: then "you" means one of them.
func conversation(text string) bool {
	turns := 0
	for line := range strings.Lines(text) {
		if turn.MatchString(line) {
			turns++
		}
	}
	return turns > 1
}

// explains reports whether the sentence around a place in a line explains: it is conditional, or the clause around that
// place has a teacher's words. To another person, "your pod" is that person's and "you" is no reader.
func (t *Text) explains(line string, from, to int) bool {
	begin, end := bounds(line, from, to)
	of := ofOwn.ReplaceAllString(line[begin:end], "")
	if t.talk {
		of = addressed.ReplaceAllString(of, "")
	} else if asking.MatchString(of) {
		of = sighted.ReplaceAllString(line[begin:to], "") + asking.ReplaceAllString(line[to:end], "")
	}
	first, last := clauseBounds(line[begin:end], from-begin, to-begin)
	own := asking.ReplaceAllString(sighted.ReplaceAllString(line[begin+first:begin+last], ""), "")
	own = ofOwn.ReplaceAllString(own, "")
	if t.talk {
		own = addressed.ReplaceAllString(own, "")
	}
	return conditional.MatchString(of) || textkind.Teaches(own)
}

var addressed = regexp.MustCompile(`\byou(?:r|'re)?\b`)

// stop is the end of a sentence.
var stop = regexp.MustCompile(`[.!?;][*_]{0,2}\s+`)

// sentence returns the sentence that contains a place in a line.
func sentence(line string, from, to int) string {
	begin, end := bounds(line, from, to)
	return line[begin:end]
}

// bounds returns where that sentence begins and ends.
func bounds(line string, from, to int) (begin, end int) {
	begin, end = 0, len(line)
	for _, m := range stop.FindAllStringIndex(line, -1) {
		if m[1] <= from {
			begin = m[1]
		} else if m[0] >= to {
			end = m[0] + 1
			break
		}
	}
	return begin, end
}

// withNext returns that sentence and the next two, and of what may be the reason of an eviction the one before it.
func (w *word) withNext(line string, from, to int) string {
	begin, _ := bounds(line, from, to)
	if begin > 0 && w.failed == "Evicted" {
		begin, _ = bounds(line, begin-1, begin-1)
	}
	for range 2 {
		if m := stop.FindStringIndex(line[to:]); m != nil {
			to += m[1]
		}
	}
	_, end := bounds(line, from, to)
	return line[begin:end]
}

// groups returns what an expression found.
func groups(line string, at []int) (found []string) {
	for i := 0; i+1 < len(at); i += 2 {
		if at[i] < 0 {
			found = append(found, "")
			continue
		}
		found = append(found, line[at[i]:at[i+1]])
	}
	return found
}

// stems are parts of words, of which each of the spoken forms has one.
var stems = []string{"probe", "liveness", "check", "log", "sandbox", "oom", "memory", "ram", "limit", "hook",
	"pressure", "disk", "storage", "deadline", "priorit", "pool", "replaced", "created", "rolled", " with ",
	"crash", "exit", "fail", "terminat", "ends ", "ended ", "ending ", "complete", "panic", "fault", "evict",
	"reboot", "restart", "kill", "dying", "preempt", "initialdelay", "drain", "in-place", "in place",
	"inplace", "reclaim", "interrupt", "error", "start", "gone", "vanish", "disappear", "delet", "lost", "emptydir",
	"inode", "fs", "process", "full", "kick"}

// spokenOf adds what a person says about an end in a line to that end, which may be nil.
func (t *Text) spokenOf(line string, e *end) *end {
	lower := strings.ToLower(line)
	if !naming.AnyOf(lower, stems...) {
		return e
	}
	for i := range spoken {
		w := &spoken[i]
		at := w.says.FindStringSubmatchIndex(line)
		if at == nil || w.but != nil && w.but.MatchString(line) || !t.actual(line, at[0], at[1]) ||
			w.place && where.MatchString(line[:at[0]]) {
			continue
		}
		if w.ended == endsBare && asMeant.MatchString(sentence(line, at[0], at[1])) ||
			w.with != nil && (purpose.MatchString(sentence(line, at[0], at[1])) ||
				!happens(w.with, w.withNext(line, at[0], at[1]))) {
			continue
		}
		if e != nil && slices.ContainsFunc(e.events, func(v event) bool { return v.reason == cmp.Or(w.event, w.failed) }) {
			continue // the program's own words
		}
		if e != nil && e.failed != "" && (w.failed != "" || w.ended == endsBare) && !e.vaguely() {
			continue // the surer words come first
		}
		said := w.end(groups(line, at)[1], line)
		if e == nil {
			e = &end{}
		} else if e.code != nil {
			said.code = nil
		}
		e.fill(said)
		e.beside = false
	}
	return e
}
