package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/restartwhy/kubectl-restartwhy/test/internal/score"
)

func (s *sums) print(w io.Writer, verbose bool) {
	if verbose {
		for _, r := range s.remarks {
			fmt.Fprintln(w, "not right, and not called proven:", r)
		}
	}
	for _, f := range s.failures {
		fmt.Fprintln(w, "FAILED:", f)
	}
	for _, part := range []struct {
		title string
		tally *score.Tally
	}{
		{"Every entry as it is", &s.tiers},
		{"With evidence taken away (sources, log levels, events, single lines)", &s.poorer},
		{"With parts of logs cut out", &s.cut},
	} {
		fmt.Fprintf(w, "\n%s:\n", part.title)
		part.tally.Calibration(w, "tier")
		fmt.Fprintln(w)
		part.tally.Outcomes(w, "tier")
	}
	top, api := s.whole.Sum(), s.tiers.Row("0")
	tiers, poorer := s.tiers.Sum(), s.poorer.Sum()
	fmt.Fprintf(w,
		"\ncorpus: %d entries, %d truths, %.1f %% right with full evidence (%d verdicts), %.1f %% with the API alone, %d wrong proven, %d of %d equal variants differ, %d failures, "+
			"wrong at likely %.2f %% as it is and %.2f %% with evidence taken away\n",
		s.entries, s.truths, 100*top.Share(), top.Judged, 100*api.Share(), s.wrongProven(),
		s.unequal, s.equal, len(s.failures),
		100*tiers.WrongShare(), 100*poorer.WrongShare())
}

func (s *sums) wrongProven() int {
	return s.tiers.Sum().Outcomes[score.WrongProven] + s.poorer.Sum().Outcomes[score.WrongProven] +
		s.cut.Sum().Outcomes[score.WrongProven]
}

func (s *sums) verdict() error {
	top, api := s.whole.Sum(), s.tiers.Row("0")
	tiers, poorer := s.tiers.Sum(), s.poorer.Sum()
	switch {
	case s.entries == 0 || top.Judged == 0:
		return errors.New("judge corpus: nothing to judge")
	case s.wrongProven() > 0:
		return fmt.Errorf("judge corpus: %d verdicts are wrongly proven", s.wrongProven())
	case top.Share() < promisedFull || api.Share() < promisedAPI:
		return fmt.Errorf(
			"judge corpus: %.1f %% right with full evidence and %.1f %% with the API alone, want %.0f %% and %.0f %%",
			100*top.Share(), 100*api.Share(), 100*promisedFull, 100*promisedAPI)
	case s.every && tiers.WrongShare() > wrongAsItIs || s.all && poorer.WrongShare() > wrongPoorer:
		return fmt.Errorf(
			"judge corpus: of what is called likely %.2f %% is wrong as it is and %.2f %% with evidence taken away, want at most %.2f %% and %.2f %%",
			100*tiers.WrongShare(), 100*poorer.WrongShare(), 100*wrongAsItIs, 100*wrongPoorer)
	case len(s.failures) > 0:
		return fmt.Errorf("judge corpus: %d entries fall short of what they ask for", len(s.failures))
	}
	return nil
}
