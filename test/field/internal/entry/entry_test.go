package entry

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/test/internal/score"
)

var known = []string{"app-exit-error", "app-signal", "oom-container-limit"}

// base is a made-up entry: a container that exits 3, as `kubectl get pod -o yaml` has it.
const base = `title: A worker ends
from: https://example.org/questions/7
settled: The asker found the setting that was missing
collectedAt: 2026-03-01T10:10:00Z
tier: 0
truths:
- {pod: shop/worker, container: app, cause: app-exit-error, decidable: true}
-- pod.yaml --
apiVersion: v1
kind: Pod
metadata: {name: worker, namespace: shop, uid: 0b6b3a3c-5d1e-4a53-9a58-0d8f3f3f2c11,
	creationTimestamp: "2026-03-01T09:58:00Z"}
spec:
  nodeName: n1
  restartPolicy: Always
  containers:
  - {name: app, image: shop/worker:1}
status:
  phase: Running
  startTime: "2026-03-01T09:58:00Z"
  containerStatuses:
  - name: app
    image: shop/worker:1
    restartCount: 1
    ready: true
    started: true
    containerID: containerd://2b00000000000000000000000000000000000000000000000000000000000002
    state: {running: {startedAt: "2026-03-01T10:00:01Z"}}
    lastState:
      terminated:
        exitCode: 3
        reason: Error
        startedAt: "2026-03-01T09:58:02Z"
        finishedAt: "2026-03-01T10:00:00Z"
        containerID: containerd://1a00000000000000000000000000000000000000000000000000000000000001
-- notes/what I tried.txt --
nothing helped
`

func parse(t *testing.T, text string) *Entry {
	t.Helper()
	e, err := Parse("worker-ends", []byte(text), known)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestAnEntryIsAnalysedAsADirectoryIs(t *testing.T) {
	r, err := parse(t, base).Report()
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Items) != 1 || r.Items[0].Pod != "worker" || r.Items[0].Verdict.Cause != "app-exit-error" {
		t.Errorf("items: %+v", r.Items)
	}
	if want := "2026-03-01 10:10:00 +0000 UTC"; r.GeneratedAt.String() != want {
		t.Errorf("generated at %s, want %s", r.GeneratedAt, want)
	}
	if len(r.Gaps) == 0 {
		t.Error("a file of no use is no gap")
	}
}

func TestWhatCannotBeReadIsAGap(t *testing.T) {
	head, _, _ := strings.Cut(base, "-- pod.yaml --")
	for name, files := range map[string]string{
		"nothing of a known kind": "-- notes.txt --\nnothing helped\n",
		"a broken object":         "-- pod.yaml --\nkind: [Pod\n",
	} {
		r, err := parse(t, head+files).Report()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if len(r.Gaps) == 0 || len(r.Items) != 0 || r.Kind != report.Kind {
			t.Errorf("%s: %d gaps, %d items", name, len(r.Gaps), len(r.Items))
		}
	}
}

func TestEntriesThatTestNothingAreRefused(t *testing.T) {
	parse(t, base)
	truth := "- {pod: shop/worker, container: app, cause: app-exit-error, decidable: true}"
	for name, c := range map[string]struct{ old, new, why string }{
		"no title":              {"title: A worker ends\n", "", "no title"},
		"no source":             {"from: https://example.org/questions/7\n", "", "page"},
		"a source without page": {"from: https://example.org/questions/7", "from: a colleague", "page"},
		"nobody settled it":     {"settled: The asker found the setting that was missing\n", "", "no settled"},
		"no time":               {"collectedAt: 2026-03-01T10:10:00Z\n", "", "no collectedAt"},
		"an unknown tier":       {"tier: 0", "tier: 3", "tier 3"},
		"no truths":             {truth, " []", "no truths"},
		"a pod without ns":      {"pod: shop/worker", "pod: worker", "namespace/name"},
		"an unknown cause":      {"cause: app-exit-error", "cause: gremlins", `"gremlins"`},
		"an unknown other word": {"decidable: true", "also: [gremlins], decidable: true", `"gremlins"`},
		"the same word twice":   {"decidable: true", "also: [app-exit-error], decidable: true", "twice"},
		"no decidable":          {", decidable: true", "", "no decidable"},
		"undecidable, no why":   {"decidable: true", "decidable: false", "no why"},
		"a restart before all":  {"decidable: true", "restart: -1, decidable: true", "restart -1"},
		"the same end twice":    {truth, truth + "\n" + truth, "truth 2"},
		"an unknown field":      {"title:", "tittle: x\ntitle:", "tittle"},
		"the same file twice":   {"-- notes/what I tried.txt --", "-- pod.yaml --", "twice"},
		"a file from outside":   {"-- pod.yaml --", "-- ../pod.yaml --", "inside"},
	} {
		text := strings.Replace(base, c.old, c.new, 1)
		if text == base {
			t.Errorf("%s: nothing was changed", name)
		}
		if _, err := Parse("worker-ends", []byte(text), known); err == nil ||
			!strings.Contains(err.Error(), c.why) || !strings.HasPrefix(err.Error(), "read entry worker-ends: ") {
			t.Errorf("%s: %v, want %q", name, err, c.why)
		}
	}
	for _, name := range []string{"Worker", "worker ends", "worker--ends", ""} {
		if _, err := Parse(name, []byte(base), known); err == nil {
			t.Errorf("the name %q passed", name)
		}
	}
	head, _, _ := strings.Cut(base, "-- pod.yaml --")
	if _, err := Parse("worker-ends", []byte(head), known); err == nil {
		t.Error("an entry without files passed")
	}
	for _, cause := range []string{"none", "unknown"} {
		parse(t, strings.Replace(base, "cause: app-exit-error", "cause: "+cause, 1))
	}
	parse(t, strings.Replace(base, "decidable: true", "also: [none], decidable: true", 1))
}

// `printf worker-ends | sha256sum` begins with 00, `printf worker-stops | sha256sum` with 35.
func TestTheNameDecidesTheHalf(t *testing.T) {
	for name, blind := range map[string]bool{"worker-ends": false, "worker-stops": true} {
		if e := (&Entry{Name: name}); e.Blind() != blind {
			t.Errorf("%s: blind %v, want %v", name, e.Blind(), blind)
		}
	}
}

func TestNamesThatNoFileHasAreNotAskedFor(t *testing.T) {
	e := &Entry{Truths: []Truth{{Pod: "shop/web-0"}}, Files: map[string][]byte{"pods.txt": []byte("web-0 0/1 Error")}}
	if diff := cmp.Diff([]string{"shop"}, e.Scored()[0].Untold); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestTheTruthsOfOtherEndsAreKnown(t *testing.T) {
	e := &Entry{Files: map[string][]byte{"pod.yaml": []byte("namespace: a, name: p")}, Truths: []Truth{
		{Pod: "a/p", Container: "app", Restart: 1, Cause: "app-signal", Also: []string{"oom-container-limit"}},
		{Pod: "a/p", Container: "app", Cause: "app-exit-error"},
		{Pod: "a/p", Container: "other", Cause: "unknown"},
	}}
	want := []score.Truth{
		{Pod: "a/p", Container: "app", Which: 1, Cause: "app-signal", Also: []string{"oom-container-limit"},
			Others: []string{"app-exit-error"}},
		{Pod: "a/p", Container: "app", Cause: "app-exit-error", Others: []string{"app-signal", "oom-container-limit"}},
		{Pod: "a/p", Container: "other", Cause: "unknown"},
	}
	if diff := cmp.Diff(want, e.Scored()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestLoadNamesAllThatItRefuses(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"worker-ends": base, "worker-stops": strings.Replace(base, "exitCode: 3", "exitCode: 4", 1),
		"twin": base, "untold": strings.Replace(base, "title: A worker ends\n", "", 1),
	} {
		if err := os.WriteFile(filepath.Join(dir, name+".txtar"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	all, err := Load(dir, []analyzer.Cause{{ID: "app-exit-error"}})
	if len(all) != 2 || all[0].Name != "twin" || all[1].Name != "worker-stops" {
		t.Errorf("loaded %d entries", len(all))
	}
	if err == nil || !strings.Contains(err.Error(), "worker-ends: its evidence is that of twin") ||
		!strings.Contains(err.Error(), "untold: no title") {
		t.Errorf("refused: %v", err)
	}
}
