package looks

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/breaks"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/story"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

const thirdID = "3333333333333333333333333333333333333333333333333333333333333333"

// Older lets the container end once more, so that the API no longer has the end of the story.
func Older(s *story.Story) *story.Story {
	s.Records, s.Truth.Restart, s.Truth.Also = false, 1, []string{"app-signal"} // the newer end
	s.Kubelet(300, `generic.go:334] "Generic (PLEG): container finished" podID="`+story.UID+`" containerID="`+story.NewID+
		`" exitCode=139`)
	for t, event := range map[float64][2]string{300: {"ContainerDied", story.NewID}, 303: {"ContainerStarted", thirdID}} {
		s.Kubelet(t, `kubelet.go:2450] "SyncLoop (PLEG): event for pod" pod="shop/web-0" event={"ID":"`+story.UID+`","Type":"`+
			event[0]+`","Data":"`+event[1]+`"}`)
	}
	s.Runtime(302, `msg="CreateContainer within sandbox \"`+story.SandboxID+
		`\" for &ContainerMetadata{Name:app,Attempt:2,} returns container id \"`+thirdID+`\""`)
	s.Runtime(302.1, `msg="StartContainer for \"`+thirdID+`\" returns successfully"`)
	// What the logs of a node have of others shows that stops and kills are logged.
	s.Kubelet(90, `util.go:30] "No ready sandbox for pod can be found. Need to start a new one" pod="ops/other"`)
	s.Kubelet(100, story.KillingLine(story.OtherUID, "ops/other", story.OtherID, 30))
	s.Runtime(100.01, `msg="StopContainer for \"`+story.OtherID+`\" with timeout 30 (s)"`)
	return s.Restatus(func(status story.Object) {
		status["containerID"], status["restartCount"] = "containerd://"+thirdID, 2
		status["state"] = story.Object{"running": story.Object{"startedAt": story.Stamp(302)}}
		status["lastState"] = story.Object{"terminated": story.Object{"exitCode": 139, "reason": "Error",
			"containerID": "containerd://" +
				story.NewID, "startedAt": story.Stamp(s.End + 3), "finishedAt": story.Stamp(300)}}
	})
}

// begin is what happened before the log begins, or its kubelet saw that the container runs.
type begin struct {
	what      string  // liveness, changed, shell, command: what ended it, at 12.3 s
	code      int     // what it ended with, at end
	end, seen float64 // seen: when the kubelet saw that it runs
	kubelet   float64 // where the kubelet's log begins, 0 for its begin
	runtime   float64
	restarted bool // the kubelet's log begins with its start
}

func (b begin) story() *story.Story {
	const at = 12.3
	s := story.Ended(b.end, b.code, map[bool]string{true: "Completed", false: "Error"}[b.code == 0])
	switch b.what {
	case "liveness":
		s.Liveness(at)
	case "changed":
		s.Decided(at-0.01, "Container app definition changed, will be restarted").Killing(at).Stop(at + 0.01)
	case "shell":
		s.Session(at, "[sh]")
	case "command":
		s.ExecEnds(at, 0)
	}
	s.Runtime(b.runtime+0.2, `msg="StopContainer for \"`+story.OtherID+`\" with timeout 30 (s)"`)
	s.Events = nil // they are older than an hour
	Seen(Older(s), b.seen, `ContainerStarted","Data":"`+story.OldID)
	Drop(s, func(l *machine.Line) bool {
		from := map[string]float64{"kubelet": b.kubelet, "containerd": b.runtime}[l.Writer]
		made := strings.Contains(l.Text, "CreateContainer") && strings.Contains(l.Text, story.OldID)
		return from > 0 && l.True.Before(story.At(from)) || made && b.what != "liveness" && b.what != "changed"
	})
	if b.restarted {
		s.Kubelet(b.kubelet, `flags.go:64] FLAG: --v="2"`).Kubelet(b.kubelet+0.01, `server.go:491] "Kubelet version" `+
			`kubeletVersion="`+s.Version+`"`)
	}
	if b.what == "liveness" && b.code == 137 {
		return s.Is("liveness-probe-failed")
	}
	return s.Is(story.Undecided)
}

// Begin draws one of these, and says which.
func Begin(r *rand.Rand) (*story.Story, string) {
	b := begin{what: []string{"liveness", "changed", "shell", "command"}[r.IntN(4)],
		code: []int{3, 0, 1, 143, 137}[r.IntN(5)]}
	b.kubelet = 12.5 + 10*r.Float64()
	b.seen = b.kubelet + 0.2 + 15*r.Float64()
	b.end = b.seen + 0.5 + 15*r.Float64()
	switch r.IntN(4) {
	case 0:
		b.runtime = b.kubelet
	case 1:
		b.runtime = 12.35 + 10*r.Float64()
	}
	b.restarted = r.IntN(2) == 0
	if kill := b.what == "liveness" || b.what == "changed"; kill && b.code == 137 {
		b.end, b.seen = 42.35, min(b.seen, 41)
	} else if !kill && r.IntN(2) == 0 {
		b.kubelet, b.restarted = 0, false // a busy node, on which every look is late
	}
	return b.story(), fmt.Sprintf("%+v", b)
}

// beginStories are ends whose reason is older than what the logs, and the kubelet's first look, have.
func beginStories() []breaks.Written {
	var out []breaks.Written
	for name, b := range map[string]begin{
		"a kill before a kubelet's log that begins before its late look":        {"changed", 137, 42.35, 20, 15, 0, false},
		"a kill before both logs, which begin before a late look":               {"changed", 3, 30, 20, 15, 15, false},
		"a kill by the kubelet before, whose successor's start lines are lost":  {"liveness", 3, 30, 21.5, 21, 21, false},
		"a kill by the kubelet before, and a first relist 12 s after the start": {"liveness", 3, 40, 32, 20, 20, true},
		"a shell before the first relist, 12 s after the kubelet's start":       {"shell", 3, 50, 32, 20, 0, true},
		"a command before a late look":                                          {"command", 3, 30, 20, 0, 0, false},
		"a shell before a late look":                                            {"shell", 3, 30, 20, 0, 0, false},
	} {
		out = append(out, breaks.Written{Name: name, Story: b.story})
	}
	// Docker and containerd retry what hangs, so that a stop takes minutes.
	return append(out, breaks.Variants("a stop that takes %v s, of whose begin the kubelet's log has lost the line",
		func(long float64) *story.Story {
			s := story.Ended(40+long, 137, "Error").Killing(40).Stop(40.01)
			s.Kubelet(46, `util.go:30] "No ready sandbox for pod can be found. Need to start a new one" pod="ops/other"`)
			s.Kubelet(47, story.KillingLine(story.OtherUID, "ops/other", story.OtherID, 30))
			return Drop(s, func(l *machine.Line) bool { return l.Writer == "kubelet" && l.True.Before(story.At(45)) })
		}, 75.0, 150.0, 300.0)...)
}
