package preflight

import (
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/style"
)

func TestEveryPredictionHasItsOwnGlyph(t *testing.T) {
	for _, ascii := range []bool{false, true} {
		l := style.New(style.NoColour, ascii)
		seen := map[string]bool{}
		for _, p := range report.Predictions() {
			_, g := prediction(&l, p)
			if seen[g] {
				t.Errorf("%q stands for two predictions", g)
			}
			seen[g] = true
		}
	}
	l := style.New(style.NoColour, true)
	if _, glyph := prediction(&l, "certain"); glyph != l.Glyphs.Unknown {
		t.Errorf("the mark of a word that is not known is %q", glyph)
	}
}
