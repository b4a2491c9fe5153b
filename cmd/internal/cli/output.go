package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/render"
)

// output is how a report reaches the reader: its flags, and the printing.
type output struct {
	env       Env
	format    string
	noHeaders bool
	noColor   bool
	noTUI     bool
	plain     bool
	mouse     bool
	failOn    string
	verbosity int
	template  string
	// lenient prints nothing for a field that a template names and the report lacks.
	lenient bool
	printer render.Printer
	// options are those of the printer.
	options render.Options
	// detail shows the newest item in full even if there are several.
	detail bool
	// rows prints the table even for a single item: more come later.
	rows bool
	// incidents shows what restarts share instead of each one.
	incidents bool
	// recorded prints times instead of ages: the evidence is not of this moment.
	recorded bool
}

// confidences are the values of --fail-on, strongest first.
var confidences = []string{string(report.Proven), string(report.Likely), string(report.Possible)}

func newOutput(env Env) *output {
	return &output{env: env}
}

func (o *output) addFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVarP(&o.format, "output", "o", "", "output format: "+render.Formats)
	f.BoolVar(&o.noHeaders, "no-headers", false, "print the table without its headers and without incidents")
	o.addTerminal(cmd)
	f.StringVar(&o.failOn, "fail-on", "", "exit with 3 if a verdict is at least this certain: proven|likely|possible")
	f.IntVarP(&o.verbosity, "verbosity", "v", 0,
		"1 lists all missing evidence, 6 and more also log the requests to the API server")
	f.Lookup("verbosity").NoOptDefVal = "1"
	f.StringVar(&o.template, "template", "", "the template, or the file that holds it, for go-template and jsonpath")
	f.BoolVar(&o.lenient, "allow-missing-template-keys", true,
		"print nothing for a field that is missing, instead of failing")
	fixed(cmd, "output", "table", "wide", "brief", "json", "yaml", "name",
		"markdown", "html", "prometheus", "custom-columns=", "jsonpath=", "go-template=")
	fixed(cmd, "fail-on", confidences...)
}

// addTerminal adds what decides between the viewer and text.
func (o *output) addTerminal(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVar(&o.noColor, "no-color", false, "print no colours; the variable NO_COLOR does the same")
	f.BoolVar(&o.noTUI, "no-tui", false, "print text even on a terminal")
	f.BoolVar(&o.plain, "plain", false, "print everything that the viewer shows as linear text, for screen readers")
	f.BoolVar(&o.mouse, "mouse", false, "let the mouse scroll and click in the viewer")
}

// validate finds the printer, so that a wrong format fails before any work.
func (o *output) validate() error {
	if o.failOn != "" && !slices.Contains(confidences, o.failOn) {
		return usage("unknown confidence %q for --fail-on: want proven, likely or possible", o.failOn)
	}
	if o.plain && o.format != "" {
		return usage("--plain and -o are two formats: choose one")
	}
	tty, width := o.terminal()
	format := o.format
	if o.rows && format == "" {
		format = "table"
	}
	o.options = render.Options{
		Format: format, NoHeaders: o.noHeaders, Color: tty && !o.noColor && o.env.Getenv("NO_COLOR") == "" && !o.env.dumb(),
		Width: width, Ages: !o.recorded, Detail: o.detail, Verbose: o.verbosity > 0,
		Incidents: o.incidents, Template: o.template, StrictKeys: !o.lenient,
	}
	p, err := render.New(o.options)
	if err != nil {
		return usage("%w", err)
	}
	o.printer = p
	return nil
}

// terminal tells whether standard output is one, and how wide it is.
func (o *output) terminal() (tty bool, width int) {
	f, ok := o.env.Streams.Out.(interface{ Fd() uintptr })
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return false, 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		width = 0
	}
	return true, width
}

// interactive tells whether the viewer is shown: a person at both ends of a terminal
// that can draw, and no format or condition that a script would set.
func (o *output) interactive() bool {
	in, ok := o.env.Streams.In.(interface{ Fd() uintptr })
	tty, _ := o.terminal()
	return ok && tty && term.IsTerminal(int(in.Fd())) && !o.env.dumb() &&
		o.format == "" && !o.noTUI && !o.plain && o.failOn == "" && o.verbosity < requestLog
}

// talks tells whether a person watches standard error: then progress is shown.
func (o *output) talks() bool {
	f, ok := o.env.Streams.ErrOut.(interface{ Fd() uintptr })
	return ok && term.IsTerminal(int(f.Fd()))
}

// show prints a report and what there is to say about it. looked tells what was
// looked at, for a report without items.
func (o *output) show(ctx context.Context, res analyzer.Result, looked string) error {
	r := res.Report
	if o.plain {
		if err := render.Plain(ctx, o.env.Streams.Out, r, res.Details); err != nil {
			return fmt.Errorf("print report: %w", err)
		}
		return o.match(r)
	}
	if render.Text(o.format) && len(r.Items) == 0 {
		render.Nothing(o.env.Streams.ErrOut, r, looked)
	} else if render.Text(o.format) && o.incidents && len(r.Incidents) == 0 {
		render.Alone(o.env.Streams.ErrOut, r)
	} else if err := o.print(res); err != nil {
		return fmt.Errorf("print report: %w", err)
	}
	if render.Text(o.format) && o.incidents && len(r.Incidents) > 0 {
		render.Alone(o.env.Streams.ErrOut, r)
	}
	render.NodeNotes(o.env.Streams.ErrOut, r)
	render.Gaps(o.env.Streams.ErrOut, r, o.verbosity > 0)
	if errors.Is(ctx.Err(), context.Canceled) {
		return hint(errors.New("collect evidence: interrupted"), "the report contains what was collected before")
	}
	return o.match(r)
}

// print prints a report. A page is drawn from stories too, which there are only
// after the analysis.
func (o *output) print(res analyzer.Result) error {
	if o.format != "html" || res.Details == nil {
		return o.printer(o.env.Streams.Out, res.Report)
	}
	options := o.options
	options.Details = res.Details
	p, err := render.New(options)
	if err != nil {
		return err
	}
	return p(o.env.Streams.Out, res.Report)
}

// match applies --fail-on. What only looked like a restart does not count.
func (o *output) match(r *report.Report) error {
	if o.failOn == "" {
		return nil
	}
	n := 0
	for _, i := range r.Items {
		if i.Kind != report.None && i.Verdict.Confidence.Rank() >= report.Confidence(o.failOn).Rank() {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	return &matched{fmt.Sprintf("%d of %d verdicts are %s or more certain", n, len(r.Items), o.failOn)}
}

// fixed completes a flag from a list.
func fixed(cmd *cobra.Command, flag string, values ...string) {
	// It fails for a flag that does not exist only, which tests would show.
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}
