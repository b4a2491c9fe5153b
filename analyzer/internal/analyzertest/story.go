// Package analyzertest writes evidence by hand, for tests: a Story is one pod on one node, line by line as the sources
// report it. Every method adds what one source would have left behind and returns the story, so that a test reads like
// a log. Shipped code never imports it.
package analyzertest

import (
	"fmt"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// Never marks an observation without a time.
const Never = -1

// T0 is when stories begin.
var T0 = time.Date(2026, 11, 21, 7, 0, 0, 0, time.UTC)

// At returns a moment of a story, in seconds after T0.
func At(seconds float64) time.Time {
	return T0.Add(time.Duration(seconds * float64(time.Second)))
}

// Names in the one pod of a story.
const (
	Node      = "n1"
	Namespace = "shop"
	PodName   = "web-0"
	PodUID    = "0b222463-b4cd-48ff-b717-ecaa167c7f92"
	Container = "a"
	OldID     = "1111111111111111111111111111111111111111111111111111111111111111"
	NewID     = "2222222222222222222222222222222222222222222222222222222222222222"
	OldBox    = "5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a"
	NewBox    = "5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b"
	Image     = "docker.io/library/busybox:1"
)

// Story is the evidence of one pod.
type Story struct {
	Pod          evidence.Pod
	NodeInfo     evidence.Node
	Observations []evidence.Observation
	Coverage     []evidence.Coverage
	// Mute: the logs contain no more of the old instance's end than the observations do.
	Mute bool
}

// New begins a story: a pod with one container `a`, restart policy Always,
// grace 30 s, on a node with a current kubelet.
func New() *Story {
	return &Story{
		Pod: evidence.Pod{
			Namespace: Namespace, Name: PodName, UID: PodUID, Node: Node, CreatedAt: T0,
			Phase: "Running", RestartPolicy: "Always", GraceSeconds: 30,
			Containers: []evidence.Container{{Name: Container, Kind: evidence.KindApp, Image: Image}},
		},
		NodeInfo: evidence.Node{
			Name: Node, BootID: journal.Boot, Machine: journal.Machine, KubeletVersion: "v1.36.3",
			Runtime: "containerd://1.6.20",
		},
	}
}

// Spec changes the pod's only container.
func (s *Story) Spec(change func(*evidence.Container)) *Story {
	change(&s.Pod.Containers[0])
	return s
}

// Snapshot builds the evidence.
func (s *Story) Snapshot() *evidence.Snapshot {
	b := evidence.NewBuilder(At(3600))
	b.Node(s.NodeInfo)
	b.Pod(s.Pod)
	for _, o := range append(s.Observations, s.witnesses()...) {
		b.Observe(o)
	}
	for _, c := range s.Coverage {
		b.Cover(c)
	}
	return b.Build()
}

// Witness adds the log lines about the old instance's end, once and unless the story is mute.
func (s *Story) Witness() *Story {
	s.Observations = append(s.Observations, s.witnesses()...)
	s.Mute = true
	return s
}

// witnesses returns the lines about the old instance's end in logs that cover the story, where the story has none.
func (s *Story) witnesses() []evidence.Observation {
	told := map[evidence.SourceKind]bool{}
	var end time.Time
	for _, o := range s.Observations {
		if o.Subject.ContainerID != OldID {
			continue
		}
		switch f := o.Fact.(type) {
		case evidence.ContainerDied, evidence.ContainerFinished, evidence.TaskExited:
			told[o.Source.Kind] = true
		case evidence.ContainerRecord:
			if f.State == evidence.StateExited && (end.IsZero() || o.Source.Kind == evidence.SourceCRI) {
				end = f.Finished
			}
		}
	}
	more := &Story{}
	for _, c := range s.Coverage {
		at := end.Sub(T0).Seconds()
		switch {
		case end.IsZero() || told[c.Source] || s.Mute:
		case c.Source == evidence.SourceKubeletLog:
			more.Kubelet(at+0.4, OldID, evidence.ContainerDied{})
		case c.Source == evidence.SourceRuntimeLog:
			more.Runtime(at, OldID, evidence.TaskExited{})
		}
	}
	return more.Observations
}

// Add adds any observation about the pod.
func (s *Story) Add(kind evidence.SourceKind, at float64, subject evidence.Subject, f evidence.Fact) *Story {
	if subject.Node == "" {
		subject.Node = Node
	}
	o := evidence.Observation{Time: At(at), Subject: subject,
		Source: evidence.Source{Kind: kind, Node: Node, Where: "test/" + string(kind)}, Fact: f}
	if at == Never {
		o.Time = time.Time{}
	}
	o.Source.Vouched = true
	if kind != evidence.SourceAPI && kind != evidence.SourceCRI {
		o.Source.Origin = journal
	}
	o.Text = safetext.Clean(fmt.Sprintf("%s %+v", f.Statement(), f))
	s.Observations = append(s.Observations, o)
	return s
}

// OfPod is the story's pod as the subject of a statement.
func OfPod() evidence.Subject {
	return evidence.Subject{Namespace: Namespace, Pod: PodName, PodUID: PodUID}
}

// Of is the story's container in one of its instances, as the subject of a statement.
func Of(id string) evidence.Subject {
	p := OfPod()
	p.Container, p.ContainerID = Container, id
	return p
}

// Status adds the API's lastState and state: the old instance ran from start to end seconds and ended with the code and
// reason; the new one has run since.
func (s *Story) Status(start, end float64, code int32, reason string, again float64) *Story {
	s.Add(evidence.SourceAPI, end, Of(OldID), evidence.ContainerRecord{
		Kind: s.Pod.Containers[0].Kind, State: evidence.StateExited, Attempt: -1,
		Last: true, Started: At(start).Truncate(time.Second), Finished: At(end).Truncate(time.Second),
		ExitCode: &code, Reason: reason, RestartCount: -1,
	})
	if again > 0 {
		s.Add(evidence.SourceAPI, again, Of(NewID), evidence.ContainerRecord{
			Kind: s.Pod.Containers[0].Kind, State: evidence.StateRunning, Attempt: 1,
			Started: At(again).Truncate(time.Second), Image: s.Pod.Containers[0].Image, RestartCount: 1,
		})
	}
	return s
}

// Records adds the runtime's records of both instances.
func (s *Story) Records(start, end float64, code int32, reason string,
	again float64, change func(old, new *evidence.ContainerRecord)) *Story {
	older := evidence.ContainerRecord{State: evidence.StateExited, Attempt: 0,
		Created: At(start - 0.1), Started: At(start), Finished: At(end), ExitCode: &code,
		Reason: reason, Image: Image, RestartCount: 0}
	newer := evidence.ContainerRecord{State: evidence.StateRunning, Attempt: 1,
		Created: At(again - 0.1), Started: At(again), Image: Image, RestartCount: 1}
	if change != nil {
		change(&older, &newer)
	}
	o, n := Of(OldID), Of(NewID)
	o.SandboxID, n.SandboxID = OldBox, OldBox
	return s.Add(evidence.SourceCRI, end, o, older).Add(evidence.SourceCRI, again, n, newer)
}

// Event adds an API event about the container (it has no id).
func (s *Story) Event(at float64, f evidence.Fact) *Story {
	return s.Add(evidence.SourceAPI, float64(int(at)), Of(""), f)
}

// PodEvent adds an API event about the pod.
func (s *Story) PodEvent(at float64, f evidence.Fact) *Story {
	return s.Add(evidence.SourceAPI, float64(int(at)), OfPod(), f)
}

// Kubelet adds a line of the kubelet about an id.
func (s *Story) Kubelet(at float64, id string, f evidence.Fact) *Story {
	return s.Add(evidence.SourceKubeletLog, at, evidence.Subject{PodUID: PodUID, ContainerID: id}, f)
}

// KubeletPod adds a line of the kubelet about the pod.
func (s *Story) KubeletPod(at float64, f evidence.Fact) *Story {
	return s.Add(evidence.SourceKubeletLog, at, OfPod(), f)
}

// KubeletStarts adds the start of a kubelet.
func (s *Story) KubeletStarts(at float64, version string, pid int) *Story {
	return s.Add(evidence.SourceKubeletLog, at, evidence.Subject{}, evidence.KubeletStarted{Version: version, PID: pid})
}

// Runtime adds a line of the runtime about an id.
func (s *Story) Runtime(at float64, id string, f evidence.Fact) *Story {
	return s.Add(evidence.SourceRuntimeLog, at, evidence.Subject{ContainerID: id}, f)
}

// Kernel adds a line of the kernel about an id.
func (s *Story) Kernel(at float64, id string, f evidence.Fact) *Story {
	return s.Add(evidence.SourceKernelLog, at, evidence.Subject{ContainerID: id}, f)
}

// Events makes the API's events cover the whole story.
func (s *Story) Events() *Story { return s.cover(evidence.SourceAPI, 0) }

// Logs makes the logs of kubelet (at -v=2), runtime and kernel cover the story.
func (s *Story) Logs() *Story {
	return s.cover(evidence.SourceKubeletLog, 2).cover(evidence.SourceRuntimeLog,
		evidence.RuntimeTellsStops).cover(evidence.SourceKernelLog, 0)
}

// KubeletLog makes only the kubelet's log cover the story.
func (s *Story) KubeletLog() *Story { return s.cover(evidence.SourceKubeletLog, 2) }

func (s *Story) cover(kind evidence.SourceKind, verbosity int) *Story {
	node := Node
	if kind == evidence.SourceAPI {
		node = ""
	}
	s.Coverage = append(s.Coverage, evidence.Coverage{
		Source: kind, Node: node, From: At(-600), Until: At(3600), Verbosity: verbosity, Origin: journal,
	})
	return s
}

// journal is the origin of all logs of a story.
var journal = &evidence.Origin{Machine: "m1", Boot: "b1"}
