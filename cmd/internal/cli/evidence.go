package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/demo"
	"github.com/restartwhy/kubectl-restartwhy/diag/bundle"
	"github.com/restartwhy/kubectl-restartwhy/diag/collect"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/foreign"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// localSince is how far back the logs of a node are read by default.
const localSince = "48h"

// watchEvery is the pause between two rounds of polling, where a watch cannot be.
const watchEvery = 10 * time.Second

// sources are where evidence comes from: a cluster, or recordings.
type sources struct {
	env Env
	// read is how a cluster is read.
	read collect.Reader
	from []string
	node string
	// neighbours is how many hashes of specs near a container's are computed while
	// it is collected (forensics.Search); mostly none.
	neighbours int
	// sameSpec, if not nil, are the only containers whose neighbours are wanted.
	sameSpec map[likeness]bool
	// demo reads the embedded recording.
	demo bool
	conn *connection
	pod  podFlags // its since is for logs of nodes too
}

func newSources(env Env) *sources {
	return &sources{env: env, conn: newConnection(env), pod: podFlags{since: localSince},
		read: collect.Reader{Level: collect.Auto, Now: env.Now}}
}

// levels are the values of --evidence; agents create no pods.
var (
	levels      = []string{string(collect.Auto), string(collect.API), string(collect.Logs), string(collect.Pod)}
	agentLevels = levels[:3]
)

func (s *sources) addLevels(cmd *cobra.Command, levels []string) {
	cmd.Flags().StringVar((*string)(&s.read.Level), "evidence", string(s.read.Level),
		"how far to go for evidence: "+strings.Join(levels, "|"))
	fixed(cmd, "evidence", levels...)
}

func (s *sources) prometheus() prometheusFlags { return prometheusFlags{&s.read.Prometheus} }

// addLevel adds the flag that says how far to go in a cluster.
func (s *sources) addLevel(cmd *cobra.Command) {
	s.addLevels(cmd, levels)
	s.pod.add(cmd, s.env)
	s.prometheus().add(cmd)
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
	if !slices.Contains(levels, string(s.read.Level)) {
		return usage("unknown value %q for --evidence: want auto, api, logs or pod", s.read.Level)
	}
	if err := s.prometheus().validate(); err != nil {
		return err
	}
	var err error
	if s.read.Age, err = parseAge(s.pod.since); err != nil {
		return usage("--since %q: want a duration such as 24h or 7d", s.pod.since)
	}
	if s.read.Prometheus.Address != "" && s.recorded() {
		return usage("--prometheus needs a cluster: 'collect --prometheus' keeps its answers in a bundle")
	}
	if s.read.Level == collect.Pod && !s.recorded() {
		var warn string
		if s.read.Pod, warn, err = s.pod.options(s.env); err != nil {
			return err
		}
		if warn != "" {
			fmt.Fprintln(s.env.Streams.ErrOut, "note: "+warn)
		}
	}
	if s.recorded() && sc.Selector != "" {
		return usage("-l needs a cluster: recorded evidence has no labels to select by; name pods instead")
	}
	for _, t := range sc.Targets {
		if s.recorded() && t.Kind == "service" {
			return usage("%s needs a cluster: recorded evidence has no labels to select by; name pods instead", t)
		}
	}
	return nil
}

// gather collects the evidence for a scope, and completes the scope with the
// namespace to look in.
func (s *sources) gather(ctx context.Context, sc *scope, p *progress) (*collect.Evidence, error) {
	hashing := s.hashing()
	if s.recorded() {
		sc.Namespace = s.conn.namespace()
		r := collect.Recordings{Names: s.names(), Node: s.node, Stdin: s.env.Streams.In, Now: s.env.Now(),
			Builtin: s.builtin, Hashing: hashing}
		if !s.demo {
			r.Names = s.from
		}
		g, err := r.Read(p)
		return g, unreadable(err)
	}
	cl, err := s.conn.open()
	if err != nil {
		return nil, err
	}
	switch {
	case len(sc.Nodes) > 0:
		sc.Namespace = s.conn.namespace() // a node has pods of all namespaces
	case !sc.AllNamespaces:
		sc.Namespace = cl.Namespace
	}
	s.read.Hashing = hashing
	g, err := s.read.Live(ctx, cl, &sc.Scope, p)
	if err != nil {
		return nil, explain(ctx, err, cl)
	}
	if g.Err != nil {
		g.Err = explain(ctx, g.Err, cl)
	}
	return g, nil
}

// builtin is a recording that the program has within.
func (s *sources) builtin(name string) []byte {
	if s.demo {
		return demo.Bundle
	}
	return demo.Named(name)
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

// asksOnTerminal tells whether the login to the cluster may ask something: an exec
// plugin of the kubeconfig that is not told otherwise.
func (s *sources) asksOnTerminal() bool {
	if s.recorded() {
		return false
	}
	cl, err := s.conn.open()
	return err == nil && cl.Config.ExecProvider != nil && cl.Config.ExecProvider.InteractiveMode != "Never"
}
