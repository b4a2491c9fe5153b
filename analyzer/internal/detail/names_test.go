package detail

import (
	"slices"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

func nobody() *names {
	return &names{byID: map[string]who{}, boxes: map[string]*timeline.Sandbox{"box": {ID: "box", Attempt: 2}}}
}

func TestARestartTeachesWhatItsIDsStandFor(t *testing.T) {
	n := nobody()
	n.learn(&timeline.Restart{Container: "a",
		From: &timeline.Instance{ID: "old", Attempt: 4, SandboxID: "box"},
		To:   &timeline.Instance{ID: "new", Attempt: -1, SandboxID: "unheard"}})
	n.learn(&timeline.Restart{Container: "b", From: &timeline.Instance{Attempt: -1}})
	for id, want := range map[string]string{"old": "a (attempt 4)", "new": "a",
		"box": "the sandbox (attempt 2)", "unheard": "the sandbox"} {
		if got := n.byID[id].String(); got != want {
			t.Errorf("%s is called %q, want %q", id, got, want)
		}
	}
	if got := n.ids(); !slices.Equal(got, []string{"box", "new", "old", "unheard"}) {
		t.Errorf("knows %v", got)
	}
}

func TestAnObservationTeachesNewIDsOnce(t *testing.T) {
	for _, c := range []struct {
		name    string
		subject evidence.Subject
		fact    evidence.Fact
		fresh   []string
		called  map[string]string
	}{
		{"the runtime's line that joins sandbox and container",
			evidence.Subject{Container: "a", ContainerID: "c1", SandboxID: "box"}, evidence.RuntimeCreated{Attempt: 1},
			[]string{"box", "c1"}, map[string]string{"c1": "a (attempt 1)", "box": "the sandbox (attempt 2)"}},
		{"a record", evidence.Subject{Container: "a", ContainerID: "c1"}, evidence.ContainerRecord{Attempt: 5},
			[]string{"c1"}, map[string]string{"c1": "a (attempt 5)"}},
		{"a line that names the container", evidence.Subject{Container: "a", ContainerID: "c1"}, evidence.KillStarted{},
			[]string{"c1"}, map[string]string{"c1": "a"}},
		{"PLEG's line about a sandbox", evidence.Subject{ContainerID: "box"}, evidence.ContainerDied{},
			[]string{"box"}, map[string]string{"box": "the sandbox (attempt 2)"}},
		{"an id that nothing explains", evidence.Subject{ContainerID: "c1"},
			evidence.ContainerDied{}, nil, map[string]string{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := nobody()
			o := &evidence.Observation{Subject: c.subject, Fact: c.fact}
			if got := n.meet(o); !slices.Equal(got, c.fresh) {
				t.Errorf("learned %v, want %v", got, c.fresh)
			}
			if got := n.meet(o); len(got) != 0 {
				t.Errorf("learned %v a second time", got)
			}
			for id, want := range c.called {
				if got := n.byID[id].String(); got != want {
					t.Errorf("%s is called %q, want %q", id, got, want)
				}
			}
			if len(n.byID) != len(c.called) {
				t.Errorf("knows %v", n.byID)
			}
		})
	}
}

func TestWhatIsKnownIsNotForgotten(t *testing.T) {
	n := nobody()
	n.learn(&timeline.Restart{Container: "a", From: &timeline.Instance{ID: "c1", Attempt: 4}})
	n.meet(&evidence.Observation{Subject: evidence.Subject{Container: "a", ContainerID: "c1"},
		Fact: evidence.KillStarted{}})
	if got := n.byID["c1"].String(); got != "a (attempt 4)" {
		t.Errorf("a line without the attempt made it %q", got)
	}
}

func TestAContainersNameComesFromItsIDOrFromTheLine(t *testing.T) {
	for want, s := range map[string]evidence.Subject{
		"a": {ContainerID: "old"}, "b": {Container: "b"}, "": {PodUID: "u"},
	} {
		if got := known().container(&evidence.Observation{Subject: s}); got != want {
			t.Errorf("%+v is container %q, want %q", s, got, want)
		}
	}
}
