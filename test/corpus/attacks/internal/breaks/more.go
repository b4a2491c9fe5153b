package breaks

import (
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/story"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

// moreStories are attacks of other kinds on the same weak points: identity, silence, order, authority.
func moreStories() []Written {
	out := Variants("two machines of one name in one journal, and the own one's part ends at %v s",
		func(until float64) *story.Story {
			s := quiet().Without(func(l *machine.Line) bool { return l.Writer != "kernel" && l.True.After(story.At(until)) })
			s.Truth.Cause = story.Undecided
			s.Records = false
			s.Forms = []machine.Form{machine.Journal}
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
			s.ToldBoot = s.Boots[0]
			return s
		}, 10.0, 39.0, 40.05)
	out = append(out, Variants("an exit with %d in the second of a kill, and no log of the runtime",
		func(code int) *story.Story {
			s := story.Ended(42.1, code, "Error").Probed(42.7).Decided(42.75, story.LivenessText).Killing(42.8)
			s.Records = false
			s.Logs = []*machine.Log{s.Log("kubelet"), s.Log("kernel")}
			if code == 137 {
				return s.Is("killed-externally")
			}
			return s
		}, 3, 143, 137, 0)...)
	out = append(out, Variants("an event of a kill %v s after the start, which was the instance's before",
		func(t float64) *story.Story {
			s := story.Ended(42.5, 137, "Error").Event(2+t, "Killing", story.LivenessText, nil).Is("killed-externally")
			s.Container["livenessProbe"] = story.Object{"httpGet": story.Object{"path": "/", "port": 8080},
				"periodSeconds": 10, "failureThreshold": 1}
			s.Records, s.Logs, s.Forms = false, nil, []machine.Form{machine.Text}
			return s
		}, 0.0, 0.5, 1.0)...)
	out = append(out, Variants("somebody's stop %v s before the kubelet's", func(before float64) *story.Story {
		s := story.Ended(40.6, 143, "Error").Liveness(40).Stop(40.2 - before)
		s.Truth.Cause = story.Undecided // either SIGTERM may have ended it
		return s
	}, 0.05, 0.3, 1.0, 2.5)...)
	out = append(out, Variants("a kill of the whole pod with code %d, and a forged event that it was its probe",
		func(code int) *story.Story {
			s := story.Ended(42.5, code, "Error").Decided(40.1, "Stopping container app").Killing(40.2).Stop(40.21).Event(40,
				"Killing", story.LivenessText, nil)
			s.Container["livenessProbe"] = story.Object{"httpGet": story.Object{"path": "/", "port": 8080}, "periodSeconds": 10,
				"failureThreshold": 1}
			return s
		}, 137, 143, 0)...)
	return out
}
