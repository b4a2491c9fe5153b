// Command blocks says which blocks of our computePodActions the cases of the oracle
// have run through, from two profiles of `go test -coverprofile`: that of the cases
// and that of the unit tests. What neither reached is code that nothing has compared
// or tested, and fails the run, if it was a full one: all releases, and as many cases
// as by default. A part of them cannot reach everything; it is told what it reached.
//
//	blocks -cases cover.txt -unit unit.txt -left unreached.txt [-part]
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"
	"path"
	"strings"
)

// beside are the files of the package that hold no part of the decision: they are
// compared by unit tests, or work out what an earlier kubelet has recorded.
var beside = map[string]bool{"backoff.go": true, "before.go": true, "decide.go": true}

func main() {
	cases := flag.String("cases", "", "the profile of the cases")
	unit := flag.String("unit", "", "the profile of the unit tests")
	left := flag.String("left", "", "where to write the blocks that no case reached")
	part := flag.Bool("part", false, "a part of the releases or of the cases was played: nothing is demanded")
	flag.Parse()
	all, err := run(os.Stdout, *cases, *unit, *left, *part)
	if err != nil {
		fmt.Fprintf(os.Stderr, "error: %v\n", err)
	}
	if err != nil || !all {
		os.Exit(1)
	}
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

// read returns the blocks of the decision that a profile knows, as file:from,to in
// its order, and which of them were run. A line is "path/file.go:1.2,3.4 statements
// count"; a block may stand in several.
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
