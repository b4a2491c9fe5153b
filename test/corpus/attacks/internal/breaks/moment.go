package breaks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/story"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

// momentStories are exits within moments of a stop, so that the order decides.
func momentStories() []Written {
	var out []Written
	for _, after := range []float64{0.04, 0.15, 0.25} {
		out = append(out, Variants(fmt.Sprintf("a request to stop it by hand, %v s after an end with %%d", after),
			func(code int) *story.Story {
				s := story.Ended(42.5, code, "Error").Stop(42.5 + after)
				if code == 139 {
					return s.Is("app-signal")
				}
				return s.Is("app-exit-error")
			}, 1, 3, 137, 139)...)
		out = append(out, Variants(fmt.Sprintf("a decision to kill before an end with %%d, and the kill %v s behind",
			after),
			func(code int) *story.Story {
				s := story.Ended(42.5, code, "Error").Liveness(42.3 + after).Is("app-exit-error")
				return s.Without(story.Has("StopContainer", "TaskExit"))
			}, 1, 3)...)
	}
	out = append(out, Variants("systemd stops its unit %v s before an end that the runtime tells in the next second",
		func(before float64) *story.Story {
			s := story.Ended(42.99, 3, "Error").StoppedUnit(42.99-before, "cri-containerd-"+story.OldID+".scope",
				"libcontainer container "+story.OldID)
			s.Records = false
			return s.Is("killed-externally")
		}, 0.03, 0.2, 0.9)...)
	out = append(out, Variants("a SIGKILL from the node %v s before a kill with a grace period of 2 s is over",
		func(before float64) *story.Story {
			s := story.Ended(42.215-before, 137, "Error").Liveness(40).Is("killed-externally")
			s.Spec["terminationGracePeriodSeconds"] = 2
			s.Each(func(_ *machine.Log, l *machine.Line) {
				l.Text = strings.NewReplacer("gracePeriod=30", "gracePeriod=2", "timeout 30 (s)", "timeout 2 (s)").Replace(l.Text)
			})
			return s
		}, 0.4, 0.7, 0.95)...)
	out = append(out, Variants("a kubelet that is gone %v s behind its kill, and with it the last block of its log",
		func(after float64) *story.Story {
			s, began := story.Ended(42.5, 143, "Error").Liveness(40), 40.21+after
			for _, log := range s.Logs { // lines that were never written have no number
				log.Lines = slices.DeleteFunc(log.Lines, func(l machine.Line) bool {
					return l.Writer == "kubelet" && l.True.After(story.At(15)) && l.True.Before(story.At(began))
				})
			}
			s.Events = nil
			return s.Kubelet(began, `flags.go:64] FLAG: --v="2"`).Kubelet(began+0.01,
				`server.go:491] "Kubelet version" kubeletVersion="v1.30.14"`)
		}, 0.1, 1, 2.25)...)
	return append(out, Variants("a request to stop it by hand, %v s before the kubelet's own at the same moment",
		func(before float64) *story.Story {
			return story.Ended(42.5, 143, "Error").Liveness(42).Stop(42.21 - before).Is("killed-externally")
		}, 0.005, 0.012)...)
}
