package preflight

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/replay"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Stream predicts page by page, for clusters that are too large to hold in memory: a prediction needs only the pod and
// its node, so the nodes come first, and only the result of a pod is kept. It is not safe for concurrent use.
type Stream struct {
	o      *Options
	report *report.Preflight
	nodes  map[string]*node
	facts  map[string]*nodeFacts
	// apiServer is the oldest API server among the pods so far, or the one in the options.
	apiServer kubelet.Version
	// index finds the runtime's records of the current page.
	index *replay.Index
	// uncompared is how many pods were not compared with their node.
	uncompared int
	// same dedupes names that many pods share: each page would have its own copy.
	same map[string]string
}

// NewStream starts with the nodes of a snapshot, the observations about them, and its gaps. The error is Run's.
func NewStream(s *evidence.Snapshot, o Options) (*Stream, error) {
	st := &Stream{o: &o, nodes: map[string]*node{}, facts: nodeFactsOf(s),
		apiServer: o.APIServer, same: map[string]string{}}
	r := &report.Preflight{
		GeneratedAt: o.GeneratedAt.UTC(), Tool: report.Tool{Version: o.ToolVersion}, Scope: o.Scope, To: Same,
		Assumed: []string{
			"a probe that passes now passes again",
			"the kubelet's configuration stays as it is, and so do the node's labels, taints, devices and resources",
		},
	}
	if o.To.Major != 0 {
		p, err := kubelet.ProfileFor(o.To)
		if err != nil {
			return nil, fmt.Errorf("predict: %w", err)
		}
		r.To, r.ModelledAs, r.Extrapolated = o.To.String(), p.ModelledAs, p.Extrapolated
		if text := takenFor(&p); text != "" {
			r.Assumed = append(r.Assumed, text)
		}
	}
	st.report = r
	st.Gaps(s.Gaps)
	for i := range s.Nodes {
		st.nodes[s.Nodes[i].Name] = newNode(st, &s.Nodes[i])
	}
	return st, nil
}

// Gaps adds evidence that could not be collected.
func (st *Stream) Gaps(gaps []evidence.Gap) {
	for _, g := range gaps {
		st.report.Gaps = append(st.report.Gaps, report.Gap{Source: string(g.Source), Node: g.Node, Why: g.Why, Hint: g.Hint})
	}
}

// Add predicts for the pods of a page; nothing of the page is kept. Each pod must be in one page only.
func (st *Stream) Add(page *evidence.Snapshot) {
	st.index = replay.NewIndex(page)
	for i := range page.Pods {
		p := &page.Pods[i]
		if st.o.APIServer.Major == 0 {
			st.apiServer = olderAPIServer(st.apiServer, p)
		}
		// A pod that is not bound does not run.
		if p.Node == "" || len(st.o.Nodes) > 0 && !slices.Contains(st.o.Nodes, p.Node) ||
			st.o.Keep != nil && !st.o.Keep(p.Namespace, p.Name, p.RuntimeUID()) {
			continue
		}
		n := st.nodes[p.Node]
		if n == nil {
			n = newNode(st, &evidence.Node{Name: p.Node})
			st.nodes[p.Node] = n
		}
		n.add(p)
	}
	st.index = nil
}

// shared returns one copy of a name.
func (st *Stream) shared(name string) string {
	if one, ok := st.same[name]; ok {
		return one
	}
	st.same[name] = name
	return name
}

// Report returns the predictions for all that was added. The stream must not be used afterwards.
func (st *Stream) Report() *report.Preflight {
	r := st.report
	var names []string
	containers := 0
	for name, n := range st.nodes {
		// A node without a pod in the scope matters only if nodes or everything was requested.
		if len(st.o.Nodes) == 0 && st.o.Keep == nil || slices.Contains(st.o.Nodes, name) || n.pods > 0 {
			names = append(names, name)
			containers += len(n.items)
		}
	}
	if st.uncompared > 0 {
		r.Assumed = append(r.Assumed, "every pod whose node's labels and taints were not read is admitted again")
	}
	slices.Sort(names)
	r.Items = make([]report.PreflightItem, 0, containers)
	for _, name := range names {
		n := st.nodes[name]
		n.overflow()
		// Pages need not be in order; the containers of a pod keep theirs.
		slices.SortStableFunc(n.items, func(a, b report.PreflightItem) int {
			return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Pod, b.Pod), cmp.Compare(a.PodUID, b.PodUID))
		})
		n.report.Findings = n.findings()
		for _, f := range n.report.Findings {
			n.report.Blocked = n.report.Blocked || f.Level == report.FindingBlocker
		}
		if n.report.Blocked {
			r.Summary.BlockedNodes++
		}
		for i := range n.items {
			n.report.Count.Add(n.items[i].Prediction)
			r.Summary.Add(n.items[i].Prediction)
		}
		r.Items = append(r.Items, n.items...)
		r.Nodes = append(r.Nodes, n.report)
		n.items = nil // frees memory in a large cluster
	}
	slices.SortStableFunc(r.Nodes, bySeverity)
	r.Groups = group(r.Items)
	r.Normalise()
	return r
}
