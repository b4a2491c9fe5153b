package textlog_test

import (
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/diag/textlog"
)

func TestOnlyANodesNameMakesALogANodes(t *testing.T) {
	nodes := map[string]bool{"n1": true, "ip-10-0-1-2.ec2.internal": true, "csr-approver-3": true}
	for path, own := range map[string]bool{
		"kubelet.log": true, "kubelet.log.1": true, "kubelet-20261128.log.gz": true, "kubelet_service.log": true,
		"journalctl_--no-pager_--unit_kubelet": true, "journalctl -u kubelet.txt": true, "var/log/messages-20261122": true,
		"syslog.1": true, "kern.log": true, "dmesg_T.txt": true, "containerd-log.txt": true, "cri-o.log": true,
		"rke2/kubelet.txt": true, "kubelet/current": true, "kubelet.INFO": true, "KUBELET.LOG": true, "k3s-agent.log": true,
		"logs/kind-worker/kubelet.log": true, "kubeletlogs.txt": true, "dockerd.log": true, "crio.log": true,
		"kubelet-n1.log": true, "n1_kubelet.log": true, "ip-10-0-1-2-kubelet.log": true, "journal/kubelet.log": true,
		"kubelet.ip-10-0-1-2.ec2.internal.log": true, "kubelet-csr-approver-3.log": true, "kubelet/n1.log": true,
		// what an author may call a pod
		"kubelet-csr-approver.log": false, "kubelet-csr-approver-7d9f-x2x4z.log": false, "my-docker-app.log": false,
		"messages-api-0.log": false, "logs/kubelet/app.log": false, "journal-writer.txt": false, "kubelet-n1-x.log": false,
		"web-0.log": false, "kubelet/0.log": false, "containerd/1.log.20261128-100000": false,
		"0.log": false, "current.log": false, "docker/app.log": false, "n1.log": false,
		"kernel-memory-leak.log": false, "systemd-exporter-abc12.log": false,
	} {
		if got := textlog.Place(path, "x", nodes) == "x"; got != own {
			t.Errorf("%s: a node's log: %v", path, got)
		}
	}
}
