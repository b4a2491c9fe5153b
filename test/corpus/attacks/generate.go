package main

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/story"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/entry"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

// attack changes a true story in one way.
type attack struct {
	name, doc string
	// apply returns the changed story, or false if the attack does not fit. What is true of it is in its truths.
	apply func(*rand.Rand, *target) (*variant, bool)
}

// variant is a changed story.
type variant struct {
	how   string
	of    string // the story, if it is not the target
	entry *entry.Entry
	// less is the same without what the attack added: nothing may be proven with the addition that is not proven
	// without it. Nil if only the truths decide.
	less *entry.Entry
	// change alters the snapshot that the entry is read into; nil leaves it.
	change func(*evidence.Snapshot)
	// judge replaces the usual reading and judging.
	judge func() ([]string, *report.Report, error)
}

// target is a true story with one exited container of it.
type target struct {
	*entry.Entry
	*machine.Machine
	form  machine.Form
	truth int // index in the entry's truths
	pod   *podObject
	instance
	others []*target // other stories to take another log from
}

// instance is one that exited.
type instance struct {
	id            string
	code          int
	began, finish time.Time
	exact         bool // finish is known to better than a second
}

type podObject struct {
	Metadata struct{ Name, Namespace, UID string }
	Spec     struct {
		NodeName   string
		Containers []struct{ Name string }
	}
	Status struct{ ContainerStatuses, InitContainerStatuses []containerStatus }
}

type containerStatus struct {
	Name             string
	LastState, State struct {
		Terminated *struct {
			ExitCode              int
			ContainerID           string
			StartedAt, FinishedAt time.Time
		}
	}
}

// targets returns the containers of an entry whose newest exit has a truth.
func targets(e *entry.Entry) []*target {
	m := machine.Of(e)
	if m == nil {
		return nil
	}
	var list struct{ Items []podObject }
	if json.Unmarshal(e.Files["cluster/pods.json"], &list) != nil {
		return nil
	}
	var out []*target
	for i, t := range e.Truths {
		for p := range list.Items {
			pod := &list.Items[p]
			if pod.Metadata.Namespace+"/"+pod.Metadata.Name != t.Pod || t.Restart != 0 ||
				t.Cause == "" || pod.Spec.NodeName != m.Name {
				continue
			}
			for _, s := range append(pod.Status.ContainerStatuses, pod.Status.InitContainerStatuses...) {
				if in, ok := s.ended(); ok && s.Name == t.Container {
					in.exactly(e, m)
					out = append(out, &target{Entry: e, Machine: m, truth: i, pod: pod, instance: in})
				}
			}
		}
	}
	return out
}

func (s *containerStatus) ended() (instance, bool) {
	end := s.State.Terminated
	if end == nil {
		end = s.LastState.Terminated
	}
	if end == nil || end.ContainerID == "" || end.FinishedAt.IsZero() {
		return instance{}, false
	}
	_, id, _ := strings.Cut(end.ContainerID, "://")
	return instance{id: id, code: end.ExitCode, began: end.StartedAt, finish: end.FinishedAt}, true
}

// exactly looks for the exit in the runtime's records and log.
func (in *instance) exactly(e *entry.Entry, m *machine.Machine) {
	var records struct {
		Containers []struct {
			ID         string
			FinishedAt int64
		}
	}
	_ = json.Unmarshal(e.Files["nodes/"+m.Name+"/cri.json"], &records) // there may be none
	m.Each(func(_ *machine.Log, l *machine.Line) {
		exit := strings.Contains(l.Text, "TaskExit event") && strings.Contains(l.Text, in.id)
		if after := l.True.Sub(in.finish); exit && after >= 0 && after < 2*time.Second {
			in.finish, in.exact = l.True, true // it follows directly after the exit
		}
	})
	for _, c := range records.Containers {
		if c.ID == in.id && c.FinishedAt%1e9 != 0 {
			in.finish, in.exact = time.Unix(0, c.FinishedAt).UTC(), true
		}
	}
}

// undecided returns the entry with another truth for the target: nothing may be proven.
func (t *target) undecided(e *entry.Entry) *entry.Entry {
	c := *e
	c.Truths = append([]entry.Truth(nil), e.Truths...)
	c.Truths[t.truth].Cause = story.Undecided
	return &c
}

func (t *target) cause() string { return t.Truths[t.truth].Cause }

// put writes logs in the target's form, and the node's own ids into its object.
func (t *target) put(m *machine.Machine) *entry.Entry {
	e := m.Put(t.Entry, t.form)
	if t.form != machine.Text {
		t.Tell(e, "")
	}
	return e
}

// add adds a line of the node's own writer, with klog's or logrus' header.
func (t *target) add(m *machine.Machine, log string, at time.Time, l machine.Line) {
	to := m.Log(log)
	l.True = at
	for i := range to.Lines {
		if w := &to.Lines[i]; l.PID == 0 && l.Writer == w.Writer && l.Unit == w.Unit {
			l.PID = w.PID
		}
		if to.Lines[i].True.Before(at) {
			l.Boot = to.Lines[i].Boot
		}
	}
	to.Lines = append(to.Lines, l)
}
