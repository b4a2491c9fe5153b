// Package tableage dates the events of tables that kubectl printed. A table has ages, counted from when it was printed,
// but its file's time is often that of a copy. A pod next to it has the start times of its containers, and the table
// has the same starts as ages.
//
// It imports what describes events and tables, and no reader of files. What an event means never enters.
package tableage

import (
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/describe"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/kubeletmsg"
)

// Keep keeps the annotations of an event that say its times were computed from ages.
func Keep(kept, e *corev1.Event) {
	if table, width := e.Annotations[describe.TableOf], e.Annotations[describe.WidthOf]; table != "" && width != "" {
		kept.Annotations = map[string]string{describe.TableOf: table, describe.WidthOf: width}
	}
}

// pair is one start in the table and in the pod.
type pair struct {
	shift time.Duration // from the table's time to the pod's
	width time.Duration // the precision of the table's age
}

// Date moves the events of each table to the clock of the pods next to it. Rows without a namespace get that of the
// pods which the table names: kubectl prints either one namespace, or a column of them.
func Date(events []*corev1.Event, beside []*corev1.Pod) {
	tables := map[string][]*corev1.Event{}
	for _, e := range events {
		if t := e.Annotations[describe.TableOf]; t != "" {
			tables[t] = append(tables[t], e)
		}
	}
	if len(tables) == 0 {
		return
	}
	pods := map[string][]*corev1.Pod{} // by name
	for _, pod := range beside {
		pods[pod.Name] = append(pods[pod.Name], pod)
	}
	for name, of := range pods {
		pods[name] = bestKnown(of)
	}
	for _, events := range tables {
		place(events, pods)
		if shift, ok := shiftOf(pairs(events, pods)); ok {
			for _, e := range events {
				e.FirstTimestamp, e.LastTimestamp = moved(e.FirstTimestamp, shift), moved(e.LastTimestamp, shift)
			}
		}
		for _, e := range events {
			if width := widthOf(e); width > time.Second {
				refine(e, width, pods[e.InvolvedObject.Name])
			}
		}
		for _, e := range events {
			e.Annotations = nil
		}
	}
}

// bestKnown leaves out rows and descriptions of a pod whose object, or description, is there, too.
func bestKnown(of []*corev1.Pod) []*corev1.Pod {
	for _, worse := range []string{evidence.Row, evidence.Described} {
		rest := slices.DeleteFunc(slices.Clone(of), func(pod *corev1.Pod) bool {
			return strings.HasPrefix(string(pod.UID), worse)
		})
		if len(rest) > 0 {
			of = rest
		}
	}
	return of
}

func moved(t metav1.Time, by time.Duration) metav1.Time {
	if t.IsZero() {
		return t
	}
	return metav1.NewTime(t.Add(by))
}

// place sets the missing namespace of pods' events to the one of all pods that the table and the objects both name.
func place(events []*corev1.Event, pods map[string][]*corev1.Pod) {
	found := ""
	for _, e := range events {
		if e.InvolvedObject.Kind != "Pod" {
			continue
		}
		if e.InvolvedObject.Namespace != "" {
			return
		}
		for _, pod := range pods[e.InvolvedObject.Name] {
			if found != "" && found != pod.Namespace {
				return
			}
			found = pod.Namespace
		}
	}
	for _, e := range events {
		if e.InvolvedObject.Kind == "Pod" {
			e.InvolvedObject.Namespace, e.Namespace = found, found
		}
	}
}

// starting are the events of a start, and killing those of a kill, which precedes an end.
var starting, killing = []string{"Started", "Created", "Pulled"}, []string{"Killing"}

// pairs finds the newest start of each container in both. The start's own event may be missing, because a kubelet
// limits the events per pod, so the events right before it count too; without any, the newest kill is used.
func pairs(events []*corev1.Event, pods map[string][]*corev1.Pod) []pair {
	if all := pairsOf(starting, startOf, events, pods); len(all) > 0 {
		return all
	}
	return pairsOf(killing, func(pod *corev1.Pod, name string) time.Time {
		at, _ := endOf(pod, name)
		return at
	}, events, pods)
}

func pairsOf(reasons []string, timeOf func(*corev1.Pod, string) time.Time, events []*corev1.Event,
	pods map[string][]*corev1.Pod) (all []pair) {
	newest := map[[2]string]*corev1.Event{} // by pod and container
	for _, e := range events {
		if e.InvolvedObject.Kind != "Pod" || !slices.Contains(reasons, e.Reason) {
			continue
		}
		key := [2]string{e.InvolvedObject.Name, kubeletmsg.ContainerOf(e.InvolvedObject.FieldPath)}
		if have := newest[key]; have == nil || have.LastTimestamp.Time.Before(e.LastTimestamp.Time) {
			newest[key] = e
		}
	}
	for key, e := range newest {
		of := pods[key[0]]
		if len(of) != 1 || e.InvolvedObject.Namespace != of[0].Namespace {
			continue
		}
		if at := timeOf(of[0], key[1]); !at.IsZero() {
			all = append(all, pair{at.Sub(e.LastTimestamp.Time), widthOf(e)})
		}
	}
	return all
}

// widthOf is the precision of an event's age.
func widthOf(e *corev1.Event) time.Duration {
	width, err := time.ParseDuration(e.Annotations[describe.WidthOf])
	if err != nil {
		return 0
	}
	return width
}

// refine dates an event whose age is only known to minutes or worse by what its pod says about that time: a kill by the
// end, a start by the start. An event from the node gets its earliest possible time.
func refine(e *corev1.Event, width time.Duration, of []*corev1.Pod) {
	at := e.LastTimestamp.Time
	within := func(t time.Time) bool {
		return !t.IsZero() && !t.Before(at.Add(-width-sameStart)) && !t.After(at.Add(sameStart))
	}
	set := func(t time.Time) {
		if e.FirstTimestamp.Equal(&e.LastTimestamp) {
			e.FirstTimestamp = metav1.NewTime(t)
		}
		e.LastTimestamp = metav1.NewTime(t)
	}
	if e.InvolvedObject.Kind == "Node" {
		set(at.Add(-width))
		return
	}
	if len(of) != 1 || of[0].Namespace != e.InvolvedObject.Namespace {
		return
	}
	container := kubeletmsg.ContainerOf(e.InvolvedObject.FieldPath)
	switch e.Reason {
	case "Killing", "SandboxChanged", "Unhealthy", "Evicted", "Preempted", "Preempting", "TaintManagerEviction",
		evidence.DeviceTaintEviction,
		"NodeShutdown", "EvictedByVPA", "FailedPreStopHook", "ExceededGracePeriod",
		"DeadlineExceeded": // before an end, or at it
		if end, began := endOf(of[0], container); within(end) && !within(began) { // else it may be of the one before
			set(end)
		}
	case "Started", "Created", "Pulled":
		start := startOf(of[0], container)
		if _, before := endOf(of[0], container); !within(start) {
			start = before // of the instance that ended last
		}
		if within(start) {
			set(start)
		}
	}
}

// endOf is the newest end of a container, and when that instance had begun; of any container of the pod where the event
// or a row of a table names none.
func endOf(pod *corev1.Pod, name string) (at, began time.Time) {
	for _, list := range [][]corev1.ContainerStatus{pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses} {
		for i := range list {
			s := &list[i]
			for _, t := range []*corev1.ContainerStateTerminated{s.State.Terminated, s.LastTerminationState.Terminated} {
				if (s.Name == name || name == "" || s.Name == evidence.Unnamed) && t != nil && t.FinishedAt.After(at) {
					at, began = t.FinishedAt.Time, t.StartedAt.Time
				}
			}
		}
	}
	return at, began
}

// startOf is the newest start of a container; of the only one where the event names none.
func startOf(pod *corev1.Pod, name string) (at time.Time) {
	if name == "" && len(pod.Status.ContainerStatuses) > 1 {
		return at
	}
	all := slices.Concat(pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses,
		pod.Status.EphemeralContainerStatuses)
	for i := range all {
		switch s := &all[i]; {
		case s.Name != name && name != "":
		case s.State.Running != nil:
			at = s.State.Running.StartedAt.Time
		case s.State.Terminated != nil:
			at = s.State.Terminated.StartedAt.Time
		case s.LastTerminationState.Terminated != nil:
			at = s.LastTerminationState.Terminated.StartedAt.Time
		}
	}
	if at.Unix() <= 0 { // of one that could not be started it is 1970
		return time.Time{}
	}
	return at.UTC()
}

const (
	// sameStart is the maximum difference between the event of a start and the runtime's time of it.
	sameStart = 2 * time.Second
	// saved is the maximum age of a table when its own printer saved it to the file; beyond copied, the file must be a
	// copy. In between, the pod may have been restarted before the table was printed.
	saved, copied = 2 * time.Minute, time.Hour
)

// shiftOf is how long before its file's time a table was printed, as a negative duration; false where that is unknown.
func shiftOf(all []pair) (time.Duration, bool) {
	var first pair // the table's newest start: if the event of a later one is missing, the table looks younger
	for _, p := range all {
		if p.shift < first.shift {
			first = p
		}
	}
	if first.shift >= -sameStart/2 {
		return 0, false
	}
	agree := 0
	for _, p := range all {
		if (p.shift - first.shift).Abs() <= sameStart+max(p.width, first.width) {
			agree++
		}
	}
	shift := first.shift
	if first.width > time.Second { // ages are truncated: the table may be younger by the precision
		shift += first.width
	}
	return shift, shift < 0 && (agree > 1 || first.shift > -saved || first.shift < -copied)
}
