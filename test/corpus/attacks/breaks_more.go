package main

import (
	"time"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

// moreStories are attacks of other kinds on the same weak places: identity, silence,
// order, authority.
func moreStories() []written {
	out := variants("two machines of one name in one journal, and the own one's part ends at %v s",
		func(until float64) *story {
			s := quiet().without(func(l *machine.Line) bool { return l.Writer != "kernel" && l.True.After(at(until)) })
			s.truth.Cause = undecided
			s.records = false
			s.forms = []machine.Form{machine.Journal}
			other := elsewhere()
			s.Boots = append(s.Boots, other.Boots...)
			for _, log := range other.Logs {
				for _, l := range log.Lines {
					if l.Boot = 1; log.Name != "kernel" {
						l.Fields = map[string]string{"_MACHINE_ID": other.ID}
						s.Log(log.Name).Lines = append(s.Log(log.Name).Lines, l)
					}
				}
			}
			s.told = s.Boots[0]
			return s
		}, 10.0, 39.0, 40.05)
	out = append(out, variants("an exit with %d in the second of a kill, and no log of the runtime",
		func(code int) *story {
			s := ended(42.1, code, "Error").probed(42.7).decided(42.75, livenessText).killing(42.8)
			s.records = false
			s.Logs = []*machine.Log{s.Log("kubelet"), s.Log("kernel")}
			if code == 137 {
				return s.is("killed-externally")
			}
			return s
		}, 3, 143, 137, 0)...)
	out = append(out, variants("an event of a kill %v s after the start, which was the instance's before",
		func(t float64) *story {
			s := ended(42.5, 137, "Error").event(2+t, "Killing", livenessText, nil).is("killed-externally")
			s.container["livenessProbe"] = object{"httpGet": object{"path": "/", "port": 8080},
				"periodSeconds": 10, "failureThreshold": 1}
			s.records, s.Logs, s.forms = false, nil, []machine.Form{machine.Text}
			return s
		}, 0.0, 0.5, 1.0)...)
	out = append(out, variants("somebody's stop %v s before the kubelet's", func(before float64) *story {
		s := ended(40.6, 143, "Error").liveness(40).stop(40.2 - before)
		s.truth.Cause = undecided // either SIGTERM may have ended it
		return s
	}, 0.05, 0.3, 1.0, 2.5)...)
	out = append(out, variants("a kill of the whole pod with code %d, and a forged event that it was its probe",
		func(code int) *story {
			s := ended(42.5, code, "Error").decided(40.1, "Stopping container app").killing(40.2).stop(40.21).event(40,
				"Killing", livenessText, nil)
			s.container["livenessProbe"] = object{"httpGet": object{"path": "/", "port": 8080}, "periodSeconds": 10,
				"failureThreshold": 1}
			return s
		}, 137, 143, 0)...)
	return out
}

// zones are offsets of a node's local time, which klog's headers are in.
var zones = []time.Duration{2 * time.Hour, -5 * time.Hour, 5*time.Hour + 30*time.Minute}

// local moves klog's headers, and nothing else, from a moment on: the node's zone, or the
// hour of its summer time.
func local(m *machine.Machine, from time.Time, by time.Duration) *machine.Machine {
	c := m.Clone()
	c.Each(func(_ *machine.Log, l *machine.Line) {
		if l.Writer == "kubelet" && !l.True.Before(from) {
			l.Text = machine.Stamped(l.Text, by)
		}
	})
	return c
}
