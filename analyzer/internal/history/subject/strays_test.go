package subject

import "testing"

func TestWhatRunsOnTheMachineItselfIsNoContainers(t *testing.T) {
	const id = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	for cgroup, host := range map[string]bool{
		"/system.slice/rsyslog.service":                                   true,
		"/system.slice/system-getty.slice/getty@tty1.service":             true,
		"/user.slice/user-1000.slice/user@1000.service/app.slice/a.scope": true,
		"/init.scope":                           true,
		"/system/runtime":                       true, // Talos
		"/podruntime/kubelet":                   true,
		"":                                      false,
		"/":                                     false,
		"/docker/" + id:                         false,
		"/system.slice/docker-" + id + ".scope": false,
		"/system.slice/docker.service/docker/web":                                       false,
		"/kubepods.slice/kubepods-besteffort.slice":                                     false,
		"/system.slice/containerd.service/kubepods-burstable-podx:cri-containerd:" + id: false,
		"/lxc/101/ns/system.slice/app.service":                                          false,
	} {
		if got := ofHost(cgroup); got != host {
			t.Errorf("%q is the machine's: %v", cgroup, got)
		}
	}
}
