package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/apart"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/story"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

func printedAttacks() []attack {
	return []attack{
		{"printed", "A log driver writes what a container prints into the journal, under its runtime's unit.", printed},
		{"succeeded", "A kubelet of another version starts within seconds of what its predecessor made, and kills it.",
			succeeded},
	}
}

func printed(r *rand.Rand, t *target) (*variant, bool) {
	at := t.before(r)
	lies := slices.DeleteFunc(t.lies(at),
		func(l lie) bool { return l.writer != "kubelet" && l.writer != "containerd" })
	l := lies[r.IntN(len(lies))]
	unit := []string{"containerd.service", "docker.service", "crio.service", "k3s.service", "kubelet.service"}[r.IntN(5)]
	const id = "eeeeeeeeeeee"
	fields := map[string]string{"_TRANSPORT": "journal", "CONTAINER_NAME": "k8s_evil_x", "CONTAINER_ID": id}
	if r.IntN(3) == 0 && unit != "k3s.service" && unit != "kubelet.service" {
		delete(fields, "CONTAINER_NAME") // nerdctl sets none for a container without a name
	}
	name, log := []string{l.writer, "x", "conmon", id}[r.IntN(4)], []string{"kubelet", "containerd"}[r.IntN(2)]
	if t.form == machine.Text {
		name = []string{id, "k8s_evil_x", "conmon", "crio-" + strings.Repeat("e", 64) + ".scope"}[r.IntN(4)]
	}
	m := t.Machine.Clone()
	pid := []int{24999, 80, 70, t.daemon(l.writer)}[r.IntN(4)]
	for _, text := range l.lines {
		t.add(m, log, at, machine.Line{Writer: name, Unit: unit, PID: pid, Text: text, Fields: fields})
	}
	how := fmt.Sprintf("%s by %s of %s, process %d", l.cause, name, unit, pid)
	return &variant{how: how, entry: t.put(m), less: t.put(t.Machine)}, true
}

// daemon returns the process id of the daemon with that name.
func (t *target) daemon(name string) (pid int) {
	t.Each(func(_ *machine.Log, l *machine.Line) {
		if l.Writer == name {
			pid = l.PID
		}
	})
	return pid
}

func succeeded(r *rand.Rand, t *target) (*variant, bool) {
	versions := []string{"v1.31.2", "v1.32.0", "v1.35.1", "v1.37.1"}
	// It is created at 1.9 s, and no kubelet requests one as soon as it starts.
	version, from := versions[r.IntN(len(versions))], 1+9*r.Float64()
	kill := from + 0.5 + 4*r.Float64()
	code := []int{143, 0, 1}[r.IntN(3)]
	reason := map[bool]string{true: "Completed", false: "Error"}[code == 0]
	s := apart.Succeeded(story.Ended(kill+0.1+2*r.Float64(), code, reason), version, from, kill).Is("hash-kubelet-upgrade")
	how := fmt.Sprintf("%s from %.2f s, a kill at %.2f s, code %d", version, from, kill, code)
	if r.IntN(2) == 0 { // the edit because of which the predecessor created it
		edit := 1.9 - 2*r.Float64()
		s.SetImage(edit)
		how += fmt.Sprintf(", after an edit at %.2f s", edit)
	}
	if r.IntN(2) == 0 {
		s.Records, how = false, how+", no records"
	}
	if r.IntN(3) == 0 {
		s.Events, how = nil, how+", no events"
	}
	if r.IntN(3) == 0 {
		s.Without(story.Has("CreateContainer", "StartContainer"))
		how += ", no word of what was made"
	}
	if r.IntN(3) == 0 {
		s.Without(func(l *machine.Line) bool { return l.Writer == "kubelet" && l.True.Before(story.At(from)) })
		how += ", no log of the kubelet before"
	}
	return &variant{of: "succeeded", how: how, entry: s.Entry("succeeded", t.form)}, true
}
