package evidence

import "testing"

func TestTheLogOfAUnit(t *testing.T) {
	for name, want := range map[string]SourceKind{
		"kubelet": SourceKubeletLog, "k3s-agent": SourceKubeletLog, "rke2-server.service": SourceKubeletLog,
		"snap.microk8s.daemon-kubelite": SourceKubeletLog, "k0sworker": SourceKubeletLog,
		"snap.k8s.kubelet": SourceKubeletLog, "snap.k8s.containerd": SourceRuntimeLog,
		"containerd": SourceRuntimeLog, "snap.microk8s.daemon-containerd": SourceRuntimeLog, "other": SourceRuntimeLog,
		"kernel": SourceKernelLog, "kmsg": SourceKernelLog,
	} {
		if got := UnitOf(name).ItsLog(); got != want {
			t.Errorf("%s writes the %s, want the %s", name, got, want)
		}
	}
}
