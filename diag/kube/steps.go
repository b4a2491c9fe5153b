package kube

import (
	"io"
	"net/http"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/pace"
)

// steps reports each received part of an answer as progress (pace.Step): a page of 500 pods is a megabyte or more, and
// an overloaded or distant API server may take longer for it than the time limit for silence.
type steps struct{ http.RoundTripper }

func (s steps) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := s.RoundTripper.RoundTrip(r)
	if answer != nil && answer.Body != nil {
		pace.Step(r.Context())
		answer.Body = &stepping{answer.Body, r}
	}
	return answer, err
}

// WrappedRoundTripper lets client-go close idle connections.
func (s steps) WrappedRoundTripper() http.RoundTripper { return s.RoundTripper }

type stepping struct {
	io.ReadCloser
	of *http.Request
}

func (s *stepping) Read(p []byte) (int, error) {
	n, err := s.ReadCloser.Read(p)
	if n > 0 {
		pace.Step(s.of.Context())
	}
	return n, err
}
