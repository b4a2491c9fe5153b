package cri

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc"
	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/clock"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

var (
	at      = time.Date(2026, 11, 21, 7, 12, 0, 0, time.UTC)
	created = at.Add(-time.Hour)
	started = created.Add(time.Second)
	ended   = at.Add(-time.Minute)
)

// fakeRuntime serves what a test puts in, over a real socket.
type fakeRuntime struct {
	runtimeapi.UnimplementedRuntimeServiceServer
	sandboxes  []*runtimeapi.PodSandboxStatusResponse
	containers []*runtimeapi.ContainerStatusResponse
	listed     []*runtimeapi.Container
	failing    map[string]error // by id
	slow       time.Duration    // each status of a container
	lists      time.Duration    // each list
	driver     *runtimeapi.LinuxRuntimeConfiguration
	status     map[string]string // verbose info of Status
	version    string
}

func (f *fakeRuntime) release() string {
	if f.version == "" {
		return "1.6.20~ds1"
	}
	return f.version
}

func (f *fakeRuntime) RuntimeConfig(context.Context, *runtimeapi.RuntimeConfigRequest) (
	*runtimeapi.RuntimeConfigResponse, error) {
	if f.driver == nil {
		return nil, errors.New("unknown method RuntimeConfig")
	}
	return &runtimeapi.RuntimeConfigResponse{Linux: f.driver}, nil
}

func (f *fakeRuntime) Status(context.Context, *runtimeapi.StatusRequest) (*runtimeapi.StatusResponse, error) {
	return &runtimeapi.StatusResponse{Status: &runtimeapi.RuntimeStatus{
		Conditions: []*runtimeapi.RuntimeCondition{{Type: "RuntimeReady", Status: true},
			{Type: "NetworkReady", Status: true}}}, Info: f.status}, nil
}

func (f *fakeRuntime) Version(context.Context, *runtimeapi.VersionRequest) (*runtimeapi.VersionResponse, error) {
	return &runtimeapi.VersionResponse{Version: "0.1.0", RuntimeName: "containerd",
		RuntimeVersion: f.release(), RuntimeApiVersion: "v1"}, nil
}

func (f *fakeRuntime) ListPodSandbox(context.Context, *runtimeapi.ListPodSandboxRequest) (
	*runtimeapi.ListPodSandboxResponse, error) {
	resp := &runtimeapi.ListPodSandboxResponse{}
	for _, s := range f.sandboxes {
		resp.Items = append(resp.Items, &runtimeapi.PodSandbox{Id: s.Status.Id,
			Metadata: s.Status.Metadata, State: s.Status.State, CreatedAt: s.Status.CreatedAt})
	}
	return resp, nil
}

func (f *fakeRuntime) ListContainers(context.Context, *runtimeapi.ListContainersRequest) (
	*runtimeapi.ListContainersResponse, error) {
	time.Sleep(f.lists)
	return &runtimeapi.ListContainersResponse{Containers: f.listed}, nil
}

func (f *fakeRuntime) PodSandboxStatus(_ context.Context, r *runtimeapi.PodSandboxStatusRequest) (
	*runtimeapi.PodSandboxStatusResponse, error) {
	for _, s := range f.sandboxes {
		if s.Status.Id == r.PodSandboxId && r.Verbose {
			return s, f.failing[r.PodSandboxId]
		}
	}
	return nil, errors.New("no such sandbox")
}

func (f *fakeRuntime) ContainerStatus(_ context.Context, r *runtimeapi.ContainerStatusRequest) (
	*runtimeapi.ContainerStatusResponse, error) {
	time.Sleep(f.slow)
	for _, c := range f.containers {
		if c.Status.Id == r.ContainerId && r.Verbose {
			return c, f.failing[r.ContainerId]
		}
	}
	return nil, errors.New("no such container")
}

// asks returns the options of a node whose kubelet is configured to use a socket, and that has no other.
func asks(socket string) Options {
	return Options{Root: filepath.Dir(socket), Configured: "unix:///" + filepath.Base(socket)}
}

// timed are those with a time limit.
func timed(socket string, limit time.Duration) Options {
	o := asks(socket)
	o.Timeout = limit
	return o
}

// serve puts a runtime on a socket and returns its path.
func serve(t *testing.T, f *fakeRuntime, socket string) string {
	t.Helper()
	if socket == "" {
		// t.TempDir can be longer than a socket's path may be.
		dir, err := os.MkdirTemp("", "cri")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.RemoveAll(dir) })
		socket = filepath.Join(dir, "s")
	}
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	s := grpc.NewServer()
	if f != nil {
		runtimeapi.RegisterRuntimeServiceServer(s, f)
	}
	go s.Serve(l)
	t.Cleanup(s.Stop)
	return socket
}

const secret = "hunter2"

// onePod is a runtime with one sandbox and one container that was OOM-killed.
func onePod() *fakeRuntime {
	image := &runtimeapi.ImageSpec{Image: "docker.io/library/app:1"}
	labels := map[string]string{labelPod: "web", labelNamespace: "shop", labelPodUID: "u1", labelContainer: "a"}
	annotations := map[string]string{annHash: "c87f01d2", annRestartCount: "3",
		annGracePeriod: "2", annMessagePath: "/dev/termination-log",
		"io.kubernetes.container.preStopHandler": `{"exec":{"command":["` + secret + `"]}}`, "note": secret}
	return &fakeRuntime{
		sandboxes: []*runtimeapi.PodSandboxStatusResponse{{
			Status: &runtimeapi.PodSandboxStatus{
				Id: "5a5a5a5a5a5a", Metadata: &runtimeapi.PodSandboxMetadata{Name: "web", Namespace: "shop", Uid: "u1", Attempt: 1},
				State: runtimeapi.PodSandboxState_SANDBOX_READY, CreatedAt: created.UnixNano(),
				Network: &runtimeapi.PodSandboxNetworkStatus{Ip: "10.1.0.7"},
			},
			Info: map[string]string{"info": `{"pid":4711,"runtimeSpec":{"process":{"env":["A=` +
				secret + `"]},"linux":{"cgroupsPath":"/kubepods/podu1/5a"}},"config":{}}`},
		}},
		listed: []*runtimeapi.Container{{
			Id: "c0c0c0c0c0c0", PodSandboxId: "5a5a5a5a5a5a", Metadata: &runtimeapi.ContainerMetadata{Name: "a", Attempt: 3},
			State: runtimeapi.ContainerState_CONTAINER_EXITED, CreatedAt: created.UnixNano(), ImageRef: "sha256:aa",
			Image:  &runtimeapi.ImageSpec{Image: "sha256:aa", UserSpecifiedImage: "app:1"},
			Labels: labels, Annotations: annotations,
		}},
		containers: []*runtimeapi.ContainerStatusResponse{{
			Status: &runtimeapi.ContainerStatus{
				Id: "c0c0c0c0c0c0", Metadata: &runtimeapi.ContainerMetadata{Name: "a", Attempt: 3},
				State:     runtimeapi.ContainerState_CONTAINER_EXITED,
				CreatedAt: created.UnixNano(), StartedAt: started.UnixNano(), FinishedAt: ended.UnixNano(),
				ExitCode: 137, Reason: "OOMKilled",
				Message: strings.Repeat("m", 2000), Image: image, ImageRef: "sha256:aa", Labels: labels, Annotations: annotations,
			},
			Info: map[string]string{"info": `{"sandboxID":"5a5a5a5a5a5a","pid":0,"config":{"envs":[{"key":"P","value":"` +
				secret + `"}]},` +
				`"runtimeSpec":{"process":{"args":["` + secret + `"]},"mounts":[],"linux":{"cgroupsPath":"/kubepods/podu1/c0"}}}`},
		}},
	}
}

// collect returns the records; what the runtimes say about themselves is left to
// whole.
func collect(t *testing.T, o Options) (*evidence.Snapshot, []evidence.Gap, string) {
	t.Helper()
	s, gaps, stored := whole(t, o)
	s.Observations = slices.DeleteFunc(s.Observations, func(o evidence.Observation) bool {
		switch o.Fact.(type) {
		case evidence.RuntimeEndpoint, evidence.RuntimeSettings:
			return true
		}
		return false
	})
	return s, gaps, stored
}

func whole(t *testing.T, o Options) (*evidence.Snapshot, []evidence.Gap, string) {
	t.Helper()
	o.Node, o.Now = "n1", func() time.Time { return at }
	pieces, gaps := New(o).Collect(context.Background())
	s, stored := filetest.Observed(t, at, pieces)
	return s, gaps, stored
}

func TestCollectKeepsWhatRestartsDependOn(t *testing.T) {
	s, gaps, stored := collect(t, asks(serve(t, onePod(), "")))
	if len(gaps)+len(s.Gaps) != 0 {
		t.Fatalf("gaps %v %v", gaps, s.Gaps)
	}
	code := int32(137)
	source := evidence.Source{Kind: evidence.SourceCRI, Node: "n1", Where: "nodes/n1/cri.json"}
	want := []evidence.Observation{
		{Time: created, Subject: evidence.Subject{Node: "n1", Namespace: "shop",
			Pod: "web", PodUID: "u1", SandboxID: "5a5a5a5a5a5a"}, Source: source,
			Fact: evidence.SandboxRecord{Attempt: 1, Ready: true, Created: created,
				IP: "10.1.0.7"}},
		{Time: ended, Subject: evidence.Subject{Node: "n1", Namespace: "shop",
			Pod: "web", PodUID: "u1", Container: "a", ContainerID: "c0c0c0c0c0c0", SandboxID: "5a5a5a5a5a5a"}, Source: source,
			Fact: evidence.ContainerRecord{State: evidence.StateExited, Attempt: 3,
				Created: created, Started: started, Finished: ended, ExitCode: &code,
				Reason: "OOMKilled", Image: "app:1", Hash: "c87f01d2",
				RestartCount: 3, CgroupsPath: "/kubepods/podu1/c0"}},
	}
	texts := []string{"sandbox attempt 1 ready, ip 10.1.0.7", "container a attempt 3 exited 137 OOMKilled, hash c87f01d2"}
	if len(s.Observations) != 2 {
		t.Fatalf("observations: %+v", s.Observations)
	}
	for i, got := range s.Observations {
		if got.Text.String() != texts[i] {
			t.Errorf("text %q, want %q", got.Text, texts[i])
		}
		if rec, ok := got.Fact.(evidence.ContainerRecord); ok {
			if n := len(rec.Message.String()); n < 1000 || n > 1100 {
				t.Errorf("the message has %d bytes: not cut, or not kept", n)
			}
			rec.Message = want[i].Fact.(evidence.ContainerRecord).Message
			got.Fact = rec
		}
		got.ID, got.Text = "", want[i].Text
		if d := cmp.Diff(want[i], got, cmp.AllowUnexported(safetext.Text{})); d != "" {
			t.Error(d)
		}
	}
	if len(s.Nodes) != 1 || s.Nodes[0].Runtime != "containerd://1.6.20~ds1" {
		t.Errorf("nodes %+v", s.Nodes)
	}
	for _, word := range []string{secret, "env", "args", "mounts", "preStop", "note"} {
		if strings.Contains(stored, word) {
			t.Errorf("%q was stored:\n%s", word, stored)
		}
	}
	if !strings.Contains(stored, `"io.kubernetes.pod.terminationGracePeriod": "2"`) {
		t.Error("the grace period was not stored")
	}
}

func TestAStatusThatFailsCostsOnlyItself(t *testing.T) {
	f := onePod()
	f.failing = map[string]error{"c0c0c0c0c0c0": errors.New("task is gone"), "5a5a5a5a5a5a": errors.New("sandbox is gone")}
	s, gaps, _ := collect(t, asks(serve(t, f, "")))
	if len(gaps) != 2 || !strings.Contains(gaps[0].Why, "1 of 1 sandboxes: 5a5a5a5a5a5a") ||
		!strings.Contains(gaps[1].Why, "task is gone") {
		t.Errorf("gaps %+v", gaps)
	}
	for _, o := range s.Observations {
		if rec, ok := o.Fact.(evidence.ContainerRecord); ok {
			if rec.State != evidence.StateExited || rec.Hash != "c87f01d2" || rec.ExitCode != nil ||
				rec.Attempt != 3 || o.Subject.PodUID != "u1" {
				t.Errorf("kept of the list: %+v", rec)
			}
			return
		}
	}
	t.Error("the container was dropped")
}

func TestVerboseInfoThatIsBrokenCostsOnlyItself(t *testing.T) {
	f := onePod()
	f.containers[0].Info["info"] = `{"pid":"` + secret + `"}`
	s, gaps, stored := collect(t, asks(serve(t, f, "")))
	if len(gaps) != 1 || !strings.Contains(gaps[0].Why, "verbose info") || strings.Contains(stored, secret) {
		t.Errorf("gaps %+v\n%s", gaps, stored)
	}
	if rec, ok := s.Observations[1].Fact.(evidence.ContainerRecord); !ok ||
		rec.Reason != "OOMKilled" || *rec.ExitCode != 137 {
		t.Errorf("the rest of the status was lost: %+v", s.Observations)
	}
}

func TestTheRuntimeWithPodsIsTaken(t *testing.T) {
	root, err := os.MkdirTemp("", "cri")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(root) })
	for _, dir := range []string{"run/containerd", "run/crio", "run/k3s/containerd"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	// docker's containerd answers without serving CRI, another is empty, one is a dead file.
	serve(t, nil, filepath.Join(root, "run/containerd/containerd.sock"))
	serve(t, &fakeRuntime{}, filepath.Join(root, "run/crio/crio.sock"))
	if err := os.WriteFile(filepath.Join(root, "run/cri-dockerd.sock"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, gaps, stored := collect(t, Options{Root: root})
	if len(gaps) != 0 || !strings.Contains(stored, "crio.sock") {
		t.Errorf("the only one that answers was not taken: gaps %v\n%s", gaps, stored)
	}
	serve(t, onePod(), filepath.Join(root, "run/k3s/containerd/containerd.sock"))
	s, gaps, stored := collect(t, Options{Root: root})
	if len(gaps) != 0 || len(s.Observations) != 2 || !strings.Contains(stored, "k3s/containerd/containerd.sock") {
		t.Errorf("%d observations, gaps %v", len(s.Observations), gaps)
	}
}

func TestNoRuntimeIsAGapWithAHint(t *testing.T) {
	dead := filepath.Join(t.TempDir(), "dead")
	if err := os.WriteFile(dead, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	cases := map[string]struct {
		o    Options
		want string
	}{
		"no socket at all":            {Options{Root: t.TempDir()}, "no socket at"},
		"a named socket that is not":  {asks("/nowhere/x.sock"), "/nowhere/x.sock: no such file"},
		"a socket that nobody serves": {asks(dead), "connection refused"},
		"a server that serves no CRI": {asks(serve(t, nil, "")), "unknown service runtime.v1.RuntimeService"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s, gaps, _ := collect(t, c.o)
			if len(s.Observations) != 0 || len(gaps) != 1 || !strings.Contains(gaps[0].Why, c.want) || gaps[0].Hint == "" {
				t.Errorf("%d observations, gaps %+v, want %q", len(s.Observations), gaps, c.want)
			}
		})
	}
}

func TestATimeThatIsOverKeepsWhatTheListSays(t *testing.T) {
	f := onePod()
	f.slow = 300 * time.Millisecond
	s, gaps, _ := collect(t, timed(serve(t, f, ""), 150*time.Millisecond))
	if len(gaps) != 1 || !strings.Contains(gaps[0].Why, "1 of 1 containers") || len(s.Observations) != 2 {
		t.Errorf("%d observations, gaps %+v", len(s.Observations), gaps)
	}
}

// A slow runtime loses nothing as long as it answers: all calls together take ten times
// the limit here.
func TestASlowRuntimeIsReadToTheEnd(t *testing.T) {
	t.Parallel()
	f := onePod()
	f.slow = 100 * time.Millisecond
	times := 10
	if testing.Short() {
		times = 3
	}
	first := f.listed[0]
	for range 10*times - 1 {
		f.listed = append(f.listed, first)
	}
	elapsed := clock.Stopwatch()
	s, gaps, _ := collect(t, timed(serve(t, f, ""), 10*f.slow))
	if took := elapsed(); len(gaps) != 0 || len(s.Observations) < 2 || took < time.Duration(10*times)*f.slow {
		t.Errorf("after %s: %d observations, gaps %+v", took, len(s.Observations), gaps)
	}
}

// One that takes a call and never answers is a gap that names it.
func TestARuntimeThatHangsIsAGap(t *testing.T) {
	t.Parallel()
	f := onePod()
	f.lists = 2 * time.Second
	endpoint := serve(t, f, "")
	s, gaps, _ := collect(t, timed(endpoint, 200*time.Millisecond))
	if len(s.Observations) != 0 || len(gaps) != 1 ||
		!strings.Contains(gaps[0].Why, strings.TrimPrefix(endpoint, "unix://")) {
		t.Errorf("%d observations, gaps %+v", len(s.Observations), gaps)
	}
}
