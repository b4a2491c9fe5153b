package history_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/history"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// What a few pasted lines show of an end, where no pod objects were read.
func TestEndsOfWhichLittleIsTold(t *testing.T) {
	const box, one, two = "7f0b2406d244", "8d3a1f0f6f0b", "9e4b2a1f7a1c"
	const whole = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	type said struct {
		source evidence.SourceKind
		at     float64
		s      evidence.Subject
		f      evidence.Fact
	}
	event := func(at float64, pod string, f evidence.Fact) said {
		return said{evidence.SourceAPI, at, evidence.Subject{Namespace: "shop", Pod: pod, Container: "app"}, f}
	}
	killed, started := evidence.KillDecided{Reason: evidence.KillPod}, evidence.APIEvent{Reason: "Started", Count: 1}
	runtime := func(at float64, s evidence.Subject, f evidence.Fact) said {
		return said{evidence.SourceRuntimeLog, at, s, f}
	}
	web := evidence.Subject{Namespace: "shop", Pod: "web-0"}
	given := func(at float64, origin string, others int) said {
		return said{evidence.SourceKubeletLog, at, web, evidence.PodConfig{Op: "ADD", Origin: origin, Others: others}}
	}
	lacks := func(at float64) said {
		return said{evidence.SourceKubeletLog, at, web, evidence.SandboxJudged{Reason: evidence.SandboxNone}}
	}
	// What a kubelet that logs exit codes reports of a container that it killed, and of the id that started next.
	died := func(code int32, id string) []said {
		was := evidence.Subject{Namespace: "shop", Pod: "web-0", PodUID: "u", ContainerID: id}
		named, next := was, was
		named.Container, next.ContainerID = "app", two
		return []said{{evidence.SourceKubeletLog, 9, named, evidence.KillStarted{GraceSeconds: 2}},
			{evidence.SourceKubeletLog, 10, was, evidence.ContainerFinished{ExitCode: code}},
			{evidence.SourceKubeletLog, 10, was, evidence.ContainerDied{}},
			{evidence.SourceKubeletLog, 12, next, evidence.ContainerStarted{}}}
	}
	for name, c := range map[string]struct {
		lines []said
		want  []string
	}{
		"a sandbox and no pod": {[]said{
			runtime(10, evidence.Subject{Container: "app", ContainerID: one, SandboxID: box},
				evidence.RuntimeCreated{Attempt: 3}),
			runtime(20, evidence.Subject{ContainerID: one}, evidence.TaskExited{}),
			runtime(21, evidence.Subject{Container: "app", ContainerID: two, SandboxID: box},
				evidence.RuntimeCreated{Attempt: 4}),
		}, []string{"8→9"}},
		"a container's name and nothing else": {[]said{
			runtime(20, evidence.Subject{Container: "app", ContainerID: one}, evidence.TaskExited{})}, []string{"8→"}},
		"a pod without its UID": {[]said{
			runtime(20, evidence.Subject{Namespace: "shop", Pod: "web-0", Container: "app", ContainerID: one},
				evidence.TaskExited{})}, []string{"8→"}},
		"a kill, and a start in the same pod": {[]said{event(10, "web-7d9f8-x2k4p", killed),
			event(12, "web-7d9f8-x2k4p", started)}, []string{"?→?"}},
		"a kill, and a start of a name that goes on to other pods": {[]said{event(10, "web-0", killed),
			event(12, "web-0", started)}, []string{"?→"}},
		"a kill, and a start in a pod that was scheduled between": {[]said{event(10, "web-7d9f8-x2k4p", killed),
			{evidence.SourceAPI, 11, evidence.Subject{Namespace: "shop", Pod: "web-7d9f8-x2k4p"},
				evidence.APIEvent{Reason: "Scheduled", Count: 1}},
			event(12, "web-7d9f8-x2k4p", started)}, []string{"?→"}},
		"a kill that is counted is of one pod, whatever its name": {[]said{
			event(900, "web-0", evidence.KillDecided{Reason: evidence.KillPod, Count: 31, First: at(1)})}, []string{"?→?"}},
		"a kill that the kubelet tried again": {[]said{event(8, "web-7d9f8-x2k4p", started),
			event(92, "web-7d9f8-x2k4p", evidence.KillDecided{Reason: evidence.KillPod, Count: 2, First: at(90)})},
			[]string{"?→"}},
		"and at length, with no start between": {[]said{event(8, "web-7d9f8-x2k4p", started),
			event(400, "web-7d9f8-x2k4p", evidence.KillDecided{Reason: evidence.KillPod, Count: 4, First: at(90)})},
			[]string{"?→"}},
		"and no event tells of a start": {[]said{
			event(92, "web-7d9f8-x2k4p", evidence.KillDecided{Reason: evidence.KillPod, Count: 2, First: at(90)})},
			[]string{"?→"}},
		"a start between two kills": {[]said{event(95, "web-7d9f8-x2k4p", started),
			event(120, "web-7d9f8-x2k4p", evidence.KillDecided{Reason: evidence.KillPod, Count: 2, First: at(90)})},
			[]string{"?→?"}},
		"a kill, and a sandbox that changed since": {[]said{event(10, "web-0", killed),
			{evidence.SourceAPI, 12, evidence.Subject{Namespace: "shop", Pod: "web-0"}, evidence.SandboxChanged{Count: 1}}},
			[]string{"?→?"}},
		"a sandbox that is not ready any more, by the name of its pod": {[]said{
			{evidence.SourceKubeletLog, 10, evidence.Subject{Namespace: "shop", Pod: "web-0"},
				evidence.SandboxJudged{Reason: evidence.SandboxNotReady}}}, []string{"?→"}},
		"the result of a probe": {[]said{
			{evidence.SourceKubeletLog, 9, evidence.Subject{Namespace: "shop", Pod: "web-0", Container: "app"},
				evidence.ProbeFailed{Probe: evidence.ProbeLiveness}},
			{evidence.SourceKubeletLog, 10, evidence.Subject{Namespace: "shop", Pod: "web-0"},
				evidence.ProbeResultChanged{Probe: evidence.ProbeLiveness, Status: "unhealthy"}}}, []string{"?→"}},
		"a probe that is not ready is no end": {[]said{
			{evidence.SourceKubeletLog, 10, evidence.Subject{Namespace: "shop", Pod: "web-0"},
				evidence.ProbeResultChanged{Probe: evidence.ProbeReadiness}}}, nil},
		"a kill of a pod that failed": {[]said{
			{evidence.SourceKubeletLog, 10, evidence.Subject{Namespace: "shop", Pod: "web-0"}, evidence.KillFailed{}}},
			[]string{"?→"}},
		"a container that was found dead, without its pod": {[]said{
			{evidence.SourceKubeletLog, 10, evidence.Subject{Container: "app"}, evidence.RestartDecided{}},
			{evidence.SourceKubeletLog, 20, evidence.Subject{Container: "app"}, evidence.RestartDecided{}}}, []string{"?→"}},
		"a sandbox that the runtime lost": {[]said{
			runtime(10, evidence.Subject{SandboxID: box}, evidence.StateLost{})}, []string{"7→"}},
		"a program that the kernel killed": {[]said{
			{evidence.SourceKernelLog, 10, evidence.Subject{Node: "n1"}, evidence.OOMKill{Task: "java", PID: 7}}},
			[]string{"?→"}},
		"a servant of the node that the kernel killed": {[]said{
			{evidence.SourceKernelLog, 10, evidence.Subject{Node: "n1"}, evidence.OOMKill{Task: "kubelet", PID: 7}}}, nil},
		"an id of conmon is the whole one's": {[]said{
			runtime(10, evidence.Subject{ContainerID: whole[:20]}, evidence.TaskExited{}),
			runtime(11, evidence.Subject{Namespace: "shop", Pod: "web-0", Container: "app", ContainerID: whole},
				evidence.StopRequested{})}, []string{"0→"}},
		"a short id of dockerd is the whole one's": {[]said{
			runtime(10, evidence.Subject{ContainerID: whole[:12]}, evidence.StopRequested{}),
			runtime(11, evidence.Subject{Namespace: "shop", Pod: "web-0", Container: "app", ContainerID: whole},
				evidence.TaskExited{})}, []string{"0→"}},
		"no sandbox of a pod that was just given":   {[]said{given(8, "api", 0), lacks(9)}, nil},
		"no sandbox of one that was given long ago": {[]said{given(-300, "api", 0), lacks(9)}, []string{"?→"}},
		"no sandbox of one of all":                  {[]said{given(8, "api", 4), lacks(9)}, []string{"?→"}},
		"no sandbox of a static pod":                {[]said{given(8, "file", 0), lacks(9)}, []string{"?→"}},
		"no sandbox of a pod that came to a kubelet that had none": {[]said{
			{evidence.SourceKubeletLog, 1, evidence.Subject{Node: "n1"}, evidence.KubeletStarted{}},
			{evidence.SourceKubeletLog, 2, evidence.Subject{Node: "n1"}, evidence.PodConfig{Op: "ADD", Origin: "api",
				Others: -1}}, given(8, "api", 0), lacks(9)}, nil},
		"no sandbox of the only pod of a kubelet that started": {[]said{
			{evidence.SourceKubeletLog, 1, evidence.Subject{Node: "n1"}, evidence.KubeletStarted{}},
			given(8, "api", 0), lacks(9)}, []string{"?→"}},
		"a start in the place of what failed":           {died(137, one), []string{"8→9"}},
		"a start behind an init container that is done": {died(0, one), []string{"8→"}},
		"a start of the sandbox that the kubelet found lacking": {append(died(137, one), said{evidence.SourceKubeletLog, 11,
			web, evidence.SandboxJudged{Reason: evidence.SandboxNotReady}}), []string{"8→"}},
		"a start behind the end of a container and its sandbox": {append(died(137, one), said{evidence.SourceKubeletLog, 10,
			evidence.Subject{Namespace: "shop", Pod: "web-0", PodUID: "u", ContainerID: box}, evidence.ContainerDied{}}),
			[]string{"8→"}},
		"a start, and a kill": {[]said{event(8, "web-7d9f8-x2k4p", started), event(10, "web-7d9f8-x2k4p", killed)},
			[]string{"?→"}},
	} {
		t.Run(name, func(t *testing.T) {
			b := evidence.NewBuilder(at(100))
			for _, l := range c.lines {
				b.Observe(evidence.Observation{Time: at(l.at), Subject: l.s, Fact: l.f,
					Source: evidence.Source{Kind: l.source, Node: "n1"}})
			}
			if diff := cmp.Diff(c.want, pairs(history.Build(b.Build()))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAnEndWithoutANameKeepsWhatWasToldBeforeIt(t *testing.T) {
	b := evidence.NewBuilder(at(1000))
	s := evidence.Subject{Namespace: "shop", Pod: "web-0", PodUID: "u", ContainerID: "8d3a1f0f6f0b"}
	for when, f := range map[float64]evidence.Fact{300: evidence.ContainerStarted{}, 400: evidence.ContainerDied{}} {
		b.Observe(evidence.Observation{Time: at(when), Subject: s, Fact: f,
			Source: evidence.Source{Kind: evidence.SourceKubeletLog, Node: "n1"}})
	}
	tl := history.Build(b.Build())
	if len(tl.Restarts) != 1 || !tl.Restarts[0].From.Started.Equal(at(300)) {
		t.Errorf("%+v", tl.Restarts)
	}
}

// A kubelet calls each new attempt at a sandbox a change. Where the event of the failures stands for earlier ones, the
// changes came after the first of these.
func TestAChangeOfASandboxThatCouldNotBeMadeIsNoRestart(t *testing.T) {
	for name, c := range map[string]struct {
		similar bool
		first   float64
		changes int
		want    timeline.Kind
	}{
		"the change was before":                {false, 17, 12, timeline.KindRestart},
		"the failures may have been before":    {true, 17, 12, timeline.KindRefused},
		"more changes than failures":           {true, 17, 22, timeline.KindRestart},
		"the failures were before":             {false, 1, 12, timeline.KindRefused},
		"the change was long before all of it": {true, 900, 12, timeline.KindRestart},
	} {
		b := evidence.NewBuilder(at(1000))
		see := func(when float64, f evidence.Fact) {
			b.Observe(evidence.Observation{Time: at(when), Fact: f,
				Subject: evidence.Subject{Namespace: "shop", Pod: "web-0"},
				Source:  evidence.Source{Kind: evidence.SourceAPI, Node: "n1"}})
		}
		see(c.first+4, evidence.SandboxChanged{Count: c.changes, First: at(1)})
		see(c.first+5, evidence.StartFailed{Reason: "CreatePodSandboxError", Count: 4, First: at(c.first),
			Similar: c.similar})
		tl := history.Build(b.Build())
		if len(tl.Restarts) != 1 || tl.Restarts[0].Kind != c.want {
			t.Errorf("%s: %+v, want %s", name, tl.Restarts, c.want)
		}
	}
}

// Words that a pod cannot be made are of the listed pod that has nothing yet, and say nothing of one that ran.
func TestWordsOfAPodThatIsListedAndNotMade(t *testing.T) {
	for name, c := range map[string]struct {
		state evidence.ContainerState
		ends  int
	}{
		"nothing of it runs": {"", 1},
		"it runs":            {evidence.StateRunning, 0},
	} {
		b := evidence.NewBuilder(at(1000))
		of := evidence.Subject{Namespace: "shop", Pod: "web-0", PodUID: evidence.Described + "shop/web-0", Container: "web"}
		b.Pod(evidence.Pod{UID: of.PodUID, Namespace: "shop", Name: "web-0", Phase: "Pending"})
		if c.state != "" {
			b.Observe(evidence.Observation{Time: at(5), Subject: of, Source: evidence.Source{Kind: evidence.SourceAPI},
				Fact: evidence.ContainerRecord{State: c.state, Started: at(5)}})
		}
		b.Observe(evidence.Observation{Time: at(9), Fact: evidence.StartFailed{Reason: "CreatePodSandboxError"},
			Subject: evidence.Subject{Namespace: "shop", Pod: "web-0", PodUID: evidence.Mentioned + "shop/web-0"},
			Source:  evidence.Source{Kind: evidence.SourceAPI}})
		if got := history.Build(b.Build()).Restarts; len(got) != c.ends {
			t.Errorf("%s: %d ends, want %d: %+v", name, len(got), c.ends, got)
		}
	}
}

// A line may know a pod by its UID alone, which is then its name.
func TestAPodWithoutANameIsCalledByItsUID(t *testing.T) {
	b := evidence.NewBuilder(at(1000))
	b.Observe(evidence.Observation{Time: at(1), Fact: evidence.StartFailed{Reason: "FailedMount"},
		Subject: evidence.Subject{PodUID: "u1"}, Source: evidence.Source{Kind: evidence.SourceKubeletLog, Node: "n1"}})
	tl := history.Build(b.Build())
	if len(tl.Restarts) != 1 || tl.Restarts[0].PodName != "u1" {
		t.Errorf("%+v", tl.Restarts)
	}
}

// A pod whose sandbox or volume came at last is no pod that never started, and loses a sandbox as others do.
func TestAPodThatWasMadeAtLastIsNotRefused(t *testing.T) {
	failed, unmade := evidence.StartFailed{Reason: "FailedMount"}, evidence.StartFailed{Reason: "CreatePodSandboxError"}
	event := func(reason string) evidence.Fact { return evidence.APIEvent{Reason: reason, Count: 1} }
	offline := evidence.StartFailed{Reason: evidence.NetworkNotReady}
	lost := evidence.SandboxChanged{Count: 1}
	const refused, restarted = timeline.KindRefused, timeline.KindRestart
	for name, c := range map[string]struct {
		seen []evidence.Fact // one a second
		want []timeline.Kind
	}{
		"it failed":                      {[]evidence.Fact{event("Scheduled"), failed}, []timeline.Kind{refused}},
		"a container was created":        {[]evidence.Fact{failed, event("Created")}, nil},
		"a container was started":        {[]evidence.Fact{failed, event("Started")}, nil},
		"its image is pulled":            {[]evidence.Fact{failed, evidence.ImageSeen{Image: "db:1"}}, nil},
		"its volume came":                {[]evidence.Fact{failed, event("SuccessfulAttachVolume")}, nil},
		"it failed later":                {[]evidence.Fact{event("Started"), failed}, []timeline.Kind{refused}},
		"it failed again":                {[]evidence.Fact{failed, event("Started"), failed}, []timeline.Kind{refused}},
		"what says nothing of its start": {[]evidence.Fact{failed, event("Scheduled")}, []timeline.Kind{refused}},
		"its sandbox was lost then":      {[]evidence.Fact{failed, event("Started"), lost}, []timeline.Kind{restarted}},
		"no sandbox, a start, none again": {[]evidence.Fact{unmade, event("Started"), lost},
			[]timeline.Kind{restarted}},
		"no sandbox, none again, a start": {[]evidence.Fact{unmade, lost, event("Started")}, nil},
		"a start, no sandbox, none again": {[]evidence.Fact{event("Started"), unmade, lost}, []timeline.Kind{refused}},
		"its node has no network yet":     {[]evidence.Fact{event("Scheduled"), offline}, []timeline.Kind{refused}},
		"a node without one for a while":  {[]evidence.Fact{event("Started"), offline}, nil},
		"such a node, and a pod that runs": {[]evidence.Fact{evidence.ContainerRecord{State: evidence.StateRunning},
			offline}, nil},
		"such a node, and a pod that waits": {[]evidence.Fact{evidence.ContainerRecord{State: evidence.StateWaiting},
			offline}, []timeline.Kind{refused}},
		"no network first after a boot":   {[]evidence.Fact{offline, lost}, []timeline.Kind{restarted}},
		"a volume came late after a boot": {[]evidence.Fact{failed, lost}, []timeline.Kind{restarted}},
	} {
		b := evidence.NewBuilder(at(1000))
		for i, f := range c.seen {
			b.Observe(evidence.Observation{Time: at(float64(i)), Fact: f,
				Subject: evidence.Subject{Namespace: "shop", Pod: "web-0"},
				Source:  evidence.Source{Kind: evidence.SourceAPI, Node: "n1", Where: evidence.EventPrefix + "shop/e"}})
		}
		var got []timeline.Kind
		for _, r := range history.Build(b.Build()).Restarts {
			got = append(got, r.Kind)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
