package present

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// roughly goes with the shares of causes: nothing is known about this particular restart.
const roughly = "The shares are rough estimates, not facts about your pod. The commands decide."

// Explanation returns what the user's words mean, one section each.
func Explanation(x *report.Explanation) []document.Block {
	var out []document.Block
	shares := false
	for i := range x.Answers {
		a := &x.Answers[i]
		out = append(out, answer(a, len(x.Answers) > 1)...)
		shares = shares || len(a.Causes) > 1
	}
	if shares {
		out = append(out, document.Paragraph{}, document.Note(roughly))
	}
	if n := x.UnknownLines; n > 0 && len(x.Answers) > 0 {
		text := "1 more line was not recognised"
		if n > 1 {
			text = strconv.Itoa(n) + " more lines were not recognised"
		}
		out = append(out, document.Paragraph{}, document.Note(text))
	}
	return out
}

// answer returns the meaning of one word. short leaves out all commands but the best one.
func answer(a *report.Answer, short bool) []document.Block {
	is := a.Is
	if strings.HasPrefix(a.Term, "exit ") {
		is = "" // the term says it
	}
	out := []document.Block{document.Heading{Level: 1,
		Text: document.Join(" · ", document.Say(a.Term), document.In(document.Faint, is))}}
	if a.Said != "" {
		times := ""
		if a.Lines > 1 {
			times = fmt.Sprintf("%d lines, the first: ", a.Lines)
		}
		out = append(out, document.Paragraph{Text: append(document.In(document.Faint, times),
			document.In(document.Code, a.Said)...)}, document.Paragraph{})
	}
	out = append(out, document.Para(a.Means))
	if a.Here != "" {
		out = append(out, document.Paragraph{}, document.Para("Here: "+a.Here+"."))
	}
	if a.Advice != "" {
		out = append(out, Section("What to do", 2, document.Bullets,
			[]document.ListItem{{Text: document.Say(step(a.Advice)), Anchor: document.Anchor{Copy: copied(a.Advice)}}})...)
	}
	title := "Causes, the most frequent first"
	switch {
	case len(a.Causes) == 1:
		title = "Cause"
	case a.Estimated:
		title += " (an estimate)"
	}
	out = append(out, Section(title, 2, document.Bullets, answerCauses(a.Causes))...)
	var do []document.ListItem
	for i, d := range a.Do {
		if short && i > 0 {
			break
		}
		do = append(do, document.ListItem{Text: document.In(document.Command, d.Command),
			Below: []document.Text{document.Say(d.For)}, Anchor: document.Anchor{Copy: d.Command}})
	}
	return append(out, Section("What decides", 2, document.Bullets, do)...)
}

// few is the share below which causes are only named: each has its own page.
const few = 5

func answerCauses(all []report.AnswerCause) (out []document.ListItem) {
	var seldom document.Text
	for i := range all {
		c := &all[i]
		if c.Percent < few {
			seldom = document.Join(", ", seldom, document.In(document.Code, c.Cause))
			continue
		}
		e := document.ListItem{
			Text: document.Say(c.Text), Anchor: document.Anchor{Cause: c.Cause},
			Below: []document.Text{append(document.Say("decides: "), decides(c.Decides)...)},
		}
		if len(all) > 1 {
			e.Label = document.In(document.Strong, often(c.Percent))
		}
		if c.Only != "" {
			e.Text = append(e.Text, document.Run{Style: document.Faint, Text: " (" + c.Only + ")"})
		}
		e.Text = append(e.Text, document.Run{Text: " · "}, document.Run{Style: document.Code, Text: c.Cause})
		out = append(out, e)
	}
	if len(seldom) > 0 {
		out = append(out, document.ListItem{Label: document.In(document.Strong, "seldom"), Text: seldom})
	}
	return out
}

// often formats a share roughly: the figures behind it are no more precise than that.
func often(percent int) string {
	if percent >= 90 {
		return "nearly always"
	}
	return "about " + strconv.Itoa((percent+2)/5*5) + "%"
}
