package history

import (
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// A kubelet's log names neither containers nor sandboxes where a pod's containers end by themselves, but it has the
// exit codes of containers alone.
func TestTheIdWithAnExitCodeIsTheContainer(t *testing.T) {
	at := time.Date(2026, 11, 22, 3, 0, 0, 0, time.UTC)
	tail := "00000000000000000000000000000000000000000000000000000000000000"
	for name, c := range map[string]struct {
		finished, died []string
		want           string // the container of the only end
	}{
		"a container and its sandbox":   {[]string{"c1"}, []string{"c1", "b1"}, evidence.Unnamed},
		"two containers and a sandbox":  {[]string{"c1", "c2"}, []string{"c1", "c2", "b1"}, ""},
		"two ids and no exit code":      {nil, []string{"c1", "b1"}, ""},
		"a container that ended alone":  {[]string{"c1"}, []string{"c1"}, evidence.Unnamed},
		"the sandbox is reported first": {[]string{"c1"}, []string{"b1", "c1"}, evidence.Unnamed},
	} {
		s := &evidence.Snapshot{}
		add := func(id string, f evidence.Fact) {
			at = at.Add(time.Second)
			s.Observations = append(s.Observations, evidence.Observation{ID: at.Format("05"), Time: at,
				Source: evidence.Source{Kind: evidence.SourceKubeletLog, Node: "n1"}, Fact: f,
				Subject: evidence.Subject{Node: "n1", Namespace: "ops", Pod: "backup", PodUID: "u1", ContainerID: id + tail}})
		}
		for _, id := range c.finished {
			add(id, evidence.ContainerFinished{})
		}
		for _, id := range c.died {
			add(id, evidence.ContainerDied{})
		}
		all := Build(s).Restarts
		if len(all) != 1 || all[0].Container != c.want {
			t.Errorf("%s: %d ends, of container %q, want %q", name, len(all), all[0].Container, c.want)
		}
	}
}
