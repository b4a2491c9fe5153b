package main

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/copies"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/entry"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

func copiedAttacks() []attack {
	return []attack{
		{"reordered", "A collector put the lines into another order, repeated some, or kept the first or last ones.", reordered},
		{"two nodes", "The log has the lines of two nodes, under one host name or two; their pods may have one name.", twoNodes},
	}
}

func reordered(r *rand.Rand, t *target) (*variant, bool) {
	envelope := copies.Envelopes[r.IntN(len(copies.Envelopes))]
	orders := slices.Sorted(maps.Keys(copies.Orders))
	how, one := orders[r.IntN(len(orders))], r.IntN(2) == 0
	lines := copies.Orders[how](r, copies.Lines(t.Machine, envelope, t.Name()))
	e := copies.Put(t.Entry, t.Machine, lines, one)
	if r.IntN(3) == 0 {
		e = e.Keep(func(p string) bool { return p != "cluster/events.json" })
	}
	return &variant{how: fmt.Sprintf("%s, envelope %s, one file: %v", how, envelope, one), entry: e}, true
}

func twoNodes(r *rand.Rand, t *target) (*variant, bool) {
	o := *t.others[r.IntN(len(t.others))]
	envelope := copies.Envelopes[r.IntN(len(copies.Envelopes))]
	by := time.Duration(r.IntN(20000)-10000) * time.Millisecond
	if r.IntN(3) == 0 {
		by = time.Duration(r.IntN(7200)-3600) * time.Second
	}
	other := t.abroad(&o).Moved(by)
	alike, renumbered := r.IntN(2) == 0, r.IntN(2) == 0
	_, pod, _ := strings.Cut(o.Truths[o.truth].Pod, "/")
	ns, _, _ := strings.Cut(o.Truths[o.truth].Pod, "/")
	_, own, _ := strings.Cut(t.Truths[t.truth].Pod, "/")
	names := strings.NewReplacer(ns+"/elsewhere-"+pod, t.Truths[t.truth].Pod, "elsewhere-"+pod, own)
	other.Each(func(_ *machine.Log, l *machine.Line) {
		if alike { // a StatefulSet's pod moved
			l.Text = names.Replace(l.Text)
		}
		if renumbered && l.PID > 1 {
			l.Text = strings.Replace(l.Text, fmt.Sprintf(" %d ", l.PID), fmt.Sprintf(" %d ", l.PID+901), 1)
			l.PID += 901
		}
	})
	host, one := []string{t.Name(), "n2"}[r.IntN(2)], r.IntN(2) == 0
	lines, order := copies.Joined(r, copies.Lines(t.Machine, envelope, t.Name()), copies.Lines(other, envelope, host))
	e := copies.Put(t.Entry, t.Machine, lines, one)
	if r.IntN(3) == 0 {
		e = e.Keep(func(p string) bool { return p != "cluster/events.json" })
	}
	theirs := o.ofTarget()
	theirs.id = turned(o.id)
	how := fmt.Sprintf("%s under %s of %s %s, envelope %s, one file: %v, one pod name: %v", o.Entry.Name, host, by, order,
		envelope, one, alike)
	return &variant{how: how, entry: e, judge: func() ([]string, *report.Report, error) {
		return together([]*entry.Entry{e}, []ofInstance{t.ofTarget(), theirs})
	}}, true
}
