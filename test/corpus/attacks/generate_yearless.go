package main

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

func yearlessAttacks() []attack {
	return []attack{
		{"yearless", "The logs are syslog's, without year and zone: summer time ends or begins, or a year does.", yearless},
		{"drifted", "All lines of one log are dated by another clock.", drifted},
	}
}

func yearless(r *rand.Rand, t *target) (*variant, bool) {
	near := time.Duration(r.IntN(20)-14) * time.Second // from the turn to the end
	if r.IntN(3) == 0 {
		near = time.Duration(r.Int64N(int64(max(time.Second, t.finish.Sub(t.began)))))
	}
	zone := []time.Duration{0, time.Hour, -5 * time.Hour}[r.IntN(3)]
	turn, how := time.Date(2025, 12, 31, 24, 0, 0, 0, time.UTC).Add(-zone), "a new year"
	step := time.Duration(0)
	switch r.IntN(3) {
	case 0:
		turn, how, step, zone = time.Date(2025, 10, 26, 1, 0, 0, 0, time.UTC), "summer time ends", -time.Hour, 2*time.Hour
	case 1:
		turn, how, step, zone = time.Date(2025, 3, 30, 1, 0, 0, 0, time.UTC), "summer time begins", time.Hour, time.Hour
	}
	by := turn.Add(near).Sub(t.finish).Truncate(time.Second)
	e := t.Machine.Moved(by).Syslog(machine.Moved(t.Entry, by), func(at time.Time) time.Duration {
		if at.Before(turn) {
			return zone
		}
		return zone + step
	})
	if r.IntN(3) == 0 {
		e = e.Keep(func(p string) bool { return p != "cluster/events.json" })
	}
	return &variant{how: fmt.Sprintf("%s %s before the end, zone %s", how, near, zone), entry: e}, true
}

func drifted(r *rand.Rand, t *target) (*variant, bool) {
	by, m := time.Duration(r.IntN(4_000_000)-2_000_000)*time.Millisecond, t.Machine.Clone()
	log := m.Logs[r.IntN(len(m.Logs))]
	if t.form = machine.Text; r.IntN(3) == 0 {
		by = by.Round(15*time.Minute) + time.Duration(r.IntN(4000)-2000)*time.Millisecond
	}
	for i := range log.Lines {
		log.Lines[i].Step += by
	}
	gone := []string{"", "", "cluster/events.json"}[r.IntN(3)]
	if log.Name == "kubelet" && by.Abs() > 3*time.Second && r.IntN(3) == 0 {
		gone = "nodes/" + t.Name() + "/logquery/containerd.log" // nothing but the records dates the end
	}
	e := t.put(m).Keep(func(p string) bool { return p != gone })
	return &variant{how: fmt.Sprintf("%s by %s, without %q", log.Name, by, gone), entry: e}, true
}
