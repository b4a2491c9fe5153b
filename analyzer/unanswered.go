package analyzer

import (
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file decides which of the ends that texts mention are known from nothing else.

// unanswered returns the UIDs of pods that are mentioned and known from nothing else. A pod without a name is one that
// has an item, unless that is only a sandbox in a table, or one that the API lists and that needs none. What a table
// counts of the cluster's own pods that run answers nobody: everyone shows those.
func unanswered(s *evidence.Snapshot, t *timeline.History) (kept []string) {
	known, told, ended := map[string]bool{}, false, map[string]bool{}
	for _, r := range t.Restarts {
		noBox := func(m timeline.Occurrence) bool {
			_, box := m.Obs.Fact.(evidence.SandboxRecord)
			return !box
		}
		if onlyEnded(r) {
			guessed := r.Container == evidence.Unnamed && !slices.ContainsFunc(r.From.Marks, saysMore)
			if r.PodName != evidence.Unnamed && !guessed {
				ended[r.PodName] = ended[r.PodName] || r.To == nil
			}
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
	for uid, name := range s.MentionedPods() {
		of := ended[name] || name == evidence.Unnamed && len(ended) == 1
		if of && !explainsEnd(s, uid) {
			continue
		}
		if hardlyEnds(s, uid) && neverRestarted(s, name) || readAlready(s, uid, name) || survived(s, uid, name) {
			continue
		}
		if !known[name] && !known[evidence.Unnamed] && (name != evidence.Unnamed || !told) {
			kept = append(kept, uid)
		}
	}
	slices.Sort(kept)
	return kept
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
	ofRuntime := (r.From.ID != "" || strings.HasPrefix(r.PodUID, timeline.UnknownUID)) && (r.Pod == nil || r.Mentioned())
	return ofRuntime && !r.WholePod() && r.From.ExitCode == nil && r.From.Reason+r.Waiting.Reason == "" &&
		!slices.ContainsFunc(slices.Concat(r.From.Marks, r.PodMarks), tells)
}

// saysMore reports whether an observation is more than dockerd's line of a task that is gone: it has an id alone.
func saysMore(m timeline.Occurrence) bool { return !taskGone(m.Obs) }

func taskGone(o *evidence.Observation) bool {
	task, ok := o.Fact.(evidence.TaskExited)
	return ok && task.ExitCode == nil
}

// with returns a snapshot with the mentioned pods whose UIDs are the keys (Snapshot.With), and without a runtime's
// records of the last end of such a pod, and of what runs since, where these show only that something ended.
func with(s *evidence.Snapshot, words map[string]string, t *timeline.History) *evidence.Snapshot {
	last, ids := map[string]*timeline.Restart{}, map[string]bool{}
	for _, r := range t.Restarts {
		if onlyEnded(r) {
			last[r.PodName] = r
		}
	}
	for uid, name := range s.MentionedPods() {
		if _, kept := words[uid]; kept && last[name] != nil {
			ids[last[name].From.ID] = true
			if to := last[name].To; to != nil && to.ExitCode == nil {
				ids[to.ID] = true
			}
		}
	}
	delete(ids, "")
	out := s.With(words)
	out.Observations = slices.DeleteFunc(out.Observations, func(o evidence.Observation) bool {
		return ids[o.Subject.ContainerID]
	})
	return out
}

// replaceEnds removes the ends of which nothing else is known where a text tells how they came about: those without a
// name, and the only one, whose names a text without a name gets.
func replaceEnds(t *timeline.History) {
	var told []*timeline.Restart
	for _, r := range t.Restarts {
		if r.Mentioned() && !onlyEnded(r) {
			told = append(told, r)
		}
	}
	for _, m := range told {
		last := -1
		for i, r := range t.Restarts {
			if onlyEnded(r) && (r.PodName == evidence.Unnamed || m.PodName == evidence.Unnamed && len(t.Restarts) == 2) {
				last = i
			}
		}
		if last < 0 {
			continue
		}
		if r := t.Restarts[last]; m.PodName == evidence.Unnamed && r.PodName != evidence.Unnamed {
			m.Namespace, m.PodName, m.Container, m.From.Guessed = r.Namespace, r.PodName, r.Container, true
		}
		t.Restarts = slices.Delete(t.Restarts, last, last+1)
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
