// Command screens draws a terminal's screen, as `tmux capture-pane -e -p` prints it,
// into an SVG picture:
//
//	tmux capture-pane -e -p | screens -title "kubectl restartwhy demo" > screen.svg
//
// `make screens` keeps docs/screens with it. It reads colours and weights (SGR) and
// drops every other control; it imports nothing of the project.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"os"
)

func main() {
	title := flag.String("title", "", "what the window is called")
	flag.Parse()
	if err := run(*title); err != nil {
		fmt.Fprintf(os.Stderr, "error: draw screen: %v\n", err)
		os.Exit(1)
	}
}

func run(title string) error {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	var lines [][]cell
	var pen style
	for in.Scan() {
		var line []cell
		line, pen = read(in.Text(), pen)
		lines = append(lines, line)
	}
	if err := in.Err(); err != nil {
		return err
	}
	_, err := os.Stdout.WriteString(draw(title, lines))
	return err
}
