// Package analyzer turns evidence into a report: snapshot → timeline → findings
// → verdicts → incidents.
//
// It is pure: no I/O, no clock, no globals. It may import everything below
// analyzer/ and diag/evidence; it never imports a collector.
package analyzer

import (
	"fmt"
	"hash/fnv"
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/causes/catalogue"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/incident"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/predict"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/story"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/verdict"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Options say what of the evidence is asked for. The zero value asks for all.
type Options struct {
	ToolVersion string
	GeneratedAt time.Time
	Scope       report.Scope
	// Keep chooses pods by namespace, name and UID; nil keeps all.
	Keep func(namespace, pod, uid string) bool
	// Nodes, Container and Cause narrow the result; empty means all.
	Nodes     []string
	Container string
	Cause     string
	// Since drops what ended before it. Ends without a known time stay.
	Since time.Time
}

// Result is a report, and who tells more about what is in it.
type Result struct {
	Report *report.Report
	Teller report.Teller
}

// Analyze judges every restart and death in the snapshot.
func Analyze(s *evidence.Snapshot, o Options) *report.Report {
	r, _ := judge(timeline.Build(s), o)
	return r
}

// Tell is Analyze for a reader who may ask more: it also returns the teller of
// the report's stories, which works each out when it is asked for. The teller
// keeps the snapshot; neither that nor the report's items may change meanwhile.
func Tell(s *evidence.Snapshot, o Options) Result {
	t := timeline.Build(s)
	r, restarts := judge(t, o)
	return Result{Report: r, Teller: story.New(t, r, restarts)}
}

// judge makes the report, and returns what each of its items was made from.
func judge(t *timeline.Timeline, o Options) (*report.Report, []*timeline.Restart) {
	s := t.Snapshot
	rules, predictor := catalogue.Rules(), predict.New(t)
	r := &report.Report{GeneratedAt: o.GeneratedAt.UTC(), Tool: report.Tool{Version: o.ToolVersion}, Scope: o.Scope}
	var roots []*causes.Root
	var restarts []*timeline.Restart
	for i := len(t.Restarts) - 1; i >= 0; i-- { // newest first
		x := t.Restarts[i]
		if !o.wants(x) {
			continue
		}
		f := finding.Find(t, x)
		if !tells(f) {
			continue
		}
		res := verdict.Decide(f, rules, predictor.Against)
		if o.Cause != "" && res.Verdict.Cause != o.Cause && res.Verdict.Mechanism != o.Cause {
			continue
		}
		it := item(x, res.Verdict)
		if res.Kind != "" {
			it.Kind = res.Kind
		}
		r.Items = append(r.Items, it)
		roots, restarts = append(roots, res.Root), append(restarts, x)
	}
	r.Incidents = incident.Group(r.Items, roots)
	r.Profile = profiles(t, r.Items)
	r.NodeNotes = nodeNotes(s, func(node string) bool { return o.wantsNode(node, r.Items) })
	r.Evidence = cite(s, r.Items, r.NodeNotes)
	for _, g := range s.Gaps {
		r.Gaps = append(r.Gaps, report.Gap{Source: string(g.Source), Node: g.Node, Why: g.Why, Hint: g.Hint})
	}
	r.Normalise()
	return r, restarts
}

// wants applies the filters.
func (o Options) wants(x *timeline.Restart) bool {
	if o.Keep != nil && !o.Keep(x.Namespace, x.PodName, x.PodUID) ||
		len(o.Nodes) > 0 && !slices.Contains(o.Nodes, x.Node) ||
		o.Container != "" && x.Container != o.Container {
		return false
	}
	end := x.End()
	return o.Since.IsZero() || end.IsZero() || !end.Before(o.Since)
}

// tells leaves out deaths that belong to the ordinary end of a pod: what was
// deleted, and is gone, did not restart, unless another pod took its name.
func tells(f *finding.Findings) bool {
	x := f.R
	if x.Kind != timeline.KindDeath || x.Pod != nil || f.End.Successor != nil {
		return true
	}
	switch f.End.How {
	case finding.EndDeleted, finding.EndRemoved:
		return f.End.How == finding.EndRemoved && f.End.Asked.Answer != finding.Yes && len(f.T.Snapshot.Pods) > 0
	case "":
		return len(f.T.Snapshot.Pods) == 0
	}
	return true
}

// wantsNode tells whether a node was asked about: by name, or because one of the
// items is on it. Without any filter every node is.
func (o Options) wantsNode(node string, items []report.Item) bool {
	switch {
	case len(o.Nodes) > 0:
		return slices.Contains(o.Nodes, node)
	case o.Keep == nil && o.Container == "" && o.Cause == "":
		return true
	}
	return slices.ContainsFunc(items, func(it report.Item) bool { return it.Node == node })
}

func item(x *timeline.Restart, v report.Verdict) report.Item {
	it := report.Item{
		Node: x.Node, Namespace: x.Namespace, Pod: x.PodName, PodUID: x.PodUID,
		Container: x.Container, ContainerKind: string(x.ContainerKind), Kind: report.ItemKind(x.Kind),
		Time: report.Time(x.End()), From: instance(x.From), To: instance(x.To), Verdict: v,
	}
	h := fnv.New64a()
	attempt := x.From.Attempt
	if x.From.ID != "" {
		attempt = 0 // the id is enough, and more sources know it
	}
	fmt.Fprintf(h, "%s\x00%s\x00%s\x00%d\x00", x.PodUID, x.Container, x.From.ID, attempt)
	it.ID = fmt.Sprintf("r%010x", h.Sum64()>>24)
	return it
}

func instance(in *timeline.Instance) *report.Instance {
	if in == nil {
		return nil
	}
	out := &report.Instance{
		ContainerID: in.ID, StartedAt: report.Time(in.Started), FinishedAt: report.Time(in.Finished),
		ExitCode: in.ExitCode, Signal: in.Signal, Reason: in.Reason, Image: in.Image, Hash: in.Hash,
	}
	if in.Attempt >= 0 {
		out.Attempt = &in.Attempt
	}
	return out
}

func profiles(t *timeline.Timeline, items []report.Item) []report.Profile {
	var out []report.Profile
	for _, it := range items {
		n := t.Nodes[it.Node]
		if n == nil || slices.ContainsFunc(out, func(p report.Profile) bool { return p.Node == it.Node }) {
			continue
		}
		version := n.Info.KubeletVersion
		if len(n.Kubelet) > 0 && version == "" {
			version = n.Kubelet[len(n.Kubelet)-1].Version
		}
		p := report.Profile{Node: it.Node, KubeletVersion: version, ModelledAs: "unknown"}
		if v, err := kubelet.ParseVersion(version); err == nil {
			if profile, err := kubelet.ProfileFor(v); err == nil {
				p.ModelledAs = profile.ModelledAs
			}
		}
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b report.Profile) int {
		if a.Node < b.Node {
			return -1
		}
		return 1
	})
	return out
}

// cite lists the observations that verdicts and notes refer to, in the snapshot's order.
func cite(s *evidence.Snapshot, items []report.Item, notes []report.NodeNote) []report.Evidence {
	want := map[string]bool{}
	note := func(ids []string) {
		for _, id := range ids {
			want[id] = true
		}
	}
	for _, n := range notes {
		note(n.Evidence)
	}
	for _, it := range items {
		for _, l := range it.Verdict.Chain {
			note(l.Evidence)
		}
		for _, a := range it.Verdict.Alternatives {
			note(a.Evidence)
		}
		for _, e := range it.Verdict.Eliminated {
			note(e.Evidence)
		}
	}
	var out []report.Evidence
	for i := range s.Observations {
		o := &s.Observations[i]
		if want[o.ID] {
			out = append(out, story.Cite(o))
		}
	}
	return out
}
