package main

import (
	"math/rand/v2"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/looks"
)

func lookAttacks() []attack {
	return []attack{{"late relist", "The kubelet's relist is stuck at the end, and it kills what is dead.", lateRelist},
		{"begin", "What ended it is older than the kubelet's log, or its first look.", func(r *rand.Rand, t *target) (*variant, bool) {
			s, how := looks.Begin(r)
			return &variant{of: "begin", how: how, entry: s.Entry("begin", t.form)}, true
		}}}
}

func lateRelist(r *rand.Rand, t *target) (*variant, bool) {
	c := looks.Ended{Pod: t.Truths[t.truth].Pod, UID: t.pod.Metadata.UID, Name: t.Truths[t.truth].Container, ID: t.id,
		Began: t.began, End: t.finish}
	m, others, how := looks.Late(r, t.Machine, c)
	if m == nil {
		return nil, false
	}
	e := looks.Beside(t.put(m), t.Name(), c, others)
	if r.IntN(2) == 0 { // a run with rights for logs only
		e, how = e.Keep(func(p string) bool { return p != "nodes/"+t.Name()+"/cri.json" }), how+", no records"
	}
	return &variant{how: how, entry: e}, true
}
