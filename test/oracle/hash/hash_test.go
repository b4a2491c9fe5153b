package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/test/oracle/internal/hashcase"
	"github.com/restartwhy/kubectl-restartwhy/test/oracle/internal/hashdriver"
	"github.com/restartwhy/kubectl-restartwhy/test/oracle/internal/peer"
)

// actAs makes this test binary a driver: it answers as we would, except where its part says otherwise.
const actAs = "ORACLE_TEST_HASH_DRIVER"

var release = hashdriver.Choose(28)[0]

func TestMain(m *testing.M) {
	if part := os.Getenv(actAs); part != "" {
		if err := drive(part); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func drive(part string) error {
	if len(os.Args) > 1 && os.Args[1] == "time" {
		fmt.Println("1000000000 12.5")
		return nil
	}
	lines := bufio.NewReaderSize(os.Stdin, 1<<20)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return nil
		}
		c, err := hashcase.Read(line)
		if err != nil {
			return err
		}
		a := hashcase.Ours(release, release.Minor(), c)
		switch {
		case part == "ignores-tty" && c.TTY:
			c.TTY = false
			a = hashcase.Ours(release, release.Minor(), c)
		case part == "refuses" && c.TTY:
			a = `refused: "tty"`
		case part == "dies" && c.TTY:
			return fmt.Errorf("gone")
		}
		fmt.Println(a)
	}
}

func self(t *testing.T, part string) string {
	t.Helper()
	t.Setenv(actAs, part)
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func compareWith(t *testing.T, part string, n int) (result, string, error) {
	t.Helper()
	var out bytes.Buffer
	r, err := compare(context.Background(), &out, self(t, part), release, 5, n)
	return r, out.String(), err
}

func TestAKubeletThatHashesLikeUsShowsNoDifference(t *testing.T) {
	r, out, err := compareWith(t, "agrees", 700)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(result{cases: 700, hashes: 1400}, r, cmp.AllowUnexported(result{})); diff != "" || out != "" {
		t.Errorf("(-want +got):\n%s printed %q", diff, out)
	}
}

func TestADifferenceIsCountedShrunkAndPrinted(t *testing.T) {
	r, out, err := compareWith(t, "ignores-tty", 700)
	if err != nil {
		t.Fatal(err)
	}
	if r.cases != 700 || r.differences < shown || r.differences == 700 {
		t.Errorf("%d cases, %d differences", r.cases, r.differences)
	}
	if n := strings.Count(out, "difference in v1.28.15\n"); n != shown {
		t.Errorf("%d differences printed, want %d:\n%s", n, shown, out)
	}
	for _, line := range strings.Split(out, "\n") {
		if text, ok := strings.CutPrefix(line, "  case     "); ok && text != `{"container":{"tty":true}}` {
			t.Errorf("not shrunk to what causes it: %s", text)
		}
	}
}

func TestCasesThatUpstreamRefusesAreCountedApart(t *testing.T) {
	r, _, err := compareWith(t, "refuses", 700)
	if err != nil || r.refused == 0 || r.cases+r.refused != 700 || r.differences != 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestADriverThatDiesIsAnError(t *testing.T) {
	if _, _, err := compareWith(t, "dies", 700); err == nil || !strings.Contains(err.Error(), "driver") {
		t.Errorf("err = %v, want one that names the driver", err)
	}
	if _, err := peer.Start(context.Background(), filepath.Join(t.TempDir(), "nothing"), nil); err == nil {
		t.Error("a program that is not there was started")
	}
}

func TestMeasureReadsTheDriversTimes(t *testing.T) {
	ours, theirs, err := measure(context.Background(), self(t, "agrees"), release, 1)
	if err != nil {
		t.Fatal(err)
	}
	if theirs != (peer.Pace{Nanoseconds: 1000000000, Allocations: 12.5}) || ours.Nanoseconds <= 0 ||
		ours.Nanoseconds > theirs.Nanoseconds {
		t.Errorf("ours %v, theirs %v", ours, theirs)
	}
	echo, err := exec.LookPath("echo")
	if err != nil {
		t.Skip("echo is not there to act as a program that gives no times")
	}
	if _, _, err := measure(context.Background(), echo, release, 1); err == nil {
		t.Error("a driver without times was measured")
	}
}

func TestTheMinorChoosesItsDrivers(t *testing.T) {
	tests := []struct{ minor, want string }{
		{"1.5", "v1.5.8"},
		{"1.11", "v1.10.13"},
		{"v1.18", "v1.16.15"},
		{"1.27", "v1.27.16 v1.27.16/go1.22"},
		{"v1.33.4", "v1.31.14"},
		{"1.36", "v1.36.3"}, {"1.37", "v1.37.1"},
	}
	for _, tt := range tests {
		eras, err := chosen(tt.minor)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, era := range eras {
			for _, d := range era {
				got = append(got, d.String())
			}
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("chosen(%q) = %v, want %s", tt.minor, got, tt.want)
		}
	}
	if eras, err := chosen(""); err != nil || len(eras) != len(hashdriver.Eras) {
		t.Errorf("no minor gave %d eras, %v", len(eras), err)
	}
	for _, minor := range []string{"1.4", "1.38", "1.0", "2.30", "1.30.1.1", "nonsense", "1.x"} {
		err := run(context.Background(), new(bytes.Buffer), peer.Options{Minor: minor, Cases: 1})
		if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("choose minor %q", minor)) {
			t.Errorf("%s: err = %v, want one that names the minor", minor, err)
		}
	}
}

func TestTheMinorsThatADriverStandsForAreNamed(t *testing.T) {
	for want, d := range map[string]hashdriver.Driver{
		"1.5":                                  hashdriver.Choose(5)[0],
		"1.16 to 1.18":                         hashdriver.Choose(17)[0],
		"1.27, patches built with an older Go": hashdriver.Choose(27)[0],
		"1.27, patches built with Go 1.22 or newer": hashdriver.Choose(27)[1],
		"1.30": hashdriver.Choose(30)[0],
	} {
		if got := minors(d); got != want {
			t.Errorf("minors(%s) = %q, want %q", d, got, want)
		}
	}
}

func TestNothingComparedIsNoSuccess(t *testing.T) {
	var out bytes.Buffer
	// A file where the cache directory should be: nothing can be built.
	cache := filepath.Join(t.TempDir(), "cache")
	if err := os.WriteFile(cache, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	err := run(context.Background(), &out, peer.Options{Minor: "1.36", Cache: cache, Cases: 10})
	if err == nil || !strings.Contains(err.Error(), "1 releases not compared") {
		t.Errorf("err = %v", err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if want := "oracle: seed 0, 0 of 1 releases, 1 eras, 0 cases, 0 hashes, 0 differences, 0 refused upstream"; lines[len(lines)-1] != want {
		t.Errorf("last line %q, want %q", lines[len(lines)-1], want)
	}
	if err := record(context.Background(), &out, peer.Options{Cache: cache, Record: t.TempDir(), Vectors: 1}); err == nil {
		t.Error("answers were recorded from nothing")
	}
}

func TestTheMinorsOfADriverTakeTurns(t *testing.T) {
	d := hashdriver.Driver{Release: "v1.20.15", From: 20, To: 21}
	// The types of 1.21 know the field: only Hash for 1.20 and All for 1.20 agree, and the answer of every case says so.
	line := []byte(`{"container":{"livenessProbe":{"terminationGracePeriodSeconds":1}}}`)
	for i := range 4 {
		a, err := answer(d, i, line)
		if err != nil || !strings.HasPrefix(a, "all: v1.20 has ") {
			t.Errorf("case %d: %s, %v", i, a, err)
		}
	}
	for minor, want := range map[int]int{16: 3, 23: 3, 31: 3, 5: 1, 10: 2} {
		stand, asked := hashdriver.Choose(minor)[0], map[int]bool{}
		for i := range 10 {
			asked[stand.From+i%(stand.To-stand.From+1)] = true
		}
		if len(asked) != want {
			t.Errorf("1.%d: %d minors asked, want %d", minor, len(asked), want)
		}
	}
	if _, err := answer(d, 0, []byte("{")); err == nil {
		t.Error("what is no case was answered")
	}
}

func TestBatchesHoldAllCasesAndNoMore(t *testing.T) {
	for _, n := range []int{0, 1, batch - 1, batch, batch + 1, 3*batch + 7} {
		lines, batches := 0, 0
		for p := range prepare(context.Background(), release, 1, n) {
			if p.err != nil {
				t.Fatal(p.err)
			}
			if len(p.lines) != len(p.ours) || len(p.lines) > batch {
				t.Fatalf("%d lines, %d answers", len(p.lines), len(p.ours))
			}
			lines, batches = lines+len(p.lines), batches+1
		}
		if lines != n || batches != (n+batch-1)/batch {
			t.Errorf("%d cases came as %d in %d batches", n, lines, batches)
		}
	}
}

func TestAnInterruptEndsTheComparison(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if r, err := compare(ctx, new(bytes.Buffer), self(t, "agrees"), release, 1, 1_000_000); err == nil ||
		r.cases == 1_000_000 {
		t.Errorf("%d cases compared, %v", r.cases, err)
	}
}

func TestTheSummarySaysWhatTheCostIs(t *testing.T) {
	if got := (total{}).pace(); got != "" {
		t.Errorf("without a release that is maintained: %q", got)
	}
	if got, want := (total{slowest: 0.156}).pace(), ", at most 0.16 of upstream's time from 1.31 on"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := (peer.Pace{Nanoseconds: 375, Allocations: 5.5}).String(), "375 ns, 5.5 allocations"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
