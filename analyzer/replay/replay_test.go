package replay

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/decide"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/sim"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence/podobject"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// snapshot is a healthy pod web-0 of one container app on a node of v1.30, read at all tiers.
func snapshot(mutations ...func(*evidence.Snapshot, *corev1.Pod)) *evidence.Snapshot {
	started := true
	object := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web-0", UID: "u"},
		Spec: corev1.PodSpec{NodeName: "n1", RestartPolicy: corev1.RestartPolicyAlways,
			Containers: []corev1.Container{{Name: "app", Image: "web:1"}}},
		Status: corev1.PodStatus{Phase: corev1.PodRunning, ContainerStatuses: []corev1.ContainerStatus{{
			Name: "app", ContainerID: "containerd://c1", RestartCount: 2, Started: &started,
			State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{
				StartedAt: metav1.Time{Time: noon.Add(-time.Hour)}}},
		}}},
	}
	about := evidence.Subject{Node: "n1", Namespace: "shop", Pod: "web-0", PodUID: "u"}
	box, container := about, about
	box.SandboxID, container.ContainerID, container.Container = "s1", "c1", "app"
	s := &evidence.Snapshot{
		CollectedAt: noon,
		Nodes:       []evidence.Node{{Name: "n1", KubeletVersion: "v1.30.14"}},
		Pods: []evidence.Pod{{Namespace: "shop", Name: "web-0", UID: "u", Node: "n1",
			Object: podobject.Of(object), Containers: []evidence.Container{{
				Name: "app", Image: "web:1", Hashes: []evidence.SpecHash{
					{FromMinor: 16, ToMinor: 30, Algorithm: "fnv32a-json", Hex: "aa", Image: "web:0"},
					{FromMinor: 16, ToMinor: 30, Algorithm: "fnv32a-json", Hex: "c87f01d2", Image: "web:1"},
					{FromMinor: 27, ToMinor: 30, Algorithm: "fnv32a-json-without-resources", Hex: "bb", Image: "web:1"},
				},
			}}}},
		Observations: []evidence.Observation{
			{Subject: box, Source: evidence.Source{Kind: evidence.SourceCRI},
				Fact: evidence.SandboxRecord{Ready: true, IP: "10.0.0.1", Attempt: 1}},
			{Subject: container, Source: evidence.Source{Kind: evidence.SourceCRI},
				Fact: evidence.ContainerRecord{Hash: "c87f01d2"}},
		},
	}
	for _, m := range mutations {
		m(s, object)
	}
	return s
}

// crashed is a pod in back-off after an end 10 s ago.
func crashed(_ *evidence.Snapshot, p *corev1.Pod) {
	p.Status.ContainerStatuses[0].State = corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{
		Reason: "CrashLoopBackOff", Message: "back-off 40s restarting failed container=app pod=web-0_shop(u)"}}
	p.Status.ContainerStatuses[0].LastTerminationState = corev1.ContainerState{
		Terminated: &corev1.ContainerStateTerminated{
			ExitCode: 3, Reason: "Error", StartedAt: metav1.Time{Time: noon.Add(-time.Minute)},
			FinishedAt: metav1.Time{Time: noon.Add(-10 * time.Second)}}}
}

func apiOnly(s *evidence.Snapshot, _ *corev1.Pod) { s.Observations = nil }

// told summarizes a result.
func told(r *Result) string {
	var out []string
	if r.KillPod {
		out = append(out, "kill pod")
	}
	if r.CreateSandbox {
		out = append(out, "new sandbox")
	}
	for _, k := range r.Kill {
		out = append(out, "kill "+k.Message)
	}
	for _, s := range r.Start {
		text := "start " + s.Container
		if s.RestartCount != nil {
			text += fmt.Sprintf(" #%d", *s.RestartCount)
		}
		if s.NotBefore != nil {
			text += " at " + s.NotBefore.Format("15:04:05")
		}
		out = append(out, text)
	}
	return string(r.Stage) + ": " + strings.Join(out, ", ")
}

func TestReplay(t *testing.T) {
	type change = func(*evidence.Snapshot, *corev1.Pod)
	tests := map[string]struct {
		given    []change
		version  string
		supposed string
		want     string
	}{
		"a healthy pod": {nil, "", "", "actions: "},
		"a liveness failure": {nil, "", "liveness-failed=app",
			"actions: kill Container app failed liveness probe, will be restarted, start app #3"},
		"a startup failure": {nil, "", "startup-failed=app",
			"actions: kill Container app failed startup probe, will be restarted, start app #3"},
		"an edit": {nil, "", "hash-differs=app",
			"actions: kill Container app definition changed, will be restarted, start app #3"},
		"an exit": {nil, "", "exited=app:137", "actions: start app #3"},
		"an unknown state": {nil, "", "unknown=app",
			`actions: kill Container is in "unknown" state, try killing it before restart, start app #3`},
		"a dead sandbox": {nil, "", "sandbox-not-ready", "actions: kill pod, new sandbox, start app #3"},
		"a lost sandbox": {nil, "", "sandbox-missing", "actions: kill pod, new sandbox, start app #3"},
		"a lost cgroup":  {nil, "", "cgroup-missing", "cgroup-missing: kill pod, new sandbox, start app #3"},
		"no network":     {nil, "", "network-not-ready liveness-failed=app", "network: "},
		"a deletion":     {nil, "", "deleted", "terminated: kill pod"},
		"an upgrade changes the hash": {nil, "v1.31", "",
			"actions: kill Container app definition changed, will be restarted, start app #3"},
		"an upgrade within the era does not": {nil, "v1.20", "", "actions: "},
		"without the runtime's records the node's hash": {[]change{apiOnly},
			"v1.31", "", "actions: kill Container app definition changed, will be restarted, start app #3"},
		"without them a pod is healthy too":                {[]change{apiOnly}, "", "", "actions: "},
		"a missing resize record harms nothing by default": {nil, "v1.30", "resize-record-missing=app", "actions: "},
		"a crash loop waits":                               {[]change{crashed}, "", "", "actions: start app #3 at 12:00:30"},
		"a fact of a running container makes it run": {[]change{crashed},
			"", "liveness-failed=app", "actions: kill Container app failed liveness probe, will be restarted, start app #3"},
		"a container that never was is supposed to run": {
			[]change{func(_ *evidence.Snapshot, p *corev1.Pod) { p.Status.ContainerStatuses = nil }},
			"", "liveness-failed=app", "actions: kill Container app failed liveness probe, will be restarted, start app #1"},
		"one that never was is started": {[]change{func(_ *evidence.Snapshot, p *corev1.Pod) {
			p.Status.ContainerStatuses = nil
		}}, "", "", "actions: start app"},
		"another pod's sandbox is not ours": {[]change{func(s *evidence.Snapshot, _ *corev1.Pod) {
			s.Observations[0].Subject.PodUID, s.Observations[0].Fact = "x", evidence.SandboxRecord{}
		}}, "", "", "actions: "},
		"the newest sandbox counts": {[]change{func(s *evidence.Snapshot, _ *corev1.Pod) {
			newer := s.Observations[0]
			newer.Fact = evidence.SandboxRecord{Attempt: 2, IP: "10.0.0.2", Created: noon}
			s.Observations = append(s.Observations, newer)
		}}, "", "", "actions: kill pod, new sandbox, start app #3"},
		"a pod on the node's network": {[]change{apiOnly, func(_ *evidence.Snapshot, p *corev1.Pod) {
			p.Spec.HostNetwork = true
		}}, "", "", "actions: "},
		"a pod marked to restart in place": {[]change{func(_ *evidence.Snapshot, p *corev1.Pod) {
			p.Status.Conditions = []corev1.PodCondition{{Type: "AllContainersRestarting", Status: corev1.ConditionTrue}}
		}}, "v1.36", "", "actions: "},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s := snapshot(test.given...)
			before := s.Pods[0].Object.Whole().DeepCopy()
			var v kubelet.Version
			if test.version != "" {
				v, _ = kubelet.ParseVersion(test.version)
			}
			var supposed []sim.Supposition
			for text := range strings.FieldsSeq(test.supposed) {
				f, err := sim.ParseSupposition(text)
				if err != nil {
					t.Fatal(err)
				}
				supposed = append(supposed, f)
			}
			r, err := Pod(s, &s.Pods[0], v, supposed)
			if err != nil {
				t.Fatal(err)
			}
			if got := told(r); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			if len(r.Trace) == 0 || len(r.Supposed) != len(supposed) {
				t.Errorf("%d steps, supposed %v", len(r.Trace), r.Supposed)
			}
			if diff := cmp.Diff(before, s.Pods[0].Object.Whole()); diff != "" {
				t.Errorf("replaying changed the evidence:\n%s", diff)
			}
		})
	}
}

func TestASupposedHashIsNotShownAsARealOne(t *testing.T) {
	f, err := sim.ParseSupposition("hash-differs=app")
	if err != nil {
		t.Fatal(err)
	}
	s := snapshot()
	r, err := Pod(s, &s.Pods[0], kubelet.Version{}, []sim.Supposition{f})
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range r.Trace {
		if step.Branch == "hash-differs" && step.Taken && step.Fact == "supposed: the stored hash is different" {
			return
		}
	}
	t.Errorf("the trace does not say that the hash is supposed: %+v", r.Trace)
}

func TestWhatIsAssumedIsSaid(t *testing.T) {
	s := snapshot(apiOnly)
	r, err := Pod(s, &s.Pods[0], kubelet.Version{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Join(r.Assumed, "\n")
	for _, want := range []string{"one ready sandbox; the runtime's", "stored hashes, which were not read",
		"every probe of a running container passes"} {
		if !strings.Contains(all, want) {
			t.Errorf("not said: %q in\n%s", want, all)
		}
	}
	full := snapshot()
	if r, _ := Pod(full, &full.Pods[0], kubelet.Version{}, nil); len(r.Assumed) != 1 {
		t.Errorf("with all evidence: %v", r.Assumed)
	}
}

func TestAPodThatCannotBeReplayedSaysWhy(t *testing.T) {
	tests := map[string]struct {
		given   func(*evidence.Snapshot, *corev1.Pod)
		version kubelet.Version
		fact    string
		want    error
	}{
		"only logs know it": {func(s *evidence.Snapshot, _ *corev1.Pod) { s.Pods[0].Object = nil },
			kubelet.Version{}, "deleted", errNoObject},
		"its node is not known": {func(s *evidence.Snapshot, _ *corev1.Pod) { s.Nodes = nil },
			kubelet.Version{}, "deleted", errNoVersion},
		"the version is too old": {func(*evidence.Snapshot, *corev1.Pod) {},
			kubelet.Version{Major: 1, Minor: 2}, "deleted", kubelet.ErrVersionNotModelled},
		"it has no such container": {func(*evidence.Snapshot, *corev1.Pod) {},
			kubelet.Version{}, "unknown=x", sim.ErrNoContainer},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			f, err := sim.ParseSupposition(test.fact)
			if err != nil {
				t.Fatal(err)
			}
			s := snapshot(test.given)
			if _, err := Pod(s, &s.Pods[0], test.version, []sim.Supposition{f}); !errors.Is(err, test.want) ||
				!strings.HasPrefix(err.Error(), "replay pod shop/web-0: ") {
				t.Errorf("got %v, want %v", err, test.want)
			}
		})
	}
}

func TestAnOldKubeletDecidesByItsOwnFunction(t *testing.T) {
	f, err := sim.ParseSupposition("liveness-failed=app")
	if err != nil {
		t.Fatal(err)
	}
	s := snapshot()
	r, err := Pod(s, &s.Pods[0], kubelet.Version{Major: 1, Minor: 7, Patch: 5}, []sim.Supposition{f})
	if err != nil {
		t.Fatal(err)
	}
	asks := func(s decide.Step) bool {
		return s.Function == "computePodContainerChanges" && s.Branch == "liveness-failed" && s.Taken
	}
	if !slices.ContainsFunc(r.Trace, asks) || !strings.Contains(strings.Join(r.Assumed, "\n"), "through CRI") {
		t.Errorf("trace %+v, assumed %v", r.Trace, r.Assumed)
	}
	if len(r.Kill) == 0 || !strings.HasSuffix(r.Kill[0].Message, "it will be killed and re-created.") {
		t.Errorf("kills %+v", r.Kill)
	}
}

func FuzzParseFact(f *testing.F) {
	for _, known := range sim.Facts() {
		f.Add(strings.NewReplacer("=C", "=app", "CODE", "137").Replace(known))
	}
	f.Add("exited=a:b:-1")
	f.Add("log-dir-count=7")
	f.Add("rejected=OutOfcpu")
	f.Fuzz(func(t *testing.T, text string) {
		fact, err := sim.ParseSupposition(text)
		if err != nil {
			return
		}
		s := snapshot()
		if _, err := Pod(s, &s.Pods[0], kubelet.Version{}, []sim.Supposition{fact}); err != nil &&
			!errors.Is(err, sim.ErrNoContainer) {
			t.Fatal(err)
		}
	})
}

// FuzzPod: statuses of containers that the spec lacks, duplicate names, absurd counts and attempts, and unknown
// kubelets cause at most an error.
func FuzzPod(f *testing.F) {
	const odd = `{"spec":{"containers":[{"name":"app"},{"name":"app"},{}],"initContainers":[{"name":"app"}],"ephemeralContainers":[{}]},
		"status":{"containerStatuses":[{"name":"gone","restartCount":-7,"state":{"running":{}}},{"name":"app","containerID":"://","state":{"terminated":{"exitCode":-1}}},
		{"name":"app","containerID":"c1","state":{"waiting":{"message":"back-off -1h restarting failed container"}},"lastState":{"terminated":{}}}],
		"initContainerStatuses":[{"restartCount":-2147483648,"state":{"running":{}}}],"conditions":[{"type":"AllContainersRestarting","status":"True"}]}}`
	for _, version := range []string{"", "v1.8.0", "v1.28.1", "v1.36", "v1.99.99", "v0.1", "v7.3", "nonsense"} {
		f.Add(odd, version, "unknown=app", -1)
		f.Add(odd, version, "hash-differs=app", -1<<30)
		f.Add(`{"metadata":{"deletionTimestamp":"2026-01-01T00:00:00Z"},"spec":{"hostNetwork":true}}`,
			version, "exited=app:-1", 1<<30)
	}
	f.Fuzz(func(t *testing.T, pod, version, supposed string, attempt int) {
		object := new(corev1.Pod)
		if err := json.Unmarshal([]byte(pod), object); err != nil {
			return
		}
		s := snapshot()
		s.Pods[0].Object = podobject.Of(object)
		s.Nodes[0].KubeletVersion = version
		box := s.Observations[0].Fact.(evidence.SandboxRecord)
		box.Attempt = attempt
		s.Observations = append(s.Observations, evidence.Observation{Subject: s.Observations[0].Subject,
			Source: s.Observations[0].Source, Fact: box})
		var facts []sim.Supposition
		if fact, err := sim.ParseSupposition(supposed); err == nil {
			facts = append(facts, fact)
		}
		r, err := Pod(s, &s.Pods[0], kubelet.Version{}, facts)
		if err == nil && len(r.Trace) == 0 {
			t.Error("a decision without a step")
		}
		asked, err := kubelet.ParseVersion(version)
		if err != nil {
			return
		}
		if r, err := Pod(s, &s.Pods[0], asked, nil); (r == nil) == (err == nil) {
			t.Errorf("result %v beside error %v", r, err)
		}
	})
}
