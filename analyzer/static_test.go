package analyzer_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

func toldAs(t *testing.T, name string) *analyzertest.Story {
	t.Helper()
	for _, s := range analyzertest.Stories() {
		if s.Name == name {
			return s.Story()
		}
	}
	t.Fatalf("no story %q", name)
	return nil
}

// Two pods for the kubelet, one restart for the reader: with both instances, and with the UID that the kubelet killed.
func TestAStaticPodsTwoUIDsAreOneRestart(t *testing.T) {
	for _, name := range []string{"a static manifest that was edited",
		"a static manifest that was edited while the kubelet was away", "another kubelet and the same static manifest"} {
		r := judge(toldAs(t, name))
		if len(r.Items) != 1 {
			t.Fatalf("%s: %d items, want one", name, len(r.Items))
		}
		it := r.Items[0]
		if it.Kind != report.Restart || it.PodUID != analyzertest.OldStaticUID ||
			it.From == nil || it.From.ContainerID != analyzertest.OldID || it.To == nil ||
			it.To.ContainerID != analyzertest.NewID {
			t.Errorf("%s: kind %s of %s, from %+v to %+v", name, it.Kind, it.PodUID, it.From, it.To)
		}
		last := it.Verdict.Chain[len(it.Verdict.Chain)-1]
		if !strings.Contains(last.Text, "in the same static pod under UID "+analyzertest.NewStaticUID) {
			t.Errorf("%s: the chain ends with %q", name, last.Text)
		}
	}
	gone := judge(toldAs(t, "a static manifest that is gone"))
	if len(gone.Items) != 1 || gone.Items[0].Kind != report.Death || gone.Items[0].To != nil {
		t.Errorf("a manifest that is gone: %+v", gone.Items)
	}
}

// All static pods of a node are recreated by one kubelet: one incident.
func TestStaticPodsOfOneUpgradeAreOneIncident(t *testing.T) {
	s := toldAs(t, "another kubelet and the same static manifest")
	for _, o := range slices.Clone(s.Observations) {
		if o.Subject.PodUID != analyzertest.OldStaticUID && o.Subject.PodUID != analyzertest.NewStaticUID &&
			o.Subject.ContainerID == "" {
			continue
		}
		other := strings.NewReplacer(analyzertest.OldStaticUID, "11"+analyzertest.OldStaticUID[2:],
			analyzertest.NewStaticUID, "11"+analyzertest.NewStaticUID[2:], "1111",
			"3333", "2222", "4444", "5a5a", "6c6c", "5b5b", "6d6d", analyzertest.PodName, "dns-n1").Replace
		o.Subject.PodUID, o.Subject.ContainerID, o.Subject.SandboxID, o.Subject.Pod = other(o.Subject.PodUID),
			other(o.Subject.ContainerID), other(o.Subject.SandboxID), other(o.Subject.Pod)
		o.Text = safetext.Clean(o.Text.String() + " of the other")
		s.Observations = append(s.Observations, o)
	}
	r := judge(s)
	if len(r.Items) != 2 || len(r.Incidents) != 1 || len(r.Incidents[0].Items) != 2 {
		t.Fatalf("%d items, incidents %+v", len(r.Items), r.Incidents)
	}
	if got := r.Incidents[0].Cause; got != "static-pod-kubelet-upgrade" {
		t.Errorf("the incident's cause is %s", got)
	}
}

// The deletion of a mirror says nothing about its pod.
func TestAMirrorsDeletionIsNoEndOfTheStaticPod(t *testing.T) {
	s := toldAs(t, "a static manifest that was edited")
	mirror := evidence.Subject{Namespace: analyzertest.Namespace, Pod: analyzertest.PodName,
		PodUID: analyzertest.OldStaticUID}
	s.Add(evidence.SourceKubeletLog, 39.9, mirror, evidence.PodConfig{Op: "DELETE", Origin: "api"})
	s.Add(evidence.SourceAPI, 39, mirror, evidence.PodEvicted{Reason: "EvictionByEvictionAPI",
		Message: safetext.Clean("drained")})
	for _, it := range judge(s).Items {
		if it.Verdict.Cause != "static-pod-changed" || it.Verdict.Confidence != report.Proven {
			t.Errorf("got %s (%s): %s", it.Verdict.Cause, it.Verdict.Confidence, it.Verdict.Summary)
		}
	}
}

// For an ordinary pod the API keeps what happened to its containers; an event about an unknown UID is no restart.
func TestAnEventAloneIsARestartOfStaticPodsOnly(t *testing.T) {
	for uid, want := range map[string]int{analyzertest.OldStaticUID: 1, "c0ffee00-b4cd-48ff-b717-ecaa167c7f92": 0} {
		s := analyzertest.New().Events()
		s.Add(evidence.SourceAPI, 40, evidence.Subject{Namespace: analyzertest.Namespace,
			Pod: "etcd-n1", PodUID: uid, Container: "etcd"},
			evidence.KillDecided{Reason: evidence.KillPod, Message: safetext.Clean("Stopping container etcd"), Count: 1})
		r := judge(s)
		if len(r.Items) != want {
			t.Errorf("%s: %d items, want %d", uid, len(r.Items), want)
		}
		for _, it := range r.Items {
			if it.Verdict.Cause != "static-pod-removed" || it.Verdict.Confidence == report.Proven {
				t.Errorf("%s: %s (%s)", uid, it.Verdict.Cause, it.Verdict.Confidence)
			}
		}
	}
}
