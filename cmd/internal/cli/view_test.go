package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/command"
	"github.com/restartwhy/kubectl-restartwhy/diag/bundle"
	"github.com/restartwhy/kubectl-restartwhy/diag/collect"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/tui"
)

// viewed is a viewing of the demo, in a directory of its own.
func viewed(t *testing.T) (*viewing, *collect.Collected) {
	t.Helper()
	t.Chdir(t.TempDir())
	env, _, _ := testEnv()
	o := newListOptions(env)
	o.sources.Demo = true
	v := &viewing{o: o, updates: make(chan tui.Update, 100)}
	g, err := o.sources.Gather(t.Context(), &o.scope, &command.ProgressBar{Tell: func(string, bool) {}})
	if err != nil {
		t.Fatal(err)
	}
	return v, g
}

func TestAFileForATicketIsNewAndPrivate(t *testing.T) {
	v, g := viewed(t)
	res, _ := v.o.analyse(g)
	var names []string
	for _, format := range []string{"markdown", "html", "markdown"} {
		name, err := v.write(t.Context(), format, res.Report, res.Details)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm() != 0o600 || info.Size() < 1000 {
			t.Errorf("%s: mode %v, %d bytes", name, info.Mode(), info.Size())
		}
	}
	if d := cmp.Diff([]string{"restartwhy-20261121-070000.md", "restartwhy-20261121-070000.html",
		"restartwhy-20261121-070000-2.md"}, names); d != "" {
		t.Error(d)
	}
	if _, err := v.write(t.Context(), "papyrus", res.Report, nil); err == nil ||
		!strings.Contains(err.Error(), "papyrus") {
		t.Errorf("an unknown format: %v", err)
	}
}

func TestSavingWritesTheNewestEvidence(t *testing.T) {
	v, g := viewed(t)
	if _, err := v.save(t.Context()); err == nil || !strings.Contains(err.Error(), "still being collected") {
		t.Errorf("before anything was collected: %v", err)
	}
	v.keep(g)
	name, err := v.save(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	b, err := bundle.Read(name, f, bundle.Options{Now: t0})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if b.Manifest.Tool != "kubectl-restartwhy test" || b.Manifest.CollectedAt.IsZero() {
		t.Errorf("manifest: %+v", b.Manifest)
	}
	if err := v.partly(); err != nil {
		t.Errorf("all could be had, and yet: %v", err)
	}
	g.Err = errors.New("events: forbidden")
	if err := v.partly(); !errors.Is(err, g.Err) {
		t.Errorf("what could not be had is not told at the end: %v", err)
	}
	if err := v.close(); err != nil {
		t.Error(err)
	}
}

func TestTheViewerIsGivenTheCatalogue(t *testing.T) {
	v, _ := viewed(t)
	o := v.options()
	if len(o.Causes) < 40 {
		t.Errorf("%d causes", len(o.Causes))
	}
	for _, c := range o.Causes {
		text := o.Explain(c.ID)
		if !strings.HasPrefix(text, "# "+c.ID) || strings.Contains(text, "```txtar") {
			t.Errorf("%s: %.80q", c.ID, text)
		}
	}
	if o.Explain("no-such-cause") != "" {
		t.Error("there is a page about nothing")
	}
	if o.Save != nil || !strings.Contains(o.CannotSave, "recording") {
		t.Error("a recording can be saved again")
	}
	v.o.sources.Demo = false
	if v.options().Save == nil {
		t.Error("a live run cannot be saved")
	}
}

// Collecting sends its steps and then the report; an empty scope is told in the
// viewer's place.
func TestCollectingFillsTheViewer(t *testing.T) {
	v, g := viewed(t)
	if err := g.Close(); err != nil {
		t.Fatal(err)
	}
	instead := v.collect(t.Context(), &command.ProgressBar{Tell: func(source string, done bool) {
		v.send(t.Context(), tui.Update{Progress: &tui.Progress{Source: source, Done: done}})
	}})
	if instead != nil {
		t.Fatalf("the viewer gives way: %v", instead())
	}
	close(v.updates)
	var got []string
	for u := range v.updates {
		switch {
		case u.Progress != nil && u.Progress.Done:
			got = append(got, "done "+u.Progress.Source)
		case u.Progress != nil:
			got = append(got, "begin "+u.Progress.Source)
		case u.Report != nil && u.Details != nil && len(u.Report.Items) > 50:
			got = append(got, "report")
		}
	}
	if d := cmp.Diff([]string{"begin demo", "done demo", "report"}, got); d != "" {
		t.Error(d)
	}
	_ = v.close()

	v, _ = viewed(t)
	v.o.filter.Cause = "no-such-cause"
	if instead = v.collect(t.Context(), &command.ProgressBar{Tell: func(string, bool) {}}); instead == nil {
		t.Fatal("an empty report is shown in the viewer")
	}
	if err := instead(); err != nil {
		t.Error(err)
	}
	v.o.sources.Demo, v.o.sources.From = false, []string{"nothing-there"}
	instead = v.collect(t.Context(), &command.ProgressBar{Tell: func(string, bool) {}})
	if instead == nil || instead() == nil {
		t.Error("an error is not told")
	}
}

// Who leaves while evidence is still being collected is not told that this failed.
func TestLeavingEarlyIsNoError(t *testing.T) {
	v, g := viewed(t)
	_ = g.Close()
	v.o.sources.Demo, v.o.sources.From = false, []string{"nothing-there"}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if instead := v.collect(ctx, &command.ProgressBar{Tell: func(string, bool) {}}); instead != nil {
		t.Errorf("the reader left and is told: %v", instead())
	}
	v.latest = &collect.Collected{Err: fmt.Errorf("ask the cluster: %w", context.Canceled),
		Close: func() error { return nil }}
	if err := v.partly(); err != nil {
		t.Errorf("the reader left and is told: %v", err)
	}
}

func TestNobodyWaitsForAReaderWhoHasLeft(t *testing.T) {
	v := &viewing{updates: make(chan tui.Update)}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	v.send(ctx, tui.Update{Notice: "late"})
	if collect.Pause(ctx, command.WatchEvery, time.Hour) {
		t.Error("it would look again")
	}
}

func ended(pod, instance, cause string, c report.Confidence) report.Item {
	it := report.Item{Namespace: "shop", Pod: pod, Container: "app", Time: new(t0),
		Verdict: report.Verdict{Cause: cause, Confidence: c}}
	if instance != "" {
		it.From = &report.Instance{ContainerID: instance}
	}
	return it
}

func TestWatchPrintsWhatIsNewOrJudgedAnew(t *testing.T) {
	n := &news{}
	base := []report.Item{ended("web", "c1", "app-exit-error", report.Likely), ended("db", "", "unknown", report.Unknown)}
	for _, round := range []struct {
		what  string
		items []report.Item
		want  []string
	}{
		{"the first round is all news", base, []string{"web app-exit-error", "db unknown"}},
		{"the same again is none", base, nil},
		{"another id is no news", func() []report.Item {
			i := ended("web", "c1", "app-exit-error", report.Likely)
			i.ID = "other"
			return []report.Item{i, base[1]}
		}(), nil},
		{"a surer verdict is", []report.Item{ended("web", "c1", "app-exit-error", report.Proven), base[1]},
			[]string{"web app-exit-error"}},
		{"so is another cause", []report.Item{ended("web", "c1", "oom-container-limit", report.Proven), base[1]},
			[]string{"web oom-container-limit"}},
		{"and another instance", []report.Item{ended("web", "c2", "oom-container-limit", report.Proven), base[1]},
			[]string{"web oom-container-limit"}},
		{"nothing at all is none", nil, nil},
	} {
		var got []string
		for _, it := range n.of(analyzer.Result{Report: &report.Report{Items: round.items}}).Report.Items {
			got = append(got, it.Pod+" "+it.Verdict.Cause)
		}
		if d := cmp.Diff(round.want, got); d != "" {
			t.Errorf("%s: %s", round.what, d)
		}
	}
}

// The kubelet's log tells of an end before the API server has its exit code.
func TestWatchWaitsForAnExitCodeThatIsOnItsWay(t *testing.T) {
	for what, c := range map[string]struct {
		change func(*report.Item)
		late   time.Duration
		rows   int
	}{
		"it ended a moment ago":          {nil, 2 * time.Second, 0},
		"this machine's clock is behind": {nil, -2 * time.Second, 0},
		"it ended a while ago":           {nil, time.Minute, 1},
		"its exit code is there":         {func(i *report.Item) { i.From.ExitCode = new(int32) }, 2 * time.Second, 1},
		"its cause is known without a code": {func(i *report.Item) { i.Verdict.Confidence = report.Likely },
			2 * time.Second, 1},
		"when it ended is not known": {func(i *report.Item) { i.Time = nil }, 0, 1},
	} {
		i := ended("web", "c1", "unknown", report.Unknown)
		if c.change != nil {
			c.change(&i)
		}
		n, r := &news{}, &report.Report{Items: []report.Item{i}, GeneratedAt: t0.Add(c.late)}
		if got := len(n.of(analyzer.Result{Report: r}).Report.Items); got != c.rows {
			t.Errorf("%s: %d rows, want %d", what, got, c.rows)
		}
		r.GeneratedAt = t0.Add(time.Hour)
		if got := len(n.of(analyzer.Result{Report: r}).Report.Items); got != 1-c.rows {
			t.Errorf("%s: %d rows later, want %d", what, got, 1-c.rows)
		}
	}
}

func TestWatchPrintsRowsWithoutTheirHeaderAgain(t *testing.T) {
	env, out, _ := testEnv()
	o := newListOptions(env)
	o.watch = true
	if err := o.prepare(nil); err != nil {
		t.Fatal(err)
	}
	r := &report.Report{Items: []report.Item{ended("web", "c1", "app-exit-error", report.Likely)}}
	r.Normalise()
	for _, first := range []bool{true, false} {
		if err := o.print(t.Context(), analyzer.Result{Report: r}, &evidence.Snapshot{}, first); err != nil {
			t.Fatal(err)
		}
	}
	if text := out.String(); strings.Count(text, "POD") != 1 || strings.Count(text, "app-exit-error") != 2 ||
		strings.Contains(text, "why not") {
		t.Errorf("printed:\n%s", text)
	}
	out.Reset()
	empty := &report.Report{}
	empty.Normalise()
	if err := o.print(t.Context(), analyzer.Result{Report: empty}, &evidence.Snapshot{}, false); err != nil ||
		out.Len() > 0 {
		t.Errorf("a round without news prints %q (%v)", out, err)
	}
}
