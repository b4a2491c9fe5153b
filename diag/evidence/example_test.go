package evidence_test

import (
	"fmt"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// A line that two files hold is one observation, and observations are in the order of their times.
func ExampleBuilder() {
	at := time.Date(2026, 3, 1, 10, 5, 1, 0, time.UTC)
	died := evidence.Observation{Time: at, Subject: evidence.Subject{ContainerID: "aa"}, Fact: evidence.ContainerDied{}}
	started := died
	started.Time, started.Fact = at.Add(-5*time.Minute), evidence.ContainerStarted{}

	b := evidence.NewBuilder(at.Add(time.Hour))
	for _, o := range []evidence.Observation{died, started, died} {
		b.Observe(o)
	}
	for _, o := range b.Build().Observations {
		fmt.Println(o.Time.Format(time.TimeOnly), o.Subject.ContainerID, o.Fact.Statement())
	}
	// Output:
	// 10:00:01 aa kubelet.container-started
	// 10:05:01 aa kubelet.container-died
}
