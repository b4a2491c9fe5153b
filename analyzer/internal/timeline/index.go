package timeline

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/controller"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file has the queries that run once for every restart, with indexes, so that none scans all of a node or a
// cluster.

// sourceCoverage is the coverage of one source of one node, sorted by beginning. Times are in microseconds since 1970
// to keep small what is searched for every restart.
type sourceCoverage struct {
	source   evidence.SourceKind
	spans    []span
	from     []int64 // of each of the spans
	disorder bool
}

type span struct {
	from, until int64
	latest      int64 // the latest end among the spans up to this one
	verbosity   int8
	origin      *evidence.Origin
}

// reachOf returns the coverage of a source, which may still be empty.
func (n *NodeStory) reachOf(source evidence.SourceKind) *sourceCoverage {
	for i := range n.reach {
		if n.reach[i].source == source {
			return &n.reach[i]
		}
	}
	n.reach = append(n.reach, sourceCoverage{source: source})
	return &n.reach[len(n.reach)-1]
}

func (r *sourceCoverage) add(c *evidence.Coverage) {
	s := span{from: c.From.UnixMicro(), until: c.Until.UnixMicro(), verbosity: int8(min(c.Verbosity, 100)),
		origin: c.Origin}
	r.disorder = r.disorder || len(r.spans) > 0 && s.from < r.spans[len(r.spans)-1].from
	r.spans = append(r.spans, s)
}

// order prepares the coverage for searches.
func (r *sourceCoverage) order() {
	if r.disorder {
		slices.SortStableFunc(r.spans, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	}
	r.from = make([]int64, len(r.spans))
	for i := range r.spans {
		s := &r.spans[i]
		r.from[i], s.latest = s.from, s.until
		if i > 0 {
			s.latest = max(s.until, r.spans[i-1].latest)
		}
	}
}

// covers reports whether one span whose origin counts holds over all of [from, until], and the highest verbosity among
// those spans.
func (r *sourceCoverage) covers(from, until time.Time, counts func(*evidence.Origin) bool) (ok bool, verbosity int) {
	begin, end := from.UnixMicro(), until.UnixMicro()
	i, _ := slices.BinarySearch(r.from, begin+1)
	for i--; i >= 0 && r.spans[i].latest >= end; i-- {
		if r.spans[i].until >= end && counts(r.spans[i].origin) {
			ok, verbosity = true, max(verbosity, int(r.spans[i].verbosity))
		}
	}
	return ok, verbosity
}

// ends are restarts in order of their ends, and those ends.
type ends struct {
	at    []time.Time
	of    []*Restart
	exact bool // one of them is not only known by its age
}

// Index builds the indexes; the restarts are sorted.
func (t *History) Index() {
	for _, n := range t.Nodes {
		n.place()
		n.lookForStrangers()
	}
	t.boxes = map[string][]*Sandbox{}
	for _, sb := range t.Sandboxes {
		if sb.PodUID != "" {
			t.boxes[sb.PodUID] = append(t.boxes[sb.PodUID], sb)
		}
	}
	for _, boxes := range t.boxes {
		slices.SortFunc(boxes, func(a, b *Sandbox) int { return cmp.Compare(a.ID, b.ID) })
	}
	onNode := map[string]*ends{}
	t.starved = map[string]*ends{}
	for _, r := range t.Restarts {
		put(onNode, r)
		if r.From.Reason == "OOMKilled" {
			put(t.starved, r)
		}
	}
	var others sync.WaitGroup
	others.Go(t.elsewhere) // which reads and sets other fields than what follows
	defer others.Wait()
	t.kin()
	t.comebacks()
	asked := map[string]*ends{}
	for _, r := range t.Restarts {
		put(asked, r)
	}
	for _, r := range t.FalsePositives {
		put(asked, r)
	}
	for node, e := range asked {
		if ended := onNode[node]; ended != nil {
			slices.SortStableFunc(e.of, func(a, b *Restart) int { return a.End().Compare(b.End()) })
			ended.beside(e.of)
		}
	}
}

func put(nodes map[string]*ends, r *Restart) {
	e := nodes[r.Node]
	if e == nil {
		e = &ends{}
		nodes[r.Node] = e
	}
	e.at, e.of, e.exact = append(e.at, r.End()), append(e.of, r), e.exact || !r.From.Coarse
}

// beside counts, for each of the restarts in asked, the other pods that lost a container around its end. The restarts
// are sorted by end: one sliding window goes over all.
func (e *ends) beside(asked []*Restart) {
	pods, workloads := map[string]int{}, map[workload]int{} // how many restarts of each are in the window
	from, until, lost, near := 0, 0, 0, tolerance.Slack
	enough := func(n int) bool { return n > 1 } // a process may exit with that code by itself
	if !e.exact {
		near += tolerance.Age
		enough = func(n int) bool { return n > 0 } // docker's tables: dockerd's code
	}
	for _, r := range asked {
		end := r.End()
		for ; until < len(e.at) && e.at[until].Before(end.Add(near)); until++ {
			pods[e.of[until].PodUID]++
			workloads[workloadOf(e.of[until])]++
			lost += e.of[until].lost()
		}
		for ; from < until && e.at[from].Before(end.Add(-near)); from++ {
			leave(pods, e.of[from].PodUID)
			leave(workloads, workloadOf(e.of[from]))
			lost -= e.of[from].lost()
		}
		r.Beside, r.Workloads, r.Mixed = len(pods), len(workloads), enough(lost) && lost < until-from
		if pods[r.PodUID] > 0 {
			r.Beside--
		}
	}
}

// lost returns 1 for a container that its runtime no longer found, by its code: parts of a control plane exit with it,
// too, when they lose their lease.
func (r *Restart) lost() int {
	if c := r.From.ExitCode; c == nil || *c != 255 || strings.HasSuffix(r.Container, "-manager") ||
		strings.HasSuffix(r.Container, "-scheduler") {
		return 0
	}
	return 1
}

func leave[K comparable](counts map[K]int, key K) {
	if counts[key]--; counts[key] == 0 {
		delete(counts, key)
	}
}

// workload is a pod's controller, or the pod itself where its name shows none.
type workload struct{ namespace, name string }

func workloadOf(r *Restart) workload {
	return workload{r.Namespace, cmp.Or(controller.Of(r.PodName, r.Node).Direct, r.PodName)}
}

// Runs records a container that is running on the node.
func (n *NodeStory) Runs(in *Instance) {
	if in.State == evidence.StateRunning && !in.Exited() {
		n.ranSince(in.Started)
	}
}

func (n *NodeStory) ranSince(start time.Time) {
	if !start.IsZero() && (n.Oldest.IsZero() || start.Before(n.Oldest)) {
		n.Oldest = start
	}
}

// elsewhere counts for each restart the other nodes that lost a container around its end. The restarts are sorted.
func (t *History) elsewhere() {
	nodes := map[string]int{} // how many restarts of each node are in the window
	all := t.Restarts
	from, until := 0, 0
	for _, r := range all {
		end := r.End()
		if end.IsZero() {
			continue
		}
		for ; until < len(all) && all[until].End().Sub(end) < tolerance.PowerCut; until++ {
			nodes[all[until].Node]++
		}
		for ; from < until && end.Sub(all[from].End()) > tolerance.PowerCut; from++ {
			if nodes[all[from].Node]--; nodes[all[from].Node] == 0 {
				delete(nodes, all[from].Node)
			}
		}
		r.Elsewhere = len(nodes) - 1
	}
}

// placed is the index of a placement with a container id or pod UID that it is about.
type placed struct {
	id    string
	place int32
}

// place sorts the placements by id.
func (n *NodeStory) place() {
	for i, m := range n.Placements {
		for _, id := range [...]string{m.Obs.Subject.ContainerID, m.Obs.Subject.PodUID} {
			if id != "" {
				n.placed = append(n.placed, placed{id, int32(i)})
			}
		}
	}
	slices.SortFunc(n.placed, func(a, b placed) int {
		return cmp.Or(cmp.Compare(a.id, b.id), cmp.Compare(a.place, b.place))
	})
}

// PlacementsOf returns where the processes of containers, sandboxes or pods with these ids are, in the order of
// Placements.
func (n *NodeStory) PlacementsOf(ids ...string) (found []Occurrence) {
	if len(n.placed) == 0 {
		return nil
	}
	var places []int32
	for _, id := range ids {
		i, _ := slices.BinarySearchFunc(n.placed, id, func(p placed, id string) int { return cmp.Compare(p.id, id) })
		for ; i < len(n.placed) && n.placed[i].id == id; i++ {
			places = append(places, n.placed[i].place)
		}
	}
	slices.Sort(places)
	for _, i := range slices.Compact(places) {
		found = append(found, n.Placements[i])
	}
	return found
}

// SandboxesOf returns the sandboxes of a pod, by id.
func (t *History) SandboxesOf(podUID string) []*Sandbox { return t.boxes[podUID] }

// Starved returns the restarts on the node that ended within d of the time and that the runtime reported as OOMKilled.
func (t *History) Starved(node string, at time.Time, d time.Duration) []*Restart {
	e := t.starved[node]
	if e == nil {
		return nil
	}
	i, _ := slices.BinarySearchFunc(e.at, at.Add(-d), time.Time.Compare)
	j := i
	for until := at.Add(d); j < len(e.at) && e.at[j].Before(until); j++ {
	}
	return e.of[i:j]
}

// Near returns the first mark within [at-before, at+after], or nil; marks are in order of time.
func Near(marks []Occurrence, at time.Time, before, after time.Duration) *Occurrence {
	if i := IndexAt(marks, at.Add(-before)); i < len(marks) && !marks[i].At.After(at.Add(after)) {
		return &marks[i]
	}
	return nil
}

// Printed returns the logged values of a setting, in order of time.
func (n *NodeStory) Printed(name string) []Occurrence { return n.set[name] }

// PrintedAround returns the last logged value up to began of each setting, and all values from then up to until, in
// order of time. It skips what tells does not accept.
func (n *NodeStory) PrintedAround(began, until time.Time, tells func(*Occurrence) bool, names ...string) []Occurrence {
	var out []Occurrence
	for _, name := range names {
		all := n.set[name]
		all = all[:IndexAt(all, until.Add(1))]
		at := 0
		if !began.IsZero() {
			for at = IndexAt(all, began.Add(1)); at > 0; {
				if at--; tells(&all[at]) {
					break
				}
			}
		}
		for i := range all[at:] {
			if m := &all[at+i]; tells(m) {
				out = append(out, *m)
			}
		}
	}
	slices.SortFunc(out, func(a, b Occurrence) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Obs.ID, b.Obs.ID)) })
	return out
}

// UpTo returns the last mark that is not after the time, or nil; marks are in order of time.
func UpTo(marks []Occurrence, at time.Time) *Occurrence {
	if i := IndexAt(marks, at.Add(1)); i > 0 {
		return &marks[i-1]
	}
	return nil
}

// Since returns the marks that are not before the time; marks are in order of time.
func Since(marks []Occurrence, at time.Time) []Occurrence { return marks[IndexAt(marks, at):] }

// BootsAfter returns the boots of the node after the time, earliest first.
func (n *NodeStory) BootsAfter(at time.Time) []Occurrence {
	return n.Boots[IndexAt(n.Boots, at.Add(1)):]
}

// LastBoot returns the last boot before the time that the node itself records, zero if none. The API reports a boot
// late, the output of a tool may be older than the last boot, and a log knows only what it covers.
func (n *NodeStory) LastBoot(at time.Time) time.Time {
	for _, m := range slices.Backward(n.Boots) {
		switch kind := m.Obs.Source.Kind; kind {
		case evidence.SourceAPI, evidence.SourceHostLog:
			continue
		case evidence.SourceKernelLog, evidence.SourceSystemd:
			same := func(o *evidence.Origin) bool { return o == m.Obs.Source.Origin } // another log may be of a later boot
			if ok, _ := n.Covered(kind, at, at, same); !ok {
				continue
			}
		}
		if !n.Strange(m.Obs) {
			return m.At
		}
	}
	return time.Time{}
}

// IndexAt returns the index of the first mark that is not before the time.
func IndexAt(marks []Occurrence, t time.Time) int {
	i, _ := slices.BinarySearchFunc(marks, t, func(m Occurrence, t time.Time) int {
		if m.At.Before(t) {
			return -1
		}
		return 1
	})
	return i
}

// Within returns the marks in [begin, end); marks are in order of time.
func Within(marks []Occurrence, begin, end time.Time) []Occurrence {
	i := IndexAt(marks, begin)
	return slices.Clip(marks[i : i+IndexAt(marks[i:], end)])
}
