package main

import (
	"context"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// result is the result of one target.
type result struct {
	runs, found int
	took        time.Duration
	// output is its whole output, if an input broke it.
	output string
	// input is the file with the input that broke it.
	input  string
	broken bool
}

// run lets one target search for a while, in its package's directory.
func run(ctx context.Context, p pkg, target string, o options) result {
	ctx, stop := context.WithTimeout(ctx, o.each+o.grace)
	defer stop()
	args := []string{"-test.run=^$", "-test.fuzz=^" + target + "$", "-test.fuzztime=" + o.each.String(),
		"-test.paniconexit0", "-test.timeout=0"}
	cache := filepath.Join(filepath.Dir(p.binary), "found")
	if o.cache != "" {
		cache = filepath.Join(o.cache, filepath.FromSlash(p.short()))
	}
	cmd := exec.CommandContext(ctx, p.binary, append(args, "-test.fuzzcachedir="+cache)...)
	cmd.Dir = p.dir
	cmd.WaitDelay = 5 * time.Second // its workers keep its output open
	start := time.Now()
	text, err := cmd.CombinedOutput()
	r := read(string(text), p.dir, err != nil)
	r.took = time.Since(start)
	if ctx.Err() != nil {
		r.broken, r.output = true, fmt.Sprintf("%sit had not ended %s after its time\n", text, o.grace)
	}
	return r
}

var (
	progress = regexp.MustCompile(`execs: (\d+) .*new interesting: (\d+)`)
	baseline = regexp.MustCompile(`gathering baseline coverage: (\d+)/`)
	written  = regexp.MustCompile(`Failing input written to (\S+)`)
)

// read parses the figures and the result from the output of a test binary.
func read(text, dir string, failed bool) (r result) {
	for _, m := range baseline.FindAllStringSubmatch(text, -1) {
		r.runs, _ = strconv.Atoi(m[1])
	}
	for _, m := range progress.FindAllStringSubmatch(text, -1) {
		r.runs, _ = strconv.Atoi(m[1])
		r.found, _ = strconv.Atoi(m[2])
	}
	if m := written.FindStringSubmatch(text); m != nil {
		r.input = filepath.Join(dir, filepath.FromSlash(m[1]))
	}
	// Sometimes the time is up while an input is being worked on, and only that is then reported as a failure
	// (go.dev/issue/75804, fixed in Go 1.27).
	late := r.input == "" && strings.Count(text, "--- FAIL") == 1 && timeIsUp.MatchString(text)
	if r.broken = failed && !late; r.broken {
		r.output = text
	}
	return r
}

var timeIsUp = regexp.MustCompile(`(?m)^--- FAIL: .*\n\s+context deadline exceeded\n(?:FAIL|exit status|\s)*\z`)

// sums are the figures of all targets.
type sums struct {
	packages, targets, runs, broken int
}

// add prints the line of a target: in full if it broke.
func (s *sums) add(w io.Writer, name string, r result) {
	s.targets++
	s.runs += r.runs
	word := "ok"
	if r.broken {
		s.broken++
		word = "FAIL"
		fmt.Fprint(w, r.output)
	}
	fmt.Fprintf(w, "%-4s  %s  %d runs, %d new, %.1fs\n", word, name, r.runs, r.found, r.took.Seconds())
	if r.input != "" {
		fmt.Fprintf(w, "      the input is in %s\n", r.input)
	}
}

func (s *sums) print(w io.Writer, each time.Duration) {
	fmt.Fprintf(w, "fuzz: %d targets of %d packages, %s each: %d runs, %d broke\n",
		s.targets, s.packages, each, s.runs, s.broken)
}
