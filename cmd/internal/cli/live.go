package cli

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag"
	"github.com/restartwhy/kubectl-restartwhy/diag/apiserver"
	"github.com/restartwhy/kubectl-restartwhy/diag/configz"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/nodelog"
)

// autoNodes is up to how many nodes --evidence auto reads the logs of.
const autoNodes = 5

// logsTimeout is the deadline for all logs of one node. The kubelet itself ends
// each answer after 30 s.
const logsTimeout = 2 * time.Minute

// live collects from a cluster: the API server first, because it tells which
// nodes are concerned, then their logs.
func (s *sources) live(ctx context.Context, cl *cluster, sc *scope, p *progress) (*gathered, error) {
	g := &gathered{close: func() error { return nil }}
	o := diag.Options{Timeout: cl.deadline, Progress: p.step}
	asked, err := s.resolved(ctx, cl, sc)
	if err != nil {
		return nil, explain(ctx, err, cl)
	}
	denied, gaps := mayReadAPI(ctx, cl, asked)
	api := apiserver.NewSource(cl.client, asked, s.hasher(), apiserver.Options{Timeout: cl.deadline, Now: s.env.Now, Denied: denied, History: s.neighbours > 0 && len(asked.Nodes) == 0})
	g.yield = diag.Collect(ctx, []diag.Source{api}, o)
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
	nodes, gap := s.logNodes(ctx, cl, sc, api, g)
	if gap != nil {
		g.yield.Gaps = append(g.yield.Gaps, *gap)
	}
	if s.early != nil && len(nodes) > 0 {
		s.early(g)
	}
	if s.level == evidencePod {
		// What a pod could not read the kubelet may still tell.
		if nodes = s.pods(ctx, cl, nodes, g, p); len(nodes) > 0 {
			if mayReadLogs(ctx, cl) != nil {
				nodes = nil
			}
		}
	}
	get := nodelog.REST(cl.client.Core())
	var logs []diag.Source
	for _, node := range nodes {
		log := nodelog.NewSource(get, node, nodelog.QueryOptions{Now: s.env.Now, Reach: s.logReach()})
		logs = append(logs, ofNode{log, node})
	}
	if s.gates {
		for _, node := range nodes {
			logs = append(logs, configz.NewSource(get, node, s.env.Now))
		}
	}
	g.yield.Add(diag.Collect(ctx, logs, diag.Options{Timeout: logsTimeout, Progress: p.step}))
	if !s.onNode { // else the node's pieces are elsewhere
		s.wholes.hashLater(g.yield.Pieces)
	}
	g.collectedAt = s.env.Now()
	return g, nil
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
func (s *sources) logNodes(ctx context.Context, cl *cluster, sc *scope, api *apiserver.Source, g *gathered) ([]string, *evidence.Gap) {
	skipped := func(why, hint string) *evidence.Gap {
		return &evidence.Gap{Source: evidence.SourceKubeletLog, Why: why, Hint: hint}
	}
	nodes := api.Nodes()
	switch {
	case s.onNode:
		return nil, nil
	case s.level == evidenceAPI:
		return nil, skipped("node logs were not asked for", "--evidence logs reads them")
	case s.level == evidencePod:
		return nodes, nil
	case s.level == evidenceLogs:
		// Asked for by name: a denial is told, and nothing is tried in vain.
		if gap := mayReadLogs(ctx, cl); gap != nil {
			return nil, gap
		}
		return nodes, nil
	case sc.whole():
		return nil, skipped("node logs are not read for a whole cluster", "--evidence logs reads them; 'node NODE' does for one node")
	}
	if len(sc.nodes) == 0 {
		nodes = eventful(g.snapshot(), nodes)
	}
	if len(nodes) > autoNodes {
		return nil, skipped(fmt.Sprintf("node logs are not read for more than %d nodes, here %d", autoNodes, len(nodes)), "--evidence logs reads them all")
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
