package basis

import (
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Witness holds the logs that themselves have this instance's end.
type Witness struct {
	Kubelet, Runtime []*evidence.Origin
	Seen             time.Time // the time of their first line about the end
	// Text logs only: no log with numbered lines covers the time in which the kubelet's, or the runtime's, is silent.
	KubeletText, RuntimeText bool
}

// witnesses finds them. The kubelet's log has an end when PLEG sees it, at the same verbosity as a kill. The runtime's
// has the exit of the task; in versions without that line, the creation of this container and of the next one.
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

// Maker returns the runtime log with an instance's creation, or nil.
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

// texts reports whether the silence of one of those logs is that of text logs only.
func (f *Basis) texts(kind evidence.SourceKind, all []*evidence.Origin, silent bool, from, until time.Time) bool {
	if !slices.ContainsFunc(all, (*evidence.Origin).Counts) {
		return len(all) > 0
	}
	ok, _ := f.Node.Covered(kind, from, until, func(o *evidence.Origin) bool { return o.Counts() && f.Testifies(kind)(o) })
	return silent && !ok
}

// KubeletLogCovers reports whether the kubelet log that has this end covers the time, and its verbosity.
func (f *Basis) KubeletLogCovers(from, until time.Time) (ok bool, verbosity int) {
	return f.Node.Covered(evidence.SourceKubeletLog, from, until, f.Testifies(evidence.SourceKubeletLog))
}

// Testifies is the one rule of silence: a log's silence about this instance counts only if the log is of the same
// machine and itself has this instance's end. The kernel does not log ends by container: its log must be of the same
// boot as one that does, or of the one that the node reports.
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
