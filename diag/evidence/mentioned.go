package evidence

import (
	"slices"
	"strings"
	"time"
)

// Mentioned is the UID prefix of pods known only from free text (diag/internal/mention), without author or time.
const Mentioned = Described + "mentioned/"

// Meant is the UID of a pod known only from being the one that all of a person's texts are about.
const Meant = Mentioned + "meant"

// Asked is the UID suffix of such pods where a text states nothing but asks why.
const Asked = "/asked"

// Mention keeps what texts mention of ends apart: it counts only where no other evidence covers the pod.
func (b *Builder) Mention(apart *Builder) {
	if b.mentioned == nil {
		b.mentioned = apart
		return
	}
	b.mentioned.Join(apart)
}

// MentionedPods returns the names of the mentioned pods by UID.
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

// TellsOfEnd reports whether the text about a mentioned pod says more than that a container is waiting.
func (s *Snapshot) TellsOfEnd(uid string) bool {
	return slices.ContainsFunc(s.Mentioned.Observations, func(o Observation) bool {
		rec, isRecord := o.Fact.(ContainerRecord)
		return o.Subject.PodUID == uid && (!isRecord || rec.State == StateExited)
	})
}

// With returns the snapshot with the mentioned pods whose UIDs are the keys. A value is the UID of a pod from a table
// row, which shows only that containers ended: the mentioned pod replaces it and takes over what the row has. The value
// Unnamed takes the pod's name away.
func (s *Snapshot) With(rows map[string]string) *Snapshot {
	out := *s
	out.Mentioned, out.Pods, out.Observations = nil, nil, nil
	placed, word, finished := map[string]Subject{}, map[string]string{}, map[string]time.Time{}
	for uid, row := range rows {
		if placed[uid] = (Subject{}); row == Unnamed {
			placed[uid] = Subject{Namespace: UsualNamespace(Unnamed), Pod: Unnamed}
		} else if row != "" {
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
			o.Subject.PodUID, o.Subject.Container = uid, s.ContainerSaid(uid)
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
			o.Time = at // the text has no time but its own
		}
		out.Observations = append(out.Observations, o)
	}
	slices.SortFunc(out.Pods, byName)
	order(out.Observations)
	distinguish(out.Observations)
	return &out
}

// Plus returns the snapshot with more observations.
func (s *Snapshot) Plus(more []Observation) *Snapshot {
	out := *s
	out.Observations = slices.Concat(s.Observations, more)
	order(out.Observations)
	distinguish(out.Observations)
	return &out
}

// ContainerSaid returns the container that the text about a mentioned pod names, Unnamed if none.
func (s *Snapshot) ContainerSaid(uid string) string {
	for i := range s.Mentioned.Observations {
		if o := &s.Mentioned.Observations[i].Subject; o.PodUID == uid && o.Container != "" {
			return o.Container
		}
	}
	return Unnamed
}
