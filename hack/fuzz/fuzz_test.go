package main

import (
	"context"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
)

const going = `fuzz: elapsed: 0s, gathering baseline coverage: 0/7 completed
fuzz: elapsed: 0s, gathering baseline coverage: 7/7 completed, now fuzzing with 2 workers
fuzz: elapsed: 2s, execs: 1234 (617/sec), new interesting: 3 (total: 10)
`

func TestWhatATargetWroteIsRead(t *testing.T) {
	input := filepath.Join("/src/p", "testdata", "fuzz", "FuzzX", "5838cdfae7b16cde")
	for name, c := range map[string]struct {
		text   string
		failed bool
		want   result
	}{
		"a target that found nothing": {going + "PASS\n", false, result{runs: 1234, found: 3}},
		"a target that only came to run its seeds": {
			"fuzz: elapsed: 0s, gathering baseline coverage: 0/7 completed\nfuzz: elapsed: 2s, gathering baseline coverage: 5/7 completed\nPASS\n", false, result{runs: 5}},
		"an input that breaks it": {
			going +
				"--- FAIL: FuzzX (0.04s)\n    --- FAIL: FuzzX (0.00s)\n        x_test.go:9: wrong\n\n    Failing input written to testdata/fuzz/FuzzX/5838cdfae7b16cde\n    To re-run:\n    go test -run=FuzzX/5838cdfae7b16cde\nFAIL\n",
			true, result{runs: 1234, found: 3, input: input, broken: true},
		},
		"a seed that breaks it": {
			"--- FAIL: FuzzX (0.04s)\n    --- FAIL: FuzzX/seed#3 (0.00s)\n        x_test.go:9: wrong\nFAIL\n",
			true, result{broken: true}},
		"a crash before anything ran": {"panic: in init\n", true, result{broken: true}},
		"the end of its time met an input that was being worked on": {going +
			"--- FAIL: FuzzX (2.01s)\n    context deadline exceeded\nFAIL\n", true, result{runs: 1234, found: 3}},
		"a test that fails by a deadline of its own": {
			going +
				"--- FAIL: FuzzX (0.04s)\n    --- FAIL: FuzzX (0.00s)\n        x_test.go:9: read: context deadline exceeded\n\n    Failing input written to testdata/fuzz/FuzzX/5838cdfae7b16cde\nFAIL\n",
			true, result{runs: 1234, found: 3, input: input, broken: true},
		},
		"a seed that fails by a deadline of its own": {
			"--- FAIL: FuzzX (0.04s)\n    --- FAIL: FuzzX/seed#3 (0.00s)\n    context deadline exceeded\nFAIL\n",
			true, result{broken: true}},
	} {
		t.Run(name, func(t *testing.T) {
			if c.want.broken {
				c.want.output = c.text
			}
			if got := read(c.text, "/src/p", c.failed); got != c.want {
				t.Errorf("got %+v\nwant %+v", got, c.want)
			}
		})
	}
}

func TestTheFiguresAddUpAndAFailureIsPrintedInFull(t *testing.T) {
	var out strings.Builder
	s := sums{packages: 1}
	s.add(&out, "p.FuzzA", result{runs: 10, found: 1, took: time.Second})
	s.add(&out, "p.FuzzB", result{runs: 5, broken: true, output: "it broke\n", input: "/src/p/testdata/fuzz/FuzzB/1"})
	s.print(&out, time.Second)
	want := `ok    p.FuzzA  10 runs, 1 new, 1.0s
it broke
FAIL  p.FuzzB  5 runs, 0 new, 0.0s
      the input is in /src/p/testdata/fuzz/FuzzB/1
fuzz: 2 targets of 1 packages, 1s each: 15 runs, 1 broke
`
	if out.String() != want {
		t.Errorf("printed\n%s\nwant\n%s", out.String(), want)
	}
}

func TestTargetsAreFoundAsTheTestingPackageDoes(t *testing.T) {
	for text, want := range map[string]string{
		"func FuzzRead(f *testing.F) {":        "FuzzRead",
		"func Fuzz(f *testing.F) {":            "Fuzz",
		"func Fuzz2(b *testing.F) {":           "Fuzz2",
		"func Fuzzy(f *testing.F) {":           "", // a helper, by its lower-case letter
		"func FuzzRead(t *testing.T) {":        "",
		"\tfunc FuzzInner(f *testing.F) {":     "",
		"// func FuzzComment(f *testing.F) {":  "",
		"func FuzzMore(f *testing.F, x int) {": "",
	} {
		got := ""
		if m := declared.FindStringSubmatch(text); m != nil {
			got = m[1]
		}
		if got != want {
			t.Errorf("%q: found %q, want %q", text, got, want)
		}
	}
	p := pkg{path: "m.example/a/b", module: "m.example", targets: []string{"FuzzA", "FuzzB"}}
	if got := matching(regexp.MustCompile(`a/b\.FuzzB`), p); !slices.Equal(got, []string{"FuzzB"}) {
		t.Errorf("wanted a/b.FuzzB, got %v", got)
	}
	if got := (pkg{path: "m.example", module: "m.example"}).short(); got != "." {
		t.Errorf("the module's own package is called %q", got)
	}
}

// module writes a module of small packages and makes it the current directory.
func module(t *testing.T, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	files["go.mod"] = "module m.example\n\ngo 1.26.0\n"
	filetest.Into(t, dir, files)
	t.Chdir(dir)
	return dir
}

// target returns a test file with one target, whose body uses n and s.
func target(name, body string) string {
	return "package p\n\nimport \"testing\"\n\nfunc " + name +
		"(f *testing.F) {\n\tf.Add(1, \"seed\")\n\tf.Fuzz(func(t *testing.T, n int, s string) {\n" + body + "\n\t})\n}\n"
}

// Two packages with the same name: one target holds, one breaks.
func TestAnInputThatBreaksATargetFailsTheRunAndIsKept(t *testing.T) {
	dir := module(t, map[string]string{
		"a/p/p_test.go":  target("FuzzHolds", "if n == 0 && s != s { t.Error(s) }"),
		"b/p/p_test.go":  target("FuzzBreaks", "if n != 1 { t.Error(n) }"),
		"none/p_test.go": "package none\n\nimport \"testing\"\n\nfunc TestIt(t *testing.T) {}\n",
	})
	o := options{each: 300 * time.Millisecond, grace: time.Minute, cache: filepath.Join(dir, "found")}
	if err := fuzz(context.Background(), o, nil); err == nil || !strings.Contains(err.Error(), "1 of 2 targets broke") {
		t.Errorf("a target that breaks gives %v", err)
	}
	if kept, err := filepath.Glob(filepath.Join(dir, "b", "p", "testdata", "fuzz", "FuzzBreaks", "*")); err != nil ||
		len(kept) != 1 {
		t.Errorf("the input was not kept: %v, %v", kept, err)
	}
	o.only = "Holds"
	if err := fuzz(context.Background(), o, nil); err != nil {
		t.Errorf("a target that holds gives %v", err)
	}
	o.only = "Nobody"
	if err := fuzz(context.Background(), o, nil); err == nil {
		t.Error("a run of nothing passed")
	}
	o.only = "("
	if err := fuzz(context.Background(), o, nil); err == nil {
		t.Error("what is no regular expression passed")
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if err := fuzz(ctx, options{each: time.Second}, nil); err == nil {
		t.Error("a run that was stopped passed")
	}
}

// Without the compiler's counters nothing guides the search, and no input is new.
func TestTheSearchIsGuidedThroughThePackage(t *testing.T) {
	module(t, map[string]string{
		"p/p.go":      "package p\n\nfunc steps(s string) (n int) {\n\tfor _, c := range s {\n\t\tswitch {\n\t\tcase c > 'm':\n\t\t\tn += 3\n\t\tcase c < 'A':\n\t\t\tn--\n\t\tcase c == 'e':\n\t\t\tn *= 2\n\t\t}\n\t}\n\treturn n\n}\n",
		"p/p_test.go": target("FuzzSteps", "if steps(s) != steps(s) { t.Error(s) }"),
	})
	ctx := context.Background()
	all, err := packages(ctx, []string{"./..."})
	if err != nil || len(all) != 1 {
		t.Fatalf("found %+v, %v", all, err)
	}
	if err := build(ctx, t.TempDir(), all); err != nil {
		t.Fatal(err)
	}
	r := run(ctx, all[0], "FuzzSteps", options{each: 500 * time.Millisecond, grace: time.Minute})
	if r.broken || r.runs == 0 || r.found == 0 {
		t.Errorf("%+v", r)
	}
}

func TestATargetThatHangsIsGivenUp(t *testing.T) {
	module(t, map[string]string{"p/p_test.go": target("FuzzHangs", "select {}")})
	ctx := context.Background()
	all, err := packages(ctx, []string{"./p"})
	if err != nil {
		t.Fatal(err)
	}
	if err := build(ctx, t.TempDir(), all); err != nil {
		t.Fatal(err)
	}
	r := run(ctx, all[0], "FuzzHangs", options{each: 100 * time.Millisecond, grace: 100 * time.Millisecond})
	if !r.broken || !strings.Contains(r.output, "it had not ended") {
		t.Errorf("%+v", r)
	}
}

func TestWhatDoesNotBuildIsAnErrorWithTheCompilersWords(t *testing.T) {
	module(t, map[string]string{"p/p_test.go": target("FuzzBad", "missing()")})
	if err := fuzz(context.Background(), options{each: time.Second}, nil); err == nil ||
		!strings.Contains(err.Error(), "undefined: missing") {
		t.Errorf("got %v", err)
	}
	if err := fuzz(context.Background(), options{each: time.Second}, []string{"./nowhere"}); err == nil {
		t.Error("a package that is not there passed")
	}
}
