package finding_test

import (
	"cmp"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence/podobject"
)

// with reports whether a doubt has these words.
func with(f *finding.Findings, words string) bool {
	return slices.ContainsFunc(f.Doubts, func(d finding.Doubt) bool { return strings.Contains(d.Text, words) })
}

// A signal of which a log tells was for a process that ran then, and comes before anybody's stop, which sends signals
// as well.
func TestASignalFromOutside(t *testing.T) {
	ours := evidence.Subject{ContainerID: analyzertest.OldID}
	ends := map[string]float64{"in the second of its end": 42, "after the second of its end": 42,
		"when the kubelet knew of its end": 42}
	for name, c := range map[string]struct {
		at          float64
		of          evidence.Subject
		by          string
		pids        []int
		stop        float64 // 0 for none
		sent, doubt bool
	}{
		"systemctl kill of its scope":       {41, ours, "systemd", []int{9}, 0, true, true},
		"of another scope":                  {41, evidence.Subject{ContainerID: strings.Repeat("9", 64)}, "systemd", []int{7}, 0, false, false},
		"of its pod's slice":                {41, evidence.Subject{PodUID: analyzertest.PodUID}, "systemd", []int{9}, 0, true, true},
		"SysRq to everyone":                 {41, evidence.Subject{}, "SysRq", nil, 0, true, true},
		"an audit record of its number":     {41, evidence.Subject{}, "audit", []int{4711}, 0, true, true},
		"of another number":                 {41, evidence.Subject{}, "audit", []int{4712}, 0, false, false},
		"a command that names it":           {41, ours, "sudo", nil, 0, true, true},
		"a job that names it":               {41, ours, "cron", nil, 0, true, true},
		"a line with its number":            {41, evidence.Subject{}, "", []int{15, 4711}, 0, false, true},
		"a line that names its container":   {41, ours, "", nil, 0, false, true},
		"longer before than a stop takes":   {11, evidence.Subject{}, "SysRq", nil, 0, false, true},
		"before it began":                   {1, evidence.Subject{}, "SysRq", nil, 0, false, false},
		"after the end":                     {42.9, ours, "systemd", []int{9}, 0, false, false},
		"in the second of its end":          {42.6, ours, "systemd", []int{9}, 0, true, true},
		"when the kubelet knew of its end":  {42.6, ours, "systemd", []int{9}, 0, false, false},
		"after the second of its end":       {43, ours, "systemd", []int{9}, 0, false, false},
		"stored after the end, by an agent": {49, evidence.Subject{}, "", []int{4711}, 0, false, true},
		"stored long after the end":         {900, evidence.Subject{}, "", []int{4711}, 0, false, false},
		"before a stop":                     {40, ours, "systemd", []int{9}, 41, true, true},
		"what a stop sends":                 {41.5, evidence.Subject{}, "audit", []int{4711}, 41, true, false},
		"an agent, before a stop":           {40, evidence.Subject{}, "", []int{4711}, 41, false, true},
		"stored after a stop began":         {41.5, ours, "systemd", []int{9}, 41, true, true},
		"sent after a stop began":           {41.5, ours, "systemd", []int{9}, 41, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := analyzertest.New().Records(2, cmp.Or(ends[name], 42.5), 1, "Error", 43,
				func(old, _ *evidence.ContainerRecord) { old.PID = 4711 })
			s.Add(evidence.SourceSystemd, c.at, c.of, evidence.Signalled{By: c.by, PIDs: c.pids})
			s.Observations[len(s.Observations)-1].Source.Dated = !strings.Contains(name, "stored")
			if strings.Contains(name, "knew") {
				s.Kubelet(42.5, analyzertest.OldID, evidence.ContainerDied{})
			}
			if c.stop > 0 {
				s.Runtime(c.stop, analyzertest.OldID, evidence.StopRequested{TimeoutSeconds: 30})
			}
			f := find(t, s)
			if got := f.Signalled.Answer == finding.Yes; got != c.sent || with(f, "a signal") != c.doubt {
				t.Errorf("sent %v, doubts %v", got, f.Doubts)
			}
		})
	}
}

// A crash is none of SIGTERM's and SIGKILL's.
func TestASignalThatACrashIsNotOf(t *testing.T) {
	for name, c := range map[string]struct {
		code   int32
		signal string
		sent   bool
	}{
		"SIGTERM before a segmentation fault": {139, "SIGTERM", false}, "SIGKILL before an abort": {134, "SIGKILL", false},
		"SIGSEGV before a segmentation fault": {139, "SIGSEGV", true}, "any before an abort": {134, "", true},
		"SIGTERM before an end by it": {143, "SIGTERM", true}, "SIGTERM before an error": {1, "SIGTERM", true},
	} {
		s := analyzertest.New().Records(2, 42.5, c.code, "Error", 43, nil)
		s.Add(evidence.SourceSystemd, 41, evidence.Subject{ContainerID: analyzertest.OldID},
			evidence.Signalled{By: "systemd", Signal: c.signal})
		s.Observations[len(s.Observations)-1].Source.Dated = true
		if f := find(t, s); (f.Signalled.Answer == finding.Yes) != c.sent || !with(f, "a signal") {
			t.Errorf("%s: sent %v, doubts %v", name, f.Signalled.Answer, f.Doubts)
		}
	}
}

// Who asked the API server, or the kubelet, for a session is in the container until the session is over.
func TestASessionThatTheServersTell(t *testing.T) {
	app := evidence.Subject{Namespace: analyzertest.Namespace, Pod: analyzertest.PodName, PodUID: analyzertest.PodUID,
		Container: "a"}
	for name, c := range map[string]struct {
		at     float64
		lasted time.Duration
		want   bool
	}{
		"it began before the end":                {41, 0, true},
		"its end is told, and it began before":   {42.6, 2 * time.Second, true},
		"it began after the end":                 {43.1, 0, false},
		"its end is told, and it was short":      {44, time.Second, false},
		"it was over before the container began": {1, time.Second, false},
	} {
		s := analyzertest.New().Records(2, 42.5, 1, "Error", 43, nil)
		f := find(t, s.Add(evidence.SourceKubeletLog, c.at, app, evidence.ExecStarted{Lasted: c.lasted}))
		if got := with(f, "a command was run"); got != c.want {
			t.Errorf("%s: doubts %v", name, f.Doubts)
		}
	}
}

// Where only the status dates an end, to the second, a session in that second may have been before it.
func TestASessionInTheSecondOfTheEnd(t *testing.T) {
	for name, c := range map[string]struct {
		at   float64
		want bool
	}{
		"in that second": {42.4, true}, "in the next one": {43.2, false},
	} {
		s := analyzertest.New().Status(2, 42, 1, "Error", 44)
		f := find(t, s.Runtime(c.at, analyzertest.OldID, evidence.ExecStarted{}))
		if got := with(f, "a command was run"); got != c.want {
			t.Errorf("%s: doubts %v", name, f.Doubts)
		}
	}
}

// The limit of a pod's cgroup is its only container's where nothing else counts there.
func TestWhatFillsThePodsCgroup(t *testing.T) {
	const limit = 256 << 20
	for name, c := range map[string]struct {
		change func(*corev1.PodSpec)
		full   int64
		used   int64
		doubt  string
	}{
		"nothing else":           {func(*corev1.PodSpec) {}, limit, limit, ""},
		"a limit in whole pages": {func(*corev1.PodSpec) {}, limit - 4096, limit, ""},
		"a report without one":   {func(*corev1.PodSpec) {}, 0, limit, ""},
		"a larger limit":         {func(*corev1.PodSpec) {}, 1 << 30, limit, "its limit is not the container's"},
		"an ephemeral container": {func(s *corev1.PodSpec) {
			s.EphemeralContainers = []corev1.EphemeralContainer{{}}
		}, limit, limit, "ephemeral containers"},
		"files of an init container": {func(s *corev1.PodSpec) {
			s.InitContainers = []corev1.Container{{Name: "setup"}}
		}, limit, limit / 4, "used less than half"},
		"its own files": {func(*corev1.PodSpec) {}, limit, limit / 4, ""},
	} {
		s := analyzertest.New().Records(2, 42.5, 137, "OOMKilled", 43, nil).Spec(
			func(s *evidence.Container) { s.MemoryLimit = limit })
		s.Pod.Object = podobject.Of(&corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "a"}}}})
		c.change(s.Pod.Object.Spec)
		pod := "/kubepods/burstable/pod" + analyzertest.PodUID
		f := find(t, s.Kernel(42.4, analyzertest.OldID, evidence.OOMKill{Constraint: "CONSTRAINT_MEMCG", OOMMemcg: pod,
			TaskMemcg: pod + "/" + analyzertest.OldID, PID: 4711, Limit: c.full, Tasks: 1,
			Processes: []evidence.OOMProcess{{PID: 4711, RSS: c.used}}}))
		if !f.OOM.ByPod {
			t.Errorf("%s: %+v", name, f.OOM)
		}
		for _, words := range []string{"its limit is not the container's", "ephemeral containers", "used less than half"} {
			if with(f, words) != (words == c.doubt) {
				t.Errorf("%s: doubts %v", name, f.Doubts)
			}
		}
	}
}
