package evidence

import (
	"slices"
	"strings"
	"time"
)

// Mentioned begins the UIDs of pods of which nothing but words in some text is known (diag/internal/mention): who
// wrote them, and when, nothing tells.
const Mentioned = Described + "mentioned/"

// Meant is the UID of a pod of which nothing is told but that all of a person's texts name it and no other.
const Meant = Mentioned + "meant"

// Asked ends the UIDs of such pods of which a text tells nothing: it asks why.
const Asked = "/asked"

// Mention keeps apart what texts mention of ends: it counts only where nothing else tells of the pod.
func (b *Builder) Mention(apart *Builder) {
	if b.mentioned == nil {
		b.mentioned = apart
		return
	}
	b.mentioned.Join(apart)
}

// MentionedPods are the names of the pods that are mentioned, by UID.
func (s *Snapshot) MentionedPods() map[string]string {
	pods := map[string]string{}
	if s.Mentioned == nil {
		return pods
	}
	for i := range s.Mentioned.Pods {
		if p := &s.Mentioned.Pods[i]; p.UID != Meant {
			pods[p.UID] = p.Name
		}
	}
	for i := range s.Mentioned.Observations {
		if o := &s.Mentioned.Observations[i].Subject; strings.HasPrefix(o.PodUID, Mentioned) {
			pods[o.PodUID] = o.Pod
		}
	}
	return pods
}

// TellsOfEnd reports whether the words about a mentioned pod say more than that a container waits.
func (s *Snapshot) TellsOfEnd(uid string) bool {
	return slices.ContainsFunc(s.Mentioned.Observations, func(o Observation) bool {
		rec, isRecord := o.Fact.(ContainerRecord)
		return o.Subject.PodUID == uid && (!isRecord || rec.State == StateExited)
	})
}

// With is the snapshot with those of the mentioned pods whose UIDs are the keys. One with the UID of a pod out of a row
// of a table, which tells that there were ends and nothing of them, takes its place, with what the row has.
func (s *Snapshot) With(rows map[string]string) *Snapshot {
	out := *s
	out.Mentioned, out.Pods, out.Observations = nil, nil, nil
	placed, word, finished := map[string]Subject{}, map[string]string{}, map[string]time.Time{}
	for uid, row := range rows {
		if placed[uid] = (Subject{}); row != "" {
			word[row] = uid
		}
	}
	for i := range s.Pods {
		p := s.Pods[i]
		if uid, ok := word[p.UID]; ok {
			placed[uid] = Subject{Node: p.Node, Namespace: p.Namespace, Pod: p.Name}
			continue
		}
		out.Pods = append(out.Pods, p)
	}
	for i := range s.Mentioned.Pods {
		p := s.Mentioned.Pods[i]
		to, ok := placed[p.UID]
		if !ok {
			continue
		}
		if to.Pod != "" {
			p.Node, p.Namespace, p.Name = to.Node, to.Namespace, to.Pod
		}
		out.Pods = append(out.Pods, p)
	}
	for i := range s.Observations {
		o := s.Observations[i]
		if uid, ok := word[o.Subject.PodUID]; ok {
			if rec, ok := o.Fact.(ContainerRecord); ok && rec.State == StateExited {
				finished[uid] = rec.Finished
				continue
			}
			o.Subject.PodUID, o.Subject.Container = uid, s.containerSaid(uid)
		}
		out.Observations = append(out.Observations, o)
	}
	for i := range s.Mentioned.Observations {
		o := s.Mentioned.Observations[i]
		to, ok := placed[o.Subject.PodUID]
		if !ok {
			continue
		}
		if to.Pod != "" {
			o.Subject.Node, o.Subject.Namespace, o.Subject.Pod = to.Node, to.Namespace, to.Pod
		}
		at := finished[o.Subject.PodUID]
		if rec, ok := o.Fact.(ContainerRecord); ok && rec.State == StateExited && rec.Finished.IsZero() {
			rec.Finished, rec.Coarse = at, true
			o.Fact = rec
		}
		if !at.IsZero() && o.Time.After(at) {
			o.Time = at // words have no time but that of their text
		}
		out.Observations = append(out.Observations, o)
	}
	slices.SortFunc(out.Pods, byName)
	order(out.Observations)
	distinguish(out.Observations)
	return &out
}

// containerSaid is the container of a mentioned pod that the words name, Unnamed if none.
func (s *Snapshot) containerSaid(uid string) string {
	for i := range s.Mentioned.Observations {
		if o := &s.Mentioned.Observations[i].Subject; o.PodUID == uid && o.Container != "" {
			return o.Container
		}
	}
	return Unnamed
}
