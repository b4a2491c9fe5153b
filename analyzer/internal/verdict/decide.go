package verdict

import (
	"regexp"
	"slices"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/likelihood"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// quoted is a command within a sentence.
var quoted = regexp.MustCompile("`([^`]+)`")

// decide says what would tell the causes that fit from each other: for each piece of
// evidence the causes that it would show or rule out. A verdict that stands alone
// needs none.
func decide(v *report.Verdict) []report.Decide {
	if len(v.Alternatives) == 0 || v.Confidence == report.Proven {
		return nil
	}
	var out []report.Decide
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
		d := report.Decide{Cause: []string{cause}, What: what}
		if m := quoted.FindStringSubmatch(what); m != nil {
			d.Command = m[1]
		}
		out = append(out, d)
	}
	if w, ok := likelihood.In(causes.ID(v.Cause)); ok {
		add(v.Cause, w.Decides)
	}
	for i := range v.Alternatives {
		add(v.Alternatives[i].Cause, v.Alternatives[i].Decides)
	}
	return out
}
