package textlog

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// recording is a real node's journal as journalctl 252 prints it in one of its
// output formats.
func recording(t testing.TB, output string) []byte {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "journalctl", output+".gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// told lists what a snapshot says, but for the times.
func told(s *evidence.Snapshot, but evidence.SourceKind) (facts []string, times []time.Time) {
	for _, o := range s.Observations {
		// When the boot was, only outputs with a monotonic clock tell.
		if _, boot := o.Fact.(evidence.KernelBooted); o.Source.Kind != but && !boot {
			facts = append(facts, fmt.Sprintf("%s %+v %s", o.Fact.Statement(), o.Subject, o.Text))
			times = append(times, o.Time)
		}
	}
	return facts, times
}

func observeBytes(data []byte, o Options) *evidence.Snapshot {
	b := evidence.NewBuilder(ref)
	NewPiece("n3", evidence.Bytes(ForeignPath("n3", "x"), data), o).Observe(b)
	return b.Build()
}

func TestEveryOutputOfJournalctlSaysTheSame(t *testing.T) {
	berlin := time.FixedZone("CET", 3600)
	for _, c := range []struct {
		output string
		format Format
		within time.Duration
		gaps   int
		zone   *time.Location
	}{
		{"export", FormatExport, 0, 0, nil},
		{"json", FormatRecords, 0, 0, nil},
		{"json-pretty", FormatRecords, 0, 0, nil},
		{"json-seq", FormatRecords, 0, 0, nil},
		{"json-sse", FormatRecords, 0, 0, nil},
		{"verbose", FormatVerbose, time.Millisecond, 0, nil},
		{"short-precise", FormatSyslog, time.Second, 0, nil}, // zone and year are the log's own
		{"short", FormatSyslog, time.Second, 0, nil},
		{"short-iso", FormatISO, time.Second, 0, nil},
		{"short-iso-precise", FormatISO, time.Second, 0, nil},
		{"short-full", FormatFull, time.Second, 0, nil},
		{"short-full-CET", FormatFullLocal, time.Second, 0, berlin},
		{"with-unit", FormatFull, time.Second, 0, nil},
		{"short-unix", FormatUnix, time.Second, 0, nil},
		{"short-monotonic", FormatMonotonic, time.Second, 1, nil},
		{"cat", FormatKlog, time.Second, 1, nil}, // systemd's lines are nobody's,
	} {
		t.Run(c.output, func(t *testing.T) {
			data := recording(t, c.output)
			if got := Sniff(data[:min(len(data), headBytes)]); got != c.format {
				t.Fatalf("taken for %q", got)
			}
			s := observeBytes(data, Options{Until: ref, Zone: c.zone})
			// Without an envelope nobody can tell systemd's lines.
			var but evidence.SourceKind
			if c.format == FormatKlog {
				but = evidence.SourceSystemd
			}
			want, at := told(observeBytes(recording(t, "export"), Options{Until: ref}), but)
			got, times := told(s, but)
			if len(want) < 30 {
				t.Fatalf("only %d observations in the recording", len(want))
			}
			// Where several lines share a second their order is told by their text.
			sorted := cmp.Transformer("sorted", func(in []string) map[string]int {
				out := map[string]int{}
				for _, s := range in {
					out[s]++
				}
				return out
			})
			if diff := cmp.Diff(want, got, sorted); diff != "" {
				t.Error(diff)
			}
			for i := range min(len(at), len(times)) {
				if d := at[i].Sub(times[i]).Abs(); d > c.within {
					t.Fatalf("observation %d is %v off: %v", i, d, times[i])
				}
			}
			if len(s.Gaps) != c.gaps {
				t.Errorf("gaps %+v", s.Gaps)
			}
			if covered := len(s.Coverage) > 0; covered != (c.format != FormatMonotonic) {
				t.Errorf("reach %+v", s.Coverage)
			}
		})
	}
}

func TestAnotherZoneIsToldByTheLogItself(t *testing.T) {
	zoned := func(zone string) []byte {
		return bytes.ReplaceAll(recording(t, "short-precise"), []byte(" +0000 UTC m="), []byte(" "+zone+" m="))
	}
	for _, c := range []struct {
		zone, told string
		hour       int
		vague      bool
	}{
		{"+0000 UTC", "", 8, false},
		{"+0900 JST", "show +09:00", 23, true}, // an hour of the day before, local time
		{"-0530 XXX", "show -05:30", 14, true},
		{"+0000 GMT", "show +00:00", 8, true}, // London in winter
	} {
		t.Run(c.zone, func(t *testing.T) {
			s := observeBytes(zoned(c.zone), Options{Until: ref.AddDate(0, 0, 1)})
			var hours []int
			for _, o := range s.Observations {
				if k, ok := o.Fact.(evidence.KubeletStarted); ok && k.Version != "" {
					hours = append(hours, o.Time.Hour())
				}
			}
			if len(hours) == 0 || hours[0] != c.hour {
				t.Errorf("the kubelet started at %v, not %d", hours, c.hour)
			}
			if c.told == "" && len(s.Gaps) > 0 ||
				c.told != "" && (len(s.Gaps) != 1 || !strings.Contains(s.Gaps[0].Why, c.told)) {
				t.Errorf("gaps %+v", s.Gaps)
			}
			if c.vague != (len(s.Coverage) == 0) {
				t.Errorf("reach %+v", s.Coverage)
			}
		})
	}
}

func TestTheYearIsToldByTheLogItself(t *testing.T) {
	data := recording(t, "cat")
	for name, c := range map[string]struct {
		reference time.Time
		year      int
	}{
		"nothing tells when it was written": {time.Time{}, 2026},
		"it was collected at once":          {ref, 2026},
	} {
		s := observeBytes(data, Options{Reference: c.reference})
		for _, o := range s.Observations {
			if o.Time.Year() != c.year {
				t.Fatalf("%s: %v", name, o.Time)
			}
		}
		if len(s.Observations) == 0 {
			t.Errorf("%s: nothing observed", name)
		}
	}
}

func TestAnAnchorMustBeTheTimeOfItsLine(t *testing.T) {
	const head = "I1121 07:24:45.454287      80 manager.go:217] Machine: {Timestamp:"
	for name, c := range map[string]struct {
		line string
		ok   bool
	}{
		"base": {head + "2026-11-21 07:24:45.4 +0000 UTC m=+0.2 CPU", true},
		"in quotes": {
			`I1121 07:24:45.454287 80 x.go:1] "Observed" runningTime="2026-11-21 09:24:44.9 +0200 EET m=+9.2"`, false},
		"in quotes and local": {
			`I1121 07:24:45.454287 80 x.go:1] "Observed" runningTime="2026-11-21 07:24:44.9 +0200 EET m=+9.2"`, true},
		"an older story":     {head + "2026-11-21 07:20:45.4 +0000 UTC m=-240.2 / /}", false},
		"another day":        {head + "2026-11-20 07:24:45.4 +0000 UTC m=+0.2 CPU", false},
		"an impossible year": {head + "1970-11-21 07:24:45.4 +0000 UTC m=+0.2 CPU", false},
		"no zone":            {head + "2026-11-21 07:24:45.4 m=+0.2 CPU", false},
		"no header":          {"2026-11-21 07:24:45.4 +0000 UTC m=+0.2", false},
		"the second of two":  {head + "2026-11-21 01:24:45.4 +0000 UTC m=+0.2 2026-11-21 07:24:45.4 +0000 UTC m=+0.3", true},
		"in syslog": {"Nov 21 07:24:45 n1 kubelet[80]: " + head + "2026-11-21 07:24:45.4 +0000 UTC m=+0.2 CPU",
			true},
	} {
		if a, ok := findAnchor([]byte("x\n" + c.line + "\n")); ok != c.ok {
			t.Errorf("%s: %+v %t", name, a, ok)
		}
	}
}

func TestARuntimesOwnTimeTellsYearAndZone(t *testing.T) {
	const head = "Nov 30 14:50:40 n1 dockerd[1359]: "
	for name, c := range map[string]struct{ line, want string }{
		"with the machine's zone":  {head + `time="2021-11-30T14:50:40.905096697+03:00" level=info`, "2021 +03:00"},
		"in UTC on such a machine": {head + `time="2021-11-30T11:50:40.9Z" level=info`, "2021 +03:00"},
		"half an hour":             {head + `time="2021-11-30T09:20:40.9Z" level=info`, "2021 +05:30"},
		"a machine in UTC":         {head + `time="2021-11-30T14:50:38.9Z" level=info`, "2021 UTC"},
		"as JSON":                  {head + `{"level":"info","msg":"x","time":"2021-11-30T14:50:40.1Z"}`, "2021 UTC"},
		"over the turn of a year":  {`Jan  1 01:00:00 n1 dockerd[1]: time="2021-12-31T23:59:59.9Z"`, "2021 +01:00"},
		"another moment":           {head + `time="2021-11-30T14:40:40Z" level=info`, ""},
		"another day":              {head + `time="2021-11-28T14:50:40Z" level=info`, ""},
		"no zone":                  {head + `time="2021-11-30T14:50:40" level=info`, ""},
		"not at the beginning":     {head + `said time="2021-11-30T14:50:40Z" level=info`, ""},
	} {
		got := ""
		if a, ok := findAnchor([]byte("x\n" + c.line + "\n")); ok {
			got = a.at.Format("2006 ") + a.name
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
