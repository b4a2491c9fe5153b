package tui

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// stop is a place of a sheet where the cursor can stand: some lines that belong
// together, and where they lead.
type stop struct {
	first, end int // lines
	evidence   []string
	cause      string // what `e` explains here
	copied     string // what `y` copies, "" for the evidence, else the lines
	section    bool   // the first of a section
}

// sheet is a pane of text with stops in it: a page of proof that one can walk
// through.
type sheet struct {
	lines  []string
	stops  []stop
	cursor int
	top    int
	height int
}

// set replaces the text. The cursor stays on the stop it was on, by its number.
func (s *sheet) set(lines []string, stops []stop) {
	s.lines, s.stops = lines, stops
	s.cursor = max(0, min(s.cursor, len(stops)-1))
	s.scroll(s.top)
	s.show()
}

// at returns the stop under the cursor, nil if there is none.
func (s *sheet) at() *stop {
	if s.cursor >= len(s.stops) {
		return nil
	}
	return &s.stops[s.cursor]
}

func (s *sheet) scroll(top int) { s.top = max(0, min(top, len(s.lines)-s.height)) }

// show brings the stop under the cursor into view, its beginning at least, and
// what stands above the first stop with it.
func (s *sheet) show() {
	at := s.at()
	if at == nil {
		s.scroll(s.top)
		return
	}
	if at.end > s.top+s.height {
		s.top = at.end - s.height
	}
	if at.first < s.top {
		s.top = at.first
	}
	if s.cursor == 0 && at.end <= s.height {
		s.top = 0
	}
	s.scroll(s.top)
}

// move goes to the next or previous stop. It scrolls by a line first where more of
// this stop, or of the text behind the last one, is out of sight.
func (s *sheet) move(step int) {
	at := s.at()
	last := s.cursor+step >= len(s.stops) || s.cursor+step < 0
	switch {
	case at == nil || last:
		s.scroll(s.top + step)
	case step > 0 && at.end > s.top+s.height, step < 0 && at.first < s.top:
		s.scroll(s.top + step)
	default:
		s.cursor += step
		s.show()
	}
}

// page scrolls and takes the cursor along, to the first stop that is in view.
func (s *sheet) page(step int) {
	before := s.top
	s.scroll(s.top + step*max(s.height-2, 1))
	if s.top == before && len(s.stops) > 0 {
		s.cursor = 0
		if step > 0 {
			s.cursor = len(s.stops) - 1
		}
		return
	}
	if i := slices.IndexFunc(s.stops, func(p stop) bool { return p.first >= s.top }); i >= 0 && s.stops[i].first < s.top+s.height {
		s.cursor = i
	}
}

func (s *sheet) home() {
	s.cursor, s.top = 0, 0
}

func (s *sheet) bottom() {
	s.cursor = max(len(s.stops)-1, 0)
	s.scroll(len(s.lines))
}

// section goes to the next or previous section.
func (s *sheet) section(step int) {
	for i := s.cursor + step; i >= 0 && i < len(s.stops); i += step {
		if s.stops[i].section {
			s.cursor = i
			s.show()
			return
		}
	}
}

// click puts the cursor on the stop that line n of the window belongs to.
func (s *sheet) click(n int) bool {
	n += s.top
	for i, p := range s.stops {
		if n >= p.first && n < p.end {
			s.cursor = i
			return true
		}
	}
	return false
}

// window draws the lines in view; those of the stop under the cursor are marked.
func (s *sheet) window(t *theme, width int) []string {
	out := slices.Clone(s.lines[s.top:min(s.top+s.height, len(s.lines))])
	at := s.at()
	if at == nil {
		return out
	}
	for n := max(at.first, s.top); n < min(at.end, s.top+len(out)); n++ {
		text := ansi.Strip(s.lines[n])
		if n == at.first {
			text = t.glyphs.cursor + strings.TrimPrefix(text, " ")
		}
		out[n-s.top] = t.selected.Render(pad(text, width, t.glyphs))
	}
	return out
}

// position says how far the text is scrolled, "" when all of it is visible.
func (s *sheet) position() string { return scrolled(s.top, len(s.lines)-s.height) }

// said returns the lines of a stop as running text.
func (s *sheet) said(p *stop) string {
	var words []string
	for _, l := range s.lines[p.first:p.end] {
		words = append(words, strings.Fields(ansi.Strip(l))...)
	}
	return strings.Join(words, " ")
}
