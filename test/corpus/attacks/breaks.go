package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

// written is a story written by hand.
type written struct {
	name  string
	story func() *story
}

func variants[T any](name string, tell func(T) *story, values ...T) []written {
	var out []written
	for _, v := range values {
		out = append(out, written{fmt.Sprintf(name, v), func() *story { return tell(v) }})
	}
	return out
}

func stories() map[string][]written {
	return map[string][]written{
		"foreign log": foreignStories(), "clock step": stepStories(), "stall": stallStories(),
		"late kill": lateStories(), "forged lines": forgedStories(),
		"forged identity": identityStories(), "memory": memoryStories(), "lost lines": lostStories(),
		"overflow": overflowStories(), "events": eventStories(),
		"shared processes": sharedStories(), "more": moreStories(), "outer stop": outerStories(), "pod": podStories(),
		"inside": insideStories(), "turn": turnStories(), "shift": shiftStories(), "rest": restStories(),
		"partial": partialStories(), "chosen": chosenStories(), "bounds": boundStories(),
		"claimed": claimedStories(), "within": withinStories(), "numbers": numberStories(), "start": startStories(),
		"down": downStories(), "box": boxStories(),
		"victim": victimStories(), "edited": editedStories(), "beside": besideStories(),
		"guise": guiseStories(), "word": wordStories(),
	}
}

// elsewhere is the machine of another cluster that has the same name.
func elsewhere() *machine.Machine {
	s := ended(100, 0, "Completed")
	s.Machine.ID, s.Machine.Boots = "11d4c6115937648fb1ac4b72adadc911", []string{"bb35731d488a498ba6eb103ff6db4abb"}
	other := strings.NewReplacer(uid, "aaaa6a52-0b8e-4a57-9f0a-5e2c1b9daaaa",
		oldID, strings.Repeat("ab", 32), newID, strings.Repeat("cd", 32), box,
		strings.Repeat("ef", 32), "web-0", "db-0", "shop", "blog")
	s.Each(func(_ *machine.Log, l *machine.Line) { l.Text = other.Replace(l.Text) })
	return s.Machine
}

// abroad is a story whose node's logs are another machine's.
func abroad(end float64, code int, reason string, change func(*machine.Machine)) *story {
	s := ended(end, code, reason)
	s.records = false
	s.foreign = elsewhere()
	if change != nil {
		change(s.foreign)
	}
	return s
}

func foreignStories() []written {
	boots := func(m *machine.Machine) {
		m.Boots = append(m.Boots, "cc35731d488a498ba6eb103ff6db4acc")
		log := m.Log("kernel")
		log.Lines = append(log.Lines, machine.Line{True: at(43), Writer: "kernel", Text: "Linux version 6.1.0"})
		m.Each(func(_ *machine.Log, l *machine.Line) {
			if !l.True.Before(at(43)) {
				l.Boot = 1
			}
		})
	}
	return append(variants("another host's log and exit code %d",
		func(code int) *story { return abroad(42.5, code, "Error", nil) }, 1, 3, 134, 139, 143),
		variants("another host's log of a boot and exit code %d", func(code int) *story {
			return abroad(42.5, code, "Unknown", boots)
		}, 255, 137)...)
}

// What steps of the clock are tried on: the harness tells every story under them.
func stepStories() []written {
	return append(variants("a liveness kill that ends with %d",
		func(code int) *story { return ended(42.5, code, "Error").liveness(40) }, 137, 143, 1, 0, 3),
		append(variants("an exit of its own with %d", func(code int) *story {
			return ended(42.5, code, "Error").is("app-exit-error")
		}, 1, 3, 70),
			written{"a fault", func() *story { return ended(42.5, 139, "Error").is("app-signal") }},
			written{"a stop through the runtime", func() *story {
				return ended(42.5, 143, "Error").stop(40).is("killed-externally")
			}},
			written{"its memory limit", func() *story {
				return ended(42.5, 137, "OOMKilled").limit().oom(42.4, "CONSTRAINT_MEMCG",
					cgroup, "web", 4711).runtime(42.45, `msg="TaskOOM event container_id:\"`+oldID+`\""`).is("oom-container-limit")
			}})...)
}

// stalled makes the journal take what is written from a moment on for some seconds late.
func (s *story) stalled(from, seconds float64) *story {
	s.Each(func(_ *machine.Log, l *machine.Line) {
		if l.Writer == "kernel" {
			return
		}
		if late := at(from + seconds).Sub(l.True); late > 0 && !l.True.Before(at(from)) {
			l.Late = late
		}
	})
	return s
}

func stallStories() []written {
	return append(variants("an upgrade's kill answered with 1, journal late by %v s", func(d float64) *story {
		s := ended(40.9, 1, "Error")
		s.decided(40.1, "Container app definition changed, will be restarted").killing(40.2).stop(40.21)
		return s.stalled(40, d) // whose definition it was, nothing tells
	}, 3.0, 5.0, 10.0),
		variants("a liveness kill answered with 1, journal late by %v s", func(d float64) *story {
			s := ended(40.9, 1, "Error").liveness(40)
			s.events = nil
			return s.stalled(40.05, d)
		}, 1.5, 3.0, 5.0, 10.0)...)
}

func lateStories() []written {
	late := func(code int) func(time.Duration) *story {
		return func(by time.Duration) *story {
			s := ended(42.5, code, "Error")
			t := 42.5 + by.Seconds()
			s.probed(t-0.02).decided(t, livenessText).killing(t+0.005).stop(t+0.01).event(t, "Killing", livenessText, nil)
			switch code {
			case 137:
				return s.is("killed-externally")
			case 139, 134:
				return s.is("app-signal")
			case 3, 1:
				return s.is("app-exit-error")
			}
			return s // a SIGTERM of someone else's looks like the kubelet's
		}
	}
	var out []written
	for _, code := range []int{137, 143, 139, 3, 0} {
		out = append(out, variants(fmt.Sprintf("code %d, and a kill %%v after it", code),
			late(code), 50*time.Millisecond, 120*time.Millisecond, 290*time.Millisecond)...)
	}
	for _, code := range []int{137, 143, 3} {
		out = append(out, variants(fmt.Sprintf("code %d, a preStop hook, and a kill %%v after it", code),
			func(by time.Duration) *story {
				s := late(code)(by)
				s.container["lifecycle"] = object{"preStop": object{"exec": object{"command": []any{"sleep", "1"}}}}
				return s
			}, 50*time.Millisecond, 120*time.Millisecond, 290*time.Millisecond)...)
	}
	for _, code := range []int{137, 3} {
		out = append(out, variants(fmt.Sprintf("code %d, and a kill %%v after it that the runtime does not know", code),
			func(by time.Duration) *story {
				s := ended(42.5, code, "Error")
				t := 42.5 + by.Seconds()
				s.probed(t-0.02).decided(t, livenessText).killing(t + 0.005)
				if code == 137 {
					return s.is("killed-externally")
				}
				return s.is("app-exit-error")
			}, 50*time.Millisecond, 290*time.Millisecond)...)
	}
	return out
}

func overflowStories() []written {
	return variants("a grace period of %d s, and a log that begins after the end", func(grace int64) *story {
		s := ended(17.3, 1, "Error")
		s.records = false
		s.spec["terminationGracePeriodSeconds"] = grace
		for _, log := range s.Logs {
			kept := log.Lines[:0]
			for _, l := range log.Lines {
				if l.Writer == "kernel" || l.True.After(at(17.3+540)) {
					kept = append(kept, l)
				}
			}
			log.Lines = kept
		}
		return s.kubelet(560, `kubelet.go:2418] "SyncLoop ADD" source="api" pods=["ops/other"]`)
	}, 9223372036, 9223372037, 18446744073, 4611686018427387904)
}

func sharedStories() []written {
	var out []written
	for _, field := range []string{"shareProcessNamespace", "hostPID"} {
		out = append(out, variants(field+" and exit code %d", func(code int) *story {
			s := ended(42.5, code, "Error")
			s.spec[field] = true
			return s
		}, 1, 3, 139, 134, 143, 0)...)
	}
	return out
}
