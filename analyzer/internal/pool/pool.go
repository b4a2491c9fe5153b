// Package pool stores once what many verdicts of one report have in common: a hundred thousand restarts share a few
// hundred texts. It imports analyzer/report and analyzer/internal/slab; what verdicts mean never enters.
package pool

import (
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/slab"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// Pool dedupes what many verdicts of one report have in common: texts, lists of texts, which causes each fact rules
// out. Nothing that went through a pool may be changed afterwards. The zero value is ready to use; it is not safe for
// concurrent use.
type Pool struct {
	texts   map[string]string
	lists   map[string][]string
	uncited map[string]*report.Eliminated // facts without evidence
	// Blocks from which parts of many verdicts are allocated.
	chains  slab.Of[report.Link]
	missing slab.Of[report.Missing]
	others  slab.Of[report.Alternative]
	facts   slab.Of[report.Eliminated]
	ruled   slab.Of[*report.Eliminated]
	ids     slab.Of[string]
	times   slab.Of[time.Time]
	// Reused buffers.
	key   []byte
	draft []report.Eliminated // of the current verdict
	cited [][]string
}

func (p *Pool) ready() {
	if p.texts == nil {
		p.texts, p.lists, p.uncited = map[string]string{}, map[string][]string{}, map[string]*report.Eliminated{}
	}
}

// Share replaces the parts of a verdict by equal parts of earlier verdicts, and releases the spare capacity of its
// lists.
func (p *Pool) Share(v *report.Verdict) {
	p.ready()
	p.cited = p.cited[:0] // this verdict's lists of evidence: links and facts cite the same few
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
	for _, f := range v.Eliminated {
		f.Evidence = p.evidence(f.Evidence)
	}
}

// Cited returns the lists of ids that the last shared verdict cites, each once. They are valid until the next call of
// Share.
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

// Rule records that a fact rules a cause out.
func (p *Pool) Rule(cause, because string, evidence []string) {
	for i := range p.draft {
		if f := &p.draft[i]; f.Because == because && slices.Equal(f.Evidence, evidence) {
			f.Causes = append(f.Causes, cause)
			return
		}
	}
	// Reuse the memory of a fact of the previous verdict.
	p.draft = slices.Grow(p.draft, 1)[:len(p.draft)+1]
	f := &p.draft[len(p.draft)-1]
	f.Because, f.Evidence, f.Causes = because, evidence, append(f.Causes[:0], cause)
}

// Ruled returns what was ruled out since its last call, built from shared parts. Facts with evidence come before those
// without.
func (p *Pool) Ruled() report.Eliminations {
	p.ready()
	out := p.ruled.Take(len(p.draft))
	n := 0
	for _, cites := range []bool{true, false} {
		for i := range p.draft {
			if f := &p.draft[i]; len(f.Evidence) > 0 == cites {
				out[n] = p.fact(f)
				n++
			}
		}
	}
	p.draft = p.draft[:0]
	return out
}

// fact returns a fact of the draft to keep: one that cites nothing is the same for all verdicts.
func (p *Pool) fact(f *report.Eliminated) *report.Eliminated {
	if len(f.Evidence) > 0 {
		own := p.facts.New()
		*own = report.Eliminated{Because: p.text(f.Because), Evidence: f.Evidence, Causes: p.list(f.Causes)}
		return own
	}
	p.key = joined(append(append(p.key[:0], f.Because...), 0), f.Causes)
	have := p.uncited[string(p.key)]
	if have == nil {
		have = &report.Eliminated{Because: f.Because, Evidence: nothing, Causes: slices.Clone(f.Causes)}
		p.uncited[string(p.key)] = have
	}
	return have
}

// text returns an equal text of an earlier verdict, if there is one.
func (p *Pool) text(s string) string {
	if have, ok := p.texts[s]; ok {
		return have
	}
	p.texts[s] = s
	return s
}

// Time is report.Time, allocated from a block.
func (p *Pool) Time(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	at := p.times.New()
	*at = t.UTC()
	return at
}

func (p *Pool) list(l []string) []string {
	p.key = joined(p.key[:0], l)
	have, ok := p.lists[string(p.key)]
	if !ok {
		have = append([]string{}, l...) // the caller may reuse its own; never nil
		p.lists[string(p.key)] = have
	}
	return have
}

func joined(key []byte, l []string) []byte {
	for _, s := range l {
		key = append(append(key, s...), 0)
	}
	return key
}

var nothing = []string{} // an empty list that all links share
