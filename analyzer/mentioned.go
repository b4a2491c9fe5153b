package analyzer

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/history"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// build reads a snapshot into a timeline.
func build(s *evidence.Snapshot) *timeline.History {
	t := history.Build(s)
	if s.Mentioned != nil {
		t = withMentioned(s, t)
	}
	nameVictims(t)
	endedWithNodes(t)
	return t
}

// withMentioned adds what texts by unknown authors say (evidence.Mentioned). It counts only for pods that are in no
// item otherwise.
func withMentioned(s *evidence.Snapshot, t *timeline.History) *timeline.History {
	words := rowsFilled(s, t)
	ends := unanswered(s, t)
	for uid := range ends {
		if _, filled := words[uid]; !filled {
			words[uid] = "" // no row
		}
	}
	all := s
	if len(words) > 0 {
		all = with(s, words, ends)
	}
	if more := explained(s, t); len(more) > 0 {
		all = all.Plus(more)
	}
	if all != s {
		t = history.Build(all)
		if lost := unfounded(words, t); len(lost) > 0 && len(lost) == len(words) {
			t = history.Build(s.With(lost))
		}
		restarted(t, ends)
	}
	t.Said = saidBeside(s, len(t.Restarts) == 1)
	nameUnnamed(meantPod(s.Mentioned), t)
	nameKilled(meantPod(s.Mentioned), t)
	return t
}

// unfounded returns the mentioned pods of whose ends nothing came, as other evidence shows a pod of that name that
// runs: the text is of a pod without a name.
func unfounded(words map[string]string, t *timeline.History) map[string]string {
	lost := map[string]string{}
	for uid, row := range words {
		of := func(r *timeline.Restart) bool { return r.PodUID == uid }
		if row == "" && !slices.ContainsFunc(t.Restarts, of) {
			lost[uid] = evidence.Unnamed
		}
	}
	return lost
}

// saidBeside returns what texts say of ends, by their pods: who shows an end by other evidence says it of that. A
// reason is of the pod that they name, or of the only end.
func saidBeside(s *evidence.Snapshot, one bool) map[timeline.PodName]string {
	said := map[timeline.PodName]string{}
	for i := range s.Mentioned.Observations {
		o := &s.Mentioned.Observations[i]
		rec, ok := o.Fact.(evidence.ContainerRecord)
		pod := timeline.PodName{Namespace: o.Subject.Namespace, Pod: o.Subject.Pod}
		if pod.Namespace == "" || pod.Pod == evidence.Unnamed {
			pod.Namespace = evidence.UsualNamespace(pod.Pod)
		}
		if ok && rec.State != evidence.StateWaiting && said[pod] == "" {
			said[pod] = rec.Message.String()
			if rec.Reason != "" && (one || pod.Pod != evidence.Unnamed) {
				said[pod] = rec.Reason + ": " + said[pod]
			}
		}
	}
	return said
}

// rowsFilled returns the UIDs of mentioned pods whose text says how the containers of a table row ended, with the row's
// UID: a row counts ends and does not explain them. The row is the one with the name in the text, or with a name that
// begins so; a text without a name belongs to the only such row, or to the only one that is not healthy now. Evidence
// from nodes takes precedence.
func rowsFilled(s *evidence.Snapshot, t *timeline.History) map[string]string {
	words, bare, unknown := map[string]string{}, map[string]*timeline.Restart{}, map[string]*timeline.Restart{}
	for i := range s.Observations {
		if o := &s.Observations[i]; o.Subject.Pod == "" && !o.Time.IsZero() && !withoutCode(o) {
			return words
		}
	}
	for _, r := range t.Restarts {
		if bareRow(r) {
			bare[r.PodUID] = r
		}
	}
	for _, r := range t.Restarts {
		if r.From.Reason == "ContainerStatusUnknown" && bare[r.PodUID] != nil {
			unknown[r.PodUID] = r // it represents whatever ended the pod
		}
		if r.From.ExitCode != nil || r.From.Reason != "" || r.Pod != nil && !r.Pod.DeletedAt.IsZero() {
			delete(bare, r.PodUID)
		}
	}
	for uid, name := range s.MentionedPods() {
		if !s.TellsOfEnd(uid) {
			continue
		}
		var fits, unwell []string
		for row, r := range bare {
			if r.PodName == name || name == evidence.Unnamed || strings.HasPrefix(r.PodName, name+"-") {
				fits = append(fits, row)
				if r.Waiting.Reason != "" {
					unwell = append(unwell, row)
				}
			}
		}
		if len(fits) != 1 {
			fits = unwell
		}
		if len(fits) == 1 {
			words[uid] = fits[0]
		}
		for row, r := range unknown {
			if r.PodName == name && saysEvicted(s.Mentioned, uid) {
				words[uid] = row
			}
		}
	}
	return oneEach(words)
}

// bareRow reports whether an end is known from a table's row without an event.
func bareRow(r *timeline.Restart) bool {
	return strings.HasPrefix(r.PodUID, evidence.Row) && len(r.PodMarks) == 0 && r.Container == evidence.Unnamed
}

// explained returns what texts say of kills and probes of a described container whose end has a code and no event: it
// is of that end. A text without a name is of the only such end.
func explained(s *evidence.Snapshot, t *timeline.History) (more []evidence.Observation) {
	ofLog := func(o evidence.Observation) bool { return o.Source.Kind != evidence.SourceAPI }
	if slices.ContainsFunc(s.Observations, ofLog) {
		return nil // a log names its node, and tells what it knows by itself
	}
	var ended []*timeline.Restart
	for _, r := range t.Restarts {
		if strings.HasPrefix(r.PodUID, evidence.Described) && !strings.HasPrefix(r.PodUID, evidence.Row) &&
			r.From.ExitCode != nil && !r.From.Finished.IsZero() && len(r.PodMarks) == 0 && !slices.ContainsFunc(r.From.Marks,
			func(m timeline.Occurrence) bool { return says(m.Obs.Fact) }) {
			ended = append(ended, r)
		}
	}
	for i := range s.Mentioned.Observations {
		o := s.Mentioned.Observations[i]
		if !says(o.Fact) {
			continue
		}
		var of []*timeline.Restart
		for _, r := range ended {
			ns := o.Subject.Namespace
			named := (o.Subject.Container == r.Container || o.Subject.Container == evidence.Unnamed) &&
				(ns == r.Namespace || ns == "" || ns == evidence.UsualNamespace(o.Subject.Pod)) // said, or in the usual one
			if named && (o.Subject.Pod == r.PodName || o.Subject.Pod == evidence.Unnamed && len(t.Restarts) == 1) {
				of = append(of, r)
			}
		}
		if len(of) != 1 {
			continue
		}
		r := of[0]
		if o.Time.After(r.From.Finished) {
			o.Time = r.From.Finished // the text has no time but its own
		}
		o.Subject = evidence.Subject{Node: r.Node, Namespace: r.Namespace, Pod: r.PodName, PodUID: r.PodUID,
			Container: r.Container}
		more = append(more, o)
	}
	return more
}

// says reports whether a fact is what the kubelet says before it kills a container that it starts again. The end of a
// whole pod is no such kill: who describes a restarted container beside it has a pod that is still there.
func says(f evidence.Fact) bool {
	switch f := f.(type) {
	case evidence.KillDecided:
		return f.Reason != evidence.KillPod
	case evidence.ProbeFailed, evidence.HookFailed:
		return true
	}
	return false
}

// saysEvicted reports whether the text about a mentioned pod says that it was evicted.
func saysEvicted(s *evidence.Snapshot, uid string) bool {
	return slices.ContainsFunc(s.Pods, func(p evidence.Pod) bool { return p.UID == uid && p.Reason == "Evicted" })
}

// oneEach keeps one mentioned pod for each row: the one with its name.
func oneEach(words map[string]string) map[string]string {
	taken := map[string]string{}
	for _, uid := range slices.Sorted(maps.Keys(words)) {
		row := words[uid]
		if before, ok := taken[row]; ok && strings.HasSuffix(uid, "/"+evidence.Unnamed) {
			delete(words, uid)
			continue
		} else if ok {
			delete(words, before)
		}
		taken[row] = uid
	}
	return words
}

// meantPod returns the pod that all texts are about, nil for none.
func meantPod(s *evidence.Snapshot) *evidence.Pod {
	if i := slices.IndexFunc(s.Pods, func(p evidence.Pod) bool { return p.UID == evidence.Meant }); i >= 0 {
		return &s.Pods[i]
	}
	return nil
}

// nameUnnamed gives ends without a name the name of the only pod that all texts name: who shows the lines of one end
// most likely shows those of one pod. That is a guess, and nothing that rests on it is proven.
func nameUnnamed(meant *evidence.Pod, t *timeline.History) {
	if meant == nil {
		return
	}
	name := meant.Name
	if name == evidence.Unnamed {
		name = ""
	}
	uid, several := "", false
	for _, r := range t.Restarts {
		if r.PodName == name {
			several = true // its end is known, and a line without a name may belong to any
		}
		if r.PodName == evidence.Unnamed {
			several = several || uid != "" && uid != "/"+r.PodUID
			uid = "/" + r.PodUID
		}
	}
	for _, r := range t.Restarts {
		if r.PodName == evidence.Unnamed && name != "" && !several && !t.Listed() { // a listed pod's ends have its name
			r.Namespace, r.PodName, r.From.Guessed = evidence.UsualNamespace(name), name, true
		}
		// a text without a namespace is in the default one
		guessed := r.PodUID == "" || strings.HasPrefix(r.PodUID, evidence.Described) ||
			strings.HasPrefix(r.PodUID, timeline.UnknownUID)
		if guessed && meant.Namespace != "" &&
			r.Namespace == evidence.UsualNamespace(r.PodName) && (r.PodName == name || r.PodName == evidence.Unnamed) {
			r.Namespace = meant.Namespace
		}
		if r.PodName == name && r.Container == evidence.Unnamed && len(meant.Containers) == 1 {
			r.Container, r.From.Guessed = meant.Containers[0].Name, true
		}
	}
}

// nameKilled gives the only end, of which a kernel's log has only ids, the names of the only pod and container that all
// texts name. That is a guess, too.
func nameKilled(meant *evidence.Pod, t *timeline.History) {
	if meant == nil || len(t.Restarts) != 1 {
		return
	}
	r := t.Restarts[0]
	if r.PodUID == "" || r.PodName != r.PodUID || !strings.HasPrefix(r.From.ID, r.Container) {
		return
	}
	if meant.Name != evidence.Unnamed && !program(r, meant.Name) {
		r.Namespace = cmp.Or(meant.Namespace, evidence.UsualNamespace(meant.Name))
		r.PodName, r.From.Guessed = meant.Name, true
	}
	if len(meant.Containers) == 1 {
		r.Container, r.From.Guessed = meant.Containers[0].Name, true
	}
}
