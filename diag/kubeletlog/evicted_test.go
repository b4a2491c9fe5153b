package kubeletlog

import (
	"slices"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// One pod goes for each line that says that one must. A pod that exceeds a limit of its own goes without one, and its
// line of success is the same.
func TestForWhatAPodWasEvicted(t *testing.T) {
	const (
		reclaim  = `"Eviction manager: attempting to reclaim" resourceName="memory"`
		must     = `"Eviction manager: must evict pod(s) to reclaim" resourceName="memory"`
		relieved = `"Eviction manager: able to reduce resource pressure without evicting pods." resourceName="memory"`
		first    = `"Eviction manager: pod is evicted successfully" pod="shop/first"`
		waits    = `"Eviction manager: pods evicted, waiting for pod to be cleaned up" pods=["shop/first"]`
		second   = `"Eviction manager: pod is evicted successfully" pod="shop/second"`
	)
	for name, c := range map[string]struct {
		lines []string
		want  []string
	}{
		"one that had to go": {lines: []string{reclaim, must, first, waits},
			want: []string{"first memory", "first memory"}},
		"another one behind it": {lines: []string{must, first, second}, want: []string{"first memory", "second "}},
		"another one that had to go": {lines: []string{must, first, must, second},
			want: []string{"first memory", "second memory"}},
		"of a search without that line": {lines: []string{reclaim, first}, want: []string{"first memory"}},
		"the pressure was relieved":     {lines: []string{reclaim, relieved, first}, want: []string{"first "}},
		"nothing tells for what":        {lines: []string{first}, want: []string{"first "}},
	} {
		var got, lines []string
		for _, text := range c.lines {
			lines = append(lines, from(7, "eviction_manager.go:349", text))
		}
		for _, o := range feed(&Parser{}, lines...) {
			if f, ok := o.Fact.(evidence.PodEvicted); ok {
				got = append(got, o.Subject.Pod+" "+f.Resource)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %s, want %s", name, strings.Join(got, ", "), strings.Join(c.want, ", "))
		}
	}
}
