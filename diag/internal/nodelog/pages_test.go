package nodelog

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
)

// few is the length of a page in tests.
const few = 1000

// journald is a node's journal behind a kubelet: it answers queries as journalctl
// does, times read in the node's own zone whatever the request says.
type journald struct {
	zone  *time.Location
	lines []time.Time
	// slow is how many lines come out before the kubelet's limit; 0 for all.
	slow  int
	clock *time.Time
	asked []string
}

// line is an entry as journalctl --utc prints it, with klog's header in local time.
func (j *journald) line(i int) string {
	at := j.lines[i]
	return fmt.Sprintf("%s n1 kubelet[80]: I%s      80 kubelet.go:1] \"entry %d\"\n",
		at.UTC().Format("Jan _2 15:04:05.000000"), at.In(j.zone).Format("0102 15:04:05.000000"), i)
}

func (j *journald) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	j.asked = append(j.asked, r.URL.RawQuery)
	// The kubelet formats the time without its zone, journalctl reads it in the node's.
	local := func(name string, otherwise time.Time) time.Time {
		at, err := time.Parse(time.RFC3339, q.Get(name))
		if err != nil {
			return otherwise
		}
		at, err = time.ParseInLocation("2006-1-2 15:4:5", at.Format("2006-1-2 15:4:5"), j.zone)
		if err != nil {
			panic(err)
		}
		return at
	}
	since, until := local("sinceTime", time.Time{}), local("untilTime", noon.Add(time.Hour))
	var chosen []int
	for i, at := range j.lines {
		if !at.Before(since) && !at.After(until) {
			chosen = append(chosen, i)
		}
	}
	if n, err := strconv.Atoi(q.Get("tailLines")); err == nil && n < len(chosen) {
		chosen = chosen[len(chosen)-n:]
	}
	if len(chosen) == 0 {
		_, _ = io.WriteString(w, "-- No entries --\n")
	}
	for n, i := range chosen {
		if j.slow > 0 && n == j.slow {
			*j.clock = j.clock.Add(30 * time.Second)
			break
		}
		_, _ = io.WriteString(w, j.line(i))
	}
}

func (j *journald) whole() string {
	var b strings.Builder
	for i := range j.lines {
		b.WriteString(j.line(i))
	}
	return b.String()
}

func (j *journald) collect(t *testing.T, o QueryOptions) ([]evidence.RawEvidence, []evidence.Gap) {
	t.Helper()
	clock := noon
	j.clock = &clock
	o.Now = func() time.Time { return *j.clock }
	o.Services = []string{"kubelet"}
	return collect(t, o, j.ServeHTTP)
}

func zones() map[string]*time.Location {
	return map[string]*time.Location{"UTC": time.UTC, "New York": time.FixedZone("", -5*3600),
		"Tokyo": time.FixedZone("", 9*3600), "Kathmandu": time.FixedZone("", 5*3600+45*60)}
}

// second gives n entries, one a second, the last one now.
func second(n int) (out []time.Time) {
	for i := range n {
		out = append(out, noon.Add(time.Duration(i-n+1)*time.Second))
	}
	return out
}

func TestALogLongerThanOnePageIsReadBackInEveryZone(t *testing.T) {
	for name, zone := range zones() {
		t.Run(name, func(t *testing.T) {
			j := &journald{zone: zone, lines: second(2*few + 50)}
			pieces, gaps := j.collect(t, QueryOptions{tail: few, Reach: noon.Add(-100 * 24 * time.Hour)})
			if len(pieces) != 1 || len(gaps) != 0 {
				t.Fatalf("%d pieces, gaps %+v, asked %v", len(pieces), gaps, j.asked)
			}
			if got := filetest.Content(t, pieces[0]); got != j.whole() {
				t.Errorf("%d bytes of %d, asked %v", len(got), len(j.whole()), j.asked)
			}
			if len(j.asked) != 3 {
				t.Errorf("asked %v", j.asked)
			}
		})
	}
}

func TestThePagesStopWhereTheyWereAskedTo(t *testing.T) {
	j := &journald{zone: time.UTC, lines: second(3 * few)}
	pieces, gaps := j.collect(t, QueryOptions{tail: few, Reach: noon.Add(-(few + 10) * time.Second)})
	if len(j.asked) != 2 || len(gaps) != 0 || strings.Count(filetest.Content(t, pieces[0]), "\n") < 2*few-2 {
		t.Errorf("asked %v, gaps %+v", j.asked, gaps)
	}
}

func TestAnswersThatTheKubeletCutAreContinuedInEveryZone(t *testing.T) {
	for name, zone := range zones() {
		t.Run(name, func(t *testing.T) {
			j := &journald{zone: zone, lines: second(1000), slow: 300}
			pieces, gaps := j.collect(t, QueryOptions{})
			if len(pieces) != 1 || len(gaps) != 0 {
				t.Fatalf("%d pieces, gaps %+v, asked %v", len(pieces), gaps, j.asked)
			}
			if got := filetest.Content(t, pieces[0]); got != j.whole() {
				t.Errorf("%d bytes of %d, asked %v", len(got), len(j.whole()), j.asked)
			}
			b := evidence.NewBuilder(noon)
			pieces[0].Observe(b)
			if s := b.Build(); len(s.Coverage) != 1 || s.Coverage[0].Until.Before(noon) {
				t.Errorf("coverage %+v", s.Coverage)
			}
		})
	}
}

// A log that grows faster than it can be read ends in a gap, not in a circle.
func TestALogThatCannotBeReadToItsEndSaysSo(t *testing.T) {
	j := &journald{zone: time.UTC, lines: second(1000), slow: 1}
	pieces, gaps := j.collect(t, QueryOptions{})
	if len(pieces) != 1 || len(gaps) != 1 || !strings.Contains(gaps[0].Why, "30 s") || len(j.asked) > 3 {
		t.Errorf("%d pieces, gaps %+v, asked %d times", len(pieces), gaps, len(j.asked))
	}
}

// Journald may throw entries away between two questions.
func TestPagesThatDoNotMeetAreNotPutTogether(t *testing.T) {
	j := &journald{zone: time.UTC, lines: second(few + 50)}
	pieces, gaps := collect(t, QueryOptions{Services: []string{"kubelet"},
		tail: few, Reach: noon.Add(-100 * 24 * time.Hour), Now: func() time.Time { return noon }},
		func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Query().Has("untilTime") {
				j.lines = j.lines[:20]
			}
			j.ServeHTTP(w, r)
		})
	if len(pieces) != 1 || len(gaps) != 1 || !strings.Contains(gaps[0].Why, "do not overlap") {
		t.Fatalf("%d pieces, gaps %+v", len(pieces), gaps)
	}
	if n := strings.Count(filetest.Content(t, pieces[0]), "\n"); n != few {
		t.Errorf("%d lines", n)
	}
}

func TestTheZoneIsLearnedFromTheLinesThemselves(t *testing.T) {
	at := time.Date(2026, 11, 21, 7, 24, 45, 0, time.UTC)
	for rest, want := range map[string]string{
		`n1 kubelet[80]: I1121 07:24:44.999999      80 x.go:1] "a"`:                 "Z",
		`n1 kubelet[80]: I1121 02:24:44.990000      80 x.go:1] "a"`:                 "-05:00",
		`n1 kubelet[80]: I1121 13:09:45.000000      80 x.go:1] "a"`:                 "+05:45",
		`n1 kubelet[80]: I1121 21:24:45.000000      80 x.go:1] "a"`:                 "+14:00",
		`n1 containerd[81]: time="2026-11-21T16:24:45.1+09:00" level=info msg="x"`:  "+09:00",
		`n1 containerd[81]: time="2026-11-21T07:24:45.1Z" level=info msg="x"`:       "Z",
		`n1 systemd[1]: Started kubelet.`:                                           "",
		`n1 kubelet[80]: I0101 07:24:44.999999      80 x.go:1] "from another year"`: "",
		`no host`: "",
	} {
		got := ""
		if z := zoneOf(rest, at); z != nil {
			got = at.In(z).Format("Z07:00")
		}
		if got != want {
			t.Errorf("%s: zone %q, want %q", rest, got, want)
		}
	}
}

func TestAServiceOfAnotherNameIsFound(t *testing.T) {
	var asked []string
	pieces, gaps := collect(t, QueryOptions{}, func(w http.ResponseWriter, r *http.Request) {
		unit := r.URL.Query().Get("query")
		asked = append(asked, unit)
		switch unit {
		case "k3s", "crio":
			_, _ = io.WriteString(w, "Nov 21 07:24:45.454287 n1 "+unit+"[80]: "+aLine+"\n")
		case "k3s-agent":
			_, _ = io.WriteString(w, "-- No entries --\n")
		default:
			fmt.Fprintf(w, "log not found for %s\n", unit)
		}
	})
	if len(pieces) != 2 || len(gaps) != 0 || strings.Join(asked, " ") != "kubelet k3s-agent k3s containerd crio" {
		t.Fatalf("%d pieces, gaps %+v, asked %v", len(pieces), gaps, asked)
	}
	if pieces[0].Files()[0].Path != "nodes/n1/logquery/k3s.log" ||
		pieces[1].Files()[0].Path != "nodes/n1/logquery/crio.log" {
		t.Errorf("stored at %s and %s", pieces[0].Files()[0].Path, pieces[1].Files()[0].Path)
	}
}

// A zone that no land has would ask for pages of other hours than the node's.
func FuzzZoneOf(f *testing.F) {
	f.Add(`n1 kubelet[80]: I1121 07:24:44.999999      80 x.go:1] "a"`, int64(1795245885))
	f.Add(`n1 containerd[81]: time="2026-11-21T16:24:45.1+09:00" level=info msg="x"`, int64(1795245885))
	f.Add(`n1 containerd[81]: time="2026-11-21T16:24:45.1+23:59" level=info msg="x"`, int64(0))
	f.Add(`n1 kubelet[80]: I0101 00:00:00.000000      80 x.go:1] "a"`, int64(1798761599))
	f.Fuzz(func(t *testing.T, rest string, second int64) {
		if second < 0 || second > 1<<34 {
			t.Skip("no node's time")
		}
		at := time.Unix(second, 0).UTC()
		z := zoneOf(rest, at)
		if z == nil {
			return
		}
		if _, offset := at.In(z).Zone(); offset < -12*3600 || offset > 14*3600 {
			t.Errorf("%q at %s: a zone of %d s", rest, at, offset)
		}
	})
}
