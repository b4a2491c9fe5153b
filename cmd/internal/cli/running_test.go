package cli

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/command"
	"github.com/restartwhy/kubectl-restartwhy/diag/collect"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

func TestAPodWithoutRestartsSaysSinceWhenItRuns(t *testing.T) {
	t0 := time.Date(2026, 11, 21, 7, 0, 0, 0, time.UTC)
	zero := int32(0)
	base := evidence.ContainerRecord{State: evidence.StateRunning, Started: t0, RestartCount: 0}
	cases := map[string]struct {
		change    func(f *evidence.ContainerRecord)
		container string
		want      string
	}{
		"it runs": {func(*evidence.ContainerRecord) {}, "",
			"shop/web-0 container app: has been running for 3h, since 2026-11-21 07:00:00Z, and never restarted\n"},
		"it restarted before": {func(f *evidence.ContainerRecord) { f.RestartCount = 2 },
			"", "shop/web-0 container app: has been running for 3h, since 2026-11-21 07:00:00Z\n"},
		"it is to be started": {func(f *evidence.ContainerRecord) {
			f.State, f.Reason = evidence.StateWaiting, "ContainerCreating"
		}, "", "shop/web-0 container app: has not been started: ContainerCreating\n"},
		"a job that is done": {func(f *evidence.ContainerRecord) { f.State, f.ExitCode = evidence.StateExited, &zero },
			"", "shop/web-0 container app: completed, as expected\n"},
		"another container":    {func(*evidence.ContainerRecord) {}, "b", ""},
		"the container itself": {func(*evidence.ContainerRecord) {}, "app", "shop/web-0 container app: has been running"},
		"when it began is unknown": {func(f *evidence.ContainerRecord) { f.Started = time.Time{} },
			"", "shop/web-0 container app: runs, and never restarted\n"},
	}
	for name, c := range cases {
		f := base
		c.change(&f)
		b := evidence.NewBuilder(t0.Add(3 * time.Hour))
		for _, pod := range []string{"web-0", "web-1"} {
			b.Pod(evidence.Pod{Namespace: "shop", Name: pod, UID: "u-" + pod, Containers: []evidence.Container{{Name: "app"}}})
			b.Observe(evidence.Observation{Subject: evidence.Subject{Namespace: "shop",
				Pod: pod, PodUID: "u-" + pod, Container: "app"}, Source: evidence.Source{Kind: evidence.SourceAPI}, Fact: f})
		}
		o := command.Scope{Scope: collect.Scope{Namespace: "shop", Targets: []collect.Target{{Kind: "pod", Name: "web-0"}}}}
		var out bytes.Buffer
		running(&out, b.Build(), o.Asked(), c.container)
		if got := out.String(); !strings.HasPrefix(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	workload := command.Scope{Scope: collect.Scope{Targets: []collect.Target{{Kind: "deployment", Name: "web"}}}}
	if workload.Asked() != nil || (&command.Scope{}).Asked() != nil {
		t.Error("only a pod that was named is told of")
	}
}
