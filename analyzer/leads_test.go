package analyzer_test

import (
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// boxGone is a container that ended with its sandbox, without a request, and was restarted in a new one.
func boxGone(code int32, reason string) *analyzertest.Story {
	return analyzertest.New().Status(-600, 20, code, reason, 31).PodEvent(24, evidence.SandboxChanged{})
}

// changed is a container that the kubelet stopped because it found it changed.
func changed() *analyzertest.Story {
	return analyzertest.New().Kubelet(40, analyzertest.OldID, evidence.KillDecided{Reason: evidence.KillDefinition,
		Message: safetext.Clean("Container a definition changed, will be restarted"), Count: 1})
}

// deleted is a container that the kubelet stopped without a reason, and whose probe then went on to fail.
func deleted() *analyzertest.Story {
	s := analyzertest.New().Kubelet(40.1, analyzertest.OldID, evidence.KillStarted{GraceSeconds: 60})
	for _, at := range []float64{50, 60, 70} {
		s.Kubelet(at, analyzertest.OldID, evidence.ProbeFailed{Probe: evidence.ProbeLiveness, Count: 1})
	}
	return s.Kubelet(75, analyzertest.OldID, evidence.ContainerDied{})
}

// service adds a systemd message about a unit of the node.
func service(s *analyzertest.Story, at float64, unit, change string) *analyzertest.Story {
	f := evidence.UnitChanged{Unit: unit + ".service", Change: change}
	return s.Add(evidence.SourceSystemd, at, evidence.Subject{}, f)
}

// Of several causes that fit, the one with evidence leads.
func TestWhatSpeaksLeads(t *testing.T) {
	inGroup := evidence.OOMKill{Constraint: "CONSTRAINT_MEMCG", PID: 7, Task: "java"}
	inGroup.TaskMemcg = "/kubepods/burstable/pod" + analyzertest.PodUID + "/" + analyzertest.OldID
	inGroup.OOMMemcg = inGroup.TaskMemcg
	for name, c := range map[string]struct {
		story      *analyzertest.Story
		gone       bool // the API has nothing of the pod any more
		cause      string
		confidence report.Confidence
	}{
		"a sandbox is gone, and nothing tells why": {
			boxGone(0, "Completed"), false, "sandbox-died", report.Possible},
		"a sandbox is gone, and the runtime's service was stopped and started": {
			service(service(boxGone(0, "Completed"), 19, "crio", "stopping"), 21, "crio", "started"),
			false, "runtime-restarted", report.Possible},
		"the runtime's service was stopped and started, and the kubelet, too: that is no boot": {
			service(service(analyzertest.New(), 19, "containerd", "stopping"), 21, "containerd", "started").
				KubeletStarts(22, "v1.19.3", 77).KubeletPod(24, evidence.SandboxJudged{Reason: evidence.SandboxNotReady}),
			true, "runtime-restarted", report.Possible},
		"a kubelet of the same version as before was started, and the container was found changed": {
			changed().KubeletStarts(-500, "v1.31.2", 80).KubeletStarts(38, "v1.31.2", 2080).KubeletLog(),
			true, "spec-image-changed", report.Possible},
		"a kubelet was started, was then given a change of the pod, and found the container changed": {
			changed().KubeletStarts(9, "v1.31.2", 2080).KubeletPod(39.5, evidence.PodConfig{Op: "UPDATE", Origin: "api"}),
			true, "spec-image-changed", report.Likely},
		"the same, and it hashes every field": {
			changed().KubeletStarts(9, "v1.28.15", 2080).KubeletPod(39.5, evidence.PodConfig{Op: "UPDATE", Origin: "api"}),
			true, "spec-image-changed", report.Possible},
		"it was given a change of many pods at once": {
			changed().KubeletStarts(9, "v1.31.2", 2080).KubeletPod(39.5,
				evidence.PodConfig{Op: "UPDATE", Origin: "api", Others: 20}),
			true, "hash-kubelet-upgrade", report.Possible},
		"the kubelet was given the change long before it found the container changed": {
			changed().KubeletStarts(9, "v1.28.15", 2080).KubeletPod(20, evidence.PodConfig{Op: "UPDATE", Origin: "api"}),
			true, "hash-kubelet-upgrade", report.Possible},
		"a probe that failed only while its pod was being deleted": {
			deleted().KubeletPod(40, evidence.PodConfig{Op: "DELETE", Origin: "api"}), true, "pod-deleted", report.Possible},
		"a probe that failed before the kubelet stopped it, and nothing tells why": {
			deleted().Kubelet(38, analyzertest.OldID, evidence.ProbeFailed{Probe: evidence.ProbeLiveness, Count: 1}),
			true, "liveness-probe-failed", report.Possible},
		"a kernel's record without an exit code: the main process is the victim as a rule": {
			analyzertest.New().Add(evidence.SourceKernelLog, 20,
				evidence.Subject{PodUID: analyzertest.PodUID, ContainerID: analyzertest.OldID}, inGroup),
			true, "oom-container-limit", report.Likely},
	} {
		t.Run(name, func(t *testing.T) {
			s := c.story.Snapshot()
			if c.gone {
				s.Pods = nil
			}
			r := analyzer.Analyze(s, analyzer.Options{GeneratedAt: analyzertest.At(3600)})
			if len(r.Items) != 1 {
				t.Fatalf("%d items, want one", len(r.Items))
			}
			if v := r.Items[0].Verdict; v.Cause != c.cause || v.Confidence != c.confidence {
				t.Errorf("%s (%s), want %s (%s)", v.Cause, v.Confidence, c.cause, c.confidence)
			}
		})
	}
}

// A table of events has neither UIDs nor nodes: its events belong to the pod of that name, even if there is a pod
// without a node.
func TestAnEventFindsItsPodBesideOneOnNoNode(t *testing.T) {
	s := boxGone(0, "Completed").Snapshot()
	for i := range s.Observations {
		if o := &s.Observations[i]; o.Fact == (evidence.SandboxChanged{}) {
			o.Subject.PodUID, o.Subject.Node, o.Source.Node = "", "", ""
		}
	}
	s.Pods = append(s.Pods, evidence.Pod{UID: "waiting", Namespace: "shop", Name: "waits", Phase: "Pending"})
	r := analyzer.Analyze(s, analyzer.Options{GeneratedAt: analyzertest.At(3600)})
	if len(r.Items) != 1 || r.Items[0].Verdict.Cause != "sandbox-died" {
		t.Errorf("%+v", r.Items)
	}
}

// If only a kubelet's log shows a pod's node, the facts about that node apply.
func TestAKubeletsLogPlacesItsPods(t *testing.T) {
	s := service(service(boxGone(137, "Error"), 19, "docker", "stopping"), 21, "docker", "started").
		KubeletPod(24, evidence.SandboxJudged{Reason: evidence.SandboxNotReady}).Snapshot()
	for i := range s.Observations {
		if o := &s.Observations[i]; o.Source.Kind == evidence.SourceAPI {
			o.Subject.Node, o.Source.Node = "", ""
		}
	}
	s.Pods, s.Nodes = nil, nil
	r := analyzer.Analyze(s, analyzer.Options{GeneratedAt: analyzertest.At(3600)})
	if len(r.Items) != 1 || r.Items[0].Node != analyzertest.Node || r.Items[0].Verdict.Cause != "runtime-restarted" {
		t.Errorf("%+v", r.Items)
	}
}
