package timeline

import (
	"testing"
	"time"
)

// What starts right after a kubelet did may have been requested by the previous one.
func TestTheMakerOfWhatStartsEarlyIsTheKubeletBefore(t *testing.T) {
	day := time.Date(2026, 11, 27, 0, 0, 0, 0, time.UTC)
	at := func(seconds float64) time.Time { return day.Add(time.Duration(seconds * float64(time.Second))) }
	both := []KubeletRun{{Start: at(0), Version: "v1.30.14"}, {Start: at(100), Version: "v1.37.1"}}
	for name, c := range map[string]struct {
		runs []KubeletRun
		in   Instance
		want string // "" for unknown
	}{
		"long before the new kubelet":                {both, Instance{Started: at(50)}, "v1.30.14"},
		"told by a log right after it":               {both, Instance{Started: at(105)}, "v1.30.14"},
		"told by a log long after it":                {both, Instance{Started: at(115)}, "v1.37.1"},
		"recorded at its start":                      {both, Instance{Created: at(101), Started: at(101)}, "v1.30.14"},
		"recorded soon after it":                     {both, Instance{Created: at(105), Started: at(105)}, "v1.37.1"},
		"right after the only kubelet that is known": {both[1:], Instance{Started: at(105)}, ""},
		"before the only one that is known":          {both[1:], Instance{Started: at(50)}, ""},
		"recorded soon after the only one of a node": {both[1:], Instance{Created: at(110)}, "v1.37.1"},
	} {
		n := &NodeStory{Kubelet: c.runs}
		n.versions()
		run, latest := n.MakerOf(&c.in)
		switch {
		case run == nil && c.want != "", run != nil && run.Version != c.want:
			t.Errorf("%s: made by %+v, want %q", name, run, c.want)
		case run != nil && latest.Before(run.Start):
			t.Errorf("%s: made at %s, before its kubelet", name, latest)
		}
	}
}
