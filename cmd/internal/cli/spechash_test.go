package cli

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/forensics"
)

// Neighbours cost time and memory: a listing has none, a live question has them for what it asked for, a recording for
// what is like the container in question, and not without bound.
func TestNeighboursAreHashedWhereTheyAreWanted(t *testing.T) {
	searched := func(s *sources, names ...string) (n int) {
		hash := s.hasher()
		for _, name := range names {
			for _, h := range hash(&corev1.Container{Name: name, Image: "web:1", TerminationMessagePath: "/dev/termination-log"}) {
				if h.Searched {
					n++
					break
				}
			}
		}
		return n
	}
	many := make([]string, 3*maxAlike)
	for i := range many {
		many[i] = "app"
	}
	for name, test := range map[string]struct {
		sources sources
		names   []string
		want    int
	}{
		"a listing":                     {sources{}, []string{"app", "proxy"}, 0},
		"a live pod":                    {sources{neighbours: forensics.Wide}, []string{"app", "proxy"}, 2},
		"a recording":                   {sources{neighbours: forensics.Wide, alike: map[likeness]bool{{"app", "web:1"}: true}}, []string{"app", "proxy"}, 1},
		"a recording, of another image": {sources{neighbours: forensics.Wide, alike: map[likeness]bool{{"app", "web:2"}: true}}, []string{"app", "proxy"}, 0},
		"many replicas":                 {sources{neighbours: forensics.Narrow, alike: map[likeness]bool{{"app", "web:1"}: true}}, many, maxAlike},
	} {
		t.Run(name, func(t *testing.T) {
			if got := searched(&test.sources, test.names...); got != test.want {
				t.Errorf("the neighbours of %d containers were hashed, want %d", got, test.want)
			}
		})
	}
}
