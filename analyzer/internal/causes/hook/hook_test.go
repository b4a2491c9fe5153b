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

type row struct {
	id     causes.ID
	code   int32
	change func(*finding.Findings)
	want   causes.Strength
}

func run(t *testing.T, rows map[string]row) {
	t.Helper()
	for name, c := range rows {
		t.Run(name, func(t *testing.T) {
			f := causestest.Base(c.code)
			if c.change != nil {
				c.change(f)
			}
			if got := causestest.Says(t, Rules(), c.id, f); got != c.want {
				t.Errorf("%s: strength %d, want %d (-1: contradicted, 0: silent)", c.id, got, c.want)
			}
		})
	}
}

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
	run(t, map[string]row{
		"the kubelet's own words": {causes.PostStartHookFailed,
			137, func(f *finding.Findings) { spec(f); causestest.Killed(f, evidence.KillPostStart) }, causes.Decisive},
		"a failed hook and the kill right after": {causes.PostStartHookFailed,
			137, func(f *finding.Findings) { hook(f); causestest.Killed(f, "") }, causes.Decisive},
		"a failed hook and a kill much later": {causes.PostStartHookFailed, 137, func(f *finding.Findings) {
			hook(f)
			f.Hook.At = causestest.End.Add(-time.Hour)
			causestest.Killed(f, "")
		}, causes.Strong},
		"a failed hook and a kill by a probe": {causes.PostStartHookFailed, 137,
			func(f *finding.Findings) { hook(f); causestest.Killed(f, evidence.KillLiveness) }, causestest.Out},
		"its command went down with the process": {causes.PostStartHookFailed, 1, said("command 'x' exited with 137: "),
			causes.Weak},
		"there was nothing to run it in any more": {causes.PostStartHookFailed, 1,
			said("cannot exec in a stopped container: unknown"), causes.Weak},
		"nothing listens any more": {causes.PostStartHookFailed, 1,
			said("Get \"http://10.0.0.9:8080/\": dial tcp 10.0.0.9:8080: connect: connection refused"), causes.Weak},
		"nothing listens yet, and SIGKILL ended it": {causes.PostStartHookFailed, 137,
			said("Get \"http://10.0.0.9:8080/\": dial tcp 10.0.0.9:8080: connect: connection refused"), causes.Decisive},
		"a hook that says of something else that it is gone": {causes.PostStartHookFailed, 1,
			said("command 'x' exited with 3: , message: \"the database is not running\""), causes.Decisive},
		"no hook in the spec":          {causes.PostStartHookFailed, 137, nil, causestest.Out},
		"no kill in the kubelet's log": {causes.PostStartHookFailed, 137, spec, causestest.Out},
		"a hook whose traces are gone": {causes.PostStartHookFailed, 137,
			func(f *finding.Findings) { spec(f); f.Kill.Point, f.Hook = finding.Point{}, finding.Point{} }, causes.Weak},
	})
}
