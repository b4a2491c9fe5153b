package cri

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

func read(data string) *evidence.Snapshot {
	b := evidence.NewBuilder(time.Unix(0, 0))
	NewPiece("n1", evidence.Bytes("nodes/n1/cri.json", []byte(data)), time.Time{}).Observe(b)
	return b.Build()
}

func TestARecordSaysOnlyWhatTheFileSays(t *testing.T) {
	cases := map[string]struct {
		container string
		want      evidence.ContainerRecord
		text      string
	}{
		"nothing but an id": {`{"id":"c1"}`, evidence.ContainerRecord{State: evidence.StateUnknown,
			Attempt: -1, RestartCount: -1}, "container  unknown"},
		"running, with times": {
			`{"id":"c1","name":"a","attempt":0,"state":"CONTAINER_RUNNING","createdAt":1000000000,"startedAt":2000000000,"exitCode":0}`,
			evidence.ContainerRecord{State: evidence.StateRunning, Attempt: 0, RestartCount: -1,
				Created: time.Unix(1, 0).UTC(), Started: time.Unix(2, 0).UTC()}, "container a attempt 0 running"},
		"a restart count that is none": {
			`{"id":"c1","name":"a","annotations":{"io.kubernetes.container.restartCount":"many"}}`,
			evidence.ContainerRecord{State: evidence.StateUnknown, Attempt: -1, RestartCount: -1}, "container a unknown"},
		"a negative time and pid": {`{"id":"c1","name":"a","state":"CONTAINER_CREATED","createdAt":-5,"pid":-9}`,
			evidence.ContainerRecord{State: evidence.StateCreated, Attempt: -1, RestartCount: -1}, "container a created"},
		"hash without resources": {
			`{"id":"c1","name":"a","annotations":{"io.kubernetes.container.hash":"1","io.kubernetes.container.hashWithoutResources":"2","io.kubernetes.container.restartCount":"4"}}`,
			evidence.ContainerRecord{State: evidence.StateUnknown, Attempt: -1,
				RestartCount: 4, Hash: "1", HashWithoutResources: "2"}, "container a unknown, hash 1"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := read(`{"containers":[` + c.container + `]}`)
			if len(s.Observations) != 1 || len(s.Gaps) != 0 {
				t.Fatalf("%d observations, gaps %v", len(s.Observations), s.Gaps)
			}
			if d := cmp.Diff(c.want, s.Observations[0].Fact, cmp.AllowUnexported(safetext.Text{})); d != "" {
				t.Error(d)
			}
			if got := s.Observations[0].Text.String(); got != c.text {
				t.Errorf("text %q, want %q", got, c.text)
			}
		})
	}
}

func TestABrokenFileCostsOnlyItself(t *testing.T) {
	cases := map[string]struct {
		data      string
		wantFacts int
		wantGap   string
	}{
		"half a file": {`{"runtime":"containerd","contai`, 0, "not JSON"},
		"one entry of another shape": {`{"containers":[{"id":7},{"id":"c1"}],"sandboxes":[{"id":"s1"}]}`,
			2, "1 of 2 entries"},
		"a sandbox of another shape":   {`{"containers":[{"id":"c1"}],"sandboxes":["x"]}`, 1, "1 of 1 entries"},
		"records without id are noise": {`{"containers":[{}],"sandboxes":[{}]}`, 0, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := read(c.data)
			if len(s.Observations) != c.wantFacts || (c.wantGap == "") != (len(s.Gaps) == 0) ||
				c.wantGap != "" && !strings.Contains(s.Gaps[0].Why, c.wantGap) {
				t.Errorf("%d facts, gaps %+v", len(s.Observations), s.Gaps)
			}
		})
	}
}

func TestTextFromARuntimeIsMadeSafe(t *testing.T) {
	s := read(
		`{"runtime":"c\u001b[31m","containers":[{"id":"c\u001b1","name":"a\u202e","state":"x","reason":"r\u0007","message":"m\u001b[2J","image":"i\n"}]}`)
	o := s.Observations[0]
	rec := o.Fact.(evidence.ContainerRecord)
	for _, text := range []string{s.Nodes[0].Runtime, o.Subject.ContainerID,
		o.Subject.Container, rec.Reason, rec.Message.String(), rec.Image, o.Text.String()} {
		if !safetext.Safe(text) {
			t.Errorf("unsafe: %q", text)
		}
	}
}

func TestParseInfoTakesThreeFieldsAndNoMore(t *testing.T) {
	cases := map[string]struct {
		info    map[string]string
		path    string
		pid     int
		sandbox string
		wantErr string
	}{
		"containerd": {
			map[string]string{
				"info": `{"sandboxID":"s","pid":12,"runtimeSpec":{"linux":{"cgroupsPath":"x.slice:cri-containerd:1"},"process":{"env":["A=b"]}}}`}, "x.slice:cri-containerd:1", 12, "s", ""},
		"dockerd": {nil, "", 0, "", ""},
		"an OCI spec for another system": {map[string]string{"info": `{"pid":1,"runtimeSpec":{"windows":{}}}`},
			"", 1, "", ""},
		"null":         {map[string]string{"info": `{"runtimeSpec":null}`}, "", 0, "", ""},
		"no JSON":      {map[string]string{"info": `pid=1`}, "", 0, "", "verbose info: invalid"},
		"other types":  {map[string]string{"info": `{"runtimeSpec":{"linux":[]}}`}, "", 0, "", "cannot unmarshal array"},
		"far too long": {map[string]string{"info": strings.Repeat(" ", maxInfo+1)}, "", 0, "", "longer than 4 MiB"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			d, err := parseInfo(c.info)
			if c.wantErr != "" {
				if err == nil || !strings.Contains(err.Error(), c.wantErr) {
					t.Fatalf("error %v, want %q", err, c.wantErr)
				}
				return
			}
			if err != nil || d.RuntimeSpec.Linux.CgroupsPath != c.path || d.PID != c.pid || d.SandboxID != c.sandbox {
				t.Errorf("%+v, %v", d, err)
			}
		})
	}
}

func FuzzParseInfo(f *testing.F) {
	f.Add(`{"sandboxID":"s","pid":12,"runtimeSpec":{"linux":{"cgroupsPath":"/kubepods/podx/y"}}}`)
	f.Add(`{"pid":1e99}`)
	f.Add(``)
	f.Fuzz(func(t *testing.T, s string) {
		d, err := parseInfo(map[string]string{"info": s})
		if err != nil && d != (details{}) {
			t.Fatalf("%+v beside error %v", d, err)
		}
	})
}

func FuzzPiece(f *testing.F) {
	f.Add(
		[]byte(
			`{"runtime":"containerd","containers":[{"id":"c1","attempt":1,"state":"CONTAINER_EXITED","exitCode":137}],"sandboxes":[{"id":"s1","state":"SANDBOX_READY"}]}`))
	f.Add([]byte(`{"containers":[1,{}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, o := range read(string(data)).Observations {
			if !safetext.Safe(o.Text.String()) || !safetext.Safe(o.Subject.ContainerID) {
				t.Fatalf("unsafe text from %q: %+v", data, o)
			}
		}
	})
}
