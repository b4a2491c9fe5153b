package nodelog

import (
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// No date is younger than what is believed, and none of a file that has none is made up.
func FuzzDates(f *testing.F) {
	for _, e := range envelopes {
		f.Add("nodes/n1/logs/x", e.line+"\n")
	}
	f.Add("messages-20231105",
		"Nov  5 07:21:31 n1 kubelet[80]: x\n-- Logs begin at Fri 2017-11-03 08:46:02 UTC, end at Sat 2017-11-04 10:01:02 UTC. --\n")
	f.Add("x", `{"__REALTIME_TIMESTAMP":"1795245885454287"}`)
	f.Fuzz(func(t *testing.T, name, text string) {
		until := time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC)
		d := Dates(evidence.Bytes(name, []byte(text)), until)
		o := ObjectDates(evidence.Bytes(name, []byte(text)), until)
		for _, at := range []time.Time{d.Whole, o.Whole} {
			if at.After(until) || !at.IsZero() && at.Year() < 2010 {
				t.Fatalf("%s of %q", at, text)
			}
		}
		y := YearOf([]Dated{d, o}, until)
		if y.Reference.After(until.Add(24 * time.Hour)) {
			t.Fatalf("reference %s", y.Reference)
		}
	})
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
