package hostfiles

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
)

const whole = `kind: KubeletConfiguration
cgroupDriver: systemd
cgroupsPerQOS: true
containerRuntimeEndpoint: unix:///run/containerd/containerd.sock
staticPodPath: /etc/kubernetes/manifests
cpuManagerPolicy: static
memoryManagerPolicy: Static
topologyManagerPolicy: restricted
singleProcessOOMKill: false
failCgroupV1: false
shutdownGracePeriod: 30s
featureGates: {InPlacePodVerticalScaling: true, NodeLogQuery: false}
evictionHard: {memory.available: 100Mi}
clusterDNS: [10.0.0.10]
`

func TestTheSettingsThatRestartsDependOnAreRead(t *testing.T) {
	full := Settings{CgroupDriver: "systemd", CgroupsPerQOS: new(true),
		ContainerRuntimeEndpoint: "unix:///run/containerd/containerd.sock", StaticPodPath: "/etc/kubernetes/manifests",
		CPUManagerPolicy: "static", MemoryManagerPolicy: "Static", TopologyManagerPolicy: "restricted",
		SingleProcessOOMKill: new(false), FailCgroupV1: new(false),
		ShutdownGracePeriod: "30s", FeatureGates: map[string]bool{"InPlacePodVerticalScaling": true, "NodeLogQuery": false},
		EvictionHard: map[string]string{"memory.available": "100Mi"}}
	for _, c := range []struct {
		name, args, dropIn string
		want               func(*Settings)
	}{
		{"the file alone", "", "", func(*Settings) {}},
		{"a drop-in merges its maps", "",
			"featureGates: {NodeLogQuery: true, Other: true}\nevictionHard: {nodefs.available: 10%}\nsingleProcessOOMKill: true\n", func(s *Settings) {
				s.FeatureGates = map[string]bool{"InPlacePodVerticalScaling": true, "NodeLogQuery": true, "Other": true}
				s.EvictionHard = map[string]string{"memory.available": "100Mi", "nodefs.available": "10%"}
				s.SingleProcessOOMKill = new(true)
			}},
		{"a drop-in that is broken changes nothing", "", "cgroupDriver: cgroupfs\nfeatureGates: 7\n", func(*Settings) {}},
		{"flags",
			"--cgroups-per-qos=false --pod-manifest-path=/m --cpu-manager-policy none --feature-gates=NodeLogQuery=true,X=maybe --eviction-hard=memory.available<5%,imagefs.available<1Gi", "", func(s *Settings) {
				s.CgroupsPerQOS, s.StaticPodPath, s.CPUManagerPolicy = new(false), "/m", "none"
				s.FeatureGates = map[string]bool{"InPlacePodVerticalScaling": true, "NodeLogQuery": true}
				s.EvictionHard = map[string]string{"memory.available": "5%", "imagefs.available": "1Gi"}
			}},
		{"a flag that is no boolean", "--cgroups-per-qos=perhaps", "", func(*Settings) {}},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := base()
			files["var/lib/kubelet/config.yaml"], files["etc/kubelet.d/10-driver.conf"] = whole, c.dropIn
			files["proc/968/cmdline"] = strings.Join(
				append([]string{"kubelet", "--config=/var/lib/kubelet/config.yaml", "--config-dir=/etc/kubelet.d"},
					strings.Fields(c.args)...), "\x00")
			h, _ := Read(Options{Root: filetest.Plant(t, files), Now: func() time.Time { return at }})
			want := full
			c.want(&want)
			if d := cmp.Diff(want, h.Kubelet.Settings); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestKubeletsInsideOtherProgramsAreFound(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		want  Kubelet
	}{
		{"k3s", map[string]string{"proc/968/comm": "k3s-server\n", "proc/968/cmdline": "/usr/local/bin/k3s server\x00"},
			Kubelet{PID: 968}},
		{"MicroK8s tells its arguments in a file", map[string]string{"proc/968/comm": "kubelite\n",
			"proc/968/cmdline":                       "/snap/microk8s/1/kubelite\x00--kubelet-args-file=/var/snap/microk8s/current/args/kubelet\x00",
			"var/snap/microk8s/current/args/kubelet": "--root-dir=/var/snap/microk8s/common/var/lib/kubelet\n--container-runtime-endpoint=/run/c.sock\n--token=" + secret + "\n"},
			Kubelet{PID: 968, RootDir: "/var/snap/microk8s/common/var/lib/kubelet",
				Flags:    []string{"container-runtime-endpoint", "root-dir", "token"},
				Settings: Settings{ContainerRuntimeEndpoint: "/run/c.sock"}}},
		{"a kubelet counts before them", map[string]string{"proc/900/comm": "k3s-server\n",
			"proc/900/status": "NSpid:\t900\n"},
			Kubelet{PID: 968, ConfigFile: "/var/lib/kubelet/config.yaml", Flags: []string{"config", "config-dir", "token"},
				Settings: Settings{CgroupDriver: "systemd", CgroupRoot: "/lab-n1"}}},
		{"dockershim", map[string]string{"proc/968/cmdline": "kubelet\x00--container-runtime=docker\x00--root-dir=/k\x00"},
			Kubelet{PID: 968, RootDir: "/k", Flags: []string{"container-runtime", "root-dir"},
				Settings: Settings{ContainerRuntimeEndpoint: "dockershim"}}},
		{"since when it runs", map[string]string{"proc/968/cmdline": "kubelet\x00",
			"proc/968/stat": "968 (kubelet) S 0 1 1 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 360000 1 2\n"},
			Kubelet{PID: 968, Started: boot.Add(time.Hour)}},
	} {
		files := base()
		for k, v := range c.files {
			files[k] = v
		}
		h, gaps := Read(Options{Root: filetest.Plant(t, files), Now: func() time.Time { return at }})
		if d := cmp.Diff(c.want, h.Kubelet); d != "" {
			t.Errorf("%s: %s (gaps %v)", c.name, d, gaps)
		}
	}
	files := base()
	files["proc/968/cmdline"] = "kubelet\x00--kubelet-args-file=/nowhere\x00"
	if _, gaps := Read(Options{Root: filetest.Plant(t, files)}); len(gaps) != 1 ||
		!strings.Contains(gaps[0].Why, "read the kubelet's arguments") {
		t.Errorf("arguments that are gone: %+v", gaps)
	}
}

func TestSettingsBecomeAFact(t *testing.T) {
	read := func(data string) *evidence.Snapshot {
		b := evidence.NewBuilder(at)
		NewPiece("n1", evidence.Bytes("nodes/n1/host.json", []byte(data)), at).Observe(b)
		return b.Build()
	}
	s := read(
		`{"collectedAt":"2026-11-21T07:12:00Z","kubelet":{"pid":968,"started":"2026-11-21T06:00:00Z","rootDir":"/k","flags":["v"],"cgroupDriver":"systemd","cgroupsPerQOS":false,"shutdownGracePeriod":"1m30s","featureGates":{"X":true},"evictionHard":{"pid.available":"5%"},"containerRuntimeEndpoint":"unix:///c"}}`)
	want := evidence.KubeletSettings{CgroupDriver: "systemd", CgroupsPerQOS: new(false), RuntimeEndpoint: "unix:///c",
		RootDir: "/k", ShutdownGrace: 90 * time.Second, FeatureGates: map[string]bool{"X": true},
		Flags: []string{"v"}, Eviction: map[string]string{"pid.available": "5%"}}
	if len(s.Observations) != 1 {
		t.Fatalf("%+v", s.Observations)
	}
	o := s.Observations[0]
	if d := cmp.Diff(want, o.Fact); d != "" {
		t.Error(d)
	}
	if o.Text.String() != "kubelet pid 968, cgroupDriver systemd, containerRuntimeEndpoint unix:///c, shutdownGracePeriod 1m30s, rootDir /k" || !o.Time.Equal(at) {
		t.Errorf("%s at %s", o.Text, o.Time)
	}
	for _, none := range []string{`{"collectedAt":"2026-11-21T07:12:00Z"}`, `{"kubelet":{"pid":7}}`} {
		if s := read(none); len(s.Observations) != 0 {
			t.Errorf("%s: %+v", none, s.Observations)
		}
	}
}

// The names alone are kept: what a flag was set to may be a secret.
func TestOfFlagsTheNamesAreKept(t *testing.T) {
	for name, c := range map[string]struct {
		args string
		want []string
	}{
		"sorted, once each":      {"kubelet --v=2 --config /c --v=4", []string{"config", "v"}},
		"underscores are dashes": {"kubelet --cloud_config=/etc/cloud", []string{"cloud-config"}},
		"a value is none":        {"kubelet --token " + secret + " -v 2 " + secret, []string{"token"}},
		"a value with dashes before it": {"kubelet --node-labels --a=b --token --Geheim! --" + strings.Repeat("x", 90),
			[]string{"a", "node-labels", "token"}},
		"two dashes alone end them":          {"kubelet --v=2 -- --config=/c", []string{"v"}},
		"without any":                        {"kubelet", nil},
		"the program's own name is no flag":  {"--kubelet --v=2", []string{"v"}},
		"dashes and nothing after them":      {"kubelet --=x --", nil},
		"those of another program have none": {"", nil},
	} {
		if d := cmp.Diff(c.want, flagNames(strings.ReplaceAll(c.args, " ", "\x00"))); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	if names := flagNames("kubelet" + strings.Repeat("\x00--a", maxFlags+9)); len(names) != 1 {
		t.Errorf("%d names of one", len(names))
	}
}
