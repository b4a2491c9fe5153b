package basis

import (
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Witness are the logs that tell of this instance's end themselves.
type Witness struct {
	Kubelet, Runtime []*evidence.Origin
	Seen             time.Time // when the first of their lines tells of the end
	// Texts alone: no log that numbers its lines covers the time in which the kubelet's, or the runtime's, is silent.
	KubeletText, RuntimeText bool
}

// witnesses finds them. The kubelet's log tells of an end when PLEG sees it, at the same level
// as of a kill. The runtime's tells that the task is gone; where its version does not, it tells of
// this container's making and of that of the next one.
func (f *Basis) witnesses() {
	w := &f.Witness
	for _, m := range f.R.From.Marks {
		switch m.Obs.Fact.(type) {
		case evidence.ContainerDied, evidence.ContainerFinished:
			w.Kubelet = heard(w.Kubelet, m)
		case evidence.TaskExited:
			w.Runtime = heard(w.Runtime, m)
		default:
			continue
		}
		if w.Seen.IsZero() || m.At.Before(w.Seen) {
			w.Seen = m.At
		}
	}
	if len(w.Runtime) > 0 || f.R.To == nil {
		return
	}
	if made := Maker(f.R.From); made != nil && made.Same(Maker(f.R.To)) {
		w.Runtime = append(w.Runtime, made)
	}
}

// Maker is the log of the runtime that tells that an instance was made, or nil.
func Maker(in *timeline.Instance) (o *evidence.Origin) {
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

// texts settles whether the silence of one of those logs is that of texts alone.
func (f *Basis) texts(kind evidence.SourceKind, all []*evidence.Origin, silent bool, from, until time.Time) bool {
	if !slices.ContainsFunc(all, (*evidence.Origin).Counts) {
		return len(all) > 0
	}
	ok, _ := f.Node.Covered(kind, from, until, func(o *evidence.Origin) bool { return o.Counts() && f.Testifies(kind)(o) })
	return silent && !ok
}

// KubeletLogCovers reports whether the kubelet's log that tells of this end covers the time, and its verbosity.
func (f *Basis) KubeletLogCovers(from, until time.Time) (ok bool, verbosity int) {
	return f.Node.Covered(evidence.SourceKubeletLog, from, until, f.Testifies(evidence.SourceKubeletLog))
}

// Testifies is the one rule of silence: a log's silence about this instance counts only if the log is of
// the same machine and itself tells of this instance's end. The kernel names no containers that end: its
// log has to be of the same boot as one that does, or of the one that the node reports.
func (f *Basis) Testifies(kind evidence.SourceKind) func(*evidence.Origin) bool {
	return func(o *evidence.Origin) bool {
		switch kind {
		case evidence.SourceKubeletLog:
			return slices.ContainsFunc(f.Witness.Kubelet, o.Same)
		case evidence.SourceRuntimeLog:
			return slices.ContainsFunc(f.Witness.Runtime, o.Same)
		}
		return slices.ContainsFunc(f.Witness.Kubelet, o.Same) || slices.ContainsFunc(f.Witness.Runtime, o.Same) ||
			o != nil && o.Boot != "" && o.Boot == f.Node.Info.BootID && f.Node.Binds(o)
	}
}
