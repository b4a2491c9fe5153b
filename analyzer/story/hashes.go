package story

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/finding"
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
	for _, m := range made {
		maker := report.HashMaker{From: minor(m.FromMinor), To: minor(m.ToMinor), Algorithm: m.Algorithm, Image: m.Image, PresentSpec: m.SpecImage}
		if !slices.Contains(out, maker) {
			out = append(out, maker)
		}
	}
	slices.SortStableFunc(out, func(a, b report.HashMaker) int {
		return cmp.Or(first(b.PresentSpec, a.PresentSpec), byMinor(a.From, b.From), strings.Compare(a.Image, b.Image))
	})
	return out
}

// minors is what the present spec hashes to. Neighbours that compute the same
// are one row.
func minors(f *finding.Findings) []report.MinorHash {
	present := f.PresentHashes()
	slices.SortStableFunc(present, func(a, b finding.Identity) int {
		return cmp.Or(cmp.Compare(a.FromMinor, b.FromMinor), cmp.Compare(a.ToMinor, b.ToMinor))
	})
	out := []report.MinorHash{}
	to := -1
	for _, h := range present {
		if n := len(out); n > 0 && out[n-1].Hex == h.Hex && out[n-1].Algorithm == h.Algorithm && h.FromMinor <= to+1 {
			to = max(to, h.ToMinor)
			out[n-1].To = minor(to)
			continue
		}
		to = h.ToMinor
		out = append(out, report.MinorHash{From: minor(h.FromMinor), To: minor(h.ToMinor), Algorithm: h.Algorithm, Hex: h.Hex})
	}
	return out
}

func minor(n int) string { return fmt.Sprintf("v1.%d", n) }

// byMinor orders minors as minor spells them: v1.5 before v1.16.
func byMinor(a, b string) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
}
