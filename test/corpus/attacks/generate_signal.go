package main

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/strangers"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

func signalAttacks() []attack {
	return []attack{{"signal", "Somebody sends the process a signal, and a log of the node tells of it.", signal}}
}

// signal adds the line of a signal before an end of the process's own.
func signal(r *rand.Rand, t *target) (*variant, bool) {
	pid := t.mainPID()
	if pid == 0 || !slices.Contains(own, t.cause()) || t.cause() == "app-exit-zero" ||
		t.finish.Sub(t.began) < 2*time.Second {
		return nil, false
	}
	if t.form == machine.Text {
		t.form = machine.Journal // in text nothing is proven without a request
	}
	lines := strangers.Sent(t.id, pid)
	how, log := slices.Sorted(maps.Keys(lines))[r.IntN(len(lines))], "kubelet"
	if lines[how].Writer == "kernel" {
		log = "kernel"
	}
	m := t.Machine.Clone()
	within := min(t.finish.Sub(t.began)-time.Second, 25*time.Second)
	at := t.finish.Truncate(time.Second).Add(-10*time.Millisecond - time.Duration(r.Int64N(int64(within))))
	t.add(m, log, at, lines[how])
	return &variant{how: how + " at " + at.Format("15:04:05.000"), entry: t.undecided(t.put(m))}, true
}

// mainPID returns the number of the target's process as the runtime has it; 0 where it does not tell, or where the node
// is itself a container, which counts other processes than the kernel.
func (t *target) mainPID() (pid int) {
	if strings.HasPrefix(t.Entry.Name, "lab-") && !strings.Contains(t.Entry.Name, "-today-") {
		return 0
	}
	t.Each(func(_ *machine.Log, l *machine.Line) {
		if f := exited.FindStringSubmatch(l.Text); f != nil && f[1] == t.id && f[2] == t.id {
			pid, _ = strconv.Atoi(f[3])
		}
	})
	return pid
}
