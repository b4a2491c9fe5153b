package packages

import (
	"strings"
	"time"
)

// dpkg reads a line of /var/log/dpkg.log, whose times are local:
//
//	2026-11-21 06:12:33 upgrade containerd:amd64 1.6.20~ds1-1 1.6.20~ds1-2
//	2026-11-21 06:12:33 install kubelet:amd64 <none> 1.30.1-1.1
//
// Other lines (status, configure, startup) repeat the same.
func dpkg(line string, zone *time.Location) (entry, bool) {
	words := strings.Fields(line)
	if len(words) != 6 {
		return entry{}, false
	}
	at, err := time.ParseInLocation(time.DateTime, words[0]+" "+words[1], zone)
	name, _, _ := strings.Cut(words[3], ":")
	if err != nil || !matters(name) {
		return entry{}, false
	}
	e := entry{Time: at.UTC(), Manager: "dpkg", Package: name, From: version(words[4]), To: version(words[5])}
	switch words[2] {
	case "install", "upgrade":
		e.Action = words[2]
	case "remove", "purge":
		e.Action = "remove"
	default:
		return entry{}, false
	}
	return e, true
}

func version(s string) string {
	if s == "<none>" {
		return ""
	}
	return s
}

// run is one run of apt in /var/log/apt/history.log.
type run struct {
	start, end time.Time
	by         string
}

// history reads apt's runs: paragraphs of "Start-Date: 2026-11-21 06:12:31", "Commandline:
// /usr/bin/unattended-upgrade", "End-Date: …". Of a command line it looks only at the program, and keeps only that one.
func history(text string, zone *time.Location) []run {
	var runs []run
	var r run
	for line := range strings.Lines(text + "\n\n") {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch key {
		case "Start-Date":
			r = run{start: stamp(value, zone)}
		case "End-Date":
			r.end = stamp(value, zone)
		case "Commandline":
			program, _, _ := strings.Cut(value, " ")
			program = program[strings.LastIndexByte(program, '/')+1:]
			if strings.HasPrefix(program, "unattended-upgrade") {
				r.by = "unattended-upgrade"
			}
		case "":
			if !r.start.IsZero() && !r.end.IsZero() {
				runs = append(runs, r)
			}
			r = run{}
		}
	}
	return runs
}

// stamp reads apt's local times, which contain two blanks.
func stamp(value string, zone *time.Location) time.Time {
	at, err := time.ParseInLocation(time.DateTime, strings.Join(strings.Fields(value), " "), zone)
	if err != nil {
		return time.Time{}
	}
	return at.UTC()
}

// attribute names who changed packages during a run.
func attribute(entries []entry, runs []run) {
	for i := range entries {
		e := &entries[i]
		for _, r := range runs {
			if e.Manager == "dpkg" && r.by != "" && !e.Time.Before(r.start) && !e.Time.After(r.end) {
				e.By = r.by
			}
		}
	}
}

// terminal reads from /var/log/apt/term.log what needrestart did:
//
//	Log started: 2026-11-21  06:12:31
//	Restarting services...
//	 systemctl restart containerd.service kubelet.service
//
// The time is the run's start: the restart came at its end.
func terminal(text string, zone *time.Location) []entry {
	var out []entry
	var began time.Time
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if value, ok := strings.CutPrefix(line, "Log started: "); ok {
			began = stamp(value, zone)
		}
		if value, ok := strings.CutPrefix(line, "Log ended: "); ok {
			for i := range out {
				if out[i].Time.Equal(began) && !began.IsZero() {
					out[i].Time = stamp(value, zone)
				}
			}
		}
		rest, ok := strings.CutPrefix(strings.TrimLeft(line, " \t"), "systemctl restart ")
		if !ok || began.IsZero() {
			continue
		}
		e := entry{Time: began, Manager: "needrestart", Action: "restart"}
		for _, unit := range strings.Fields(rest) {
			if strings.HasSuffix(unit, ".service") && matters(unit) {
				e.Units = append(e.Units, unit)
			}
		}
		if len(e.Units) > 0 {
			out = append(out, e)
		}
	}
	return out
}
