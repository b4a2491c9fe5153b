package detail

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/history"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// nodeSnapshot has observations about node n1, and another node.
func nodeSnapshot(obs ...evidence.Observation) *evidence.Snapshot {
	b := evidence.NewBuilder(at(3600))
	b.Node(evidence.Node{Name: "n1", KubeletVersion: "v1.31.0", Runtime: "containerd://1.6.20",
		KernelVersion: "6.1", OSImage: "Debian"})
	b.Node(evidence.Node{Name: "n2", KubeletVersion: "v1.36.3"})
	for _, o := range obs {
		if o.Subject.Node == "" {
			o.Subject.Node = "n1"
		}
		o.Text = says(o.Fact.Statement())
		b.Observe(o)
	}
	return b.Build()
}

func onNode(kind evidence.SourceKind, seconds float64, f evidence.Fact) evidence.Observation {
	return evidence.Observation{Time: at(seconds), Source: evidence.Source{Kind: kind, Node: "n1", Where: string(kind)},
		Fact: f}
}

// nodeStory returns the detail of n1, with a report that has the items and notes.
func nodeStory(t *testing.T, r *report.Report, obs ...evidence.Observation) *report.NodeDetail {
	t.Helper()
	s, err := New(history.Build(nodeSnapshot(obs...)), r, nil).NodeDetail("n1")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// laneOfKind prints a lane, a line for each span and mark, in seconds.
func laneOfKind(lanes []report.Lane, kind report.LaneKind) (lines []string) {
	second := func(t *time.Time) string {
		if t == nil {
			return "…"
		}
		return strings.TrimSuffix(t.Sub(t0).String(), ".0")
	}
	for _, l := range lanes {
		if l.Kind != kind {
			continue
		}
		for _, s := range l.Spans {
			bad := ""
			if s.Bad {
				bad = "!"
			}
			lines = append(lines, second(s.From)+"–"+second(s.To)+" "+bad+s.Text)
		}
		for _, m := range l.Marks {
			lines = append(lines, second(&m.At)+" "+m.Text)
		}
	}
	return lines
}

func TestTheLanesOfANode(t *testing.T) {
	for _, c := range []struct {
		name string
		obs  []evidence.Observation
		lane report.LaneKind
		want []string
	}{
		{"kubelets follow each other", []evidence.Observation{
			onNode(evidence.SourceKubeletLog, 10, evidence.KubeletStarted{Version: "v1.30.14", PID: 7}),
			onNode(evidence.SourceKubeletLog, 500, evidence.KubeletStarted{Version: "v1.31.0", PID: 9}),
		}, report.LaneKubelet, []string{
			"10s–8m20s kubelet v1.30.14 (pid 7)", "8m20s–… kubelet v1.31.0 (pid 9)",
			"10s kubelet v1.30.14 started (pid 7)", "8m20s kubelet v1.31.0 started (pid 9)"}},
		{"the API's event and the log tell of one start", []evidence.Observation{
			onNode(evidence.SourceAPI, 10, evidence.KubeletStarted{}),
			onNode(evidence.SourceKubeletLog, 10.7, evidence.KubeletStarted{Version: "v1.30.14", PID: 7}),
		}, report.LaneKubelet, []string{"10s–… kubelet v1.30.14 (pid 7)", "10.7s kubelet v1.30.14 started (pid 7)"}},
		{"pressure and shutdown are the kubelet's words", []evidence.Observation{
			onNode(evidence.SourceKubeletLog, 5, evidence.EvictionPressure{Resource: "memory",
				State: evidence.EvictionReclaiming}), onNode(evidence.SourceKubeletLog,
				6, evidence.NodeShutdown{Phase: evidence.ShutdownDetected}),
		}, report.LaneKubelet, []string{"5s the node is low on memory: the kubelet first removes images and dead containers",
			"6s node shutdown: detected"}},
		{"pressure conditions are events of the API", []evidence.Observation{
			onNode(evidence.SourceAPI, 5, evidence.APIEvent{Reason: "NodeHasDiskPressure",
				Message: says("Node n1 status is now: NodeHasDiskPressure")}),
		}, report.LaneAPI, []string{"5s NodeHasDiskPressure: Node n1 status is now: NodeHasDiskPressure"}},
		{"the runtime starts twice", []evidence.Observation{
			onNode(evidence.SourceRuntimeLog, 10, evidence.RuntimeStarted{Version: "1.6.20"}),
			onNode(evidence.SourceRuntimeLog, 300, evidence.RuntimeStopping{}),
			onNode(evidence.SourceRuntimeLog, 310, evidence.RuntimeStarted{Version: "1.7.0"}),
		}, report.LaneRuntime, []string{
			"10s–5m10s runtime 1.6.20", "5m10s–… runtime 1.7.0",
			"10s the container runtime 1.6.20 started", "5m0s the container runtime shuts down cleanly",
			"5m10s the container runtime 1.7.0 started"}},
		{"one start by two sources", []evidence.Observation{
			onNode(evidence.SourceSystemd, 99, evidence.UnitState{Unit: "containerd.service",
				Active: "active", ActiveEnterTime: at(9)}),
			onNode(evidence.SourceRuntimeLog, 10, evidence.RuntimeStarted{Version: "1.6.20"}),
		}, report.LaneRuntime, []string{"9s–… runtime 1.6.20", "10s the container runtime 1.6.20 started"}},
		{"boots", []evidence.Observation{
			onNode(evidence.SourceKernelLog, -100, evidence.KernelBooted{BootID: "b1"}),
			onNode(evidence.SourceKernelLog, 200, evidence.KernelBooted{BootID: "b2"}),
		}, report.LaneKernel, []string{"-1m40s–3m20s boot b1", "3m20s–… boot b2",
			"-1m40s the node booted, boot b1", "3m20s the node booted, boot b2"}},
		{"units, packages and who asked for it", []evidence.Observation{
			onNode(evidence.SourceHostLog, 1, evidence.PackageChanged{Manager: "dpkg",
				Action: "upgrade", Package: "kubelet", From: "1.30", To: "1.31"}),
			onNode(evidence.SourceHostLog, 2, evidence.RestartAsked{By: "needrestart", Units: []string{"kubelet.service"}}),
			onNode(evidence.SourceSystemd, 3, evidence.UnitChanged{Unit: "kubelet.service", Change: "stopped"}),
			onNode(evidence.SourceSystemd, 99, evidence.UnitState{Unit: "kubelet.service",
				Active: "failed", Sub: "failed", NRestarts: 4, ActiveEnterTime: at(4),
				ExitTime: at(5), ExitCode: "exited", ExitStatus: 1}),
		}, report.LaneSystemd, []string{
			"4s–5s !kubelet.service failed (failed), restarted 4 times by systemd",
			"1s dpkg upgrade kubelet 1.30 → 1.31", "2s needrestart restarted kubelet.service", "3s kubelet.service stopped",
			"4s kubelet.service became active", "5s the main process of kubelet.service ended: exited 1"}},
		{"what another node did is not told", []evidence.Observation{
			{Time: at(1), Subject: evidence.Subject{Node: "n2"},
				Source: evidence.Source{Kind: evidence.SourceKernelLog, Node: "n2"}, Fact: evidence.KernelBooted{BootID: "b9"}},
		}, report.LaneKernel, nil},
		{"what a single pod did is not told", []evidence.Observation{
			{Time: at(1), Subject: evidence.Subject{PodUID: "u", ContainerID: "c"},
				Source: evidence.Source{Kind: evidence.SourceRuntimeLog, Node: "n1"}, Fact: evidence.TaskStarted{}},
		}, report.LaneRuntime, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := nodeStory(t, &report.Report{}, c.obs...)
			if diff := cmp.Diff(c.want, laneOfKind(s.Lanes, c.lane)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestANodeKnowsItsRestartsNotesAndBounds(t *testing.T) {
	r := &report.Report{
		Items: []report.Item{
			{ID: "r1", Node: "n1", Namespace: "shop", Pod: "web-0", Container: "a",
				Time: report.Time(at(50)), Verdict: report.Verdict{Cause: "app-exit-error", Confidence: report.Proven}},
			{ID: "r2", Node: "n1", Namespace: "shop", Pod: "web-1", Container: "a",
				Verdict: report.Verdict{Cause: "start-error"}},
			{ID: "r3", Node: "n2", Namespace: "shop", Pod: "web-2", Container: "a", Time: report.Time(at(60))},
		},
		NodeNotes: []report.NodeNote{{Node: "n1", Text: "mind the gap", Evidence: []string{}}, {Node: "n2", Text: "another"}},
	}
	s := nodeStory(t, r, onNode(evidence.SourceKernelLog, -100, evidence.KernelBooted{BootID: "b1"}))
	if diff := cmp.Diff([]string{"50s shop/web-0 a: app-exit-error (proven)"},
		laneOfKind(s.Lanes, report.LaneInstance)); diff != "" {
		t.Error(diff)
	}
	if len(s.Notes) != 1 || s.Notes[0].Text != "mind the gap" {
		t.Errorf("notes %+v", s.Notes)
	}
	if s.Start == nil || !s.Start.Equal(at(-100)) || s.End == nil || !s.End.Equal(at(50)) {
		t.Errorf("from %v to %v, want from the boot to the last restart", s.Start, s.End)
	}
	if s.KubeletVersion != "v1.31.0" || s.Runtime != "containerd://1.6.20" ||
		s.Kernel != "6.1" || s.OS != "Debian" || s.Node != "n1" {
		t.Errorf("the node itself: %+v", s)
	}
	if len(s.Evidence) != 1 || s.Evidence[0].Statement != "kernel.booted" {
		t.Errorf("evidence %+v, want the boot", s.Evidence)
	}
}

func TestANodeThatOnlyHasANameHasEmptyLists(t *testing.T) {
	s := nodeStory(t, &report.Report{})
	if s.Lanes == nil || s.Settings == nil || s.Notes == nil || s.Evidence == nil || s.Start != nil || s.End != nil {
		t.Errorf("got %+v", s)
	}
}

func TestSettingsAreTheLatestWord(t *testing.T) {
	yes := true
	for _, c := range []struct {
		name string
		obs  []evidence.Observation
		want []string
	}{
		{"a setting that changed", []evidence.Observation{
			onNode(evidence.SourceKubeletLog, 10, evidence.KubeletSetting{Name: evidence.SettingCgroupDriver,
				Value: says("cgroupfs")}),
			onNode(evidence.SourceKubeletLog, 500, evidence.KubeletSetting{Name: evidence.SettingCgroupDriver,
				Value: says("systemd")}),
		}, []string{"cgroup-driver: systemd"}},
		{"what the running kubelet was told",
			[]evidence.Observation{onNode(evidence.SourceSystemd, 10, evidence.KubeletSettings{
				CgroupRoot: "/", CgroupsPerQOS: &yes, StaticPodPath: "/etc/kubernetes/manifests",
				ShutdownGrace: 30 * time.Second, CPUManagerPolicy: "static",
				FeatureGates: map[string]bool{"B": false, "A": true}, Eviction: map[string]string{"memory.available": "100Mi"},
			})}, []string{
				"cgroup-root: /", "cgroups-per-qos: true", "cpu-manager-policy: static",
				"eviction-hard: memory.available<100Mi", "feature-gates: A=true,B=false",
				"pod-manifest-path: /etc/kubernetes/manifests", "shutdown-grace-period: 30s"}},
		{"the runtime and its cgroups", []evidence.Observation{
			onNode(evidence.SourceCRI, 10, evidence.RuntimeSettings{CgroupDriver: "systemd"}),
			onNode(evidence.SourceCgroup, 11, evidence.CgroupControllers{Version: 2, Lacking: []string{"pids"}}),
			onNode(evidence.SourceCRI, 12, evidence.RuntimeEndpoint{Endpoint: "unix:///run/crio.sock",
				Name: "cri-o", Version: "1.30", Used: true}),
			onNode(evidence.SourceCRI, 13, evidence.RuntimeEndpoint{Endpoint: "unix:///run/other.sock", Name: "docker"}),
		}, []string{"cgroup controllers missing: pids", "cgroup version: 2",
			"runtime at unix:///run/crio.sock: cri-o 1.30", "runtime's cgroup driver: systemd"}},
		{"nothing told", nil, []string{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := nodeStory(t, &report.Report{}, c.obs...).Settings; !slices.Equal(got, c.want) {
				t.Errorf("settings %q, want %q", got, c.want)
			}
		})
	}
}
