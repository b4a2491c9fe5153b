package score

import (
	"regexp"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// endsOf returns the items that a truth may be about, the oldest first.
//
// The end of a pod is the end of its containers, and a report has one or the other: if the API server had recorded no
// containers yet, there is one item without a container. So each replaces the other if its own items are missing. If
// silence is right nothing replaces it: that would invent an end.
func endsOf(t Truth, items []report.Item) []*report.Item {
	own := pick(t, items, func(container string) bool { return container == t.Container })
	switch {
	case len(own) > 0 || t.Container != "" && t.mayPass():
		return own
	case t.Container != "":
		return pick(t, items, func(container string) bool { return container == "" || container == evidence.Unnamed })
	}
	// Earlier exits of its containers are not the pod's end.
	any := pick(t, items, func(string) bool { return true })
	return any[max(len(any)-1, 0):]
}

func pick(t Truth, items []report.Item, want func(container string) bool) []*report.Item {
	var out []*report.Item
	for i := len(items) - 1; i >= 0; i-- {
		if it := &items[i]; t.of(it) && want(it.Container) {
			out = append(out, it)
		}
	}
	return out
}

// of reports whether an item is about the truth's pod, by the names that the evidence has. A pod without a name may
// have a UID there, or beside an empty name: a kernel's log has no other, and some lines of a kubelet.
func (t Truth) of(it *report.Item) bool {
	namespace, pod, _ := strings.Cut(t.Pod, "/")
	return (it.Namespace == namespace || slices.Contains(t.Untold, namespace)) &&
		(it.Pod == pod || slices.Contains(t.Untold, pod) && (it.Pod == "" || it.Pod == evidence.Unnamed ||
			uid.MatchString(it.Pod) ||
			t.Called && !t.mayPass() && strings.HasPrefix(it.PodUID, evidence.Mentioned)))
}

var uid = regexp.MustCompile(`^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)
