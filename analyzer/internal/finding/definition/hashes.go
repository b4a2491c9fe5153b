package definition

import (
	"slices"
	"strconv"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/hash"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// hashes looks for the specs and kubelets that match the stored hashes.
func (f *finder) hashes() {
	r, h := f.R, &f.Hashes
	h.Old = r.From.Hash
	h.Evidence = r.From.Records
	if r.To != nil {
		h.New = r.To.Hash
		h.Evidence = f.BothRecords()
	}
	f.said()
	if r.Spec == nil || h.Old == "" && h.New == "" {
		return
	}
	for _, k := range r.Spec.Hashes {
		if k.Varied() && k.Hex == h.Old && h.Old != "" {
			h.OldVaried = append(h.OldVaried, k)
		}
	}
	for _, k := range knownHashes(r.Spec, f.Images.Old, f.Images.New) {
		if k.Hex == h.Old {
			h.OldMade = append(h.OldMade, k)
		}
		if k.Hex == h.New {
			h.NewMade = append(h.NewMade, k)
		}
	}
}

// Of returns a hash of a spec, or of a name and an image, in the form that evidence stores.
func Of(h hash.EraHash, image string) evidence.SpecHash {
	return evidence.SpecHash{FromMinor: h.FromMinor, ToMinor: h.ToMinor, Algorithm: h.Algorithm, Hex: h.Hex, Image: image}
}

// knownHashes returns the collected hashes of a spec and the name-and-image hashes of its image and of others that were
// seen, which need no secret values.
func knownHashes(spec *evidence.Container, images ...string) []evidence.SpecHash {
	// One is stored along with the hash and never compared alone, and a varied one is no hash of this spec.
	out := slices.DeleteFunc(slices.Clone(spec.Hashes), func(h evidence.SpecHash) bool {
		return h.Algorithm == hash.FNV32aJSONWithoutResources || h.Varied() || h.Hex == ""
	})
	for _, image := range append([]string{spec.Image}, images...) {
		if image != "" && !slices.ContainsFunc(out, func(h evidence.SpecHash) bool {
			return h.Image == image && h.Covers(hash.LastWholeSpec+1)
		}) {
			out = append(out, Of(hash.NameImage(spec.Name, image), image))
		}
	}
	return out
}

// said takes both hashes from the kubelet's own message, where the runtime's records lack the stored one.
func (f *finder) said() {
	if f.Kill.Message == "" {
		return
	}
	stored, expected, ok := bothHashes(f.Kill.Message)
	if !ok {
		return
	}
	h := &f.Hashes
	h.Expected = expected
	if h.Old == "" {
		h.Old = stored
	}
	h.Evidence = append(slices.Clip(h.Evidence), f.Kill.Evidence...)
}

// bothHashes parses "Container spec hash changed (1559107639 vs 1428860573).": the stored hash first, both in decimal
// (kubelet v1.8–v1.13 kuberuntime_manager.go computePodActions), and returns them in hex.
func bothHashes(message string) (stored, expected string, ok bool) {
	_, rest, found := strings.Cut(message, "hash changed (")
	if !found {
		return "", "", false
	}
	was, rest, _ := strings.Cut(rest, " vs ")
	is, _, closed := strings.Cut(rest, ")")
	a, err := strconv.ParseUint(was, 10, 32)
	b, also := strconv.ParseUint(is, 10, 32)
	if !closed || err != nil || also != nil {
		return "", "", false
	}
	return strconv.FormatUint(a, 16), strconv.FormatUint(b, 16), true
}
