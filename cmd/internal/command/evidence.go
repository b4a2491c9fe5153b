package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/present"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/demo"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/render"
	"github.com/restartwhy/kubectl-restartwhy/diag/bundle"
	"github.com/restartwhy/kubectl-restartwhy/diag/collect"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/foreign"
	"github.com/restartwhy/kubectl-restartwhy/diag/prometheus"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// LocalSince is how far back the logs of a node are read by default.
const LocalSince = "48h"

// WatchEvery is the pause between two polls, where a watch is impossible.
const WatchEvery = 10 * time.Second

// Sources are where evidence comes from: a cluster, or recordings.
type Sources struct {
	env Env
	// Read configures reading a cluster.
	Read collect.Reader
	From []string
	Node string
	// Once: what is gathered is judged and printed, and then the program exits.
	Once bool
	// Neighbours is how many hashes of specs similar to a container's are computed during collection
	// (forensics.Search); mostly 0.
	Neighbours int
	// SameSpec, if not nil, restricts Neighbours to these containers.
	SameSpec map[Likeness]bool
	// Demo reads the embedded recording.
	Demo bool
	Conn *connection
	Pod  podFlags // its since is for logs of nodes too
}

// NewSources returns sources with the defaults of a listing.
func NewSources(env Env) *Sources {
	return &Sources{env: env, Conn: NewConnection(env), Pod: podFlags{Since: LocalSince},
		Read: collect.Reader{Level: collect.Auto, Now: env.Now}}
}

// levels are the values of --evidence; agents create no pods.
var (
	levels      = []string{string(collect.Auto), string(collect.API), string(collect.Logs), string(collect.Pod)}
	AgentLevels = levels[:3]
)

// AddLevels adds the flag --evidence with these values.
func (s *Sources) AddLevels(cmd *cobra.Command, levels []string) {
	cmd.Flags().StringVar((*string)(&s.Read.Level), "evidence", string(s.Read.Level),
		"how far to go for evidence: "+strings.Join(levels, "|"))
	Fixed(cmd, "evidence", levels...)
}

func (s *Sources) prometheus() prometheusFlags { return prometheusFlags{&s.Read.Prometheus} }

// AddLevel adds the flags for how far to go in a cluster.
func (s *Sources) AddLevel(cmd *cobra.Command) {
	s.AddLevels(cmd, levels)
	s.Pod.add(cmd, s.env)
	s.prometheus().add(cmd)
}

// AddFrom adds the flags for recordings instead of a cluster.
func (s *Sources) AddFrom(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&s.From, "from", nil,
		"read this instead of a cluster: a bundle, or a directory or file of logs, or - for standard input; may be repeated")
	s.AddNode(cmd)
}

// AddRecordings adds the flag for recordings where --node means something else.
func (s *Sources) AddRecordings(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&s.From, "from", nil, "read this instead of a cluster, as 'analyze' does; may be repeated")
}

// AddNode adds the flag for the node that log files come from.
func (s *Sources) AddNode(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.Node, "node", "", "the node that log files come from, if they do not name it")
}

// Names returns the recordings as reports name them, safe to print: the shell may have expanded them from a pattern.
func (s *Sources) Names() []string {
	if s.Demo {
		return []string{demo.Incident}
	}
	names := make([]string, len(s.From))
	for i, name := range s.From {
		names[i] = safetext.Ident(name)
	}
	return names
}

// Recorded reports whether the evidence is from recordings rather than a cluster.
func (s *Sources) Recorded() bool { return s.Demo || len(s.From) > 0 }

// Validate checks the flags against each other and against the scope.
func (s *Sources) Validate(sc *Scope) error {
	if !slices.Contains(levels, string(s.Read.Level)) {
		return Usage("unknown value %q for --evidence: want auto, api, logs or pod", s.Read.Level)
	}
	if err := s.prometheus().validate(); err != nil {
		return err
	}
	var err error
	if s.Read.Age, err = ParseAge(s.Pod.Since); err != nil {
		return Usage("--since %q: want a duration such as 24h or 7d", s.Pod.Since)
	}
	if s.Read.Prometheus.Address != "" && s.Recorded() {
		return Usage("--prometheus needs a cluster: 'collect --prometheus' keeps its answers in a bundle")
	}
	if s.Read.Level == collect.Pod && !s.Recorded() {
		var warn string
		if s.Read.Pod, warn, err = s.Pod.options(s.env); err != nil {
			return err
		}
		if warn != "" {
			fmt.Fprintln(s.env.Streams.ErrOut, "note: "+warn)
		}
	}
	if s.Recorded() && sc.Selector != "" {
		return Usage("-l needs a cluster: recorded evidence has no labels to select by; name pods instead")
	}
	for _, t := range sc.Targets {
		if s.Recorded() && t.Kind == "service" {
			return Usage("%s needs a cluster: recorded evidence has no labels to select by; name pods instead", t)
		}
	}
	return nil
}

// Gather collects the evidence for a scope, and sets the namespace of the scope. It clears the progress at its end.
func (s *Sources) Gather(ctx context.Context, sc *Scope, p *ProgressBar) (*collect.Collected, error) {
	defer p.Clear()
	hashing := s.Hashing()
	if s.Recorded() {
		sc.Namespace = s.Conn.Namespace()
		r := collect.Recordings{Names: s.From, Node: s.Node, Stdin: s.env.Streams.In, Now: s.env.Now(),
			Builtin: s.builtin, Hashing: hashing, Once: s.Once}
		if s.Demo {
			r.Names = s.Names()
		}
		g, err := r.Read(p)
		return g, unreadable(err, s.From)
	}
	cl, err := s.Conn.Open()
	if err != nil {
		return nil, err
	}
	switch {
	case len(sc.Nodes) > 0:
		sc.Namespace = s.Conn.Namespace() // a node has pods of all namespaces
	case !sc.AllNamespaces:
		sc.Namespace = cl.Namespace
	}
	s.Read.Hashing = hashing
	g, err := s.Read.Live(ctx, cl, &sc.Scope, p)
	if err != nil {
		return nil, Explain(ctx, err, cl)
	}
	if g.Err != nil {
		g.Err = Explain(ctx, g.Err, cl)
	}
	return g, nil
}

// builtin returns an embedded recording. A file with its name takes precedence, except for the demo itself.
func (s *Sources) builtin(name string) []byte {
	if !s.Demo && exists(name) {
		return nil
	}
	return demo.Named(name)
}

func unreadable(err error, from []string) error {
	switch {
	case errors.Is(err, bundle.ErrNotABundle):
		return Hint(err, foreign.Accepted)
	case errors.Is(err, bundle.ErrNewer):
		return Hint(err, "a newer version of this plugin can read it")
	case errors.Is(err, fs.ErrNotExist) && len(from) == 2 && exists(from[0]):
		return Hint(err, "one pod of a recording: kubectl restartwhy "+report.QuoteName("pod", from[1])+
			" --from "+report.Quote(from[0]))
	case errors.Is(err, fs.ErrNotExist):
		return Hint(err, "recordings in this program: "+
			strings.Join([]string{demo.Incident, demo.Before, demo.Upgrade}, ", "))
	}
	return err
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// Gaps prints what could not be read where there is no report, as a report would: one of them, or all with their hints.
func Gaps(w io.Writer, gaps []evidence.Gap, all bool) {
	var out []report.Gap
	for _, g := range gaps {
		out = append(out, report.Gap{Source: string(g.Source), Node: g.Node, Why: g.Why, Hint: g.Hint})
	}
	render.Gaps(w, out, all)
}

// Looked describes what the evidence covers, for a report without items. live says that pods were requested: then it
// matters if there are none.
func Looked(s *evidence.Snapshot, live bool) string {
	var parts []string
	if live && len(s.Pods) == 0 {
		parts = append(parts, "no pod")
	}
	if n := len(s.Pods) + s.Quiet; n > 0 {
		parts = append(parts, report.Count(n, "pod"))
	}
	if n := len(s.Nodes); n > 0 {
		parts = append(parts, report.Count(n, "node"))
	}
	if logs := logsRead(s); len(logs) > 0 {
		parts = append(parts, "evidence from "+strings.Join(logs, ", "))
	}
	if len(parts) == 0 {
		return present.NoEvidence // the input may be something else altogether
	}
	return strings.Join(parts, ", ")
}

// AsksOnTerminal reports whether the login to the cluster may prompt the user: an exec plugin in the kubeconfig that is
// not configured otherwise.
func (s *Sources) AsksOnTerminal() bool {
	if s.Recorded() {
		return false
	}
	cl, err := s.Conn.Open()
	return err == nil && cl.Config.ExecProvider != nil && cl.Config.ExecProvider.InteractiveMode != "Never"
}

// logsRead names what was read, by source, with its nodes and times: "no restarts" in the log of another hour is an
// answer to another question.
func logsRead(s *evidence.Snapshot) (parts []string) {
	spans := slices.Clone(s.Read)
	for _, c := range s.Coverage {
		spans = append(spans, evidence.Span{Source: c.Source, Node: c.Node})
	}
	var kinds []evidence.SourceKind
	nodes := map[evidence.SourceKind][]string{}
	reach := map[evidence.SourceKind]evidence.Span{}
	for _, r := range spans {
		if !slices.Contains(kinds, r.Source) {
			kinds = append(kinds, r.Source)
		}
		if r.Node != "" && !slices.Contains(nodes[r.Source], r.Node) {
			nodes[r.Source] = append(nodes[r.Source], r.Node)
		}
		all := reach[r.Source]
		if !r.From.IsZero() && (all.From.IsZero() || r.From.Before(all.From)) {
			all.From = r.From
		}
		all.Until = evidence.Later(all.Until, r.Until)
		reach[r.Source] = all
	}
	for _, kind := range kinds {
		text := string(kind)
		switch of := nodes[kind]; {
		case len(of) == 1:
			text += " of " + of[0]
		case len(of) > 1:
			text += fmt.Sprintf(" of %d nodes", len(of))
		}
		if r := reach[kind]; !r.From.IsZero() {
			text += " (" + r.From.UTC().Format(time.DateTime) + " to " + until(r.From, r.Until) + ")"
		}
		parts = append(parts, text)
	}
	return parts
}

// until is the end of a time, without the day where that is the one of its beginning.
func until(from, end time.Time) string {
	const day = "2006-01-02"
	if from.UTC().Format(day) == end.UTC().Format(day) {
		return end.UTC().Format("15:04:05Z")
	}
	return end.UTC().Format("2006-01-02 15:04:05Z")
}

// prometheusFlags configure where and how to query metrics.
type prometheusFlags struct{ *collect.Prometheus }

func (m prometheusFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&m.Address, "prometheus", "",
		"also ask a Prometheus, Thanos, Mimir or VictoriaMetrics: URL|NAMESPACE/SERVICE:PORT|auto")
	f.StringVar(&m.Access.TokenFile, "prometheus-token-file", "", "with a URL: a file with a bearer token")
	f.StringVar(&m.Access.BasicFile, "prometheus-basic-file", "", "with a URL: a file with USER:PASSWORD")
	f.StringVar(&m.Access.CAFile, "prometheus-ca-file", "", "with a URL: a file with the certificates to trust (PEM)")
	Fixed(cmd, "prometheus", collect.PrometheusAuto)
}

func (m prometheusFlags) validate() error {
	if m.Access != (prometheus.Access{}) && !m.Direct() {
		return Usage("--prometheus-token-file, --prometheus-basic-file and --prometheus-ca-file need --prometheus URL: " +
			"a service is asked through the API server, with its login")
	}
	if m.Address != "" && m.Address != collect.PrometheusAuto && !m.Direct() && strings.Count(m.Address, "/") != 1 {
		return Usage("--prometheus %q: want a URL, NAMESPACE/SERVICE:PORT or auto", m.Address)
	}
	return nil
}
