package apart

import (
	"fmt"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/breaks"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/story"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

// Succeeded lets another kubelet, of the given version, take over at one time and kill because of a changed definition
// at another.
func Succeeded(s *story.Story, version string, from, kill float64) *story.Story {
	s.Kubelet(from, `flags.go:64] FLAG: --v="2"`).Kubelet(from+0.01, `server.go:491] "Kubelet version" kubeletVersion="`+
		version+`"`)
	s.Each(func(_ *machine.Log, l *machine.Line) {
		if l.Writer == "kubelet" && !l.True.Before(story.At(from)) {
			l.PID, l.Text = 180, strings.Replace(l.Text, "     80 ", "    180 ", 1)
		}
	})
	s.Version = version
	own := func(t float64, text string) {
		s.Line(t, machine.Line{Writer: "kubelet", Unit: "kubelet.service", PID: 180,
			Text: strings.Replace(story.Klog(t, text), "     80 ", "    180 ", 1)})
	}
	const changed = "Container app definition changed, will be restarted"
	own(kill-0.1, story.DecidedLine("shop/web-0", story.OldID, changed))
	own(kill, story.KillingLine(story.UID, "shop/web-0", story.OldID, 30))
	return s.Stop(kill+0.01).Event(kill-0.1, "Killing", changed, nil)
}

// makerStories are kills because of a changed definition by a kubelet that started within moments of what it kills.
func makerStories() []breaks.Written {
	var out []breaks.Written
	// The kubelet before requests the container at 1.9 s; it starts at 2 s.
	for _, version := range []string{"v1.31.2", "v1.37.1"} {
		for _, records := range []bool{true, false} {
			out = append(out, breaks.Variants(fmt.Sprintf("a kubelet %s that starts %%v s after what its predecessor made, records %v",
				version, records), func(after float64) *story.Story {
				s := Succeeded(story.Ended(12.5, 143, "Error"), version, 2+after, 10)
				s.Records = records
				return s.Plainly("hash-kubelet-upgrade")
			}, -0.05, 0.3, 1.5, 6.0)...)
		}
		out = append(out, breaks.Variants("an edit under a kubelet "+version+" that has just started, code %d",
			func(code int) *story.Story {
				s := Succeeded(story.Ended(62.5, code, "Error"), version, -8, 60)
				s.Records = false
				return s.SetImage(59).Is("spec-image-changed")
			}, 143, 0)...)
	}
	return out
}
