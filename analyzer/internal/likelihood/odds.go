package likelihood

import (
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
)

// Odds weighs the causes of one end. It is reused for one end after the other.
type Odds struct {
	look Look
	f    *finding.Findings
	hold []int // indexes of the facts that hold
}

// Weigh prepares it for an end.
func (o *Odds) Weigh(f *finding.Findings) {
	o.f, o.look, o.hold = f, LookOf(f), o.hold[:0]
	for i := range facts {
		if facts[i].holds(f) {
			o.hold = append(o.hold, i)
		}
	}
}

// Of returns the likelihood of a cause that only the form of the end suggests, relative to the others of this end.
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

// Known reports whether a cause is known for ends of this form, however rare.
func (o *Odds) Known(id causes.ID) bool {
	_, ok := known(o.look, id)
	return ok
}

// Fits reports whether a cause is known to leave an end of this form.
func (o *Odds) Fits(id causes.ID) bool {
	n, ok := known(o.look, id)
	// Any cause fits an end without details: one is offered only where a fact suggests it.
	return ok && (o.look != Unstated || o.times(n, id, false) >= 5*n)
}

// weight is the factor for evidence: a claim with evidence outweighs all that frequency says.
var weight = map[causes.Strength]float64{causes.Weak: 1, causes.Strong: 40, causes.Decisive: 10000}

// byDefault are the causes that are claimed where nothing suggests another one. Their evidence is the exit code, which
// the form already includes.
var byDefault = map[causes.ID]bool{causes.AppExitError: true, causes.AppExitZero: true,
	causes.AppSignal: true, causes.InitContainerFailed: true, causes.OOMChildProcess: true}

// marked are the causes whose weak claims rest on a feature of this container (its hashes, its image, the runtime's
// label) and not on its exit code alone.
var marked = map[causes.ID]bool{causes.OOMChildProcess: true, causes.SpecImageChanged: true,
	causes.SpecChanged: true, causes.HashAPIServerChange: true, causes.HashKubeletUpgrade: true}

// compared is the factor for the claim of such a cause.
const compared = 6

// silence is the factor for the claim of a cause in byDefault.
const silence = 10

// The least share of a cause with its own evidence: its rarity among all ends of this form then matters little.
var least = map[causes.Strength]float64{causes.Weak: 3, causes.Strong: 10, causes.Decisive: 10}

// Weight returns the likelihood of a cause with a claim of this strength.
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

// Lead is the share of the total likelihood that a cause needs to be likely.
const Lead = 0.85
