package journal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
)

var now = time.UnixMicro(1795250000000000).UTC()

// fake is a journalctl.
type fake struct {
	args [][]string
	run  func(ctx context.Context, args []string, out io.Writer) error
}

func (f *fake) Run(ctx context.Context, args []string, out io.Writer) error {
	f.args = append(f.args, args)
	return f.run(ctx, args, out)
}

func collect(t *testing.T, o Options, run func(ctx context.Context, args []string, out io.Writer) error) (*fake,
	[]evidence.RawEvidence, []evidence.Gap) {
	t.Helper()
	f := &fake{run: run}
	if o.Dirs == nil {
		o.Dirs = []string{} // the machine that tests run on may have a journal
	}
	o.Runner, o.Now = f, func() time.Time { return now }
	pieces, gaps := NewSource("n3", o).Collect(context.Background())
	return f, pieces, gaps
}

func writes(s string) func(context.Context, []string, io.Writer) error {
	return func(_ context.Context, _ []string, out io.Writer) error {
		_, err := io.WriteString(out, s)
		return err
	}
}

func TestEachKindBecomesAFile(t *testing.T) {
	f, pieces, gaps := collect(t, Options{Since: now.Add(-time.Hour)}, writes(systemdEntry+kubeletEntry))
	if len(pieces) != 3 || len(gaps) != 0 {
		t.Fatalf("%d pieces, gaps %+v", len(pieces), gaps)
	}
	for i, path := range []string{"nodes/n3/journal/kubelet.export", "nodes/n3/journal/runtime.export",
		"nodes/n3/journal/kernel.export"} {
		if got := pieces[i].Files()[0].Path; got != path {
			t.Errorf("file %d is %s", i, got)
		}
		if !slices.Contains(f.args[i], "--since=@1795246400") || !slices.Contains(f.args[i], "--output=export") {
			t.Errorf("arguments %q", f.args[i])
		}
	}
	if !slices.Contains(f.args[0], "--unit=kubelet.service") || !slices.Contains(f.args[1], "--unit=containerd.service") ||
		!slices.Contains(f.args[2], "_TRANSPORT=kernel") {
		t.Errorf("arguments %q", f.args)
	}
}

func TestWhatIsStoredHasOnlyTheFieldsThatAreRead(t *testing.T) {
	_, pieces, _ := collect(t, Options{}, writes(withBinary("two\nlines")+kubeletEntry))
	got := filetest.Content(t, pieces[0])
	if strings.Contains(got, "secret") || strings.Contains(got, "_CMDLINE") {
		t.Errorf("a command line was stored:\n%s", got)
	}
	entries, bad, err := readAll(t, got)
	if err != nil || bad != nil || len(entries) != 2 || entries[0].Message != "two\nlines" || entries[1].PID != 81 {
		t.Errorf("reads back as %+v, bad %v, %v", entries, bad, err)
	}
}

func TestTroubleIsAGapWithAHint(t *testing.T) {
	for _, c := range []struct {
		name   string
		o      Options
		run    func(ctx context.Context, args []string, out io.Writer) error
		pieces int
		why    string
		hint   string
	}{
		{"nothing there", Options{}, writes("-- No entries --\n"), 0, "no entries", "other names"},
		{"no permission", Options{}, func(context.Context, []string, io.Writer) error {
			return errors.New("exit status 1: No journal files were opened due to insufficient permissions.")
		}, 0, "insufficient permissions", "root"},
		{"only the user's own journal", Options{}, func(_ context.Context, _ []string, out io.Writer) error {
			_, _ = io.WriteString(out, kubeletEntry)
			return errPartial
		}, 3, "no permission", "root"},
		{"it breaks off", Options{}, func(_ context.Context, _ []string, out io.Writer) error {
			_, _ = io.WriteString(out, kubeletEntry+kubeletEntry[:80])
			return errors.New("exit status 1: Input/output error")
		}, 3, "Input/output error", ""},
		{"a damaged entry", Options{}, writes(kubeletEntry + "damage\n\n" + kubeletEntry),
			3, "1 entries of journalctl were unreadable", ""},
		{"it never ends", Options{Timeout: 20 * time.Millisecond},
			func(ctx context.Context, _ []string, out io.Writer) error {
				_, _ = io.WriteString(out, kubeletEntry)
				<-ctx.Done()
				return ctx.Err()
			}, 3, "stopped at the entry of 2026-11-21T", ""},
		{"longer than the budget", Options{Budget: 1}, writes(strings.Repeat(kubeletEntry, 40_000)),
			3, "oldest", "shorter time window"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, pieces, gaps := collect(t, c.o, c.run)
			if len(pieces) != c.pieces || len(gaps) != 3 {
				t.Fatalf("%d pieces, gaps %+v", len(pieces), gaps)
			}
			if !strings.Contains(gaps[0].Why, c.why) || !strings.Contains(gaps[0].Hint, c.hint) || gaps[0].Node != "n3" {
				t.Errorf("gap %+v", gaps[0])
			}
		})
	}
}

func TestALogThatBrokeOffReachesOnlyToItsLastEntry(t *testing.T) {
	for name, c := range map[string]struct {
		err  error
		want time.Time
	}{"whole": {nil, now}, "broken off": {errors.New("exit status 1"),
		time.Date(2026, 11, 21, 8, 32, 36, 638962000, time.UTC)}} {
		_, pieces, _ := collect(t, Options{}, func(_ context.Context, _ []string, out io.Writer) error {
			_, _ = io.WriteString(out, kubeletEntry)
			return c.err
		})
		b := evidence.NewBuilder(now)
		pieces[0].Observe(b)
		if got := b.Build().Coverage; len(got) != 1 || !got[0].Until.Equal(c.want) {
			t.Errorf("%s: reaches to %+v", name, got)
		}
	}
}

func TestAnOldJournalctlIsAskedAgainWithoutTheOption(t *testing.T) {
	f, pieces, gaps := collect(t, Options{}, func(_ context.Context, args []string, out io.Writer) error {
		if slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, "--output-fields") }) {
			return errors.New("exit status 1: journalctl: unrecognized option '--output-fields=MESSAGE'")
		}
		return writes(kubeletEntry)(context.Background(), args, out)
	})
	if len(pieces) != 3 || len(gaps) != 0 || len(f.args) != 6 {
		t.Errorf("%d pieces, gaps %+v, %d calls", len(pieces), gaps, len(f.args))
	}
}

func TestWithoutJournalctlItIsSaidOnce(t *testing.T) {
	pieces, gaps := NewSource("n3", Options{Dirs: []string{},
		Runner: Command{filepath.Join(t.TempDir(), "journalctl-is-not-here")}}).Collect(context.Background())
	if len(pieces) != 0 || len(gaps) == 0 {
		t.Fatalf("%d pieces, gaps %+v", len(pieces), gaps)
	}
	pieces, gaps = NewSource("n3", Options{Dirs: []string{}, Runner: Command{"journalctl-is-not-here"}}).Collect(
		context.Background())
	if len(pieces) != 0 || len(gaps) != 1 || !strings.Contains(gaps[0].Hint, "run on the node") {
		t.Errorf("%d pieces, gaps %+v", len(pieces), gaps)
	}
}

func TestACommandsErrorTellsItsFirstLine(t *testing.T) {
	dir := t.TempDir()
	script := filepath.Join(dir, "journalctl")
	if err := os.WriteFile(script, []byte("#!/bin/sh\necho first >&2; echo second >&2; printf 'x=%s\\n' \"$1\"; exit 3\n"),
		0o755); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	err := Command{"sh", script}.Run(context.Background(), []string{"--no-pager"}, &out)
	if fmt.Sprint(err) != "exit status 3: first" || out.String() != "x=--no-pager\n" {
		t.Errorf("%v, output %q", err, out.String())
	}
	if err := (Command{}).Run(context.Background(), nil, io.Discard); err == nil {
		t.Error("no command is no error")
	}
}
