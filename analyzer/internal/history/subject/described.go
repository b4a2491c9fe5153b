package subject

import (
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// describe replaces the UID of pods from kubectl describe, which lacks the real one, by the only UID that other
// evidence has for the name. One on another node, or from before the pod was started, is another pod.
func (t *Resolver) describe(pods []evidence.Pod) {
	t.give(t.described(pods), func(*evidence.Observation) bool { return true })
}

// give replaces UIDs in those observations that fit.
func (t *Resolver) give(uids map[string]string, fits func(*evidence.Observation) bool) {
	if len(uids) == 0 {
		return
	}
	for i := range t.Obs {
		o := &t.Obs[i]
		if uid := uids[o.Subject.PodUID]; uid != "" && fits(o.Observation) {
			of := t.copies.New() // the snapshot stays unchanged
			*of = *o.Observation
			of.Subject.PodUID = uid
			o.Observation = of
		}
	}
}

// described returns the replacement UIDs, by the UIDs that described pods have.
func (t *Resolver) described(pods []evidence.Pod) map[string]string {
	uids := map[timeline.PodName]string{}
	given := map[timeline.PodName]*evidence.Pod{}
	for i := range pods {
		p := &pods[i]
		name := timeline.PodName{Namespace: p.Namespace, Pod: p.Name}
		if !p.Described() {
			uids[name] = "" // the API has one
		} else if !p.Row() && !p.Mentioned() {
			given[name] = p
		}
	}
	if len(given) == 0 {
		return nil
	}
	for i := range t.Obs {
		o := &t.Obs[i]
		s := &o.Subject
		name := timeline.PodName{Namespace: s.Namespace, Pod: s.Pod}
		p := given[name]
		if p == nil || s.PodUID == "" || strings.HasPrefix(s.PodUID, evidence.Described) {
			continue
		}
		node := s.Node
		if node == "" {
			node = o.Source.Node
		}
		at := firstSeen(o.Observation)
		other := node != "" && p.Node != "" && node != p.Node ||
			!at.IsZero() && !p.CreatedAt.IsZero() && p.CreatedAt.Sub(at) > tolerance.Slack
		if have, ok := uids[name]; other || ok && have != s.PodUID {
			uids[name] = "" // several had the name
		} else if !ok {
			uids[name] = s.PodUID
		}
	}
	out := map[string]string{}
	for name, p := range given {
		uid := uids[name]
		if uid == "" || slices.ContainsFunc(pods, func(o evidence.Pod) bool { return o.UID == uid }) {
			continue
		}
		if _, two := out[uid]; two {
			out[uid] = "" // two names have this UID
		} else {
			out[uid] = p.UID
		}
	}
	return out
}
