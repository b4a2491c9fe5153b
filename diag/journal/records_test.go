package journal

import (
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// gathered is what one of the readers made of a text.
type gathered struct {
	entries []evidence.Entry
	bad     []string
	err     error
}

func gather(read Reader, text string) gathered {
	var g gathered
	g.err = read(strings.NewReader(text), func(e evidence.Entry) error {
		g.entries = append(g.entries, e)
		return nil
	}, func(b Bad) { g.bad = append(g.bad, b.Why) })
	return g
}

const (
	record = `{"__REALTIME_TIMESTAMP":"1795249956449851","_HOSTNAME":"n3","_SYSTEMD_UNIT":"kubelet.service","_PID":"81","_BOOT_ID":"b","SYSLOG_IDENTIFIER":"kubelet","MESSAGE":"hello"}`
	pretty = "{\n\t\"__REALTIME_TIMESTAMP\" : \"1795249956449851\",\n\t\"_HOSTNAME\" : \"n3\",\n\t\"_SYSTEMD_UNIT\" : \"kubelet.service\",\n\t\"_PID\" : \"81\",\n\t\"_BOOT_ID\" : \"b\",\n\t\"MESSAGE\" : \"hello\"\n}"
	long   = "Sat 2026-11-21 08:32:36.449769 UTC [s=62cf;i=1;b=b;m=1774d5aa9;t=660c533efee3b;x=59]\n    _HOSTNAME=n3\n    _SYSTEMD_UNIT=kubelet.service\n    _PID=81\n    SYSLOG_IDENTIFIER=kubelet\n    MESSAGE=hello"
)

func hello(message string) evidence.Entry {
	return evidence.Entry{Time: time.UnixMicro(1795249956449851).UTC(), Host: "n3",
		Unit: "kubelet.service", PID: 81, BootID: "b", Message: message}
}

func TestRecordsOfEveryFraming(t *testing.T) {
	with := func(value string) string { return strings.Replace(record, `"hello"`, value, 1) }
	for name, c := range map[string]struct {
		text string
		want []string // messages
		bad  int
		err  error
	}{
		"json":        {record + "\n" + record + "\n", []string{"hello", "hello"}, 0, nil},
		"json-pretty": {pretty + "\n" + pretty + "\n", []string{"hello", "hello"}, 0, nil},
		"json-seq": {"\x1e" + record + "\n\x1e" + record + "\n",
			[]string{"hello", "hello"}, 0, nil},
		"json-sse": {"data: " + record + "\n\ndata: " + record + "\n\n",
			[]string{"hello", "hello"}, 0, nil},
		"bytes that are no text":              {with("[104,105,255]") + "\n", []string{"hi\xff"}, 0, nil},
		"a field that stands twice":           {with(`["hello","world"]`) + "\n", []string{"hello"}, 0, nil},
		"bytes that stand twice":              {with(`[[104,105],[104]]`) + "\n", []string{"hi"}, 0, nil},
		"a message that is too long for JSON": {with("null") + "\n", nil, 0, nil},
		"numbers that are no bytes":           {with("[104,300]") + "\n", nil, 0, nil},
		"an object for a message":             {with(`{"a":1}`) + "\n", nil, 0, nil},
		"lists in lists in lists":             {with(`[[[104]]]`) + "\n", nil, 0, nil},
		"no time": {strings.Replace(record, "__REALTIME", "__REAL", 1) + "\n" + record + "\n",
			[]string{"hello"}, 1, nil},
		"a broken record":              {record[:40] + "}\n" + record + "\n", []string{"hello"}, 1, nil},
		"noise between":                {"hello\n" + record + "\n", []string{"hello"}, 1, nil},
		"a record within a broken one": {"{\n\t\"MESSAGE\" : \"x\",\n" + record + "\n", []string{"hello"}, 0, nil},
		"cut within a line":            {record + "\n" + record[:40], []string{"hello"}, 0, ErrCut},
		"cut within a record":          {pretty + "\n" + pretty[:30] + "\n", []string{"hello"}, 0, ErrCut},
		"nothing":                      {"", nil, 0, nil},
	} {
		t.Run(name, func(t *testing.T) {
			g := gather(ReadRecords, c.text)
			var want []evidence.Entry
			for _, m := range c.want {
				want = append(want, hello(m))
			}
			if diff := cmp.Diff(want, g.entries); diff != "" || len(g.bad) != c.bad || !errors.Is(g.err, c.err) {
				t.Errorf("%s bad %q, %v", diff, g.bad, g.err)
			}
		})
	}
}

func TestVerboseEntries(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []string
		bad  int
	}{
		"two":                        {long + "\n" + long + "\n", []string{"hello", "hello"}, 0},
		"with an empty line":         {long + "\n\n" + long + "\n", []string{"hello", "hello"}, 0},
		"a message of several lines": {long + "\n            world\n    PRIORITY=6\n", []string{"hello\nworld"}, 0},
		"a second line like a field": {long + "\n            MESSAGE=forged\n    PRIORITY=6\n",
			[]string{"hello\nMESSAGE=forged"}, 0},
		"a header of the whole journal": {"-- Journal begins at Sat 2026-11-21. --\n" + long + "\n", []string{"hello"}, 0},
		"noise":                         {"hello\n" + long + "\n", []string{"hello"}, 1},
		"no message": {strings.Replace(long, "MESSAGE", "MESSAG", 1) + "\n" + long + "\n",
			[]string{"hello"}, 0},
		"a cursor without a time": {strings.Replace(long, "t=660c", "u=660c", 1) + "\n", nil, 1},
	} {
		t.Run(name, func(t *testing.T) {
			g := gather(ReadVerbose, c.text)
			var want []evidence.Entry
			for _, m := range c.want {
				want = append(want, hello(m))
			}
			if diff := cmp.Diff(want, g.entries); diff != "" || len(g.bad) != c.bad || g.err != nil {
				t.Errorf("%s bad %q, %v", diff, g.bad, g.err)
			}
		})
	}
}

func TestWhatJournalctlWritesIsTold(t *testing.T) {
	first, _, _ := strings.Cut(long, "\n")
	for line, want := range map[string][2]bool{
		record: {true, false}, "{": {true, false}, "\x1e" + record: {true, false},
		"data: " + record: {true, false}, first: {false, true},
		`{"ts":1,"msg":"x"}`: {false, false}, "": {false, false},
		"Sat 2026-11-21 08:32:36 UTC n3 kubelet[81]: x [s=1;t=2]": {false, true}, "x": {false, false},
		strings.Repeat("x", 100) + first: {false, false},
	} {
		if got := [2]bool{IsRecord(line), IsVerbose(line)}; got != want && !strings.Contains(line, "kubelet[81]") {
			t.Errorf("%q: %v", line, got)
		}
	}
}

func TestDockersContainersHaveTheirOwnNames(t *testing.T) {
	for name, c := range map[string]struct {
		unit, transport, container string
		writer                     string
		printed                    bool // it is a container's, nobody's to believe and nobody's to keep
	}{
		"a kubelet in a container":       {"docker.service", "journal", "kubelet", "kubelet", false},
		"one of podman":                  {"kubelet.service", "journal", "kubelet", "kubelet", false},
		"who says so by standard output": {"docker.service", "stdout", "kubelet", "kubelet", true},
		"a container of a pod":           {"docker.service", "journal", "k8s_kubelet_p", "k8s_kubelet_p", true},
		"one called as a runtime":        {"docker.service", "journal", "containerd", "containerd", true},
		"docker itself":                  {"docker.service", "stdout", "", "docker.service", false},
		"CRI-O's container":              {"crio.service", "journal", "a", "a", true},
		"a container of k3s":             {"k3s.service", "journal", "a", "a", true},
		"nerdctl's":                      {"containerd.service", "journal", "", "", true},
		"containerd itself":              {"containerd.service", "stdout", "", "containerd.service", false},
		"a claim of somebody else":       {"app.service", "journal", "kubelet", "app.service", false},
	} {
		fields := []string{"_SYSTEMD_UNIT=" + c.unit, "_TRANSPORT=" + c.transport, "CONTAINER_NAME=" + c.container,
			"__REALTIME_TIMESTAMP=1795249956449851", "_UID=0", "MESSAGE=x"}
		g := gather(ReadExport, strings.Join(fields, "\n")+"\n\n")
		if len(g.entries) != 1 || g.entries[0].Unit != c.writer ||
			c.printed != (g.entries[0].Writer == evidence.Impostor) {
			t.Errorf("%s: %+v", name, g.entries)
		}
		kept := recorded(t, func(r *recorder) {
			r.begin()
			for _, f := range fields {
				key, value, _ := strings.Cut(f, "=")
				r.field([]byte(key), []byte(value))
			}
			r.close()
		})
		if c.printed == strings.Contains(kept, "MESSAGE=x") {
			t.Errorf("%s: kept as %q", name, kept)
		}
	}
}

// endless is a line that never ends.
type endless struct {
	start string
	left  int
}

func (e *endless) Read(p []byte) (int, error) {
	if e.start != "" {
		n := copy(p, e.start)
		e.start = e.start[n:]
		return n, nil
	}
	if e.left == 0 {
		return 0, io.EOF
	}
	n := min(len(p), e.left)
	for i := range p[:n] {
		p[i] = 'x'
	}
	e.left -= n
	return n, nil
}

func TestALineThatNeverEndsCostsLittle(t *testing.T) {
	for name, read := range map[string]Reader{"records": ReadRecords, "verbose": ReadVerbose} {
		for _, start := range []string{`{"__REALTIME_TIMESTAMP":"1","MESSAGE":"`,
			"{\n\t\"MESSAGE\" : \"", long[:len(long)-5]} {
			entries := 0
			err := read(&endless{start: start, left: 64 << 20}, func(e evidence.Entry) error {
				if entries++; len(e.Message) > maxRecord {
					t.Errorf("%s: a message of %d bytes", name, len(e.Message))
				}
				return nil
			}, nil)
			if !errors.Is(err, ErrCut) && err != nil || entries > 1 {
				t.Errorf("%s: %d entries, %v", name, entries, err)
			}
		}
	}
}

func FuzzRecords(f *testing.F) {
	for _, s := range []string{record, pretty, "\x1e" + record, "data: " + record, long, long + "\n            x"} {
		f.Add(s + "\n")
	}
	f.Fuzz(func(t *testing.T, text string) {
		for name, read := range map[string]Reader{"records": ReadRecords, "verbose": ReadVerbose} {
			g := gather(read, text)
			if len(g.entries)+len(g.bad) > len(text) {
				t.Fatalf("%s: more entries than bytes", name)
			}
			for _, e := range g.entries {
				if e.Time.IsZero() || e.Time.Year() > 9999 {
					t.Fatalf("%s: an entry of %v", name, e.Time)
				}
			}
		}
	})
}
