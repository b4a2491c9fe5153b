package lanes

import (
	"fmt"
	"strings"
	"time"
)

// Plain tells the same lane by lane, for readers who do not see columns: every
// span and every mark with its full time, whatever is in view.
func (m *Model) Plain() string {
	if !m.known {
		return "Nothing is known that has a time.\n"
	}
	var b strings.Builder
	lo, hi, _ := bounds(m.rows)
	fmt.Fprintf(&b, "Timeline, %s to %s UTC.\n", stamp(lo), stamp(hi))
	for i := range m.rows {
		r := &m.rows[i]
		fmt.Fprintf(&b, "\n%s: %s.\n", r.name(), r.summary())
		for n := range r.lane.Spans {
			b.WriteString("- " + r.spanText(n) + "\n")
		}
		for n := range r.lane.Marks {
			mark := &r.lane.Marks[n]
			b.WriteString("- " + stamp(r.marks[n]) + ": " + mark.Text)
			if mark.Decisive {
				b.WriteString(" (the verdict rests on this)")
			}
			b.WriteString(cited(mark.Evidence) + "\n")
		}
	}
	return b.String()
}

func (r *row) summary() string {
	var parts []string
	if n := len(r.lane.Spans); n > 0 {
		parts = append(parts, plural(n, "span"))
	}
	if n := len(r.lane.Marks); n > 0 {
		parts = append(parts, plural(n, "mark"))
	}
	if len(parts) == 0 {
		return "nothing is known"
	}
	return strings.Join(parts, ", ")
}

func (r *row) spanText(n int) string {
	s := &r.lane.Spans[n]
	from, to := "begin unknown", "end unknown"
	if s.From != nil {
		from = stamp(r.from[n])
	}
	if s.To != nil {
		to = stamp(r.to[n])
	}
	text := from + " to " + to + ": " + s.Text
	if s.From != nil && s.To != nil {
		text += " (" + lengthText(time.Duration(r.to[n]-r.from[n])) + ")"
	}
	if s.Bad {
		text += " (ended badly)"
	}
	return text + cited(s.Evidence)
}

// stamp is a moment with its day, to the millisecond where a source knows it.
func stamp(at int64) string {
	return time.Unix(0, at).UTC().Format("2006-01-02") + " " + clockText(at)
}

func cited(ids []string) string {
	if len(ids) == 0 {
		return ""
	}
	return " [" + strings.Join(ids, " ") + "]"
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
