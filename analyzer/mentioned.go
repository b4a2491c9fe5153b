package analyzer

import (
	"slices"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// build reads a snapshot into a timeline. Words of which nothing tells who wrote them (evidence.Mentioned) count only
// for pods that nothing else makes an item of.
func build(s *evidence.Snapshot) *timeline.Timeline {
	t := timeline.Build(s)
	if s.Mentioned == nil {
		return t
	}
	if kept := unanswered(s, t); len(kept) > 0 {
		return timeline.Build(s.With(kept))
	}
	return t
}

// unanswered are the UIDs of pods that are mentioned, and that nothing else tells of. A pod without a name is one of
// those that have an item, or of those that the API lists and that need none.
func unanswered(s *evidence.Snapshot, t *timeline.Timeline) (kept []string) {
	known, told := map[string]bool{}, false
	for _, r := range slices.Concat(t.Restarts, t.FalsePositives) {
		known[r.PodName], told = true, true
	}
	for i := range s.Pods {
		if p := &s.Pods[i]; !p.Described() {
			known[p.Name], told = true, true
		}
	}
	for uid, name := range s.MentionedPods() {
		if !known[name] && !known[evidence.Unnamed] && (name != evidence.Unnamed || !told) {
			kept = append(kept, uid)
		}
	}
	slices.Sort(kept)
	return kept
}
