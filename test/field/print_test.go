package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/test/field/internal/entry"
	"github.com/restartwhy/kubectl-restartwhy/test/internal/score"
)

// made is an entry about a container that exits 3, with the truth to be filled in.
const made = `title: A worker ends
from: https://example.org/questions/7
settled: The asker found the setting that was missing
collectedAt: 2026-03-01T10:10:00Z
tier: 0
truths:
- {pod: shop/SECRET, container: app, cause: TRUTH, decidable: true}
-- pod.yaml --
apiVersion: v1
kind: Pod
metadata: {name: SECRET, namespace: shop, uid: 0b6b3a3c-5d1e-4a53-9a58-0d8f3f3f2c11,
	creationTimestamp: "2026-03-01T09:58:00Z"}
spec: {nodeName: n1, restartPolicy: Always, containers: [{name: app, image: shop/worker:1}]}
status:
  phase: Running
  startTime: "2026-03-01T09:58:00Z"
  containerStatuses:
  - {name: app, image: shop/worker:1, restartCount: 1, ready: true, containerID: containerd://2b,
	state: {running: {startedAt: "2026-03-01T10:00:01Z"}},
     lastState: {terminated: {exitCode: 3, reason: Error, startedAt: "2026-03-01T09:58:02Z",
	finishedAt: "2026-03-01T10:00:00Z", containerID: containerd://1a}}}
`

// write writes an entry; worker-ends is in the open half, worker-stops in the blind one.
func write(t *testing.T, dir, name, pod, truth string) {
	t.Helper()
	text := strings.NewReplacer("SECRET", pod, "TRUTH", truth).Replace(made)
	if err := os.WriteFile(filepath.Join(dir, name+".txtar"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestOfTheBlindHalfOnlyFiguresAreTold(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "worker-ends", "seen", "oom-container-limit")
	write(t, dir, "worker-stops", "unseen", "oom-node")
	var out strings.Builder
	err := field(context.Background(), &out, dir, "")
	if err == nil {
		t.Error("two wrong verdicts passed")
	}
	told := out.String() + err.Error()
	for _, want := range []string{"worker-ends", "shop/seen/app", "truth: oom-container-limit",
		"app-exit-error", "exited with code 3", "1 of 1 pages have entries in both halves",
		"| blind | API alone       | 1      |", "field: 2 entries, 2 truths, 0.0 % right"} {
		if !strings.Contains(told, want) {
			t.Errorf("%q is not told", want)
		}
	}
	for _, never := range []string{"worker-stops", "unseen", "oom-node"} {
		if strings.Contains(told, never) {
			t.Errorf("%q is told", never)
		}
	}
	if lines := strings.Split(strings.TrimSpace(out.String()), "\n"); !strings.HasPrefix(lines[len(lines)-1], "field: ") {
		t.Errorf("closes with %q", lines[len(lines)-1])
	}
	if t.Failed() {
		t.Log(told)
	}
}

func TestCausesWithoutAPodsNameAreCounted(t *testing.T) {
	silent := func(name string, nameless bool) judged {
		return judged{Judged: score.Judged{Outcome: score.Silent}, entry: &entry.Entry{Name: name}, nameless: nameless}
	}
	s := &sums{all: []judged{silent("worker-ends", true), silent("worker-ends", false), silent("worker-stops", false)}}
	var out strings.Builder
	s.withoutNames(&out)
	if want := "open: 2 silent, 1 of them with the cause at a pod without a name\n" +
		"blind: 1 silent, 0 of them with the cause at a pod without a name\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}

func TestOneEntryIsShownInFullUnlessItIsBlind(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "worker-ends", "seen", "app-exit-error")
	write(t, dir, "worker-stops", "unseen", "oom-node")
	var out strings.Builder
	if err := field(context.Background(), &out, dir, "worker-ends"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"A worker ends", "https://example.org/questions/7",
		"pod.yaml", "items:", "confidence:", "field: worker-ends, 1 of 1 truths right"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not shown:\n%s", want, out.String())
		}
	}
	out.Reset()
	if err := field(context.Background(), &out, dir, "worker-stops"); err == nil ||
		!strings.Contains(err.Error(), "blind half") || out.Len() > 0 {
		t.Errorf("a blind entry: %v, shown %q", err, out.String())
	}
	if err := field(context.Background(), &out, dir, "no-such"); err == nil {
		t.Error("an entry that is not there was shown")
	}
}

func TestTheLimits(t *testing.T) {
	yes := true
	verdict := func(name string, o score.Outcome, word string) judged {
		return judged{Judged: score.Judged{Outcome: o, Confidence: word}, entry: &entry.Entry{Name: name},
			truth: entry.Truth{Decidable: &yes}}
	}
	const seen, unseen = "worker-ends", "worker-stops"
	for name, c := range map[string]struct {
		more []judged
		want string
	}{
		"all right": {nil, ""},
		"an open question": {[]judged{verdict(seen, score.Vague, "possible"), verdict(seen, score.Honest, "possible")},
			""},
		"a wrong likely of fifty": {[]judged{verdict(seen, score.Wrong, "likely")}, ""},
		"two wrong likely of fifty": {[]judged{verdict(seen, score.Wrong, "likely"),
			verdict(unseen, score.Wrong, "likely")}, "likely is wrong"},
		"a wrong proven": {[]judged{verdict(unseen, score.WrongProven, "proven")}, "1 verdicts are wrongly proven"},
		"silence":        {[]judged{verdict(seen, score.Silent, "")}, "of 1 ends nothing is said"},
		"open questions in the blind half": {[]judged{verdict(unseen, score.Vague, "possible"),
			verdict(unseen, score.Vague, "possible"), verdict(unseen, score.Vague, "possible")}, "of the blind half are right"},
		"many open questions that are seen": {[]judged{verdict(seen, score.Vague, "possible"),
			verdict(seen, score.Vague, "possible"), verdict(seen, score.Vague, "possible")}, ""},
	} {
		s := &sums{all: c.more}
		for range 20 {
			s.all = append(s.all, verdict(unseen, score.Right, "likely"))
		}
		for range 30 {
			s.all = append(s.all, verdict(seen, score.Right, "likely"))
		}
		if err := s.verdict(); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	if (&sums{}).verdict() == nil {
		t.Error("judging nothing passed")
	}
}
