package cri

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// machine is a root directory with a short path: a socket's may not be long.
func machine(t *testing.T, dirs ...string) string {
	t.Helper()
	root, err := os.MkdirTemp("", "cri")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(root) })
	for _, d := range dirs {
		if err := os.MkdirAll(filepath.Join(root, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func about[F evidence.Fact](s *evidence.Snapshot) []F {
	var out []F
	for _, o := range s.Observations {
		if f, ok := o.Fact.(F); ok {
			out = append(out, f)
		}
	}
	return out
}

// A node that was switched from docker to containerd: the old runtime still has
// its containers, and has them only in numbers.
func TestEveryRuntimeThatAnswersIsTold(t *testing.T) {
	root := machine(t, "run/containerd", "run/crio", "etc")
	old := onePod()
	old.version = "old"
	serve(t, old, filepath.Join(root, "run/crio/crio.sock"))
	serve(t, &fakeRuntime{}, filepath.Join(root, "run/containerd/containerd.sock"))
	s, gaps, _ := whole(t, Options{Root: root, Configured: "unix:///run/containerd/containerd.sock"})
	want := []evidence.RuntimeEndpoint{
		{Endpoint: "unix:///run/containerd/containerd.sock", Name: "containerd",
			Version: "1.6.20~ds1", Used: true, Configured: true},
		{Endpoint: "unix:///run/crio/crio.sock", Name: "containerd", Version: "old", Sandboxes: 1, Containers: 1},
	}
	got := about[evidence.RuntimeEndpoint](s)
	if len(got) == 2 && got[0].Version == "old" {
		got[0], got[1] = got[1], got[0] // of one time, in the order of their ids
	}
	if d := cmp.Diff(want, got); d != "" || len(gaps) != 0 {
		t.Errorf("%s gaps %v", d, gaps)
	}
	if len(about[evidence.ContainerRecord](s)) != 0 {
		t.Error("containers of the other runtime were read as the kubelet's")
	}
}

func TestTheKubeletsRuntimeThatIsDownIsAGap(t *testing.T) {
	root := machine(t, "run/containerd", "run/crio")
	serve(t, onePod(), filepath.Join(root, "run/crio/crio.sock"))
	s, gaps, _ := whole(t, Options{Root: root, Configured: "/var/run/containerd/containerd.sock"})
	if len(gaps) != 1 || !strings.Contains(gaps[0].Why, "ask the kubelet's container runtime") ||
		len(about[evidence.ContainerRecord](s)) != 1 {
		t.Errorf("its socket is gone: gaps %+v, %d records", gaps, len(about[evidence.ContainerRecord](s)))
	}
	serve(t, nil, filepath.Join(root, "run/containerd/containerd.sock"))
	_, gaps, _ = whole(t, Options{Root: root, Configured: "/var/run/containerd/containerd.sock"})
	if len(gaps) != 1 || !strings.Contains(gaps[0].Why, "unknown service") {
		t.Errorf("it serves no CRI: gaps %+v", gaps)
	}
}

func TestCandidatesComeInTheOrderOfPreference(t *testing.T) {
	root := machine(t, "etc")
	write := func(text string) {
		if err := os.WriteFile(filepath.Join(root, "etc/crictl.yaml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	names := func(o Options) []string {
		o.Root = root
		var out []string
		for _, c := range New(o).candidates() {
			out = append(out, c.named)
		}
		return out
	}
	write("runtime-endpoint: unix:///run/mine.sock\ntimeout: 2\n")
	if got := names(Options{Configured: "unix:///run/k.sock"}); len(got) != len(usual)+2 ||
		got[0] != "unix:///run/k.sock" || got[1] != "unix:///run/mine.sock" {
		t.Errorf("%q", got)
	}
	if got := names(Options{Configured: "unix:///var/run/crio/crio.sock"}); len(got) != len(usual)+1 ||
		got[0] != "unix:///run/crio/crio.sock" {
		t.Errorf("the same socket twice: %q", got)
	}
	for _, none := range []string{"]", "runtime-endpoint: 7\n", "runtime-endpoint: npipe:////./pipe\n", ""} {
		write(none)
		if got := names(Options{Configured: "dockershim"}); len(got) != len(usual) || got[0] != "unix://"+usual[0] {
			t.Errorf("%q: %q", none, got)
		}
	}
}

func TestTheRuntimesCgroupDriver(t *testing.T) {
	config := func(systemd string) map[string]string {
		return map[string]string{
			"config": `{"containerd":{"defaultRuntimeName":"runc","runtimes":{"runc":{"runtimeType":"io.containerd.runc.v2","options":{"SystemdCgroup":` + systemd + `}}}},"registry":{"configs":{"x":{"auth":{"password":"` + secret + `"}}}}}`}
	}
	for name, c := range map[string]struct {
		change func(*fakeRuntime)
		want   []evidence.RuntimeSettings
	}{
		"it answers RuntimeConfig": {func(f *fakeRuntime) {
			f.driver = &runtimeapi.LinuxRuntimeConfiguration{CgroupDriver: runtimeapi.CgroupDriver_CGROUPFS}
		}, []evidence.RuntimeSettings{{CgroupDriver: "cgroupfs"}}},
		"the answer counts before the configuration": {func(f *fakeRuntime) {
			f.driver, f.status = &runtimeapi.LinuxRuntimeConfiguration{CgroupDriver: runtimeapi.CgroupDriver_SYSTEMD},
				config("false")
		}, []evidence.RuntimeSettings{{CgroupDriver: "systemd"}}},
		"an older containerd with SystemdCgroup": {func(f *fakeRuntime) { f.status = config("true") },
			[]evidence.RuntimeSettings{{CgroupDriver: "systemd"}}},
		"an older containerd without SystemdCgroup": {func(f *fakeRuntime) { f.status = config("false") },
			[]evidence.RuntimeSettings{{CgroupDriver: "cgroupfs"}}},
		"a runtime that tells nothing": {func(*fakeRuntime) {}, nil},
		"a status that is no JSON":     {func(f *fakeRuntime) { f.status = map[string]string{"config": "[crio]\n"} }, nil},
		"a default runtime that is not there": {func(f *fakeRuntime) {
			f.status = map[string]string{"config": `{"containerd":{"defaultRuntimeName":"kata"}}`}
		}, nil},
	} {
		f := onePod()
		c.change(f)
		s, gaps, stored := whole(t, asks(serve(t, f, "")))
		if d := cmp.Diff(c.want, about[evidence.RuntimeSettings](s)); d != "" || len(gaps) != 0 {
			t.Errorf("%s: %s gaps %v", name, d, gaps)
		}
		if strings.Contains(stored, secret) {
			t.Errorf("%s: a password was stored", name)
		}
	}
}

func TestASandboxTellsWhereItsPodIsFrom(t *testing.T) {
	f := onePod()
	st := f.sandboxes[0]
	st.Status.Annotations = map[string]string{annConfigSource: "file", annConfigHash: "abc",
		annConfigSeen: "2026-11-21T06:00:00.123456789Z", "note": secret}
	st.Status.RuntimeHandler = "runc"
	for name, c := range map[string]struct{ info, parent string }{
		"containerd": {
			`{"pid":1,"config":{"linux":{"cgroup_parent":"/kubepods/podu1","security_context":{}},"labels":{"a":"` +
				secret + `"}}}`, "/kubepods/podu1"},
		"CRI-O": {`{"pid":1,"runtimeSpec":{"annotations":{"io.kubernetes.cri-o.CgroupParent":"kubepods-podu1.slice","x":"` +
			secret + `"}}}`, "kubepods-podu1.slice"},
		"neither": {`{"pid":1}`, ""},
	} {
		st.Info = map[string]string{"info": c.info}
		s, _, stored := whole(t, asks(serve(t, f, "")))
		got := about[evidence.SandboxRecord](s)
		if len(got) != 1 || got[0].CgroupParent != c.parent || got[0].ConfigSource != "file" {
			t.Errorf("%s: %+v", name, got)
		}
		if strings.Contains(stored, secret) {
			t.Errorf("%s: stored too much: %s", name, stored)
		}
	}
}

// Paths of volumes name secrets.
func TestNothingOfMountsIsStored(t *testing.T) {
	f := onePod()
	f.containers[0].Status.Mounts = []*runtimeapi.Mount{
		{HostPath: "/var/lib/kubelet/pods/u1/volumes/kubernetes.io~secret/db-password", ContainerPath: "/s"},
	}
	if _, _, stored := whole(t, asks(serve(t, f, ""))); strings.Contains(stored, "db-password") {
		t.Errorf("the name of a secret was stored: %s", stored)
	}
}

func FuzzDriverOf(f *testing.F) {
	f.Add(`{"containerd":{"defaultRuntimeName":"runc","runtimes":{"runc":{"options":{"SystemdCgroup":true}}}}}`)
	f.Add(`{"systemdCgroup":true}`)
	f.Fuzz(func(t *testing.T, config string) {
		switch got := driverOf(map[string]string{"config": config}); got {
		case "", "systemd", "cgroupfs":
		default:
			t.Fatalf("%q", got)
		}
		if socket, ok := socketOf(crictlEndpoint([]byte(config))); ok && !strings.HasPrefix(socket, "/") {
			t.Fatalf("%q", socket)
		}
	})
}
