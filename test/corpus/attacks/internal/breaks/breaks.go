// Package breaks has the stories, by class, in which the analyzer once proved something wrong, or could have.
package breaks

import (
	"fmt"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/story"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

// Written is a hand-written story.
type Written struct {
	Name  string
	Story func() *story.Story
}

// Variants returns a story once for each value; the name has a place for the value.
func Variants[T any](name string, tell func(T) *story.Story, values ...T) []Written {
	var out []Written
	for _, v := range values {
		out = append(out, Written{fmt.Sprintf(name, v), func() *story.Story { return tell(v) }})
	}
	return out
}

// All returns the stories by class.
func All() map[string][]Written {
	return map[string][]Written{
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
		"guise": guiseStories(), "word": wordStories(), "settings": settingStories(), "moment": momentStories(),
		"world": worldStories(),
	}
}

// elsewhere returns a machine of another cluster with the same name.
func elsewhere() *machine.Machine {
	s := story.Ended(100, 0, "Completed")
	s.Machine.ID, s.Machine.Boots = "11d4c6115937648fb1ac4b72adadc911", []string{"bb35731d488a498ba6eb103ff6db4abb"}
	other := strings.NewReplacer(story.UID, "aaaa6a52-0b8e-4a57-9f0a-5e2c1b9daaaa",
		story.OldID, strings.Repeat("ab", 32), story.NewID, strings.Repeat("cd", 32), story.SandboxID,
		strings.Repeat("ef", 32), "web-0", "db-0", "shop", "blog")
	s.Each(func(_ *machine.Log, l *machine.Line) { l.Text = other.Replace(l.Text) })
	return s.Machine
}

// abroad returns a story with another machine's logs in place of the node's.
func abroad(end float64, code int, reason string, change func(*machine.Machine)) *story.Story {
	s := story.Ended(end, code, reason)
	s.Records = false
	s.Foreign = elsewhere()
	if change != nil {
		change(s.Foreign)
	}
	return s
}

// bootsAt43 lets a machine boot half a second after most stories' exit.
func bootsAt43(m *machine.Machine) {
	m.Boots = append(m.Boots, "cc35731d488a498ba6eb103ff6db4acc")
	log := m.Log("kernel")
	log.Lines = append(log.Lines, machine.Line{True: story.At(43), Writer: "kernel", Text: "Linux version 6.1.0"})
	m.Each(func(_ *machine.Log, l *machine.Line) {
		if !l.True.Before(story.At(43)) {
			l.Boot = 1
		}
	})
}

func foreignStories() []Written {
	return append(Variants("another host's log and exit code %d",
		func(code int) *story.Story { return abroad(42.5, code, "Error", nil) }, 1, 3, 134, 139, 143),
		Variants("another host's log of a boot and exit code %d", func(code int) *story.Story {
			return abroad(42.5, code, "Unknown", bootsAt43)
		}, 255, 137)...)
}

// Stories for clock steps: the harness runs every story under them.
func stepStories() []Written {
	return append(Variants("a liveness kill that ends with %d",
		func(code int) *story.Story { return story.Ended(42.5, code, "Error").Liveness(40) }, 137, 143, 1, 0, 3),
		append(Variants("an exit of its own with %d", func(code int) *story.Story {
			return story.Ended(42.5, code, "Error").Is("app-exit-error")
		}, 1, 3, 70),
			Written{"a fault", func() *story.Story { return story.Ended(42.5, 139, "Error").Is("app-signal") }},
			Written{"a stop through the runtime", func() *story.Story {
				return story.Ended(42.5, 143, "Error").Stop(40).Is("killed-externally")
			}},
			Written{"its memory limit", func() *story.Story {
				return story.Ended(42.5, 137, "OOMKilled").Limit().OOM(42.4, "CONSTRAINT_MEMCG",
					story.Cgroup, "web", 4711).Runtime(42.45, `msg="TaskOOM event container_id:\"`+story.OldID+`\""`).Is(
					"oom-container-limit")
			}})...)
}

func stallStories() []Written {
	return append(Variants("an upgrade's kill answered with 1, journal late by %v s", func(d float64) *story.Story {
		s := story.Ended(40.9, 1, "Error")
		s.Decided(40.1, "Container app definition changed, will be restarted").Killing(40.2).Stop(40.21)
		return s.Stalled(40, d) // nothing shows whose definition it was
	}, 3.0, 5.0, 10.0),
		Variants("a liveness kill answered with 1, journal late by %v s", func(d float64) *story.Story {
			s := story.Ended(40.9, 1, "Error").Liveness(40)
			s.Events = nil
			return s.Stalled(40.05, d)
		}, 1.5, 3.0, 5.0, 10.0)...)
}

func lateStories() []Written {
	late := func(code int) func(time.Duration) *story.Story {
		return func(by time.Duration) *story.Story {
			s := story.Ended(42.5, code, "Error")
			t := 42.5 + by.Seconds()
			s.Probed(t-0.02).Decided(t, story.LivenessText).Killing(t+0.005).Stop(t+0.01).Event(t, "Killing",
				story.LivenessText, nil)
			switch code {
			case 137:
				return s.Is("killed-externally")
			case 139, 134:
				return s.Is("app-signal")
			case 3, 1:
				return s.Is("app-exit-error")
			}
			return s // someone else's SIGTERM looks like the kubelet's
		}
	}
	var out []Written
	for _, code := range []int{137, 143, 139, 3, 0} {
		out = append(out, Variants(fmt.Sprintf("code %d, and a kill %%v after it", code),
			late(code), 50*time.Millisecond, 120*time.Millisecond, 290*time.Millisecond)...)
	}
	for _, code := range []int{137, 143, 3} {
		out = append(out, Variants(fmt.Sprintf("code %d, a preStop hook, and a kill %%v after it", code),
			func(by time.Duration) *story.Story {
				s := late(code)(by)
				s.Container["lifecycle"] = story.Object{"preStop": story.Object{"exec": story.Object{"command": []any{"sleep",
					"1"}}}}
				return s
			}, 50*time.Millisecond, 120*time.Millisecond, 290*time.Millisecond)...)
	}
	for _, code := range []int{137, 3} {
		out = append(out, Variants(fmt.Sprintf("code %d, and a kill %%v after it that the runtime does not know", code),
			func(by time.Duration) *story.Story {
				s := story.Ended(42.5, code, "Error")
				t := 42.5 + by.Seconds()
				s.Probed(t-0.02).Decided(t, story.LivenessText).Killing(t + 0.005)
				if code == 137 {
					return s.Is("killed-externally")
				}
				return s.Is("app-exit-error")
			}, 50*time.Millisecond, 290*time.Millisecond)...)
	}
	return out
}

func overflowStories() []Written {
	return Variants("a grace period of %d s, and a log that begins after the end", func(grace int64) *story.Story {
		s := story.Ended(17.3, 1, "Error")
		s.Records = false
		s.Spec["terminationGracePeriodSeconds"] = grace
		for _, log := range s.Logs {
			kept := log.Lines[:0]
			for _, l := range log.Lines {
				if l.Writer == "kernel" || l.True.After(story.At(17.3+540)) {
					kept = append(kept, l)
				}
			}
			log.Lines = kept
		}
		return s.Kubelet(560, `kubelet.go:2418] "SyncLoop ADD" source="api" pods=["ops/other"]`)
	}, 9223372036, 9223372037, 18446744073, 4611686018427387904)
}

func sharedStories() []Written {
	var out []Written
	for _, field := range []string{"shareProcessNamespace", "hostPID"} {
		out = append(out, Variants(field+" and exit code %d", func(code int) *story.Story {
			s := story.Ended(42.5, code, "Error")
			s.Spec[field] = true
			return s
		}, 1, 3, 139, 134, 143, 0)...)
	}
	return out
}
