package definition

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/hash"
)

// nameImageFrom is the first minor that hashes only name and image (kubelet v1.31 container/helpers.go HashContainer).
const nameImageFrom = hash.LastWholeSpec + 1

// hashes looks for the specs and kubelets that make the stored hashes.
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
	for _, k := range f.variedHashes() {
		if k.Hex == h.Old && h.Old != "" {
			h.OldVaried = append(h.OldVaried, k)
		}
	}
	known := f.knownHashes()
	for _, k := range known {
		if k.Hex == h.Old && h.Old != "" {
			h.OldMade = append(h.OldMade, k)
		}
		if k.Hex == h.New && h.New != "" {
			h.NewMade = append(h.NewMade, k)
		}
	}
}

// knownHashes are the collected hashes of the spec and, because they need no
// values that are secret, name-and-image hashes of every image that was seen.
func (f *finder) knownHashes() []Identity {
	spec := f.R.Spec
	var out []Identity
	for _, h := range spec.Hashes {
		if h.Algorithm == hash.FNV32aJSONWithoutResources || h.Varied() {
			continue // the one is stored beside the hash and never compared alone, the other is no hash of this spec
		}
		out = append(out, Identity{FromMinor: h.FromMinor, ToMinor: h.ToMinor,
			Algorithm: h.Algorithm, Hex: h.Hex, Image: h.Image, SpecImage: h.Image == spec.Image})
	}
	for _, image := range []string{spec.Image, f.Images.Old, f.Images.New} {
		if image == "" || slices.ContainsFunc(out, func(i Identity) bool {
			return i.Image == image && i.Covers(nameImageFrom)
		}) {
			continue
		}
		res, err := hash.Hash(nameImageFrom, &corev1.Container{Name: spec.Name, Image: image})
		if err == nil {
			out = append(out, Identity{FromMinor: nameImageFrom, ToMinor: kubelet.NewestMinor,
				Algorithm: res.Algorithm, Hex: res.Hex, Image: image, SpecImage: image == spec.Image})
		}
	}
	return out
}

// variedHashes are the collected hashes of the spec with one defaulted field less, or more.
func (f *finder) variedHashes() []Identity {
	var out []Identity
	for _, h := range f.R.Spec.Hashes {
		if h.Varied() {
			out = append(out, Identity{FromMinor: h.FromMinor, ToMinor: h.ToMinor,
				Algorithm: h.Algorithm, Hex: h.Hex, Image: h.Image, SpecImage: h.Image == f.R.Spec.Image,
				Without: h.Without, With: h.With})
		}
	}
	return out
}

// said takes both hashes from the kubelet's own words, where the runtime's records do not tell the stored one.
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

// bothHashes reads "Container spec hash changed (1559107639 vs 1428860573).": the
// stored hash first, both in decimal (kubelet v1.8–v1.13 kuberuntime_manager.go
// computePodActions), and returns them in hex.
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

// Describe says what made a hash, in words.
func (i Identity) Describe() string {
	switch {
	case i.Without != "":
		return fmt.Sprintf("%s hash (kubelet v1.%d–v1.%d) of this spec without %s",
			i.Algorithm, i.FromMinor, i.ToMinor, i.Without)
	case i.With != "":
		return fmt.Sprintf("%s hash (kubelet v1.%d–v1.%d) of this spec with %s",
			i.Algorithm, i.FromMinor, i.ToMinor, i.With)
	}
	return fmt.Sprintf("%s hash (kubelet v1.%d–v1.%d) of image %s", i.Algorithm, i.FromMinor, i.ToMinor, i.Image)
}
