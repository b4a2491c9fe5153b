package preflight

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Node findings that begin with 1.37. Findings of every change of a minor are left out.
func TestWhatBeginsWith137(t *testing.T) {
	factor, former, qps, some := 0.8, 0.9, int32(0), int32(50)
	told := func(s evidence.KubeletSettings) func(*story) { return on(s) }
	gate := func(name string, on bool) evidence.KubeletSettings {
		return evidence.KubeletSettings{FeatureGates: map[string]bool{name: on}}
	}
	throttled := func(f *float64, gates map[string]bool) func(*story) {
		return told(evidence.KubeletSettings{MemoryThrottlingFactor: f, FeatureGates: gates})
	}
	room := func(pages int64) func(*story) {
		return func(st *story) {
			st.s.Nodes[0].Allocatable = &evidence.Allocatable{MilliCPU: 8000, Memory: 1 << 34, Pods: 110, Hugepages: pages}
		}
	}
	limited := func(st *story) {
		sidecar(st)
		st.object.Spec.InitContainers[0].Resources.Limits = corev1.ResourceList{
			corev1.ResourceEphemeralStorage: resource.MustParse("1Gi")}
	}
	podLevel := func(st *story) {
		st.mirror, st.object.Spec.Resources = "u1", &corev1.ResourceRequirements{}
	}
	usual := []string{"downgrade", "minor-in-place", "minors-skipped", "flags-removed",
		"selinux-mount", "kubelet-not-modelled"}
	for name, c := range map[string]struct {
		from, to string
		given    []func(*story)
		want     []string
	}{
		"nothing": {"v1.36.3", "v1.37.1", nil, nil},
		"throttling, and the gate is off": {"v1.36.3", "v1.37.1",
			[]func(*story){throttled(&factor, map[string]bool{"MemoryQoS": false})},
			[]string{"blocker memory-throttling-factor"}},
		"with the former default": {"v1.36.3", "v1.37.1",
			[]func(*story){throttled(&former, map[string]bool{"MemoryQoS": false})}, nil},
		"throttling, and nobody set the gate": {"v1.36.3", "v1.37.1", []func(*story){throttled(&factor, nil)},
			[]string{"risk memory-qos-on"}},
		"throttling that was on": {"v1.36.3", "v1.37.1",
			[]func(*story){throttled(&factor, map[string]bool{"MemoryQoS": true})}, nil},
		"throttling within 1.37":     {"v1.37.0", "v1.37.1", []func(*story){throttled(&factor, nil)}, nil},
		"throttling on the way down": {"v1.37.1", "v1.36.3", []func(*story){throttled(&factor, nil)}, nil},
		"huge pages": {"v1.36.3", "v1.37.1", []func(*story){room(1 << 30)},
			[]string{"risk hugepage-aware-eviction"}},
		"no huge pages": {"v1.36.3", "v1.37.1", []func(*story){room(0)}, nil},
		"a sidecar with a limit": {"v1.36.3", "v1.37.1", []func(*story){limited},
			[]string{"risk sidecar-storage-limits"}},
		"which 1.37 enforced before": {"v1.37.0", "v1.37.1", []func(*story){limited}, nil},
		"a sidecar without one":      {"v1.36.3", "v1.37.1", []func(*story){sidecar}, nil},
		"sysctls of users": {"v1.36.3", "v1.37.1",
			[]func(*story){told(evidence.KubeletSettings{UnsafeSysctls: []string{"net.x", "user.*"}})},
			[]string{"risk user-sysctls"}},
		"other sysctls": {"v1.36.3", "v1.37.1",
			[]func(*story){told(evidence.KubeletSettings{UnsafeSysctls: []string{"net.x"}})}, nil},
		"default sysctls without the gate": {"v1.36.3", "v1.37.1",
			[]func(*story){told(evidence.KubeletSettings{DefaultPodSysctls: true})}, []string{"blocker default-pod-sysctls"}},
		"events without a limit": {"v1.36.3", "v1.37.1",
			[]func(*story){told(evidence.KubeletSettings{EventRecordQPS: &qps})}, []string{"note events-unlimited"}},
		"events with one": {"v1.36.3", "v1.37.1", []func(*story){told(evidence.KubeletSettings{EventRecordQPS: &some})}, nil},
		"a static pod with resources of its own": {"v1.36.3", "v1.37.1", []func(*story){podLevel},
			[]string{"note static-pod-qos"}},
		"a damaged inner state": {"v1.36.3", "v1.37.1",
			[]func(*story){on(evidence.CheckpointState{Name: "cpu_manager_state",
				Exists: true, Checksum: "ok", DataChecksum: "bad"})},
			[]string{"blocker checkpoint-unreadable"}},
		"which 1.36 does not look at": {"v1.37.1", "v1.36.3",
			[]func(*story){on(evidence.CheckpointState{Name: "cpu_manager_state",
				Exists: true, Checksum: "ok", DataChecksum: "bad"})}, nil},
		"a damaged outer state": {"v1.37.1", "v1.37.1",
			[]func(*story){on(evidence.CheckpointState{Name: "memory_manager_state",
				Exists: true, Checksum: "bad", DataChecksum: "ok"})}, nil},
		"which 1.36 reads": {"v1.37.1", "v1.36.3",
			[]func(*story){on(evidence.CheckpointState{Name: "memory_manager_state",
				Exists: true, Checksum: "bad", DataChecksum: "ok"})}, []string{"blocker checkpoint-unreadable"}},
		"containerd 1.7 and 1.37": {"v1.36.3", "v1.37.1", []func(*story){runtime("containerd://1.7.2")}, nil},
		"containerd 1.7 and 1.38": {"v1.37.1", "v1.38.0", []func(*story){runtime("containerd://1.7.2")},
			[]string{"risk cri-runtime-config"}},
		"containerd 2.0 and 1.38": {"v1.37.1", "v1.38.0", []func(*story){runtime("containerd://2.0.1")}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, f := range predicted(t, newStory(c.from, c.given...), c.to).Nodes[0].Findings {
				if !slices.Contains(usual, f.Rule) {
					got = append(got, string(f.Level)+" "+f.Rule)
				}
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
		})
	}
	for name, c := range map[string]struct {
		given evidence.KubeletSettings
		rule  string
		want  bool
	}{
		"SELinuxMount is new":                {evidence.KubeletSettings{}, "selinux-mount", true},
		"SELinuxMount was set":               {gate("SELinuxMount", false), "selinux-mount", false},
		"static pods may refer no longer":    {gate("PreventStaticPodAPIReferences", false), "static-pod-references", true},
		"static pods could not refer before": {gate("PreventStaticPodAPIReferences", true), "static-pod-references", false},
	} {
		all := predicted(t, newStory("v1.36.3", told(c.given)), "v1.37.1").Nodes[0].Findings
		if got := slices.ContainsFunc(all, func(f report.Finding) bool { return f.Rule == c.rule }); got != c.want {
			t.Errorf("%s: %v, want %v: %+v", name, got, c.want, all)
		}
	}
}
