// Command steps runs commands one after another, even if some fail, and ends with the last line of each:
//
//	steps bench 'go run ./test/bench/klog' 'make bench-cluster'
//
// The exit code is 0 only if all of them succeeded. It belongs to the Makefile and imports nothing of the project.
package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "error: want a title and commands")
		os.Exit(2)
	}
	if !run(os.Stdout, os.Args[1], os.Args[2:]) {
		os.Exit(1)
	}
}

// run reports whether every command succeeded.
func run(out io.Writer, title string, commands []string) bool {
	var last []string
	good := true
	for _, command := range commands {
		var said bytes.Buffer
		cmd := exec.Command("bash", "-c", command)
		cmd.Stdout, cmd.Stderr = io.MultiWriter(out, &said), os.Stderr
		if err := cmd.Run(); err != nil {
			good = false
			fmt.Fprintf(&said, "\n%s: %v", command, err)
		}
		lines := strings.Split(strings.TrimSpace(said.String()), "\n")
		last = append(last, lines[len(lines)-1])
	}
	fmt.Fprintf(out, "%s: %s\n", title, strings.Join(last, "; "))
	return good
}
