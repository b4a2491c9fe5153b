package machine

import (
	"fmt"

	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/image"
)

// Where things are inside a node.
const (
	KubeletBinary  = "/usr/local/bin/kubelet"
	KubeletEnv     = "/etc/lab/kubelet.env" // KUBELET_FLAGS=… for kubelet.service
	RuntimeSocket  = "/run/containerd/containerd.sock"
	imagesPath     = "/opt/lab/images.tar"
	containerdConf = "/etc/containerd/config.toml"
	units          = "/etc/systemd/system/"
	networkUnit    = units + "lab-network.service"
	runtimeUnit    = units + "containerd.service"
	kubeletUnit    = units + "kubelet.service"
)

// HostAddress is the host on the lab's own bridge; the API server listens only there.
const HostAddress = "10.213.0.1"

// Bridge is the network link that joins the host and the nodes.
const Bridge = "rwlab0"

// Address is the node's address on the bridge.
func Address(index int) string { return fmt.Sprintf("10.213.0.%d", 10+index) }

// podRange returns the node's own range for pods, reachable inside the node only.
func podRange(index int) string { return fmt.Sprintf("10.213.%d.0/24", 100+index) }

// cgroup returns the node's own cgroup in every hierarchy of the host, which is the root of the hierarchies as the node
// sees them. So every path in a node looks like on a separate machine: /kubepods, /system.slice/kubelet.service.
func cgroup(name string) string { return "lab-" + name }

// masked units would change the kernel's settings, wait for hardware or use the network.
var masked = []string{"systemd-sysctl.service", "systemd-modules-load.service", "apt-daily.timer",
	"apt-daily-upgrade.timer", "dpkg-db-backup.timer", "fstrim.timer", "e2scrub_all.timer", "e2scrub_reap.service",
	"systemd-networkd-wait-online.service", "systemd-timesyncd.service", "getty.target", "console-getty.service"}

// files returns the content of the node's configuration, path → text.
func files(name string, index int) map[string]string {
	return map[string]string{
		"/etc/hostname":    name + "\n",
		"/etc/hosts":       "127.0.0.1 localhost\n" + Address(index) + " " + name + "\n",
		"/etc/resolv.conf": "# no resolver: nothing in the lab asks for a name\n",
		// The journal must keep every line: the lab judges what can be proven from it.
		"/etc/systemd/journald.conf.d/lab.conf": `[Journal]
Storage=persistent
RateLimitIntervalSec=0
RateLimitBurst=0
SystemMaxUse=4G
SystemKeepFree=1M
MaxRetentionSec=0
ForwardToConsole=no
`,
		networkUnit: networkText("host0", index),
		// Debian's unit lowers the OOM score, which this machine's root may not do.
		runtimeUnit: runtimeText("/usr/bin/containerd"),
		kubeletUnit: `[Unit]
Description=kubelet: The Kubernetes Node Agent
After=containerd.service lab-network.service
Wants=containerd.service
StartLimitIntervalSec=0

[Service]
EnvironmentFile=` + KubeletEnv + `
ExecStart=` + KubeletBinary + ` $KUBELET_FLAGS
Delegate=yes
KillMode=process
Restart=always
RestartSec=2
`,
		containerdConf: `version = 2
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "` + image.Pause + `"
  # This machine's root cannot lower oom_score_adj; without this every sandbox fails.
  restrict_oom_score_adj = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "/etc/cni/net.d"
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
      SystemdCgroup = false
`,
		"/etc/cni/net.d/10-lab.conflist": fmt.Sprintf(
			`{"cniVersion":"0.4.0","name":"lab","plugins":[{"type":"bridge","bridge":"cni0",
"isGateway":true,"ipMasq":false,"ipam":{"type":"host-local","ranges":[[{"subnet":"%s"}]]}}]}
`, podRange(index)),
	}
}

// networkText is the unit that gives the node's network link its address.
func networkText(link string, index int) string {
	return fmt.Sprintf(`[Unit]
Description=Lab network
DefaultDependencies=no
After=local-fs.target
Before=containerd.service kubelet.service

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=ip link set lo up
ExecStart=ip address replace %[1]s/24 dev %[2]s
ExecStart=ip link set %[2]s up
ExecStart=ip route replace default via %[3]s
`, Address(index), link, HostAddress)
}

func runtimeText(program string) string {
	return `[Unit]
Description=containerd container runtime
After=network.target dbus.service

[Service]
ExecStart=` + program + `
Type=notify
Delegate=yes
KillMode=process
Restart=always
RestartSec=2
TasksMax=infinity
`
}
