package subject

import (
	"cmp"
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file finds out which UID a kubelet means when it logs that it removed a pod from its files or added one: the
// line has only the name. The UID is no help: a kubelet computes one of 32 hex digits, but a manifest may set its own
// (metadata.uid), and kubelets keep that.

// FromFile reports whether the pod comes from a kubelet's files.
func (p *Pod) FromFile() bool {
	return p != nil && (p.Origin.File || timeline.ComputedUID(p.UID))
}

// fileLine is a change that a kubelet found in its files, by the pod's name.
type fileLine struct {
	at  time.Time
	add bool
}

// ofFiles reports whether a fact is such a change.
func ofFiles(f evidence.Fact) (line fileLine, ok bool) {
	c, ok := f.(evidence.PodConfig)
	return fileLine{add: c.Op == "ADD"}, ok && c.Origin != "api" && (c.Op == "ADD" || c.Op == "REMOVE")
}

// fileLines returns these changes by name and time.
func (t *Resolver) fileLines() map[timeline.PodName][]fileLine {
	all := map[timeline.PodName][]fileLine{}
	for i := range t.Obs {
		o := &t.Obs[i]
		if line, ok := ofFiles(o.Fact); ok && o.Subject.Pod != "" && !o.Time.IsZero() {
			line.at = o.Time
			name := timeline.PodName{Namespace: o.Subject.Namespace, Pod: o.Subject.Pod}
			all[name] = append(all[name], line)
		}
	}
	return all
}

// mirrorsOf returns the UIDs that only mirror pods had: no container ever runs under them.
func (t *Resolver) mirrorsOf() map[string]bool {
	var mirrors map[string]bool
	for i := range t.Obs {
		o := &t.Obs[i]
		if m, ok := o.Fact.(evidence.MirrorPod); ok && m.Change != evidence.MirrorCreated && o.Pod != nil &&
			o.Pod.Given == nil && !timeline.ComputedUID(o.Pod.UID) {
			if mirrors == nil {
				mirrors = map[string]bool{}
			}
			mirrors[o.Pod.UID] = true
		}
	}
	if len(mirrors) > 0 {
		for i := range t.Obs {
			if o := &t.Obs[i]; o.Who != nil && o.Subject.PodUID != "" {
				delete(mirrors, o.Subject.PodUID)
			}
		}
	}
	return mirrors
}

// ofMirrors reports whether a kubelet's line about a static pod may be about its mirror: what comes from the API is.
func ofMirrors(f evidence.Fact) bool {
	c, ok := f.(evidence.PodConfig)
	_, mirror := f.(evidence.MirrorPod)
	return mirror || ok && c.Origin == "api"
}

// withoutMirrors drops the UIDs of mirror pods, unless no other had the name.
func withoutMirrors(list []UIDClaim, mirrors map[string]bool) []UIDClaim {
	mirror := func(b UIDClaim) bool { return mirrors[b.UID] }
	if !slices.ContainsFunc(list, mirror) {
		return list
	}
	ran := slices.DeleteFunc(slices.Clone(list), mirror)
	if len(ran) == 0 {
		return list
	}
	return ran
}

// fileBearer returns the UID that a change of a kubelet's files is about, "" if that is not clear. What is removed is
// what ran then. What is added runs from then on: it is what appeared next, before another change of the name, or, if
// that did not appear soon and nothing was removed in the same call, what ran already: a kubelet that starts adds all.
func fileBearer(claims []UIDClaim, lines []fileLine, now fileLine) string {
	if slices.ContainsFunc(claims, func(b UIDClaim) bool { return b.Born.IsZero() }) {
		return ""
	}
	before := func(b UIDClaim) bool { return !b.Born.After(now.at) }
	had := ""
	for _, b := range claims {
		if before(b) || b.dying && b.Born.Sub(now.at) <= tolerance.FirstSync && had == "" {
			had = b.UID
		}
	}
	if !now.add {
		return had
	}
	var until time.Time
	replaces := false
	for _, l := range lines {
		switch since := l.at.Sub(now.at); {
		case since > tolerance.OneMerge && until.IsZero():
			until = l.at
		case !l.add && since <= 0 && -since < tolerance.OneMerge:
			replaces = true
		}
	}
	next, at := "", time.Time{}
	for _, b := range claims {
		if !b.dying && !b.Born.Before(now.at.Truncate(time.Second)) && (until.IsZero() || b.Born.Before(until)) &&
			(!replaces || b.UID != had) {
			next, at = b.UID, b.Born
			break
		}
	}
	switch {
	case next != "" && (replaces || had == "" || at.Sub(now.at) <= tolerance.FirstSync):
		return next
	case replaces:
		return ""
	}
	return cmp.Or(had, next)
}
