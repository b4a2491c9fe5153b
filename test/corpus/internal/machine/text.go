package machine

import (
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/entry"
)

const envelope = "2006-01-02T15:04:05.000000-0700"

var isoLine = regexp.MustCompile(`^(\S+T\S+) (\S+) ([^ :\[]+)(?:\[(\d+)\])?: ?(.*)$`)

// Of parses the text logs of an entry's only node. It returns nil if the entry has none, or logs of more than one node
// or in another form.
func Of(e *entry.Entry) *Machine {
	m := &Machine{ID: "7fc4d6115937648fb1ac4b72adadc9ac", Boots: []string{"3e35731d488a498ba6eb103ff6db4a36"}}
	for _, p := range e.Paths() {
		parts := strings.Split(p, "/")
		if parts[0] != "nodes" {
			continue
		}
		if m.Name == "" {
			m.Name = parts[1]
		}
		if parts[1] != m.Name || len(parts) == 4 && parts[2] != "logquery" {
			return nil
		}
		if len(parts) != 4 {
			continue
		}
		log := m.Log(strings.TrimSuffix(path.Base(p), ".log"))
		for text := range strings.Lines(string(e.Files[p])) {
			if !log.parse(strings.TrimSuffix(text, "\n")) {
				return nil
			}
		}
	}
	if len(m.Logs) == 0 {
		return nil
	}
	m.boots()
	return m
}

// parse parses one line of journalctl's short-iso-precise.
func (l *Log) parse(text string) bool {
	f := isoLine.FindStringSubmatch(text)
	if f == nil {
		return false
	}
	at, err := time.Parse(envelope, f[1])
	if err != nil {
		return false
	}
	pid, _ := strconv.Atoi(f[4])
	l.Lines = append(l.Lines, Line{True: at.UTC(), Writer: f[3], Unit: unitOf(f[3]), PID: pid, Text: f[5]})
	return true
}

func unitOf(writer string) string {
	switch writer {
	case "kernel":
		return ""
	case "systemd":
		return "init.scope"
	}
	return writer + ".service"
}

// boots finds the boots of the node by the kernel's first lines, and numbers them.
func (m *Machine) boots() {
	var begins []time.Time
	m.Each(func(_ *Log, l *Line) {
		if m.Up.IsZero() || l.True.Before(m.Up) {
			m.Up = l.True
		}
		if l.Writer == "kernel" && strings.HasPrefix(l.Text, "Linux version ") {
			begins = append(begins, l.True)
		}
	})
	m.Up = m.Up.Add(-time.Minute)
	first := m.Up.Add(2 * time.Minute)
	m.Each(func(_ *Log, l *Line) {
		for _, b := range begins {
			if b.After(first) && !l.True.Before(b) {
				l.Boot++
			}
		}
	})
	for range begins {
		m.Boots = append(m.Boots, fmt.Sprintf("%032x", len(m.Boots)*7919))
	}
}

// text prints the log as the node log query returns it.
func (m *Machine) text(log *Log) []byte {
	var out strings.Builder
	for _, l := range log.arrived() {
		if l.Lost {
			continue
		}
		pid := ""
		if l.PID > 0 {
			pid = fmt.Sprintf("[%d]", l.PID)
		}
		fmt.Fprintf(&out, "%s %s %s%s: %s\n", l.Stored().UTC().Format(envelope),
			m.Name, l.Writer, pid, Stamped(l.Text, l.Step))
	}
	return []byte(out.String())
}
