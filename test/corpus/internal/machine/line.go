package machine

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Line is one line of a log of the node.
type Line struct {
	// True is when the line was written, by a clock that never steps; Step is how far ahead of that the node's clock
	// was, and Late how much later the journal stored it.
	True       time.Time
	Step, Late time.Duration
	// Boot counts the boots of the node, from 0.
	Boot int
	// Writer is the syslog identifier, Unit the systemd unit, "" for none; PID is 0 for the kernel.
	Writer, Unit string
	PID          int
	// Text is the message as it would read with Step zero.
	Text string
	// Fields are journal fields in addition to those of an ordinary line, or instead of them; an empty value removes
	// one.
	Fields map[string]string
	// Lost lines were never stored; their sequence numbers are used up.
	Lost bool
	at   int // order among lines of the same moment
}

// Stored returns the time that the journal gives the line.
func (l *Line) Stored() time.Time { return l.True.Add(l.Step + l.Late) }

// Machine is a node with its logs.
type Machine struct {
	Name string
	// ID and Boots are its machine id and boot ids, 32 hex digits each.
	ID    string
	Boots []string
	// Up is when its first boot began, by the clock that never steps.
	Up   time.Time
	Logs []*Log
}

// Log is the log of kubelet, containerd, kernel, docker or crio.
type Log struct {
	Name  string
	Lines []Line
}

// Log returns the log with that name; a new one if there is none.
func (m *Machine) Log(name string) *Log {
	if i := slices.IndexFunc(m.Logs, func(l *Log) bool { return l.Name == name }); i >= 0 {
		return m.Logs[i]
	}
	m.Logs = append(m.Logs, &Log{Name: name})
	return m.Logs[len(m.Logs)-1]
}

// Clone copies the machine, so that the copy can be changed.
func (m *Machine) Clone() *Machine {
	c := *m
	c.Boots, c.Logs = slices.Clone(m.Boots), nil
	for _, l := range m.Logs {
		lines := slices.Clone(l.Lines)
		for i := range lines {
			lines[i].Fields = maps.Clone(lines[i].Fields)
		}
		c.Logs = append(c.Logs, &Log{l.Name, lines})
	}
	return &c
}

// Each calls change for every line.
func (m *Machine) Each(change func(log *Log, l *Line)) {
	for _, log := range m.Logs {
		for i := range log.Lines {
			change(log, &log.Lines[i])
		}
	}
}

// arrived returns the stored lines of a log in the order in which the journal stored them.
func (l *Log) arrived() []Line {
	lines := slices.Clone(l.Lines)
	for i := range lines {
		lines[i].at = i
	}
	slices.SortStableFunc(lines, func(a, b Line) int {
		if c := a.True.Add(a.Late).Compare(b.True.Add(b.Late)); c != 0 {
			return c
		}
		if c := a.True.Compare(b.True); c != 0 {
			return c
		}
		return a.at - b.at
	})
	return lines
}

var (
	klogTime    = regexp.MustCompile(`^([IWEF])(\d{4} \d\d:\d\d:\d\d\.\d{6})`)
	logfmtTime  = regexp.MustCompile(`^time="([^"]+)"`)
	exitedTime  = regexp.MustCompile(`exited_at:\{seconds:(\d+)`)
	klogStamp   = "0102 15:04:05.000000"
	logfmtStamp = "2006-01-02T15:04:05.000000000Z07:00"
)

// Stamped returns a message whose own times are shifted by a step of the clock.
func Stamped(text string, by time.Duration) string {
	if by == 0 {
		return text
	}
	text = klogTime.ReplaceAllStringFunc(text, func(s string) string {
		t, err := time.Parse("2006"+klogStamp, "2026"+s[1:])
		if err != nil {
			return s
		}
		return s[:1] + t.Add(by).Format(klogStamp)
	})
	text = logfmtTime.ReplaceAllStringFunc(text, func(s string) string {
		t, err := time.Parse(time.RFC3339Nano, s[len(`time="`):len(s)-1])
		if err != nil {
			return s
		}
		return `time="` + t.Add(by).Format(logfmtStamp) + `"`
	})
	return exitedTime.ReplaceAllStringFunc(text, func(s string) string {
		var n int64
		if _, err := fmt.Sscanf(s[strings.LastIndexByte(s, ':')+1:], "%d", &n); err != nil {
			return s
		}
		return fmt.Sprintf("exited_at:{seconds:%d", time.Unix(n, 0).Add(by).Unix())
	})
}
