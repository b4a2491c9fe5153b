package finding

import (
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/basis"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file decides which logs are evidence by silence, and collects what weakens a proof.

// stored doubts what nothing vouches for: a pod known only from text for people, and a line about the old instance from
// a log store or a file that need not be a node's log. Anyone who can write there may have written it, and it may hide
// what contradicts the node's own log.
func (f *Findings) stored() {
	switch p := f.R.Pod; {
	case p == nil || !p.Described():
	case p.Mentioned():
		f.Doubt("only free text mentions its end, and the text does not say who wrote it and when")
	default:
		f.Doubt("its pod is known only from kubectl describe, a table or an excerpt of one, and these leave out most fields")
	}
	for _, m := range f.R.From.Marks {
		if _, entered := m.Obs.Fact.(evidence.ExecStarted); entered {
			continue // it rules nothing out
		}
		if o := m.Obs.Source.Origin; o != nil && o.Stored {
			f.Doubt("a line about it comes from a log store, a tool that reprints lines, or a file that may be a "+
				"container's output: nothing confirms who wrote it or whether lines are missing", m.Obs.ID)
		}
	}
}

// unnoticed doubts an end whose only evidence is the silence of a text log, and a death of the sandbox without an
// earlier request in one: a text log that lost a line shows no hole.
func (f *Findings) unnoticed() {
	kubelet, runtime, node := f.Witness.KubeletText, f.Witness.RuntimeText, &f.NodeEvents
	spoken := slices.ContainsFunc([]YesNo{f.Kill.Answer, f.OOM.Answer, f.End.Answer, f.Exit.Fault.Answer, node.Boot.Answer,
		node.Runtime.Answer, node.Down.Answer}, func(a YesNo) bool { return a == Yes }) ||
		f.Exit.NotStarted || f.Exit.Invented || f.Exit.Lost || f.R.Kind == timeline.KindNone
	switch {
	case spoken && (f.Sandbox.DiedFirst.Answer != Yes || !runtime && !kubelet):
	case f.Kill.Answer == No && kubelet, f.Stop.Answer == No && runtime, spoken:
		f.Doubt("the other causes are ruled out only because a text log does not mention them, and such a log " +
			"can lose lines without a trace")
	}
}

// unheard doubts that the node's log is of the machine that the instance ran on: the kubelet's covers all of its life,
// and names neither it nor its pod.
func (f *Findings) unheard() {
	in := f.R.From
	if f.Node == nil || in.Started.IsZero() || in.Finished.IsZero() {
		return
	}
	until := in.Finished.Add(tolerance.FirstRelist)
	ok, level := f.Node.Covered(evidence.SourceKubeletLog, in.Started, until, f.Node.Binds)
	if ok && level >= 2 && !slices.ContainsFunc(slices.Concat(in.Marks, f.R.PodMarks), func(m timeline.Occurrence) bool {
		return m.Obs.Source.Kind == evidence.SourceKubeletLog
	}) {
		f.Doubt("the kubelet's log covers the container's whole life but names neither it nor its pod: the log " +
			"may be from another machine of the same name")
	}
}

// unconfirmed doubts a kill or a stop request of which only text logs tell, and no event. The kubelet prints what
// probes and commands of any pod return, and journald splits that at each NUL: a text log does not show where, so that
// a container may have written whole lines of it. by are the logs that have the end: for a runtime, which prints
// nothing of containers, they suffice. A kill is also confirmed by the runtime's request right behind it in a journal.
func (f *Findings) unconfirmed(stop Point, at time.Time, by []*evidence.Origin) {
	if stop.Answer != Yes {
		return
	}
	alone, cites := false, stop.Cites()
	for _, m := range slices.Concat(f.R.From.Marks, f.R.PodMarks) {
		_, killed := m.Obs.Fact.(evidence.KillDecided)
		_, asked := m.Obs.Fact.(evidence.StopRequested)
		lag := m.At.Sub(at)
		asked = asked && f.Stop.Answer == Yes && lag >= -tolerance.StopBefore && lag <= tolerance.Asks
		ofAPI, cited := m.Obs.Source.Kind == evidence.SourceAPI, cites(m.Obs.ID)
		switch o := m.Obs.Source.Origin; {
		case ofAPI && (killed || cited), (cited || asked) && o.Counts(),
			cited && m.Obs.Source.Kind != evidence.SourceKubeletLog && slices.ContainsFunc(by, o.Same):
			return
		case cited:
			alone = true
		}
	}
	if alone {
		f.Doubt("only lines of a text log show the stop, and nothing confirms who wrote them", stop.Evidence...)
	}
}

// contradicted doubts a kill, or a stop request, that one log has, and another log of the same daemon does not,
// although it covers the moment and has the end: one of them is not what it seems, or lost a line.
func (f *Findings) contradicted(stop Point, kind evidence.SourceKind, level int) {
	if len(stop.Evidence) == 0 {
		return
	}
	var tell []*evidence.Origin
	cites := stop.Cites()
	for _, m := range slices.Concat(f.R.From.Marks, f.R.PodMarks) {
		if m.Obs.Source.Kind == kind && cites(m.Obs.ID) {
			tell = append(tell, m.Obs.Source.Origin)
		}
	}
	if len(tell) == 0 {
		return
	}
	testifies := f.Testifies(kind)
	covered, verbosity := f.Node.Covered(kind, stop.At, stop.At, func(o *evidence.Origin) bool {
		return testifies(o) && !slices.ContainsFunc(tell, o.Same)
	})
	if covered && verbosity >= level {
		f.Doubt("one log shows that it was stopped, but another log of the same daemon covers that moment and "+
			"does not", stop.Evidence...)
	}
}

// lastWords doubts that someone else requested a stop if the kubelet that ran then was gone before its log had the end,
// and nothing shows that it was stopped in order. A log that is written in blocks (klog's --log-file, buffers for infos
// since v1.24) then lacks the last block, and no number is missing.
func (f *Findings) lastWords() {
	if f.Kill.Answer != No || f.Stop.Answer != Yes || f.Node == nil {
		return
	}
	var seen, began time.Time
	for _, m := range f.R.From.Marks {
		switch m.Obs.Fact.(type) {
		case evidence.ContainerDied, evidence.ContainerFinished:
			if seen.IsZero() || m.At.Before(seen) {
				seen = m.At
			}
		}
	}
	for i := range f.Node.Kubelet {
		run := &f.Node.Kubelet[i]
		if run.Start.After(f.Stop.At) && run.Start.Before(seen) && !f.stoppedInOrder(began, run.Start) {
			f.Doubt("the kubelet that ran when the runtime got the stop request was gone before it logged the "+
				"end: its last lines may be lost", basis.IDs(run.Obs)...)
		}
		began = run.Start
	}
}

// stoppedInOrder reports whether systemd stopped the kubelet in [from, until].
func (f *Findings) stoppedInOrder(from, until time.Time) bool {
	return slices.ContainsFunc(timeline.Since(f.Node.AdminActions, from), func(m timeline.Occurrence) bool {
		e, ok := m.Obs.Fact.(evidence.UnitChanged)
		return ok && e.Change == "stopping" && strings.TrimSuffix(e.Unit, ".service") == "kubelet" && !m.At.After(until)
	})
}
