package main

import (
	"fmt"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

// secondBox is the sandbox that the kubelet makes when the first is gone.
const secondBox = "6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b"

// boxAnew puts the second instance into another sandbox, which the kubelet makes because the first is not ready.
func (s *story) boxAnew() *story {
	s.records = false
	s.Each(func(_ *machine.Log, l *machine.Line) {
		if strings.Contains(l.Text, newID) {
			l.Text = strings.ReplaceAll(l.Text, box, secondBox)
		}
	})
	s.runtime(s.end+2.5, `msg="RunPodSandbox for &PodSandboxMetadata{Name:web-0,Uid:`+
		uid+`,Namespace:shop,Attempt:1,} returns sandbox id \"`+secondBox+`\""`)
	s.kubelet(s.end+0.9, `util.go:30] "No ready sandbox for pod can be found. Need to start a new one" pod="shop/web-0"`)
	return s.event(s.end+0.9, "SandboxChanged", "Pod sandbox changed, it will be killed and re-created.", nil)
}

// boxEnds is the runtime's line that the sandbox's own process is gone.
func (s *story) boxEnds(t float64) *story {
	return s.runtime(t,
		fmt.Sprintf(
			`msg="TaskExit event in podsandbox handler container_id:\"%s\" id:\"%s\" pid:4700 exit_status:137 exited_at:{seconds:%d}"`,
			box, box, at(t).Unix()))
}

// stoppedUnit is what systemd says of a unit that someone told it to stop.
func (s *story) stoppedUnit(t float64, unit, what string) *story {
	for i, text := range []string{"Stopping " + unit + " - " + what + "...", "Stopped " + unit + " - " + what + "."} {
		s.line(t+float64(i)*(s.end+0.1-t), machine.Line{Writer: "systemd", Unit: "init.scope", PID: 1, Text: text,
			Fields: map[string]string{"UNIT": unit}})
	}
	return s
}

// breaksOff leaves nothing of the runtime's log behind a moment.
func (s *story) breaksOff(t float64) *story {
	return s.without(func(l *machine.Line) bool { return l.Writer == "containerd" && l.True.After(at(t)) })
}

// outerStories are ends of a container that came with the end of what it lived in, or by whoever was in there with it.
func outerStories() []written {
	scope, slice := "cri-containerd-"+oldID+".scope", "kubepods-burstable-pod"+strings.ReplaceAll(uid, "-", "_")+".slice"
	var out []written
	for _, u := range []struct{ unit, what string }{{scope, "libcontainer container " + oldID},
		{slice, "libcontainer container " + slice}, {"kubepods.slice", "libcontainer container kubepods.slice"}} {
		out = append(out, variants("systemd stops "+u.unit[:9]+"… of "+u.unit[len(u.unit)-6:]+" and code %d",
			func(code int) *story {
				return ended(42.5, code, "Error").stoppedUnit(40, u.unit, u.what).is("killed-externally")
			}, 0, 1, 3, 137, 143)...)
	}
	out = append(out, variants("a stop of the sandbox by hand and code %d", func(code int) *story {
		s := ended(42.5, code, "Error").runtime(40, `msg="StopPodSandbox for \"`+box+`\""`).boxEnds(42.58)
		return s.boxAnew().is("killed-externally")
	}, 0, 1, 2, 42, 137, 143)...)
	out = append(out, variants("a stop of the sandbox by hand, of which only the container is left, and code %d",
		func(code int) *story {
			return ended(42.5, code, "Error").runtime(40, `msg="StopPodSandbox for \"`+box+`\""`).is("killed-externally")
		}, 0, 1, 42, 137)...)
	for _, after := range []float64{-0.8, 0.08, 0.9} {
		out = append(out, variants(fmt.Sprintf("a sandbox that dies %v s after the end, of itself, and code %%d", after),
			func(code int) *story { return ended(42.5, code, "Error").boxEnds(42.5 + after).boxAnew() }, 0, 1, 3, 143)...)
	}
	out = append(out, variants("a sandbox that dies 0.9 s after the end, in a log that breaks off before, and code %d",
		func(code int) *story { return ended(42.5, code, "Error").boxEnds(43.4).boxAnew().breaksOff(43) }, 1, 3, 70)...)
	out = append(out, variants("a containerd that lost a stop, was restarted, and wrote no more of it, and code %d",
		func(code int) *story {
			s := ended(42.5, code, "Error").runtime(43.05, `msg="starting containerd" revision=x version="1.7.2"`)
			return s.breaksOff(43).is("killed-externally")
		}, 1, 3, 70)...)
	return append(out, variants("somebody else in its process namespace, by kubectl debug, and code %d",
		func(code int) *story {
			s := ended(42.5, code, "Error")
			s.spec["ephemeralContainers"] = []any{object{"name": "debugger-x", "image": "busybox", "targetContainerName": "app"}}
			return s
		}, 1, 3, 134, 139, 143)...)
}
