// Package text writes a document as text for a terminal or a pipe. Colour only repeats what a word says.
//
// It may import analyzer/document and its layout, and nothing that knows a report or the wording of a page
// (analyzer/present).
package text

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/document/layout"
)

// Options configure writing.
type Options struct {
	// Width is the number of columns of the terminal; 0 means no limit.
	Width int
	Color bool
	// Open shows what is folded.
	Open bool
	// NoHeads leaves out the heads of tables.
	NoHeads bool
}

// The few SGR codes in use. They follow the terminal's own palette.
const (
	reset = "\x1b[0m"
	bold  = "\x1b[1m"
	faint = "\x1b[2m"
)

// badges are the colours for confidences, predictions and levels.
var badges = map[string]string{
	"proven": "\x1b[32m", "likely": "\x1b[36m", "possible": "\x1b[33m", "unknown": faint,
	"restarts": "\x1b[31m", "may": "\x1b[33m", "stays": faint, "blocker": "\x1b[31m",
	"risk": "\x1b[33m", "check": "\x1b[33m",
}

// Write writes blocks.
func Write(w io.Writer, blocks []document.Block, o Options) error {
	out := bufio.NewWriterSize(w, 1<<16)
	var row []byte
	layout.Each(blocks, layout.Options{
		Width: o.Width, Bullet: "-", Closed: " (-v shows them)", Ellipsis: "…", Whole: true, NoHeads: o.NoHeads,
		Open: func(f *document.Fold, _ int) bool { return f.Open || o.Open },
	}, func(line document.Text, title bool) {
		row = row[:0]
		for _, r := range line {
			code := o.code(r, title)
			if code == "" || strings.TrimSpace(r.Text) == "" {
				row = append(row, r.Text...)
				continue
			}
			row = append(append(append(row, code...), r.Text...), reset...)
		}
		fmt.Fprintf(out, "%s\n", bytes.TrimRight(row, " ")) // Flush returns the error
	})
	return out.Flush()
}

func (o Options) code(r document.Run, title bool) string {
	switch {
	case !o.Color:
		return ""
	case r.Style == document.Badge:
		return badges[r.Class]
	case title, r.Style == document.Strong:
		return bold
	case r.Style == document.Faint, r.Style == document.Cite:
		return faint
	}
	return ""
}
