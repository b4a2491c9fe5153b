package preflight

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

func TestFindings(t *testing.T) {
	type change = func(*story)
	gate := func(name string, on_ bool) change {
		return on(evidence.KubeletSettings{FeatureGates: map[string]bool{name: on_}})
	}
	fromLog := func(f evidence.Fact) change {
		return func(st *story) {
			st.s.Observations = append(st.s.Observations,
				evidence.Observation{Subject: evidence.Subject{Node: "n1"},
					Source: evidence.Source{Kind: evidence.SourceKubeletLog}, Fact: f})
		}
	}
	flags := func(names ...string) change { return on(evidence.KubeletSettings{Flags: names}) }
	api := func(minor int) change {
		return func(st *story) { st.api = kubelet.Version{Major: 1, Minor: minor} }
	}
	no, v2 := false, on(evidence.CgroupControllers{Version: 2})
	tests := map[string]struct {
		from, to string
		given    []change
		want     []string
	}{
		"a patch has none":                          {"v1.31.0", "v1.31.14", nil, nil},
		"a minor is not changed under running pods": {"v1.31.0", "v1.32.0", nil, []string{"risk minor-in-place"}},
		"a downgrade":                               {"v1.32.0", "v1.31.0", nil, []string{"risk downgrade"}},
		"more than three minors at once": {"v1.28.0", "v1.32.0", nil,
			[]string{"risk minors-skipped", "check flags-removed"}},
		"cgroup v1": {"v1.34.0", "v1.35.0",
			[]change{on(evidence.CgroupControllers{Version: 1})},
			[]string{"blocker cgroup-v1-refused", "risk minor-in-place", "check flags-removed"}},
		"cgroup v1 by a placement": {"v1.34.0", "v1.35.0", []change{on(evidence.CgroupPlacement{Version: 1})},
			[]string{"blocker cgroup-v1-refused", "risk minor-in-place", "check flags-removed"}},
		"cgroup v1 that is allowed": {"v1.34.0", "v1.35.0",
			[]change{on(evidence.CgroupControllers{Version: 1}), on(evidence.KubeletSettings{FailCgroupV1: &no})},
			[]string{"risk minor-in-place", "check flags-removed"}},
		"cgroup v2": {"v1.34.0", "v1.35.0", []change{v2}, []string{"risk minor-in-place", "check flags-removed"}},
		"cgroups that were not read": {"v1.34.0", "v1.35.0", nil,
			[]string{"risk minor-in-place", "check cgroup-version-unknown", "check flags-removed"}},
		"cgroups on windows": {"v1.34.0", "v1.35.0",
			[]change{func(st *story) { st.s.Nodes[0].OS, st.s.Nodes[0].OSImage = "", "Windows Server 2022" }},
			[]string{"risk minor-in-place", "check flags-removed"}},
		"a kubelet of today is there already": {"v1.35.0", "v1.36.0", nil, []string{"risk minor-in-place"}},
		"containerd without CRI v1": {"v1.25.0", "v1.26.0", []change{runtime("containerd://1.5.9")},
			[]string{"blocker cri-api-removed", "risk minor-in-place", "check flags-removed"}},
		"containerd with it": {"v1.25.0", "v1.26.0", []change{runtime("containerd://1.6.20~ds1")},
			[]string{"risk minor-in-place", "check flags-removed"}},
		"a runtime that is not known": {"v1.25.0", "v1.26.0", []change{runtime("")},
			[]string{"risk minor-in-place", "check runtime-unknown", "check flags-removed"}},
		"dockershim": {"v1.23.0", "v1.24.0", []change{runtime("docker://20.10.7")},
			[]string{"risk dockershim-removed", "risk minor-in-place", "check flags-removed"}},
		"a gate that is gone": {"v1.25.16", "v1.26.0", []change{gate("DynamicKubeletConfig", false)},
			[]string{"blocker feature-gate-removed", "risk minor-in-place", "check flags-removed"}},
		"a gate that is gone by the log": {"v1.25.16", "v1.26.0",
			[]change{on(evidence.KubeletSetting{Name: evidence.SettingFeatureGates,
				Value: safetext.Clean("map[DynamicKubeletConfig:false]")})},
			[]string{"blocker feature-gate-removed", "risk minor-in-place", "check flags-removed"}},
		"its configuration says more than its log": {"v1.25.16", "v1.26.0", []change{
			fromLog(evidence.KubeletSetting{Name: evidence.SettingFeatureGates,
				Value: safetext.Clean("map[DynamicKubeletConfig:false]")}),
			on(evidence.KubeletSetting{Name: evidence.SettingFeatureGates})},
			[]string{"risk minor-in-place", "check flags-removed"}},
		"in whatever order": {"v1.25.16", "v1.26.0", []change{
			on(evidence.KubeletSetting{Name: evidence.SettingFeatureGates}),
			fromLog(evidence.KubeletSetting{Name: evidence.SettingFeatureGates,
				Value: safetext.Clean("map[DynamicKubeletConfig:false]")})},
			[]string{"risk minor-in-place", "check flags-removed"}},
		"a gate that is not there yet": {"v1.34.0", "v1.33.5",
			[]change{gate("MutableCSINodeAllocatableCount", true)}, []string{"risk downgrade"}},
		"a gate that came in between": {"v1.34.0", "v1.31.0",
			[]change{gate("MutableCSINodeAllocatableCount", true)}, []string{"blocker feature-gate-unknown", "risk downgrade"}},
		"a gate that neither of the two may know": {"v1.32.0", "v1.31.0",
			[]change{gate("MutableCSINodeAllocatableCount", true)}, []string{"risk downgrade"}},
		"a gate that lives": {"v1.24.0", "v1.25.16",
			[]change{gate("DynamicKubeletConfig", false)}, []string{"risk minor-in-place", "check flags-removed"}},
		"a gate that is locked": {"v1.34.0", "v1.35.0",
			[]change{v2, gate("ExecProbeTimeout", false)},
			[]string{"blocker feature-gate-locked", "risk minor-in-place", "check flags-removed"}},
		"a gate that is locked to what it is": {"v1.34.0", "v1.35.0",
			[]change{v2, gate("ExecProbeTimeout", true)}, []string{"risk minor-in-place", "check flags-removed"}},
		"a gate that the present kubelet lacks already": {"v1.26.0", Same, []change{gate("DynamicKubeletConfig", false)},
			nil},
		"a gate that ended with 1.36": {"v1.36.4", "v1.37.1", []change{v2, gate("SidecarContainers", true)},
			[]string{"blocker feature-gate-removed", "risk minor-in-place", "check flags-removed", "note selinux-mount"}},
		"a gate that was never more than beta": {"v1.36.4", "v1.37.1",
			[]change{v2, gate("PreventStaticPodAPIReferences", false)},
			[]string{"blocker feature-gate-removed", "risk minor-in-place", "risk static-pod-references",
				"check flags-removed", "note selinux-mount"}},
		"off, and locked to on in 1.37": {"v1.36.4", "v1.37.1", []change{v2, gate("NodeDeclaredFeatures", false)},
			[]string{"blocker feature-gate-locked", "risk minor-in-place", "check flags-removed", "note selinux-mount"}},
		"on, and locked to on in 1.37": {"v1.36.4", "v1.37.1", []change{v2, gate("NodeDeclaredFeatures", true)},
			[]string{"risk minor-in-place", "check flags-removed", "note selinux-mount"}},
		"on, and locked to off in 1.37": {"v1.36.4", "v1.37.1",
			[]change{v2, gate("DeclarativeValidationTakeover", true)},
			[]string{"blocker feature-gate-locked", "risk minor-in-place", "check flags-removed", "note selinux-mount"}},
		"off, and locked to off in 1.37": {"v1.36.4", "v1.37.1",
			[]change{v2, gate("DeclarativeValidationTakeover", false)},
			[]string{"risk minor-in-place", "check flags-removed", "note selinux-mount"}},
		"a gate of 1.37 on the way back": {"v1.37.1", "v1.36.4",
			[]change{v2, gate("HugepageAwareEviction", false)}, []string{"blocker feature-gate-unknown", "risk downgrade"}},
		"a gate of 1.36 whose constant has no type": {"v1.36.4", "v1.35.8",
			[]change{v2, gate("ReloadKubeletClientCAFile", false)}, []string{"blocker feature-gate-unknown", "risk downgrade"}},
		"one of 1.35": {"v1.36.4", "v1.35.8",
			[]change{v2, gate("ChangeContainerStatusOnKubeletRestart", true)}, []string{"risk downgrade"}},
		"one of 1.34": {"v1.36.4", "v1.34.10",
			[]change{v2, gate("StatefulSetSemanticRevisionComparison", false)}, []string{"risk downgrade"}},
		"a flag of klog": {"v1.25.16", "v1.26.0", []change{flags("logtostderr")},
			[]string{"blocker flag-removed", "risk minor-in-place"}},
		"a flag of cAdvisor that stays": {"v1.36.4", "v1.37.1", []change{v2, flags("housekeeping-interval")},
			[]string{"risk minor-in-place", "note selinux-mount"}},
		"a flag that is gone": {"v1.30.0", "v1.31.0",
			[]change{flags("config", "keep-terminated-pod-volumes", "v")},
			[]string{"blocker flag-removed", "risk minor-in-place"}},
		"a flag that was gone before": {"v1.31.0", "v1.32.0", []change{flags("keep-terminated-pod-volumes")},
			[]string{"risk minor-in-place"}},
		"a flag that goes later": {"v1.30.0", "v1.31.0", []change{flags("pod-infra-container-image")},
			[]string{"risk minor-in-place"}},
		"a flag that its log shows": {"v1.30.0", "v1.31.0",
			[]change{on(evidence.KubeletSetting{Name: "--keep-terminated-pod-volumes", Value: safetext.Clean("true")})},
			[]string{"blocker flag-removed", "risk minor-in-place"}},
		"a flag that was taken off since": {"v1.30.0", "v1.31.0",
			[]change{on(evidence.KubeletSetting{Name: "--keep-terminated-pod-volumes", Value: safetext.Clean("true")}),
				flags("config")}, []string{"risk minor-in-place"}},
		"a log that shows no such flag": {"v1.30.0", "v1.31.0",
			[]change{on(evidence.KubeletSetting{Name: "--cloud-config", Value: safetext.Clean("/c")})},
			[]string{"risk minor-in-place", "check flags-removed"}},
		"a gate of somebody else": {"v1.34.0", "v1.35.0", []change{v2, gate("NobodyKnows", false)},
			[]string{"risk minor-in-place", "check flags-removed"}},
		"a state file that is broken": {"v1.33.0", Same,
			[]change{on(evidence.CheckpointState{Name: "cpu_manager_state", Exists: true, Checksum: "bad"})},
			[]string{"blocker checkpoint-unreadable"}},
		"one that this version does not read": {"v1.32.0", Same,
			[]change{on(evidence.CheckpointState{Name: "actuated_pods_state", Exists: true,
				Problem: safetext.Clean("no JSON")})}, nil},
		"one of another kind": {"v1.33.0", Same,
			[]change{on(evidence.CheckpointState{Name: "other", Exists: true, Checksum: "bad"})}, nil},
		"drivers that differ": {"v1.30.0", "v1.31.0",
			[]change{on(evidence.KubeletSettings{CgroupDriver: "cgroupfs"}),
				on(evidence.CgroupPlacement{Version: 2, KubeletDriver: "systemd", PathDriver: "systemd"}),
				runtime("containerd://2.0.1")}, []string{"risk cgroup-driver-mismatch",
				"risk minor-in-place", "check flags-removed"}},
		"newer than the API server": {"v1.31.0", "v1.31.2", []change{api(30)},
			[]string{"risk newer-than-api-server"}},
		"as old as the API server allows": {"v1.31.0", "v1.31.2", []change{api(34)}, nil},
		"older than that": {"v1.31.0", "v1.31.2", []change{api(35)},
			[]string{"risk older-than-api-server"}},
		"before 1.28 it was two": {"v1.24.0", "v1.24.17", []change{api(27)},
			[]string{"risk older-than-api-server"}},
		"ended pods are admitted again": {"v1.28.0", "v1.28.13",
			[]change{func(st *story) { st.object.Status.Phase = corev1.PodSucceeded }}, []string{"risk ended-admitted-again"}},
		"and are spared": {"v1.28.0", "v1.28.14",
			[]change{func(st *story) { st.object.Status.Phase = corev1.PodSucceeded }}, nil},
		"readiness is forgotten up to 1.34": {"v1.33.0", "v1.33.5",
			[]change{func(st *story) { st.app.ReadinessProbe = httpProbe() }}, []string{"note readiness-flip"}},
		"and kept since": {"v1.35.0", "v1.35.4",
			[]change{func(st *story) { st.app.ReadinessProbe = httpProbe() }}, nil},
		"it matters to pods that run": {"v1.33.0", "v1.33.5", []change{func(st *story) {
			st.app.ReadinessProbe = httpProbe()
			st.object.Status.Phase = corev1.PodPending
		}}, nil},
		"a node that does not answer": {"v1.33.0", "v1.33.5", []change{func(st *story) { st.s.Nodes[0].Ready = "Unknown" }},
			[]string{"check node-not-ready"}},
		"a node without a version": {"", "v1.31.0", nil, []string{"check kubelet-version-unknown"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			r := predicted(t, newStory(test.from, test.given...), test.to)
			var got []string
			blocked := false
			for _, f := range r.Nodes[0].Findings {
				got = append(got, string(f.Level)+" "+f.Rule)
				blocked = blocked || f.Level == report.FindingBlocker
				if f.Text == "" {
					t.Errorf("%s says nothing", f.Rule)
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
			if blocked != r.Nodes[0].Blocked || blocked != (r.Summary.BlockedNodes == 1) {
				t.Errorf("blocked: %t, node says %t, summary %d", blocked, r.Nodes[0].Blocked, r.Summary.BlockedNodes)
			}
		})
	}
}

// Kubelets up to v1.36 took these over from cAdvisor; v1.37 exits on any of them.
func TestFlagsOfCAdvisorKeepKubelet137FromStarting(t *testing.T) {
	gone := strings.Fields(
		`application-metrics-count-limit boot-id-file container-hints containerd containerd-namespace enable-load-reader
		event-storage-age-limit event-storage-event-limit global-housekeeping-interval log-cadvisor-usage machine-id-file
		storage-driver-buffer-duration storage-driver-db storage-driver-host storage-driver-password storage-driver-secure
		storage-driver-table storage-driver-user`)
	if diff := cmp.Diff(gone, removedFlags()[37]); diff != "" || len(gone) != 18 {
		t.Errorf("%d flags: %s", len(gone), diff)
	}
	for _, name := range gone {
		for to, want := range map[string]bool{"v1.36.4": false, "v1.37.1": true} {
			r := predicted(t, newStory("v1.36.3", on(evidence.KubeletSettings{Flags: []string{"config", name}})), to)
			found := slices.ContainsFunc(r.Nodes[0].Findings, func(f report.Finding) bool {
				return f.Rule == "flag-removed" && strings.Contains(f.Text, "--"+name+",")
			})
			if found != want || r.Nodes[0].Blocked != want {
				t.Errorf("--%s, to %s: found %t, blocked %t", name, to, found, r.Nodes[0].Blocked)
			}
		}
	}
}

func TestTheAPIServerIsFoundAmongThePods(t *testing.T) {
	st := newStory("v1.31.0")
	for _, image := range []string{"registry.k8s.io/kube-apiserver:v1.31.4@sha256:00",
		"registry.k8s.io/kube-apiserver:v1.30.2", "registry.k8s.io/kube-apiserver"} {
		st.s.Pods = append(st.s.Pods, evidence.Pod{Namespace: "kube-system",
			Name: image, Node: "n1", Containers: []evidence.Container{{Name: "kube-apiserver", Image: image}}})
	}
	st.s.Pods = append(st.s.Pods, evidence.Pod{Namespace: "shop", Name: "x",
		Containers: []evidence.Container{{Name: "kube-apiserver", Image: "mine:v1.5.0"}}})
	apiServerOf := func(s *evidence.Snapshot) (v kubelet.Version) {
		for i := range s.Pods {
			v = olderAPIServer(v, &s.Pods[i])
		}
		return v
	}
	if got := apiServerOf(st.s).String(); got != "v1.30.2" {
		t.Errorf("API server %s, want the oldest one, v1.30.2", got)
	}
	if got := apiServerOf(newStory("v1.31.0").s); got.Major != 0 {
		t.Errorf("API server %s out of nothing", got)
	}
}

func TestGatesAreReadInBothSpellings(t *testing.T) {
	want := map[string]bool{"A": true, "B": false}
	for _, text := range []string{"map[A:true B:false]", "A=true,B=false", "A=true,B=false,C=maybe,D"} {
		if diff := cmp.Diff(want, gatesOf(text)); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

func TestTheTablesHoldTogether(t *testing.T) {
	for name, g := range gates() {
		if g.Last == 0 && g.Locked == 0 || g.Last > kubelet.NewestMinor || g.Locked > kubelet.NewestMinor {
			t.Errorf("gate %s says nothing: %+v", name, g)
		}
		if g.Last != 0 && g.Locked > g.Last {
			t.Errorf("gate %s is locked after it is gone: %+v", name, g)
		}
	}
	came := map[string]int{}
	for minor, names := range newGates() {
		for _, name := range names {
			if came[name] != 0 || minor < 25 || minor > kubelet.NewestMinor {
				t.Errorf("gate %s came with v1.%d and v1.%d", name, minor, came[name])
			}
			came[name] = minor
			if g, listed := gates()[name]; listed && (g.Last != 0 && g.Last < minor || g.Locked != 0 && g.Locked < minor) {
				t.Errorf("gate %s came with v1.%d, after its end: %+v", name, minor, g)
			}
		}
	}
	if len(came) < 100 {
		t.Errorf("only %d gates came since 1.25", len(came))
	}
	var seen []string
	for minor, flags := range removedFlags() {
		if minor <= kubelet.OldestMinor || minor > kubelet.NewestMinor {
			t.Errorf("flags of v1.%d", minor)
		}
		for _, f := range flags {
			if slices.Contains(seen, f) || strings.HasPrefix(f, "-") {
				t.Errorf("flag %s is there twice, or spelled with dashes", f)
			}
			seen = append(seen, f)
		}
	}
}

func FuzzGatesOf(f *testing.F) {
	f.Add("map[A:true B:false]")
	f.Add("{map[AllAlpha:true]}")
	f.Fuzz(func(t *testing.T, text string) {
		for name := range gatesOf(text) {
			if strings.ContainsAny(name, " ,:") {
				t.Errorf("%q out of %q", name, text)
			}
		}
	})
}
