package finding

import (
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file settles which logs may answer by silence, and gathers what shakes a proof.

// Doubt is something that does not fit with the rest of the evidence: no verdict is proven beside it.
type Doubt struct {
	Text     string
	Evidence []string
}

func (f *Findings) doubt(text string, evidence ...string) {
	if !slices.ContainsFunc(f.Doubts, func(d Doubt) bool { return d.Text == text }) {
		f.Doubts = append(f.Doubts, Doubt{text, evidence})
	}
}

// witness are the logs that tell of this instance's end themselves.
type witness struct {
	kubelet, runtime []*evidence.Origin
	seen             time.Time // when the first of their lines tells of the end
	// Texts alone: no log that numbers its lines covers the time in which the kubelet's, or the runtime's, is silent.
	kubeletText, runtimeText bool
}

// witnesses finds them. The kubelet's log tells of an end when PLEG sees it, at the same level
// as of a kill. The runtime's tells that the task is gone; where its version does not, it tells of
// this container's making and of that of the next one.
func (f *Findings) witnesses() {
	w := &f.witness
	for _, m := range f.R.From.Marks {
		switch m.Obs.Fact.(type) {
		case evidence.ContainerDied, evidence.ContainerFinished:
			w.kubelet = heard(w.kubelet, m)
		case evidence.TaskExited:
			w.runtime = heard(w.runtime, m)
		default:
			continue
		}
		if w.seen.IsZero() || m.At.Before(w.seen) {
			w.seen = m.At
		}
	}
	if len(w.runtime) > 0 || f.R.To == nil {
		return
	}
	if made := maker(f.R.From); made != nil && made.Same(maker(f.R.To)) {
		w.runtime = append(w.runtime, made)
	}
}

// maker is the log of the runtime that tells that an instance was made, or nil.
func maker(in *timeline.Instance) (o *evidence.Origin) {
	for _, m := range in.Marks {
		switch m.Obs.Fact.(type) {
		case evidence.RuntimeCreated, evidence.TaskStarted:
			o = m.Obs.Source.Origin
		}
	}
	return o
}

func heard(all []*evidence.Origin, m timeline.Occurrence) []*evidence.Origin {
	if o := m.Obs.Source.Origin; o != nil && !slices.Contains(all, o) {
		return append(all, o)
	}
	return all
}

// stored looks for a log as it was written. A store's is no witness: who may write there can have written it.
func (f *Findings) stored() {
	if f.R.Pod != nil && strings.HasPrefix(f.R.Pod.UID, evidence.Described) {
		f.doubt("its pod is known only from kubectl describe, a table or a piece of them, which leave most fields out")
	}
	var out []string
	for _, m := range f.R.From.Marks {
		o := m.Obs.Source.Origin
		if o == nil {
			continue
		}
		if !o.Stored {
			return
		}
		out = append(out, m.Obs.ID)
	}
	if len(out) == 0 && f.Node != nil {
		for _, k := range f.Node.Kubelet {
			if k.Obs != nil && k.Obs.Source.Origin != nil && k.Obs.Source.Origin.Stored {
				out = append(out, k.Obs.ID)
			}
		}
	}
	if len(out) > 0 {
		f.doubt("its log comes from a log store or a tool that reprints lines: nothing confirms who wrote a record or what "+
			"was left out", out[:min(len(out), 3)]...)
	}
}

// unnoticed doubts an end for which nothing speaks but the silence of a text log, and a death of the sandbox before
// which nobody is heard of in one: a line that it lost leaves no hole in it.
func (f *Findings) unnoticed() {
	kubelet, runtime, node := f.witness.kubeletText, f.witness.runtimeText, &f.NodeEvents
	spoken := slices.ContainsFunc([]YesNo{f.Kill.Answer, f.OOM.Answer, f.End.Answer, f.Exit.Fault.Answer, node.Boot.Answer,
		node.Runtime.Answer, node.Down.Answer}, func(a YesNo) bool { return a == Yes }) ||
		f.Exit.NotStarted || f.Exit.Invented || f.Exit.Lost || f.R.Kind == timeline.KindNone
	switch {
	case spoken && (f.Sandbox.DiedFirst.Answer != Yes || !runtime && !kubelet):
	case f.Kill.Answer == No && kubelet, f.Stop.Answer == No && runtime, spoken:
		f.doubt("nothing but the silence of a text log rules the rest out, and no trace would show that it lost a line")
	}
}

// unconfirmed doubts a kill or a request to stop of which only a text log tells that does not tell of the end, and no
// event: who may write into such a log may have written these lines. by are the logs that tell of the end.
func (f *Findings) unconfirmed(stop Point, by []*evidence.Origin) {
	alone := false
	for _, m := range slices.Concat(f.R.From.Marks, f.R.PodMarks) {
		_, killed := m.Obs.Fact.(evidence.KillDecided)
		ofAPI, cited := m.Obs.Source.Kind == evidence.SourceAPI, slices.Contains(stop.Evidence, m.Obs.ID)
		switch o := m.Obs.Source.Origin; {
		case ofAPI && (killed || cited), cited && (o.Counts() || slices.ContainsFunc(by, o.Same)):
			return
		case cited:
			alone = true
		}
	}
	if alone && stop.Answer == Yes {
		f.doubt("only lines of a text log tell of the stop, and that log does not tell of the end", stop.Evidence...)
	}
}

// texts settles whether the silence of one of those logs is that of texts alone.
func (f *Findings) texts(kind evidence.SourceKind, all []*evidence.Origin, silent bool, from, until time.Time) bool {
	if !slices.ContainsFunc(all, (*evidence.Origin).Counts) {
		return len(all) > 0
	}
	ok, _ := f.Node.Covered(kind, from, until, func(o *evidence.Origin) bool { return o.Counts() && f.testifies(kind)(o) })
	return silent && !ok
}

// KubeletLogCovers reports whether the kubelet's log that tells of this end covers the time, and its verbosity.
func (f *Findings) KubeletLogCovers(from, until time.Time) (ok bool, verbosity int) {
	return f.Node.Covered(evidence.SourceKubeletLog, from, until, f.testifies(evidence.SourceKubeletLog))
}

// testifies is the one rule of silence: a log's silence about this instance counts only if the log is of
// the same machine and itself tells of this instance's end. The kernel names no containers that end: its
// log has to be of the same boot as one that does, or of the one that the node reports.
func (f *Findings) testifies(kind evidence.SourceKind) func(*evidence.Origin) bool {
	return func(o *evidence.Origin) bool {
		switch kind {
		case evidence.SourceKubeletLog:
			return slices.ContainsFunc(f.witness.kubelet, o.Same)
		case evidence.SourceRuntimeLog:
			return slices.ContainsFunc(f.witness.runtime, o.Same)
		}
		return slices.ContainsFunc(f.witness.kubelet, o.Same) || slices.ContainsFunc(f.witness.runtime, o.Same) ||
			o != nil && o.Boot != "" && o.Boot == f.Node.Info.BootID && f.Node.Binds(o)
	}
}
