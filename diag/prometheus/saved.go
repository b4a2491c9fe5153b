package prometheus

import (
	"bytes"
	"encoding/json"
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
	// Step is the interval between the points of containers' series, in seconds: the error of anything without its own
	// timestamp.
	Step    int           `json:"step"`
	Answers []QueryResult `json:"answers"`
}

// QueryResult is the answer to one query, over all of its chunks, in the API's format. An instant sample is a series of
// one point.
type QueryResult struct {
	Name   string       `json:"name"`
	Query  string       `json:"query"`
	Series model.Matrix `json:"series"`
}

// answer returns the series with a name.
func (s *Saved) answer(name string) model.Matrix {
	for i := range s.Answers {
		if s.Answers[i].Name == name {
			return s.Answers[i].Series
		}
	}
	return nil
}

// add appends an answer; a further chunk is appended to the existing answer.
func (s *Saved) add(name, query string, m model.Matrix) {
	for i := range s.Answers {
		if a := &s.Answers[i]; a.Name == name {
			a.Series = joined(a.Series, m)
			return
		}
	}
	s.Answers = append(s.Answers, QueryResult{name, query, m})
}

// joined appends the points of later chunks to those of earlier ones.
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

// encode writes the file: one series per line, for readability.
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
	return nodefile.Of(Kind, "", f, func(b nodefile.Observer, s *Saved) error {
		if s.Step <= 0 || s.Step > 86400 || s.From.IsZero() || !s.From.Before(s.Until) {
			return nodefile.ErrUnlikely
		}
		for i := range s.Answers {
			a := &s.Answers[i]
			a.Series = slices.DeleteFunc(a.Series, func(x *model.SampleStream) bool { return x == nil || len(x.Values) == 0 })
		}
		newReading(s, b.Builder).observe()
		return nil
	})
}
