package command

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/klog/v2"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/present"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/render"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/render/text"
	"github.com/restartwhy/kubectl-restartwhy/diag/redact"
)

// Output is how a report is shown: its flags, and the printing.
type Output struct {
	render.Options
	Env       Env
	NoColor   bool
	noTUI     bool
	Plain     bool
	Mouse     bool
	FailOn    string
	Verbosity int
	// lenient prints nothing for a template's field that the report lacks.
	lenient bool
	// Rows prints the table even for a single item: more may follow.
	Rows bool
}

// confidences are the values of --fail-on, strongest first.
var confidences = []string{string(report.Proven), string(report.Likely), string(report.Possible)}

// AddFlags adds the flags for printing.
func (o *Output) AddFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVarP(&o.Format, "output", "o", "", "output format: "+render.Formats)
	f.BoolVar(&o.NoHeaders, "no-headers", false, "print the table without its headers and without incidents")
	o.AddTerminal(cmd)
	f.StringVar(&o.FailOn, "fail-on", "", "exit with 3 if a verdict is at least this certain: proven|likely|possible")
	AddVerbosity(cmd, &o.Verbosity)
	f.StringVar(&o.Template, "template", "", "the template, or the file that holds it, for go-template and jsonpath")
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
	tty, width := o.Env.Terminal()
	o.Color, o.Width = tty && !o.NoColor && o.Env.colours(), width
	o.Verbose, o.StrictKeys = o.Verbosity > 0, !o.lenient
	if _, err := render.New(o.Options); err != nil {
		return Usage("%w", err)
	}
	return nil
}

// Lists reports whether only rows are shown of a report's items, and at most the newest in full.
func (o *Output) Lists() bool {
	return (o.Format == "" || o.Format == "table" || o.Format == "name") && !o.Plain
}

// Interactive reports whether the viewer is shown: both ends are a capable terminal, and there is no format or
// condition that a script would set.
func (o *Output) Interactive() bool {
	_, in := terminal(o.Env.Streams.In)
	_, out := terminal(o.Env.Streams.Out)
	return in && out && !o.Env.dumb() &&
		o.Format == "" && !o.noTUI && !o.Plain && o.FailOn == "" && o.Verbosity < requestLog
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
	options := o.Options
	options.Details = res.Details
	if o.Rows && options.Format == "" {
		options.Format = "table"
	}
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

// requestLog is the verbosity from which client-go's own log is shown: it then logs each request, as with kubectl.
const requestLog = 6

// AddVerbosity adds the flag -v.
func AddVerbosity(cmd *cobra.Command, verbosity *int) {
	cmd.Flags().IntVarP(verbosity, "verbosity", "v", 0,
		"1 lists all missing evidence, 6 and more also log the requests to the API server")
	cmd.Flags().Lookup("verbosity").NoOptDefVal = "1"
}

// Logging keeps client-go's log off standard error, unless it was requested. It sets klog's global state and is called
// once.
func Logging(env Env, verbosity int) {
	if verbosity < requestLog {
		klog.SetSlogLogger(slog.New(slog.DiscardHandler))
		return
	}
	flags := flag.NewFlagSet("klog", flag.ContinueOnError)
	klog.InitFlags(flags)
	_ = flags.Set("v", strconv.Itoa(verbosity)) // a number: it cannot fail
	_ = flags.Set("logtostderr", "false")
	klog.SetOutput(withoutSecrets{env.Streams.ErrOut})
}

// withoutSecrets writes messages without their secrets: client-go logs addresses with passwords as they are, and from
// 8 on the objects that it received, with the variables of containers.
type withoutSecrets struct{ to io.Writer }

func (w withoutSecrets) Write(message []byte) (int, error) {
	if _, err := io.WriteString(w.to, redact.Text(string(message))); err != nil {
		return 0, fmt.Errorf("log a request: %w", err)
	}
	return len(message), nil
}

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
