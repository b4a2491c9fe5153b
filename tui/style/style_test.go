package style

import (
	"reflect"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// wide are the glyphs that may take more than one cell.
var wide = map[string]bool{"Ellipsis": true, "Separator": true}

func TestGlyphsAreOneCellWide(t *testing.T) {
	for name, g := range map[string]Glyphs{"unicode": Unicode(), "ascii": ASCII()} {
		v := reflect.ValueOf(g)
		for i := range v.NumField() {
			field := v.Type().Field(i).Name
			glyph := v.Field(i).String()
			if w := ansi.StringWidth(glyph); w == 0 || w > 1 && !wide[field] {
				t.Errorf("%s: %s is %q, %d cells wide", name, field, glyph, w)
			}
			if name == "ascii" && (len(glyph) != utf8.RuneCountInString(glyph) || glyph[0] >= utf8.RuneSelf) {
				t.Errorf("%s is not ASCII: %q", field, glyph)
			}
		}
	}
}

// What may stand in the same place must not look the same, or it could not be read
// without colour.
func TestGlyphsThatShareAPlaceDiffer(t *testing.T) {
	for name, g := range map[string]Glyphs{"unicode": Unicode(), "ascii": ASCII()} {
		for place, all := range map[string][]string{
			"a lane": {g.Mark, g.Many, g.Decisive, g.Span, g.Begin, g.End, g.BadEnd, g.Brief, g.OpenBegin, g.OpenEnd, " "},
			"surety": {g.Proven, g.Likely, g.Possible, g.Unknown},
			"folds":  {g.Open, g.Closed},
		} {
			seen := map[string]bool{}
			for _, glyph := range all {
				if seen[glyph] {
					t.Errorf("%s: two meanings of %q in %s", name, glyph, place)
				}
				seen[glyph] = true
			}
		}
	}
}
