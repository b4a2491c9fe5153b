package timeline

import (
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// A message stands for an end that needs an explanation, unless it ends a whole pod that somebody took away.
func TestWhichMessagesExistOnlyForAnEnd(t *testing.T) {
	for name, c := range map[string]struct {
		fact evidence.Fact
		all  bool
		want bool
	}{
		"a kill for a probe":                     {fact: evidence.KillDecided{Reason: evidence.KillLiveness}, want: true},
		"a kill with its pod":                    {fact: evidence.KillDecided{Reason: evidence.KillPod}},
		"where only such are given":              {fact: evidence.KillDecided{Reason: evidence.KillPod}, all: true, want: true},
		"back-off":                               {fact: evidence.BackedOff{}, want: true},
		"a postStart hook that failed":           {fact: evidence.HookFailed{Hook: "PostStart"}, want: true},
		"one that was called off to end the pod": {fact: evidence.HookFailed{Hook: "PostStart", CalledOff: true}},
		"a preStop hook, called off":             {fact: evidence.HookFailed{Hook: "PreStop", CalledOff: true}, want: true},
		"a start":                                {fact: evidence.ContainerStarted{}, all: true},
	} {
		if got := TellsOfEnd(c.fact, c.all); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
