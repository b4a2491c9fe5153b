// Command blocks runs the cases of the decision oracle and reports which blocks of our computePodActions they reached,
// in addition to the unit tests. Code that neither reached has never been compared or tested, and fails a full run: all
// releases, and at least the default number of cases. A partial run cannot reach everything; it only prints what it
// reached.
//
//	blocks -cache .cache/oracle [-seed N] [-cases N] [-minor 1.34]
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/test/internal/program"
)

// beside are the files of the package that have no part of the decision: they are compared by unit tests, or compute
// what an earlier kubelet has recorded.
var beside = map[string]bool{"backoff.go": true, "before.go": true, "decide.go": true}

// decision is the package to measure.
const decision = "./analyzer/kubelet/decide"

// full is how many cases for each release must reach everything.
const full = 100_000

func main() {
	cache := flag.String("cache", ".cache/oracle", "directory of the built drivers, and of what is measured")
	seed := flag.String("seed", "", "seed of the cases")
	cases := flag.Int("cases", full, "cases for each release")
	minor := flag.String("minor", "", "play the cases of this minor only")
	program.Main(func(context.Context) error {
		all, err := measure(*cache, *seed, *cases, *minor)
		return cmp.Or(err, program.Hold(all))
	})
}

// measure runs the cases with an instrumented binary, and the unit tests. Differences do not end it: the coverage is
// printed all the same. The last line is the oracle's own.
func measure(cache, seed string, cases int, minor string) (bool, error) {
	dir := filepath.Join(cache, "cover")
	at := func(name string) string { return filepath.Join(cache, name) }
	if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o755)); err != nil {
		return false, err
	}
	if err := command(os.Stdout, "go", "build", "-cover", "-coverpkg="+decision+",./test/oracle/decision",
		"-o", at("oracle-decision"), "./test/oracle/decision").Run(); err != nil {
		return false, fmt.Errorf("build the oracle: %w", err)
	}
	args := []string{"-cache", cache, "-cases", strconv.Itoa(cases), "-minor", minor}
	if seed != "" {
		args = append(args, "-seed", seed)
	}
	var said bytes.Buffer
	oracle := command(&said, at("oracle-decision"), args...)
	oracle.Env = append(os.Environ(), "GOCOVERDIR="+dir)
	compared := oracle.Run()
	lines := strings.SplitAfter(said.String(), "\n")
	end := max(len(lines)-2, 0) // the last line, and nothing after it
	fmt.Print(strings.Join(lines[:end], ""))
	if err := errors.Join(
		command(os.Stdout, "go", "tool", "covdata", "textfmt", "-i="+dir, "-o="+at("cover.txt")).Run(),
		command(io.Discard, "go", "test", "-coverprofile="+at("unit.txt"), decision).Run()); err != nil {
		return false, fmt.Errorf("count blocks: %w", err)
	}
	all, err := run(os.Stdout, at("cover.txt"), at("unit.txt"), at("unreached.txt"), minor != "" || cases < full)
	fmt.Print(strings.Join(lines[end:], ""))
	return all && compared == nil, err
}

func command(out io.Writer, name string, args ...string) *exec.Cmd {
	c := exec.Command(name, args...)
	c.Stdout, c.Stderr = out, os.Stderr
	return c
}

// run reports whether all blocks were reached, or need not be.
func run(out io.Writer, cases, unit, left string, part bool) (bool, error) {
	order, hit, err := read(cases)
	if err != nil {
		return false, err
	}
	_, tested, err := read(unit)
	if err != nil {
		return false, err
	}
	reached, byTests, byNothing, list := 0, "", "", ""
	for _, block := range order {
		switch {
		case hit[block]:
			reached++
		case tested[block]:
			byTests += " " + block
			list += block + " unit test\n"
		default:
			byNothing += " " + block
			list += block + " nothing\n"
		}
	}
	if err := os.WriteFile(left, []byte(list), 0o600); err != nil {
		return false, err
	}
	const who = "oracle-decision:"
	fmt.Fprintf(out, "%s %d of %d blocks of our computePodActions reached by cases\n", who, reached, len(order))
	switch {
	case len(order) == 0:
		return false, fmt.Errorf("read %s: it knows no block of the decision", cases)
	case part:
		if reached < len(order) {
			fmt.Fprintf(out, "%s a part of the cases need not reach the others: %s\n", who, left)
		}
		return true, nil
	case byTests != "":
		fmt.Fprintf(out, "%s by unit tests alone, for minors that cannot be built and words of a caller:%s\n", who, byTests)
	}
	if byNothing != "" {
		fmt.Fprintf(out, "%s by nothing:%s\n", who, byNothing)
	}
	return byNothing == "", nil
}

// read returns the blocks of the decision in a profile, as file:from,to in its order, and which of them ran. A line is
// "path/file.go:1.2,3.4 statements count"; a block may appear several times.
func read(profile string) (order []string, run map[string]bool, err error) {
	f, err := os.Open(profile)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	run = map[string]bool{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		where, counts, ok := strings.Cut(lines.Text(), " ")
		file, _, _ := strings.Cut(where, ":")
		if !ok || !strings.HasSuffix(path.Dir(file), "/kubelet/decide") || beside[path.Base(file)] {
			continue
		}
		var statements, count int
		if _, err := fmt.Sscan(counts, &statements, &count); err != nil {
			return nil, nil, fmt.Errorf("read %s: %q: %w", profile, lines.Text(), err)
		}
		if statements == 0 {
			continue
		}
		block := path.Base(where)
		if _, known := run[block]; !known {
			order = append(order, block)
		}
		run[block] = run[block] || count > 0
	}
	return order, run, lines.Err()
}
