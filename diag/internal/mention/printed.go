package mention

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/naming"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/textkind"
)

// This file reads a program's own output that ends in an error: what "kubectl logs --previous", "docker logs" or a step
// of a CI prints is the last that a container said.

// lastError returns the error with which a program's output ends, "" if it ends otherwise.
func lastError(output []string) string {
	if slices.ContainsFunc(output, ofClient.MatchString) {
		return ""
	}
	behind := 0
	for i := len(output) - 1; i >= 0 && behind < mostBehind; i-- {
		line := output[i]
		switch {
		case ofUnit.MatchString(line), goesOn.MatchString(line):
			return ""
		case isComplaint(line), textkind.Error(line):
			return line
		case !behindError.MatchString(prefixes.ReplaceAllString(line, "")):
			return ""
		}
		behind++
	}
	return ""
}

// isComplaint reports whether a line is an error of a program without a logger, alone or among those of other programs.
func isComplaint(line string) bool {
	return complaint.MatchString(line) || complaint.MatchString(prefixes.ReplaceAllString(line, ""))
}

// mostBehind is how many lines behind the error are looked at: a trace may be long.
const mostBehind = 200

// outputs returns what programs printed in a text: what stands in its fences, or else all of it behind the words of a
// person who begins it. What a command printed is left out, unless it shows a log.
func (t *Text) outputs() (all [][]string) {
	var out []string
	fenced, inFence, begun, typed := strings.Contains(t.all, "```"), false, false, false
	for i := range t.lines {
		l := &t.lines[i]
		switch {
		case l.fence:
			if inFence = !inFence; !inFence {
				all = append(all, out)
			}
			out, typed = nil, false
		case l.command && (inFence || !fenced):
			all, out, typed = append(all, out), nil, !showsLog.MatchString(l.text)
		case typed:
		case quotedLine.MatchString(l.text) && !inFence:
			all = append(all, []string{strings.Trim(l.text, "`> ")})
		case fenced && !inFence, !fenced && !begun && i < mostSaid && said(l):
		default:
			begun = true
			out = append(out, l.text)
		}
	}
	if !fenced {
		all = append(all, out)
	}
	return all
}

// quotedLine matches a line that is nothing but what a program said.
var quotedLine = regexp.MustCompile("^`[^`]+`$")

// mostSaid is how many lines a person writes above an output.
const mostSaid = 8

// said reports whether a line above an output is a person's: a heading, or a sentence.
func said(l *line) bool {
	return !isComplaint(l.text) && (strings.HasSuffix(l.text, ":") || l.prose && textkind.Personal(l.text))
}

// settings reports whether most lines are those of a file of settings.
func settings(output []string) bool {
	n := 0
	for _, line := range output {
		if set.MatchString(line) && !isComplaint(line) {
			n++
		}
	}
	return 2*n > len(output)
}

// printedEnd returns the end of a container of whose output the text has the last lines, nil for another text.
func (t *Text) printedEnd(around naming.Names) *end {
	if t.teaches {
		return nil
	}
	if own := t.lastPrinted(); own != "" && !t.runsOn() {
		e := &end{Names: t.whole(t.only.Beside(around), false), ended: endsCrash, line: own, own: own}
		e.init = ofInit.MatchString(t.all)
		return e
	}
	return nil
}

// runsOn reports whether a row shows the only pod, or all of them, as running and never restarted.
func (t *Text) runsOn() bool {
	return neverEnded.MatchString(t.all) && !wasEnded.MatchString(t.all) && !notWell.MatchString(t.all)
}

// lastPrinted returns the error with which one of the outputs in a text ends, "" for none.
func (t *Text) lastPrinted() string {
	for _, output := range t.outputs() {
		own := lastError(output)
		if own != "" && !settings(output) && (!naming.Prose(own) || isComplaint(own)) {
			return own
		}
	}
	return ""
}

// showsLog matches a command that prints what a container printed.
var showsLog = regexp.MustCompile(`\blogs?\b|\bdocker (?:run|start)\b|\bcompose up\b`)

// Printed returns the pod of whose container the text has only its last output, which ends in an error; nil for another
// text. It counts only where nothing else was read at all.
func (t *Text) Printed(around naming.Names) []json.RawMessage {
	if e := t.printedEnd(around); e != nil {
		return e.objects(t.printed)
	}
	return nil
}
