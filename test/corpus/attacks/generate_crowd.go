package main

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/story"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

func crowdAttacks() []attack {
	return []attack{
		{"crowd", "Several things happen to one container within seconds, and the first that is deadly ends it.", crowd},
		{"crowd, attacked", "So it is, and then one of the other attacks changes the story.", both},
	}
}

// deed is something that is done to the container.
type deed struct {
	name string
	// kubelet reports whether the kubelet itself stops it: it does that once.
	kubelet bool
	asks    bool // SIGTERM
	// kills is the exit code that the deed causes immediately; 0 if it does not end the container.
	kills int
	cause string
	tell  func(*story.Story, float64)
	// last lets the container not run again.
	last func(pod story.Object)
}

func gone(reason, message string) func(story.Object) {
	return func(pod story.Object) {
		status := pod["status"].(story.Object)
		status["phase"], status["reason"], status["message"] = "Failed", reason, message
	}
}

const decided = 0.2 // from the kubelet's decision until its signal

// done is a deed at its time.
type done struct {
	deed
	at float64
}

// crowd draws some deeds, finds out which one ends the process, and adds what each of them leaves in the evidence.
func crowd(r *rand.Rand, t *target) (*variant, bool) {
	var all []done
	spread := []float64{0.4, 2, 8}[r.IntN(3)]
	kubelets := 0
	for range 2 + r.IntN(3) {
		d := deeds[r.IntN(len(deeds))]
		if d.kubelet {
			kubelets++
		}
		if kubelets > 1 && d.kubelet || slices.ContainsFunc(all, func(o done) bool { return o.name == d.name }) {
			continue
		}
		all = append(all, done{d, 40 + spread*r.Float64()})
	}
	slices.SortFunc(all, func(a, b done) int { return cmp.Compare(a.at, b.at) })
	answer, after := []int{0, 143, 1, 3, 137}[r.IntN(5)], 0.005+0.8*r.Float64()
	end, code, by, ok := ended(all, answer, after)
	if !ok {
		return nil, false
	}
	reason := "Error"
	if code == 0 {
		reason = "Completed"
	}
	for _, d := range all {
		if (d.name == "limit" || d.name == "node's memory" || d.name == "child") && d.at <= end {
			reason = "OOMKilled"
		}
	}
	s := story.Ended(end, code, reason)
	how := []string{fmt.Sprintf("answer %d after %.3f", answer, after)}
	var last func(story.Object)
	undecided := false
	for _, d := range all {
		if d.at > end+0.3 && (d.asks || d.kills > 0) {
			continue // nobody does that to a container that is gone
		}
		if d.at > end && (d.kills > 0 || d.name == "session" || d.name == "child") {
			continue
		}
		d.tell(s, d.at)
		how = append(how, fmt.Sprintf("%s at %.3f", d.name, d.at))
		if d.last != nil {
			last = d.last
		}
		undecided = undecided || by.cause[:4] == "app-" && (d.name == "session" || d.name == "child")
	}
	s.Is(by.cause)
	if undecided {
		s.Is(story.Undecided)
	}
	if last != nil {
		s.Last(last)
	}
	if r.IntN(4) == 0 {
		s.Events, how = nil, append(how, "no events")
	}
	if r.IntN(4) == 0 {
		s.Records, how = false, append(how, "no records")
	}
	lose := []string{"", "", "", "kernel", "containerd"}[r.IntN(5)]
	if lose != "" {
		for i := range s.Logs {
			if s.Logs[i].Name == lose {
				s.Logs[i].Lines = nil
			}
		}
		how = append(how, "no log of "+lose)
	}
	if lose == "containerd" && (strings.HasSuffix(by.name, " stop") || !s.Records && by.kills > 0 && kubelets > 0) {
		return nil, false // nothing shows it, or when it exited
	}
	e := s.Entry("crowd", t.form)
	return &variant{of: "crowd", entry: e, how: fmt.Sprintf("%s (%s): ends at %.3f with %d by %s", strings.Join(how, ", "),
		t.form, end, code, by.name)}, true
}

// both applies a second attack to such a story.
func both(r *rand.Rand, t *target) (*variant, bool) {
	form := t.form
	t.form = machine.Text
	v, ok := crowd(r, t)
	if !ok || strings.Contains(v.how, "systemctl") { // a text log lacks some of what a journal has about that
		return nil, false
	}
	on := targets(v.entry)
	if len(on) != 1 {
		return nil, false
	}
	on[0].form, on[0].others = form, t.others
	others := slices.Concat(foreignAttacks(), clockAttacks(), forgedAttacks(), nodeAttacks(), insideAttacks(),
		twinAttacks(), guiseAttacks(), writtenAttacks())
	a := others[r.IntN(len(others))]
	if a.name == "filtered" {
		return nil, false // the lines that show who was first are gone
	}
	w, ok := a.apply(r, on[0])
	if !ok {
		return nil, false
	}
	w.how, w.of = v.how+"; then "+a.name+" ("+string(on[0].form)+"): "+w.how, "crowd"
	return w, true
}

// ended returns when the process exits, with which code, and by which deed.
func ended(all []done, answer int, after float64) (end float64, code int, by done, ok bool) {
	end = 1e9
	asked := false
	for _, d := range all {
		if ok && by.kills > 0 && d.at-by.at < 0.1 && (d.kills > 0 || d.asks && d.at-end < 0.03) {
			return 0, 0, by, false // nothing shows which was the quicker one: an exit is logged some moments later
		}
		if d.at >= end {
			break
		}
		switch {
		case d.kills > 0 && asked && strings.HasPrefix(d.cause, "app-"):
			return 0, 0, by, false // it may be its reaction
		case d.kills > 0:
			end, code, by, ok = d.at+0.002, d.kills, d, true
		case d.asks && !asked:
			asked = true
			end, code, by, ok = d.at+after, answer, d, true
			if answer == 137 { // it ignores the signal
				end = d.at + 30
			}
		}
	}
	return end, code, by, ok
}
