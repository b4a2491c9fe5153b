package hostprint

import (
	"testing"
	"time"
)

func TestTheClockOfAText(t *testing.T) {
	saved := time.Date(2024, 5, 2, 18, 0, 0, 0, time.UTC)
	const unit = "     Active: active (running) since Thu 2024-05-02 06:25:11 UTC; "
	for text, want := range map[string]string{
		" 09:45:20 up 12 min,  2 users,  load average: 0.31, 0.28, 0.19\n": "2024-05-02T09:45:20Z",
		" 19:45:20 up 12 min,  2 users,  load average: 0.31, 0.28, 0.19\n": "2024-05-01T19:45:20Z", // the day before
		unit + "3h 20min ago\n":          "2024-05-02T09:45:11Z",
		unit + "14s ago\n":               "2024-05-02T06:25:25Z",
		unit + "2 days ago\n":            "",
		"Thu May  2 09:45:12 UTC 2024\n": "2024-05-02T09:45:12Z",
		" 03:00:00 up 1 min,  1 user,  load average: 0.1, 0.1, 0.1\n" + unit + "3h 20min ago\n": "2024-05-02T09:45:11Z",
		unit + "14s ago\n" + unit + "11h ago\n":                                                 "", // hours apart
		"nothing\n":                                                                             "",
	} {
		at, ok := Clock(text, saved)
		got := ""
		if ok {
			got = at.UTC().Format(time.RFC3339)
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestWhoseCgroupDriverALineTells(t *testing.T) {
	for line, want := range map[string]string{
		"cgroupDriver: systemd":                               "systemd of the kubelet",
		"/var/lib/kubelet/config.yaml:cgroupDriver: cgroupfs": "cgroupfs of the kubelet",
		"  /usr/bin/kubelet --cgroup-driver=systemd --v=2":    "systemd of the kubelet",
		"            SystemdCgroup = false":                   "cgroupfs of the runtime",
		"/etc/containerd/config.toml:  SystemdCgroup = true":  "systemd of the runtime",
		" Cgroup Driver: cgroupfs":                            "cgroupfs of the runtime",
		`  "exec-opts": ["native.cgroupdriver=systemd"],`:     "systemd of the runtime",
		`cgroup_manager = "cgroupfs"`:                         "cgroupfs of the runtime",
		"# SystemdCgroup = true":                              "",
		"set SystemdCgroup to true":                           "",
		" Cgroup Version: 2":                                  "",
	} {
		name, kubelet, ok := driver(line)
		got := ""
		if ok {
			got = name + " of the " + map[bool]string{true: "kubelet", false: "runtime"}[kubelet]
		}
		if got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}
