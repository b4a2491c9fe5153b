package finding

import (
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file settles which logs may answer by silence, and gathers what shakes a proof.

// stored looks for a log as it was written. A store's is no witness: who may write there can have written it.
func (f *Findings) stored() {
	if f.R.Pod != nil && strings.HasPrefix(f.R.Pod.UID, evidence.Described) {
		f.Doubt("its pod is known only from kubectl describe, a table or a piece of them, which leave most fields out")
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
		f.Doubt("its log comes from a log store or a tool that reprints lines: nothing confirms who wrote a record or what "+
			"was left out", out[:min(len(out), 3)]...)
	}
}

// unnoticed doubts an end for which nothing speaks but the silence of a text log, and a death of the sandbox before
// which nobody is heard of in one: a line that it lost leaves no hole in it.
func (f *Findings) unnoticed() {
	kubelet, runtime, node := f.Witness.KubeletText, f.Witness.RuntimeText, &f.NodeEvents
	spoken := slices.ContainsFunc([]YesNo{f.Kill.Answer, f.OOM.Answer, f.End.Answer, f.Exit.Fault.Answer, node.Boot.Answer,
		node.Runtime.Answer, node.Down.Answer}, func(a YesNo) bool { return a == Yes }) ||
		f.Exit.NotStarted || f.Exit.Invented || f.Exit.Lost || f.R.Kind == timeline.KindNone
	switch {
	case spoken && (f.Sandbox.DiedFirst.Answer != Yes || !runtime && !kubelet):
	case f.Kill.Answer == No && kubelet, f.Stop.Answer == No && runtime, spoken:
		f.Doubt("nothing but the silence of a text log rules the rest out, and no trace would show that it lost a line")
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
		f.Doubt("only lines of a text log tell of the stop, and that log does not tell of the end", stop.Evidence...)
	}
}
