package likelihood

import (
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
)

// Odds weighs the causes of one end. It serves one end after the other.
type Odds struct {
	look Look
	f    *finding.Findings
	hold []int // places of the facts that hold
}

// Weigh looks at an end.
func (o *Odds) Weigh(f *finding.Findings) {
	o.f, o.look, o.hold = f, LookOf(f), o.hold[:0]
	for i := range facts {
		if facts[i].holds(f) {
			o.hold = append(o.hold, i)
		}
	}
}

// Of is how likely a cause is that nothing but the look of the end speaks for, compared with
// the others of this end.
func (o *Odds) Of(id causes.ID) float64 { return o.times(share(o.f, o.look, id), id, false) }

// times applies the facts to a share; seen leaves out those that make it less likely.
func (o *Odds) times(n float64, id causes.ID, seen bool) float64 {
	for _, i := range o.hold {
		if times, ok := facts[i].times[id]; ok && (times > 1 || !seen) {
			n *= times
		}
	}
	return n
}

// Known reports whether ends that look like this one are known of a cause, however rarely.
func (o *Odds) Known(id causes.ID) bool {
	_, ok := known(o.look, id)
	return ok
}

// Fits reports whether a cause is known to leave an end that looks like this one.
func (o *Odds) Fits(id causes.ID) bool {
	n, ok := known(o.look, id)
	// Any cause fits an end of which nothing is known: one is offered where a fact speaks for it.
	return ok && (o.look != Unstated || o.times(n, id, false) >= 5*n)
}

// weight is what evidence adds to the share: a claim that a piece of evidence carries
// outweighs all that frequency says.
var weight = map[causes.Strength]float64{causes.Weak: 1, causes.Strong: 40, causes.Decisive: 10000}

// byDefault are the causes that are claimed where nothing speaks for another one. Their
// evidence is the exit code, which the look counts already.
var byDefault = map[causes.ID]bool{causes.AppExitError: true, causes.AppExitZero: true,
	causes.AppSignal: true, causes.InitContainerFailed: true, causes.OOMChildProcess: true}

// marked are the causes whose weak claims rest on a mark of this container, its hashes, its image, the runtime's
// label, and not on its exit code alone.
var marked = map[causes.ID]bool{causes.OOMChildProcess: true, causes.SpecImageChanged: true,
	causes.SpecChanged: true, causes.HashAPIServerChange: true, causes.HashKubeletUpgrade: true}

// compared is what the claim of such a cause adds.
const compared = 6

// silence is what the claim of such a cause adds.
const silence = 10

// The least share of a cause that evidence of its own speaks for: how rare it is among all
// ends of this look matters little then.
var least = map[causes.Strength]float64{causes.Weak: 3, causes.Strong: 10, causes.Decisive: 10}

// Weight is the likelihood of a cause with a claim of this strength.
func (o *Odds) Weight(id causes.ID, s causes.Strength) float64 {
	n := max(share(o.f, o.look, id), least[s])
	if s == causes.Strong && byDefault[id] {
		return silence * o.times(n, id, false)
	}
	if s == causes.Weak && marked[id] {
		return compared * o.times(n, id, true)
	}
	return weight[s] * o.times(n, id, s > causes.Weak)
}

// Lead is the share of all likelihood that a cause must have to be called likely.
const Lead = 0.85
