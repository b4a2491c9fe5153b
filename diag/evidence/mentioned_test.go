package evidence

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Each of several texts has words about a pod of its own.
func TestWhatSeveralTextsMentionIsKept(t *testing.T) {
	b := NewBuilder(time.Time{})
	for _, name := range []string{"b", "a"} {
		apart := NewBuilder(time.Time{})
		uid := Mentioned + "shop/" + name
		apart.Pod(Pod{Namespace: "shop", Name: name, UID: uid})
		apart.Observe(Observation{Subject: Subject{PodUID: uid, Pod: name}, Fact: ContainerRecord{State: StateExited}})
		b.Mention(apart)
	}
	s := b.Build()
	want := map[string]string{Mentioned + "shop/a": "a", Mentioned + "shop/b": "b"}
	if d := cmp.Diff(want, s.MentionedPods()); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	for uid := range want {
		if !s.TellsOfEnd(uid) {
			t.Errorf("nothing tells of the end of %s", uid)
		}
	}
}
