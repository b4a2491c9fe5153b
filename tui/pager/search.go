package pager

import (
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
)

// none means no line, as matches count lines from 1.
const none = 0

// found is a search: its text in lower case, and the line of the last match, from 1.
type found struct {
	text string
	line int
}

// Seek moves to the next or previous match of a text, ignoring case, at first to the one at or after the cursor, and
// reports whether there is one. It opens folds that contain it. Matches are marked until Forget.
func (p *Pager) Seek(text string, step int) bool {
	p.text = strings.ToLower(strings.Join(strings.Fields(text), " "))
	if p.text == "" {
		return false
	}
	if p.unfold() {
		p.lay()
	}
	all := p.finds()
	if len(all) == 0 {
		return false
	}
	from, exact := p.line-1, p.line != none
	if !exact && p.walk.On < len(p.page.Stops) {
		from = max(p.page.Stops[p.walk.On].First, p.walk.Top)
	} else if !exact {
		from = p.walk.Top
	}
	i, on := slices.BinarySearch(all, from)
	switch {
	case step < 0:
		i--
	case on && exact:
		i++
	}
	line := all[(i+len(all))%len(all)]
	p.line = line + 1
	p.walk.Scroll(min(max(p.walk.Top, line+1-p.walk.Height), line))
	for n, s := range p.page.Stops {
		if s.First <= line {
			p.walk.On = n
		}
	}
	return true
}

// Forget drops the marks of a search.
func (p *Pager) Forget() { p.found = found{} }

// finds returns the lines in which a match begins. Lines that belong together are searched as one: a match may span a
// line break.
func (p *Pager) finds() []int {
	var all strings.Builder
	var starts, out []int
	begins := map[int]bool{}
	for _, s := range p.page.Stops {
		begins[s.First], begins[s.End] = true, true
	}
	for n, l := range p.page.Lines {
		if n > 0 {
			between := " "
			if len(l) == 0 || begins[n] {
				between = "\n"
			}
			all.WriteString(between)
		}
		starts = append(starts, all.Len())
		all.WriteString(strings.ToLower(strings.Join(strings.Fields(l.String()), " ")))
	}
	text := all.String()
	for at := 0; ; {
		n := strings.Index(text[at:], p.text)
		if n < 0 {
			return out
		}
		line, on := slices.BinarySearch(starts, at+n)
		if !on {
			line--
		}
		if len(out) == 0 || out[len(out)-1] != line {
			out = append(out, line)
		}
		at += n + 1
	}
}

func (p *Pager) unfold() (opened bool) {
	number := 0
	var walk func(blocks []document.Block) bool
	walk = func(blocks []document.Block) (has bool) {
		for _, b := range blocks {
			for t := range document.Texts(b) {
				has = has || strings.Contains(strings.ToLower(t.String()), p.text)
			}
			f, ok := b.(document.Fold)
			if !ok {
				continue
			}
			n := number
			number++
			if !walk(f.Blocks) {
				continue
			}
			has = true
			if !p.open(&f, n) {
				p.turn(n)
				opened = true
			}
		}
		return has
	}
	walk(p.blocks)
	return opened
}

func marked(line document.Text, text string) document.Text {
	if text == "" {
		return line
	}
	var out document.Text
	for _, r := range line {
		lower := strings.ToLower(r.Text)
		for len(lower) == len(r.Text) { // else the offsets differ: then nothing is marked
			n := strings.Index(lower, text)
			if n < 0 {
				break
			}
			before, mark, rest := r, r, r
			before.Text, mark.Text, rest.Text = r.Text[:n], r.Text[n:n+len(text)], r.Text[n+len(text):]
			mark.Style, mark.Class = document.Badge, "lit"
			out = append(out, before, mark)
			r, lower = rest, lower[n+len(text):]
		}
		out = append(out, r)
	}
	return out
}
