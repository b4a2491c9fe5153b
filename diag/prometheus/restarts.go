package prometheus

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// history holds the samples of one container's series, each where it changed, in order. The first ones are the values
// at the window's beginning.
type history struct {
	counts, started, finished, codes []point
	reasons                          []reasoned
	known                            bool // counts begins before the window
}

// reasoned is a reason and when it began to apply.
type reasoned struct {
	at     time.Time
	reason string
}

// histories joins the series of each container.
func (r *reading) histories() map[subject]*history {
	all := map[subject]*history{}
	take := func(name, series string) {
		for _, x := range r.s.answer(name) {
			of := series
			if of == "" {
				of = string(x.Metric["series"])
			}
			who, ok := r.about(x.Metric, string(x.Metric["uid"]))
			if !ok || who.container == "" {
				continue
			}
			h := all[who]
			if h == nil {
				h = &history{}
				all[who] = h
			}
			switch ps := points(x); of {
			case restartsTotal:
				h.known = h.known || series == ""
				h.counts = append(h.counts, ps...)
			case stateStarted:
				h.started = append(h.started, ps...)
			case lastTime:
				h.finished = append(h.finished, ps...)
			case lastExitCode:
				h.codes = append(h.codes, ps...)
			case lastReason:
				for _, p := range ps {
					if p.v == 1 {
						h.reasons = append(h.reasons, reasoned{p.at, safetext.Ident(string(x.Metric["reason"]))})
					}
				}
			}
		}
	}
	take("before", "")
	for _, series := range []string{restartsTotal, stateStarted, lastTime, lastExitCode, lastReason} {
		take(series, series)
	}
	return all
}

// differs returns the containers whose replicas disagree for longer than their scrapes are apart.
func (r *reading) differs(all map[subject]*history) map[subject]bool {
	out := map[subject]bool{}
	for _, x := range r.s.answer("differs") {
		who, ok := r.about(x.Metric, string(x.Metric["uid"]))
		if h := all[who]; ok && h != nil && points(x)[0].v > 2+float64(len(h.counts))/4 {
			out[who] = true
		}
	}
	return out
}

// restarts emits every increase of a restart count.
func (r *reading) restarts() {
	all := r.histories()
	differing := r.differs(all)
	r.differing = len(differing)
	order := slices.SortedFunc(maps.Keys(all), func(a, b subject) int {
		return strings.Compare(a.namespace+"/"+a.pod+"/"+a.uid+"/"+a.container,
			b.namespace+"/"+b.pod+"/"+b.uid+"/"+b.container)
	})
	for _, who := range order {
		if !differing[who] {
			r.container(who, all[who])
		}
	}
}

// container processes the counts of one container. A negative one means that the series was gone.
func (r *reading) container(who subject, h *history) {
	about := r.subject(who)
	last, there := -1, false
	var seen time.Time     // the last sample of the previous count
	var previous time.Time // when the newest instance was started
	for _, p := range h.counts {
		if p.v > 1e9 {
			continue
		}
		n, since := int(p.v), seen
		if n < 0 {
			seen, there = p.at.Add(-r.step), false
			continue
		}
		if there {
			since = p.at.Add(-r.step)
		}
		f := evidence.RestartCounted{Count: n, By: 1, Since: since}
		f.Started = h.start(p.at, since, r)
		begins := last < 0 && !(h.known && p.at.Equal(r.s.From))
		switch {
		case last >= 0 && n < last:
			r.fell++
		case last >= 0 && n > last:
			f.By = n - last
			r.between += f.By - 1
			if f.By == 1 {
				f.Began = h.ran(since)
				previous = cmp.Or(f.Began, previous)
			}
			r.rose(about, p.at, h.end(f, p.at, previous))
		case begins && n > 0 && !f.Started.IsZero(): // the value shows that it was restarted within the window
			r.rose(about, p.at, h.end(f, p.at, previous))
		}
		if !f.Started.IsZero() {
			previous = f.Started
		}
		last, seen, there = n, p.at, true
	}
}

// start is when the instance was started that first appears in a sample; zero where the value is another instance's: an
// instance that ended again before the sample has none.
func (h *history) start(at, since time.Time, r *reading) time.Time {
	earliest := since.Add(-settles)
	if since.IsZero() {
		earliest = r.s.From
	}
	for _, p := range h.started {
		started, ok := moment(p.v)
		if ok && p.at.After(since) && !p.at.After(at.Add(2*r.step)) && !started.Before(earliest) &&
			!started.After(at.Add(ahead)) {
			return started
		}
	}
	return time.Time{}
}

// end adds how the previous instance ended. While one is running, the last state is the previous instance's; while none
// is, it is the newest one's own. So if the sample of the increase shows none running, the sample before it is used, if
// none was running there either.
func (h *history) end(f evidence.RestartCounted, at, previous time.Time) evidence.RestartCounted {
	if f.Started.IsZero() && len(h.started) > 0 {
		if f.By > 1 || f.Since.IsZero() || h.runs(f.Since) {
			return f
		}
		at = f.Since
	}
	if p, ok := holds(h.finished, at); ok {
		end, dated := moment(p.v)
		if dated && !end.Before(previous) && !end.After(at.Add(ahead)) && (f.Started.IsZero() || !end.After(f.Started)) {
			f.Finished = end
		}
	}
	if p, ok := holds(h.codes, at); ok && p.v >= -1<<31 && p.v < 1<<31 {
		f.ExitCode = new(int32(p.v))
	}
	var when time.Time
	for _, x := range h.reasons {
		if !x.at.After(at) && !x.at.Before(when) {
			when, f.Reason = x.at, x.reason
		}
	}
	return f
}

// ran is when the running instance in a sample was started; zero if none is running.
func (h *history) ran(at time.Time) time.Time {
	p, ok := holds(h.started, at)
	if !ok || p.v <= 0 {
		return time.Time{}
	}
	began, _ := moment(p.v)
	return began
}

// runs reports whether an instance is running in a sample.
func (h *history) runs(at time.Time) bool {
	p, ok := holds(h.started, at)
	return ok && p.v > 0
}

// holds returns the last point up to a time.
func holds(all []point, at time.Time) (last point, ok bool) {
	for _, p := range all {
		if !p.at.After(at) && !p.at.Before(last.at) {
			last, ok = p, true
		}
	}
	return last, ok
}

// rose emits one increase. If the clocks differ, it needs values that are timestamps.
func (r *reading) rose(about evidence.Subject, at time.Time, f evidence.RestartCounted) {
	if r.apart && (f.Started.IsZero() || f.Finished.IsZero()) {
		return
	}
	text := fmt.Sprintf("%s of %s/%s, container %s: %d at %s", restartsTotal, about.Namespace, about.Pod,
		about.Container, f.Count, clockTime(at))
	if !f.Since.IsZero() {
		text += fmt.Sprintf(", %d at %s", f.Count-f.By, clockTime(f.Since))
	}
	if f.ExitCode != nil {
		text += fmt.Sprintf("; last_terminated_exitcode %d", *f.ExitCode)
	}
	if f.Reason != "" {
		text += "; last_terminated_reason " + f.Reason
	}
	for _, x := range []struct {
		what string
		at   time.Time
	}{{"last_terminated_timestamp", f.Finished}, {"state_started", f.Started}} {
		if !x.at.IsZero() {
			text += "; " + x.what + " " + clockTime(x.at)
		}
	}
	r.put(at, about, restartsTotal, f, text)
}
