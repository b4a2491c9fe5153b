package kubeletlog

import (
	"slices"
	"strings"
)

// row is one kind of line.
type row struct {
	// message is the quoted message of a structured line; of a printed one, its form.
	message string
	// since and until are the first and last minor of Kubernetes 1 that writes it; until is 0 for a line that is still
	// written.
	since, until int
	// level is the lowest klog verbosity at which kubelets write it.
	level int
	// weak: other components write such lines too, so they do not prove that their writer is a kubelet.
	weak bool
	read func(l *line, emit emitFunc)
}

// rule matches and reads one kind of line.
type rule struct {
	row
	form // of a printed line
}

// Matcher describes a rule of the tables, for checks.
type Matcher struct {
	// Message is the message or, of a printed line, its prefix, with what such lines contain after it in Has.
	Message, Has string
	// Since and Until are minors of Kubernetes 1; Until is 0 for a line that is
	// still written.
	Since, Until int
	// Level is the lowest verbosity that writes such lines.
	Level int
}

// Matchers lists every rule of the tables.
func Matchers() []Matcher {
	var out []Matcher
	for _, r := range structured {
		out = append(out, r.matcher(false))
	}
	for _, all := range classic {
		for _, r := range all {
			out = append(out, r.matcher(true))
		}
	}
	return out
}

// Needles returns the strings of which a relevant line must contain one, for searching by other means: the messages,
// and the relevant flags.
func Needles() []string {
	out := []string{flagStart + "v="}
	for name := range flags {
		out = append(out, flagStart+name+"=")
	}
	for name := range gone {
		out = append(out, flagStart+name+"=")
	}
	for _, m := range Matchers() {
		if m.Message != flagStart {
			out = append(out, strings.TrimSpace(m.Message))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Match returns which of Matchers a text line matches, whether or not it states anything.
func Match(message string) (Matcher, bool) {
	g := Peek(message)
	if g.rule == nil {
		return Matcher{}, false
	}
	return g.rule.matcher(!g.structured), g.rule != &fatal
}

func (r *rule) matcher(printed bool) Matcher {
	m := Matcher{Message: r.message, Since: r.since, Until: r.until, Level: r.level}
	if printed {
		m.Message = r.lead
		for _, v := range r.values {
			m.Has += v.then
		}
	}
	return m
}

// structured are the rules of structured lines by message.
var structured = func() map[string]*rule {
	out := make(map[string]*rule, len(structuredRows))
	for _, r := range structuredRows {
		out[r.message] = &rule{row: r}
	}
	return out
}()

// classic are the rules of printed lines by their first letter, so that one check rejects most lines. Of several that
// match, the one with the longest beginning comes first.
var classic = func() (out [256][]*rule) {
	for _, r := range classicRows {
		c := r.message[0]
		out[c] = append(out[c], &rule{r, formOf(r.message)})
	}
	for c := range out {
		slices.SortStableFunc(out[c], func(a, b *rule) int { return len(b.lead) - len(a.lead) })
	}
	return out
}()

// fatal is for lines that no rule knows but that end a process: every line of severity F.
var fatal = rule{row: row{message: "F", weak: true, since: 5, until: 20, read: exited}}
