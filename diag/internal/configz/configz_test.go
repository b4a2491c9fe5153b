package configz

import (
	"context"
	"errors"
	"io"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/restartwhy/kubectl-restartwhy/diag/clock"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

var at = time.Date(2026, 11, 21, 7, 0, 0, 0, time.UTC)

// answer is what a kubelet of v1.34 says, shortened.
const answer = `{"kubeletconfig":{"enableServer":true,"staticPodURLHeader":{"Authorization":["hunter2"]},"cgroupDriver":"systemd","failCgroupV1":false,
	"featureGates":{"KubeletTracing":true,"ExecProbeTimeout":false},"providerID":"aws:///eu-central-1a/i-0"}}`

// fake answers with a text or an error.
type fake struct {
	text string
	err  error
	path string
	hang bool
}

func (f *fake) Get(ctx context.Context, path string, _ url.Values) (io.ReadCloser, error) {
	f.path = path
	if f.hang {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	if f.err != nil {
		return nil, f.err
	}
	return io.NopCloser(strings.NewReader(f.text)), nil
}

func observed(pieces ...evidence.RawEvidence) *evidence.Snapshot {
	b := evidence.NewBuilder(at)
	for _, p := range pieces {
		p.Observe(b)
	}
	return b.Build()
}

func TestTheGatesOfAKubeletAreKeptAndNothingElse(t *testing.T) {
	f := &fake{text: answer}
	pieces, gaps := NewSource(f, "n1", func() time.Time { return at }).Collect(t.Context())
	if len(pieces) != 1 || len(gaps) != 0 || f.path != "/api/v1/nodes/n1/proxy/configz" {
		t.Fatalf("%d pieces, gaps %+v, asked for %s", len(pieces), gaps, f.path)
	}
	file := pieces[0].Files()[0]
	r, err := file.Open()
	if err != nil {
		t.Fatal(err)
	}
	stored, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	want := "{\n \"collectedAt\": \"2026-11-21T07:00:00Z\",\n \"featureGates\": {\n  \"ExecProbeTimeout\": false,\n  \"KubeletTracing\": true\n }\n}\n"
	if file.Path != "nodes/n1/configz.json" || string(stored) != want {
		t.Errorf("%s: %s", file.Path, stored)
	}
	for name, s := range map[string]*evidence.Snapshot{"live": observed(pieces...),
		"from a bundle": observed(NewPiece("n1", evidence.Bytes(file.Path, stored), time.Time{}))} {
		if len(s.Observations) != 1 {
			t.Fatalf("%s: %+v", name, s)
		}
		o := s.Observations[0]
		fact := evidence.KubeletSetting{Name: evidence.SettingFeatureGates,
			Value: safetext.Clean("ExecProbeTimeout=false,KubeletTracing=true")}
		if diff := cmp.Diff(fact, o.Fact, cmp.AllowUnexported(safetext.Text{})); diff != "" ||
			o.Source.Kind != Kind || o.Subject.Node != "n1" || !o.Time.Equal(at) {
			t.Errorf("%s: %+v %s", name, o, diff)
		}
	}
}

func TestAKubeletWithoutGatesSaysSo(t *testing.T) {
	pieces, gaps := NewSource(&fake{text: `{"kubeletconfig":{"cgroupDriver":"systemd"}}`},
		"n1", func() time.Time { return at }).Collect(t.Context())
	if s := observed(pieces...); len(gaps) > 0 || len(s.Observations) != 1 ||
		s.Observations[0].Fact != (evidence.KubeletSetting{Name: evidence.SettingFeatureGates}) {
		t.Errorf("gaps %+v, %+v", gaps, s.Observations)
	}
}

func TestAnAnswerThatIsNoneIsAGap(t *testing.T) {
	many := `{"kubeletconfig":{"featureGates":{"A0":true`
	for i := range maxGates {
		many += `,"B` + strings.Repeat("x", i%7) + string(rune('a'+i%26)) + strings.Repeat("y", i/26) + `":true`
	}
	many += "}}}"
	nodes := schema.GroupResource{Resource: "nodes"}
	for name, c := range map[string]struct {
		f    *fake
		want string
		hint string
	}{
		"no JSON": {&fake{text: "hunter2 is no configuration"}, "no configuration of a kubelet",
			"collect on the node"},
		"another document": {&fake{text: `{"kind":"Status","message":"hunter2"}`}, "no configuration of a kubelet", ""},
		"gates of other type": {&fake{text: `{"kubeletconfig":{"featureGates":{"A":"hunter2"}}}`},
			"no configuration of a kubelet", ""},
		"too long":       {&fake{text: strings.Repeat(" ", maxAnswer) + answer}, "longer than 1024 KiB", ""},
		"too many gates": {&fake{text: many}, "more than 1000 feature gates", ""},
		"forbidden": {&fake{err: apierrors.NewForbidden(nodes, "n1", nil)},
			"forbidden", "needs the right to get nodes/proxy"},
		"no answer": {&fake{err: errors.New("dial tcp: no route to host")}, "no route to host", "collect on the node"},
	} {
		pieces, gaps := NewSource(c.f, "n1", func() time.Time { return at }).Collect(t.Context())
		if len(pieces) != 0 || len(gaps) != 1 || !strings.Contains(gaps[0].Why, c.want) ||
			!strings.Contains(gaps[0].Hint, c.hint) || strings.Contains(gaps[0].Why, "hunter2") || gaps[0].Node != "n1" {
			t.Errorf("%s: %d pieces, gaps %+v", name, len(pieces), gaps)
		}
	}
}

func TestTheContextEndsAQuestion(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if pieces, gaps := NewSource(&fake{hang: true}, "n1", clock.Now).Collect(ctx); len(pieces) != 0 || len(gaps) != 1 {
		t.Errorf("%d pieces, gaps %+v", len(pieces), gaps)
	}
}

func TestAFileThatIsBrokenIsAGap(t *testing.T) {
	for _, data := range []string{"{", "{}", `{"collectedAt":"2026-11-21T07:00:00Z","featureGates":[]}`} {
		if s := observed(NewPiece("n1", evidence.Bytes("nodes/n1/configz.json", []byte(data)), at)); len(s.Gaps) != 1 ||
			len(s.Observations) != 0 {
			t.Errorf("%s: %+v", data, s)
		}
	}
}

// A node's name is part of a path.
func TestANameCannotLeaveItsPath(t *testing.T) {
	f := &fake{text: answer}
	NewSource(f, "../../secrets?x=", clock.Now).Collect(t.Context())
	if strings.Count(f.path, "/") != 6 || strings.Contains(f.path, "?") {
		t.Errorf("it asks for %s", f.path)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(answer))
	f.Add([]byte(`{"kubeletconfig":{}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		gates, err := parse(data)
		if (err == nil) != (gates != nil) {
			t.Fatalf("%v beside error %v", gates, err)
		}
	})
}

func FuzzPiece(f *testing.F) {
	f.Add([]byte("{\"collectedAt\":\"2026-11-21T07:00:00Z\",\"featureGates\":{\"A\x1b[31m\":true}}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s := observed(NewPiece("n1", evidence.Bytes("nodes/n1/configz.json", data), at))
		for _, o := range s.Observations {
			if v := o.Fact.(evidence.KubeletSetting).Value.String(); !safetext.Safe(v) {
				t.Fatalf("%q", v)
			}
		}
	})
}
