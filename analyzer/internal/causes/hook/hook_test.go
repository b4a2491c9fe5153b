package hook

import (
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/causestest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

func TestHook(t *testing.T) {
	hook := func(f *finding.Findings) { f.R.Spec.PostStart, f.Hook = true, causestest.Yes(-4) }
	spec := func(f *finding.Findings) { f.R.Spec.PostStart = true }
	said := func(output string) func(*finding.Findings) {
		return func(f *finding.Findings) {
			hook(f)
			causestest.Killed(f, evidence.KillPostStart)
			f.R.From.Marks = append(f.R.From.Marks, timeline.Occurrence{Obs: &evidence.Observation{
				Fact: evidence.HookFailed{Hook: "PostStart", Output: safetext.Clean(output)}}})
		}
	}
	causestest.Run(t, Rules(), map[string]causestest.Row{
		"the kubelet's own words": {ID: causes.PostStartHookFailed,
			Code: 137, Change: func(f *finding.Findings) {
				spec(f)
				causestest.Killed(f, evidence.KillPostStart)
			}, Want: causes.Decisive},
		"a failed hook and the kill right after": {ID: causes.PostStartHookFailed,
			Code: 137, Change: func(f *finding.Findings) { hook(f); causestest.Killed(f, "") }, Want: causes.Decisive},
		"a failed hook and a kill much later": {ID: causes.PostStartHookFailed, Code: 137,
			Change: func(f *finding.Findings) {
				hook(f)
				f.Hook.At = causestest.End.Add(-time.Hour)
				causestest.Killed(f, "")
			}, Want: causes.Strong},
		"a failed hook and a kill by a probe": {ID: causes.PostStartHookFailed, Code: 137,
			Change: func(f *finding.Findings) { hook(f); causestest.Killed(f, evidence.KillLiveness) }, Want: causestest.Out},
		"its command went down with the process": {ID: causes.PostStartHookFailed, Code: 1,
			Change: said("command 'x' exited with 137: "),
			Want:   causes.Weak},
		"its command was killed, and nothing tells how the process ended": {ID: causes.PostStartHookFailed,
			Change: func(f *finding.Findings) { said("command 'x' exited with 137: ")(f); f.Exit = finding.Exit{} },
			Want:   causes.Weak},
		"nothing listens, and nothing tells how the process ended": {ID: causes.PostStartHookFailed,
			Change: func(f *finding.Findings) { said("dial tcp: connect: connection refused")(f); f.Exit = finding.Exit{} },
			Want:   causes.Decisive},
		"there was nothing to run it in any more": {ID: causes.PostStartHookFailed, Code: 1,
			Change: said("cannot exec in a stopped container: unknown"), Want: causes.Weak},
		"nothing listens any more": {ID: causes.PostStartHookFailed, Code: 1,
			Change: said("Get \"http://10.0.0.9:8080/\": dial tcp 10.0.0.9:8080: connect: connection refused"), Want: causes.Weak},
		"nothing listens yet, and SIGKILL ended it": {ID: causes.PostStartHookFailed, Code: 137,
			Change: said("Get \"http://10.0.0.9:8080/\": dial tcp 10.0.0.9:8080: connect: connection refused"), Want: causes.Decisive},
		"a hook that says of something else that it is gone": {ID: causes.PostStartHookFailed, Code: 1,
			Change: said("command 'x' exited with 3: , message: \"the database is not running\""), Want: causes.Decisive},
		"no hook in the spec":          {ID: causes.PostStartHookFailed, Code: 137, Want: causestest.Out},
		"no kill in the kubelet's log": {ID: causes.PostStartHookFailed, Code: 137, Change: spec, Want: causestest.Out},
		"a hook whose traces are gone": {ID: causes.PostStartHookFailed, Code: 137,
			Change: func(f *finding.Findings) {
				spec(f)
				f.Kill.Point, f.Hook = finding.Point{}, finding.Point{}
			}, Want: causes.Weak},
	})
}
