package analyzer

import (
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// A table's row that never restarted outweighs a word of an end without a code or a reason, such as one of the runtime
// beside it, and no more than that.
func TestABareWordEndsNoPodThatATableShowsAsNeverRestarted(t *testing.T) {
	code := int32(1)
	bare := evidence.ContainerRecord{Kind: evidence.KindApp, State: evidence.StateExited, Attempt: -1, Last: true,
		RestartCount: -1}
	with := func(change func(*evidence.ContainerRecord)) evidence.ContainerRecord {
		rec := bare
		change(&rec)
		return rec
	}
	for name, c := range map[string]struct {
		said     evidence.ContainerRecord
		restarts int
		want     int
	}{
		"a bare word":               {bare, 0, 0},
		"of a pod that restarted":   {bare, 2, 1},
		"an exit code":              {with(func(r *evidence.ContainerRecord) { r.ExitCode = &code }), 0, 1},
		"a reason":                  {with(func(r *evidence.ContainerRecord) { r.Reason = "OOMKilled" }), 0, 1},
		"a bare word, and no table": {bare, -1, 1},
	} {
		s := mentioning("shop", "cart-0")
		s.Mentioned.Observations[0].Fact = c.said
		if c.restarts >= 0 {
			row := evidence.Subject{PodUID: evidence.Row + "/shop/cart-0", Namespace: "shop", Pod: "cart-0",
				Container: evidence.Unnamed}
			s.Pods = []evidence.Pod{{UID: row.PodUID, Namespace: "shop", Name: "cart-0", Phase: "Running"}}
			s.Observations = []evidence.Observation{{ID: "c1", Subject: row,
				Source: evidence.Source{Kind: evidence.SourceAPI}, Fact: evidence.RestartCount{Count: c.restarts}}}
		}
		if got := len(build(s).Restarts); got != c.want {
			t.Errorf("%s: %d items, want %d", name, got, c.want)
		}
	}
}

// What a text says of a pod that could not be made is nothing new where a reader has it with its time.
func TestAFailureToMakeAPodIsToldOnce(t *testing.T) {
	failed, started := evidence.StartFailed{Reason: "CreatePodSandboxError"}, evidence.APIEvent{Reason: "Started", Count: 1}
	at := time.Date(2026, 11, 27, 5, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		read []evidence.Fact
		want int
	}{
		"nothing was read":                {nil, 1},
		"it was read":                     {[]evidence.Fact{failed}, 1},
		"it was read, and what came then": {[]evidence.Fact{failed, started}, 0},
		"only what came then":             {[]evidence.Fact{started}, 1},
	} {
		s := mentioning("shop", "cart-0")
		o := &s.Mentioned.Observations[0]
		o.Fact, o.Subject.Container, o.Time = failed, "", at.Add(time.Hour) // when the text was written
		for i, f := range c.read {
			s.Observations = append(s.Observations, evidence.Observation{ID: string(rune('a' + i)), Fact: f,
				Time:    at.Add(time.Duration(i) * time.Minute),
				Subject: evidence.Subject{Namespace: "shop", Pod: "cart-0"}, Source: evidence.Source{Kind: evidence.SourceAPI}})
		}
		if got := len(build(s).Restarts); got != c.want {
			t.Errorf("%s: %d items, want %d", name, got, c.want)
		}
	}
}
