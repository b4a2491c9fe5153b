package cli

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/lookup"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/present"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/command"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/render"
	"github.com/restartwhy/kubectl-restartwhy/diag/pasted"
)

// explainOptions are the options of `explain`: for a cause of the catalogue, or the user's own words.
type explainOptions struct {
	env    command.Env
	format string
	// example prints only the worked example.
	example bool
}

func newExplain(env command.Env) *cobra.Command {
	o := &explainOptions{env: env}
	cmd := &cobra.Command{
		Use:   "explain [CAUSE | CODE | REASON | 'MESSAGE' | -]",
		Short: "Explain an exit code, a reason, an event or log line, or a cause",
		Long: command.Lines(`
		Explain what you see: an exit code (137), a signal, a reason that kubectl
		shows (OOMKilled, CrashLoopBackOff), the reason or the message of an event, a line
		of the log of a kubelet, a runtime or the kernel. The answer says what it means, which
		causes lead to it and how often, and how to tell them apart. - reads lines from
		standard input.

		The id of a cause prints its page: what happened, how it is proven, what to do.
		Without a word, it lists the causes. No cluster is read.`),
		Example: command.Lines(`
		  kubectl restartwhy explain
		  kubectl restartwhy explain 137
		  kubectl restartwhy explain OOMKilled
		  kubectl restartwhy explain 'Container web definition changed, will be restarted'
		  journalctl -u kubelet -n 50 | kubectl restartwhy explain -
		  kubectl restartwhy explain hash-kubelet-upgrade
		  kubectl restartwhy explain hash-kubelet-upgrade --example`),
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return append(analyzer.CauseIDs(), lookup.Terms()...), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error { return o.run(args) },
	}
	cmd.Flags().BoolVar(&o.example, "example", false,
		"print only the worked example of a cause: the files of a bundle as a text archive, which 'make corpus' executes")
	command.AddFormat(cmd, &o.format, render.DocumentFormats)
	command.SetUsage(cmd, nil)
	return cmd
}

func (o *explainOptions) run(args []string) error {
	if err := command.CheckFormat(o.format, render.DocumentFormats); err != nil {
		return err
	}
	if o.example {
		return o.printExample(args)
	}
	if len(args) == 0 {
		return o.list()
	}
	if c := command.Cause(args[0]); c.ID != "" && len(args) == 1 {
		return o.print(causePage{ID: c.ID, Title: c.Title, Page: c.Page}, present.Page(c.Page)...)
	}
	return o.words(args)
}

// causePage is the page of a cause for programs; the list has no pages.
type causePage struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Page  string `json:"page,omitempty"`
}

func (o *explainOptions) list() error {
	t := document.Table{Heads: []string{"CAUSE", "WHAT HAPPENED"}}
	var all []causePage
	for _, c := range analyzer.Causes() {
		all = append(all, causePage{ID: c.ID, Title: c.Title})
		t.Rows = append(t.Rows, document.Row{Cells: []document.Text{document.Say(c.ID), document.Say(c.Title)}})
	}
	return o.print(struct {
		Items []causePage `json:"items"`
	}{all}, t)
}

func (o *explainOptions) printExample(args []string) error {
	if len(args) != 1 {
		return command.Usage("--example takes one cause, got %d", len(args))
	}
	switch c := command.Cause(args[0]); {
	case c.ID == "":
		return command.Hint(fmt.Errorf("explain %s: no such cause", args[0]), command.CauseHints(args[0])...)
	case c.Example == "":
		return fmt.Errorf("explain %s: it has no worked example", args[0])
	default:
		_, err := fmt.Fprint(o.env.Streams.Out, c.Example)
		return err
	}
}

// words explains arguments that are not a cause. Several words are one term, as in explain exit 137.
func (o *explainOptions) words(args []string) error {
	x := lookup.New()
	if args[0] == "-" {
		if len(args) > 1 {
			return command.Usage("- reads standard input and takes no words")
		}
		if err := explainLines(x, o.env.Streams.In); err != nil {
			return fmt.Errorf("explain standard input: %w", err)
		}
		if r := x.Report(); len(r.Answers) == 0 && r.UnknownLines == 0 {
			return command.Hint(errors.New("explain standard input: it is empty"),
				"pipe lines into it: journalctl -u kubelet -n 50 | kubectl restartwhy explain -")
		}
	} else if said := strings.Join(args, " "); !x.Word(said) && !everyWord(x, args) {
		if err := explainLines(x, strings.NewReader(said)); err != nil {
			return fmt.Errorf("explain %q: %w", args[0], err)
		}
		if len(x.Report().Answers) == 0 && !x.Message(said) {
			x.Sentence(said)
		}
	}
	r := x.Report()
	if len(r.Answers) == 0 {
		what := "standard input"
		if args[0] != "-" {
			what = fmt.Sprintf("%q", command.Shortened(strings.Join(args, " ")))
		}
		return command.Hint(fmt.Errorf("explain %s: not recognised", what), command.WordHints(args)...)
	}
	return o.print(r, present.Explanation(r)...)
}

// everyWord explains each of several words, if all of them are known.
func everyWord(x *lookup.Explainer, args []string) bool {
	for _, a := range args {
		if _, ok := lookup.Find(a); !ok {
			return false
		}
	}
	for _, a := range args {
		x.Word(a)
	}
	return true
}

// Limits of standard input: longer logs are for analyze.
const (
	mostLines = 100_000
	mostBytes = 64 << 20
)

// errTooLong ends the reading of a log that is too long to have been pasted.
var errTooLong = errors.New("more than 100000 lines: 'kubectl restartwhy analyze -' reads whole logs")

func explainLines(x *lookup.Explainer, r io.Reader) error {
	read := pasted.NewReader()
	in := bufio.NewReaderSize(io.LimitReader(r, mostBytes), pasted.MaxLine)
	for n := 0; ; n++ {
		line, err := in.ReadSlice('\n')
		raw := bytes.Clone(line) // the buffer is reused
		text := strings.TrimSpace(string(raw))
		if n >= mostLines && text != "" {
			return errTooLong
		}
		for errors.Is(err, bufio.ErrBufferFull) { // the part beyond the buffer is skipped
			_, err = in.ReadSlice('\n')
		}
		if text != "" && !x.Word(text) {
			l := read.Read(string(raw))
			x.Line(lookup.Line{Text: l.Text, Facts: l.Facts, Reason: l.Reason, Message: l.Message})
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
	}
	if facts := read.Close(); len(facts) > 0 {
		x.Line(lookup.Line{Facts: facts})
	}
	return nil
}

func (o *explainOptions) print(value any, blocks ...document.Block) error {
	return o.env.Document(o.format, value, blocks)
}
