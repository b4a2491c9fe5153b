package basis

import (
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

func TestTheLastStartIsTheOneThatTells(t *testing.T) {
	refused, back := evidence.StartFailed{Reason: "RunContainerError"}, evidence.BackedOff{}
	runtimes := evidence.RuntimeFailed{Op: "StartContainer"}
	for name, c := range map[string]struct {
		marks []evidence.Fact
		want  bool
	}{
		"nothing tells of a start":            {marks: []evidence.Fact{back}},
		"it failed, and the kubelet waits":    {marks: []evidence.Fact{refused, back}, want: true},
		"the runtime tells of it":             {marks: []evidence.Fact{runtimes}, want: true},
		"one before it had succeeded":         {marks: []evidence.Fact{evidence.TaskStarted{}, refused}, want: true},
		"a later one succeeded":               {marks: []evidence.Fact{refused, evidence.TaskStarted{}}},
		"what was probed later had started":   {marks: []evidence.Fact{refused, evidence.ProbeFailed{}}},
		"the kubelet failed before the start": {marks: []evidence.Fact{evidence.StartFailed{Reason: "CreateContainerError"}}},
	} {
		in := &timeline.Instance{}
		for _, fact := range c.marks {
			in.Marks = append(in.Marks, timeline.Occurrence{Obs: &evidence.Observation{Fact: fact}})
		}
		if got := lastStartFailed(in); got != c.want {
			t.Errorf("%s: %t, want %t", name, got, c.want)
		}
	}
}
