// Command testsum reads the output of `go test -json` and prints what a person needs: one line per package, the full
// output of failures, and one closing line with the figures. It exits 1 if a test, a package or a build failed, and if
// no test ran at all.
//
// It belongs to the Makefile and imports nothing of the project.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
)

// event is one line of `go test -json` (cmd/test2json). Build output has ImportPath instead of Package.
type event struct {
	Action, Package, ImportPath, Test, Output, FailedBuild string
	Elapsed                                                float64
}

func main() {
	if !summarise(os.Stdin, os.Stdout) {
		os.Exit(1)
	}
}

func summarise(r io.Reader, w io.Writer) bool {
	var passed, failed, skipped, broken int
	output := map[[2]string]*strings.Builder{} // of each test and package, until its end
	in := bufio.NewReader(r)
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 0 {
			var e event
			if json.Unmarshal(line, &e) != nil || e.Action == "" {
				_, _ = w.Write(line) // not an event, but the go command's own output
				continue
			}
			key := [2]string{e.Package, e.Test}
			switch e.Action {
			case "build-output":
				fmt.Fprint(w, e.Output)
			case "output":
				if output[key] == nil {
					output[key] = &strings.Builder{}
				}
				output[key].WriteString(e.Output)
			case "pass", "fail", "skip":
				text := ""
				if b := output[key]; b != nil {
					text = b.String()
				}
				delete(output, key)
				if e.Test == "" {
					if e.Action == "fail" {
						broken++
						fmt.Fprint(w, text, unended(output, e.Package))
					}
					fmt.Fprintf(w, "%-4s  %s  %.1fs\n", word(e.Action), e.Package, e.Elapsed)
					break
				}
				switch e.Action {
				case "pass":
					passed++
				case "skip":
					skipped++
					fmt.Fprint(w, text) // a skip has a reason: show it
				case "fail":
					failed++
					fmt.Fprint(w, text)
				}
			}
		}
		if err != nil {
			break
		}
	}
	if broken > 0 && failed == 0 {
		failed = broken // a package that did not build, or died outside a test
	}
	fmt.Fprintf(w, "test: %d passed, %d failed, %d skipped\n", passed, failed, skipped)
	return failed == 0 && broken == 0 && passed > 0
}

// unended returns and forgets the output of a package's tests that did not end, such as one that hung or crashed the
// process.
func unended(output map[[2]string]*strings.Builder, pkg string) string {
	var text strings.Builder
	for _, key := range slices.SortedFunc(maps.Keys(output), func(a, b [2]string) int {
		return strings.Compare(a[1], b[1])
	}) {
		if key[0] == pkg {
			text.WriteString(output[key].String())
			delete(output, key)
		}
	}
	return text.String()
}

func word(action string) string {
	switch action {
	case "pass":
		return "ok"
	case "skip":
		return "-" // no test files
	}
	return "FAIL"
}
