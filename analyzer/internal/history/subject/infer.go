package subject

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file names containers that are known only from PLEG lines, by nearby messages, and counts the ends that stay
// unnamed.

const (
	// maxAnonymous limits the steps of one pod that are processed.
	maxAnonymous = 100_000
)

// anonymous is a pod with containers that nothing names.
type anonymous struct {
	steps []step
	hints []hint
	boxes []time.Time // when the kubelet decided that the pod needs a new sandbox
}

// step is a PLEG line about a container of the pod.
type step struct {
	at  time.Time
	id  *Entity
	end bool
}

// hint is a line that names a container of the pod, without an id.
type hint struct {
	at   time.Time
	name string
}

// inferNames names containers that are known only from PLEG lines. In a pod with a single container there is no choice,
// provided that the id is a container's: the kubelet logs an exit code for containers only (1.22+). Else the lines
// around an end decide, if they leave one name. Everything else stays unnamed, and is counted.
func (t *Resolver) inferNames() {
	unnamed := map[*Pod]*anonymous{}
	for _, e := range t.IDs.All {
		if !e.named {
			continue
		}
		var p *evidence.Pod
		if e.Owner != nil && e.PodUID != "" {
			p = e.Owner.Given
		}
		if p != nil && !e.IsSandbox && e.Container == "" && (e.finished || e.Killed) && len(p.Containers) == 1 {
			e.Own().Container, e.Kind = p.Containers[0].Name, p.Containers[0].Kind
		}
		if e.Kind == "" && e.Container != "" {
			e.Kind = apiPod(e).Kind(e.Container)
		}
		if !e.IsSandbox && e.Container == "" && (e.pleg || e.finished) && e.PodUID != "" && e.Owner != nil {
			unnamed[e.Owner] = &anonymous{}
		}
	}
	if len(unnamed) > 0 {
		t.nameByWords(unnamed)
	}
	ids := map[*Pod]int{}
	for _, e := range t.IDs.All {
		if e.pleg || e.IsSandbox {
			ids[e.Owner]++
		}
	}
	for i := range t.Obs {
		if o := &t.Obs[i]; o.Pod != nil && o.Tells&timeline.HasSandbox != 0 {
			ids[o.Pod]++ // it may be the id of the sandbox that the line is about
		}
	}
	for _, e := range t.IDs.All {
		if !e.named || e.IsSandbox || e.Container != "" || !e.pleg || e.PodUID == "" {
			continue
		}
		if ids[e.Owner] == 1 && !t.Listed() { // a container's: a sandbox ends with its containers
			e.Own().Container = t.OnlyContainer(e.Owner)
			e.Guessed = e.Container != ""
			continue
		}
		if !e.finished && !e.lived && !e.Killed {
			// Neither a named container nor one with an exit code: most likely the pod's sandbox. The timeline says
			// "inferred".
			sb := t.Box(e, false)
			sb.PodUID = e.PodUID
			e.IsSandbox = true
		}
	}
}

// nameByWords collects the messages about pods with unnamed containers.
func (t *Resolver) nameByWords(unnamed map[*Pod]*anonymous) {
	var ended []*Seen // lately, in the order of time
	for i := range t.Obs {
		o := &t.Obs[i]
		p := o.Pod
		if o.Who != nil && o.Who.Owner != nil {
			p = o.Who.Owner
		}
		switch o.Fact.(type) {
		case evidence.ContainerDied:
			ended = append(ended, o)
		case evidence.RestartDecided: // names no pod (up to v1.19): it is of the one pod where something just ended
			for len(ended) > 0 && o.Time.Sub(ended[0].Time) > tolerance.HintAfter {
				ended = ended[1:]
			}
			if o.Pod == nil && o.Subject.Pod == "" && len(ended) <= FewGroups {
				p = onlyEnd(ended, o)
			}
		}
		a := unnamed[p]
		if a == nil || o.Time.IsZero() {
			continue
		}
		switch o.Fact.(type) {
		case evidence.ContainerStarted:
			if o.Who != nil && !o.Who.IsSandbox {
				a.steps = append(a.steps, step{o.Time, o.Who, false})
			}
		case evidence.ContainerDied, evidence.ContainerFinished:
			if o.Who != nil && !o.Who.IsSandbox {
				a.steps = append(a.steps, step{o.Time, o.Who, true})
			}
		case evidence.BackedOff, evidence.LogFileRead, evidence.RestartDecided:
			if o.Subject.Container != "" {
				a.hints = append(a.hints, hint{o.Time, o.Subject.Container})
			}
		case evidence.SandboxJudged, evidence.SandboxChanged:
			a.boxes = append(a.boxes, o.Time)
		}
	}
	coded := map[string]bool{} // nodes whose kubelets log exit codes: there a sandbox is the id without one
	for _, e := range t.IDs.All {
		if e.finished {
			coded[e.Node] = true
		}
	}
	for p, a := range unnamed {
		if len(a.steps) > maxAnonymous {
			continue
		}
		slices.SortStableFunc(a.steps, func(x, y step) int { return x.at.Compare(y.at) })
		slices.SortFunc(a.boxes, time.Time.Compare)
		slices.SortStableFunc(a.hints, func(x, y hint) int { return cmp.Or(x.at.Compare(y.at), cmp.Compare(x.name, y.name)) })
		if len(a.steps) > 0 {
			a.tellSandboxes(coded[a.steps[0].id.Node])
		}
		nobody := map[*Entity]bool{}
		for _, s := range a.steps {
			nobody[s.id] = s.id.Container == ""
		}
		a.follow()
		for _, s := range a.steps {
			s.id.Guessed = s.id.Guessed || nobody[s.id] && s.id.Container != ""
		}
		for _, s := range a.steps {
			if s.id.Container != "" && s.id.Kind == "" {
				s.id.Kind = p.Kind(s.id.Container)
			}
		}
		t.countUnnamed(a)
	}
}

// onlyEnd returns the pod of all those ends on the node of a line that names a container, nil where they are of
// several, or where the line may be about an end with a name.
func onlyEnd(ended []*Seen, line *Seen) (only *Pod) {
	for _, o := range ended {
		switch who := o.Who; {
		case o.Source.Node != line.Source.Node, who != nil && who.IsSandbox:
		case who == nil, who.Container == line.Subject.Container:
			return nil
		case who.Container != "": // of another one
		case only != nil && only != o.Pod:
			return nil
		default:
			only = o.Pod
		}
	}
	return only
}

// relistOf returns the steps of one relist from i on, and where the next one begins.
func (a *anonymous) relistOf(i int) (steps []step, next int) {
	for next = i; next < len(a.steps) && a.steps[next].at.Sub(a.steps[i].at) < tolerance.SameRelist; next++ {
	}
	return a.steps[i:next], next
}

// tellSandboxes finds ids that are containers': a sandbox takes its containers along, and comes back together with one.
// What ended alone, and was followed by one start alone, is a container. Where exit codes are logged (kubelets from
// v1.22 on), which only containers have, this applies to what failed and to its successor: after a finished init
// container another one starts.
func (a *anonymous) tellSandboxes(coded bool) {
	for i := 0; i < len(a.steps); {
		steps, next := a.relistOf(i)
		ended, started := map[*Entity]bool{}, map[*Entity]bool{}
		until := steps[len(steps)-1].at
		for _, s := range steps {
			if s.end {
				ended[s.id] = true
			} else {
				started[s.id] = true
			}
		}
		if len(started) == 0 && next < len(a.steps) {
			following, _ := a.relistOf(next)
			for _, s := range following {
				if !s.end {
					started[s.id], until = true, s.at
				}
			}
		}
		if len(ended) == 1 && len(started) == 1 && !a.onlyTheBox(next, ended, started) &&
			(!coded || failed(ended) && !a.needsBox(steps[0].at, until)) {
			for id := range ended {
				id.lived = true
			}
			for id := range started {
				id.lived = true
			}
		}
		i = next
	}
}

// failed reports whether all of them ended with a code other than 0.
func failed(ended map[*Entity]bool) bool {
	for id := range ended {
		if !id.failed {
			return false
		}
	}
	return true
}

// needsBox reports whether the kubelet decided between two times that the pod needs a new sandbox.
func (a *anonymous) needsBox(from, until time.Time) bool {
	first, _ := slices.BinarySearchFunc(a.boxes, from, time.Time.Compare)
	return first < len(a.boxes) && !a.boxes[first].After(until)
}

// onlyTheBox reports whether what started after an end was the new sandbox: the ended container started after it, under
// a named id, and the first one had not ended by then.
func (a *anonymous) onlyTheBox(from int, ended, started map[*Entity]bool) bool {
	name := ""
	for id := range ended {
		name = id.Container
	}
	for _, s := range a.steps[from:] {
		switch {
		case started[s.id] && s.end || ended[s.id]:
			return false
		case !s.end && !started[s.id]:
			return name != "" && s.id.Container == name
		}
	}
	return false
}

// OfContainer reports whether an id is known to be a container's.
func (e *Entity) OfContainer() bool {
	return !e.IsSandbox && (e.finished || e.lived || e.Container != "")
}

// follow goes through the pod's life: ends are named by the hints around them, starts by what had ended.
func (a *anonymous) follow() {
	dead := map[string]bool{}    // names that wait for their next start
	var lost []*Entity           // ended, still without a name
	done := map[*Entity]bool{}   // whose end is known
	var same [][2]*Entity        // an end, and the start that followed from it
	var ofRelist map[*Entity]int // how many started in one relist
	for i := 0; i < len(a.steps); {
		steps, next := a.relistOf(i)
		ofRelist = map[*Entity]int{}
		for _, s := range steps {
			if !s.end && s.id.OfContainer() {
				ofRelist[s.id]++
			}
		}
		for _, s := range steps {
			if !s.end || done[s.id] || !s.id.OfContainer() {
				continue
			}
			done[s.id] = true
			if s.id.Container == "" {
				s.id.Own().Container = a.hinted(s)
			}
			if s.id.Container == "" {
				lost = append(lost, s.id)
			} else {
				dead[s.id.Container] = true
			}
		}
		for _, s := range steps {
			if s.end || done[s.id] || !s.id.OfContainer() {
				continue
			}
			switch alone := len(ofRelist) == 1; {
			case s.id.Container == "" && alone && len(dead) == 1 && len(lost) == 0:
				for name := range dead {
					s.id.Own().Container = name
				}
			case s.id.Container != "" && alone && !dead[s.id.Container] && len(dead) == 0 && len(lost) == 1:
				lost[0].Own().Container = s.id.Container // nothing else had ended
				lost = nil
			case s.id.Container == "" && alone && len(lost) == 1 && len(dead) == 0:
				same, lost = append(same, [2]*Entity{lost[0], s.id}), nil
			case s.id.Container == "" && alone && len(lost) > 0:
				lost = lost[:len(lost)-1] // whichever it is, one of those is back
			}
			delete(dead, s.id.Container)
		}
		i = next
	}
	// A loop whose container is named once is named from beginning to end.
	for _, pair := range slices.Backward(same) {
		fill(&pair[0].Own().Container, pair[1].Container)
	}
	for _, pair := range same {
		fill(&pair[1].Own().Container, pair[0].Container)
	}
}

// hinted returns the only name in the lines around an end that no other end there has.
func (a *anonymous) hinted(end step) string {
	names := map[string]bool{}
	from, _ := slices.BinarySearchFunc(a.hints, end.at.Add(-tolerance.HintBefore),
		func(h hint, at time.Time) int { return h.at.Compare(at) })
	for _, h := range a.hints[from:] {
		if h.at.After(end.at.Add(tolerance.HintAfter)) {
			break
		}
		names[h.name] = true
	}
	if len(names) == 0 {
		return ""
	}
	from, _ = slices.BinarySearchFunc(a.steps, end.at.Add(-tolerance.HintAfter),
		func(s step, at time.Time) int { return s.at.Compare(at) })
	for _, s := range a.steps[from:] {
		if s.at.After(end.at.Add(tolerance.HintBefore)) {
			break
		}
		if s.end && s.id != end.id && len(names) > 1 {
			delete(names, s.id.Container)
		}
	}
	if len(names) != 1 {
		return ""
	}
	return slices.Collect(maps.Keys(names))[0]
}

// countUnnamed counts the ends that stay without a name, by node.
func (t *Resolver) countUnnamed(a *anonymous) {
	seen := map[*Entity]bool{}
	for _, s := range a.steps {
		if !s.end || seen[s.id] || s.id.Container != "" || !s.id.OfContainer() {
			continue
		}
		seen[s.id] = true
		t.CountUnnamed(s.id.Node)
	}
}
