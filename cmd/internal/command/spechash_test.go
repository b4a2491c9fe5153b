package command

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/forensics"
	"github.com/restartwhy/kubectl-restartwhy/diag/apiobject"
)

// Neighbours cost time and memory: a listing has none, a live question has them for what it asked for, a recording for
// what is like the container in question, and not without bound.
func TestNeighboursAreHashedWhereTheyAreWanted(t *testing.T) {
	searched := func(s *Sources, names ...string) (n int) {
		near := s.Hashing().Near
		if near == nil {
			return 0
		}
		for _, name := range names {
			spec := corev1.Container{Name: name, Image: "web:1", TerminationMessagePath: "/dev/termination-log"}
			if len(near(apiobject.Ancestry{Spec: &spec})) > 0 {
				n++
			}
		}
		return n
	}
	many := make([]string, 3*maxAlike)
	for i := range many {
		many[i] = "app"
	}
	for name, test := range map[string]struct {
		sources *Sources
		names   []string
		want    int
	}{
		"a listing":  {&Sources{}, []string{"app", "proxy"}, 0},
		"a live pod": {&Sources{Neighbours: forensics.Wide}, []string{"app", "proxy"}, 2},
		"a recording": {&Sources{Neighbours: forensics.Wide,
			SameSpec: map[Likeness]bool{{"app", "web:1"}: true}}, []string{"app", "proxy"}, 1},
		"a recording, of another image": {&Sources{Neighbours: forensics.Wide,
			SameSpec: map[Likeness]bool{{"app", "web:2"}: true}}, []string{"app", "proxy"}, 0},
		"many replicas": {&Sources{Neighbours: forensics.Narrow, SameSpec: map[Likeness]bool{{"app", "web:1"}: true}},
			many, maxAlike},
	} {
		t.Run(name, func(t *testing.T) {
			if got := searched(test.sources, test.names...); got != test.want {
				t.Errorf("the neighbours of %d containers were hashed, want %d", got, test.want)
			}
		})
	}
}

// What the door knows of a container's past reaches the search.
func TestThePastOfAContainerIsSearched(t *testing.T) {
	s := Sources{Neighbours: forensics.Narrow}
	now, was := corev1.Container{Name: "app", Image: "web:2"},
		corev1.Container{Name: "app", Image: "web:1", WorkingDir: "/x"}
	var sources []string
	for _, h := range s.Hashing().Near(apiobject.Ancestry{Spec: &now, Images: []string{"web:0"},
		Earlier: []apiobject.Earlier{{Source: "revision 1 of deployment web", Container: &was}}}) {
		if !slices.Contains(sources, h.Source+" "+h.Image) {
			sources = append(sources, h.Source+" "+h.Image)
		}
	}
	for _, want := range []string{"revision 1 of deployment web web:1", " web:2", " web:0"} {
		if !slices.Contains(sources, want) {
			t.Errorf("no hash of %q among %q", want, sources)
		}
	}
}
