package detail

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// hashesOf tells where the stored hashes of a restart come from; nil where none
// is known.
func hashesOf(f *finding.Findings) *report.Hashes {
	h := f.Hashes
	if h.Old == "" && h.New == "" {
		return nil
	}
	out := &report.Hashes{Before: f.Versions.Before, At: f.Versions.At, Minors: minors(f), Changed: []string{}}
	if h.Old != "" {
		out.Old = &report.StoredHash{Hex: h.Old, MadeBy: makers(h.OldMade), Evidence: unique(f.R.From.Records)}
	}
	if h.New != "" {
		out.New = &report.StoredHash{Hex: h.New, MadeBy: makers(h.NewMade), Evidence: unique(f.R.To.Records)}
	}
	if f.Images.Differ == finding.Yes {
		out.Changed = append(out.Changed, fmt.Sprintf("image: %s → %s", f.Images.Old, f.Images.New))
	}
	return out
}

// stored are the ids that a stored hash cites.
func stored(h *report.StoredHash) []string {
	if h == nil {
		return nil
	}
	return h.Evidence
}

// makers puts identities in order: the present spec first, then by minor.
func makers(made []finding.Identity) []report.HashMaker {
	out := []report.HashMaker{}
	for _, m := range joined(made) {
		out = append(out, report.HashMaker{From: minor(m.FromMinor), To: minor(m.ToMinor),
			Algorithm: m.Algorithm, Image: m.Image, PresentSpec: m.SpecImage})
	}
	return out
}

// minors is what the present spec hashes to.
func minors(f *finding.Findings) []report.MinorHash {
	out := []report.MinorHash{}
	for _, h := range joined(f.PresentHashes()) {
		out = append(out, report.MinorHash{From: minor(h.FromMinor), To: minor(h.ToMinor),
			Algorithm: h.Algorithm, Hex: h.Hex})
	}
	return out
}

// joined puts identities in order, and makes one of neighbours that are the same
// but for their minors.
func joined(all []finding.Identity) (out []finding.Identity) {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b finding.Identity) int {
		return cmp.Or(falseFirst(b.SpecImage, a.SpecImage), strings.Compare(a.Image, b.Image),
			cmp.Compare(a.FromMinor, b.FromMinor), cmp.Compare(a.ToMinor, b.ToMinor))
	})
	for _, h := range all {
		if n := len(out); n > 0 {
			last := &out[n-1]
			if last.Hex == h.Hex && last.Algorithm == h.Algorithm && last.Image == h.Image &&
				last.SpecImage == h.SpecImage && h.FromMinor <= last.ToMinor+1 {
				last.ToMinor = max(last.ToMinor, h.ToMinor)
				continue
			}
		}
		out = append(out, h)
	}
	return out
}

func minor(n int) string { return fmt.Sprintf("v1.%d", n) }
