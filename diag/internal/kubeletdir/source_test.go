package kubeletdir

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

var (
	at      = time.Date(2026, 11, 21, 7, 12, 0, 0, time.UTC)
	written = time.Date(2026, 11, 21, 7, 0, 0, 0, time.UTC)
	texts   = cmp.AllowUnexported(safetext.Text{})
)

const (
	uid    = "16a32d29-24eb-4a75-84ed-4c4c71e507a7"
	secret = "hunter2"
)

// plant makes a node's file system; every file was last written at the same time.
func plant(t *testing.T, files map[string]string) string {
	t.Helper()
	root := filetest.Plant(t, files)
	filetest.Date(t, root, written)
	return root
}

func collect(t *testing.T, files map[string]string, change func(*Options)) (*evidence.Snapshot,
	[]evidence.Gap, string) {
	t.Helper()
	o := Options{Node: "n1", Root: plant(t, files), Now: func() time.Time { return at }}
	if change != nil {
		change(&o)
	}
	pieces, gaps := New(o).Collect(context.Background())
	s, raw := filetest.Observed(t, at, pieces)
	for _, o := range s.Observations {
		if o.Subject.Node != "n1" || o.Source.Where != "nodes/n1/kubelet.json" || o.Text.Empty() || !o.Time.Equal(at) {
			t.Errorf("source, subject or time: %+v", o)
		}
	}
	return s, gaps, raw
}

func facts[F evidence.Fact](s *evidence.Snapshot) map[string]F {
	got := map[string]F{}
	for _, o := range s.Observations {
		if f, ok := o.Fact.(F); ok {
			got[strings.Trim(o.Subject.Namespace+"/"+o.Subject.Pod+"/"+o.Subject.PodUID+
				"/"+o.Subject.Container+"/"+o.Subject.SandboxID, "/")+"|"+name(f)] = f
		}
	}
	return got
}

func name(f evidence.Fact) string {
	switch f := f.(type) {
	case evidence.CheckpointState:
		return f.Name
	case evidence.StaticManifest:
		return f.Path
	}
	return ""
}

// resources makes a checkpoint as kubelets ≥1.33 write it.
func resources(inner string) string {
	return fmt.Sprintf(`{"data":%q,"checksum":%d}`, inner, sum("(string)"+inner))
}

const inner = `{"entries":{"` + uid +
	`":{"ContainerResources":{"a":{"limits":{"cpu":"1","memory":"64Mi"},"requests":{"memory":"64Mi"}},"b":{}}}}}`

func TestCheckpointsOfEveryVersion(t *testing.T) {
	for _, c := range []struct {
		name, file, content string
		want                evidence.CheckpointState
		records             []string
	}{
		{"actuated, 1.33 on", "actuated_pods_state", resources(inner),
			evidence.CheckpointState{Checksum: "ok", Pods: 1, Containers: 2},
			[]string{"actuated resources of container a limits.cpu=1 limits.memory=64Mi requests.memory=64Mi",
				"actuated resources of container b"}},
		{"allocated", "allocated_pods_state",
			resources(`{"entries":{"u":{"ContainerResources":{"a":{"limits":{"cpu":"1"}}}}}}`),
			evidence.CheckpointState{Checksum: "ok", Pods: 1, Containers: 1},
			[]string{"allocated resources of container a limits.cpu=1"}},
		{"a checksum that is wrong", "actuated_pods_state", `{"data":"{}","checksum":7}`,
			evidence.CheckpointState{Checksum: "bad"}, nil},
		{"nothing in it", "actuated_pods_state", resources(`{}`), evidence.CheckpointState{Checksum: "ok"}, nil},
		{"1.32", "pod_status_manager_state", resources(`{"allocationEntries":{"u":{"a":{"requests":{"cpu":"1"}}}}}`),
			evidence.CheckpointState{Checksum: "ok", Pods: 1, Containers: 1},
			[]string{"allocated resources of container a requests.cpu=1"}},
		{"1.27 to 1.31", "pod_status_manager_state", `{"allocationEntries":{"u":{"a":{"cpu":"1"},"b":7}},"checksum":1}`,
			evidence.CheckpointState{Pods: 1, Containers: 2},
			[]string{"allocated resources of container a requests.cpu=1", "allocated resources of container b"}},
		{"cut", "actuated_pods_state", `{"data":"{\"entr`,
			evidence.CheckpointState{Problem: safetext.Clean("not JSON at byte 16")}, nil},
		{"cut inside", "actuated_pods_state", `{"data":"{\"entr","checksum":1}`,
			evidence.CheckpointState{Checksum: "bad", Problem: safetext.Clean("not JSON at byte 6")}, nil},
		{"another shape", "actuated_pods_state", `{"data":7}`,
			evidence.CheckpointState{Problem: safetext.Clean(`not of the expected shape at "data"`)}, nil},
		{"the cpu manager's default", "cpu_manager_state", `{"policyName":"none","defaultCpuSet":"","checksum":1353318690}`,
			evidence.CheckpointState{Checksum: "ok"}, nil},
		{"the static policy", "cpu_manager_state",
			fmt.Sprintf(
				`{"policyName":"static","defaultCpuSet":"0-1","entries":{"u0":{},"u1":{"a":"2-3","b":"4"}},"checksum":%d}`,
				sum(
					"(*state.CPUManagerCheckpoint){PolicyName:(string)static DefaultCPUSet:(string)0-1 Entries:(map[string]map[string]string)map[u0:map[] u1:map[a:2-3 b:4]] Checksum:(checksum.Checksum)0}")),
			evidence.CheckpointState{Checksum: "ok", Pods: 2, Containers: 2}, nil},
		{"of 1.37", "cpu_manager_state",
			fmt.Sprintf(`{"policyName":"none","defaultCpuSet":"","checksum":1353318690,"data":"{}","dataChecksum":%d}`,
				sum("(string){}")),
			evidence.CheckpointState{Checksum: "ok", DataChecksum: "ok"}, nil},
		{"of 1.37, damaged", "cpu_manager_state",
			`{"policyName":"none","defaultCpuSet":"","checksum":1353318690,"data":"{}","dataChecksum":1}`,
			evidence.CheckpointState{Checksum: "ok", DataChecksum: "bad"}, nil},
		{"the memory manager's of 1.37, damaged", "memory_manager_state",
			`{"policyName":"None","checksum":5,"data":"{}","dataChecksum":1}`,
			evidence.CheckpointState{DataChecksum: "bad"}, nil},
		{"of a version that sums otherwise", "cpu_manager_state", `{"policyName":"none","defaultCpuSet":"","checksum":1}`,
			evidence.CheckpointState{}, nil},
		{"before 1.18", "cpu_manager_state", `{"policyName":"static","defaultCpuSet":"0","entries":{"abc":"1"},"checksum":1}`,
			evidence.CheckpointState{}, nil},
		{"the memory manager's", "memory_manager_state",
			`{"policyName":"Static","machineState":{"0":{}},"entries":{"u":{"a":[{"numaAffinity":[0]}]}},"checksum":1}`,
			evidence.CheckpointState{Pods: 1, Containers: 1}, nil},
		{"empty", "memory_manager_state", ``, evidence.CheckpointState{Problem: safetext.Clean("not JSON at byte 0")}, nil},
		{"the cpu manager's, broken", "cpu_manager_state", `[]`,
			evidence.CheckpointState{Problem: safetext.Clean(`not of the expected shape at ""`)}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, _, _ := collect(t, map[string]string{"var/lib/kubelet/" + c.file: c.content}, nil)
			c.want.Name, c.want.Exists = c.file, true
			if d := cmp.Diff(c.want, facts[evidence.CheckpointState](s)["|"+c.file], texts); d != "" {
				t.Error(d)
			}
			var records []string
			for _, o := range s.Observations {
				if _, ok := o.Fact.(evidence.ResourceRecord); ok {
					records = append(records, o.Text.String())
				}
			}
			slices.Sort(records)
			if d := cmp.Diff(c.records, records); d != "" {
				t.Error(d)
			}
		})
	}
}

// That a file does not exist is a fact: a kubelet ≥1.33 without records takes
// every container for one that was given nothing.
func TestACheckpointThatIsMissingIsAFact(t *testing.T) {
	s, gaps, _ := collect(t, map[string]string{"var/lib/kubelet/": ""}, nil)
	got := facts[evidence.CheckpointState](s)
	if len(got) != 6 || got["|actuated_pods_state"].Exists || len(gaps) != 0 {
		t.Errorf("%+v, gaps %+v", got, gaps)
	}
	s, gaps, _ = collect(t, map[string]string{"etc/": ""}, nil)
	if len(s.Observations) != 0 || len(gaps) != 1 || gaps[0].Hint == "" {
		t.Errorf("a node without the directory: %+v, gaps %+v", s.Observations, gaps)
	}
	s, _, _ = collect(t, map[string]string{"k/actuated_pods_state": resources(inner)},
		func(o *Options) { o.RootDir = "/k" })
	if !facts[evidence.CheckpointState](s)["|actuated_pods_state"].Exists {
		t.Error("another root directory")
	}
	s, gaps, _ = collect(t, map[string]string{"var/lib/kubelet/actuated_pods_state/": ""}, nil)
	if _, told := facts[evidence.CheckpointState](s)["|actuated_pods_state"]; told || len(gaps) != 1 {
		t.Errorf("a directory in its place: %+v", gaps)
	}
}

func TestOfDevicesOnlyCountsAreKept(t *testing.T) {
	s, _, raw := collect(t,
		map[string]string{"var/lib/kubelet/device-plugins/kubelet_internal_checkpoint": `{"Data":{"PodDeviceEntries":[` +
			`{"PodUID":"u1","ContainerName":"a","ResourceName":"nvidia.com/gpu","DeviceIDs":{"-1":["GPU-1"]},"AllocResp":"` +
			secret +
			`"},{"PodUID":"u1","ContainerName":"a","ResourceName":"x"},{"PodUID":"u2","ContainerName":"b"}],"RegisteredDevices":{}},"Checksum":1}`}, nil)
	want := evidence.CheckpointState{Name: "kubelet_internal_checkpoint",
		Exists: true, Pods: 2, Containers: 2}
	if d := cmp.Diff(want, facts[evidence.CheckpointState](s)["|kubelet_internal_checkpoint"], texts); d != "" {
		t.Error(d)
	}
	if strings.Contains(raw, secret) || strings.Contains(raw, "GPU-1") {
		t.Errorf("kept too much: %s", raw)
	}
}

func TestSandboxesOfDockershimAreListed(t *testing.T) {
	id := strings.Repeat("0f", 32)
	s, _, _ := collect(t, map[string]string{
		"var/lib/kubelet/": "", "var/lib/dockershim/sandbox/" +
			id: `{"version":"v1","name":"web-0","namespace":"shop","data":{"port_mappings":[]},"checksum":1}`,
		"var/lib/cri-dockerd/sandbox/" + id: "broken", "var/lib/dockershim/sandbox/" + id + ".tmp": "{}",
	}, nil)
	want := map[string]evidence.SandboxCheckpoint{"shop/web-0///" + id + "|": {Changed: written},
		id + "|": {Changed: written}}
	if d := cmp.Diff(want, facts[evidence.SandboxCheckpoint](s)); d != "" {
		t.Error(d)
	}
}

func TestTimeAndRightsThatAreMissingAreGaps(t *testing.T) {
	root := plant(t, map[string]string{"var/lib/kubelet/": "", "var/log/pods/a_b_" + uid + "/c/0.log": ""})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	pieces, gaps := New(Options{Node: "n1", Root: root}).Collect(ctx)
	if len(pieces) != 1 || len(gaps) != 1 || !strings.Contains(gaps[0].Why, "time is over") {
		t.Errorf("%d pieces, gaps %+v", len(pieces), gaps)
	}
	r := reader{o: Options{Node: "n1"}}
	r.gap(fmt.Errorf("read x: %w", fs.ErrPermission))
	if r.gaps[0].Hint != "run as root on the node" {
		t.Errorf("%+v", r.gaps)
	}
}

func TestABrokenEntryCostsOnlyItself(t *testing.T) {
	for data, want := range map[string]struct{ facts, gaps int }{
		`{"checkpoints":[{"name":"x"},7,{}],"manifests":[{"path":"/m"},{}],"logs":[{"podUID":"u","container":"c","attempts":[{"number":1},{"number":-1}]},{"podUID":"u"}],"sandboxes":[{"id":"i"},{}]}`: {4, 1},
		`{}`: {0, 0}, `[`: {0, 1}, `{"logs":7}`: {0, 1},
	} {
		b := evidence.NewBuilder(at)
		NewPiece("n1", evidence.Bytes("nodes/n1/kubelet.json", []byte(data)), at).Observe(b)
		if s := b.Build(); len(s.Observations) != want.facts || len(s.Gaps) != want.gaps {
			t.Errorf("%s: %+v, gaps %+v", data, s.Observations, s.Gaps)
		}
	}
}

func FuzzPiece(f *testing.F) {
	f.Add(
		[]byte(
			`{"collectedAt":"2026-11-21T07:12:00Z","checkpoints":[{"name":"actuated_pods_state","exists":true,"records":[{"podUID":"u","container":"a","resources":{"limits.cpu":"1"}}]}],"manifests":[{"path":"/m","name":"p"}],"logs":[{"podUID":"u","container":"c","attempts":[{"number":1}]}],"sandboxes":[{"id":"i","keeper":"k"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		b := evidence.NewBuilder(at)
		NewPiece("n1", evidence.Bytes("nodes/n1/kubelet.json", data), at).Observe(b)
		for _, o := range b.Build().Observations {
			if o.Subject.Node != "n1" || !safetext.Safe(o.Text.String()) {
				t.Fatalf("%+v from %q", o, data)
			}
			if _, ok := o.Fact.(evidence.ResourceRecord); ok && o.Subject.PodUID == "" {
				t.Fatalf("%+v", o)
			}
		}
	})
}

func FuzzParsers(f *testing.F) {
	for _, s := range []string{resources(inner), staticPod,
		`{"policyName":"none","defaultCpuSet":"","checksum":1353318690}`, `{"Data":{"PodDeviceEntries":[{}]}}`,
		"3.log.20261121-071158.gz", "a_b_" + uid} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, x := range files {
			var c checkpoint
			if err := x.parse(data, &c); err != nil && len(err.Error()) > len(data)+100 {
				t.Fatalf("%s: %v", x.name, err)
			}
			if c.Pods < 0 || c.Containers < 0 || c.Checksum != "" && c.Checksum != "ok" && c.Checksum != "bad" {
				t.Fatalf("%s: %+v", x.name, c)
			}
		}
		var m manifest
		if err := m.parse(data); err != nil && err.Error() != "not a Pod" && m.Name != "" {
			t.Fatalf("%+v beside %v", m, err)
		}
		if n, _, ok := logName(string(data)); ok && n < 0 {
			t.Fatalf("attempt %d", n)
		}
		podOf(string(data))
	})
}
