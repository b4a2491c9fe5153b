package prometheus

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/prometheus/common/model"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/nodefile"
)

// Saved is the content of the file.
type Saved struct {
	From  time.Time `json:"from"`
	Until time.Time `json:"until"`
	// Step is how far apart the points of container's series are, in seconds: the error of what no value dates.
	Step    int           `json:"step"`
	Answers []QueryResult `json:"answers"`
}

// QueryResult is what one query gave, over all of its chunks, as the API spells it. A point at one moment is a series
// of one.
type QueryResult struct {
	Name   string       `json:"name"`
	Query  string       `json:"query"`
	Series model.Matrix `json:"series"`
}

// answer returns the series of a name.
func (s *Saved) answer(name string) model.Matrix {
	for i := range s.Answers {
		if s.Answers[i].Name == name {
			return s.Answers[i].Series
		}
	}
	return nil
}

// add appends an answer; a chunk of one that is there goes behind it.
func (s *Saved) add(name, query string, m model.Matrix) {
	for i := range s.Answers {
		if a := &s.Answers[i]; a.Name == name {
			a.Series = joined(a.Series, m)
			return
		}
	}
	s.Answers = append(s.Answers, QueryResult{name, query, m})
}

// joined puts the points of later chunks behind those of earlier ones.
func joined(have, more model.Matrix) model.Matrix {
	places := make(map[model.Fingerprint]int, len(have))
	for i, s := range have {
		places[s.Metric.Fingerprint()] = i
	}
	for _, s := range more {
		if i, ok := places[s.Metric.Fingerprint()]; ok {
			have[i].Values = append(have[i].Values, s.Values...)
			continue
		}
		have = append(have, s)
	}
	return have
}

// encode writes the file: one series a line, so that a person can read it.
func (s *Saved) encode() (evidence.File, error) {
	compact, err := json.Marshal(s)
	if err != nil {
		return evidence.File{}, err
	}
	compact = bytes.ReplaceAll(compact, []byte(`{"metric":`), []byte("\n{\"metric\":"))
	return evidence.Bytes(Path, append(compact, '\n')), nil
}

// NewPiece returns the piece of a stored file.
func NewPiece(f evidence.File) evidence.RawEvidence {
	return nodefile.New(Kind, "", f, func(b *evidence.Builder, data []byte) error {
		var s Saved
		if err := json.Unmarshal(data, &s); err != nil {
			return err
		}
		if s.Step <= 0 || s.Step > 86400 || s.From.IsZero() || !s.From.Before(s.Until) {
			return errors.New("it is not as it was written")
		}
		for i := range s.Answers {
			a := &s.Answers[i]
			a.Series = slices.DeleteFunc(a.Series, func(x *model.SampleStream) bool { return x == nil || len(x.Values) == 0 })
		}
		newReading(&s, b).observe()
		return nil
	})
}
