package cgroup

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

const (
	podSystemd  = "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" + uidEsc + ".slice"
	podCgroupfs = "/kubepods/burstable/pod" + uid
	specForm    = "/kubepods-burstable-pod" + uidEsc + ".slice:cri-containerd:" + id
)

// processes makes a /proc of processes: pid → text of its cgroup file.
func processes(t *testing.T, of map[int]string) string {
	t.Helper()
	proc := t.TempDir()
	for pid, text := range of {
		dir := filepath.Join(proc, strconv.Itoa(pid))
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "cgroup"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(proc, "uptime"), []byte("1 1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return proc
}

func in1(p string) string {
	return "12:perf_event:/\n5:cpu,cpuacct:" + p + "\n4:memory:" + p + "\n1:name=systemd:" + p + "\n0::/\n"
}
func in2(p string) string { return "0::" + p + "\n" }

func placed(s *evidence.Snapshot) []evidence.CgroupPlacement {
	var out []evidence.CgroupPlacement
	for _, o := range s.Observations {
		if p, ok := o.Fact.(evidence.CgroupPlacement); ok {
			out = append(out, p)
		}
	}
	return out
}

func TestContainersAreWhereTheKubeletExpectsThemOrAreReported(t *testing.T) {
	v1 := func(pods ...string) map[string]string {
		m := map[string]string{"memory/memory.limit_in_bytes": unlimited, "cpu/cgroup.procs": "",
			"memory/kubepods.slice/": "", "cpu/kubepods.slice/": ""}
		for _, p := range pods {
			m["memory"+p+"/"], m["cpu"+p+"/"] = "", ""
		}
		return m
	}
	v2 := func(pods ...string) map[string]string {
		m := map[string]string{"cgroup.controllers": "cpuset cpu io memory pids\n", "kubepods.slice/": ""}
		for _, p := range pods {
			m[strings.TrimPrefix(p, "/")+"/"] = ""
		}
		return m
	}
	good := evidence.CgroupPlacement{Version: 2, Path: podSystemd + "/cri-containerd-" + id + ".scope",
		Expected: podSystemd, Exists: true, KubeletDriver: "systemd", DriverFrom: "tree",
		PathDriver: "systemd", Processes: 1, PID: 40}
	change := func(f func(*evidence.CgroupPlacement)) []evidence.CgroupPlacement {
		p := good
		f(&p)
		return []evidence.CgroupPlacement{p}
	}
	for _, c := range []struct {
		name  string
		tree  map[string]string
		procs map[int]string
		o     Options
		want  []evidence.CgroupPlacement
	}{
		{"as it should be, v2", v2(podSystemd), map[int]string{40: in2(good.Path), 1: in2("/init.scope")},
			Options{Driver: "systemd"}, change(func(*evidence.CgroupPlacement) {})},
		{"the kubelet was told no driver: its own cgroup tells", v2(podSystemd),
			map[int]string{40: in2(good.Path)}, Options{}, change(func(*evidence.CgroupPlacement) {})},
		{"several processes, also in cgroups that the container made", v2(podSystemd),
			map[int]string{41: in2(good.Path), 40: in2(good.Path)}, Options{},
			change(func(p *evidence.CgroupPlacement) { p.Processes = 2 })},
		{"a runtime without SystemdCgroup under a kubelet with systemd, v1",
			v1(podSystemd), map[int]string{40: in1(specForm)}, Options{Driver: "systemd"},
			change(func(p *evidence.CgroupPlacement) { p.Version, p.Path, p.Outside, p.SpecForm = 1, specForm, true, true })},
		{"the kubelet's driver was changed, the containers are from before", func() map[string]string {
			m := v1(podCgroupfs)
			m["memory/kubepods/"] = ""
			return m
		}(), map[int]string{40: in1(podCgroupfs + "/" + id)}, Options{Driver: "systemd"},
			change(func(p *evidence.CgroupPlacement) {
				p.Version, p.Path, p.PathDriver, p.Outside, p.Exists, p.DriverFrom = 1,
					podCgroupfs+"/"+id, "cgroupfs", true, false, "told"
			})},
		{"a kubelet ≥1.31 that follows its runtime, whatever it was told", v2(podSystemd),
			map[int]string{40: in2(good.Path)}, Options{Driver: "cgroupfs"}, change(func(*evidence.CgroupPlacement) {})},
		{"both drivers were used, and nobody tells which is", func() map[string]string {
			m := v1(podCgroupfs)
			m["memory/kubepods/"] = ""
			return m
		}(), map[int]string{40: in1(podCgroupfs + "/" + id)}, Options{}, nil},
		{"the pod's cgroup is missing in one controller", func() map[string]string {
			m := v1(podSystemd)
			delete(m, "cpu"+podSystemd+"/")
			return m
		}(), map[int]string{40: in1(good.Path)}, Options{},
			change(func(p *evidence.CgroupPlacement) { p.Version, p.Lacking = 1, []string{"cpu"} })},
		{"a scope that no slice of a pod holds", v2(podSystemd),
			map[int]string{40: in2("/system.slice/cri-containerd-" + id + ".scope")}, Options{},
			change(func(p *evidence.CgroupPlacement) {
				p.Path, p.Expected, p.Exists, p.Outside = "/system.slice/cri-containerd-"+id+".scope", "", false, true
			})},
		{"another kubelet's containers on the same machine", v2(podSystemd),
			map[int]string{40: in2("/lab_n2.slice/lab_n2-kubepods.slice/lab_n2-kubepods-pod" +
				uidEsc + ".slice/cri-containerd-" + id + ".scope")},
			Options{CgroupRoot: "/"}, nil},
		{"a kubelet with a cgroup root that nobody told",
			map[string]string{"memory/memory.limit_in_bytes": unlimited, "memory/lab-n1" + podCgroupfs + "/": ""},
			map[int]string{40: in1("/lab-n1" + podCgroupfs + "/" + id)}, Options{},
			change(func(p *evidence.CgroupPlacement) {
				p.Version, p.Path, p.Expected, p.KubeletDriver, p.PathDriver = 1, "/lab-n1"+podCgroupfs+"/"+id,
					"/lab-n1"+podCgroupfs, "cgroupfs", "cgroupfs"
			})},
		{"a node inside of a container, seen from outside", v2("/docker/x" + podSystemd),
			map[int]string{40: in2("/docker/x" + good.Path)}, Options{},
			change(func(p *evidence.CgroupPlacement) { p.Path, p.Expected = "/docker/x"+good.Path, "/docker/x"+podSystemd })},
		{"a path of no kubelet, where two share the machine", v2("/a.slice/a-kubepods.slice"),
			map[int]string{40: in2(specForm)}, Options{}, nil},
		{"a process that is no container's", v2(podSystemd),
			map[int]string{40: in2("/system.slice/cron.service"), 41: "nonsense\n", 42: "4:memory\n"}, Options{}, nil},
		{"a reader in a cgroup namespace of its own", v2(podSystemd), map[int]string{40: in2("/../.." + good.Path)},
			Options{}, change(func(*evidence.CgroupPlacement) {})},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.o.Mount, c.o.Proc = filetest.Plant(t, c.tree), processes(t, c.procs)
			s, gaps := collect(t, c.o)
			if d := cmp.Diff(c.want, placed(s)); d != "" {
				t.Error(d)
			}
			if len(gaps)+len(s.Gaps) != 0 {
				t.Errorf("gaps %+v %+v", gaps, s.Gaps)
			}
			for _, o := range s.Observations {
				if p, ok := o.Fact.(evidence.CgroupPlacement); ok &&
					(o.Subject.ContainerID != id || p.Expected != "" && o.Subject.PodUID != uid ||
						!strings.Contains(o.Text.String(), p.Path)) {
					t.Errorf("subject or text: %+v", o)
				}
			}
		})
	}
}

// What was not read whole cannot be missing.
func TestATreeThatWasCutProvesNothingMissing(t *testing.T) {
	base := tree{Version: 2, CollectedAt: at, Whole: true, Available: []string{"memory"},
		Places: []place{{Path: podSystemd + "/cri-containerd-" + id + ".scope", PID: 4, Count: 1}}}
	read := func(mutate func(*tree), more string) *evidence.Snapshot {
		x := base
		mutate(&x)
		data, err := json.Marshal(x)
		if err != nil {
			t.Fatal(err)
		}
		b := evidence.NewBuilder(at)
		NewPiece("n1", evidence.Bytes("nodes/n1/cgroup.json",
			[]byte(strings.Replace(string(data), `"cgroups":null`, `"cgroups":[{"path":"/kubepods.slice"}`+more+`]`, 1))),
			at).Observe(b)
		return b.Build()
	}
	if got := placed(read(func(*tree) {}, "")); len(got) != 1 || got[0].Exists {
		t.Errorf("the whole tree: %+v", got)
	}
	if got := placed(read(func(x *tree) { x.Whole = false }, "")); got != nil {
		t.Errorf("a part of the tree: %+v", got)
	}
	if got := placed(read(func(*tree) {}, ",7")); got != nil {
		t.Errorf("an unreadable entry: %+v", got)
	}
	if got := placed(read(func(*tree) {}, `,{"path":"/kubepods"}`)); got != nil {
		t.Errorf("a kubelet whose driver nobody knows: %+v", got)
	}
	for _, bad := range []place{{Path: "/x", PID: 1, Count: 1}, {Path: podSystemd, PID: 1, Count: 1},
		{Path: base.Places[0].Path}} {
		if got := placed(read(func(x *tree) { x.Places = []place{bad} }, "")); got != nil {
			t.Errorf("%+v: %+v", bad, got)
		}
	}
}

func TestTheControllersOfANode(t *testing.T) {
	for _, c := range []struct {
		name string
		tree map[string]string
		want evidence.CgroupControllers
	}{
		{"v1", map[string]string{"memory/cgroup.procs": "", "cpu,cpuacct/": "",
			"cpuset/": "", "blkio/": "", "systemd/": "", "memory/kubepods/pod" + uid + "/": ""},
			evidence.CgroupControllers{Version: 1, Available: []string{"cpu", "cpuacct", "cpuset", "memory"}}},
		{"v1 without cpuset", map[string]string{"memory/cgroup.procs": "", "cpu,cpuacct/": "", "memory/kubepods/": ""},
			evidence.CgroupControllers{Version: 1, Available: []string{"cpu", "cpuacct", "memory"},
				Lacking: []string{"cpuset"}}},
		{"v2", map[string]string{"cgroup.controllers": "cpuset cpu io memory pids\n", "kubepods.slice/": ""},
			evidence.CgroupControllers{Version: 2, Available: []string{"cpu", "cpuset", "io", "memory", "pids"}}},
		{"v2 without pids", map[string]string{"cgroup.controllers": "cpuset cpu memory\n", "kubepods.slice/": ""},
			evidence.CgroupControllers{Version: 2, Available: []string{"cpu", "cpuset", "memory"}, Lacking: []string{"pids"}}},
	} {
		s, _ := collect(t, Options{Mount: filetest.Plant(t, c.tree)})
		var got []evidence.Fact
		for _, o := range s.Observations {
			if f, ok := o.Fact.(evidence.CgroupControllers); ok {
				got = append(got, f)
			}
		}
		if d := cmp.Diff([]evidence.Fact{c.want}, got); d != "" {
			t.Errorf("%s: %s", c.name, d)
		}
	}
}

func TestAProcessThatMovedMeanwhileIsNoPlace(t *testing.T) {
	ctr := podSystemd + "/cri-containerd-" + id + ".scope"
	proc := processes(t, map[int]string{40: in2(ctr), 41: in2(specForm)})
	seen, err := places(context.Background(), proc, 2)
	if err != nil || len(seen) != 2 {
		t.Fatalf("%+v, %v", seen, err)
	}
	if err := os.RemoveAll(filepath.Join(proc, "41")); err != nil {
		t.Fatal(err)
	}
	if got := confirm(proc, 2, seen); len(got) != 1 || got[0].PID != 40 {
		t.Errorf("confirmed %+v", got)
	}
	if _, err := places(context.Background(), filepath.Join(proc, "nowhere"), 2); err == nil {
		t.Error("no /proc is no error")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	many := map[int]string{}
	for pid := range 300 {
		many[pid+1] = in2("/")
	}
	if _, err := places(ctx, processes(t, many), 2); err == nil {
		t.Error("a deadline that is over is no error")
	}
}

// Whatever stands in a bundle, a placement names a container and says only what
// its own paths say.
func FuzzPlacements(f *testing.F) {
	f.Add(podSystemd+"/cri-containerd-"+id+".scope", podSystemd, "systemd", "/", true)
	f.Add(specForm, podSystemd, "systemd", "", true)
	f.Add(podCgroupfs+"/"+id, "/kubepods", "", "", true)
	f.Add("/lab-n1"+podCgroupfs+"/"+id, "/lab-n1"+podCgroupfs, "cgroupfs", "/lab-n1", true)
	f.Fuzz(func(t *testing.T, p, there, driver, root string, whole bool) {
		data, err := json.Marshal(tree{Version: 2, CollectedAt: at, Whole: whole,
			Available: []string{p}, Kubelet: kubelet{driver, root}, Cgroups: []dir{{Path: there}},
			Places: []place{{Path: p, PID: 1, Count: 1}}})
		if err != nil {
			t.Skip("not JSON")
		}
		b := evidence.NewBuilder(at)
		NewPiece("n1", evidence.Bytes("nodes/n1/cgroup.json", data), time.Time{}).Observe(b)
		s := b.Build()
		for _, o := range s.Observations {
			f, ok := o.Fact.(evidence.CgroupPlacement)
			if !ok {
				continue
			}
			if !whole || o.Subject.ContainerID == "" || !safetext.Safe(f.Path+f.Expected) || f.Expected == "" && !f.Outside {
				t.Fatalf("%+v", o)
			}
		}
		for _, g := range s.Gaps {
			if !safetext.Safe(g.Why) {
				t.Fatalf("%q", g.Why)
			}
		}
	})
}
