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
	failed := evidence.StartFailed{Reason: "CreatePodSandboxError"}
	started := evidence.APIEvent{Reason: "Started", Count: 1}
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

// Words without a name tell of no end where the runtime lists the container as running whose process the kernel killed,
// nor, if they are a runtime's, beside a table of pods that never restarted.
func TestWordsWithoutANameAreNoEndBesideWhatDeniesThem(t *testing.T) {
	const id = "90625e78e9f8211b7e7e40963ea94a906685f3c7cff5278ebc782234c23260f4"
	code := int32(137)
	killed := evidence.ContainerRecord{Kind: evidence.KindApp, State: evidence.StateExited, Attempt: -1, Last: true,
		Reason: "OOMKilled", RestartCount: -1}
	coded, bare := killed, killed
	coded.ExitCode, bare.Reason = &code, ""
	for name, c := range map[string]struct {
		said   evidence.ContainerRecord
		victim string
		state  evidence.ContainerState
		counts []int // of the table's rows
		want   int
	}{
		"the kernel names a container that runs":  {killed, id, evidence.StateRunning, nil, 0},
		"the kernel names nobody":                 {killed, "", "", nil, 1},
		"the words have an exit code":             {coded, id, evidence.StateRunning, nil, 1},
		"no pod of the table restarted":           {bare, "", "", []int{0, 0}, 0},
		"memory, and no pod of a table restarted": {killed, "", "", []int{0}, 1},
		"no pod is in a table":                    {bare, "", "", nil, 1},
	} {
		s := mentioning("default", evidence.Unnamed)
		s.Mentioned.Observations[0].Fact = c.said
		if c.victim != "" {
			s.Observations = append(s.Observations, evidence.Observation{ID: "k1", Fact: evidence.OOMKill{Task: "ffmpeg"},
				Subject: evidence.Subject{ContainerID: id}, Source: evidence.Source{Kind: evidence.SourceKernelLog}},
				evidence.Observation{ID: "c1", Source: evidence.Source{Kind: evidence.SourceCRI},
					Subject: evidence.Subject{ContainerID: id, Pod: "transcoder-0", Container: "transcoder"},
					Fact:    evidence.ContainerRecord{Kind: evidence.KindApp, State: c.state}})
		}
		for i, count := range c.counts {
			pod := "web-" + string(rune('0'+i))
			row := evidence.Subject{PodUID: evidence.Row + "/shop/" + pod, Namespace: "shop", Pod: pod,
				Container: evidence.Unnamed}
			s.Pods = append(s.Pods, evidence.Pod{UID: row.PodUID, Namespace: "shop", Name: pod, Phase: "Running"})
			s.Observations = append(s.Observations, evidence.Observation{ID: "r" + pod, Subject: row,
				Source: evidence.Source{Kind: evidence.SourceAPI}, Fact: evidence.RestartCount{Count: count}})
		}
		got := 0
		for _, r := range build(s).Restarts {
			if r.PodName == evidence.Unnamed {
				got++
			}
		}
		if got != c.want {
			t.Errorf("%s: %d ends without a name, want %d", name, got, c.want)
		}
	}
}
