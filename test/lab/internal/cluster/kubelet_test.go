package cluster

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/machine"
)

func TestKubeletFilesFollowTheVersion(t *testing.T) {
	tests := []struct {
		version  string
		kind     machine.Kind
		flags    []string // that must be there
		noFlags  []string
		fields   map[string]any
		noFields []string
	}{
		{
			version: "v1.20.15",
			flags: []string{"--container-runtime=remote", "--container-runtime-endpoint=unix:///run/containerd/containerd.sock",
				"--pod-infra-container-image=lab.local/pause:1"},
			noFields: []string{"containerRuntimeEndpoint", "enableSystemLogQuery", "featureGates", "failCgroupV1"},
		},
		{
			version:  "v1.24.17",
			flags:    []string{"--container-runtime-endpoint=unix:///run/containerd/containerd.sock"},
			noFlags:  []string{"--container-runtime=remote"}, // gone with dockershim
			noFields: []string{"containerRuntimeEndpoint", "enableSystemLogQuery"},
		},
		{
			version: "v1.30.14",
			noFlags: []string{"--container-runtime-endpoint", "--pod-infra-container-image"},
			fields: map[string]any{"containerRuntimeEndpoint": "unix:///run/containerd/containerd.sock",
				"enableSystemLogQuery": true, "featureGates": map[string]any{"NodeLogQuery": true}},
			noFields: []string{"failCgroupV1"},
		},
		{
			version:  "v1.36.3",
			fields:   map[string]any{"enableSystemLogQuery": true, "failCgroupV1": false},
			noFields: []string{"featureGates"}, // the gate is gone once the feature is stable
		},
		{
			version: "v1.37.1",
			kind:    machine.Emulated,
			fields: map[string]any{"cgroupDriver": "systemd", "shutdownGracePeriod": "2m",
				"logging": map[string]any{"verbosity": float64(2)}},
			noFlags:  []string{"--v="}, // a flag would win over the field
			noFields: []string{"failCgroupV1", "oomScoreAdj"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.version, func(t *testing.T) {
			config, flags, err := kubeletFiles("n1", 1, tt.kind, tt.version)
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range append(tt.flags, "--hostname-override=n1", "--node-ip=10.213.0.11") {
				if !strings.Contains(flags, want) {
					t.Errorf("flags %q lack %s", flags, want)
				}
			}
			if tt.kind == machine.Namespaced && !strings.Contains(flags, "--v=2") {
				t.Errorf("flags %q lack --v=2", flags)
			}
			for _, not := range tt.noFlags {
				if strings.Contains(flags, not) {
					t.Errorf("flags %q have %s", flags, not)
				}
			}
			var got map[string]any
			if err := yaml.Unmarshal([]byte(config), &got); err != nil {
				t.Fatal(err)
			}
			for field, want := range tt.fields {
				if diff := cmp.Diff(want, got[field]); diff != "" {
					t.Errorf("%s (-want +got):\n%s", field, diff)
				}
			}
			for _, field := range tt.noFields {
				if v, ok := got[field]; ok {
					t.Errorf("%s = %v: this kubelet does not know it", field, v)
				}
			}
			if got["imageGCHighThresholdPercent"] != float64(100) {
				t.Error("images may be collected, and nothing can pull them again")
			}
		})
	}
}

func TestVersionsThatAreNoneAreRefused(t *testing.T) {
	for _, v := range []string{"", "v1.30", "1.30.14", "v2.1.0", "v1.x.1"} {
		if _, _, err := kubeletFiles("n1", 1, machine.Namespaced, v); err == nil ||
			!strings.Contains(err.Error(), "want v1.<minor>.<patch>") {
			t.Errorf("%q: error = %v", v, err)
		}
		if HasLogQuery(v) {
			t.Errorf("%q has node log query", v)
		}
	}
}

func TestFieldsOfAConfigurationGiveWayToOthers(t *testing.T) {
	got, err := withFields("a: 1\nb: {c: 2}\n", map[string]any{"b": map[string]any{"d": 3}})
	if err != nil || string(got) != "a: 1\nb:\n  d: 3\n" {
		t.Errorf("= %q, %v", got, err)
	}
	if _, err := withFields("[", nil); err == nil {
		t.Error("text that is no configuration was accepted")
	}
}

func TestHasLogQuery(t *testing.T) {
	for v, want := range map[string]bool{"v1.20.15": false, "v1.26.0": false, "v1.27.0": true, "v1.36.3": true} {
		if got := HasLogQuery(v); got != want {
			t.Errorf("%s: %v", v, got)
		}
	}
}

func TestNotReady(t *testing.T) {
	node := func(version string, ready corev1.ConditionStatus) *corev1.Node {
		n := &corev1.Node{}
		n.Status.NodeInfo.KubeletVersion = version
		n.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: ready}}
		return n
	}
	tests := []struct {
		name string
		node *corev1.Node
		want string
	}{
		{"ready with the right kubelet", node("v1.36.3", corev1.ConditionTrue), ""},
		{"ready, but still the old kubelet", node("v1.30.14", corev1.ConditionTrue), "still reports kubelet v1.30.14"},
		{"the right kubelet, not ready", node("v1.36.3", corev1.ConditionFalse), "not ready"},
		{"no condition at all",
			&corev1.Node{Status: corev1.NodeStatus{NodeInfo: corev1.NodeSystemInfo{KubeletVersion: "v1.36.3"}}}, "not ready"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := notReady(tt.node, "v1.36.3"); got != tt.want {
				t.Errorf("= %q", got)
			}
		})
	}
}
