package nodelog

import (
	"testing"
	"time"
)

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
