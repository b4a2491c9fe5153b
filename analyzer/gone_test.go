package analyzer_test

import (
	"fmt"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Whatever pods the API lists, the end of one that is gone is an item where it needs an explanation: a failing code,
// memory, an eviction. In a node's whole log, what a deletion ends is none; of what nothing tells more there is the
// number.
func TestEndsOfGonePodsBesideListedOnes(t *testing.T) {
	const uid = "7d1f6a52-0b8e-4a57-9f0a-5e2c1b9d0001"
	id := evidence.Subject{ContainerID: "c1"}
	ofPod := evidence.Subject{Namespace: "shop", Pod: "gone-0", PodUID: uid, ContainerID: "c1"}
	box := ofPod
	box.ContainerID = "b1"
	name := evidence.Subject{Namespace: "shop", Pod: "gone-0"}
	failed := evidence.TaskExited{ExitCode: new(int32(137))}
	done := evidence.TaskExited{ExitCode: new(int32(0))}
	type line struct {
		of evidence.Subject
		f  evidence.Fact
	}
	for what, c := range map[string]struct {
		lines   []line
		restart bool // of the pod that is listed
		want    string
	}{
		"a failing code":          {[]line{{ofPod, evidence.ContainerFinished{ExitCode: 3}}}, false, "app-exit-error"},
		"a failing code, an id":   {[]line{{id, failed}}, false, "oom-container-limit"},
		"memory, an id":           {[]line{{id, evidence.TaskOOM{}}}, false, "oom-container-limit"},
		"an eviction, by name":    {[]line{{name, evidence.PodEvicted{Reason: "Evicted"}}}, false, "evicted-disk"},
		"an id beside other ends": {[]line{{id, failed}}, true, "app-exit-error, 1 counted"},
		"a pod beside other ends": {[]line{{ofPod, evidence.ContainerFinished{ExitCode: 3}}}, true,
			"app-exit-error app-exit-error"},
		"death alone": {[]line{{ofPod, evidence.ContainerDied{}}}, false, ", 1 counted"},
		"death with its sandbox": {[]line{{ofPod, evidence.ContainerDied{}}, {box, evidence.ContainerDied{}}}, false,
			", 1 counted"},
		"no failing code, an id": {[]line{{id, done}}, false, ", 1 counted"},
		"a stop, and its code":   {[]line{{id, evidence.StopRequested{TimeoutSeconds: 30}}, {id, failed}}, false, ""},
		"a deletion, and the death": {[]line{{name, evidence.PodConfig{Op: "DELETE", Origin: "api"}},
			{ofPod, evidence.ContainerDied{}}}, false, ""},
		"a kill in a cgroup": {[]line{{evidence.Subject{}, evidence.OOMKill{Task: "web", PID: 9}}}, false, ", 1 killed"},
		"a kill of a service": {[]line{{evidence.Subject{}, evidence.OOMKill{Task: "web", PID: 9,
			TaskMemcg: "/system.slice/x.service"}}}, false, ""},
	} {
		s := analyzertest.New()
		if c.restart {
			s.Status(10, 42.5, 1, "Error", 43)
		}
		for i, l := range c.lines {
			s.Add(evidence.SourceKubeletLog, 50+float64(i)/10, l.of, l.f)
		}
		got, r := "", analyzer.Analyze(s.Snapshot(), analyzer.Options{})
		for i, it := range r.Items {
			if i > 0 {
				got += " "
			}
			got += it.Verdict.Cause
		}
		for _, g := range r.Gaps {
			var n int
			var unit string
			if _, err := fmt.Sscanf(g.Why, "%d %s", &n, &unit); err == nil {
				got += fmt.Sprintf(", %d %s", n, map[string]string{"container": "counted", "OOM-killed": "killed"}[unit])
			}
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", what, got, c.want)
		}
	}
}
