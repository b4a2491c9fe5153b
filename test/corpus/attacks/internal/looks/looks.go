// Package looks has stories of what a kubelet sees late, or begins to see late: a relist that was stuck, and the start
// of a container that only a later look tells; of what it tells late, again or not at all; and of what it is made to
// print. They have the same form as those of package breaks.
package looks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/breaks"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/story"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

// All returns the stories by class.
func All() map[string][]breaks.Written {
	return map[string][]breaks.Written{"late relist": relistStories(), "begin": beginStories(),
		"reopened": outputStories(), "told": toldStories()}
}

// Seen moves the kubelet's lines about a container to the moment at which its relist saw it.
func Seen(s *story.Story, at float64, words ...string) *story.Story {
	s.Each(func(_ *machine.Log, l *machine.Line) {
		if l.Writer == "kubelet" && strings.Contains(l.Text, "(PLEG)") && story.Has(words...)(l) {
			late := story.At(at).Sub(l.True)
			l.True, l.Text = l.True.Add(late), machine.Stamped(l.Text, late)
		}
	})
	return s
}

// relistStories are ends of several containers at one moment, which the kubelet sees long after it; meanwhile it kills
// what no longer lives, as its probe gets no answer or somebody deletes its pod.
func relistStories() []breaks.Written {
	var out []breaks.Written
	for _, seen := range []float64{57, 65, 90} {
		for _, others := range []int{0, 1, 2} {
			out = append(out, breaks.Variants(fmt.Sprintf("seen %v s later, with %d others, and killed for its probe, code %%d",
				seen-42, others), func(code int) *story.Story {
				s := wave(code, seen, others)
				s.Probed(53).Decided(53.1, story.LivenessText).Killing(53.2)
				return s.Event(53, "Killing", story.LivenessText, nil)
			}, 3, 0, 137, 143, 139)...)
			out = append(out, breaks.Variants(fmt.Sprintf("seen %v s later, with %d others, and deleted, code %%d", seen-42, others),
				func(code int) *story.Story {
					s := wave(code, seen, others)
					s.Kubelet(53, `kubelet.go:2430] "SyncLoop DELETE" source="api" pods=["shop/web-0"]`).Killing(53.2)
					return s.Last(func(pod story.Object) {
						m := pod["metadata"].(story.Object)
						m["deletionTimestamp"], m["deletionGracePeriodSeconds"] = story.Stamp(83), 30
					})
				}, 3, 0, 137)...)
		}
	}
	return out
}

// wave is an end at 42 s that the kubelet's relist shows at a later moment, together with those of other containers.
func wave(code int, seen float64, others int) *story.Story {
	s := story.Ended(42, code, map[bool]string{true: "Completed", false: "Error"}[code == 0])
	Seen(s, seen, story.OldID)
	Seen(s, seen+0.002, story.NewID)
	// The start of the old one was seen in time: that is one look that was not late, and most logs have lost it.
	Drop(s, func(l *machine.Line) bool { return story.Has("ContainerStarted")(l) && story.Has(story.OldID)(l) })
	s.Records = false
	s.Kubelet(seen-5, `kubelet.go:2410] "Skipping pod synchronization" err="PLEG is not healthy: pleg was last seen `+
		`active 3m0.5s ago; threshold is 3m0s"`)
	for i := range others {
		uid, id := other(i)
		s.Kubelet(seen, fmt.Sprintf(`generic.go:334] "Generic (PLEG): container finished" podID=%q containerID=%q exitCode=1`,
			uid, id))
		s.Kubelet(seen+0.001, fmt.Sprintf(`kubelet.go:2450] "SyncLoop (PLEG): event for pod" pod="ops/other-%d" event={"ID":%q,`+
			`"Type":"ContainerDied","Data":%q}`, i, uid, id))
		s.Cluster = append(s.Cluster, pod(story.Node, i, story.At(2), story.At(42)))
	}
	Drop(s, func(l *machine.Line) bool { return l.Writer == "containerd" })
	return s
}

// Drop removes lines that the log never had, so that nothing shows a hole.
func Drop(s *story.Story, of func(*machine.Line) bool) *story.Story {
	for _, l := range s.Logs {
		l.Lines = slices.DeleteFunc(l.Lines, func(l machine.Line) bool { return of(&l) })
	}
	return s
}
