package kubeletlog

import (
	"regexp"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/klogline"
)

// A form is how a printed line looks, with the names of its values: `Container "<containerName>" of pod <pod)> ended`.
// With them such a line is read like a structured one. A value in quotes is a Go string literal. Another one goes up to
// the text that follows it in the form, or to the end of the line; in <pod)> it includes its bracket. A line may go on
// behind its form.
type form struct {
	lead   string // before the first value
	values []formValue
}

// formValue is a value and the text behind it.
type formValue struct {
	name, end, then string
	quoted          bool
}

var formValues = regexp.MustCompile(`(")<(\w+)(\)?)>"|<(\w+)(\)?)>`)

// formOf parses a form.
func formOf(text string) (f form) {
	from := 0
	for _, at := range formValues.FindAllStringSubmatchIndex(text, -1) {
		f.add(text[from:at[0]])
		from = at[1]
		if at[2] >= 0 {
			f.values = append(f.values, formValue{name: text[at[4]:at[5]], quoted: true})
		} else {
			f.values = append(f.values, formValue{name: text[at[8]:at[9]], end: text[at[10]:at[11]]})
		}
	}
	f.add(text[from:])
	return f
}

func (f *form) add(literal string) {
	if n := len(f.values); n > 0 {
		f.values[n-1].then = literal
		return
	}
	f.lead = literal
}

// like reports whether a line has the texts of the form, in order: a quick look at every line.
func (f *form) like(msg string) bool {
	rest, ok := strings.CutPrefix(msg, f.lead)
	for i := 0; ok && i < len(f.values); i++ {
		_, rest, ok = strings.Cut(rest, f.values[i].then)
	}
	return ok
}

// parse appends the values of a line to out; false for a line of another form.
func (f *form) parse(out klogline.Values, msg string) (klogline.Values, bool) {
	rest, ok := strings.CutPrefix(msg, f.lead)
	for i := 0; ok && i < len(f.values); i++ {
		v := &f.values[i]
		p := klogline.Pair{Key: v.name, Quoted: v.quoted}
		switch {
		case v.quoted:
			if p.Value, rest, ok = klogline.QuotedPrefix(rest); ok {
				rest, ok = strings.CutPrefix(rest, v.then)
			}
		case v.then == "":
			p.Value, rest = rest, ""
		default:
			p.Value, rest, ok = strings.Cut(rest, v.end+v.then)
			p.Value += v.end
		}
		out = append(out, p)
	}
	return out, ok
}
