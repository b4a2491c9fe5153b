package breaks

import (
	"fmt"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/story"
)

// outerStories are exits of a container caused by the end of what contained it, or by someone else inside.
func outerStories() []Written {
	scope, slice := "cri-containerd-"+story.OldID+".scope", "kubepods-burstable-pod"+strings.ReplaceAll(story.UID, "-",
		"_")+".slice"
	var out []Written
	for _, u := range []struct{ unit, what string }{{scope, "libcontainer container " + story.OldID},
		{slice, "libcontainer container " + slice}, {"kubepods.slice", "libcontainer container kubepods.slice"}} {
		out = append(out, Variants("systemd stops "+u.unit[:9]+"… of "+u.unit[len(u.unit)-6:]+" and code %d",
			func(code int) *story.Story {
				return story.Ended(42.5, code, "Error").StoppedUnit(40, u.unit, u.what).Is("killed-externally")
			}, 0, 1, 3, 137, 143)...)
	}
	out = append(out, Variants("a stop of the sandbox by hand and code %d", func(code int) *story.Story {
		s := story.Ended(42.5, code, "Error").Runtime(40, `msg="StopPodSandbox for \"`+story.SandboxID+`\""`).BoxEnds(42.58)
		return s.BoxAnew().Is("killed-externally")
	}, 0, 1, 2, 42, 137, 143)...)
	out = append(out, Variants("a stop of the sandbox by hand, of which only the container is left, and code %d",
		func(code int) *story.Story {
			return story.Ended(42.5, code, "Error").Runtime(40, `msg="StopPodSandbox for \"`+story.SandboxID+`\""`).Is(
				"killed-externally")
		}, 0, 1, 42, 137)...)
	for _, after := range []float64{-0.8, 0.08, 0.9} {
		out = append(out, Variants(fmt.Sprintf("a sandbox that dies %v s after the end, of itself, and code %%d", after),
			func(code int) *story.Story { return story.Ended(42.5, code, "Error").BoxEnds(42.5 + after).BoxAnew() }, 0, 1, 3,
			143)...)
	}
	out = append(out, Variants("a sandbox that dies 0.9 s after the end, in a log that breaks off before, and code %d",
		func(code int) *story.Story {
			return story.Ended(42.5, code, "Error").BoxEnds(43.4).BoxAnew().BreaksOff(43)
		}, 1, 3, 70)...)
	out = append(out, Variants("a containerd that lost a stop, was restarted, and wrote no more of it, and code %d",
		func(code int) *story.Story {
			s := story.Ended(42.5, code, "Error").Runtime(43.05, `msg="starting containerd" revision=x version="1.7.2"`)
			return s.BreaksOff(43).Is("killed-externally")
		}, 1, 3, 70)...)
	return append(out, Variants("somebody else in its process namespace, by kubectl debug, and code %d",
		func(code int) *story.Story {
			s := story.Ended(42.5, code, "Error")
			s.Spec["ephemeralContainers"] = []any{story.Object{"name": "debugger-x", "image": "busybox",
				"targetContainerName": "app"}}
			return s
		}, 1, 3, 134, 139, 143)...)
}
