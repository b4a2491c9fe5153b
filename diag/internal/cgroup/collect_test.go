package cgroup

import (
	"context"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
)

var at = time.Date(2026, 11, 21, 7, 12, 0, 0, time.UTC)

func collect(t *testing.T, o Options) (*evidence.Snapshot, []evidence.Gap) {
	t.Helper()
	o.Node, o.Now = "n1", func() time.Time { return at }
	pieces, gaps := New(o).Collect(context.Background())
	s, _ := filetest.Observed(t, at, pieces)
	return s, gaps
}

// states returns the counters that cgroups are told with by path, and fails on a foreign subject.
func states(t *testing.T, s *evidence.Snapshot) map[string]string {
	t.Helper()
	got := map[string]string{}
	for _, o := range s.Observations {
		if _, ok := o.Fact.(evidence.CgroupState); !ok {
			continue
		}
		colon := strings.LastIndex(o.Text.String(), ":")
		version, path, _ := strings.Cut(strings.TrimPrefix(o.Text.String()[:colon], "cgroup "), " ")
		got[path] = version + o.Text.String()[colon+1:]
		if o.Subject.Node != "n1" || !o.Time.Equal(at) || o.Source.Where != "nodes/n1/cgroup.json" {
			t.Errorf("subject, time or source is wrong: %+v", o)
		}
	}
	return got
}

const (
	events = "low 0\nhigh 0\nmax 118\noom 3\noom_kill 2\noom_group_kill 1\n"
	// The unlimited value of a kernel with 4 KiB pages.
	unlimited = "9223372036854771712\n"
)

func TestCollectReadsEveryLayout(t *testing.T) {
	podS := "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" + uidEsc + ".slice"
	ctrS := podS + "/cri-containerd-" + id + ".scope"
	podF := "/kubepods/burstable/pod" + uid
	ctrF := podF + "/" + id
	const v1, v2 = "v1", "v2"
	const full1, full2 = v1 + " oom_kill 2 limit 67108864 peak 67108860 failcnt 11", v2 + " oom_kill 2 limit 67108864 peak 67108860"
	filesOfV1 := func(dir string, m map[string]string) {
		m[dir+"/memory.oom_control"] = "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n"
		m[dir+"/memory.failcnt"], m[dir+"/memory.limit_in_bytes"] = "11\n", "67108864\n"
		m[dir+"/memory.max_usage_in_bytes"] = "67108860\n"
	}
	filesOfV2 := func(dir string, m map[string]string) {
		m[dir+"/memory.events"], m[dir+"/memory.max"], m[dir+"/memory.peak"], m[dir+"/memory.oom.group"] = events,
			"67108864\n", "67108860\n", "1\n"
	}
	cases := map[string]struct {
		plant func(m map[string]string)
		want  map[string]string
	}{
		"v1 cgroupfs": {func(m map[string]string) {
			m["memory/memory.limit_in_bytes"] = unlimited
			m["memory"+podF+"/memory.limit_in_bytes"] = unlimited
			filesOfV1("memory"+ctrF, m)
		}, map[string]string{podF: v1, ctrF: full1}},
		"v1 systemd, memory mounted with cpu": {func(m map[string]string) {
			m["cpu,memory/cgroup.procs"] = ""
			filesOfV1("cpu,memory"+ctrS, m)
		}, map[string]string{podS: v1, ctrS: full1}},
		"v1 before oom_kill was counted": {func(m map[string]string) {
			m["memory/cgroup.procs"] = ""
			filesOfV1("memory"+ctrF, m)
			m["memory"+ctrF+"/memory.oom_control"] = "oom_kill_disable 0\nunder_oom 0\n"
		}, map[string]string{podF: v1, ctrF: strings.Replace(full1, " oom_kill 2", "", 1)}},
		"v2 systemd": {func(m map[string]string) {
			m["cgroup.controllers"] = "cpuset cpu io memory pids\n"
			m[strings.TrimPrefix(podS, "/")+"/memory.max"] = "max\n"
			filesOfV2(strings.TrimPrefix(ctrS, "/"), m)
		}, map[string]string{podS: v2,
			ctrS: full2}},
		"v2 cgroupfs below a cgroup root, no memory.peak": {func(m map[string]string) {
			m["cgroup.controllers"] = "memory\n"
			filesOfV2("lab-n1"+ctrF, m)
			delete(m, "lab-n1"+ctrF+"/memory.peak")
		}, map[string]string{"/lab-n1" + podF: v2,
			"/lab-n1" + ctrF: strings.Replace(full2, " peak 67108860", "", 1)}},
		"hybrid: the memory controller is v1": {func(m map[string]string) {
			m["unified/cgroup.controllers"] = ""
			m["memory/cgroup.procs"] = ""
			m["unified"+ctrF+"/"] = ""
			filesOfV1("memory"+ctrF, m)
		}, map[string]string{podF: v1, ctrF: full1}},
		"hybrid: the memory controller is v2": {func(m map[string]string) {
			m["unified/cgroup.controllers"] = "memory hugetlb\n"
			filesOfV2("unified"+ctrF, m)
		}, map[string]string{podF: v2,
			ctrF: full2}},
		"a runtime with another driver than the kubelet's": {func(m map[string]string) {
			m["memory/cgroup.procs"] = ""
			filesOfV1("memory/system.slice/containerd.service/kubepods-pod"+uidEsc+".slice:cri-containerd:"+id, m)
		}, map[string]string{"/system.slice/containerd.service/kubepods-pod" +
			uidEsc + ".slice:cri-containerd:" +
			id: full1}},
		"a container's own cgroups and a monitor are left out": {func(m map[string]string) {
			m["memory/cgroup.procs"] = ""
			filesOfV1("memory"+ctrS, m)
			filesOfV1("memory"+ctrS+"/init.scope", m)
			filesOfV1("memory"+podS+"/crio-conmon-"+id+".scope", m)
			filesOfV1("memory"+podS+"/helper", m)
		}, map[string]string{podS: v1, ctrS: full1}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			m := map[string]string{}
			c.plant(m)
			s, gaps := collect(t, Options{Mount: filetest.Plant(t, m)})
			if d := cmp.Diff(c.want, states(t, s)); d != "" {
				t.Error(d)
			}
			if len(gaps)+len(s.Gaps) != 0 {
				t.Errorf("gaps: %v %v", gaps, s.Gaps)
			}
		})
	}
}

func TestACgroupRootPicksOneKubelet(t *testing.T) {
	m := map[string]string{"memory/cgroup.procs": ""}
	for _, p := range []string{"", "/lab-n1", "/lab-n2"} {
		m["memory"+p+"/kubepods/pod"+uid+"/"+id+"/"] = ""
	}
	m["memory/lab_n1.slice/lab_n1-kubepods.slice/lab_n1-kubepods-pod"+uidEsc+".slice/"] = ""
	mount := filetest.Plant(t, m)
	for root, want := range map[string]int{"": 7, "/": 2, "/lab-n1": 3, "lab-n2": 2} {
		s, gaps := collect(t, Options{Mount: mount, CgroupRoot: root})
		if got := len(states(t, s)); got != want || len(gaps) != 0 {
			t.Errorf("cgroup root %q: %d cgroups, want %d (gaps %v)", root, got, want, gaps)
		}
	}
	if s, gaps := collect(t, Options{Mount: mount, CgroupRoot: "/other"}); len(s.Observations) != 0 ||
		len(gaps) != 1 || !strings.Contains(gaps[0].Why, "no such cgroup") {
		t.Errorf("a root without kubelet: %v, gaps %v", s.Observations, gaps)
	}
}

func TestWhatIsMissingBecomesAGap(t *testing.T) {
	cases := map[string]struct {
		mount string
		want  string
	}{
		"no mount":             {filepath.Join(t.TempDir(), "nowhere"), "find cgroups: open"},
		"no memory controller": {filetest.Plant(t, map[string]string{"cpu/cgroup.procs": ""}), "no memory controller"},
		"no kubelet": {filetest.Plant(t, map[string]string{"memory/cgroup.procs": "", "memory/user.slice/": ""}),
			"find kubepods"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s, gaps := collect(t, Options{Mount: c.mount})
			if len(s.Observations) != 0 || len(gaps) != 1 || !strings.Contains(gaps[0].Why, c.want) || gaps[0].Hint == "" {
				t.Errorf("%d observations, gaps %+v", len(s.Observations), gaps)
			}
		})
	}
}

func TestATimeThatIsOverIsSaidAndWhatWasReadIsKept(t *testing.T) {
	mount := filetest.Plant(t, map[string]string{"memory/cgroup.procs": "",
		"memory/kubepods/pod" + uid + "/" + id + "/": ""})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	pieces, gaps := New(Options{Node: "n1", Mount: mount}).Collect(ctx)
	if len(pieces) != 0 || len(gaps) == 0 || !strings.Contains(gaps[0].Why, "time is over") {
		t.Errorf("pieces %v, gaps %+v", pieces, gaps)
	}
}

func TestTheStoredFileIsTheSameEachTime(t *testing.T) {
	mount := filetest.Plant(t, map[string]string{"memory/cgroup.procs": "", "memory/kubepods/pod" +
		uid + "/" + id + "/memory.failcnt": "1\n", "memory/kubepods/besteffort/podb/memory.failcnt": "2\n"})
	read := func() string {
		pieces, _ := New(Options{Node: "n1", Mount: mount, Now: func() time.Time { return at }}).Collect(context.Background())
		return filetest.Content(t, pieces[0])
	}
	one, two := read(), read()
	if one != two || !strings.Contains(one, `"memory.failcnt": "1\n"`) {
		t.Errorf("stored files differ or lack the kernel's text:\n%s\n%s", one, two)
	}
}

func TestABrokenFileCostsOnlyItself(t *testing.T) {
	base := `{"version":2,"collectedAt":"2026-11-21T07:12:00Z","cgroups":[%,{"path":"/kubepods/podx","files":{"memory.events":"oom_kill 7\n"}}]}`
	cases := map[string]struct {
		text      string
		wantFacts int
		wantGap   string
	}{
		"sound":                     {strings.Replace(base, "%,", "", 1), 1, ""},
		"an entry of another shape": {strings.Replace(base, "%", `{"path":7}`, 1), 1, "1 of 2 entries unreadable"},
		"a path that is none":       {strings.Replace(base, "%", `{"path":"/x/y"}`, 1), 1, ""},
		"half a file":               {base[:40], 0, "not JSON"},
		"a version that is unknown": {`{"version":3}`, 0, "neither 1 nor 2"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			b := evidence.NewBuilder(at)
			NewPiece("n1", evidence.Bytes("nodes/n1/cgroup.json", []byte(c.text)), at).Observe(b)
			s := b.Build()
			if len(s.Observations) != c.wantFacts {
				t.Errorf("%d facts, want %d", len(s.Observations), c.wantFacts)
			}
			if (c.wantGap == "") != (len(s.Gaps) == 0) || c.wantGap != "" && !strings.Contains(s.Gaps[0].Why, c.wantGap) {
				t.Errorf("gaps %+v, want %q", s.Gaps, c.wantGap)
			}
		})
	}
}

func TestCountersThatAreNoNumbersAreUnknown(t *testing.T) {
	for text, want := range map[string]int64{"0\n": 0, "67108864": 67108864,
		"max\n": -1, "": -1, "-5": -1, "1e9": -1, unlimited: -1, "99999999999999999999": -1} {
		if got := single(text); got != want {
			t.Errorf("single(%q) = %d, want %d", text, got, want)
		}
	}
	if got := keyed("oom 3\noom_kill 2\n", "oom_kill"); got != 2 {
		t.Errorf("oom_kill = %d: a longer or shorter key was taken", got)
	}
	if got := keyed("oom_kill_disable 1\n", "oom_kill"); got != -1 {
		t.Errorf("oom_kill = %d from another key", got)
	}
}

func FuzzPiece(f *testing.F) {
	f.Add([]byte(`{"version":2,"cgroups":[{"path":"/kubepods/podx","files":{"memory.events":"oom_kill 7\n"}}]}`))
	f.Add([]byte(`{"version":1,"cgroups":[{"path":"/kubepods/podx/` + id +
		`","files":{"memory.oom_control":"oom_kill 1"}}]}`))
	f.Add([]byte(`{"version":1,"cgroups":[{}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		b := evidence.NewBuilder(at)
		NewPiece("n1", evidence.Bytes("nodes/n1/cgroup.json", data), at).Observe(b)
		for _, o := range b.Build().Observations {
			if _, ok := o.Fact.(evidence.CgroupState); ok && o.Subject.PodUID+o.Subject.ContainerID == "" {
				t.Fatalf("%+v from %q", o, data)
			}
		}
	})
}

func TestARightThatIsMissingIsSaidOnce(t *testing.T) {
	w := walker{o: Options{Node: "n1"}}
	w.denied("/kubepods/poda", fs.ErrNotExist) // gone meanwhile: nothing is missing
	w.denied("/kubepods/podb", fs.ErrPermission)
	w.denied("/kubepods/podc", fs.ErrPermission)
	if len(w.gaps) != 1 || w.gaps[0].Why != "read cgroup /kubepods/podb: permission denied" || w.gaps[0].Hint == "" {
		t.Errorf("gaps %+v", w.gaps)
	}
}
