package likelihood

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
)

// Share is how many of a hundred ends of one form have a cause.
type Share struct {
	ID      causes.ID
	Percent int
	// Only names what the cause needs, "" where any container may have it.
	Only string
}

// Shares returns the causes behind ends of a form, the most frequent first, when nothing but the form is known: what
// only few containers have weighs as little as in a verdict without the spec.
func Shares(look Look) []Share {
	weights := maps.Clone(ends[look])
	for id, n := range fewHave {
		if _, listed := weights[id]; listed {
			weights[id] /= n
		}
	}
	if look == Lost {
		weights[causes.RuntimeRestarted] *= fewHave[causes.RuntimeRestarted]
	}
	return SharesOf(weights)
}

// SharesOf converts weights to shares.
func SharesOf(weights map[causes.ID]float64) []Share {
	sum := 0.0
	for _, id := range slices.Sorted(maps.Keys(weights)) {
		sum += weights[id]
	}
	var out []Share
	for id, n := range weights {
		out = append(out, Share{ID: id, Percent: int(math.Round(100 * n / sum)), Only: only[id]})
	}
	slices.SortFunc(out, func(a, b Share) int {
		return cmp.Or(cmp.Compare(weights[b.ID], weights[a.ID]), cmp.Compare(a.ID, b.ID))
	})
	return out
}

// only is what share requires of the container before it counts a cause.
var only = map[causes.ID]string{
	causes.LivenessProbeFailed: "only with a liveness probe",
	causes.StartupProbeFailed:  "only with a startup probe",
	causes.PostStartHookFailed: "only with a postStart hook",
	causes.OOMContainerLimit:   "only with a memory limit",
	causes.OOMPodLimit:         "only with a memory limit of the pod",
	causes.RuntimeRestarted:    "rare except with Docker: containers survive a restart of containerd and CRI-O",
	causes.KubeletRestarted:    "only with a new sandbox, right after a kubelet start",
}
