package analyzer

import (
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file decides which of the ends that texts mention are known from nothing else.

// unanswered returns the UIDs of pods that are mentioned and known from nothing else, each with the end of which
// nothing else is known that the text may be about, nil for none. A pod without a name is one that has an item,
// unless that is only a sandbox in a table, or one that the API lists and that needs none. What a table counts of the
// cluster's own pods that run answers nobody: everyone shows those.
func unanswered(s *evidence.Snapshot, t *timeline.History) map[string]*timeline.Restart {
	known, told := map[string]bool{}, false
	for _, r := range t.Restarts {
		noBox := func(m timeline.Occurrence) bool {
			_, box := m.Obs.Fact.(evidence.SandboxRecord)
			return !box
		}
		if onlyEnded(r) {
			continue
		}
		more := r.Container != "" || len(r.From.Marks) > 0 || slices.ContainsFunc(r.PodMarks, noBox)
		known[r.PodName] = known[r.PodName] || more || len(r.PodMarks) == 0
		told = told || more && !(bareRow(r) && r.Namespace == "kube-system" && r.From.ExitCode == nil &&
			r.From.Reason+r.Waiting.Reason == "")
	}
	for i := range s.Pods {
		if p := &s.Pods[i]; !p.Described() {
			known[p.Name], told = true, true
		}
	}
	for i := range s.Nodes {
		known[s.Nodes[i].Name] = true // the name above its description is no pod's
	}
	kept := map[string]*timeline.Restart{}
	for uid, name := range s.MentionedPods() {
		end, plain := endOf(s, uid, name, t)
		if more := explainsEnd(s, uid); !plain || end != nil && !more &&
			(end.To == nil || strings.HasSuffix(uid, evidence.Asked)) {
			continue
		} else if !more && end != nil && end.To != nil {
			end = nil // what runs was made, and did not end so
		}
		if hardlyEnds(s, uid) && neverRestarted(s, name) || readAlready(s, uid, name) || survived(s, uid, name) {
			continue
		}
		if !known[name] && !known[evidence.Unnamed] && (name != evidence.Unnamed || !told) {
			kept[uid] = end
		}
	}
	return kept
}

// endOf returns the end of which nothing else is known that the text about a mentioned pod may be about: the last one
// of its container, or of the pod's only one; for a text without a name the only end; nil for none. It returns false
// where several of its containers ended, and the text does not tell which it is about.
func endOf(s *evidence.Snapshot, uid, name string, t *timeline.History) (end *timeline.Restart, plain bool) {
	said, several := s.ContainerSaid(uid), false
	for _, r := range t.Restarts {
		switch {
		case !onlyEnded(r), taskGone(r):
		case r.PodName != name && (name != evidence.Unnamed || len(t.Restarts) > 1):
		case end != nil && end.Container != r.Container && said == evidence.Unnamed:
			several = true
		case r.PodName != name, said == evidence.Unnamed, r.Container == evidence.Unnamed, said == r.Container:
			end = r
		}
	}
	return end, !several
}

// onlyEnded reports whether no more is known of an end than that it was: a runtime's line or row without a code.
func onlyEnded(r *timeline.Restart) bool {
	tells := func(m timeline.Occurrence) bool {
		switch m.Obs.Fact.(type) {
		case evidence.ContainerRecord, evidence.ContainerStarted, evidence.ContainerDied, evidence.ContainerRemoved,
			evidence.SandboxRecord, evidence.NameTold, evidence.TaskExited:
			return false
		}
		return true
	}
	ofRuntime := r.Pod == nil && (r.From.ID != "" || strings.HasPrefix(r.PodUID, timeline.UnknownUID))
	return ofRuntime && !r.WholePod() && r.From.ExitCode == nil && r.From.Reason+r.Waiting.Reason == "" &&
		!slices.ContainsFunc(slices.Concat(r.From.Marks, r.PodMarks), tells)
}

// taskGone reports whether dockerd's line of a task that is gone is all that is known of an end: it has an id alone,
// and a pod's name at best from the lines around it.
func taskGone(r *timeline.Restart) bool {
	return r.Container == evidence.Unnamed && len(r.From.Marks) > 0 && !slices.ContainsFunc(r.From.Marks,
		func(m timeline.Occurrence) bool { return !withoutCode(m.Obs) })
}

// withoutCode reports whether an observation is of a task that is gone, and has no code.
func withoutCode(o *evidence.Observation) bool {
	task, ok := o.Fact.(evidence.TaskExited)
	return ok && task.ExitCode == nil
}

// with returns a snapshot with the mentioned pods whose UIDs are the keys of words (Snapshot.With). The texts take the
// places and the names of the ends that they are about: a runtime's records of these, and of what runs since, are left
// out.
func with(s *evidence.Snapshot, words map[string]string, ends map[string]*timeline.Restart) *evidence.Snapshot {
	ids := map[string]bool{}
	for _, end := range ends {
		if end == nil {
			continue
		}
		ids[end.From.ID] = true
		if end.To != nil && end.To.ExitCode == nil {
			ids[end.To.ID] = true
		}
	}
	delete(ids, "")
	out := s.With(words)
	out.Observations = slices.DeleteFunc(out.Observations, func(o evidence.Observation) bool {
		return ids[o.Subject.ContainerID]
	})
	for i := range out.Pods {
		p := &out.Pods[i]
		if end := ends[p.UID]; end != nil {
			p.Namespace, p.Name = end.Namespace, end.PodName
		}
	}
	for i := range out.Observations {
		of := &out.Observations[i].Subject
		if end := ends[of.PodUID]; end != nil {
			of.Namespace, of.Pod = end.Namespace, end.PodName
			if of.Container == evidence.Unnamed {
				of.Container = end.Container
			}
		}
	}
	return out
}

// restarted gives the ends that texts tell what was started after the ends in whose places they are, unless a probe
// or a kill that has the text's time would be later than that.
func restarted(t *timeline.History, ends map[string]*timeline.Restart) {
	for _, r := range t.Restarts {
		if end := ends[r.PodUID]; end != nil && r.To == nil && end.To != nil &&
			!slices.ContainsFunc(r.From.Marks, func(m timeline.Occurrence) bool { return says(m.Obs.Fact) }) {
			r.To, r.Kind, r.From.Guessed = end.To, end.Kind, true
		}
	}
}

// hardlyEnds reports whether the text about a mentioned pod only says that one of its probes failed, or has no more
// than a word of an end, without a code or a reason: of the runtime that restarted, or of something beside the pod.
func hardlyEnds(s *evidence.Snapshot, uid string) bool {
	return !slices.ContainsFunc(s.Mentioned.Observations, func(o evidence.Observation) bool {
		if o.Subject.PodUID != uid {
			return false
		}
		switch f := o.Fact.(type) {
		case evidence.ProbeFailed, evidence.RestartCount:
			return false
		case evidence.ContainerRecord:
			return !strings.Contains(f.Message.String(), " probe ") && (f.ExitCode != nil || f.Reason != "")
		}
		return true
	})
}

// explainsEnd reports whether the text about a mentioned pod says more of an end than that it was, or than that a
// container could not be made.
func explainsEnd(s *evidence.Snapshot, uid string) bool {
	return slices.ContainsFunc(s.Mentioned.Observations, func(o evidence.Observation) bool {
		if o.Subject.PodUID != uid {
			return false
		}
		switch f := o.Fact.(type) {
		case evidence.StartFailed, evidence.RestartCount:
			return false
		case evidence.ContainerRecord:
			return f.State != evidence.StateWaiting && (f.ExitCode != nil || f.Reason != "" && f.Reason != "Error")
		}
		return true
	})
}

// readAlready reports whether the text about a mentioned pod only says that it could not be made, and a reader that
// knows the text's form has that, too: with its time, so that what came later counts.
func readAlready(s *evidence.Snapshot, uid, name string) bool {
	ofPod := func(o evidence.Observation) bool {
		_, failed := o.Fact.(evidence.StartFailed)
		return failed && o.Subject.Container == ""
	}
	return slices.ContainsFunc(s.Observations, func(o evidence.Observation) bool {
		return o.Subject.Pod == name && ofPod(o)
	}) && !slices.ContainsFunc(s.Mentioned.Observations, func(o evidence.Observation) bool {
		return o.Subject.PodUID == uid && !ofPod(o)
	})
}

// survived reports whether the text about a mentioned pod without a name only says that memory ran out, and the runtime
// lists the container as running whose process the kernel's record names: it killed a child.
func survived(s *evidence.Snapshot, uid, name string) bool {
	if name != evidence.Unnamed || !slices.ContainsFunc(s.Observations, func(o evidence.Observation) bool {
		_, killed := o.Fact.(evidence.OOMKill)
		return killed && o.Subject.ContainerID != "" && listedAsRunning(s, o.Subject.ContainerID)
	}) {
		return false
	}
	return !slices.ContainsFunc(s.Mentioned.Observations, func(o evidence.Observation) bool {
		if _, count := o.Fact.(evidence.RestartCount); count || o.Subject.PodUID != uid {
			return false
		}
		rec, ended := o.Fact.(evidence.ContainerRecord)
		return !ended || rec.Reason != "OOMKilled" || rec.ExitCode != nil
	})
}

// listedAsRunning reports whether a record has the container as running. A table of crictl ps cuts ids.
func listedAsRunning(s *evidence.Snapshot, id string) bool {
	return slices.ContainsFunc(s.Observations, func(o evidence.Observation) bool {
		rec, ok := o.Fact.(evidence.ContainerRecord)
		return ok && rec.State == evidence.StateRunning && o.Subject.ContainerID != "" &&
			strings.HasPrefix(id, o.Subject.ContainerID)
	})
}

// neverRestarted reports whether table rows show the pod of this name as running, with no container that waits or
// ended, and never restarted; of a pod without a name, whether they show that of every pod but the cluster's own.
func neverRestarted(s *evidence.Snapshot, name string) bool {
	row, unwell := false, false
	for i := range s.Observations {
		o := &s.Observations[i]
		if o.Subject.Pod != name && (name != evidence.Unnamed || o.Subject.Namespace == "kube-system") ||
			!strings.HasPrefix(o.Subject.PodUID, evidence.Row) {
			continue
		}
		switch f := o.Fact.(type) {
		case evidence.RestartCount:
			row, unwell = row || f.Count == 0, unwell || f.Count != 0
		case evidence.ContainerRecord:
			unwell = unwell || f.State != evidence.StateRunning
		default:
			unwell = true // its end, or its deletion
		}
	}
	return row && !unwell
}

// program reports whether a name is that of the program that the kernel killed: who speaks of "the qemu pod" where that
// kills qemu-system-x86 says what runs in the pod, and not its name.
func program(r *timeline.Restart, name string) bool {
	return slices.ContainsFunc(r.From.Marks, func(m timeline.Occurrence) bool {
		k, ok := m.Obs.Fact.(evidence.OOMKill)
		return ok && k.Task != "" && strings.HasPrefix(k.Task, name)
	})
}
