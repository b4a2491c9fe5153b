package evidence

import (
	"slices"
	"strings"
)

// Mentioned begins the UIDs of pods of which nothing but words in some text is known (diag/internal/mention): who
// wrote them, and when, nothing tells.
const Mentioned = Described + "mentioned/"

// Mention keeps apart what texts mention of ends: it counts only where nothing else tells of the pod.
func (b *Builder) Mention(s *Snapshot) { b.snap.Mentioned = s }

// MentionedPods are the names of the pods that are mentioned, by UID.
func (s *Snapshot) MentionedPods() map[string]string {
	pods := map[string]string{}
	if s.Mentioned == nil {
		return pods
	}
	for i := range s.Mentioned.Pods {
		pods[s.Mentioned.Pods[i].UID] = s.Mentioned.Pods[i].Name
	}
	for i := range s.Mentioned.Observations {
		if o := &s.Mentioned.Observations[i].Subject; strings.HasPrefix(o.PodUID, Mentioned) {
			pods[o.PodUID] = o.Pod
		}
	}
	return pods
}

// With is the snapshot with those of the mentioned pods that have these UIDs.
func (s *Snapshot) With(uids []string) *Snapshot {
	out := *s
	out.Mentioned, out.Pods, out.Observations = nil, slices.Clone(s.Pods), slices.Clone(s.Observations)
	for i := range s.Mentioned.Pods {
		if p := s.Mentioned.Pods[i]; slices.Contains(uids, p.UID) {
			out.Pods = append(out.Pods, p)
		}
	}
	for i := range s.Mentioned.Observations {
		if o := s.Mentioned.Observations[i]; slices.Contains(uids, o.Subject.PodUID) {
			out.Observations = append(out.Observations, o)
		}
	}
	slices.SortFunc(out.Pods, byName)
	order(out.Observations)
	distinguish(out.Observations)
	return &out
}
