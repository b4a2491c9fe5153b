package finding_test

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence/podobject"
)

// debugged is the pod of a container that ran from 10 to 42, with an ephemeral container in a state.
func debugged(target string, state corev1.ContainerState) *analyzertest.Story {
	s := analyzertest.New().Status(10, 42, 143, "Error", 43)
	s.Pod.Object = podobject.Of(&corev1.Pod{
		Spec: corev1.PodSpec{EphemeralContainers: []corev1.EphemeralContainer{{
			EphemeralContainerCommon: corev1.EphemeralContainerCommon{Name: "debugger"}, TargetContainerName: target,
		}}},
		Status: corev1.PodStatus{EphemeralContainerStatuses: []corev1.ContainerStatus{{Name: "debugger", State: state}}},
	})
	return s
}

func stamp(second float64) metav1.Time { return metav1.Time{Time: at(second)} }

func TestWhoElseIsInTheProcessNamespace(t *testing.T) {
	running := func(second float64) corev1.ContainerState {
		return corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: stamp(second)}}
	}
	over := func(from, until float64) corev1.ContainerState {
		return corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{StartedAt: stamp(from),
			FinishedAt: stamp(until)}}
	}
	unheard := debugged("a", corev1.ContainerState{})
	unheard.Pod.Object.Whole().Status.EphemeralContainerStatuses = nil
	host, shared := analyzertest.New().Status(10, 42, 143, "Error", 43),
		analyzertest.New().Status(10, 42, 143, "Error", 43)
	host.Pod.HostPID, shared.Pod.ShareProcessNamespace = true, true
	unread := analyzertest.New().Status(10, 42, 143, "Error", 43)
	unread.Pod.Containers = nil
	for name, c := range map[string]struct {
		story *analyzertest.Story
		alone bool
	}{
		"nobody":                              {analyzertest.New().Status(10, 42, 143, "Error", 43), true},
		"the node's processes":                {host, false},
		"the pod's other containers":          {shared, false},
		"a pod whose spec is not known":       {unread, false},
		"kubectl debug":                       {debugged("a", running(20)), false},
		"kubectl debug into another":          {debugged("b", running(20)), true},
		"kubectl debug without a target":      {debugged("", running(20)), true},
		"kubectl debug after the end":         {debugged("a", running(60)), true},
		"kubectl debug at the end":            {debugged("a", running(42)), false},
		"kubectl debug that was over before":  {debugged("a", over(2, 5)), true},
		"kubectl debug that ended within":     {debugged("a", over(5, 20)), false},
		"kubectl debug, ended, after the end": {debugged("a", over(60, 70)), true},
		"kubectl debug that waits":            {debugged("a", corev1.ContainerState{}), false},
		"kubectl debug of unknown state":      {unheard, false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := find(t, c.story).OwnProcesses(); got != c.alone {
				t.Errorf("alone %v", got)
			}
		})
	}
}

// The condition DisruptionTarget stays where the announced deletion failed: it shows who deleted the pod only if the
// deletion followed soon.
func TestAnAnnouncedDeletionComesSoon(t *testing.T) {
	announced := evidence.PodEvicted{Reason: "EvictionByEvictionAPI", Announced: true}
	for name, c := range map[string]struct {
		said, deleted float64
		grace         int64
		doubt         bool
	}{
		"right before the deletion":             {40, 70, 30, false},
		"minutes before the deletion":           {-600, 70, 30, true},
		"right before, with a long termination": {-531, 70, 600, false},
		"nobody knows when":                     {analyzertest.Never, 70, 30, true},
	} {
		t.Run(name, func(t *testing.T) {
			s := analyzertest.New().Status(-900, 42, 143, "Error", 0)
			s.Pod.CreatedAt, s.Pod.DeletedAt = at(-1000), at(c.deleted)
			s.Pod.Object = podobject.Of(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{DeletionGracePeriodSeconds: &c.grace}})
			f := find(t, s.PodEvent(c.said, announced))
			if f.End.Answer != finding.Yes || c.said != analyzertest.Never && !f.End.At.Equal(analyzertest.At(c.said)) {
				t.Fatalf("the end: %v at %v", f.End.Answer, f.End.At.Format(time.TimeOnly))
			}
			doubted := false
			for _, d := range f.Doubts {
				doubted = doubted || strings.Contains(d.Text, "names who was about to delete it")
			}
			if doubted != c.doubt {
				t.Errorf("doubts: %v", f.Doubts)
			}
		})
	}
}

// A status that says that the deadline was exceeded is of another time or pod where the spec's is longer than the pod's
// life.
func TestADeadlineThatWasNotOver(t *testing.T) {
	for name, c := range map[string]struct {
		deadline int64
		doubt    string
	}{
		"over": {300, ""}, "in that second": {1042, ""},
		"not over": {3600, "the pod's status says that its deadline was exceeded, but the deadline in its spec is longer"},
	} {
		s := analyzertest.New().Status(-900, 42, 143, "Error", 0)
		s.Pod.CreatedAt, s.Pod.Phase = at(-1000), "Failed"
		s.Pod.Object = podobject.Of(&corev1.Pod{Spec: corev1.PodSpec{ActiveDeadlineSeconds: &c.deadline}})
		s.PodEvent(40, evidence.PodEvicted{Reason: "DeadlineExceeded"})
		if got := doubted(t, s, "the pod's status says that its deadline was exceeded"); got != (c.doubt != "") ||
			c.doubt != "" && !doubted(t, s, c.doubt) {
			t.Errorf("%s: %v", name, find(t, s).Doubts)
		}
	}
}

// A kubelet does not give a reason that its version does not know.
func TestAReasonThatComesTooEarly(t *testing.T) {
	for version, early := range map[string]map[evidence.KillReason]bool{
		"v1.15.12": {evidence.KillStartup: true, evidence.KillLiveness: false},
		"v1.26.5":  {evidence.KillStartup: false, evidence.KillResize: true, evidence.KillRestartAll: true},
		"v1.34.1":  {evidence.KillResize: false, evidence.KillRestartAll: true},
		"v1.36.3":  {evidence.KillRestartAll: false},
	} {
		for reason, want := range early {
			s := analyzertest.New().Status(0, 42, 143, "Error", 44).KubeletStarts(-60, version, 80)
			s.NodeInfo.KubeletVersion = version
			s.Event(40, evidence.KillDecided{Reason: reason, Count: 1})
			if got := doubted(t, s, "kubelets of this version do not kill for the reason"); got != want {
				t.Errorf("%s by %s: %v, want %v", reason, version, got, want)
			}
		}
	}
}
