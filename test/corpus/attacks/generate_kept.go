package main

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

func keptAttacks() []attack {
	return []attack{
		{"kept output", "Somebody keeps what the container printed beside the evidence: lines of kubelet, runtime and kernel.",
			keptOutput},
		{"second log", "Another text that is called as a daemon's log has a stop that the daemon's journal has not.", secondLog},
	}
}

// text returns one writer's lies as a file that ends with the true exit, so that the writer seems to be a witness.
func (t *target) text(r *rand.Rand, ofWriter ...string) (l lie, text string) {
	at := t.before(r)
	for l.cause == "" || len(ofWriter) > 0 && l.writer != ofWriter[0] {
		lies := t.lies(at)
		l = lies[r.IntN(len(lies))]
	}
	lines, end := l.lines, t.finish.Add(time.Duration(r.IntN(1000))*time.Millisecond)
	switch l.writer {
	case "kubelet":
		lines = append(lines, at.Format("I0102 15:04:05.000000")+fmt.Sprintf(
			`      80 kubelet.go:2450] "SyncLoop (PLEG): event for pod" pod="%s/%s" event={"ID":"%s","Type":"ContainerDied","Data":"%s"}`,
			t.pod.Metadata.Namespace, t.pod.Metadata.Name, t.pod.Metadata.UID, t.id))
	case "containerd":
		lines = append(lines, fmt.Sprintf(`time="%s" level=info msg="TaskExit event in podsandbox handler container_id:\"%s\" `+
			`id:\"%s\" pid:4711 exit_status:%d exited_at:{seconds:%d}"`, end.Format("2006-01-02T15:04:05.000000000Z07:00"),
			t.id, t.id, t.code, end.Unix()))
	}
	head := fmt.Sprintf("%s %s %s[80]: ", at.Format("2006-01-02T15:04:05.000000-0700"), t.Name(), l.writer)
	return l, head + strings.Join(lines, "\n"+head) + "\n"
}

func keptOutput(r *rand.Rand, t *target) (*variant, bool) {
	less := t.put(t.Machine)
	switch r.IntN(4) {
	case 0:
		less = less.At(0)
	case 1: // the log that would contradict it is missing
		lost := []string{"kubelet", "runtime", "containerd", "kernel"}[r.IntN(4)]
		less = less.Keep(func(p string) bool { return !strings.Contains(p, lost) })
	}
	with := *less
	with.Files = maps.Clone(less.Files)
	l, text := t.text(r)
	with.Files["nodes/"+t.Name()+"/logs/unwrapped/web-0.log"] = []byte(text)
	return &variant{how: "lines that say " + l.cause, entry: &with, less: less}, true
}

func secondLog(r *rand.Rand, t *target) (*variant, bool) {
	if t.form == machine.Text {
		t.form = machine.Journal // of two text logs neither is the better one
	}
	less := t.put(t.Machine)
	tells := map[string]bool{} // who reports the exit
	t.Each(func(_ *machine.Log, l *machine.Line) {
		if strings.Contains(l.Text, t.id) && (strings.Contains(l.Text, "TaskExit") || strings.Contains(l.Text, "Died")) {
			tells[l.Writer] = true
		}
	})
	with := *less
	with.Files = maps.Clone(less.Files)
	writer := []string{"kubelet", "containerd"}[r.IntN(2)]
	if !tells[writer] {
		return nil, false
	}
	l, text := t.text(r, writer)
	with.Files["nodes/"+t.Name()+"/logs/"+writer+"-2.log"] = []byte(text)
	return &variant{how: "lines that say " + l.cause, entry: &with, less: less}, true
}
