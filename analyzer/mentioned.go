package analyzer

import (
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// build reads a snapshot into a timeline. Words of which nothing tells who wrote them (evidence.Mentioned) count only
// for pods that nothing else makes an item of.
func build(s *evidence.Snapshot) *timeline.History {
	t := timeline.Build(s)
	if s.Mentioned == nil {
		return t
	}
	if kept := unanswered(s, t); len(kept) > 0 {
		return timeline.Build(s.With(kept))
	}
	nameUnnamed(s, t)
	return t
}

// nameUnnamed gives the only pod that all texts name to ends that have none: who shows the lines of one end shows those
// of its pod. That is a guess, and nothing that rests on it is proven.
func nameUnnamed(s *evidence.Snapshot, t *timeline.History) {
	var uid, only string
	for u, name := range s.MentionedPods() {
		if name == evidence.Unnamed {
			continue
		}
		if only != "" {
			return
		}
		uid, only = u, name
	}
	for _, r := range t.Restarts {
		if only == "" || r.PodName != evidence.Unnamed || r.PodUID != t.Restarts[0].PodUID {
			return
		}
	}
	namespace, _, _ := strings.Cut(strings.TrimPrefix(uid, evidence.Mentioned), "/")
	for _, r := range t.Restarts {
		r.Namespace, r.PodName, r.From.Guessed = namespace, only, true
		for i := range s.Mentioned.Pods {
			if p := &s.Mentioned.Pods[i]; len(p.Containers) == 1 && r.Container == evidence.Unnamed {
				r.Container = p.Containers[0].Name
			}
		}
	}
}

// unanswered are the UIDs of pods that are mentioned, and that nothing else tells of. A pod without a name is one of
// those that have an item, or of those that the API lists and that need none.
func unanswered(s *evidence.Snapshot, t *timeline.History) (kept []string) {
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
