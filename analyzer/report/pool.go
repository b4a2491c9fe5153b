package report

import (
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/slab"
)

// Pool shares between the verdicts of one report what is the same in many of
// them: texts, lists of texts, which causes fall to which fact. Nothing that went
// through a pool may be changed afterwards. The zero value is ready; it serves one
// goroutine.
type Pool struct {
	texts  map[string]string
	lists  map[string][]string
	shapes map[uint64][]*shape       // by a hash that only tells most of them apart
	facts  map[string]*contradiction // those that cite nothing
	// Blocks that many verdicts have their parts in.
	chains  slab.Of[Link]
	missing slab.Of[Missing]
	others  slab.Of[Alternative]
	ruled   slab.Of[contradiction]
	ids     slab.Of[string]
	times   slab.Of[time.Time]
	// Room that is used again and again.
	key   []byte
	draft shape
	own   []contradiction
	cited [][]string
}

func (p *Pool) ready() {
	if p.texts == nil {
		p.texts, p.lists, p.shapes, p.facts = map[string]string{}, map[string][]string{}, map[uint64][]*shape{}, map[string]*contradiction{}
	}
}

// Share replaces the parts of a verdict by equal ones that other verdicts have
// already, and lets go of the room that its lists were grown with.
func (p *Pool) Share(v *Verdict) {
	p.ready()
	p.cited = p.cited[:0] // the lists of this verdict's evidence: links and facts cite the same few
	v.Summary = p.text(v.Summary)
	for i := range v.Chain {
		l := &v.Chain[i]
		l.Text, l.Evidence = p.text(l.Text), p.evidence(l.Evidence)
	}
	for i := range v.Alternatives {
		a := &v.Alternatives[i]
		a.Text, a.Evidence = p.text(a.Text), p.evidence(a.Evidence)
	}
	for i := range v.Missing {
		m := &v.Missing[i]
		m.What, m.Consequence, m.Command = p.text(m.What), p.text(m.Consequence), p.text(m.Command)
	}
	v.Chain, v.Missing, v.Alternatives = p.chains.Fit(v.Chain), p.missing.Fit(v.Missing), p.others.Fit(v.Alternatives)
	v.Actions = p.list(v.Actions)
	for i := range v.Eliminated.own {
		f := &v.Eliminated.own[i]
		f.evidence = p.evidence(f.evidence)
	}
}

// Cited are the lists of ids that the verdict shared last cites, each once, until the
// next one is shared.
func (p *Pool) Cited() [][]string { return p.cited }

func (p *Pool) evidence(ids []string) []string {
	if len(ids) == 0 {
		return nothing
	}
	for _, have := range p.cited {
		if slices.Equal(have, ids) {
			return have
		}
	}
	ids = p.ids.Fit(ids)
	p.cited = append(p.cited, ids)
	return ids
}

// Eliminate makes Eliminations of lists, in their order, out of shared parts. The
// lists are not kept.
func (p *Pool) Eliminate(lists ...[]Eliminated) Eliminations {
	p.ready()
	p.draft, p.own = shape{p.draft.causes[:0], p.draft.shared[:0]}, p.own[:0]
	for _, l := range lists {
		for i := range l {
			p.draft.causes = append(p.draft.causes, fallen{l[i].Cause, p.fact(&l[i])})
		}
	}
	own := p.ruled.Take(len(p.own))
	copy(own, p.own)
	return Eliminations{shape: p.shape(), own: own}
}

// fact is the place of what contradicts a cause, among those of the verdict in work.
func (p *Pool) fact(e *Eliminated) int {
	if len(e.Evidence) > 0 {
		for i := range p.own {
			if f := &p.own[i]; f.because == e.Because && slices.Equal(f.evidence, e.Evidence) {
				return i
			}
		}
		p.own = append(p.own, contradiction{p.text(e.Because), e.Evidence})
		return len(p.own) - 1
	}
	for i, f := range p.draft.shared {
		if f.because == e.Because {
			return -i - 1
		}
	}
	f := p.facts[e.Because]
	if f == nil {
		f = &contradiction{p.text(e.Because), nothing}
		p.facts[f.because] = f
	}
	p.draft.shared = append(p.draft.shared, f)
	return -len(p.draft.shared)
}

// text returns the same text, from another verdict if one has it.
func (p *Pool) text(s string) string {
	if have, ok := p.texts[s]; ok {
		return have
	}
	p.texts[s] = s
	return s
}

// Time is the package's Time, out of a block.
func (p *Pool) Time(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	at := p.times.New()
	*at = t.UTC()
	return at
}

// Text returns the text of the bytes, which are not kept, from another verdict if one
// has it.
func (p *Pool) Text(b []byte) string {
	p.ready()
	if have, ok := p.texts[string(b)]; ok {
		return have
	}
	return p.text(string(b))
}

func (p *Pool) list(l []string) []string {
	p.key = p.key[:0]
	for _, s := range l {
		p.key = append(append(p.key, s...), 0)
	}
	have, ok := p.lists[string(p.key)]
	if !ok {
		have = list(p.ids.Fit(l))
		p.lists[string(p.key)] = have
	}
	return have
}

// shape returns the draft, from another verdict if one has it. The names of the causes are
// compared, not hashed: most of them are the very same string (1 µs less for each restart).
func (p *Pool) shape() *shape {
	h := uint64(14695981039346656037) // FNV-1a
	for _, c := range p.draft.causes {
		h = (h ^ uint64(len(c.cause))<<16 ^ uint64(c.fact)) * 1099511628211
	}
	for _, f := range p.draft.shared {
		h = (h ^ uint64(len(f.because))) * 1099511628211
	}
	for _, have := range p.shapes[h] {
		if slices.Equal(have.causes, p.draft.causes) && slices.Equal(have.shared, p.draft.shared) {
			return have
		}
	}
	have := &shape{slices.Clone(p.draft.causes), slices.Clone(p.draft.shared)}
	p.shapes[h] = append(p.shapes[h], have)
	return have
}

var nothing = []string{} // an empty list that every link may have
