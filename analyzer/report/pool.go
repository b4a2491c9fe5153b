package report

import (
	"encoding/binary"
	"slices"
)

// Pool shares between the verdicts of one report what is the same in many of
// them: texts, lists of texts, which causes fall to which fact. Nothing that went
// through a pool may be changed afterwards. The zero value is ready; it serves one
// goroutine.
type Pool struct {
	texts  map[string]string
	lists  map[string][]string
	shapes map[string][]fallen
	facts  map[string]*contradiction // those that cite nothing
	// Room that is used again and again.
	key    []byte
	causes []fallen
	found  []place
	own    []contradiction
	cited  [][]string
}

// place is a fact of the verdict in work: one that all share, else one of its own.
type place struct {
	shared *contradiction
	own    int
}

func (p *Pool) at(f place) *contradiction {
	if f.shared != nil {
		return f.shared
	}
	return &p.own[f.own]
}

func (p *Pool) ready() {
	if p.texts == nil {
		p.texts, p.lists, p.shapes, p.facts = map[string]string{}, map[string][]string{}, map[string][]fallen{}, map[string]*contradiction{}
	}
}

// Share replaces the parts of a verdict by equal ones that other verdicts have
// already, and lets go of the room that its lists were grown with.
func (p *Pool) Share(v *Verdict) {
	p.ready()
	p.cited = p.cited[:0] // the lists of this verdict's evidence: links and facts cite the same few
	evidence := func(ids []string) []string {
		if len(ids) == 0 {
			return nothing
		}
		for _, have := range p.cited {
			if slices.Equal(have, ids) {
				return have
			}
		}
		ids = fit(ids)
		p.cited = append(p.cited, ids)
		return ids
	}
	v.Summary = p.text(v.Summary)
	for i := range v.Chain {
		l := &v.Chain[i]
		l.Text, l.Evidence = p.text(l.Text), evidence(l.Evidence)
	}
	for i := range v.Alternatives {
		a := &v.Alternatives[i]
		a.Text, a.Evidence = p.text(a.Text), evidence(a.Evidence)
	}
	for i := range v.Missing {
		m := &v.Missing[i]
		m.What, m.Consequence, m.Command = p.text(m.What), p.text(m.Consequence), p.text(m.Command)
	}
	v.Chain, v.Missing, v.Alternatives = fit(v.Chain), fit(v.Missing), fit(v.Alternatives)
	v.Actions = p.list(v.Actions)
	for _, f := range v.Eliminated.facts {
		f.evidence = evidence(f.evidence)
	}
}

// Eliminate makes Eliminations of lists, in their order, out of shared parts. The
// lists are not kept.
func (p *Pool) Eliminate(lists ...[]Eliminated) Eliminations {
	p.ready()
	p.causes, p.found, p.own = p.causes[:0], p.found[:0], p.own[:0]
	for _, l := range lists {
		for i := range l {
			p.causes = append(p.causes, fallen{l[i].Cause, p.fact(&l[i])})
		}
	}
	own, facts := slices.Clone(p.own), make([]*contradiction, len(p.found))
	for i, f := range p.found {
		if facts[i] = f.shared; f.shared == nil {
			facts[i] = &own[f.own]
		}
	}
	return Eliminations{causes: p.shape(p.causes), facts: facts}
}

func (p *Pool) fact(e *Eliminated) int {
	for i := range p.found {
		f := p.at(p.found[i])
		if f.because == e.Because && slices.Equal(f.evidence, e.Evidence) {
			return i
		}
	}
	if len(e.Evidence) == 0 {
		f := p.facts[e.Because]
		if f == nil {
			f = &contradiction{p.text(e.Because), nothing}
			p.facts[f.because] = f
		}
		p.found = append(p.found, place{shared: f})
	} else {
		p.own = append(p.own, contradiction{p.text(e.Because), e.Evidence})
		p.found = append(p.found, place{own: len(p.own) - 1})
	}
	return len(p.found) - 1
}

// text returns the same text, from another verdict if one has it.
func (p *Pool) text(s string) string {
	if have, ok := p.texts[s]; ok {
		return have
	}
	p.texts[s] = s
	return s
}

func (p *Pool) list(l []string) []string {
	p.key = p.key[:0]
	for _, s := range l {
		p.key = append(append(p.key, s...), 0)
	}
	have, ok := p.lists[string(p.key)]
	if !ok {
		have = list(fit(l))
		p.lists[string(p.key)] = have
	}
	return have
}

func (p *Pool) shape(causes []fallen) []fallen {
	p.key = p.key[:0]
	for _, c := range causes {
		p.key = binary.AppendUvarint(append(append(p.key, c.cause...), 0), uint64(c.fact))
	}
	have, ok := p.shapes[string(p.key)]
	if !ok {
		have = slices.Clone(causes)
		p.shapes[string(p.key)] = have
	}
	return have
}

// fit copies a list whose room is larger than it needs.
func fit[T any](l []T) []T {
	if cap(l) == len(l) {
		return l
	}
	return append(make([]T, 0, len(l)), l...)
}

var nothing = []string{} // an empty list that every link may have
