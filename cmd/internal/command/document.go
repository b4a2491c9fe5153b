package command

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/render/html"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/render/markdown"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/render/text"
)

// DocumentFormats are the values of -o for a command that prints a page rather than a report.
var DocumentFormats = []string{"table", "wide", "json", "yaml", "markdown", "html"}

// DocumentFormat checks a value of -o for such a command; "" is its default.
func DocumentFormat(format string) error {
	if format == "" || slices.Contains(DocumentFormats, format) {
		return nil
	}
	return Hint(Usage("unknown output format %q: want %s", format, strings.Join(DocumentFormats, ", ")),
		Question(Meant(format, DocumentFormats))...)
}

// Document prints an answer: its page for people, the value behind it for programs.
func (e Env) Document(format string, value any, blocks []document.Block) error {
	w := e.Streams.Out
	switch format {
	case "json", "yaml":
		return printValue(w, format, value)
	case "html":
		return html.Write(w, document.Doc{Blocks: blocks})
	case "markdown":
		_, err := io.WriteString(w, markdown.Write(blocks))
		return err
	}
	out := NewOutput(e)
	tty, width := out.Terminal()
	if format == "wide" {
		width = 0
	}
	return text.Write(w, blocks, text.Options{Width: width, Open: true, Color: tty &&
		e.Getenv("NO_COLOR") == "" && !e.dumb()})
}

// dumb reports whether the terminal has neither colours nor a movable cursor.
func (e Env) dumb() bool { return e.Getenv("TERM") == "dumb" }

func printValue(w io.Writer, format string, value any) error {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(value)
	raw := buf.Bytes()
	if err == nil && format == "yaml" {
		raw, err = yaml.JSONToYAML(raw)
	}
	if err != nil {
		return fmt.Errorf("print as %s: %w", format, err)
	}
	_, err = fmt.Fprintln(w, strings.TrimRight(string(raw), "\n"))
	return err
}
