package main

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/story"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

var (
	exited = regexp.MustCompile(`TaskExit event .*container_id:\\?"(\w+)\\?" id:\\?"(\w+)\\?" pid:(\d+)`)
	header = regexp.MustCompile(`^[IWEF]\d{4} \d\d:\d\d:\d\d\.\d{6} +(\d+) `)
)

func guiseAttacks() []attack {
	return []attack{
		{"numbers", "A process that has the container's number before or after it dies of a fault, or for memory.", numbers},
		{"helper", "Another process of the kubelet's unit prints what a pod's author chose.", helper},
		{"dates", "The API dates the end otherwise than the runtime does.", dates},
		{"stated", "Somebody writes why the pod ended into its status.", stated},
		{"lost words", "The kubelet's log lost its words about the kill.", lostWords},
	}
}

func numbers(r *rand.Rand, t *target) (*variant, bool) {
	at := t.finish.Add(time.Duration(1200+r.IntN(4000)) * time.Millisecond)
	if r.IntN(2) == 0 {
		at = t.began.Add(-time.Duration(100+r.IntN(4000)) * time.Millisecond)
	}
	if t.form == machine.Text {
		t.form = machine.Journal
	}
	m := t.Machine.Clone()
	for _, pid := range []int{4711, 1234, t.pid()} {
		t.add(m, "kernel", at, machine.Line{Writer: "kernel", Text: fmt.Sprintf(
			"other[%d]: segfault at 0 ip 0000000000401136 sp 00007ffc5d error 4 in other[401000+1000]", pid)})
		t.add(m, "kubelet", at, machine.Line{Writer: "earlyoom", Unit: "earlyoom.service", PID: 60, Text: fmt.Sprintf(
			`sending SIGKILL to process %d uid 0 "other": oom_score 1300, VmRSS 900 MiB`, pid)})
	}
	return &variant{how: at.Format(time.TimeOnly), entry: t.put(m)}, true
}

// pid returns the process id of the container's first process, 0 if no line has it.
func (t *target) pid() (pid int) {
	t.Each(func(_ *machine.Log, l *machine.Line) {
		if f := exited.FindStringSubmatch(l.Text); f != nil && f[1] == t.id && f[2] == t.id {
			_, _ = fmt.Sscan(f[3], &pid) // only digits
		}
	})
	return pid
}

func helper(r *rand.Rand, t *target) (*variant, bool) {
	at := t.before(r)
	lies := slices.DeleteFunc(t.lies(at), func(l lie) bool { return l.writer != "kubelet" })
	l := lies[r.IntN(len(lies))]
	if t.form == machine.Text {
		t.form = machine.Journal // in text they look the same
	}
	m := t.Machine.Clone()
	if !slices.ContainsFunc(m.Log("kubelet").Lines, func(l machine.Line) bool { return headed(&l) && l.True.Before(at) }) {
		return nil, false
	}
	for _, text := range l.lines {
		t.add(m, "kubelet", at, machine.Line{Writer: "s3fs", Unit: "kubelet.service", PID: 24999, Text: text,
			Fields: map[string]string{"_COMM": "s3fs", "_TRANSPORT": "syslog", "SYSLOG_IDENTIFIER": "kubelet"}})
	}
	return &variant{how: l.cause, entry: t.put(m), less: t.put(t.Machine)}, true
}

// headed reports whether a line of a kubelet has a header with the same process id as in the journal.
func headed(l *machine.Line) bool {
	f := header.FindStringSubmatch(l.Text)
	return l.Writer == "kubelet" && f != nil && f[1] == fmt.Sprint(l.PID)
}

func dates(r *rand.Rand, t *target) (*variant, bool) {
	if !slices.Contains(own, t.cause()) && !slices.Contains(kills, t.cause()) {
		return nil, false
	}
	by := time.Duration(10+r.IntN(4000)) * time.Second
	if r.IntN(2) == 0 {
		by = -by
	}
	e := t.put(t.Machine)
	ran := false
	_, _ = story.Objects(e, t.end("runtime"), func(story.Object) { ran = true }) // whether there is one
	e, found := story.Objects(e, t.end("API"), func(o story.Object) {
		o["finishedAt"] = t.finish.Add(by).Format(time.RFC3339)
	})
	return &variant{how: by.String(), entry: t.undecided(e)}, found && ran
}

func stated(r *rand.Rand, t *target) (*variant, bool) {
	reason := []string{"Evicted", "Preempting", "Terminated", "NodeShutdown", "DeadlineExceeded", "NodeLost"}[r.IntN(6)]
	e, found := story.Objects(t.put(t.Machine), func(o story.Object) bool {
		m, _ := o["metadata"].(story.Object)
		return m != nil && o["status"] != nil && m["uid"] == t.pod.Metadata.UID
	}, func(o story.Object) {
		s := o["status"].(story.Object)
		s["phase"], s["reason"], s["message"] = "Failed", reason, "The node was low on resource: memory. "
	})
	return &variant{how: reason, entry: e}, found
}

func lostWords(r *rand.Rand, t *target) (*variant, bool) {
	for range t.others { // few have one of these causes
		if slices.Contains([]string{"liveness-probe-failed", "startup-probe-failed", "post-start-hook-failed"}, t.cause()) {
			break
		}
		other := *t.others[r.IntN(len(t.others))]
		t, other.form = &other, machine.Journal
	}
	m := t.Machine.Clone()
	words := story.Has("Killing container", "Message for Container", "iveness probe, will be", "tartup probe, will be")
	m.Each(func(_ *machine.Log, l *machine.Line) { l.Lost = l.Lost || l.Writer == "kubelet" && words(l) })
	e := t.put(m)
	how := "with events"
	if r.IntN(2) == 0 {
		how, e = "without events", e.Keep(func(p string) bool { return p != "cluster/events.json" })
	}
	return &variant{how: how, entry: e}, true
}
