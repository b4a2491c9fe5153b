package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/test/field/internal/entry"
	"github.com/restartwhy/kubectl-restartwhy/test/internal/score"
)

// sources are the names of the tiers of evidence.
var sources = []string{"API alone", "with logs", "with node state"}

// halves are the parts with separate figures.
var halves = []struct {
	name string
	want func(judged) bool
}{{"open", open}, {"blind", blind}, {"both", anyOf}}

// print writes what is not right in the open half, and the figures of both.
func (s *sums) print(w io.Writer) {
	for _, j := range s.all {
		if open(j) && j.Outcome != score.Right {
			j.print(w)
		}
	}
	s.outcomes(w)
	s.calibration(w)
	s.leaks(w)
	s.withoutNames(w)
	all, unseen := s.count(anyOf), s.count(blind)
	decidable := s.count(func(j judged) bool { return blind(j) && j.decides() })
	likely := all.Words["likely"]
	fmt.Fprintf(w,
		"\nfield: %d entries, %d truths, %.1f %% right, %d silent, %d wrong (%.1f %% of %d likely), %d wrong proven; blind half: %d truths, %.1f %% right, %.1f %% of %d decidable right\n",
		s.entries, all.Judged, 100*all.Share(), all.Outcomes[score.Silent], all.Outcomes[score.Wrong],
		100*all.WrongShare(), likely.Said, all.Outcomes[score.WrongProven],
		unseen.Judged, 100*unseen.Share(), 100*decidable.Share(), decidable.Judged)
}

func (j judged) print(w io.Writer) {
	t := j.truth
	where := t.Pod
	if t.Container != "" {
		where += "/" + t.Container
	}
	truth := strings.Join(append([]string{t.Cause}, t.Also...), " or ")
	if !j.decides() {
		truth += ", not decidable: " + t.Why
	}
	fmt.Fprintf(w, "%s: %s, %s, %s\n  truth: %s\n  said:  ", j.Outcome, j.entry.Name, sources[j.entry.Tier], where, truth)
	if j.Item == nil {
		fmt.Fprintln(w, "nothing")
		for _, g := range j.gaps {
			fmt.Fprintf(w, "  gap:   %s: %s\n", g.Source, g.Why)
		}
		return
	}
	v := j.Item.Verdict
	fmt.Fprintf(w, "%s (%s, a %s)", v.Cause, v.Confidence, j.Item.Kind)
	for i, a := range v.Alternatives {
		word := []string{", beside ", ", "}[min(i, 1)]
		fmt.Fprintf(w, "%s%s (%s)", word, a.Cause, a.Confidence)
	}
	fmt.Fprintf(w, "\n         %s\n", v.Summary)
	if j.Outcome == score.WrongProven || j.Outcome == score.Silent {
		fmt.Fprintf(w, "  why:   %s\n", j.Why)
	}
}

// outcomes writes how often each outcome occurred, by half and source of evidence.
func (s *sums) outcomes(w io.Writer) {
	rows := [][]string{{"half", "evidence", "truths"}}
	for _, o := range score.Outcomes {
		rows[0] = append(rows[0], o.String())
	}
	rows[0] = append(rows[0], "right where decidable")
	for _, half := range halves {
		for tier := range len(sources) + 1 {
			name := "all"
			if tier < len(sources) {
				name = sources[tier]
			}
			in := func(j judged) bool { return half.want(j) && (tier == len(sources) || j.entry.Tier == tier) }
			decidable := s.count(func(j judged) bool { return in(j) && j.decides() })
			rows = append(rows, append(append([]string{half.name, name}, s.count(in).Cells()...),
				ratio(decidable.Outcomes[score.Right], decidable.Judged)))
		}
	}
	fmt.Fprintln(w)
	score.Lay(w, rows)
}

// leaks writes how much of the blind half is also in the open one, and what is left without it.
func (s *sums) leaks(w io.Writer) {
	torn := 0
	for _, both := range s.torn {
		if both {
			torn++
		}
	}
	alone := s.count(func(j judged) bool { return blind(j) && j.decides() && !s.torn[j.entry.Page()] })
	fmt.Fprintf(w,
		"\n%d of %d pages have entries in both halves; without them the blind half is right where decidable in %s\n",
		torn, len(s.torn), ratio(alone.Outcomes[score.Right], alone.Judged))
}

// withoutNames writes how many silent truths have their cause in the report, for a pod that it does not name.
func (s *sums) withoutNames(w io.Writer) {
	for _, half := range halves[:2] {
		silent := s.count(func(j judged) bool { return half.want(j) && j.Outcome == score.Silent })
		nameless := s.count(func(j judged) bool { return half.want(j) && j.nameless })
		fmt.Fprintf(w, "%s: %d silent, %d of them with the cause at a pod without a name\n",
			half.name, silent.Judged, nameless.Judged)
	}
}

// calibration writes how reliable the levels of confidence are: likely should be right, possible should name the truth.
func (s *sums) calibration(w io.Writer) {
	rows := [][]string{{"half", "said", "times", "right", "truth named"}}
	for _, half := range halves {
		words := s.count(half.want).Words
		for _, word := range score.Words {
			n := words[word]
			rows = append(rows, []string{half.name, word, fmt.Sprint(n.Said), ratio(n.Right, n.Said), ratio(n.Named, n.Said)})
		}
	}
	fmt.Fprintln(w)
	score.Lay(w, rows)
}

func ratio(n, of int) string {
	if of == 0 {
		return "-"
	}
	return fmt.Sprintf("%d of %d, %.1f %%", n, of, 100*float64(n)/float64(of))
}

// find returns the entry with that name, or an error if it is blind.
func find(entries []*entry.Entry, name string) (*entry.Entry, error) {
	for _, e := range entries {
		switch {
		case e.Name != name:
		case e.Blind():
			return nil,
				fmt.Errorf(
					"show entry %s: it is of the blind half: who has seen it makes rules that fit it, and its figures say nothing more", name)
		default:
			return e, nil
		}
	}
	return nil, fmt.Errorf("show entry %s: there is none of that name, or its form is refused", name)
}
