package kubeletapi

import (
	"context"
	"errors"
	"io"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

var at = time.Date(2026, 11, 21, 7, 0, 0, 0, time.UTC)

func then() time.Time { return at }

// fake answers by what stands behind proxy/ in the path.
type fake struct {
	answers map[string]string
	err     error
	paths   []string
}

func (f *fake) Get(ctx context.Context, path string, _ url.Values) (io.ReadCloser, error) {
	f.paths = append(f.paths, path)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if f.err != nil {
		return nil, f.err
	}
	_, what, _ := strings.Cut(path, "/proxy/")
	return io.NopCloser(strings.NewReader(f.answers[what])), nil
}

func observed(pieces ...evidence.RawEvidence) *evidence.Snapshot {
	b := evidence.NewBuilder(at)
	for _, p := range pieces {
		p.Observe(b)
	}
	return b.Build()
}

// sources are what can be asked, and the paths of each.
func sources(f *fake, node string) map[*Source][]string {
	return map[*Source][]string{Gates(f, node, then): {"configz"}, Counters(f, node, then): {"metrics", "metrics/probes"}}
}

func TestAKubeletThatDoesNotAnswerIsAGap(t *testing.T) {
	nodes := schema.GroupResource{Resource: "nodes"}
	for name, c := range map[string]struct {
		err        error
		want, hint string
	}{
		"forbidden": {apierrors.NewForbidden(nodes, "n1", nil), "forbidden", "needs the right to get nodes/proxy"},
		"no answer": {errors.New("dial tcp: no route to host"), "no route to host", "not known"},
	} {
		for s := range sources(&fake{err: c.err}, "n1") {
			pieces, gaps := s.Collect(t.Context())
			if len(pieces) != 0 || len(gaps) != 1 || !strings.Contains(gaps[0].Why, c.want) ||
				!strings.Contains(gaps[0].Hint, c.hint) || gaps[0].Node != "n1" {
				t.Errorf("%s, %s: %d pieces, gaps %+v", s.Name(), name, len(pieces), gaps)
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for s := range sources(&fake{}, "n1") {
		if pieces, gaps := s.Collect(ctx); len(pieces) != 0 || len(gaps) != 1 {
			t.Errorf("%s, when its time is over: %d pieces, gaps %+v", s.Name(), len(pieces), gaps)
		}
	}
}

// A node's name is part of a path.
func TestANameCannotLeaveItsPath(t *testing.T) {
	for node, escaped := range map[string]string{"n1": "n1", "../../secrets?x=": "..%2F..%2Fsecrets%3Fx="} {
		f := &fake{answers: map[string]string{"configz": answer, "metrics": process, "metrics/probes": probes}}
		for s, want := range sources(f, node) {
			f.paths = nil
			s.Collect(t.Context())
			for i := range want {
				want[i] = "/api/v1/nodes/" + escaped + "/proxy/" + want[i]
			}
			if !slices.Equal(f.paths, want) {
				t.Errorf("%s asks for %v, want %v", s.Name(), f.paths, want)
			}
		}
	}
}
