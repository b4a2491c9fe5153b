package preflight

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

func httpProbe() *corev1.Probe {
	return &corev1.Probe{ProbeHandler: corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Path: "/",
		Port: intstr.FromInt32(80)}}, TimeoutSeconds: 1}
}

func execProbe() *corev1.Probe {
	return &corev1.Probe{ProbeHandler: corev1.ProbeHandler{Exec: &corev1.ExecAction{}}, TimeoutSeconds: 1}
}

func memory(amount string) corev1.ResourceList {
	return corev1.ResourceList{corev1.ResourceMemory: resource.MustParse(amount),
		corev1.ResourceCPU: resource.MustParse("1")}
}

func restartingResize(st *story) {
	st.app.Resources.Limits = memory("64Mi")
	st.app.ResizePolicy = []corev1.ContainerResizePolicy{{ResourceName: corev1.ResourceMemory,
		RestartPolicy: corev1.RestartContainer}}
}

const computed = "0123456789abcdef0123456789abcdef"

func TestEachRulePredicts(t *testing.T) {
	type change = func(*story)
	static := func(uid string) change { return func(st *story) { st.mirror = uid } }
	no := false
	tests := map[string]struct {
		from, to  string
		given     []change
		container string
		want      string
	}{
		"the hash's era ends with 1.30": {"v1.30.14", "v1.31.0", nil, "app",
			"restarts: hash-kubelet-upgrade"},
		"and begins with it on the way down": {"v1.31.0", "v1.30.14", nil, "app",
			"restarts: hash-kubelet-upgrade"},
		"within the era of JSON nothing restarts": {"v1.20.15", "v1.30.14", nil, "app", "stays: unchanged"},
		"nor within that of name and image":       {"v1.31.0", "v1.36.3", nil, "app", "stays: unchanged"},
		"JSON came with 1.16": {"v1.15.12", "v1.16.15", nil, "app",
			"restarts: hash-kubelet-upgrade"},
		"a kubelet that is only restarted": {"v1.30.14", Same, nil, "app", "stays: unchanged"},
		"a patch":                          {"v1.30.1", "v1.30.14", nil, "app", "stays: unchanged"},
		"a newer minor than is known is taken for the newest": {"v1.36.3", "v1.40", nil, "app", "stays: unchanged"},
		"1.9 prints a field that every container gets": {"v1.8.15", "v1.9.11",
			nil, "app", "restarts: hash-kubelet-upgrade"},
		"1.10 prints one for those with a security context": {"v1.9.11", "v1.10.13",
			[]change{func(st *story) { st.app.SecurityContext = &corev1.SecurityContext{} }},
			"app", "restarts: hash-kubelet-upgrade"},
		"and none for the others": {"v1.9.11", "v1.10.13", nil, "app", "stays: unchanged"},
		"1.11 prints no new field": {"v1.10.13", "v1.11.10",
			[]change{func(st *story) { st.app.SecurityContext = &corev1.SecurityContext{} }}, "app", "stays: unchanged"},
		"the runtime's own record of the new hash": {"v1.30.14", "v1.31.0",
			[]change{func(st *story) { stored("app", hashHex(st.app, 31))(st) }}, "app", "stays: unchanged"},
		"the runtime's own record of the old hash": {"v1.30.14", "v1.31.0",
			[]change{func(st *story) { stored("app", hashHex(st.app, 30))(st) }}, "app", "restarts: hash-kubelet-upgrade"},
		"a stored hash that is nobody's": {"v1.31.0", "v1.32.0",
			[]change{stored("app", "bad")}, "app", "restarts: spec-changed"},
		"a stored hash that is no number": {"v1.31.0", "v1.32.0",
			[]change{stored("app", "no hex")}, "app", "unknown: hash-unknown"},
		"hashes that were not computed": {"v1.29.0", "v1.30.0",
			[]change{func(st *story) { st.hashed = false }}, "app", "unknown: hash-unknown"},
		"matter not for the same version": {"v1.29.0", "v1.29.14",
			[]change{func(st *story) { st.hashed = false }}, "app", "stays: unchanged"},
		"nor since 1.31": {"v1.31.0", "v1.33.0", []change{func(st *story) { st.hashed = false }}, "app", "stays: unchanged"},
		"a sidecar is compared from 1.32 on": {"v1.30.14", "v1.32.0",
			[]change{sidecar}, "proxy", "restarts: hash-kubelet-upgrade"},
		"a sidecar is spared by 1.31": {"v1.30.14", "v1.31.0", []change{sidecar}, "proxy", "stays: unchanged"},
		"a sidecar under 1.31 may be older than that": {"v1.31.0", "v1.32.0",
			[]change{sidecar}, "proxy", "may: hash-kubelet-upgrade"},
		"or not, says the runtime": {"v1.31.0", "v1.32.0",
			[]change{sidecar, func(st *story) { stored("proxy", hashHex(&st.object.Spec.InitContainers[0], 31))(st) }},
			"proxy", "stays: unchanged"},
		"or is, says the runtime": {"v1.31.0", "v1.32.0",
			[]change{sidecar, func(st *story) { stored("proxy", hashHex(&st.object.Spec.InitContainers[0], 30))(st) }},
			"proxy", "restarts: hash-kubelet-upgrade"},
		"a static pod gets another UID": {"v1.33.5", "v1.34.4", []change{static(computed)},
			"app", "restarts: static-pod-kubelet-upgrade"},
		"unless its manifest sets one": {"v1.33.5", "v1.34.4",
			[]change{static("5c7c1a3e-0000-4000-8000-000000000000")}, "app", "stays: unchanged"},
		"in hex too": {"v1.33.5", "v1.34.4",
			[]change{static(computed), on(evidence.StaticManifest{UID: computed})}, "app", "stays: unchanged"},
		"a static pod stays within a minor": {"v1.33.0", "v1.33.5", []change{static(computed)}, "app", "stays: unchanged"},
		"a static pod stays where no field came": {"v1.28.15", "v1.29.14", []change{static(computed)},
			"app", "stays: unchanged"},
		"1.33 misses the records of resources": {"v1.32.0", "v1.33.0", []change{restartingResize},
			"app", "restarts: resize-record-missing"},
		"and does not mind without such a policy": {"v1.32.0", "v1.33.0",
			[]change{restartingResize, func(st *story) { st.app.ResizePolicy = nil }}, "app", "stays: unchanged"},
		"nor with the gate off": {"v1.32.0", "v1.33.0",
			[]change{restartingResize,
				on(evidence.KubeletSettings{FeatureGates: map[string]bool{"InPlacePodVerticalScaling": false}})},
			"app", "stays: unchanged"},
		"1.34 finds those of 1.33": {"v1.33.0", "v1.34.0", []change{restartingResize}, "app", "stays: unchanged"},
		"unless the file is gone": {"v1.33.0", "v1.34.0",
			[]change{restartingResize, on(evidence.CheckpointState{Name: "actuated_pods_state"})},
			"app", "restarts: resize-record-missing"},
		"1.37 makes the records that it misses": {"v1.32.0", "v1.37.1", []change{restartingResize},
			"app", "stays: unchanged"},
		"also where the file is gone": {"v1.36.3", "v1.37.1",
			[]change{restartingResize, on(evidence.CheckpointState{Name: "actuated_pods_state"})}, "app", "stays: unchanged"},
		"not so 1.36 on the way down": {"v1.37.1", "v1.36.3",
			[]change{restartingResize, on(evidence.CheckpointState{Name: "actuated_pods_state"})}, "app",
			"restarts: resize-record-missing"},
		"static pods get another UID in 1.37": {"v1.36.3", "v1.37.1", []change{static(computed)},
			"app", "restarts: static-pod-kubelet-upgrade"},
		"and on the way down from it": {"v1.37.1", "v1.36.3", []change{static(computed)},
			"app", "restarts: static-pod-kubelet-upgrade"},
		"windows knows no such records": {"v1.32.0", "v1.33.0",
			[]change{restartingResize, func(st *story) { st.s.Nodes[0].OS = "windows" }}, "app", "stays: unchanged"},
		"a startup probe runs again up to 1.34": {"v1.33.0", "v1.34.0",
			[]change{func(st *story) { st.app.StartupProbe = httpProbe() }}, "app", "may: startup-probe-rerun"},
		"even with the same kubelet": {"v1.33.0", Same, []change{func(st *story) { st.app.StartupProbe = httpProbe() }},
			"app", "may: startup-probe-rerun"},
		"not since 1.35": {"v1.34.0", "v1.35.0", []change{func(st *story) { st.app.StartupProbe = httpProbe() }},
			"app", "stays: unchanged"},
		"not if it has not passed yet": {"v1.33.0", "v1.34.0", []change{func(st *story) {
			st.app.StartupProbe = httpProbe()
			st.object.Status.ContainerStatuses[0].Started = &no
		}}, "app", "stays: unchanged"},
		"exec probes have a timeout since 1.20": {"v1.19.16", "v1.20.15",
			[]change{func(st *story) { st.app.LivenessProbe = execProbe() }}, "app", "may: probe-timeout-enforced"},
		"other probes always had": {"v1.19.16", "v1.20.15",
			[]change{func(st *story) { st.app.LivenessProbe = httpProbe() }}, "app", "stays: unchanged"},
		"and 1.21 changes nothing about it": {"v1.20.15", "v1.21.14",
			[]change{func(st *story) { st.app.LivenessProbe = execProbe() }}, "app", "stays: unchanged"},
		"dockershim is gone in 1.24": {"v1.23.17", "v1.24.17",
			[]change{func(st *story) { st.s.Nodes[0].Runtime = "docker://20.10.7" }}, "app", "may: runtime-switched"},
		"cri-dockerd is not": {"v1.24.17", "v1.25.16",
			[]change{func(st *story) { st.s.Nodes[0].Runtime = "docker://20.10.7" }}, "app", "stays: unchanged"},
		"the driver comes from the runtime since 1.31": {"v1.30.14", "v1.31.0",
			[]change{func(st *story) { stored("app", hashHex(st.app, 31))(st) },
				on(evidence.CgroupPlacement{Version: 2, KubeletDriver: "cgroupfs", PathDriver: "systemd"}),
				runtime("containerd://2.0.1")}, "app", "may: cgroup-driver-mismatch"},
		"which containerd 1.7 does not tell": {"v1.30.14", "v1.31.0",
			[]change{func(st *story) { stored("app", hashHex(st.app, 31))(st) },
				on(evidence.CgroupPlacement{Version: 2, KubeletDriver: "cgroupfs", PathDriver: "systemd"})},
			"app", "stays: unchanged"},
		"which CRI-O does since 1.28": {"v1.30.14", "v1.31.0",
			[]change{func(st *story) { stored("app", hashHex(st.app, 31))(st) },
				on(evidence.CgroupPlacement{Version: 2, KubeletDriver: "cgroupfs", PathDriver: "systemd"}),
				runtime("cri-o://1.28.4")}, "app", "may: cgroup-driver-mismatch"},
		"and did not before": {"v1.30.14", "v1.31.0",
			[]change{func(st *story) { stored("app", hashHex(st.app, 31))(st) },
				on(evidence.CgroupPlacement{Version: 2, KubeletDriver: "cgroupfs", PathDriver: "systemd"}),
				runtime("cri-o://1.27.1")}, "app", "stays: unchanged"},
		"and an unknown runtime may tell": {"v1.30.14", "v1.31.0",
			[]change{func(st *story) { stored("app", hashHex(st.app, 31))(st) },
				on(evidence.CgroupPlacement{Version: 2, KubeletDriver: "cgroupfs", PathDriver: "systemd"}), runtime("")},
			"app", "may: cgroup-driver-mismatch"},
		"which harms nobody if it is the same": {"v1.30.14", "v1.31.0",
			[]change{func(st *story) { stored("app", hashHex(st.app, 31))(st) },
				on(evidence.CgroupPlacement{Version: 2, KubeletDriver: "systemd", PathDriver: "systemd"})}, "app",
			"stays: unchanged"},
		"a device may not be there yet": {"v1.26.0", "v1.26.6", []change{gpu}, "app", "may: admission-rejected"},
		"which was put right":           {"v1.26.0", "v1.26.9", []change{gpu}, "app", "stays: unchanged"},
		"init containers count for the QoS class since 1.16": {"v1.15.12", "v1.16.15", []change{func(st *story) {
			guaranteed(st)
			st.object.Spec.InitContainers = []corev1.Container{{Name: "first", Image: "x"}}
		}}, "app", "restarts: pod-cgroup-missing"},
		"which is the hash's fault if the class stays": {"v1.15.12", "v1.16.15",
			[]change{guaranteed}, "app", "restarts: hash-kubelet-upgrade"},
		"a container that crashed is not restarted": {"v1.30.14", "v1.31.0", []change{crashed}, "app", "stays: not-running"},
		"nor one that waits to be made": {"v1.30.14", "v1.31.0",
			[]change{func(st *story) { st.object.Status.ContainerStatuses = nil; st.object.Status.Phase = corev1.PodPending }},
			"app", "stays: not-running"},
		"a pod without status": {"v1.30.14", "v1.31.0",
			[]change{func(st *story) { st.object.Status = corev1.PodStatus{} }}, "app", "unknown: no-status"},
		"a pod that has ended": {"v1.30.14", "v1.31.0",
			[]change{func(st *story) { st.object.Status.Phase = corev1.PodSucceeded }}, "app", "stays: pod-ends"},
		"a pod that is being deleted": {"v1.30.14", "v1.31.0",
			[]change{func(st *story) { st.object.DeletionTimestamp = &metav1.Time{Time: noon} }}, "app", "stays: pod-ends"},
		"a pod that is over its deadline": {"v1.30.14", "v1.31.0", []change{func(st *story) {
			s := int64(1)
			st.object.Spec.ActiveDeadlineSeconds = &s
			st.object.Status.StartTime = &metav1.Time{Time: noon.Add(-time1h)}
		}}, "app", "stays: pod-ends"},
		"a node without a version": {"", "v1.31.0", nil, "app", "unknown: kubelet-version-unknown"},
		"a node from before":       {"v1.3.0", "v1.31.0", nil, "app", "unknown: kubelet-version-unknown"},
		"a version that is none":   {"nonsense", Same, nil, "app", "unknown: kubelet-version-unknown"},
		"a vendor's version":       {"v1.30.4-eks-49c6de4", "v1.31.0", nil, "app", "restarts: hash-kubelet-upgrade"},
		"a sandbox that is not ready goes under either kubelet": {"v1.33.0", "v1.34.0", []change{func(st *story) {
			st.s.Observations = append(st.s.Observations, evidence.Observation{Subject: evidence.Subject{Node: "n1",
				PodUID: "u", SandboxID: "s"}, Source: evidence.Source{Kind: evidence.SourceCRI}, Fact: evidence.SandboxRecord{}})
		}}, "app", "restarts: sandbox-changed"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			r := predicted(t, newStory(test.from, test.given...), test.to)
			if got := told(r, test.container); got != test.want {
				t.Errorf("%s → %s: %s, want %s", test.from, test.to, got, test.want)
			}
			for _, it := range r.Items {
				if it.Because == "" || it.Assumed == nil {
					t.Errorf("no reason: %+v", it)
				}
			}
			for _, g := range r.Groups {
				if g.Prediction != report.Stays && g.Do == "" {
					t.Errorf("no advice for %s", g.Rule)
				}
			}
		})
	}
}

func gpu(st *story) {
	st.app.Resources.Limits = corev1.ResourceList{"example.com/gpu": resource.MustParse("1")}
}

func guaranteed(st *story) {
	st.app.Resources = corev1.ResourceRequirements{Limits: memory("64Mi"), Requests: memory("64Mi")}
}

func crashed(st *story) {
	st.object.Status.ContainerStatuses[0].State = corev1.ContainerState{
		Waiting: &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff"},
	}
	st.object.Status.ContainerStatuses[0].LastTerminationState = corev1.ContainerState{
		Terminated: &corev1.ContainerStateTerminated{ExitCode: 1},
	}
}

func TestWhatIsAssumedIsSaid(t *testing.T) {
	assumed := func(given ...func(*story)) string {
		return strings.Join(predicted(t, newStory("v1.30.14", given...), "v1.31.0").Items[0].Assumed, "; ")
	}
	if got := assumed(); !strings.Contains(got, "v1.30 computes for the present spec") ||
		!strings.Contains(got, "one ready sandbox") {
		t.Errorf("without the runtime: %q", got)
	}
	if got := assumed(func(st *story) { stored("app", hashHex(st.app, 30))(st) }); strings.Contains(got, "present spec") {
		t.Errorf("with the stored hash: %q", got)
	}
	placed := func(to string, given ...func(*story)) bool {
		return strings.Contains(strings.Join(predicted(t, newStory("v1.36.3", given...), to).Items[0].Assumed, "; "),
			"belong to the newest sandbox")
	}
	if !placed("v1.37.1", sidecar) || placed("v1.37.1") || placed("v1.36.4", sidecar) {
		t.Error("the sandbox of containers is assumed where 1.37 goes by it for initialization, and nowhere else")
	}
}

func TestTheProofNamesBothHashes(t *testing.T) {
	st := newStory("v1.30.14", func(st *story) { stored("app", hashHex(st.app, 30))(st) })
	it := predicted(t, st, "v1.31.0").Items[0]
	want := "stored hash " + hashHex(st.app, 30) + " (read from the runtime), v1.31 computes " + hashHex(st.app, 31)
	if it.Proof != want || it.Function != "computePodActions" {
		t.Errorf("proof %q in %q, want %q", it.Proof, it.Function, want)
	}
}

func TestARestartOfTheWorkloadsOfTheSpewEra(t *testing.T) {
	dressed := func(st *story) {
		st.app.VolumeMounts = []corev1.VolumeMount{{Name: "token", MountPath: "/var/run/secrets"}}
		st.app.SecurityContext = &corev1.SecurityContext{}
		st.app.LivenessProbe = httpProbe()
		sidecarless := *st.app.DeepCopy()
		sidecarless.Name = "plain"
		sidecarless.SecurityContext, sidecarless.VolumeMounts = nil, nil
		st.object.Spec.Containers = append(st.object.Spec.Containers, sidecarless)
		st.object.Status.ContainerStatuses = append(st.object.Status.ContainerStatuses, running("plain"))
	}
	for _, test := range []struct {
		from, to string
		want     int
	}{{"v1.8.15", "v1.9.11", 2}, {"v1.9.11", "v1.10.13", 1}, {"v1.10.13", "v1.11.10", 0}, {"v1.12.10", "v1.13.12", 0},
		{"v1.13.12", "v1.14.10", 1}, {"v1.15.12", "v1.16.15", 2}} {
		r := predicted(t, newStory(test.from, dressed), test.to)
		if r.Summary.Restarts != test.want || r.Summary.Total() != 2 {
			t.Errorf("%s → %s: %+v, want %d to restart", test.from, test.to, r.Summary, test.want)
		}
	}
}
