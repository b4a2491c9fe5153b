package verdict

import (
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/likelihood"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// quoted returns the first command in backquotes within a sentence.
func quoted(what string) string {
	_, rest, _ := strings.Cut(what, "`")
	command, _, closed := strings.Cut(rest, "`")
	if !closed {
		return ""
	}
	return command
}

// decideOnce caches decide: verdicts with the same remaining causes share one list.
func (j *Judge) decideOnce(v *report.Verdict) []report.Decide {
	if len(v.Alternatives) == 0 || v.Confidence == report.Proven {
		return nil
	}
	j.key = append(append(j.key[:0], v.Cause...), 0)
	for i := range v.Alternatives {
		j.key = append(append(j.key, v.Alternatives[i].Cause...), 0)
	}
	have, ok := j.told[string(j.key)]
	if !ok {
		have = decide(v)
		j.told[string(j.key)] = have
	}
	return have
}

// decide returns what would distinguish the causes that fit: for each piece of evidence the causes that it would show
// or rule out. A verdict without alternatives needs none.
func decide(v *report.Verdict) []report.Decide {
	if len(v.Alternatives) == 0 || v.Confidence == report.Proven {
		return nil
	}
	out := make([]report.Decide, 0, 1+len(v.Alternatives))
	add := func(cause, what string) {
		if what == "" {
			return
		}
		if i := slices.IndexFunc(out, func(d report.Decide) bool { return d.What == what }); i >= 0 {
			if !slices.Contains(out[i].Cause, cause) {
				out[i].Cause = append(out[i].Cause, cause)
			}
			return
		}
		out = append(out, report.Decide{Cause: []string{cause}, What: what, Command: quoted(what)})
	}
	if w, ok := likelihood.In(causes.ID(v.Cause)); ok {
		add(v.Cause, w.Decides)
	}
	for i := range v.Alternatives {
		add(v.Alternatives[i].Cause, v.Alternatives[i].Decides)
	}
	return out
}
