// Package analyzer turns evidence into a report: snapshot → history → findings
// → verdicts → incidents.
//
// It is pure: no I/O, no clock, no globals. It may import everything below
// analyzer/ and diag/evidence; it never imports a collector.
package analyzer

import (
	"cmp"
	"hash/fnv"
	"slices"
	"strconv"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/detail"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/incident"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Options select the evidence to analyze. The zero value selects all.
type Options struct {
	ToolVersion string
	GeneratedAt time.Time
	Scope       report.Scope
	// Keep selects pods by namespace, name and UID; nil keeps all.
	Keep func(namespace, pod, uid string) bool
	// Nodes, Container and Cause narrow the result; empty means all.
	Nodes     []string
	Container string
	Cause     string
	// Since drops what ended before it. Ends without a known time stay.
	Since time.Time
	// Rows is for callers that only list restarts: all items but the newest have only the fields of a table row,
	// without instances and without what their verdicts rest on.
	Rows bool
}

// Result is a report, and a provider of details about its items.
type Result struct {
	Report  *report.Report
	Details report.DetailProvider
}

// Analyze judges every restart and death in the snapshot.
func Analyze(s *evidence.Snapshot, o Options) *report.Report {
	r, _ := judge(build(s), o)
	return r
}

// AnalyzeWithDetails is like Analyze and also returns a provider of details about the report's items. The provider
// keeps the snapshot; neither the snapshot nor the report's items may change while it is in use.
func AnalyzeWithDetails(s *evidence.Snapshot, o Options) Result {
	t := build(s)
	r, restarts := judge(t, o)
	return Result{Report: r, Details: detail.New(t, r, restarts)}
}

// judge makes the report, and returns the restart that each of its items was made from.
func judge(t *timeline.History, o Options) (*report.Report, []*timeline.Restart) {
	s := t.Snapshot
	r := &report.Report{GeneratedAt: o.GeneratedAt.UTC(), Tool: report.Tool{Version: o.ToolVersion}, Scope: o.Scope}
	all := slices.DeleteFunc(newestFirst(t), func(x *timeline.Restart) bool { return !o.wants(x) })
	d := o.decide(t, all)
	r.Items = d.items
	olds := map[*timeline.Restart]*report.Instance{} // of restarts whose predecessor has not been seen yet
	belongs := newWorkloads(s)
	for i, x := range d.restarts {
		it := &r.Items[i]
		belongs.fill(it, x)
		if o.Rows && i > 0 {
			continue
		}
		// The new instance is the old one of the next restart.
		if it.To = olds[x.Next]; it.To == nil || x.Next.From != x.To {
			it.To = instance(x.To)
		}
		delete(olds, x.Next)
		if keepsLog(x) {
			it.LogCommand = causes.LogCommand(x)
		}
		if x.Prev != nil {
			olds[x] = it.From
		}
		if next := x.Successor; next != nil && it.To == nil && it.Kind == report.Restart {
			it.To = instance(next.Instance) // a static pod continues under another UID
		}
	}
	r.Incidents = incident.Group(r.Items, d.roots)
	r.Profile = profiles(t, r.Items)
	inScope := o.wantedNodes(r.Items)
	r.Extrapolated = d.resting.list(s, inScope)
	r.NodeNotes = slices.Concat(extrapolationNotes(r.Extrapolated), clockNotes(r.Profile), nodeNotes(s, inScope))
	if o.wantsAll() && !slices.ContainsFunc(d.restarts, named) {
		r.NodeNotes = append(r.NodeNotes, unnamedEnds(t, inScope, len(r.Items) > 0)...)
	}
	for i := range r.NodeNotes {
		d.cited.add(r.NodeNotes[i].Evidence)
	}
	r.Evidence = cite(s, d.cited)
	none := len(r.Items) == 0
	everywhere := none && len(o.Nodes) == 0
	first, then := unnamedGaps(t, func(node string) bool { return everywhere || inScope(node) }), gaps(s, false)
	if !none { // else these ends are the answer, and without -v the first gap alone is shown
		first, then = then, first
	}
	r.Gaps = slices.Concat(first, then, gaps(s, true))
	r.Normalise()
	return r, d.restarts
}

// gaps returns those of a snapshot: what could not be read, or what is minor.
func gaps(s *evidence.Snapshot, minor bool) (all []report.Gap) {
	for _, g := range s.Gaps {
		if g.Minor == minor {
			all = append(all, report.Gap{Source: string(g.Source), Node: g.Node, Why: g.Why, Hint: g.Hint})
		}
	}
	return all
}

// keepsLog reports whether the API server may have the container's output: it keeps that of the last end in a pod that
// exists (kubelet v1.30 pkg/kubelet/kubelet_pods.go validateContainerLogStatus).
func keepsLog(x *timeline.Restart) bool {
	return x.Pod != nil && x.Next == nil && !x.WholePod() && x.Container != evidence.Unnamed &&
		(x.Kind == timeline.KindRestart || x.Kind == timeline.KindDeath)
}

// newestFirst merges real and apparent restarts into one list.
func newestFirst(t *timeline.History) []*timeline.Restart {
	all := slices.Concat(t.Restarts, t.FalsePositives)
	slices.Reverse(all)
	if len(t.FalsePositives) > 0 {
		slices.SortStableFunc(all, func(a, b *timeline.Restart) int { return b.End().Compare(a.End()) })
	}
	return all
}

func (o Options) wants(x *timeline.Restart) bool {
	if o.Keep != nil && !o.Keep(x.Namespace, x.PodName, x.PodUID) ||
		len(o.Nodes) > 0 && !slices.Contains(o.Nodes, x.Node) ||
		o.Container != "" && x.Container != o.Container {
		return false
	}
	if o.Since.IsZero() {
		return true
	}
	end := x.End()
	return end.IsZero() || !end.Before(o.Since)
}

// tells reports whether an end becomes an item. Deaths in the ordinary end of a pod do not: what was deleted, and is
// gone, did not restart, unless another pod took its name. In an excerpt of a log cut to a few pods, every end does.
func tells(f *finding.Findings, cut bool) bool {
	x := f.R
	if x.Kind != timeline.KindDeath || x.Pod != nil || f.End.Successor != nil || x.Successor != nil {
		return true
	}
	switch f.End.How {
	case evidence.EndRemoved:
		return cut || f.End.Asked.Answer != finding.Yes && f.T.Listed() || asksWhy(f)
	case evidence.EndDeleted:
		return cut || asksWhy(f)
	case "":
		return !f.T.Listed() || asksWhy(f)
	}
	return true
}

// asksWhy reports whether an end in a deleted pod needs another explanation than the deletion: nobody deletes a static
// pod, and no deletion makes a process, a probe, a hook or the kill itself fail, or memory run out.
func asksWhy(f *finding.Findings) bool {
	killed := f.Kill.Answer == finding.Yes
	switch {
	case f.Static.Answer == finding.Yes && (killed || f.Static.Removed.Answer == finding.Yes), causes.StatedReason(f),
		f.OOM.Answer == finding.Yes:
		return true
	case killed || f.Stop.Answer == finding.Yes:
	case f.Exit.Known && f.Exit.Code != 0 && !f.Exit.Invented, timeline.Has[evidence.TaskOOM](f.R.From.Marks, nil):
		return true
	}
	return timeline.Has[evidence.KillFailed](f.R.PodMarks, nil) ||
		timeline.Has[evidence.BackedOff](f.R.From.Marks, nil) || timeline.Has[evidence.HookFailed](f.R.From.Marks, nil)
}

// wantedNodes returns the predicate for nodes that were asked about: by name, or because one of the items is on it.
// Without any filter every node is.
func (o Options) wantedNodes(items []report.Item) func(node string) bool {
	wanted := map[string]bool{}
	for _, name := range o.Nodes {
		wanted[name] = true
	}
	if len(o.Nodes) == 0 {
		for i := range items {
			wanted[items[i].Node] = true
		}
	}
	all := len(o.Nodes) == 0 && o.wantsAll()
	return func(node string) bool { return all || wanted[node] }
}

// wantsAll reports whether every restart was asked about, on some nodes or on all.
func (o Options) wantsAll() bool { return o.Keep == nil && o.Container == "" && o.Cause == "" }

// item converts a restart, except for its instances.
func item(x *timeline.Restart, v report.Verdict) report.Item {
	it := report.Item{
		Node: x.Node, Namespace: x.Namespace, Pod: x.PodName, PodUID: x.UID(),
		Container: x.Container, ContainerKind: string(x.ContainerKind), Kind: report.ItemKind(x.Kind),
		Time: report.Time(x.End()), Verdict: v,
	}
	attempt := x.From.Attempt
	if x.From.ID != "" {
		attempt = 0 // the id is enough, and more sources know it
	}
	parts := append(make([]string, 0, 6), x.PodUID, x.Container, x.From.ID, strconv.Itoa(attempt))
	if x.Kind == timeline.KindNone {
		parts = append(parts, v.Cause, strconv.FormatInt(x.Seen.Unix(), 10)) // the same instance may end again later
	}
	it.ID = id(parts...)
	return it
}

// id returns a short name that depends only on the parts.
func id(parts ...string) string {
	h := fnv.New64a()
	var buf [128]byte
	for _, p := range parts {
		_, _ = h.Write(append(append(buf[:0], p...), 0)) // never fails
	}
	const digits = "0123456789abcdef"
	buf[0] = 'r'
	for i, sum := 10, h.Sum64()>>24; i > 0; i, sum = i-1, sum>>4 {
		buf[i] = digits[sum&15]
	}
	return string(buf[:11])
}

// instance converts an instance. Its parts share one allocation: there are many instances.
func instance(in *timeline.Instance) *report.Instance {
	if in == nil {
		return nil
	}
	own := &struct {
		report.Instance
		started, finished time.Time
		attempt           int
		code              int32
	}{
		Instance: report.Instance{ContainerID: in.ID, Signal: in.Signal, Reason: in.Reason, Image: in.Image, Hash: in.Hash},
		started:  in.Started.UTC(), finished: in.Finished.UTC(), attempt: in.Attempt,
	}
	if !in.Started.IsZero() {
		own.StartedAt = &own.started
	}
	if !in.Finished.IsZero() {
		own.FinishedAt = &own.finished
	}
	if in.Attempt >= 0 {
		own.Attempt = &own.attempt
	}
	if in.ExitCode != nil {
		own.code = *in.ExitCode
		own.ExitCode = &own.code
	}
	return &own.Instance
}

func profiles(t *timeline.History, items []report.Item) []report.Profile {
	var out []report.Profile
	seen := map[string]bool{}
	for i := range items {
		it := &items[i]
		n := t.Nodes[it.Node]
		if n == nil || seen[it.Node] {
			continue
		}
		seen[it.Node] = true
		version := n.Info.KubeletVersion
		if len(n.Kubelet) > 0 && version == "" {
			version = n.Kubelet[len(n.Kubelet)-1].Version
		}
		p := report.Profile{Node: it.Node, KubeletVersion: version, ModelledAs: modelledAs(version)}
		for _, s := range t.Skews(it.Node) {
			p.ClockSkew = append(p.ClockSkew, report.ClockSkew{
				Source: string(s.Source), Against: string(s.Against), Seconds: s.Offset.Seconds(),
				Least: s.Least.Seconds(), Most: s.Most.Seconds(), Pairs: s.Pairs, Evidence: s.Evidence,
			})
		}
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b report.Profile) int { return cmp.Compare(a.Node, b.Node) })
	return out
}
