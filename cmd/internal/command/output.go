package command

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/present"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/render"
)

// Output is how a report is shown: its flags, and the printing.
type Output struct {
	Env       Env
	Format    string
	noHeaders bool
	NoColor   bool
	noTUI     bool
	Plain     bool
	Mouse     bool
	FailOn    string
	Verbosity int
	template  string
	// lenient prints nothing for a template's field that the report lacks.
	lenient bool
	options render.Options
	// Detail shows the newest item in full even if there are several.
	Detail bool
	// Rows prints the table even for a single item: more may follow.
	Rows bool
	// Incidents shows what restarts have in common instead of each one.
	Incidents bool
	// Recorded prints times instead of ages: the evidence is not current.
	Recorded bool
}

// confidences are the values of --fail-on, strongest first.
var confidences = []string{string(report.Proven), string(report.Likely), string(report.Possible)}

// NewOutput returns an output without a chosen format: a table or the viewer.
func NewOutput(env Env) *Output {
	return &Output{Env: env}
}

// AddFlags adds the flags for printing.
func (o *Output) AddFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVarP(&o.Format, "output", "o", "", "output format: "+render.Formats)
	f.BoolVar(&o.noHeaders, "no-headers", false, "print the table without its headers and without incidents")
	o.AddTerminal(cmd)
	f.StringVar(&o.FailOn, "fail-on", "", "exit with 3 if a verdict is at least this certain: proven|likely|possible")
	f.IntVarP(&o.Verbosity, "verbosity", "v", 0,
		"1 lists all missing evidence, 6 and more also log the requests to the API server")
	f.Lookup("verbosity").NoOptDefVal = "1"
	f.StringVar(&o.template, "template", "", "the template, or the file that holds it, for go-template and jsonpath")
	f.BoolVar(&o.lenient, "allow-missing-template-keys", true,
		"print nothing for a field that is missing, instead of failing")
	Fixed(cmd, "output", strings.Split(strings.ReplaceAll(render.Formats, "…", ""), "|")...)
	Fixed(cmd, "fail-on", confidences...)
}

// AddTerminal adds the flags that choose between the viewer and text.
func (o *Output) AddTerminal(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVar(&o.NoColor, "no-color", false, "print no colours; the variable NO_COLOR does the same")
	f.BoolVar(&o.noTUI, "no-tui", false, "print text even on a terminal")
	f.BoolVar(&o.Plain, "plain", false, "print everything that the viewer shows as linear text, for screen readers")
	f.BoolVar(&o.Mouse, "mouse", false, "let the mouse scroll and click in the viewer")
}

// Validate checks the flags, so that a wrong format fails before any work.
func (o *Output) Validate() error {
	if o.FailOn != "" && !slices.Contains(confidences, o.FailOn) {
		return Usage("unknown confidence %q for --fail-on: want proven, likely or possible", o.FailOn)
	}
	if o.Plain && o.Format != "" {
		return Usage("--plain and -o are two formats: choose one")
	}
	tty, width := o.Terminal()
	format := o.Format
	if o.Rows && format == "" {
		format = "table"
	}
	o.options = render.Options{
		Format: format, NoHeaders: o.noHeaders, Color: tty && !o.NoColor && o.Env.colours(),
		Width: width, Ages: !o.Recorded, Detail: o.Detail, Verbose: o.Verbosity > 0,
		Incidents: o.Incidents, Template: o.template, StrictKeys: !o.lenient,
	}
	if _, err := render.New(o.options); err != nil {
		return Usage("%w", err)
	}
	return nil
}

// Lists reports whether only rows are shown of a report's items, and at most the newest in full.
func (o *Output) Lists() bool {
	return (o.Format == "" || o.Format == "table" || o.Format == "name") && !o.Plain
}

// Terminal reports whether standard output is one, and how wide it is.
func (o *Output) Terminal() (tty bool, width int) {
	f, ok := o.Env.Streams.Out.(interface{ Fd() uintptr })
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return false, 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		width = 0
	}
	return true, width
}

// Interactive reports whether the viewer is shown: both ends are a capable terminal, and there is no format or
// condition that a script would set.
func (o *Output) Interactive() bool {
	in, ok := o.Env.Streams.In.(interface{ Fd() uintptr })
	tty, _ := o.Terminal()
	return ok && tty && term.IsTerminal(int(in.Fd())) && !o.Env.dumb() &&
		o.Format == "" && !o.noTUI && !o.Plain && o.FailOn == "" && o.Verbosity < requestLog
}

// talks reports whether standard error is a terminal: then progress is shown.
func (o *Output) talks() bool {
	f, ok := o.Env.Streams.ErrOut.(interface{ Fd() uintptr })
	return ok && term.IsTerminal(int(f.Fd()))
}

// whatToCollect is a hint for an input without anything about restarts.
const whatToCollect = "kubectl restartwhy collect -A -o bundle.tar.zst collects what shows restarts; on a node, as root: " +
	"kubectl-restartwhy collect --local -o node.tar.zst"

// Show prints a report and the notes about it. looked describes what was looked at, for a report without items.
func (o *Output) Show(ctx context.Context, res analyzer.Result, looked string) error {
	r := res.Report
	if o.Plain {
		if err := render.Plain(ctx, o.Env.Streams.Out, r, res.Details); err != nil {
			return fmt.Errorf("print report: %w", err)
		}
		return o.match(r)
	}
	said, text := o.Env.Streams.ErrOut, render.Text(o.Format)
	none := len(r.Items) == 0 || o.Incidents && len(r.Incidents) == 0
	if !text || !none {
		if err := o.print(res); err != nil {
			return fmt.Errorf("print report: %w", err)
		}
	}
	switch {
	case text && len(r.Items) == 0:
		fmt.Fprintln(said, present.Nothing(r, looked))
		if looked == present.NoEvidence {
			fmt.Fprintf(said, "hint: %s\n", whatToCollect)
		}
	case text && o.Incidents && present.Alone(r) != "":
		fmt.Fprintln(said, present.Alone(r))
	}
	render.NodeNotes(said, r)
	render.Gaps(said, r.Gaps, o.Verbosity > 0)
	if errors.Is(ctx.Err(), context.Canceled) {
		return Hint(errors.New("collect evidence: interrupted"), "the report contains what was collected before")
	}
	return o.match(r)
}

// print prints a report. The HTML page also needs the details, which exist only after the analysis.
func (o *Output) print(res analyzer.Result) error {
	options := o.options
	options.Details = res.Details
	p, err := render.New(options)
	if err != nil {
		return err
	}
	return p(o.Env.Streams.Out, res.Report)
}

// match applies --fail-on. What only looked like a restart does not count.
func (o *Output) match(r *report.Report) error {
	if o.FailOn == "" {
		return nil
	}
	n := 0
	for _, i := range r.Items {
		if i.Kind != report.None && i.Verdict.Confidence.Rank() >= report.Confidence(o.FailOn).Rank() {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	return &Matched{Text: fmt.Sprintf("%d of %d verdicts are %s or more certain", n, len(r.Items), o.FailOn)}
}

// Fixed completes a flag from a list.
func Fixed(cmd *cobra.Command, flag string, values ...string) {
	// It fails only if the flag does not exist, which tests would show.
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}
