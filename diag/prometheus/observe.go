package prometheus

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/prometheus/common/model"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/cgroup"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
	"github.com/restartwhy/kubectl-restartwhy/diag/skew"
)

// subject is a container, or a pod if container is "".
type subject struct{ namespace, pod, uid, container string }

type nameClaim struct{ uid, node string }

// reading turns answers into facts.
type reading struct {
	s      *Saved
	b      *evidence.Builder
	step   time.Duration
	claims map[[2]string][]nameClaim
	nodes  map[string]bool
	// apart: the clock of the monitoring system differs from the nodes', so only values that are timestamps themselves
	// are kept.
	apart bool
	// Counts of what is left out.
	unclear, differing, fell, between int
}

func newReading(s *Saved, b *evidence.Builder) *reading {
	r := &reading{s: s, b: b, step: evidence.Seconds(s.Step), claims: map[[2]string][]nameClaim{},
		nodes: map[string]bool{}}
	for _, x := range s.answer("bearers") {
		name, one := [2]string{
			label(x.Metric, "namespace"),
			label(x.Metric, "pod"),
		}, nameClaim{
			string(x.Metric["uid"]),
			string(x.Metric["node"]),
		}
		if !slices.Contains(r.claims[name], one) {
			r.claims[name] = append(r.claims[name], one)
		}
		r.node(one.node)
	}
	for _, name := range []string{"kubelets", kubeletNode} {
		for _, x := range s.answer(name) {
			r.node(string(x.Metric["node"]))
		}
	}
	return r
}

func (r *reading) node(name string) {
	if name = safetext.Ident(name); name != "" {
		r.nodes[name] = true
	}
}

func (r *reading) observe() {
	r.clocks()
	r.restarts()
	r.probes()
	r.memory()
	r.evictions()
	r.kubelets()
	r.boots()
	r.reach()
	for _, g := range []struct {
		n         int
		why, hint string
	}{
		{r.unclear, "%d series are left out: several pods had the name, and the series have no UID",
			"kube-state-metrics 2 gives the UID"},
		{r.differing, "the restart counts of %d containers differ between replicas: they are left out",
			"several clusters in one store need a label each, and a query for one"},
		{r.fell, "%d restart counters were reset; resets are not counted as restarts", ""},
		{r.between, "%d restarts happened between two scrapes, so no details are known", ""},
	} {
		if g.n > 0 {
			r.b.Gap(evidence.Gap{Source: Kind, Why: fmt.Sprintf(g.why, g.n), Hint: g.hint})
		}
	}
}

// about returns the subject that the labels of a series name. uid is the series' own, "" if it has none.
func (r *reading) about(m model.Metric, uid string) (subject, bool) {
	who := subject{label(m, "namespace"), label(m, "pod"), uid, label(m, "container")}
	if who.namespace == "" || who.pod == "" {
		return who, false
	}
	if who.uid == "" {
		uids := map[string]bool{}
		for _, b := range r.claims[[2]string{who.namespace, who.pod}] {
			uids[b.uid] = true
		}
		if len(uids) != 1 {
			r.unclear++
			return who, false
		}
		for who.uid = range uids {
		}
	}
	return who, who.uid != ""
}

// subject is the subject of an observation, with the node if there is only one.
func (r *reading) subject(who subject) evidence.Subject {
	out := evidence.Subject{Namespace: who.namespace, Pod: who.pod, PodUID: who.uid, Container: who.container}
	for _, b := range r.claims[[2]string{who.namespace, who.pod}] {
		switch {
		case b.uid != who.uid || b.node == "" || b.node == out.Node:
		case out.Node == "":
			out.Node = b.node
		default:
			out.Node = ""
			return out
		}
	}
	return out
}

func (r *reading) put(at time.Time, about evidence.Subject, series string, f evidence.Fact, text string) {
	r.b.Observe(evidence.Observation{
		Time: at, Subject: about, Fact: f, Text: safetext.Clean(text),
		Source: evidence.Source{Kind: Kind, Node: about.Node, Where: series},
	})
}

// point is one sample.
type point struct {
	at time.Time
	v  float64
}

func points(x *model.SampleStream) []point {
	out := make([]point, 0, len(x.Values))
	for _, p := range x.Values {
		out = append(out, point{p.Timestamp.Time().UTC(), float64(p.Value)})
	}
	slices.SortStableFunc(out, func(a, b point) int { return a.at.Compare(b.at) })
	return out
}

// moment converts a value that is a time in seconds; ok is false if it cannot be one.
func moment(v float64) (at time.Time, ok bool) {
	if v < 1e9 || v > 1e11 {
		return time.Time{}, false
	}
	return time.UnixMilli(int64(v * 1000)).UTC(), true
}

// clocks compares the monitoring system's clock with the nodes': the first sample of a started container comes right
// after the start, unless one of the clocks is wrong.
func (r *reading) clocks() {
	var late []skew.Comparison
	for _, x := range r.s.answer(stateStarted) {
		for i, p := range points(x) {
			if started, ok := moment(p.v); ok && i > 0 {
				late = append(late, skew.Comparison{At: p.at, Late: p.at.Sub(started)})
			}
		}
	}
	least, most, pairs := skew.Agree(skew.Moments(late, r.step), r.step+settles)
	if pairs == 0 || least >= -ahead && most <= r.step+2*settles {
		return
	}
	r.apart = true
	r.b.Gap(
		evidence.Gap{
			Source: Kind,
			Why: fmt.Sprintf(
				"the clocks of the monitoring system and of the nodes are about %s apart: only what a value dates is used",
				(least+most).Abs().Round(time.Second)/2,
			),
		},
	)
}

const (
	// settles is how long an event on a node takes to reach the exporter.
	settles = 30 * time.Second
	// ahead is how much a node's own clock may be ahead.
	ahead = 5 * time.Second
)

// probes reads the failed probes that can end a container.
func (r *reading) probes() {
	counters := map[string]evidence.Counter{"Liveness": evidence.CountedLiveness, "Startup": evidence.CountedStartup}
	before := map[model.Fingerprint]float64{}
	for _, x := range r.s.answer("probes before") {
		before[x.Metric.Fingerprint()] = points(x)[0].v
	}
	for _, x := range r.s.answer(probeTotal) {
		who, ok := r.about(x.Metric, string(x.Metric["pod_uid"]))
		counter := counters[string(x.Metric["probe_type"])]
		if ok && counter != "" && who.container != "" {
			r.rises(who, probeTotal, counter, points(x), before[x.Metric.Fingerprint()])
		}
	}
}

// rises emits each increase of a counter. One that fell was reset.
func (r *reading) rises(who subject, series string, c evidence.Counter, all []point, last float64) {
	about := r.subject(who)
	for _, p := range all {
		by := p.v - last
		if by < 0 {
			by = p.v
		}
		if last = p.v; by < 1 || by > 1e6 || r.apart {
			continue
		}
		r.put(p.at, about, series, evidence.Counted{Counter: c, By: int(by), Since: p.at.Add(-r.step)},
			fmt.Sprintf("%s (%s) of %s/%s, container %s: +%d to %d between %s and %s", series, c, who.namespace, who.pod,
				who.container, int(by), int(p.v), clockTime(p.at.Add(-r.step)), clockTime(p.at)))
	}
}

func clockTime(t time.Time) string { return t.Format(time.RFC3339) }

// memory reads kills for memory, and stretches just below a limit.
func (r *reading) memory() {
	uid := func(m model.Metric) string {
		ref, _ := cgroup.ParsePath(string(m["id"]))
		return ref.PodUID
	}
	for _, x := range r.s.answer(oomEvents) {
		if who, ok := r.about(x.Metric, uid(x.Metric)); ok && who.container != "" {
			r.rises(who, oomEvents, evidence.CountedOOM, points(x), 0)
		}
	}
	for _, x := range r.s.answer(workingSet) {
		who, ok := r.about(x.Metric, uid(x.Metric))
		if !ok || who.container == "" || r.apart {
			continue
		}
		all := points(x)
		since := time.Time{}
		for i, p := range all {
			if since.IsZero() {
				since = p.at
			}
			if i+1 < len(all) && all[i+1].at.Sub(p.at) <= 2*r.step {
				continue
			}
			r.put(p.at, r.subject(who), workingSet, evidence.MemoryNear{WorkingSet: int64(p.v), Since: since},
				fmt.Sprintf("%s of %s/%s, container %s: above 90 %% of its limit from %s to %s, last %d MiB", workingSet,
					who.namespace, who.pod, who.container, clockTime(since), clockTime(p.at), int64(p.v)>>20))
			since = time.Time{}
		}
	}
}

// evictions reads which pods were evicted by their nodes.
func (r *reading) evictions() {
	for _, x := range r.s.answer(podReason) {
		who, ok := r.about(x.Metric, string(x.Metric["uid"]))
		at, dated := moment(points(x)[0].v)
		if !ok || !dated || r.apart {
			continue
		}
		who.container = ""
		reason := safetext.Ident(string(x.Metric["reason"]))
		about := r.subject(who)
		r.put(at, about, podReason, evidence.PodEvicted{Reason: reason, Resource: r.pressure(about.Node, at)},
			fmt.Sprintf("%s of %s/%s: reason %s, first seen at %s", podReason, who.namespace, who.pod, reason, clockTime(at)))
	}
}

// reach determines the times over which anything was scraped at all.
func (r *reading) reach() {
	var all []point
	for _, x := range r.s.answer("reach") {
		all = append(all, points(x)...)
	}
	if len(all) == 0 {
		return
	}
	every := r.step
	if len(all) > 1 {
		every = max(every, all[1].at.Sub(all[0].at))
		for i := 2; i < len(all); i++ {
			every = max(r.step, min(every, all[i].at.Sub(all[i-1].at)))
		}
	}
	if all[0].at.Sub(r.s.From) > 2*every {
		r.b.Gap(evidence.Gap{Source: Kind, Why: "nothing is remembered from before " + clockTime(all[0].at)})
	}
	probing, killing := map[string]int{}, map[string]time.Time{}
	for _, x := range r.s.answer("probing") {
		if x.Metric["series"] == "kills" {
			if at, ok := moment(points(x)[0].v); ok {
				killing[safetext.Ident(string(x.Metric["nodename"]))] = at
			}
			continue
		}
		probing[safetext.Ident(string(x.Metric["node"]))] = evidence.MetricsTellProbes
	}
	begin, holes := all[0].at, 0
	for i, p := range all {
		if i+1 < len(all) && all[i+1].at.Sub(p.at) <= 3*every/2 {
			continue
		}
		for _, node := range slices.Sorted(maps.Keys(r.nodes)) {
			r.b.Cover(evidence.Coverage{Source: Kind, Node: node, From: begin, Until: p.at, Verbosity: probing[node]})
			if since, ok := killing[node]; ok && since.Before(p.at) && !r.apart {
				r.b.Cover(evidence.Coverage{Source: evidence.SourceHostMetrics, Node: node,
					From: evidence.Later(begin, since), Until: p.at})
			}
		}
		if i+1 == len(all) {
			break
		}
		if begin = all[i+1].at; holes < 3 {
			r.b.Gap(evidence.Gap{Source: Kind, Why: "nothing was scraped from " + clockTime(p.at) + " to " + clockTime(begin)})
		}
		holes++
	}
}
