package history_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/history"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// A pod was described several times: each text has the id of the container that ran then, and the end of the one before
// without its id.
func TestDescriptionsOfOnePodAtSeveralTimes(t *testing.T) {
	at := func(minute int) time.Time { return time.Date(2026, 3, 1, 10, minute, 0, 0, time.UTC) }
	shown := func(b *evidence.Builder, id string, count, began, ended int, code int32, since int) {
		s := evidence.Subject{Namespace: "shop", Pod: "web-0", PodUID: "u", Container: "app"}
		src := evidence.Source{Kind: evidence.SourceAPI, Where: id}
		text := safetext.Clean("its state beside " + id)
		b.Observe(evidence.Observation{Subject: s, Source: src, Text: text, Fact: evidence.ContainerRecord{
			State: evidence.StateExited, Last: true, Attempt: -1, RestartCount: count, ExitCode: &code,
			Started: at(began), Finished: at(ended)}})
		s.ContainerID = id
		b.Observe(evidence.Observation{Subject: s, Source: src, Text: text, Fact: evidence.ContainerRecord{
			State: evidence.StateRunning, Attempt: count, RestartCount: count, Started: at(since)}})
	}
	for name, c := range map[string]struct {
		show func(*evidence.Builder)
		want []string
	}{
		"one": {func(b *evidence.Builder) { shown(b, "id-3", 3, 0, 5, 143, 6) }, []string{" 143 10:05 id-3"}},
		"the same one twice": {func(b *evidence.Builder) {
			shown(b, "id-3", 3, 0, 5, 143, 6)
			shown(b, "id-3", 3, 0, 5, 143, 6)
		}, []string{" 143 10:05 id-3"}},
		"one that ended at once": {func(b *evidence.Builder) { shown(b, "id-1", 1, 5, 5, 1, 5) }, []string{" 1 10:05 id-1"}},
		"before and after a restart": {func(b *evidence.Builder) {
			shown(b, "id-3", 3, 0, 5, 143, 6)
			shown(b, "id-4", 4, 6, 9, 1, 10)
		}, []string{" 143 10:05 id-3", "id-3 1 10:09 id-4"}},
		"after and before": {func(b *evidence.Builder) {
			shown(b, "id-4", 4, 6, 9, 1, 10)
			shown(b, "id-3", 3, 0, 5, 143, 6)
		}, []string{" 143 10:05 id-3", "id-3 1 10:09 id-4"}},
		"three times": {func(b *evidence.Builder) {
			shown(b, "id-3", 3, 0, 5, 143, 6)
			shown(b, "id-4", 4, 6, 9, 1, 10)
			shown(b, "id-5", 5, 10, 12, 2, 13)
		}, []string{" 143 10:05 id-3", "id-3 1 10:09 id-4", "id-4 2 10:12 id-5"}},
		"with a restart between that none shows": {func(b *evidence.Builder) {
			shown(b, "id-3", 3, 0, 5, 143, 6)
			shown(b, "id-5", 5, 10, 12, 2, 13)
		}, []string{" 143 10:05 id-3", "id-3 ? ? ", " 2 10:12 id-5"}},
	} {
		b := evidence.NewBuilder(at(20))
		b.Pod(evidence.Pod{Namespace: "shop", Name: "web-0", UID: "u", Phase: "Running"})
		c.show(b)
		var got []string
		for _, r := range history.Build(b.Build()).Restarts {
			code, end, next := "?", "?", ""
			if r.From.ExitCode != nil {
				code, end = fmt.Sprint(*r.From.ExitCode), r.From.Finished.Format("15:04")
			}
			if r.To != nil {
				next = r.To.ID
			}
			got = append(got, fmt.Sprintf("%s %s %s %s", r.From.ID, code, end, next))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
