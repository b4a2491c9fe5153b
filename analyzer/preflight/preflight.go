package preflight

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/replay"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Same is what Report.To says when kubelets are only restarted.
const Same = "same"

// Options are the question, and what the report says about itself.
type Options struct {
	// To is the version that takes the place of each node's kubelet; the zero value stands for each node's own.
	To kubelet.Version
	// APIServer is the version of the API server; the zero value looks for it among the pods.
	APIServer kubelet.Version
	// Nodes and Keep narrow the report; empty and nil keep everything.
	Nodes []string
	Keep  func(namespace, pod, uid string) bool

	ToolVersion string
	GeneratedAt time.Time
	Scope       report.Scope
}

// Run predicts what becomes of every container of the snapshot that is bound to a node. The error is
// kubelet.ErrVersionNotModelled for a target that is not modelled; anything else that is amiss costs the prediction of
// the containers that it concerns.
func Run(s *evidence.Snapshot, o Options) (*report.Preflight, error) {
	r := &report.Preflight{
		GeneratedAt: o.GeneratedAt.UTC(), Tool: report.Tool{Version: o.ToolVersion}, Scope: o.Scope, To: Same,
		Assumed: []string{
			"a probe that passes now passes again",
			"the kubelet's configuration stays as it is, and so do the node's labels, devices and resources: every pod is admitted again",
		},
	}
	if o.To.Major != 0 {
		p, err := kubelet.ProfileFor(o.To)
		if err != nil {
			return nil, fmt.Errorf("predict: %w", err)
		}
		r.To, r.ModelledAs, r.Extrapolated = o.To.String(), p.ModelledAs, p.Extrapolated
		if p.Extrapolated {
			r.Assumed = append(r.Assumed, fmt.Sprintf("kubelet %s does what %s does, the newest that is known", o.To.MinorString(), p.ModelledAs))
		}
	}
	for _, g := range s.Gaps {
		r.Gaps = append(r.Gaps, report.Gap{Source: string(g.Source), Node: g.Node, Why: g.Why, Hint: g.Hint})
	}
	c := &cluster{s: s, o: &o, index: replay.NewIndex(s), facts: nodeFactsOf(s), apiServer: o.APIServer}
	if c.apiServer.Major == 0 {
		c.apiServer = apiServerOf(s)
	}
	c.predict(r)
	slices.SortStableFunc(r.Nodes, byPain)
	r.Groups = group(r.Items)
	r.Normalise()
	return r, nil
}

// cluster is a snapshot with what is looked up in it.
type cluster struct {
	s         *evidence.Snapshot
	o         *Options
	index     *replay.Index
	facts     map[string]*nodeFacts
	apiServer kubelet.Version
}

// predict goes from node to node.
func (c *cluster) predict(r *report.Preflight) {
	pods := map[string][]*evidence.Pod{}
	containers := 0
	for i := range c.s.Pods {
		p := &c.s.Pods[i]
		// A pod that is not bound runs nowhere.
		if p.Node == "" || len(c.o.Nodes) > 0 && !slices.Contains(c.o.Nodes, p.Node) || c.o.Keep != nil && !c.o.Keep(p.Namespace, p.Name, p.RuntimeUID()) {
			continue
		}
		pods[p.Node] = append(pods[p.Node], p)
		containers += len(p.Containers)
	}
	nodes := map[string]*evidence.Node{}
	for i := range c.s.Nodes {
		n := &c.s.Nodes[i]
		// A node without a pod of the scope is only of interest where nodes or everything was asked for.
		if len(c.o.Nodes) == 0 && c.o.Keep == nil || slices.Contains(c.o.Nodes, n.Name) || len(pods[n.Name]) > 0 {
			nodes[n.Name] = n
		}
	}
	for name := range pods {
		if nodes[name] == nil {
			nodes[name] = &evidence.Node{Name: name}
		}
	}
	names := make([]string, 0, len(nodes))
	for name := range nodes {
		names = append(names, name)
	}
	slices.Sort(names)
	r.Items = make([]report.PreflightItem, 0, containers)
	for _, name := range names {
		n := newNode(c, nodes[name])
		from := len(r.Items)
		for _, p := range pods[name] {
			r.Items = n.pod(r.Items, p)
		}
		n.report.Findings = n.findings(pods[name])
		for _, f := range n.report.Findings {
			n.report.Blocked = n.report.Blocked || f.Level == report.FindingBlocker
		}
		if n.report.Blocked {
			r.Summary.BlockedNodes++
		}
		for i := from; i < len(r.Items); i++ {
			n.report.Count.Add(r.Items[i].Prediction)
			r.Summary.Add(r.Items[i].Prediction)
		}
		r.Nodes = append(r.Nodes, n.report)
	}
}

// byPain sorts nodes: those whose kubelet would not start, then those where most restarts.
func byPain(a, b report.PreflightNode) int {
	if a.Blocked != b.Blocked {
		if a.Blocked {
			return -1
		}
		return 1
	}
	return cmp.Or(cmp.Compare(b.Count.Restarts, a.Count.Restarts), cmp.Compare(b.Count.May, a.Count.May),
		cmp.Compare(b.Count.Unknown, a.Count.Unknown), cmp.Compare(a.Node, b.Node))
}

// group collects the items of one reason.
func group(items []report.PreflightItem) []report.PreflightGroup {
	type key struct {
		prediction    report.Prediction
		rule, because string
	}
	type members struct {
		containers int
		nodes      map[string]bool
		pods       int
		lastPod    string
	}
	all := map[key]*members{}
	var order []key
	for i := range items {
		it := &items[i]
		k := key{it.Prediction, it.Rule, it.Because}
		m := all[k]
		if m == nil {
			m = &members{nodes: map[string]bool{}}
			all[k] = m
			order = append(order, k)
		}
		m.containers++
		m.nodes[it.Node] = true
		// Items of one pod follow each other.
		if id := it.Namespace + "/" + it.Pod + "/" + it.PodUID; id != m.lastPod {
			m.pods, m.lastPod = m.pods+1, id
		}
	}
	worst := report.Predictions()
	slices.SortStableFunc(order, func(a, b key) int {
		return cmp.Or(cmp.Compare(slices.Index(worst, a.prediction), slices.Index(worst, b.prediction)),
			cmp.Compare(all[b].containers, all[a].containers), cmp.Compare(a.rule, b.rule), cmp.Compare(a.because, b.because))
	})
	var out []report.PreflightGroup
	for _, k := range order {
		m := all[k]
		g := report.PreflightGroup{Prediction: k.prediction, Rule: k.rule, Because: k.because, Containers: m.containers, Pods: m.pods, Nodes: len(m.nodes)}
		if k.prediction != report.Stays {
			g.Do = advice[k.rule]
		}
		out = append(out, g)
	}
	return out
}
