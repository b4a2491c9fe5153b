package textlog

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
