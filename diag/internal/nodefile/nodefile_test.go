package nodefile

import (
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

func TestPathStaysBelowNodes(t *testing.T) {
	cases := map[string]string{
		"n1":           "nodes/n1/cri.json",
		"ip-10-0.x_y":  "nodes/ip-10-0.x_y/cri.json",
		"../../etc":    "nodes/.._.._etc/cri.json",
		"..":           "nodes/_../cri.json",
		"":             "nodes/_/cri.json",
		"a\x1b[31m b/": "nodes/a__31m_b_/cri.json",
	}
	for node, want := range cases {
		got := Path(node, "cri.json")
		if got != want || !filepath.IsLocal(got) || strings.Count(got, "/") != 2 {
			t.Errorf("Path(%q) = %q, want %q", node, got, want)
		}
	}
}

func observe(p evidence.RawEvidence) *evidence.Snapshot {
	b := evidence.NewBuilder(time.Unix(0, 0))
	p.Observe(b)
	return b.Build()
}

func TestWhatIsWrittenIsReadBack(t *testing.T) {
	f, err := Encode("nodes/n1/x.json", map[string]int{"a": 1})
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]int
	p := New(evidence.SourceCRI, "n1", f, func(_ *evidence.Builder, data []byte) error {
		return json.Unmarshal(data, &got)
	})
	if s := observe(p); len(s.Gaps) != 0 || got["a"] != 1 {
		t.Errorf("gaps %v, read %v", s.Gaps, got)
	}
	if fs := p.Files(); len(fs) != 1 || fs[0].Path != "nodes/n1/x.json" || fs[0].Size == 0 {
		t.Errorf("files %v", fs)
	}
	if _, err := Encode("x", func() {}); err == nil {
		t.Error("a function was written as JSON")
	}
}

// endless is a file that never ends.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }
func (endless) Close() error               { return nil }

func TestAFileThatCannotBeReadIsAGap(t *testing.T) {
	cases := map[string]struct {
		file evidence.File
		want string
	}{
		"a file that does not open": {evidence.File{Path: "f", Open: func() (io.ReadCloser, error) {
			return nil, errors.New("no such entry")
		}}, "open f: no such entry"},
		"a file without end": {evidence.File{Path: "f", Open: func() (io.ReadCloser, error) { return endless{}, nil }},
			"longer than 32 MiB"},
		"half a document": {evidence.Bytes("f", []byte(`{"a":`)), "not JSON at byte 5"},
		"another type":    {evidence.Bytes("f", []byte(`[1]`)), "read f: json: cannot unmarshal"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := observe(New(evidence.SourceCRI, "n1", c.file, func(_ *evidence.Builder, data []byte) error {
				var v map[string]int
				return json.Unmarshal(data, &v)
			}))
			if len(s.Gaps) != 1 || !strings.Contains(s.Gaps[0].Why, c.want) || s.Gaps[0].Node != "n1" {
				t.Errorf("gaps %+v, want %q", s.Gaps, c.want)
			}
		})
	}
}

func TestOneBadEntryCostsOnlyItself(t *testing.T) {
	var raw []json.RawMessage
	if err := json.Unmarshal([]byte(`[1, "two", 3, {}]`), &raw); err != nil {
		t.Fatal(err)
	}
	sum := 0
	err := Each(raw, func(n int) { sum += n })
	if sum != 4 || err == nil || !strings.HasPrefix(err.Error(), "2 of 4 entries unreadable: entry 1:") {
		t.Errorf("sum %d, error %v", sum, err)
	}
	if err := Each(raw[:1], func(n int) {}); err != nil {
		t.Errorf("a clean list gave %v", err)
	}
}

func TestContentIsObservedOfItsNodeAndFile(t *testing.T) {
	for content, why := range map[string]string{`{"name":"kubelet.service"}`: "", `{"name":7}`: "cannot unmarshal",
		`{}`: ErrUnlikely.Error()} {
		s := observe(Of(evidence.SourceSystemd, "n1", evidence.Bytes("nodes/n1/x.json", []byte(content)),
			func(b Observer, u *struct{ Name string }) error {
				if u.Name == "" {
					return ErrUnlikely
				}
				b.Observe(evidence.Observation{Time: time.Unix(9, 0), Fact: evidence.UnitState{Unit: u.Name}})
				return nil
			}))
		if why != "" {
			if len(s.Gaps) != 1 || !strings.Contains(s.Gaps[0].Why, why) || s.Gaps[0].Node != "n1" {
				t.Errorf("%s: gaps %v", content, s.Gaps)
			}
			continue
		}
		if len(s.Observations) != 1 || s.Observations[0].Subject.Node != "n1" || s.Observations[0].Source !=
			(evidence.Source{Kind: evidence.SourceSystemd, Node: "n1", Where: "nodes/n1/x.json"}) {
			t.Errorf("%s: observed %+v", content, s.Observations)
		}
	}
}
