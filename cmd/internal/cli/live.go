package cli

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag"
	"github.com/restartwhy/kubectl-restartwhy/diag/apiserver"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// autoNodes is up to how many nodes --evidence auto reads the logs of.
const autoNodes = 5

// logsTimeout is the deadline for all logs of one node. The kubelet itself ends
// each answer after 30 s.
const logsTimeout = 2 * time.Minute

// apiReader is what reads the API server: once, or on and on.
type apiReader interface {
	diag.Source
	Nodes() []string
	Err() error
}

// live collects from a cluster: the API server first, because it tells which
// nodes are concerned, then their logs.
func (s *sources) live(ctx context.Context, cl *cluster, sc *scope, p *progress) (*gathered, error) {
	g := &gathered{cluster: cl, close: func() error { return nil }}
	api, gaps, err := s.api(ctx, cl, sc)
	if err != nil {
		return nil, explain(ctx, err, cl)
	}
	g.yield = diag.Collect(ctx, []diag.Source{api}, diag.Options{Timeout: cl.deadline, Progress: p.step})
	g.yield.Gaps = append(g.yield.Gaps, gaps...)
	if err := api.Err(); err != nil {
		if len(g.yield.Pieces) == 0 {
			return nil, explain(ctx, err, cl)
		}
		g.err = explain(ctx, err, cl)
	}
	if len(g.yield.Pieces) == 0 {
		return nil, explain(ctx, fmt.Errorf("ask %s: %w", cl.server, apiserver.ErrTimeout), cl)
	}
	g.collectedAt = s.env.Now()
	g.yield.Add(s.metrics(ctx, cl, sc, g, p))
	nodes, gap := s.logNodes(ctx, cl, sc, api, g)
	if gap != nil {
		g.yield.Gaps = append(g.yield.Gaps, *gap)
	}
	known, unread := s.watching.recall(nodes)
	if s.early != nil && len(unread) > 0 {
		s.early(g.with(s.watching.older(nodes)))
	}
	fresh := s.readNodes(ctx, cl, unread, p)
	s.watching.keep(fresh)
	*g = *g.with(append(known, fresh...))
	if s.watching == nil {
		g.close = func() error { return closeReads(fresh) }
	}
	if !s.onNode { // else the node's pieces are elsewhere
		s.wholes.hashLater(g.yield.Pieces)
	}
	g.collectedAt = s.env.Now()
	return g, nil
}

// api is who reads the API server: a source, or the follower of one that has read.
// The gaps are what it will not be asked for.
func (s *sources) api(ctx context.Context, cl *cluster, sc *scope) (apiReader, []evidence.Gap, error) {
	if s.watching != nil && s.watching.follower != nil {
		return s.watching.follower, s.watching.gaps, nil
	}
	asked, err := s.resolved(ctx, cl, sc)
	if err != nil {
		return nil, nil, err
	}
	denied, gaps := mayReadAPI(ctx, cl, asked)
	source := apiserver.NewSource(cl.client, asked, s.hasher(), apiserver.Options{
		Timeout: cl.deadline, Now: s.env.Now, Denied: denied,
		History: s.neighbours > 0 && len(asked.Nodes) == 0, Quiet: s.quiet(sc),
	})
	if s.watching != nil {
		s.watching.cluster, s.watching.source, s.watching.gaps, s.watching.fluid = cl, source, gaps, sc.whyNotWatchable(asked)
	}
	return source, gaps, nil
}

// quiet is how much is wanted of pods in which nothing ended. Where only restarts are asked about, logs of nodes may
// name them; from the viewer a bundle can be saved, which has the pods of a namespace whole.
func (s *sources) quiet(sc *scope) apiserver.Keeping {
	switch {
	case !s.restartsOnly || len(sc.targets) > 0 || s.viewed && !sc.whole():
		return apiserver.KeepWhole
	case s.level == evidenceAPI || s.level == evidenceAuto && sc.whole():
		return apiserver.KeepCount
	}
	return apiserver.KeepOutline
}

// with is the evidence with that of nodes added.
func (g *gathered) with(reads []*nodeRead) *gathered {
	more := *g
	more.yield = diag.Collection{Pieces: slices.Clone(g.yield.Pieces), Gaps: slices.Clone(g.yield.Gaps)}
	for _, r := range reads {
		more.yield.Add(r.yield)
	}
	return &more
}

// ofNode tells the logs of several nodes apart, for those who wait for them.
type ofNode struct {
	diag.Source
	node string
}

// Name names the node.
func (s ofNode) Name() string { return "log of " + s.node }

// logReach is how far back the pages of a log are turned. What stands on the
// newest page is kept however old it is.
func (s *sources) logReach() time.Time {
	age, err := parseAge(s.pod.since)
	if err != nil { // it was checked
		return time.Time{}
	}
	return s.env.Now().Add(-age)
}

// resolved looks workloads up, within the deadline.
func (s *sources) resolved(ctx context.Context, cl *cluster, sc *scope) (apiserver.Scope, error) {
	ctx, cancel := context.WithTimeout(ctx, cl.deadline)
	defer cancel()
	return sc.resolve(ctx, cl.client)
}

// logNodes chooses the nodes to read logs of, and says as a gap why it chose
// none although logs would tell more.
func (s *sources) logNodes(ctx context.Context, cl *cluster, sc *scope,
	api apiReader, g *gathered) ([]string, *evidence.Gap) {
	skipped := func(why, hint string) *evidence.Gap {
		return &evidence.Gap{Source: evidence.SourceKubeletLog, Why: why, Hint: hint}
	}
	nodes := api.Nodes()
	switch {
	case s.onNode:
		return nil, nil
	case s.level == evidenceAPI:
		return nil, skipped("node logs were not requested", "--evidence logs reads them")
	case s.level == evidencePod:
		return nodes, nil
	case s.level == evidenceLogs:
		// Asked for by name: a denial is told, and nothing is tried in vain.
		if gap := mayReadLogs(ctx, cl); gap != nil {
			return nil, gap
		}
		return nodes, nil
	case sc.whole():
		return nil, skipped("node logs are not read for a whole cluster",
			"--evidence logs reads them; 'node NODE' does for one node")
	}
	if len(sc.nodes) == 0 {
		nodes = eventful(g.snapshot(), nodes)
	}
	if len(nodes) > autoNodes {
		return nil, skipped(fmt.Sprintf("node logs are not read for more than %d nodes, here %d", autoNodes, len(nodes)),
			"--evidence logs reads them all")
	}
	if len(nodes) == 0 {
		return nil, nil
	}
	if gap := mayReadLogs(ctx, cl); gap != nil {
		return nil, gap
	}
	return nodes, nil
}

// eventful keeps the nodes on which a container of the scope ended.
func eventful(s *evidence.Snapshot, nodes []string) []string {
	return slices.DeleteFunc(nodes, func(node string) bool {
		return !slices.ContainsFunc(s.Observations, func(o evidence.Observation) bool {
			r, ok := o.Fact.(evidence.ContainerRecord)
			return ok && o.Subject.Node == node && (r.Last || r.RestartCount > 0 || r.State == evidence.StateExited)
		})
	})
}
