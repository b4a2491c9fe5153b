// Command screens draws terminal screens, as `tmux capture-pane -e -p` prints them, as an SVG picture; several screens
// become an animated one:
//
//	tmux capture-pane -e -p | screens -title "kubectl restartwhy demo" > screen.svg
//	screens -title "kubectl restartwhy demo" -seconds 3 one.ansi two.ansi > tour.svg
//
// `make screens` updates docs/screens with it. It reads colours and weights (SGR) and drops every other control
// sequence; it imports nothing of the project.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"

	uv "github.com/charmbracelet/ultraviolet"
)

func main() {
	title := flag.String("title", "", "what the window is called")
	seconds := flag.Float64("seconds", 3, "how long each of several screens stands")
	flag.Parse()
	if err := run(*title, *seconds, flag.Args()); err != nil {
		fmt.Fprintf(os.Stderr, "error: draw screen: %v\n", err)
		os.Exit(1)
	}
}

func run(title string, seconds float64, files []string) error {
	var frames [][][]cell
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		frame, err := screen(f)
		f.Close()
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		frames = append(frames, frame)
	}
	if len(files) == 0 {
		frame, err := screen(os.Stdin)
		if err != nil {
			return err
		}
		frames = append(frames, frame)
	}
	_, err := os.Stdout.WriteString(draw(title, seconds, frames...))
	return err
}

func screen(r io.Reader) ([][]cell, error) {
	in := bufio.NewScanner(r)
	in.Buffer(nil, 1<<20)
	var lines [][]cell
	var pen uv.Style
	for in.Scan() {
		var line []cell
		line, pen = read(in.Text(), pen)
		lines = append(lines, line)
	}
	return lines, in.Err()
}
