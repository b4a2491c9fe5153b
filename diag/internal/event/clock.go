package event

import (
	"fmt"
	"maps"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
	"github.com/restartwhy/kubectl-restartwhy/diag/skew"
)

// Clocks compares the clock of each node with the API server's, using its kubelet's events: the kubelet sets
// firstTimestamp (client-go tools/record event.go makeEvent), the API server sets creationTimestamp. Both have whole
// seconds.
func Clocks(b *evidence.Builder, events []*corev1.Event) {
	by := map[string][]skew.Comparison{}
	last := map[string]time.Time{}
	for _, e := range events {
		node, first, made := HostOf(e), firstTime(e), e.CreationTimestamp.UTC()
		if !fromKubelet(e) || node == "" || first.IsZero() || e.CreationTimestamp.IsZero() {
			continue
		}
		by[node] = append(by[node], skew.Comparison{At: made, Late: made.Sub(first)})
		if made.After(last[node]) {
			last[node] = made
		}
	}
	for _, node := range slices.Sorted(maps.Keys(by)) {
		// An event that had to wait in a queue says less than one that did not; those that agree are the quick ones.
		// Those that arrived in one second may have waited for the same connection.
		late := skew.Moments(by[node], time.Second)
		quickest, slowest, pairs := skew.Agree(late, clockWidth)
		if pairs == 0 {
			continue
		}
		least, most := -slowest, -quickest
		b.Observe(evidence.Observation{
			Time: last[node], Subject: evidence.Subject{Node: node},
			Source: evidence.Source{Kind: evidence.SourceAPI, Where: "events of the kubelet of " + node},
			Fact:   evidence.ClockCompared{Offset: most, Least: least, Most: most, Pairs: pairs},
			Text: safetext.Clean(fmt.Sprintf("events of the kubelet are dated %s to %s from when the API server wrote them "+
				"(%d of %d moments)", signed(least), signed(most), pairs, len(late))),
		})
	}
}

// clockWidth is how much later than another an event may arrive and still count as sent immediately.
const clockWidth = 3 * time.Second

func signed(d time.Duration) string {
	if d > 0 {
		return "+" + d.String()
	}
	return d.String()
}
