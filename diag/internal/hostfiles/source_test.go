package hostfiles

import (
	"context"
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/kubeletconfig"
)

var (
	at   = time.Date(2026, 11, 21, 7, 12, 0, 0, time.UTC)
	boot = time.Date(2026, 11, 20, 6, 0, 0, 0, time.UTC)
)

const secret = "hunter2"

// base is a node whose kubelet was configured by file, with a drop-in.
func base() map[string]string {
	return map[string]string{
		"etc/hostname":                   "# set by the installer\nWorker-1\n",
		"etc/os-release":                 "ID=debian\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n",
		"proc/sys/kernel/hostname":       "reader\n",
		"proc/sys/kernel/osrelease":      "6.1.0-18-amd64\n",
		"proc/sys/kernel/random/boot_id": "6f1cbd06-7d70-4c67-b3a3-5cbd4b2c8f11\n",
		"proc/stat":                      "cpu  1 2 3\nintr 5\nbtime 1795154400\nprocesses 9\n",
		"proc/1/stat":                    "1 (systemd) S 0 1 1 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 150 1 2\n",
		"proc/1/comm":                    "systemd\n",
		"proc/77/comm":                   "kubelet\n",
		"proc/77/status":                 "Name:\tkubelet\nNSpid:\t77\t12\n",
		"proc/968/comm":                  "kubelet\n",
		"proc/968/status":                "Name:\tkubelet\nNSpid:\t968\n",
		"proc/968/cmdline":               "/usr/bin/kubelet\x00--config=/var/lib/kubelet/config.yaml\x00--config-dir\x00/etc/kubelet.d\x00--token\x00" + secret + "\x00",
		"var/lib/kubelet/config.yaml":    "kind: KubeletConfiguration\ncgroupDriver: cgroupfs\ncgroupRoot: /lab-n1\nstaticPodURLHeader: {A: [" + secret + "]}\n",
		"etc/kubelet.d/10-driver.conf":   "cgroupDriver: systemd\n",
		"etc/kubelet.d/README":           "cgroupDriver: none\n",
		"usr/share/zoneinfo/placeholder": "",
	}
}

func TestReadTellsAboutTheNode(t *testing.T) {
	utc := 0
	want := Host{
		CollectedAt: at, NodeName: "worker-1", Hostname: "Worker-1", BootID: "6f1cbd06-7d70-4c67-b3a3-5cbd4b2c8f11",
		BootTime: boot, InitTime: boot.Add(1500 * time.Millisecond), KernelVersion: "6.1.0-18-amd64",
		OSImage: "Debian GNU/Linux 12 (bookworm)", ZoneOffset: &utc,
		Kubelet: Kubelet{PID: 968, ConfigFile: "/var/lib/kubelet/config.yaml",
			Flags:    []string{"config", "config-dir", "token"},
			Settings: Settings{CgroupDriver: "systemd", CgroupRoot: "/lab-n1"}},
	}
	cmdline := func(args ...string) map[string]string {
		return map[string]string{"proc/968/cmdline": strings.Join(append([]string{"kubelet"}, args...), "\x00") + "\x00"}
	}
	cases := map[string]struct {
		change map[string]string // "" removes the file
		want   func(*Host)
		gap    string
	}{
		"as it should be": {nil, func(*Host) {}, ""},
		"flags win over files": {cmdline("--config=/var/lib/kubelet/config.yaml",
			"--hostname-override=Node.Example ", "--cgroup-driver", "cgroupfs", "--cgroup_root=/x"), func(h *Host) {
			h.NodeName = "node.example"
			h.Kubelet.HostnameOverride, h.Kubelet.CgroupDriver, h.Kubelet.CgroupRoot = "Node.Example ", "cgroupfs", "/x"
			h.Kubelet.Flags = []string{"cgroup-driver", "cgroup-root", "config", "hostname-override"}
		}, ""},
		"no configuration at all": {cmdline("--v=2"), func(h *Host) {
			h.Kubelet = Kubelet{PID: 968, Flags: []string{"v"}}
		}, ""},
		"the last of two flags counts, and -- ends them": {cmdline("--cgroup-root=/a",
			"--cgroup-root", "/b", "--", "--cgroup-root=/c"), func(h *Host) {
			h.Kubelet = Kubelet{PID: 968, Flags: []string{"cgroup-root"}, Settings: Settings{CgroupRoot: "/b"}}
		}, ""},
		"a kubelet named by its version": {map[string]string{"proc/968/comm": "kubelet-v1.36.3\n"}, func(*Host) {}, ""},
		"another program with a like name": {map[string]string{"proc/968/comm": "kubeletwatch\n"},
			func(h *Host) { h.Kubelet = Kubelet{} }, "find the kubelet"},
		"hyperkube": {map[string]string{"proc/968/comm": "hyperkube\n",
			"proc/968/cmdline": "/hyperkube\x00kubelet\x00--cgroup-root=/h\x00"}, func(h *Host) {
			h.Kubelet = Kubelet{PID: 968, Flags: []string{"cgroup-root"}, Settings: Settings{CgroupRoot: "/h"}}
		}, ""},
		"hyperkube as something else": {map[string]string{"proc/968/comm": "hyperkube\n",
			"proc/968/cmdline": "/hyperkube\x00kube-proxy\x00"}, func(h *Host) { h.Kubelet = Kubelet{} }, "find the kubelet"},
		"a configuration that is gone": {map[string]string{"var/lib/kubelet/config.yaml": ""},
			func(h *Host) { h.Kubelet.CgroupRoot = "" },
			"read the kubelet's configuration: open"},
		"a configuration that is no YAML": {map[string]string{"var/lib/kubelet/config.yaml": "token: " + secret + "\n\t}{"},
			func(h *Host) { h.Kubelet.CgroupRoot = "" }, "not a YAML object"},
		"no hostname file": {map[string]string{"etc/hostname": ""},
			func(h *Host) { h.NodeName, h.Hostname = "reader", "reader" }, ""},
		"no boot id": {map[string]string{"proc/sys/kernel/random/boot_id": ""},
			func(h *Host) { h.BootID = "" }, "boot_id: no such file"},
		"no boot time": {map[string]string{"proc/stat": "cpu 1\n"},
			func(h *Host) { h.BootTime, h.InitTime = time.Time{}, time.Time{} }, "no boot time"},
		"a boot time that is none": {map[string]string{"proc/stat": "btime 99999999999999\n"},
			func(h *Host) { h.BootTime, h.InitTime = time.Time{}, time.Time{} }, "is not a time"},
		"a process 1 with a strange name": {
			map[string]string{"proc/1/stat": "1 (a) b) S 0 1 1 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 150 1 2\n"},
			func(*Host) {}, ""},
		"a process 1 without fields": {map[string]string{"proc/1/stat": "1 (init"},
			func(h *Host) { h.InitTime = time.Time{} }, "too few fields"},
		"a time zone that is none": {map[string]string{"etc/localtime": "no zone"},
			func(h *Host) { h.ZoneOffset = nil }, "time zone"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			files := base()
			for k, v := range c.change {
				if files[k] = v; v == "" {
					delete(files, k)
				}
			}
			got, gaps := Read(Options{Root: filetest.Plant(t, files), Now: func() time.Time { return at }})
			w := want
			c.want(&w)
			if d := cmp.Diff(w, got); d != "" {
				t.Error(d)
			}
			if (c.gap == "") != (len(gaps) == 0) || c.gap != "" && !strings.Contains(gaps[0].Why, c.gap) {
				t.Errorf("gaps %+v, want %q", gaps, c.gap)
			}
			for _, g := range gaps {
				if strings.Contains(g.Why, secret) {
					t.Errorf("a gap repeats what it read: %+v", g)
				}
			}
		})
	}
}

func TestTheTimeZoneIsTheNodesOwn(t *testing.T) {
	// A zone file of version 1 with one type: 5 h 30 min east of UTC.
	tz := "TZif" + strings.Repeat("\x00", 16) + strings.Repeat("\x00\x00\x00\x00", 4) +
		"\x00\x00\x00\x01" + "\x00\x00\x00\x04" + "\x00\x00\x4d\x58\x00\x00IST\x00"
	files := base()
	files["usr/share/zoneinfo/Asia/Kolkata"] = tz
	for _, target := range []string{"/usr/share/zoneinfo/Asia/Kolkata", "../usr/share/zoneinfo/Asia/Kolkata"} {
		root := filetest.Plant(t, files)
		// An absolute link means the node's root, where our machine may have nothing.
		if err := os.Symlink(target, filepath.Join(root, "etc/localtime")); err != nil {
			t.Fatal(err)
		}
		h, gaps := Read(Options{Root: root, Now: func() time.Time { return at }})
		if len(gaps) != 0 || h.ZoneOffset == nil || *h.ZoneOffset != 19800 {
			t.Errorf("link to %s: offset %v, gaps %v", target, h.ZoneOffset, gaps)
		}
	}
}

func TestCollectStoresAndObserves(t *testing.T) {
	files := base()
	maps.Copy(files, map[string]string{"proc/968/environ": "TOKEN=" + secret})
	pieces, gaps := New(Options{Root: filetest.Plant(t, files), Now: func() time.Time { return at }}).Collect(
		context.Background())
	if len(gaps) != 0 || len(pieces) != 1 {
		t.Fatalf("%d pieces, gaps %v", len(pieces), gaps)
	}
	b := evidence.NewBuilder(at)
	pieces[0].Observe(b)
	s := b.Build()
	f := pieces[0].Files()[0]
	r, err := f.Open()
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(r)
	if err != nil || f.Path != "nodes/worker-1/host.json" || strings.Contains(string(data), secret) {
		t.Errorf("stored at %s (%v):\n%s", f.Path, err, data)
	}
	want := []evidence.Node{{Name: "worker-1", HostBoot: "6f1cbd06-7d70-4c67-b3a3-5cbd4b2c8f11",
		KernelVersion: "6.1.0-18-amd64", OSImage: "Debian GNU/Linux 12 (bookworm)"}}
	if d := cmp.Diff(want, s.Nodes); d != "" {
		t.Error(d)
	}
	if len(s.Observations) != 2 {
		t.Fatalf("observations %+v", s.Observations)
	}
	o := s.Observations[0]
	if o.Fact != (evidence.KernelBooted{BootID: want[0].HostBoot}) || !o.Time.Equal(boot.Add(1500*time.Millisecond)) ||
		o.Subject.Node != "worker-1" ||
		o.Text.String() != "boot 6f1cbd06-7d70-4c67-b3a3-5cbd4b2c8f11 began 2026-11-20T06:00:01Z" {
		t.Errorf("boot: %+v", o)
	}
}

func TestWithoutTimeOrFilesThereAreGaps(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if pieces, gaps := New(Options{Node: "n1"}).Collect(ctx); len(pieces) != 0 || len(gaps) != 1 {
		t.Errorf("after the end: %v, %v", pieces, gaps)
	}
	pieces, gaps := New(Options{Node: "n1", Root: t.TempDir()}).Collect(context.Background())
	if len(pieces) != 1 || len(gaps) < 5 || gaps[0].Node != "n1" {
		t.Errorf("an empty node: %d pieces, gaps %+v", len(pieces), gaps)
	}
}

func TestABrokenFileIsAGap(t *testing.T) {
	for data, want := range map[string]int{`{"bootTime":"yesterday"}`: 1, `{`: 1, `[]`: 1, `{}`: 0} {
		b := evidence.NewBuilder(at)
		NewPiece("n1", evidence.Bytes("nodes/n1/host.json", []byte(data)), at).Observe(b)
		if s := b.Build(); len(s.Gaps) != want || len(s.Observations) != 0 {
			t.Errorf("%s: gaps %+v, observations %+v", data, s.Gaps, s.Observations)
		}
	}
}

func FuzzPiece(f *testing.F) {
	f.Add(
		[]byte(`{"nodeName":"n1","bootID":"6f1c","bootTime":"2026-11-20T06:00:00Z","zoneOffset":3600,"kubelet":{"pid":1}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		b := evidence.NewBuilder(at)
		NewPiece("n1", evidence.Bytes("nodes/n1/host.json", data), at).Observe(b)
		for _, o := range b.Build().Observations {
			if o.Time.IsZero() || o.Subject.Node != "n1" {
				t.Fatalf("%+v from %q", o, data)
			}
		}
	})
}

func FuzzParsers(f *testing.F) {
	f.Add("kubelet\x00--config\x00/a\x00--\x00", "cgroupDriver: systemd\n",
		"cpu 1\nbtime 1795154400\n", "1 (systemd) S 0 1 1 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 150 1")
	f.Fuzz(func(t *testing.T, cmdline, config, stat, pid1 string) {
		if got := parseFlags(cmdline, flagConfig); len(got) > 1 {
			t.Fatalf("flags that nobody asked for: %v", got)
		}
		over := Settings{CgroupRoot: "/x", FeatureGates: map[string]bool{"A": true}}
		if c, err := kubeletconfig.Parse(config, over); err != nil && !reflect.DeepEqual(c, over) {
			t.Fatalf("%+v beside error %v", c, err)
		}
		if over.FeatureGates["A"] != true || len(over.FeatureGates) != 1 {
			t.Fatalf("reading a file changed what was known: %+v", over)
		}
		flagged(over, parseFlags(cmdline, wantedFlags...))
		for _, name := range flagNames(cmdline) {
			if !strings.Contains(strings.ReplaceAll(cmdline, "_", "-"), "--"+name) || strings.ContainsAny(name, "=\x00 ") {
				t.Fatalf("a flag %q out of %q", name, cmdline)
			}
		}
		at, err := bootTime(stat)
		if err != nil && !at.IsZero() {
			t.Fatalf("%v beside error %v", at, err)
		}
		if started, _ := startTime(pid1, at); started.Before(at) && !started.IsZero() || started.Year() > 9999 {
			t.Fatalf("started %v before the boot %v", started, at)
		}
	})
}
