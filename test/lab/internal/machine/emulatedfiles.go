package machine

import "github.com/restartwhy/kubectl-restartwhy/test/lab/internal/image"

// RuntimePrograms is where the programs of containerd are inside an emulated machine, by name.
var RuntimePrograms = map[string]string{
	"containerd":              "/usr/local/bin/containerd",
	"containerd-shim-runc-v2": "/usr/local/bin/containerd-shim-runc-v2",
	"ctr":                     "/usr/local/bin/ctr",
}

// masked units would only take a slow processor's time.
func (m emulated) masked() []string {
	return []string{"apt-daily.timer", "apt-daily-upgrade.timer", "dpkg-db-backup.timer", "fstrim.timer",
		"e2scrub_all.timer",
		"e2scrub_reap.service", "systemd-networkd-wait-online.service", "systemd-timesyncd.service", "getty.target",
		"serial-getty@ttyS0.service", "console-getty.service"}
}

// files returns the configuration of a modern node: containerd 2, systemd as the cgroup driver, and ssh access for the
// host.
func (m emulated) files() map[string]string {
	f := files(m.Name, m.Index)
	f["/etc/fstab"] = "/dev/vda / ext4 rw 0 1\n"
	f["/etc/ssh/sshd_config"] = `HostKey /etc/ssh/lab_host_key
AuthorizedKeysFile .ssh/authorized_keys
PasswordAuthentication no
PermitRootLogin prohibit-password
UsePAM no
UseDNS no
MaxSessions 100
MaxStartups 100
LogLevel ERROR
SetEnv PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8
`
	f[networkUnit] = networkText("eth0", m.Index)
	f[runtimeUnit] = runtimeText(RuntimePrograms["containerd"])
	// At the first boot the kubelet is not yet configured.
	f[kubeletUnit+".d/lab.conf"] = "[Unit]\nConditionPathExists=" + KubeletEnv + "\n"
	f[containerdConf] = `version = 3
[plugins."io.containerd.cri.v1.images".pinned_images]
  sandbox = "` + image.Pause + `"
[plugins."io.containerd.cri.v1.runtime".cni]
  bin_dirs = ["/usr/lib/cni"]
  conf_dir = "/etc/cni/net.d"
[plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc]
  runtime_type = "io.containerd.runc.v2"
  [plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc.options]
    SystemdCgroup = true
`
	return f
}
