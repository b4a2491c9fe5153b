package main

import (
	"fmt"
	"strings"
	"time"
)

// made is a made-up log.
type made struct{ name, text string }

// writer writes a kubelet's log.
type writer struct {
	b  strings.Builder
	at time.Time
	n  int
}

func (w *writer) line(format string, args ...any) {
	fmt.Fprintf(&w.b, "I%s    2473 %s\n", w.at.Format("0102 15:04:05.000000"), fmt.Sprintf(format, args...))
	w.at = w.at.Add(time.Millisecond)
}

func (w *writer) id() string { w.n++; return fmt.Sprintf("%064x", 0xabc000+w.n) }

const loops = 40

// generated returns crash loops in which no line names the containers with their ids.
func generated() []made {
	uid := "7c0e7b63-6b9b-4a75-9a5e-1f6d2c3b4a5f"
	start := time.Date(2026, 5, 12, 4, 0, 0, 0, time.UTC)
	pod := "shop/web-0"
	event := func(w *writer, kind, id string) {
		w.line(`kubelet.go:2453] "SyncLoop (PLEG): event for pod" pod="%s" event={"ID":"%s","Type":"%s","Data":"%s"}`,
			pod, uid, kind, id)
	}
	loop := func(words func(w *writer, attempt int), coded bool) string {
		w := &writer{at: start}
		w.line(`server.go:467] "Kubelet version" kubeletVersion="v1.28.15"`)
		w.at = w.at.Add(time.Minute)
		box, side, app := w.id(), w.id(), w.id()
		for _, id := range []string{side, app, box} {
			event(w, "ContainerStarted", id)
		}
		for attempt := range loops {
			w.at = w.at.Add(20 * time.Second)
			if coded {
				w.line(`generic.go:334] "Generic (PLEG): container finished" podID="%s" containerID="%s" exitCode=1`, uid, app)
			}
			event(w, "ContainerDied", app)
			words(w, attempt)
			w.at = w.at.Add(10 * time.Second)
			app = w.id()
			event(w, "ContainerStarted", app)
		}
		return w.b.String()
	}
	backOff := func(w *writer, _ int) {
		w.line(
			`pod_workers.go:1301] "Error syncing pod, skipping" err="failed to \"StartContainer\" for \"app\" with CrashLoopBackOff: \"back-off 10s restarting failed container=app pod=web-0_shop(%s)\"" pod="%s" podUID="%s"`, uid, pod, uid)
	}
	path := func(w *writer, attempt int) {
		w.line(`logs.go:323] "Finished parsing log file" path="/var/log/pods/shop_web-0_%s/app/%d.log"`, uid, attempt)
	}
	once := func(w *writer, attempt int) {
		if attempt == 3 {
			backOff(w, attempt)
		}
	}
	none := func(*writer, int) {}
	return []made{
		{"back-off lines, exit codes", loop(backOff, true)},
		{"back-off lines, PLEG mixes sandboxes and containers", loop(backOff, false)},
		{"paths of logs", loop(path, true)},
		{"paths of logs, PLEG mixes sandboxes and containers", loop(path, false)},
		{"one name for the whole loop", loop(once, true)},
		{"no name at all: counted", loop(none, true)},
	}
}
