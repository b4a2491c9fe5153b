package detail

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// ErrNotThere is the error for an item, a node or a piece of evidence that is not in the analysis.
var ErrNotThere = errors.New("it is not in this report")

// The limits of the caches. An item has some hundred marks; a node has thousands.
const (
	keepItems = 32
	keepNodes = 4
)

// mostNeighbours limits what Neighbors returns on each side.
const mostNeighbours = 500

// Provider computes the details of one report. It is safe for concurrent use; what it returns is shared and must not be
// changed.
type Provider struct {
	t *timeline.History
	r *report.Report
	// restarts[i] is what the report's item i was made from.
	restarts []*timeline.Restart

	mu    sync.Mutex
	ix    *index // nil until the first request
	items cache[report.ItemDetail]
	nodes cache[report.NodeDetail]
}

var _ report.DetailProvider = (*Provider)(nil)

// New returns the provider of a report. restarts[i] is what item i was made from. Neither the timeline nor the report
// may change, or be reordered, afterwards.
func New(t *timeline.History, r *report.Report, restarts []*timeline.Restart) *Provider {
	return &Provider{
		t: t, r: r, restarts: restarts,
		items: cache[report.ItemDetail]{bound: keepItems}, nodes: cache[report.NodeDetail]{bound: keepNodes},
	}
}

// ItemDetail implements report.DetailProvider. An id that is not in the report gives an error
// that wraps ErrNotThere.
func (t *Provider) ItemDetail(itemID string) (*report.ItemDetail, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if s := t.items.get(itemID); s != nil {
		return s, nil
	}
	i := slices.IndexFunc(t.r.Items, func(it report.Item) bool { return it.ID == itemID })
	if i < 0 || i >= len(t.restarts) {
		return nil, fmt.Errorf("show the timeline of item %q: %w", itemID, ErrNotThere)
	}
	s := t.tell(&t.r.Items[i], t.restarts[i])
	t.items.put(itemID, s)
	return s, nil
}

// NodeDetail implements report.DetailProvider. An unknown node gives an error that wraps ErrNotThere.
func (t *Provider) NodeDetail(name string) (*report.NodeDetail, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if s := t.nodes.get(name); s != nil {
		return s, nil
	}
	n := t.t.Nodes[name]
	if n == nil || name == "" {
		return nil, fmt.Errorf("show the timeline of node %q: %w", name, ErrNotThere)
	}
	s := t.tellNode(n)
	t.nodes.put(name, s)
	return s, nil
}

// Neighbors implements report.DetailProvider. n is at least 0 and at most 500; an id that
// is not in the evidence gives an error that wraps ErrNotThere.
func (t *Provider) Neighbors(evidenceID string, n int) ([]report.Evidence, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	ix := t.index()
	at, ok := ix.find(evidenceID)
	if !ok {
		return nil, fmt.Errorf("look around evidence %q: %w", evidenceID, ErrNotThere)
	}
	n = max(0, min(n, mostNeighbours))
	here := placeOf(ix.obs[at])
	var before, after []int32
	for i := at - 1; i >= 0 && len(before) < n; i-- {
		if placeOf(ix.obs[i]) == here {
			before = append(before, i)
		}
	}
	for i := at + 1; int(i) < len(ix.obs) && len(after) < n; i++ {
		if placeOf(ix.obs[i]) == here {
			after = append(after, i)
		}
	}
	slices.Reverse(before)
	return ix.cite(slices.Concat(before, []int32{at}, after)), nil
}

// cite converts the observations at these places.
func (x *index) cite(places []int32) []report.Evidence {
	list := make([]*evidence.Observation, len(places))
	for i, at := range places {
		list[i] = x.obs[at]
	}
	return Cite(list, report.Time)
}

// Cite converts observations to the report's form; at makes their times (report.Time, or a pool's).
func Cite(list []*evidence.Observation, at func(time.Time) *time.Time) []report.Evidence {
	out, texts := make([]report.Evidence, len(list)), make([]safetext.Text, len(list))
	for i, o := range list {
		texts[i] = o.Text
		out[i] = report.Evidence{
			ID: o.ID, Source: report.Source{Kind: string(o.Source.Kind), Node: o.Source.Node, Where: o.Source.Where},
			Time: at(o.Time), Subject: report.Subject(o.Subject), Statement: o.Fact.Statement(),
		}
	}
	for i, text := range safetext.Strings(texts) {
		out[i].Text = text
	}
	return out
}

// cache keeps what was requested last, the newest at the end.
type cache[T any] struct {
	bound int
	keys  []string
	vals  []*T
}

func (c *cache[T]) get(key string) *T {
	i := slices.Index(c.keys, key)
	if i < 0 {
		return nil
	}
	v := c.vals[i]
	c.keys, c.vals = slices.Delete(c.keys, i, i+1), slices.Delete(c.vals, i, i+1)
	c.put(key, v)
	return v
}

func (c *cache[T]) put(key string, v *T) {
	if len(c.keys) >= c.bound {
		c.keys, c.vals = slices.Delete(c.keys, 0, 1), slices.Delete(c.vals, 0, 1)
	}
	c.keys, c.vals = append(c.keys, key), append(c.vals, v)
}
