package kubeletapi

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// answer is what a kubelet of v1.34 says, shortened.
const answer = `{"kubeletconfig":{"enableServer":true,"staticPodURLHeader":{"Authorization":["hunter2"]},"cgroupDriver":"systemd","failCgroupV1":false,
	"featureGates":{"KubeletTracing":true,"ExecProbeTimeout":false},"providerID":"aws:///eu-central-1a/i-0"}}`

// askGates asks a kubelet that answers so.
func askGates(answer string) ([]evidence.RawEvidence, []evidence.Gap) {
	return Gates(&fake{answers: map[string]string{"configz": answer}}, "n1", then).Collect(context.Background())
}

func TestTheGatesOfAKubeletAreKeptAndNothingElse(t *testing.T) {
	pieces, gaps := askGates(answer)
	if len(pieces) != 1 || len(gaps) != 0 {
		t.Fatalf("%d pieces, gaps %+v", len(pieces), gaps)
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
		"from a bundle": observed(NewGatesPiece("n1", evidence.Bytes(file.Path, stored), time.Time{}))} {
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
	pieces, gaps := askGates(`{"kubeletconfig":{"cgroupDriver":"systemd"}}`)
	if s := observed(pieces...); len(gaps) > 0 || len(s.Observations) != 1 ||
		s.Observations[0].Fact != (evidence.KubeletSetting{Name: evidence.SettingFeatureGates}) {
		t.Errorf("gaps %+v, %+v", gaps, s.Observations)
	}
}

func TestAnAnswerThatIsNoConfigurationIsAGap(t *testing.T) {
	many := `{"kubeletconfig":{"featureGates":{"A0":true`
	for i := range maxGates {
		many += `,"B` + strings.Repeat("x", i%7) + string(rune('a'+i%26)) + strings.Repeat("y", i/26) + `":true`
	}
	many += "}}}"
	for name, c := range map[string]struct{ text, want string }{
		"no JSON":             {"hunter2 is no configuration", "no configuration of a kubelet"},
		"another document":    {`{"kind":"Status","message":"hunter2"}`, "no configuration of a kubelet"},
		"gates of other type": {`{"kubeletconfig":{"featureGates":{"A":"hunter2"}}}`, "no configuration of a kubelet"},
		"too long":            {strings.Repeat(" ", maxConfig) + answer, "longer than 1024 KiB"},
		"too many gates":      {many, "more than 1000 feature gates"},
	} {
		pieces, gaps := askGates(c.text)
		if len(pieces) != 0 || len(gaps) != 1 || !strings.Contains(gaps[0].Why, c.want) ||
			!strings.Contains(gaps[0].Hint, "collect on the node") || strings.Contains(gaps[0].Why, "hunter2") {
			t.Errorf("%s: %d pieces, gaps %+v", name, len(pieces), gaps)
		}
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

func FuzzGatesPiece(f *testing.F) {
	f.Add([]byte("{\"collectedAt\":\"2026-11-21T07:00:00Z\",\"featureGates\":{\"A\x1b[31m\":true}}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s := observed(NewGatesPiece("n1", evidence.Bytes("nodes/n1/configz.json", data), at))
		for _, o := range s.Observations {
			if v := o.Fact.(evidence.KubeletSetting).Value.String(); !safetext.Safe(v) {
				t.Fatalf("%q", v)
			}
		}
	})
}
