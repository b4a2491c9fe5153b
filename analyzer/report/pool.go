package report

import (
	"slices"
	"time"
)

// Pool shares between the verdicts of one report what is the same in many of
// them: texts, lists of texts, which causes fall to which fact. Nothing that went
// through a pool may be changed afterwards. The zero value is ready; it serves one
// goroutine.
type Pool struct {
	texts  map[string]string
	lists  map[string][]string
	shapes map[uint64][][]fallen     // by a hash that only tells most of them apart
	facts  map[string]*contradiction // those that cite nothing
	// Blocks that many verdicts have their parts in.
	chains  slab[Link]
	missing slab[Missing]
	others  slab[Alternative]
	found   slab[*contradiction]
	made    slab[contradiction]
	ids     slab[string]
	times   slab[time.Time]
	// Room that is used again and again.
	key    []byte
	causes []fallen
	places []place
	cited  [][]string
}

// place is a fact of the verdict in work, and the one that all verdicts share, if it is such a one.
type place struct {
	contradiction
	shared *contradiction
}

func (p *Pool) ready() {
	if p.texts == nil {
		p.texts, p.lists, p.shapes, p.facts = map[string]string{}, map[string][]string{}, map[uint64][][]fallen{}, map[string]*contradiction{}
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
	v.Chain, v.Missing, v.Alternatives = p.chains.fit(v.Chain), p.missing.fit(v.Missing), p.others.fit(v.Alternatives)
	v.Actions = p.list(v.Actions)
	for _, f := range v.Eliminated.facts {
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
	ids = p.ids.fit(ids)
	p.cited = append(p.cited, ids)
	return ids
}

// Eliminate makes Eliminations of lists, in their order, out of shared parts. The
// lists are not kept.
func (p *Pool) Eliminate(lists ...[]Eliminated) Eliminations {
	p.ready()
	p.causes, p.places = p.causes[:0], p.places[:0]
	for _, l := range lists {
		for i := range l {
			p.causes = append(p.causes, fallen{l[i].Cause, p.fact(&l[i])})
		}
	}
	facts := p.found.take(len(p.places))
	for i := range p.places {
		f := &p.places[i]
		if facts[i] = f.shared; f.shared == nil {
			own := p.made.take(1)
			own[0] = f.contradiction
			facts[i] = &own[0]
		}
	}
	return Eliminations{causes: p.shape(p.causes), facts: facts}
}

// fact is the place of what contradicts a cause, among those of the verdict in work.
func (p *Pool) fact(e *Eliminated) int {
	for i := range p.places {
		if f := &p.places[i]; f.because == e.Because && slices.Equal(f.evidence, e.Evidence) {
			return i
		}
	}
	f := place{contradiction: contradiction{e.Because, e.Evidence}}
	if len(e.Evidence) > 0 {
		f.because = p.text(e.Because)
	} else if f.shared = p.facts[e.Because]; f.shared == nil {
		f.shared = &contradiction{p.text(e.Because), nothing}
		p.facts[f.shared.because] = f.shared
	}
	p.places = append(p.places, f)
	return len(p.places) - 1
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
	at := p.times.take(1)
	at[0] = t.UTC()
	return &at[0]
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
		have = list(p.ids.fit(l))
		p.lists[string(p.key)] = have
	}
	return have
}

// shape returns the same causes falling to the facts at the same places, from another verdict if one has it. The names of
// the causes are compared, not hashed: most of them are the same string as before (1 µs less for each restart).
func (p *Pool) shape(causes []fallen) []fallen {
	h := uint64(14695981039346656037) // FNV-1a
	for _, c := range causes {
		h = (h ^ uint64(len(c.cause))<<16 ^ uint64(c.fact)) * 1099511628211
	}
	for _, have := range p.shapes[h] {
		if slices.Equal(have, causes) {
			return have
		}
	}
	have := slices.Clone(causes)
	p.shapes[h] = append(p.shapes[h], have)
	return have
}

var nothing = []string{} // an empty list that every link may have
