package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/demo"
	"github.com/restartwhy/kubectl-restartwhy/diag"
	"github.com/restartwhy/kubectl-restartwhy/diag/bundle"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/foreign"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// The values of --evidence: how far to go.
const (
	evidenceAuto = "auto" // the API server, and node logs where that is cheap and allowed
	evidenceAPI  = "api"
	evidenceLogs = "logs"
	evidencePod  = "pod" // a short-lived pod on each node
)

// sources are where evidence comes from: a cluster, or recordings.
type sources struct {
	env   Env
	level string
	from  []string
	node  string
	// onNode says that the node's own logs are read already, so that their
	// absence from the API's part is no gap.
	onNode bool
	// neighbours is how many hashes of specs near a container's are computed while
	// it is collected (forensics.Search); mostly none.
	neighbours int
	// wholes are the specs whose neighbours were hashed in a cluster.
	wholes fullSpecs
	// sameSpec, if not nil, are the only containers whose neighbours are wanted.
	sameSpec map[likeness]bool
	// restartsOnly: little is kept of pods in which nothing ended; viewed, that it is for the viewer.
	restartsOnly, viewed bool
	// gates asks kubelets whose logs are read for their feature gates too.
	gates bool
	// demo reads the embedded recording.
	demo bool
	conn *connection
	// early, where it is set, gets what the API server told while logs are still to
	// be read.
	early func(*gathered)
	// watching, where it is set, remembers from round to round.
	watching *watcher
	pod      podFlags // its since is for logs of nodes too
	// metricsFrom is the monitoring system that is asked beside the API server.
	metricsFrom metricsFlags
}

func newSources(env Env) *sources {
	return &sources{env: env, level: evidenceAuto, conn: newConnection(env), pod: podFlags{since: localSince}}
}

// addLevel adds the flag that says how far to go in a cluster.
func (s *sources) addLevel(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.level, "evidence", evidenceAuto, "how far to go for evidence: auto|api|logs|pod")
	fixed(cmd, "evidence", evidenceAuto, evidenceAPI, evidenceLogs, evidencePod)
	s.pod.add(cmd, s.env)
	s.metricsFrom.add(cmd)
}

// addFrom adds the flags that name recordings instead of a cluster.
func (s *sources) addFrom(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&s.from, "from", nil,
		"read this instead of a cluster: a bundle, or a directory or file of logs, or - for standard input; may be repeated")
	s.addNode(cmd)
}

func (s *sources) addNode(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.node, "node", "", "the node that log files come from, if they do not name it")
}

// names are the recordings as reports name them, safe to print: the shell may
// have found them by a pattern.
func (s *sources) names() []string {
	if s.demo {
		return []string{"demo"}
	}
	names := make([]string, len(s.from))
	for i, name := range s.from {
		names[i] = safetext.Ident(name)
	}
	return names
}

// recorded tells that no cluster is asked.
func (s *sources) recorded() bool { return s.demo || len(s.from) > 0 }

func (s *sources) validate(sc *scope) error {
	if !slices.Contains([]string{evidenceAuto, evidenceAPI, evidenceLogs, evidencePod}, s.level) {
		return usage("unknown value %q for --evidence: want auto, api, logs or pod", s.level)
	}
	if err := s.metricsFrom.validate(); err != nil {
		return err
	}
	if s.metricsFrom.address != "" && s.recorded() {
		return usage("--prometheus needs a cluster: 'collect --prometheus' keeps its answers in a bundle")
	}
	if s.level == evidencePod && !s.recorded() {
		_, warn, err := s.pod.options(s.env)
		if err != nil {
			return err
		}
		if warn != "" {
			fmt.Fprintln(s.env.Streams.ErrOut, "note: "+warn)
		}
	}
	if s.recorded() && sc.selector != "" {
		return usage("-l needs a cluster: recorded evidence has no labels to select by; name pods instead")
	}
	for _, t := range sc.targets {
		if s.recorded() && t.kind == "service" {
			return usage("%s needs a cluster: recorded evidence has no labels to select by; name pods instead", t)
		}
	}
	return nil
}

// gathered is the evidence for one question.
type gathered struct {
	yield       diag.Collection
	collectedAt time.Time
	// err is what could not be had although something else could.
	err error
	// sources are the user's own paths of files, by their place in a bundle.
	sources map[string]string
	// cluster is where it was gathered; nil for recordings.
	cluster *cluster
	// meter tells how far snapshot has come; nil where nobody asks.
	meter *evidence.Meter
	// close frees the files behind the pieces.
	close func() error
}

// snapshot reads the evidence into facts.
func (g *gathered) snapshot() *evidence.Snapshot {
	g.frugal()
	s := diag.ObserveMetered(g.yield, g.collectedAt, cmp.Or(g.meter, &evidence.Meter{}))
	for i := range s.Gaps {
		s.Gaps[i].Why = ownPath(s.Gaps[i].Why, g.sources)
	}
	return s
}

// ownPath puts the path that the user knows in place of a file's place in a bundle, which
// stands behind "read" in what is said of it.
func ownPath(why string, sources map[string]string) string {
	rest, ok := strings.CutPrefix(why, "read ")
	if !ok {
		return why
	}
	path, said, ok := strings.Cut(rest, ": ")
	if own := sources[path]; ok && own != "" {
		return "read " + own + ": " + said
	}
	return why
}

// note remembers the paths of an input's files. A place that files of two inputs got stays
// as it is.
func (g *gathered) note(name string, report foreign.Report) {
	if g.sources == nil {
		g.sources = map[string]string{}
	}
	info, err := os.Stat(name)
	for place, path := range report.Sources {
		own := name + ": " + path // within an archive
		switch {
		case name == "-":
			own = "standard input"
		case err == nil && info.IsDir():
			own = filepath.Join(name, path)
		case filepath.Base(name) == path:
			own = name
		}
		if _, twice := g.sources[place]; twice {
			own = ""
		}
		g.sources[place] = safetext.Ident(own)
	}
}

// frugal collects garbage more often where the evidence is large: the collector's doubling of it would be the most of
// the program.
func (g *gathered) frugal() {
	if os.Getenv("GOGC") == "" && g.large() {
		debug.SetGCPercent(40)
	}
}

// inHaste collects garbage less often until the function that it returns is called. It is for a run that reads a
// recording, prints and ends: nearly all that is made of evidence is held until it is printed, so that a collection
// finds little. Over 16 000 pods every third second was one.
func (g *gathered) inHaste() (until func()) {
	if os.Getenv("GOGC") != "" || g.large() {
		return func() {}
	}
	before := debug.SetGCPercent(400)
	return func() { debug.SetGCPercent(before) }
}

func (g *gathered) large() bool {
	logs, other := g.yield.Size()
	return logs > 64<<20 || other > 192<<20
}

// gather collects the evidence for a scope, and completes the scope with the
// namespace to look in.
func (s *sources) gather(ctx context.Context, sc *scope, p *progress) (*gathered, error) {
	if s.recorded() {
		sc.namespace = s.conn.namespace()
		return s.recordings(p)
	}
	cl, err := s.conn.open()
	if err != nil {
		return nil, err
	}
	switch {
	case len(sc.nodes) > 0:
		sc.namespace = s.conn.namespace() // a node has pods of all namespaces
	case !sc.allNamespaces:
		sc.namespace = cl.namespace
	}
	return s.live(ctx, cl, sc, p)
}

// recordings reads bundles and logs. One that cannot be read fails the run: it
// was asked for by name.
func (s *sources) recordings(p *progress) (*gathered, error) {
	g := &gathered{}
	var closers []io.Closer
	var all []*bundle.Bundle
	g.close = func() error {
		var errs []error
		for _, c := range closers {
			errs = append(errs, c.Close())
		}
		return errors.Join(errs...)
	}
	o := bundle.Options{Stdin: s.env.Streams.In, Now: s.env.Now()}
	read := func(name string, open func() (*bundle.Bundle, foreign.Report, error)) error {
		p.step(name, false)
		b, report, err := open()
		p.step(name, true)
		if err != nil {
			return errors.Join(unreadable(err), g.close())
		}
		if b.Foreign {
			p.note(safetext.Ident(name) + ": " + safetext.Clean(report.String()).String())
		}
		closers = append(closers, b)
		g.note(name, report)
		all = append(all, b)
		if b.Manifest.CollectedAt.After(g.collectedAt) {
			g.collectedAt = b.Manifest.CollectedAt
		}
		return nil
	}
	if s.demo {
		err := read("demo", func() (*bundle.Bundle, foreign.Report, error) {
			b, err := bundle.Read("demo", bytes.NewReader(demo.Bundle), o)
			return b, foreign.Report{}, err
		})
		g.yield = diag.LoadAll(all, s.hasher())
		return g, err
	}
	for _, name := range s.from {
		if err := read(name, func() (*bundle.Bundle, foreign.Report, error) {
			if recording := demo.Named(name); recording != nil {
				b, err := bundle.Read(name, bytes.NewReader(recording), o)
				return b, foreign.Report{}, err
			}
			return foreign.Open(name, s.node, o)
		}); err != nil {
			return nil, err
		}
	}
	g.yield = diag.LoadAll(all, s.hasher())
	return g, nil
}

func unreadable(err error) error {
	switch {
	case errors.Is(err, bundle.ErrNotABundle):
		return hint(err, foreign.Accepted()...)
	case errors.Is(err, bundle.ErrNewer):
		return hint(err, "a newer version of this plugin can read it")
	}
	return err
}

// looked says what the evidence covers, for a report without items. live tells
// that pods were asked for: then it matters that there are none.
func looked(s *evidence.Snapshot, live bool) string {
	var parts, kinds []string
	if live && len(s.Pods) == 0 {
		parts = append(parts, "no pod")
	}
	count := func(n int, one string) {
		switch {
		case n == 1:
			parts = append(parts, "1 "+one)
		case n > 1:
			parts = append(parts, fmt.Sprintf("%d %ss", n, one))
		}
	}
	count(len(s.Pods)+s.Quiet, "pod")
	count(len(s.Nodes), "node")
	for _, c := range s.Coverage {
		if !slices.Contains(kinds, string(c.Source)) {
			kinds = append(kinds, string(c.Source))
		}
	}
	if len(kinds) > 0 {
		parts = append(parts, "evidence from "+strings.Join(kinds, ", "))
	}
	return strings.Join(parts, ", ")
}
