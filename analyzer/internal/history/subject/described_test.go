package subject

import (
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// A description has no UID. A log line that has a name and a UID gives it one, unless two names have the same.
func TestTheUIDOfADescribedPod(t *testing.T) {
	described := func(name string) evidence.Pod {
		return evidence.Pod{Namespace: "shop", Name: name, UID: evidence.Described + "shop/" + name}
	}
	line := func(name, uid string) Seen {
		return Seen{Observation: &evidence.Observation{Subject: evidence.Subject{Namespace: "shop", Pod: name, PodUID: uid}}}
	}
	for name, c := range map[string]struct {
		pods []evidence.Pod
		obs  []Seen
		want string // of web-0
	}{
		"one line": {pods: []evidence.Pod{described("web-0")}, obs: []Seen{line("web-0", "u1")},
			want: evidence.Described + "shop/web-0"},
		"two UIDs of one name": {pods: []evidence.Pod{described("web-0")},
			obs: []Seen{line("web-0", "u1"), line("web-0", "u2")}},
		"one UID of two names": {pods: []evidence.Pod{described("web-0"), described("web")},
			obs: []Seen{line("web-0", "u1"), line("web", "u1")}},
		"the API has that UID": {pods: []evidence.Pod{described("web-0"), {Name: "db-0", UID: "u1"}},
			obs: []Seen{line("web-0", "u1")}},
		"a line about another pod": {pods: []evidence.Pod{described("web-0")}, obs: []Seen{line("db-0", "u1")}},
	} {
		for range 20 { // maps have no order
			r := Resolver{Obs: c.obs}
			if got := r.described(c.pods)["u1"]; got != c.want {
				t.Fatalf("%s: %q, want %q", name, got, c.want)
			}
		}
	}
}
