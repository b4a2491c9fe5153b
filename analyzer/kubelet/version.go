// Package kubelet holds what the analyzer knows about the kubelet itself: how to parse its version, and how each minor
// behaves where restarts are concerned.
//
// It may import the standard library, k8s.io/api types and its own sub-packages. Collected evidence (diag), I/O and the
// clock never enter: the same version always gives the same answer.
package kubelet

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// maxVersionLength limits the input of ParseVersion; vendors' longest spellings stay below 50 bytes.
const maxVersionLength = 128

// PatchNotGiven is the Patch of a version that names only its minor, such as "v1.31" on a command line.
const PatchNotGiven = -1

var errVersionSyntax = errors.New(
	"want MAJOR.MINOR[.PATCH] with an optional suffix, such as v1.30.4 or v1.29.3-eks-49c6de4")

// Version is a kubelet's version as in nodes, logs and command lines. Two Versions are == when they name the same
// build; Compare orders them by age and ignores the vendor's part.
type Version struct {
	Major, Minor int
	// Patch is PatchNotGiven when only the minor was named.
	Patch int
	// Suffix is everything after the numbers with its leading sign, "-eks-49c6de4", "+k3s1", "-rc.1", or "". It holds
	// only ASCII letters, digits and "+-._~", so it is safe to show.
	Suffix string
}

// ParseVersion parses every spelling of a kubelet version that nodes and logs use: with or without "v", with a vendor's
// suffix, a pre-release, the prefix "Kubernetes " (as `kubelet --version` prints), or without a patch number.
func ParseVersion(s string) (Version, error) {
	if len(s) > maxVersionLength {
		return Version{}, fmt.Errorf("parse kubelet version of %d bytes: longer than %d", len(s), maxVersionLength)
	}
	text := strings.TrimSpace(s)
	text = strings.TrimPrefix(text, "Kubernetes ")
	text = strings.TrimPrefix(text, "v")
	numbers, suffix := text, ""
	if i := strings.IndexAny(text, "-+"); i >= 0 {
		numbers, suffix = text[:i], text[i:]
	}
	v := Version{Patch: PatchNotGiven, Suffix: suffix}
	major, rest, ok := strings.Cut(numbers, ".")
	minor, patch, patched := strings.Cut(rest, ".")
	ok = ok && safeSuffix(suffix)
	for _, part := range [...]struct {
		text  string
		into  *int
		given bool
	}{{major, &v.Major, true}, {minor, &v.Minor, true}, {patch, &v.Patch, patched}} {
		if ok && part.given {
			*part.into, ok = parseNumber(part.text)
		}
	}
	if !ok {
		return Version{}, fmt.Errorf("parse kubelet version %q: %w", s, errVersionSyntax)
	}
	return v, nil
}

// parseNumber parses decimal digits without sign or leading zero, small enough to be real.
func parseNumber(s string) (int, bool) {
	if s == "" || len(s) > 6 || (len(s) > 1 && s[0] == '0') {
		return 0, false
	}
	n, err := strconv.ParseUint(s, 10, 31)
	return int(n), err == nil
}

func safeSuffix(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case '0' <= c && c <= '9', 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', strings.IndexByte("+-._~", c) >= 0:
		default:
			return false
		}
	}
	return true
}

// String returns the version with "v" in front and its suffix, "v1.29.3-eks-49c6de4"; ParseVersion parses it.
func (v Version) String() string {
	if v.Patch == PatchNotGiven {
		return v.MinorString() + v.Suffix
	}
	return fmt.Sprintf("v%d.%d.%d%s", v.Major, v.Minor, v.Patch, v.Suffix)
}

// MinorString returns the minor alone, "v1.29".
func (v Version) MinorString() string { return fmt.Sprintf("v%d.%d", v.Major, v.Minor) }

// PreRelease returns "alpha.1", "beta.0", "rc.1" or similar, or "". To semantic versioning, a vendor's suffix looks
// like a pre-release ("-eks-49c6de4" would sort before the release it is made of), so only Kubernetes' own words count.
func (v Version) PreRelease() string {
	rest, ok := strings.CutPrefix(v.Suffix, "-")
	if !ok {
		return ""
	}
	if i := strings.IndexAny(rest, "-+"); i >= 0 {
		rest = rest[:i]
	}
	word, number, _ := strings.Cut(rest, ".")
	switch word {
	case "alpha", "beta", "rc":
		if number != "" && number[0] >= '0' && number[0] <= '9' {
			return rest
		}
	}
	return ""
}

// Compare returns -1, 0 or +1 if v is older than, as old as, or newer than w. Vendor suffixes are ignored; a
// pre-release is older than its release; a version without a patch is older than all patches of its minor.
func (v Version) Compare(w Version) int {
	return cmp.Or(
		cmp.Compare(v.Major, w.Major),
		cmp.Compare(v.Minor, w.Minor),
		cmp.Compare(v.Patch, w.Patch),
		comparePreRelease(v.PreRelease(), w.PreRelease()),
	)
}

func comparePreRelease(a, b string) int {
	if a == "" || b == "" {
		// The release itself ("") is the newest.
		return -cmp.Compare(min(len(a), 1), min(len(b), 1))
	}
	as, bs := strings.Split(a, "."), strings.Split(b, ".")
	for i := range min(len(as), len(bs)) {
		x, xNumber := parseNumber(as[i])
		y, yNumber := parseNumber(bs[i])
		order := cmp.Compare(as[i], bs[i])
		if xNumber && yNumber {
			order = cmp.Compare(x, y)
		}
		if order != 0 {
			return order
		}
	}
	return cmp.Compare(len(as), len(bs))
}
