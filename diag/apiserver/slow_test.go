package apiserver

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/client-go/rest"

	"github.com/restartwhy/kubectl-restartwhy/diag/apiobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/clock"
	"github.com/restartwhy/kubectl-restartwhy/diag/kube"
)

// slowly answers each request with a list, a few bytes at a time; stuck stops in the middle.
type slowly struct{ stuck bool }

func (s slowly) RoundTrip(r *http.Request) (*http.Response, error) {
	text := `{"kind":"EventList","apiVersion":"v1","items":[]}`
	switch {
	case strings.HasSuffix(r.URL.Path, "/pods"):
		text = `{"kind":"PodList","apiVersion":"v1","items":[{"metadata":{"namespace":"shop","name":"web-0","uid":"u1"},
			"spec":{"nodeName":"n1","containers":[{"name":"a"}]}}]}`
	case strings.Contains(r.URL.Path, "/nodes"):
		text = `{"kind":"NodeList","apiVersion":"v1","items":[{"metadata":{"name":"n1"}}]}`
		if strings.HasSuffix(r.URL.Path, "/n1") {
			text = `{"kind":"Node","apiVersion":"v1","metadata":{"name":"n1"}}`
		}
	}
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}, Request: r,
		Body: &trickle{s, r.Context(), bytes.NewReader([]byte(text))}}, nil
}

type trickle struct {
	slowly
	ctx  context.Context
	rest *bytes.Reader
}

func (t *trickle) Close() error { return nil }

func (t *trickle) Read(p []byte) (int, error) {
	if t.rest.Len() == 0 {
		return 0, io.EOF
	}
	wait := 20 * time.Second
	if t.stuck && t.rest.Len() < 10 {
		wait = time.Hour
	}
	select {
	case <-t.ctx.Done():
		return 0, t.ctx.Err()
	case <-time.After(wait):
	}
	return t.rest.Read(p[:min(len(p), 8)])
}

var _ io.ReadCloser = &trickle{}

// An answer that comes slowly is read to its end, however long that takes; one that stands still is a gap.
func TestAnAnswerThatComesSlowlyIsRead(t *testing.T) {
	for name, stuck := range map[string]bool{"slow": false, "stuck": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client, err := kube.New(&rest.Config{Host: "https://cluster.example", Transport: slowly{stuck}, QPS: -1})
				if err != nil {
					t.Fatal(err)
				}
				elapsed := clock.Stopwatch()
				s := NewSource(client, Scope{Namespace: "shop"}, apiobject.Hasher{}, Options{Timeout: 30 * time.Second})
				pieces, gaps := s.Collect(t.Context())
				read := len(pieces) == 1 && len(pieces[0].(*apiobject.Piece).Pods) == 1
				if read == stuck || (s.Err() != nil) != stuck || !stuck && len(gaps) != 0 {
					t.Errorf("read %v, %v, gaps %+v", read, s.Err(), gaps)
				}
				if took := elapsed(); took < 2*time.Minute || took > time.Hour {
					t.Errorf("took %s", took)
				}
				pods := 0
				walked := NewSource(client, Scope{}, apiobject.Hasher{}, Options{Timeout: 30 * time.Second})
				if _, err := walked.ForEachPage(t.Context(), func(p *apiobject.Piece) error {
					pods += len(p.Pods) + p.Uneventful
					return nil
				}); err != nil || (pods == 1) == stuck || (walked.Err() != nil) != stuck {
					t.Errorf("page by page: %d pods, %v, %v", pods, err, walked.Err())
				}
			})
		})
	}
}
