package command

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/render"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/render/text"
)

// AddFormat adds the flag -o of a command that prints a page rather than a report. The present value is its default.
func AddFormat(cmd *cobra.Command, format *string, formats []string) {
	cmd.Flags().StringVarP(format, "output", "o", *format, "output format: "+strings.Join(formats, "|"))
	Fixed(cmd, "output", formats...)
}

// CheckFormat checks a value of -o for such a command; "" is its default.
func CheckFormat(format string, formats []string) error {
	if format == "" || slices.Contains(formats, format) {
		return nil
	}
	return Hint(Usage("unknown output format %q: want %s", format, strings.Join(formats, ", ")),
		Question(Meant(format, formats))...)
}

// Document prints an answer: its page for people, the value behind it for programs.
func (e Env) Document(format string, value any, blocks []document.Block) error {
	tty, width := e.Terminal()
	return render.Document(e.Streams.Out, format, value, func() []document.Block { return blocks },
		text.Options{Width: width, Open: true, Color: tty && e.colours()})
}
