package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/test/field/internal/entry"
)

// What the analyzer infers is no evidence: it leaves the observations as they are, and finds the same in them again.
// The kubelet's lines about the life of containers (PLEG) name none up to 1.37, so their names are inferred.
func TestAnAnalysisLeavesTheEvidenceAlone(t *testing.T) {
	const pod, first, second = "web-0_shop(11111111-2222-3333-4444-555555555555)", "aa", "bb"
	log, at := "I0301 12:00:01.000000    1234 server.go:407] Version: v1.17.0\n", 1
	line := func(format string, args ...any) {
		at++
		log += fmt.Sprintf("I0301 12:00:%02d.000000    1234 kubelet.go:1953] "+format+"\n", append([]any{at}, args...)...)
	}
	pleg := func(kind, id string) {
		line(`SyncLoop (PLEG): %q, event: &pleg.PodLifecycleEvent{ID:"11111111-2222-3333-4444-555555555555", Type:%q, Data:"%s"}`,
			pod, kind, strings.Repeat(id, 32))
	}
	line(`SyncLoop (ADD, "api"): %q`, pod)
	pleg("ContainerStarted", "cc")
	pleg("ContainerStarted", first)
	pleg("ContainerDied", first)
	line(`back-off 10s restarting failed container=app pod=%s`, pod)
	pleg("ContainerStarted", second)
	pleg("ContainerDied", second)
	line(`back-off 20s restarting failed container=app pod=%s`, pod)
	e := &entry.Entry{Name: "pleg", CollectedAt: time.Date(2026, 3, 1, 13, 0, 0, 0, time.UTC),
		Files: map[string][]byte{"kubelet.log": []byte(log)}}
	snap, err := e.Observe()
	if err != nil {
		t.Fatal(err)
	}
	var before []evidence.Subject
	for _, o := range snap.Observations {
		before = append(before, o.Subject)
	}
	report := func() string {
		raw, err := json.Marshal(analyzer.Analyze(snap, analyzer.Options{GeneratedAt: e.CollectedAt}))
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	one := report()
	for i, o := range snap.Observations {
		if o.Subject != before[i] {
			t.Errorf("%s: %+v became %+v", o.Text, before[i], o.Subject)
		}
	}
	if again := report(); again != one {
		t.Errorf("analyzed again:\n%s\nfirst:\n%s", again, one)
	}
}
