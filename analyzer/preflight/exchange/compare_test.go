package exchange

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/preflight"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence/podobject"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// running returns a running container's status.
func running(name string) corev1.ContainerStatus {
	started := true
	return corev1.ContainerStatus{
		Name: name, ContainerID: "containerd://" + name, Started: &started, Ready: true,
		State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{
			StartedAt: metav1.Time{Time: noon.Add(-time.Hour)}}},
	}
}

// scene is a cluster before and after: node n1 under v1.30.1 with one pod for each prediction, each with a running
// container app, and the same under v1.31.0 afterwards.
type scene struct {
	r           *report.Preflight
	before, now *evidence.Snapshot
}

func clusterOf(version string) *evidence.Snapshot {
	s := &evidence.Snapshot{CollectedAt: noon, Nodes: []evidence.Node{{Name: "n1", KubeletVersion: version}}}
	for _, p := range report.Predictions() {
		name := string(p)
		object := &corev1.Pod{Status: corev1.PodStatus{Phase: corev1.PodRunning,
			ContainerStatuses: []corev1.ContainerStatus{running("app")}}}
		s.Pods = append(s.Pods, evidence.Pod{Namespace: "shop", Name: name, UID: name, Node: "n1",
			Object: podobject.Of(object)})
	}
	return s
}

func newScene(mutations ...func(*scene)) *scene {
	sc := &scene{r: &report.Preflight{To: "v1.31",
		Nodes: []report.PreflightNode{{Node: "n1", From: "v1.30.1", To: "v1.31"}}},
		before: clusterOf("v1.30.1"), now: clusterOf("v1.31.0")}
	for _, p := range report.Predictions() {
		sc.r.Items = append(sc.r.Items, report.PreflightItem{Node: "n1", Namespace: "shop",
			Pod: string(p), PodUID: string(p), Container: "app", Prediction: p, Rule: "r"})
	}
	for _, m := range mutations {
		m(sc)
	}
	return sc
}

// podOf finds the pod of a prediction.
func podOf(s *evidence.Snapshot, p report.Prediction) *evidence.Pod {
	for i := range s.Pods {
		if s.Pods[i].Name == string(p) {
			return &s.Pods[i]
		}
	}
	panic("no such pod")
}

func statusOf(s *evidence.Snapshot, p report.Prediction) *corev1.ContainerStatus {
	return &podOf(s, p).Object.Whole().Status.ContainerStatuses[0]
}

// again gives the container of a pod another instance.
func again(p report.Prediction) func(*scene) {
	return func(sc *scene) { statusOf(sc.now, p).ContainerID = "containerd://app2" }
}

// gone removes a pod from the later state.
func gone(p report.Prediction) func(*scene) {
	return func(sc *scene) {
		var left []evidence.Pod
		for _, pod := range sc.now.Pods {
			if pod.Name != string(p) {
				left = append(left, pod)
			}
		}
		sc.now.Pods = left
	}
}

// ends stops the container of a pod with an exit code.
func ends(p report.Prediction, code int32) func(*scene) {
	return func(sc *scene) {
		statusOf(sc.now, p).State = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: code}}
	}
}

// mirrored makes a pod the mirror of a static one.
func mirrored(p report.Prediction) func(*scene) {
	return func(sc *scene) {
		podOf(sc.before, p).Mirror, podOf(sc.now, p).Mirror = true, true
	}
}

// brief formats outcomes in a line.
func brief(outcomes []report.PreflightOutcome) string {
	var parts []string
	for _, o := range outcomes {
		parts = append(parts, fmt.Sprintf("%s %s", o.Node, o.Seen))
		for _, it := range o.Items {
			parts = append(parts, fmt.Sprintf("%s/%s=%s", it.Pod, it.Became, it.Verdict))
		}
		c := o.Count
		for _, n := range []struct {
			n    int
			what string
		}{{c.Stayed, "stayed"}, {c.NotRunning, "idle"}, {c.Unpredicted, "new"}} {
			if n.n > 0 {
				parts = append(parts, fmt.Sprintf("%d %s", n.n, n.what))
			}
		}
	}
	return strings.Join(parts, " ")
}

const (
	restartWaits = "restarts/stayed=waiting "
	openStay     = "may/stayed=open unknown/stayed=open "
)

func TestWhatWasPredictedIsComparedWithWhatHappened(t *testing.T) {
	leaves := func(p report.Prediction) func(*scene) {
		return func(sc *scene) { podOf(sc.now, p).Object.Whole().DeletionTimestamp = &metav1.Time{Time: noon} }
	}
	for name, test := range map[string]struct {
		mutate []func(*scene)
		want   string
	}{
		"nothing has restarted yet": {nil, "n1 version " + restartWaits + openStay + "1 stayed"},
		"what was to restart did": {[]func(*scene){again(report.Restarts)},
			"n1 version restarts/restarted=right " + openStay + "1 stayed"},
		"a restart count that rises is a restart": {
			[]func(*scene){func(sc *scene) { statusOf(sc.now, report.Restarts).RestartCount++ }},
			"n1 version restarts/restarted=right " + openStay + "1 stayed"},
		"what was to restart was ended": {[]func(*scene){ends(report.Restarts, 137)},
			"n1 version restarts/ended=right " + openStay + "1 stayed"},
		"what was to restart was ended gracefully": {[]func(*scene){ends(report.Restarts, 0)},
			"n1 version restarts/ended=right " + openStay + "1 stayed"},
		"what was to stay restarted": {[]func(*scene){again(report.Stays)},
			"n1 version " + restartWaits + openStay + "stays/restarted=wrong"},
		"what was to stay was ended": {[]func(*scene){ends(report.Stays, 1)},
			"n1 version " + restartWaits + openStay + "stays/ended=wrong"},
		"what was to stay did its work": {[]func(*scene){ends(report.Stays, 0)},
			"n1 version " + restartWaits + openStay + "stays/ended=neither"},
		"a pod that was refused has not done its work": {[]func(*scene){ends(report.Stays, 0),
			func(sc *scene) { podOf(sc.now, report.Stays).Object.Whole().Status.Phase = corev1.PodFailed }},
			"n1 version " + restartWaits + openStay + "stays/ended=wrong"},
		"may and unknown cannot be wrong": {[]func(*scene){again(report.MayRestart), again(report.Undetermined)},
			"n1 version " + restartWaits + "may/restarted=open unknown/restarted=open 1 stayed"},
		"a deleted pod is moved": {[]func(*scene){gone(report.Restarts), gone(report.Stays)},
			"n1 version restarts/moved=neither " + openStay + "stays/moved=neither"},
		"a pod that is being deleted is moved": {[]func(*scene){leaves(report.Stays), ends(report.Stays, 137)},
			"n1 version " + restartWaits + openStay + "stays/moved=neither"},
		"a successor of the same name is another pod": {[]func(*scene){again(report.Stays),
			func(sc *scene) { podOf(sc.now, report.Stays).UID = "other" }},
			"n1 version " + restartWaits + openStay + "stays/moved=neither"},
		"a static pod may get another UID": {[]func(*scene){mirrored(report.Restarts),
			again(report.Restarts), func(sc *scene) { podOf(sc.now, report.Restarts).UID = "other" }},
			"n1 version restarts/restarted=right " + openStay + "1 stayed"},
		"a mirror made anew before is the same static pod": {[]func(*scene){mirrored(report.Restarts), func(sc *scene) {
			podOf(sc.before, report.Restarts).UID, podOf(sc.now, report.Restarts).UID = "other", "other"
		}}, "n1 version " + restartWaits + openStay + "1 stayed"},
		"a mirror that is not there is being made anew": {[]func(*scene){mirrored(report.Restarts), gone(report.Restarts)},
			"n1 version restarts/ended=right " + openStay + "1 stayed"},
		"what did not run before cannot restart": {[]func(*scene){again(report.Restarts),
			func(sc *scene) { statusOf(sc.before, report.Restarts).State = corev1.ContainerState{} }},
			"n1 version " + openStay + "1 stayed 1 idle"},
		"a pod replaced before the exchange was not meant": {[]func(*scene){again(report.Stays), func(sc *scene) {
			podOf(sc.before, report.Stays).UID, podOf(sc.now, report.Stays).UID = "other", "other"
		}}, "n1 version " + restartWaits + openStay + "stays/moved=neither 1 new"},
		"the same kubelet, and nothing changed": {[]func(*scene){func(sc *scene) { sc.now.Nodes = sc.before.Nodes }},
			"n1  " + restartWaits + openStay + "1 stayed"},
		"the same kubelet, and a container changed": {[]func(*scene){func(sc *scene) { sc.now.Nodes = sc.before.Nodes },
			again(report.Stays)}, "n1 containers " + restartWaits + openStay + "stays/restarted=wrong"},
		"a kubelet that says that it starts": {[]func(*scene){func(sc *scene) { sc.now.Nodes = sc.before.Nodes },
			starts(noon.Add(time.Second))}, "n1 start " + restartWaits + openStay + "1 stayed"},
		"a start from before is no news": {[]func(*scene){func(sc *scene) { sc.now.Nodes = sc.before.Nodes },
			starts(noon.Add(-time.Second))}, "n1  " + restartWaits + openStay + "1 stayed"},
		"a node that is gone is not compared": {[]func(*scene){func(sc *scene) { sc.now.Nodes, sc.now.Pods = nil, nil }}, ""},
		"a pod that only logs know is not compared": {
			[]func(*scene){func(sc *scene) { podOf(sc.before, report.Stays).Object = nil }},
			"n1 version " + restartWaits + openStay + "stays/moved=neither"},
	} {
		t.Run(name, func(t *testing.T) {
			sc := newScene(test.mutate...)
			got := Compare(sc.r, StateOf(sc.before), StateOf(sc.now))
			if diff := cmp.Diff(strings.TrimSpace(test.want), brief(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// starts adds the event that the kubelet starts.
func starts(at time.Time) func(*scene) {
	return func(sc *scene) {
		sc.now.Observations = append(sc.now.Observations,
			evidence.Observation{Time: at, Subject: evidence.Subject{Node: "n1"}, Fact: evidence.KubeletStarted{}})
	}
}

func TestAnotherVersionThanWasAskedAboutIsSaid(t *testing.T) {
	for now, want := range map[string]bool{"v1.31.4": false, "v1.32.0": true, "v1.30.9": true} {
		sc := newScene(func(sc *scene) { sc.now.Nodes[0].KubeletVersion = now })
		o := Compare(sc.r, StateOf(sc.before), StateOf(sc.now))[0]
		if o.OtherVersion != want || o.Now != now || o.From != "v1.30.1" {
			t.Errorf("%s: %+v", now, o)
		}
		sc.r.To = preflight.Same
		if o := Compare(sc.r, StateOf(sc.before), StateOf(sc.now))[0]; o.OtherVersion {
			t.Errorf("%s: no version was asked about", now)
		}
	}
}
