package subject

import (
	"cmp"
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/slab"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/skew"
)

// skewed returns the least difference that counts. The lines of a busy kubelet and its events are seconds late; runtime
// and kernel write at once.
func skewed(k evidence.SourceKind) time.Duration {
	switch k {
	case evidence.SourceRuntimeLog, evidence.SourceKernelLog:
		return tolerance.SkewOfWriters
	}
	return tolerance.SkewOfWatchers
}

// known is what the records say about one container's times.
type known struct {
	created, started, finished time.Time
	oomKilled                  bool
	kind                       evidence.SourceKind
}

// sample is the pairs of one log of one node.
type sample struct {
	pairs   []skew.Comparison
	kills   []time.Duration // from the end of a container back to the kubelet's kill of it
	against evidence.SourceKind
	IDs     []string
}

// skews compares every log of every node with the records of containers: the same start and the same end, dated by
// both. This finds wrong time zones, a kernel log whose clock drifted and logs of machines whose clock was set
// meanwhile.
//
// doubtful are logs without a matching pair, where too few agree on a difference. What they say about containers and
// pods is kept; what they say about the node alone is not, and their silence about a moment means nothing.
func skews(obs []Seen) (found map[timeline.Clock]timeline.Skew, doubtful map[timeline.Clock]bool) {
	records(obs)
	samples, ends := samples{}, podEnds(obs)
	begun := map[timeline.Clock]time.Time{} // the last start of a kubelet, from its own log
	for i := range obs {
		o := &obs[i]
		if _, evicted := o.Fact.(evidence.PodEvicted); evicted && o.Source.Kind == evidence.SourceKubeletLog &&
			!o.Time.IsZero() {
			if last := ends[timeline.PodName{Namespace: o.Subject.Namespace, Pod: o.Subject.Pod}]; !last.IsZero() {
				s := samples.of(timeline.Clock{Node: cmp.Or(o.Source.Node, o.Subject.Node), Source: o.Source.Kind},
					evidence.SourceAPI)
				s.kills = append(s.kills, o.Time.Sub(last))
				s.IDs = append(s.IDs, o.ID)
			}
			continue
		}
		if o.Tells&(timeline.ToldDated|timeline.ToldNode) == 0 {
			continue
		}
		k := timeline.Clock{Node: cmp.Or(o.Source.Node, o.Subject.Node), Source: o.Source.Kind}
		if _, ok := o.Fact.(evidence.KubeletStarted); ok {
			begun[k] = o.Time
		}
		if o.Who == nil || o.Who.known == nil || o.Time.IsZero() || k.Node == "" {
			continue
		}
		if _, kill := o.Fact.(evidence.KillStarted); kill && !o.Who.known.finished.IsZero() {
			s := samples.of(k, o.Who.known.kind)
			s.kills = append(s.kills, o.Time.Sub(o.Who.known.finished))
			continue
		}
		at := o.Who.known.moment(o.Observation)
		if at.IsZero() || k.Source == evidence.SourceKubeletLog && !begun[k].IsZero() &&
			o.Time.Sub(begun[k]) < tolerance.FirstRelist {
			continue // a kubelet's first relist reports old events
		}
		s := samples.of(k, o.Who.known.kind)
		s.pairs = append(s.pairs, skew.Comparison{At: o.Time, Late: o.Time.Sub(at)})
		if len(s.IDs) < 3 {
			s.IDs = append(s.IDs, o.ID)
		}
	}
	found, doubtful = map[timeline.Clock]timeline.Skew{}, map[timeline.Clock]bool{}
	for k, s := range samples {
		differences := skew.Moments(s.pairs, tolerance.SameRelist) // one relist is one look, whatever it finds
		least, most, pairs := skew.Agree(differences, tolerance.SkewWidth)
		few := pairs == 0
		if few {
			least, most, pairs = inAnotherZone(differences, s.kills)
		}
		offset := least // lines come late, never early
		if k.Source == evidence.SourceKernelLog {
			offset = most // the kernel kills before the container is gone
		}
		zone := offset.Round(tolerance.ZoneStep)
		whole := (offset-zone).Abs() <= tolerance.SkewWidth && zone.Abs() <= tolerance.ZoneFarthest
		if k.Source != evidence.SourceKernelLog && zone != 0 && offset < zone-tolerance.Jitter {
			whole = false // in that zone, lines would have come early
		}
		if whole {
			offset = zone // the rest is how late the lines are: what comes right after an end must not move before it
		}
		// Runtime and kernel write at once, so that only how far they are ahead may be how late they are.
		loose := !whole && (offset > 0 && k.Source != evidence.SourceKernelLog || k.Source == evidence.SourceKubeletLog)
		// Where one line of all came sooner, the others were late.
		late := loose && offset > 0 && pairs > 0 && slices.Min(differences) < least-tolerance.SkewWidth
		switch {
		case pairs > 0 && !late && offset.Abs() >= skewed(k.Source):
			found[k] = timeline.Skew{Source: k.Source, Against: s.against, Offset: offset,
				Least: least, Most: most, Pairs: pairs, Guessed: few, Loose: loose, Evidence: s.IDs}
		case late, pairs == 0 && len(differences) > 0 &&
			!slices.ContainsFunc(differences, func(d time.Duration) bool { return d.Abs() < skewed(k.Source) }):
			doubtful[k] = true
		}
	}
	for i := range obs {
		o := &obs[i]
		if o.Tells&timeline.ToldClock == 0 {
			continue
		}
		if f, ok := o.Fact.(evidence.ClockCompared); ok && f.Offset.Abs() >= skewed(evidence.SourceAPI) {
			// The node is ahead by as much as the API server is behind.
			found[timeline.Clock{Node: o.Subject.Node, Source: evidence.SourceAPI}] = timeline.Skew{Source: evidence.SourceAPI,
				Against: evidence.SourceKubeletLog, Offset: -f.Offset, Least: -f.Most,
				Most: -f.Least, Pairs: f.Pairs, Evidence: []string{o.ID}}
		}
	}
	return found, doubtful
}

// inAnotherZone reports whether all differences are the same offset of a time zone, however few they are: a kubelet's
// own log file has local time and does not say which. A kill comes before the end that it causes, and the kubelet logs
// an eviction after it.
func inAnotherZone(differences, kills []time.Duration) (least, most time.Duration, pairs int) {
	all := slices.Concat(differences, kills)
	if len(all) == 0 {
		return 0, 0, 0
	}
	zone := all[0].Round(tolerance.ZoneStep)
	if zone == 0 || zone.Abs() > tolerance.ZoneFarthest {
		return 0, 0, 0
	}
	for _, d := range differences {
		if (d - zone).Abs() > tolerance.SkewWidth {
			return 0, 0, 0
		}
	}
	for _, d := range kills {
		if (d - zone).Abs() > tolerance.KillTakes {
			return 0, 0, 0
		}
	}
	return zone, zone, len(all)
}

// samples holds one for every log.
type samples map[timeline.Clock]*sample

func (all samples) of(k timeline.Clock, against evidence.SourceKind) *sample {
	if all[k] == nil {
		all[k] = &sample{against: against}
	}
	return all[k]
}

// podEnds returns the last ends of a container in the API, by the names of their pods, where a kubelet's log has
// evictions.
func podEnds(obs []Seen) map[timeline.PodName]time.Time {
	evictions := slices.ContainsFunc(obs, func(o Seen) bool {
		_, ok := o.Fact.(evidence.PodEvicted)
		return ok && o.Source.Kind == evidence.SourceKubeletLog
	})
	if !evictions {
		return nil
	}
	ends := map[timeline.PodName]time.Time{}
	for i := range obs {
		o := &obs[i]
		if rec, ok := o.Fact.(evidence.ContainerRecord); ok && o.Source.Kind == evidence.SourceAPI {
			if name := (timeline.PodName{Namespace: o.Subject.Namespace, Pod: o.Subject.Pod}); rec.Finished.After(ends[name]) {
				ends[name] = rec.Finished
			}
		}
	}
	return ends
}

// records sets the recorded times of the entities that lines date; the runtime's records take precedence over the
// API's.
func records(obs []Seen) {
	var room slab.Of[known]
	for i := range obs {
		o := &obs[i]
		if o.Tells&timeline.ToldContainer == 0 || o.Who == nil || !o.Who.dated {
			continue
		}
		f, ok := o.Fact.(evidence.ContainerRecord)
		if !ok {
			continue
		}
		rec := o.Who.known
		if rec == nil {
			rec = room.New()
			o.Who.known = rec
		}
		if rec.kind == evidence.SourceCRI && o.Source.Kind != evidence.SourceCRI {
			continue
		}
		rec.kind = o.Source.Kind
		for _, t := range []struct {
			have *time.Time
			more time.Time
		}{{&rec.created, f.Created}, {&rec.started, f.Started}, {&rec.finished, f.Finished}} {
			if !t.more.IsZero() {
				*t.have = t.more
			}
		}
		rec.oomKilled = rec.oomKilled || f.Reason == "OOMKilled" && f.ExitCode != nil && *f.ExitCode == 137
	}
}

// moment returns when a line's event was according to the records; zero where they do not have it.
func (k *known) moment(o *evidence.Observation) time.Time {
	switch o.Source.Kind {
	case evidence.SourceKubeletLog:
		switch o.Fact.(type) {
		case evidence.ContainerStarted:
			return k.started
		case evidence.ContainerDied, evidence.ContainerFinished:
			return k.finished
		}
	case evidence.SourceRuntimeLog:
		switch o.Fact.(type) {
		case evidence.RuntimeCreated:
			return k.created
		case evidence.TaskExited:
			return k.finished
		}
	case evidence.SourceKernelLog:
		if _, ok := o.Fact.(evidence.OOMKill); ok && k.oomKilled {
			return k.finished
		}
	}
	return time.Time{}
}

// onOneClock converts a snapshot's times to its nodes' clocks, where the difference is known. The snapshot itself stays
// unchanged.
func (t *Resolver) onOneClock(s *evidence.Snapshot) (pods []evidence.Pod, coverage []evidence.Coverage,
	losses []evidence.Loss) {
	pods, coverage, losses = s.Pods, s.Coverage, slices.Clone(s.Losses)
	var doubtful map[timeline.Clock]bool
	t.Clocks, doubtful = skews(t.Obs)
	var files map[file]timeline.Clock
	if len(t.Clocks)+len(doubtful) > 0 {
		files = sharedFiles(t.Obs)
	}
	if len(doubtful) > 0 {
		coverage = slices.DeleteFunc(slices.Clone(coverage), func(c evidence.Coverage) bool {
			return doubtful[timeline.Clock{Node: c.Node, Source: c.Source}]
		})
		t.Obs = slices.DeleteFunc(t.Obs, func(o Seen) bool {
			s := &o.Subject // what is about the node alone, such as a daemon's start, cannot be dated
			return s.ContainerID == "" && s.PodUID == "" && s.Pod == "" && doubtful[clockOf(o.Observation, files)]
		})
	}
	for i := range losses {
		l := &losses[i]
		by := timeline.Clock{Node: l.Node, Source: l.Source}
		if skew, ok := t.Clocks[by]; doubtful[by] {
			*l = l.Anywhere()
		} else if ok {
			*l = l.Earlier(skew.Offset)
		}
	}
	if len(t.Clocks) == 0 {
		return pods, coverage, losses
	}
	pods, coverage = slices.Clone(pods), slices.Clone(coverage)
	moved := false
	for i := range t.Obs {
		o := &t.Obs[i]
		by := clockOf(o.Observation, files)
		if by.Source == evidence.SourceAPI {
			if _, ok := o.Fact.(evidence.PodDeleted); !ok {
				continue // the API's other times are the kubelet's, or their component's
			}
			by.Node = o.Subject.Node
		}
		if skew, ok := t.Clocks[by]; ok && !o.Time.IsZero() {
			shifted := t.copies.New()
			*shifted = *o.Observation
			shifted.Time = o.Time.Add(-skew.Offset)
			o.Observation, moved = shifted, true
		}
	}
	if moved {
		slices.SortStableFunc(t.Obs, func(a, b Seen) int { return a.Time.Compare(b.Time) })
	}
	for i := range pods {
		if skew, ok := t.Clocks[timeline.Clock{Node: pods[i].Node, Source: evidence.SourceAPI}]; ok {
			pods[i] = earlier(pods[i], skew.Offset)
		}
	}
	for i := range coverage {
		c := &coverage[i]
		if skew, ok := t.Clocks[timeline.Clock{Node: c.Node, Source: c.Source}]; ok && c.Node != "" {
			c.From, c.Until = c.From.Add(-skew.Offset), c.Until.Add(-skew.Offset)
		}
	}
	return pods, coverage, losses
}

// earlier moves the times of a pod that the API server set.
func earlier(p evidence.Pod, d time.Duration) evidence.Pod {
	move := func(t *time.Time) {
		if !t.IsZero() {
			*t = t.Add(-d)
		}
	}
	move(&p.CreatedAt)
	move(&p.DeletedAt)
	p.SpecWrites = slices.Clone(p.SpecWrites)
	for i := range p.SpecWrites {
		move(&p.SpecWrites[i].Time)
	}
	return p
}
