package command

import (
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

func TestLookedSaysWhichLogsWereRead(t *testing.T) {
	at := func(day, hour int) time.Time { return time.Date(2026, 11, day, hour, 0, 0, 0, time.UTC) }
	kubelet := func(node string, from, until time.Time) evidence.Span {
		return evidence.Span{Source: evidence.SourceKubeletLog, Node: node, From: from, Until: until}
	}
	for name, c := range map[string]struct {
		read    []evidence.Span
		covered []evidence.Coverage
		want    string
	}{
		"nothing": {nil, nil, "no pod, no node and no log of a node"},
		"one": {[]evidence.Span{kubelet("n1", at(14, 3), at(14, 4))}, nil,
			"evidence from kubelet-log of n1 (2026-11-14 03:00:00 to 04:00:00Z)"},
		"over midnight": {[]evidence.Span{kubelet("n1", at(14, 23), at(15, 1))}, nil,
			"evidence from kubelet-log of n1 (2026-11-14 23:00:00 to 2026-11-15 01:00:00Z)"},
		"of several nodes": {[]evidence.Span{kubelet("n2", at(14, 5), at(14, 9)), kubelet("n1", at(14, 3), at(14, 4))}, nil,
			"evidence from kubelet-log of 2 nodes (2026-11-14 03:00:00 to 09:00:00Z)"},
		"without a host": {[]evidence.Span{kubelet("", at(14, 3), at(14, 4))}, nil,
			"evidence from kubelet-log (2026-11-14 03:00:00 to 04:00:00Z)"},
		"what is claimed counts too": {nil, []evidence.Coverage{{Source: evidence.SourceAPI, From: at(1, 1)}},
			"evidence from api"},
	} {
		if got := Looked(&evidence.Snapshot{Read: c.read, Coverage: c.covered}, false); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}
