package mention

import (
	"regexp"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/naming"
)

// This file gives what a person says of no pod by name to the few pods that restarted.

// ofEach replaces the one end of a sentence that names no pod by an end of each pod that restarted, where nothing else
// is said of any of them.
func (t *Text) ofEach(ends []*end) []*end {
	at, rows := -1, t.restarted()
	for i, e := range ends {
		switch {
		case e.prose && e.Pod == evidence.Unnamed && at < 0:
			at = i
		case e.ended != "" || e.code != nil:
			return ends
		}
	}
	if at < 0 || len(rows) == 0 {
		return ends
	}
	said, out := ends[at], slices.Delete(slices.Clone(ends), at, at+1)
	ofOne := func(n naming.Names) bool { return strings.HasPrefix(n.Pod, said.Container+"-") }
	only := slices.ContainsFunc(rows, ofOne) // the others have no such container
	for _, n := range rows {
		if only && !ofOne(n) {
			continue
		}
		own := slices.IndexFunc(out, func(e *end) bool { return e.Pod == n.Pod })
		if own >= 0 {
			out[own].fill(said)
			continue
		}
		e := *said
		e.Names = n.Beside(said.Names)
		out = append(out, &e)
	}
	return out
}

// withoutRepeats drops the end of a sentence that names no pod, where an end of one has the same exit code: Compose has
// the service that a sentence names in the name of its container.
func withoutRepeats(ends []*end) []*end {
	return slices.DeleteFunc(ends, func(e *end) bool {
		return e.prose && e.code != nil && e.other == 0 && slices.ContainsFunc(ends, func(named *end) bool {
			return named != e && named.code != nil && *named.code == *e.code &&
				named.Pod != evidence.Unnamed && (e.Pod == evidence.Unnamed || named.Pod == named.Container) &&
				(e.Container == evidence.Unnamed || strings.Contains(named.Container, e.Container))
		})
	})
}

// mostRestarted is how many pods a sentence may be about that names none.
const mostRestarted = 5

// restartedRow matches a row of kubectl get pods with restarts and no reason.
var restartedRow = regexp.MustCompile(
	`^(?:([a-z0-9-]+)\s+)?([a-z0-9][a-z0-9.-]*)\s+\d+/\d+\s+(?:Running|CrashLoopBackOff)\s+[1-9]\d*\b`)

// restarted returns the few pods that restarted, in tables that say nothing else of them.
func (t *Text) restarted() (pods []naming.Names) {
	for i := range t.lines {
		if m := restartedRow.FindStringSubmatch(t.lines[i].text); m != nil && !strings.HasPrefix(m[1], "kube-") {
			if n := (naming.Names{Namespace: m[1], Pod: m[2]}); !slices.Contains(pods, n) {
				pods = append(pods, n)
			}
		}
	}
	if len(pods) > mostRestarted {
		return nil
	}
	return pods
}
