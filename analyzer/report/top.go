package report

import (
	"cmp"
	"slices"
	"time"
)

// Top lists what to fix first: who restarted most within a period.
type Top struct {
	APIVersion string    `json:"apiVersion"`
	Kind       string    `json:"kind"` // RestartTop
	From       time.Time `json:"from"`
	Until      time.Time `json:"until"`
	// Restarts is the number of restarts, without refused starts.
	Restarts int `json:"restarts"`
	// Workloads, Nodes and Causes are ordered by restarts, the most first.
	Workloads []TopRow `json:"workloads"`
	Nodes     []TopRow `json:"nodes"`
	Causes    []TopRow `json:"causes"`
}

// TopRow is the sum for one workload, node or cause.
type TopRow struct {
	Namespace string `json:"namespace,omitempty"` // for a workload
	Name      string `json:"name"`
	Restarts  int    `json:"restarts"`
	// DownSeconds is for how long containers were down in total, from the end of one instance to the start of the next.
	// DownKnown counts the restarts where both times are known.
	DownSeconds int `json:"downSeconds"`
	DownKnown   int `json:"downKnown"`
	// Cause is the root of most of them, and Share how many have it; for a cause, the workload.
	Cause string `json:"cause"`
	Share int    `json:"share"`
	// Older and Newer are the restarts in the first and the second half of the period.
	Older int `json:"older"`
	Newer int `json:"newer"`
}

// Span returns the times of the first and the last restart or death of a report; zero where none has a time.
func (r *Report) Span() (from, until time.Time) {
	for i := range r.Items {
		it := &r.Items[i]
		if it.Time == nil || it.Kind != Restart && it.Kind != Death {
			continue
		}
		if from.IsZero() || it.Time.Before(from) {
			from = *it.Time
		}
		if it.Time.After(until) {
			until = *it.Time
		}
	}
	return from, until
}

// NewTop counts the restarts and deaths of a report between two moments. Those without a time count for neither half.
func NewTop(r *Report, from, until time.Time) *Top {
	t := &Top{APIVersion: r.APIVersion, Kind: "RestartTop", From: from, Until: until}
	workloads, nodes, causes := counter{}, counter{}, counter{}
	half := from.Add(until.Sub(from) / 2)
	for i := range r.Items {
		it := &r.Items[i]
		if it.Kind != Restart && it.Kind != Death {
			continue
		}
		t.Restarts++
		name := cmp.Or(it.Workload, it.Pod)
		workloads.count(it, it.Namespace, name, it.Verdict.Cause, half)
		nodes.count(it, "", it.Node, it.Verdict.Cause, half)
		causes.count(it, "", it.Verdict.Cause, name, half)
	}
	t.Workloads, t.Nodes, t.Causes = workloads.rows(), nodes.rows(), causes.rows()
	return t
}

// counter counts by namespace and name.
type counter map[[2]string]*counted

type counted struct {
	TopRow
	by map[string]int
}

func (c counter) count(it *Item, namespace, name, by string, half time.Time) {
	if name == "" {
		return
	}
	x := c[[2]string{namespace, name}]
	if x == nil {
		x = &counted{TopRow: TopRow{Namespace: namespace, Name: name}, by: map[string]int{}}
		c[[2]string{namespace, name}] = x
	}
	x.Restarts++
	x.by[by]++
	if it.To != nil && it.From != nil && it.From.FinishedAt != nil && it.To.StartedAt != nil {
		if down := it.To.StartedAt.Sub(*it.From.FinishedAt); down >= 0 {
			x.DownSeconds += int(down / time.Second)
			x.DownKnown++
		}
	}
	switch {
	case it.Time == nil:
	case it.Time.Before(half):
		x.Older++
	default:
		x.Newer++
	}
}

func (c counter) rows() []TopRow {
	out := make([]TopRow, 0, len(c))
	for _, x := range c {
		for by, n := range x.by {
			if n > x.Share || n == x.Share && by < x.Cause {
				x.Cause, x.Share = by, n
			}
		}
		out = append(out, x.TopRow)
	}
	slices.SortFunc(out, func(a, b TopRow) int {
		return cmp.Or(
			cmp.Compare(b.Restarts, a.Restarts),
			cmp.Compare(b.DownSeconds, a.DownSeconds),
			cmp.Compare(a.Namespace, b.Namespace),
			cmp.Compare(a.Name, b.Name),
		)
	})
	return out
}
