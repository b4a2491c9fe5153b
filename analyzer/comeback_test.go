package analyzer_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// comeback is what events tell of a machine that was switched off and on again: its kubelet starts and finds the
// sandboxes of all pods gone, and what ran in them is started again, some of it minutes later.
type comeback struct {
	pods    []string
	changed time.Duration // from the kubelet's start to the first pod whose sandbox it found gone
	steady  bool          // one more container has been running since before the others began
	again   bool          // the kubelet starts before the others began, and not before they end
}

func (c comeback) report() *report.Report {
	start := time.Date(2026, 11, 21, 7, 0, 0, 0, time.UTC)
	b := evidence.NewBuilder(start.Add(time.Hour))
	b.Node(evidence.Node{Name: "n1", KubeletVersion: "v1.34.4", Runtime: "containerd://2.1.4"})
	api := func(at time.Time, subject evidence.Subject, f evidence.Fact) {
		subject.Node = "n1"
		b.Observe(evidence.Observation{Time: at, Subject: subject, Fact: f,
			Source: evidence.Source{Kind: evidence.SourceAPI, Node: "n1", Where: "api/events", Vouched: true}})
	}
	kubelet := start
	if c.again {
		kubelet = start.Add(-2 * time.Hour)
	}
	api(kubelet, evidence.Subject{}, evidence.KubeletStarted{Version: "v1.34.4"})
	container := func(i int, name string) (pod, container evidence.Subject) {
		pod = evidence.Subject{Namespace: "shop", Pod: name, PodUID: fmt.Sprintf("0b222463-b4cd-48ff-b717-%012d", i)}
		container = pod
		container.Container = "a"
		return pod, container
	}
	for i, name := range c.pods {
		pod, a := container(i, name)
		api(start.Add(-time.Hour), a, evidence.APIEvent{Reason: "Started"})
		api(start.Add(c.changed+time.Duration(i)*time.Second), pod, evidence.SandboxChanged{Count: 1})
		api(start.Add(time.Minute+time.Duration(i)*45*time.Second), a, evidence.APIEvent{Reason: "Started"})
	}
	if c.steady {
		_, a := container(99, "steady-0")
		a.ContainerID = fmt.Sprintf("%064x", 99)
		api(start.Add(-90*time.Minute), a, evidence.ContainerRecord{Kind: evidence.KindApp, State: evidence.StateRunning,
			Attempt: -1, Started: start.Add(-90 * time.Minute)})
	}
	return analyzer.Analyze(b.Build(), analyzer.Options{})
}

func TestANodeThatCameBackIsOneIncident(t *testing.T) {
	four := []string{"web-0", "db-0", "cache-0", "queue-0"}
	for name, c := range map[string]struct {
		comeback
		want bool
	}{
		"four workloads": {comeback{pods: four, changed: 20 * time.Second}, true},
		"two pods":       {comeback{pods: four[:2], changed: 20 * time.Second}, false},
		"one workload": {comeback{pods: []string{"web-0", "web-1", "web-2", "web-3"}, changed: 20 * time.Second},
			false},
		"long after the kubelet's start": {comeback{pods: four, changed: 20 * time.Second, again: true}, false},
		"something ran on all the time":  {comeback{pods: four, changed: 20 * time.Second, steady: true}, false},
	} {
		t.Run(name, func(t *testing.T) {
			r := c.report()
			if len(r.Items) != len(c.pods) {
				t.Fatalf("%d items of %d pods", len(r.Items), len(c.pods))
			}
			whole := len(r.Incidents) == 1 && r.Incidents[0].Cause == string(causes.NodeReboot) &&
				len(r.Incidents[0].Items) == len(c.pods)
			if whole != c.want {
				t.Errorf("%+v, one incident wanted: %t", r.Incidents, c.want)
			}
		})
	}
}
