package hashpage

import (
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

const noHash = "No stored hash of this container is known: the runtime's annotations were not collected."

// hashSentence says in plain words what the two stored hashes have to do with each
// other. It repeats what the report knows about their making, and concludes nothing.
func hashSentence(h *report.Hashes) string {
	switch {
	case h == nil, h.Old == nil && h.New == nil:
		return noHash
	case h.Old == nil:
		return "Only the hash of the new instance is known" + orNothing(h.New)
	case h.New == nil:
		return "Only the hash of the old instance is known" + orNothing(h.Old)
	case h.Old.Hex == h.New.Hex:
		return "The hash is the same before and after: nothing that is hashed has changed."
	case len(h.Old.MadeBy) == 0 && len(h.New.MadeBy) == 0:
		return "No known spec gives either hash: the specs that they come from are not in the evidence."
	case len(h.Old.MadeBy) == 0:
		return "No known spec gives the old hash: the spec that it comes from is not in the evidence."
	case len(h.New.MadeBy) == 0:
		return "No known spec gives the new hash: the spec that it comes from is not in the evidence."
	}
	return hashChange(h)
}

func orNothing(s *report.StoredHash) string {
	if len(s.MadeBy) == 0 {
		return ", and no known spec gives it."
	}
	return ": there is nothing to compare it with."
}

// hashChange names what differs between two hashes that both have known makers.
func hashChange(h *report.Hashes) string {
	before, after := images(h.Old), images(h.New)
	kubelet := ""
	if !sameKubelet(h.Old.MadeBy, h.New.MadeBy) {
		kubelet = ", with another kubelet"
	}
	switch {
	case fits(h.Old) && fits(h.New):
		return "The same spec with another kubelet" + versions(h) + ": they hash it differently."
	case !slices.ContainsFunc(before, func(s string) bool { return slices.Contains(after, s) }):
		return "Another image" + kubelet + ": " + strings.Join(before, " or ") + ", then " + strings.Join(after, " or ") + "."
	}
	return "The same image from another spec" + kubelet + "."
}

func versions(h *report.Hashes) string {
	if h.Before == "" || h.At == "" || h.Before == h.At {
		return ""
	}
	return " (" + h.Before + ", then " + h.At + ")"
}

// fits reports whether the spec as it is now makes the hash.
func fits(s *report.StoredHash) bool {
	return slices.ContainsFunc(s.MadeBy, func(m report.HashMaker) bool { return m.PresentSpec })
}

func images(s *report.StoredHash) []string {
	var out []string
	for _, m := range s.MadeBy {
		if !slices.Contains(out, m.Image) {
			out = append(out, m.Image)
		}
	}
	return out
}

// sameKubelet reports whether some algorithm can have made both.
func sameKubelet(a, b []report.HashMaker) bool {
	return slices.ContainsFunc(a, func(x report.HashMaker) bool {
		return slices.ContainsFunc(b, func(y report.HashMaker) bool { return x.Algorithm == y.Algorithm && x.From == y.From })
	})
}
