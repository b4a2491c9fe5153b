package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

func insideAttacks() []attack {
	return []attack{{"inside", "Somebody runs a command in the container before its end, or memory breaks under it.",
		inside}}
}

// inside replaces the sender of a signal with one that an ordinary exit does not show.
func inside(r *rand.Rand, t *target) (*variant, bool) {
	// proven by an earlier exit, which stays as it was
	if !slices.Contains(own, t.cause()) || t.cause() == "app-exit-zero" ||
		t.finish.Sub(t.began) < 2*time.Second {
		return nil, false
	}
	if t.form == machine.Text {
		t.form = machine.Journal // in text nothing vouches for the runtime's or kernel's lines
	}
	m := t.Machine.Clone()
	within := min(t.finish.Sub(t.began)-time.Second, 2*time.Hour)
	at := t.finish.Truncate(time.Second).Add(-10*time.Millisecond - time.Duration(r.Int64N(int64(within))))
	command := []string{"[sh]", "[kill 1]", `[/bin/bash -c kill -TERM 1; echo \\\"done\\\"]`}[r.IntN(3)]
	how, log, text := "exec of "+command, "containerd", fmt.Sprintf(
		`time="%s" level=info msg="Exec for \"%s\" with command %s, tty true and stdin true"`,
		at.Format("2006-01-02T15:04:05.000000000Z07:00"), t.id, command)
	l := machine.Line{Writer: "containerd", Unit: "containerd.service", Text: text}
	if r.IntN(2) == 0 {
		at = t.finish.Truncate(time.Second).Add(-time.Duration(r.IntN(3000)) * time.Millisecond)
		words := []string{"Memory failure: 0x1a2b3c: Sending SIGBUS to %s due to hardware memory corruption",
			"MCE 0x1a2b3c: Killing %s due to hardware memory corruption",
			"Memory failure: 0x1a2b3c: forcibly killing %s because of failure to unmap corrupted page",
			"MCE: Killing %s due to hardware memory corruption fault at 7f3c2000"}[r.IntN(4)]
		how, log = "broken memory", "kernel"
		l = machine.Line{Writer: "kernel", Text: strings.Replace(words, "%s", "web:4711", 1)}
	}
	if !slices.ContainsFunc(m.Log(log).Lines, func(o machine.Line) bool { return o.Writer == l.Writer }) {
		return nil, false // nobody had that log
	}
	t.add(m, log, at, l)
	return &variant{how: how + " at " + at.Format("15:04:05.000"), entry: t.undecided(t.put(m))}, true
}
