package report

import "testing"

// ruled returns a list as in verdicts: one fact rules several causes out.
func ruled() Eliminations {
	return Eliminations{
		{Because: "exit code 1 is <its own>", Evidence: []string{"e1", "e2"}, Causes: []string{"oom-node", "oom-pod-limit"}},
		{Because: "exit code 1 is <its own>", Evidence: []string{"e3"}, Causes: []string{"app-signal"}},
		{Because: "it did not boot", Evidence: []string{}, Causes: []string{"node-reboot"}},
		{Because: "the pod is there", Evidence: []string{}, Causes: []string{"evicted-memory"}},
	}
}

func TestTheFactThatRulesACauseOutIsFound(t *testing.T) {
	e := ruled()
	if e.Count() != 5 {
		t.Errorf("%d causes, want 5", e.Count())
	}
	if of, ok := e.Of("oom-pod-limit"); !ok || of.Evidence[0] != "e1" {
		t.Errorf("of oom-pod-limit: %+v", of)
	}
	if _, ok := e.Of("unknown"); ok {
		t.Error("a cause that is not there was found")
	}
}
