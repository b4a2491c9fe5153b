package prometheus

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	v1 "github.com/prometheus/client_golang/api/prometheus/v1"
	"github.com/prometheus/common/model"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/pace"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// Scope is what to query.
type Scope struct {
	Namespace string   // "" for all
	Pods      string   // a PromQL regular expression of names; "" for all
	Nodes     []string // none for all
	Since     time.Duration
}

// Source queries one monitoring system.
type Source struct {
	api   v1.API
	scope Scope
	now   func() time.Time

	saved Saved
	gaps  []evidence.Gap
}

// NewSource returns the source for a client from Direct or Proxied.
func NewSource(api v1.API, scope Scope, now func() time.Time) *Source {
	return &Source{api: api, scope: scope, now: now}
}

// Name returns the source's name.
func (s *Source) Name() string { return string(Kind) }

// Collect queries first which containers restarted, then details about those. A failed query becomes a gap, and the
// rest continues.
func (s *Source) Collect(ctx context.Context) ([]evidence.RawEvidence, []evidence.Gap) {
	s.saved.Until = s.now().UTC().Truncate(time.Second)
	s.saved.From = s.saved.Until.Add(-s.scope.Since)
	a := &asking{naming: naming{}, scope: s.scope, window: s.scope.Since}
	if !s.discover(ctx, a) {
		return nil, s.gaps
	}
	s.saved.Step = int(a.step / time.Second)
	s.restarts(ctx, a)
	step := a.step
	a.step = max(step, nodeStep, s.scope.Since/(maxSteps-1)+time.Second).Truncate(time.Second)
	s.at(ctx, s.saved.From, query{"kubelets", strings.ReplaceAll("max by (node, git_version) ("+kubelets+")", "@", "")})
	s.at(ctx, s.saved.Until, query{"probing", a.probing()})
	s.at(ctx, s.saved.Until, query{"conditions", conditions})
	for _, q := range a.nodes() {
		s.over(ctx, a.step, q)
	}
	if len(s.saved.Answers) == 0 {
		return nil, s.gaps
	}
	if f, err := s.saved.encode(); err != nil {
		s.gap("write "+Path, err)
	} else {
		return []evidence.RawEvidence{NewPiece(f)}, s.gaps
	}
	return nil, s.gaps
}

// discover determines which exporters are scraped, the names of labels, the scrape interval, and how far back the data
// goes. Without kube-state-metrics nothing else is queried.
func (s *Source) discover(ctx context.Context, a *asking) bool {
	names := make([]string, 0, len(exporters)+3)
	for _, e := range exporters {
		names = append(names, e.series)
	}
	all := strings.Join(
		append(names, podInfo, podReason, lastExitCode, lastReason, lastTime, stateStarted, oomEvents, memoryLimit),
		"|",
	)
	there, err := s.names(ctx, fmt.Sprintf(`{__name__=~%q}`, all))
	if err != nil {
		s.gap("ask which series there are", err)
		return false
	}
	for _, e := range exporters {
		if !there[e.series] {
			s.gaps = append(s.gaps,
				evidence.Gap{Source: Kind, Why: "no series " + e.series + ": " + e.name + " is not scraped; " + e.costs})
		}
	}
	if !there[restartsTotal] {
		return false
	}
	if a.naming, err = s.names(ctx, fmt.Sprintf(`{__name__=~%q, exported_pod!=""}`, all)); err != nil {
		s.gap("ask how labels are spelled", err)
		return false
	}
	a.step = usualInterval
	if m, err := s.ask(ctx, scrapes); err == nil && len(m) > 0 {
		a.step = evidence.Seconds(int(m[0].Values[0].Value)).Round(5 * time.Second)
	}
	a.step = max(a.step, time.Second, (s.scope.Since/(maxChunks*maxSteps) + time.Second).Truncate(time.Second))
	s.over(ctx, a.look(), query{"reach", "count(count by (node) (kube_node_info))"})
	return true
}

// restarts queries the containers whose count rose, and the pods that were evicted.
func (s *Source) restarts(ctx context.Context, a *asking) {
	until := s.saved.Until
	rose := s.at(ctx, until, query{"rose", a.rose()})
	if len(rose) > maxContainers {
		s.gaps = append(s.gaps, evidence.Gap{
			Source: Kind,
			Why: fmt.Sprintf("more than %d containers restarted: only those with the most restarts are queried",
				maxContainers),
			Hint: "name a namespace or pods, or a shorter --since",
		})
		rose = rose[:maxContainers]
	}
	pods := map[string]bool{}
	for _, x := range slices.Concat(rose, s.at(ctx, until, query{"evicted", a.evicted()})) {
		pods[quoteMeta(label(x.Metric, "pod"))] = true
	}
	delete(pods, "")
	for p := range pods {
		a.pods = append(a.pods, p)
	}
	slices.Sort(a.pods)
	if len(a.pods) == 0 {
		return
	}
	s.at(ctx, until, query{"bearers", a.bearers()})
	s.at(ctx, until, query{"differs", a.differs()})
	s.at(ctx, until, query{podReason, a.sinceWhen()})
	s.at(ctx, s.saved.From, query{"before", a.before()})
	s.at(ctx, s.saved.From, query{"probes before", a.probedBefore()})
	for _, q := range a.series() {
		s.over(ctx, a.step, q)
	}
}

// at runs an instant query, and keeps the answer.
func (s *Source) at(ctx context.Context, when time.Time, q query) model.Matrix {
	v, err := s.send(ctx, func() (model.Value, v1.Warnings, error) { return s.api.Query(ctx, q.promQL, when) })
	if err != nil {
		s.gap("ask for "+q.name, err)
		return nil
	}
	s.saved.add(q.name, q.promQL, v)
	return v
}

// ask runs an instant query for now, and keeps nothing.
func (s *Source) ask(ctx context.Context, promQL string) (model.Matrix, error) {
	return s.send(ctx, func() (model.Value, v1.Warnings, error) { return s.api.Query(ctx, promQL, s.saved.Until) })
}

// names returns the names of the series that a selector finds anywhere in the window: what is not scraped now may have
// been scraped before.
func (s *Source) names(ctx context.Context, selector string) (map[string]bool, error) {
	all, warnings, err := s.api.LabelValues(ctx, model.MetricNameLabel, []string{selector}, s.saved.From, s.saved.Until)
	pace.Step(ctx)
	switch {
	case err != nil && strings.HasPrefix(err.Error(), "model.LabelValues"): // the details are the server's text
		return nil, errors.New("an answer has no names")
	case err != nil:
		return nil, err
	}
	s.warn(warnings)
	out := map[string]bool{}
	for _, name := range all {
		out[string(name)] = true
	}
	if out["up"] { // not of an exporter: the server is too old for such selectors (Prometheus 2.24), and returned all
		return nil, errors.New("it is older than Prometheus 2.24")
	}
	return out, nil
}

// over queries the whole window, in as many chunks as the steps need. An answer with a missing chunk is dropped: it
// would look as if nothing had changed there.
func (s *Source) over(ctx context.Context, step time.Duration, q query) {
	var all model.Matrix
	for from := s.saved.From; !from.After(s.saved.Until); from = from.Add(step * maxSteps) {
		until := from.Add(step * (maxSteps - 1))
		if until.After(s.saved.Until) {
			until = s.saved.Until
		}
		part, err := s.send(ctx, func() (model.Value, v1.Warnings, error) {
			return s.api.QueryRange(ctx, q.promQL, v1.Range{Start: from, End: until, Step: step})
		})
		if err != nil {
			s.gap("ask for "+q.name, err)
			return
		}
		all = joined(all, part)
	}
	s.saved.add(q.name, q.promQL, all)
}

// send sends one query, and converts every answer to a matrix.
func (s *Source) send(ctx context.Context, query func() (model.Value, v1.Warnings, error)) (model.Matrix, error) {
	v, warnings, err := query()
	pace.Step(ctx)
	if err != nil {
		return nil, err
	}
	s.warn(warnings)
	var m model.Matrix
	switch v := v.(type) {
	case model.Matrix:
		m = v
	case model.Vector:
		for _, p := range v {
			m = append(m,
				&model.SampleStream{Metric: p.Metric, Values: []model.SamplePair{{Timestamp: p.Timestamp, Value: p.Value}}})
		}
	default:
		return nil, errors.New("an answer has no series")
	}
	if len(m) > maxSeries {
		return nil, fmt.Errorf("an answer has more than %d series", maxSeries)
	}
	return slices.DeleteFunc(m, func(x *model.SampleStream) bool {
		x.Values = slices.DeleteFunc(x.Values,
			func(p model.SamplePair) bool { return math.IsNaN(float64(p.Value)) || math.IsInf(float64(p.Value), 0) })
		return len(x.Values) == 0
	}), nil
}

// warn reports a server's warnings about an answer.
func (s *Source) warn(warnings v1.Warnings) {
	for _, w := range warnings {
		s.gaps = append(s.gaps, evidence.Gap{Source: Kind, Why: "an answer is not complete: " + safetext.Clean(w).String()})
	}
}

// gap reports a failure, once.
func (s *Source) gap(what string, err error) {
	why, hint := failure(err)
	g := evidence.Gap{Source: Kind, Why: what + ": " + why, Hint: hint}
	if !slices.Contains(s.gaps, g) {
		s.gaps = append(s.gaps, g)
	}
}

// label is a label of the exporter, under either name.
func label(m model.Metric, name string) string {
	if v := m[model.LabelName("exported_"+name)]; v != "" {
		return string(v)
	}
	return string(m[model.LabelName(name)])
}
