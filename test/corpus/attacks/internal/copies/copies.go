// Package copies has what happens to logs when programs and people copy them: other envelopes, one file out of several,
// another order, a part.
package copies

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/entry"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

// Line is a line of a copy.
type Line struct {
	at        time.Time
	log, text string
}

// Envelopes are what may stand before a line: nothing, a time with microseconds, with whole seconds, without a year.
var Envelopes = []string{"none", "2006-01-02T15:04:05.000000-0700", "2006-01-02T15:04:05-0700", time.Stamp}

// Lines returns all lines of a machine, in the order in which they were written, under a host name. Without an envelope
// those of other writers than kubelet and runtime still have one: they tell no time.
func Lines(m *machine.Machine, envelope, host string) []Line {
	var out []Line
	m.Each(func(log *machine.Log, l *machine.Line) {
		if l.Lost {
			return
		}
		text, pid, layout := machine.Stamped(l.Text, l.Step), "", envelope
		if l.PID > 0 {
			pid = fmt.Sprintf("[%d]", l.PID)
		}
		if envelope == "none" {
			layout = Envelopes[1]
		}
		if envelope != "none" || l.Writer != "kubelet" && l.Writer != "containerd" {
			text = fmt.Sprintf("%s %s %s%s: %s", l.Stored().UTC().Format(layout), host, l.Writer, pid, text)
		}
		out = append(out, Line{l.True.Add(l.Late), log.Name, text})
	})
	slices.SortStableFunc(out, byTime)
	return out
}

func byTime(a, b Line) int { return a.at.Compare(b.at) }

func byText(a, b Line) int { return strings.Compare(a.text, b.text) }

func bySecond(a, b Line) int { return a.at.Truncate(time.Second).Compare(b.at.Truncate(time.Second)) }

// Orders are ways to put lines into another order, to repeat some or to leave some out.
var Orders = map[string]func(*rand.Rand, []Line) []Line{
	"by text":      func(_ *rand.Rand, all []Line) []Line { return slices.SortedStableFunc(slices.Values(all), byText) },
	"newest first": func(_ *rand.Rand, all []Line) []Line { slices.Reverse(all); return all },
	"one per daemon": func(_ *rand.Rand, all []Line) []Line {
		return slices.SortedStableFunc(slices.Values(all), func(a, b Line) int { return cmp.Compare(a.log, b.log) })
	},
	"any within a second": func(r *rand.Rand, all []Line) []Line {
		r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		return slices.SortedStableFunc(slices.Values(all), bySecond)
	},
	"by text within a second": func(_ *rand.Rand, all []Line) []Line {
		return slices.SortedStableFunc(slices.Values(all), func(a, b Line) int {
			return cmp.Or(bySecond(a, b), byText(a, b))
		})
	},
	"pieces in any order": func(r *rand.Rand, all []Line) []Line {
		pieces := slices.Collect(slices.Chunk(all, 5+r.IntN(20)))
		r.Shuffle(len(pieces), func(i, j int) { pieces[i], pieces[j] = pieces[j], pieces[i] })
		return slices.Concat(pieces...)
	},
	"some repeated": func(r *rand.Rand, all []Line) (out []Line) {
		for _, l := range all {
			out = append(out, slices.Repeat([]Line{l}, 1+r.IntN(4)/3)...)
		}
		return out
	},
	"the last ones":  func(r *rand.Rand, all []Line) []Line { return all[r.IntN(len(all)+1):] },
	"the first ones": func(r *rand.Rand, all []Line) []Line { return all[:r.IntN(len(all)+1)] },
}

// Joined returns the lines of two machines in one log, and how: in the order of their times, or one after the other.
func Joined(r *rand.Rand, a, b []Line) ([]Line, string) {
	switch r.IntN(3) {
	case 0:
		return slices.SortedStableFunc(slices.Values(slices.Concat(a, b)), byTime), "by time"
	case 1:
		return slices.Concat(a, b), "behind it"
	}
	return slices.Concat(b, a), "before it"
}

// Put returns an entry with these lines in place of a machine's logs: one file for each daemon, or one for all.
func Put(e *entry.Entry, m *machine.Machine, all []Line, one bool) *entry.Entry {
	none := machine.Machine{Name: m.Name}
	out, files := none.Put(e, machine.Text), map[string][]string{}
	for _, l := range all {
		name := "messages"
		if !one {
			name = l.log + ".log"
		}
		files[name] = append(files[name], l.text+"\n")
	}
	for name, lines := range files {
		out.Files["nodes/"+m.Name+"/logs/"+name] = []byte(strings.Join(lines, ""))
	}
	return out
}
