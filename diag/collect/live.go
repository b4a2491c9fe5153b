package collect

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag"
	"github.com/restartwhy/kubectl-restartwhy/diag/apiobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/apiserver"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/pace"
	"github.com/restartwhy/kubectl-restartwhy/diag/kube"
)

// autoNodes is up to how many nodes --evidence auto reads the logs of.
const autoNodes = 5

// logsTimeout is the deadline for all logs of one node. The kubelet itself ends
// each answer after 30 s.
const logsTimeout = 2 * time.Minute

// apiReader reads the API server, once or repeatedly.
type apiReader interface {
	diag.Source
	Nodes() []string
	Err() error
}

// Live reads a cluster: the API server first, because it shows which nodes matter, then their logs. The error says why
// nothing could be read; Collected.Err is what could not be read although something else could. Both are as the API
// server package returned them (kube.AccessError), or ErrNoPods.
func (r *Reader) Live(ctx context.Context, cl *Cluster, sc *Scope, p Listener) (*Collected, error) {
	g := &Collected{Cluster: cl, Close: func() error { return nil }}
	api, gaps, err := r.api(ctx, cl, sc)
	if err != nil {
		return nil, err
	}
	g.Collection = diag.Collect(ctx, []diag.Source{api}, diag.Options{Timeout: cl.Deadline, Progress: p.Step})
	g.Collection.Gaps = append(g.Collection.Gaps, gaps...)
	if err := api.Err(); err != nil {
		if len(g.Collection.Pieces) == 0 {
			return nil, err
		}
		g.Err = err
	}
	if len(g.Collection.Pieces) == 0 {
		return nil, fmt.Errorf("ask %s: %w", cl.Server, kube.ErrTimeout)
	}
	g.CollectedAt = r.Now()
	g.Collection.Add(r.metrics(ctx, cl, sc, g, p))
	nodes, gap := r.logNodes(ctx, cl, sc, api, g)
	if gap != nil {
		g.Collection.Gaps = append(g.Collection.Gaps, *gap)
	}
	known, unread := r.Watching.recall(nodes)
	if r.Early != nil && len(unread) > 0 {
		r.Early(g.with(r.Watching.older(nodes)))
	}
	fresh := r.readNodes(ctx, cl, unread, p)
	*g = *g.with(append(known, r.Watching.keep(fresh)...))
	if r.Watching == nil {
		g.Close = func() error { return closeReads(fresh) }
	}
	if !r.OnNode { // else the node's pieces are elsewhere
		r.HashLater(g.Collection.Pieces)
	}
	g.CollectedAt = r.Now()
	return g, nil
}

// api returns the reader of the API server: a source, or the watcher that continues one. The gaps are for what will not
// be requested.
func (r *Reader) api(ctx context.Context, cl *Cluster, sc *Scope) (apiReader, []evidence.Gap, error) {
	if r.Watching != nil && r.Watching.follower != nil {
		return r.Watching.follower, r.Watching.gaps, nil
	}
	asked, err := r.resolved(ctx, cl, sc)
	if err != nil {
		return nil, nil, err
	}
	denied, gaps := mayReadAPI(ctx, cl, asked)
	source := apiserver.NewSource(cl.Client, asked, r.hasher(), apiserver.Options{
		Timeout: cl.Deadline, Now: r.Now, Denied: denied,
		History: r.Near != nil && len(asked.Nodes) == 0, Quiet: r.quiet(sc),
	})
	if r.Watching != nil {
		w := r.Watching
		w.cluster, w.source, w.gaps, w.unwatchable = cl, source, gaps, sc.whyNotWatchable(asked)
	}
	return source, gaps, nil
}

// quiet is how much to keep of pods in which nothing ended. When only restarts matter, logs of nodes may still name
// them; the viewer can save a bundle, which has the pods of a namespace whole.
func (r *Reader) quiet(sc *Scope) apiserver.Keeping {
	switch {
	case !r.RestartsOnly || len(sc.Targets) > 0 || r.Viewed && !sc.Whole():
		return apiserver.KeepWhole
	case r.Level == API || r.Level == Auto && sc.Whole():
		return apiserver.KeepCount
	}
	return apiserver.KeepOutline
}

// with returns the evidence with that of nodes added.
func (g *Collected) with(reads []*nodeRead) *Collected {
	more := *g
	more.Collection = diag.Collection{Pieces: slices.Clone(g.Collection.Pieces), Gaps: slices.Clone(g.Collection.Gaps)}
	for _, r := range reads {
		more.Collection.Add(r.collection)
	}
	return &more
}

// ofNode distinguishes the logs of several nodes in the progress display.
type ofNode struct {
	diag.Source
	node string
}

// Name names the node.
func (s ofNode) Name() string { return "log of " + s.node }

// logReach is how far back the pages of a log are read.
func (r *Reader) logReach() time.Time { return r.Now().Add(-r.Age) }

// hasher hashes containers while they are read, and keeps the specs if similar ones are to be hashed too.
func (r *Reader) hasher() apiobject.Hasher {
	out := apiobject.Hasher{Present: r.Present}
	if r.Near != nil {
		out.Near = func(a apiobject.Ancestry) []evidence.SpecHash {
			r.specs.add(a)
			return r.Near(a)
		}
	}
	return out
}

// resolved resolves the scope's workloads, within the deadline.
func (r *Reader) resolved(ctx context.Context, cl *Cluster, sc *Scope) (apiserver.Scope, error) {
	ctx, cancel := pace.Within(ctx, cl.Deadline)
	defer cancel()
	return sc.Resolve(ctx, cl.Client)
}

// logNodes chooses the nodes to read logs from, and explains in a gap why it chose none although logs would help.
func (r *Reader) logNodes(ctx context.Context, cl *Cluster, sc *Scope,
	api apiReader, g *Collected) ([]string, *evidence.Gap) {
	skipped := func(why, hint string) *evidence.Gap {
		return &evidence.Gap{Source: evidence.SourceKubeletLog, Why: why, Hint: hint}
	}
	nodes := api.Nodes()
	switch {
	case r.OnNode:
		return nil, nil
	case r.Level == API:
		return nil, skipped("node logs were not requested", "--evidence logs reads them")
	case r.Level == Pod:
		return nodes, nil
	case r.Level == Logs:
		// Requested explicitly: a denial is reported, and nothing is tried in vain.
		if gap := mayReadLogs(ctx, cl); gap != nil {
			return nil, gap
		}
		return nodes, nil
	case sc.Whole():
		return nil, skipped("node logs are not read for a whole cluster",
			"--evidence logs reads them; 'node NODE' does for one node")
	}
	if len(sc.Nodes) == 0 {
		nodes = eventful(g.Snapshot(), nodes)
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

// eventful returns those nodes on which a container in scope ended.
func eventful(s *evidence.Snapshot, nodes []string) []string {
	ended := map[string]bool{}
	for i := range s.Observations {
		r, ok := s.Observations[i].Fact.(evidence.ContainerRecord)
		if ok && (r.Last || r.RestartCount > 0 || r.State == evidence.StateExited) {
			ended[s.Observations[i].Subject.Node] = true
		}
	}
	return slices.DeleteFunc(nodes, func(node string) bool { return !ended[node] })
}
