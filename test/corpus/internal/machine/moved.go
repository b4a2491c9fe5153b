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

var (
	apiTime  = regexp.MustCompile(`"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z"`)
	unixNano = regexp.MustCompile(`:\s*1[789]\d{17}\b`)
)

// later returns JSON whose times are later.
func later(data []byte, by time.Duration) []byte {
	data = apiTime.ReplaceAllFunc(data, func(b []byte) []byte {
		at, err := time.Parse(`"`+time.RFC3339Nano+`"`, string(b))
		if err != nil {
			return b
		}
		return []byte(at.Add(by).Format(`"` + time.RFC3339Nano + `"`))
	})
	return unixNano.ReplaceAllFunc(data, func(b []byte) []byte {
		at, err := strconv.ParseInt(strings.TrimLeft(string(b), ": "), 10, 64)
		if err != nil {
			return b
		}
		return []byte(":" + strconv.FormatInt(at+int64(by), 10))
	})
}

// Moved returns an entry whose objects and records are of another time.
func Moved(e *entry.Entry, by time.Duration) *entry.Entry {
	c := *e
	c.Files, c.CollectedAt = map[string][]byte{}, e.CollectedAt.Add(by)
	for p, data := range e.Files {
		if path.Ext(p) == ".json" {
			data = later(data, by)
		}
		c.Files[p] = data
	}
	return &c
}

// Moved returns a copy of the machine whose lines are of another time.
func (m *Machine) Moved(by time.Duration) *Machine {
	c := m.Clone()
	c.Up = c.Up.Add(by)
	c.Each(func(_ *Log, l *Line) { l.True, l.Text = l.True.Add(by), Stamped(l.Text, by) })
	return c
}

// Syslog returns the entry with these logs in place of its own for the node, as rsyslog writes them: without year and
// zone, in local time.
func (m *Machine) Syslog(e *entry.Entry, offset func(time.Time) time.Duration) *entry.Entry {
	out := m.without(e)
	for _, log := range m.Logs {
		var b strings.Builder
		for _, l := range log.arrived() {
			by, text, pid := offset(l.True), l.Text, ""
			if l.Writer == "kubelet" {
				text = Stamped(text, by)
			}
			if l.PID > 0 {
				pid = fmt.Sprintf("[%d]", l.PID)
			} else {
				text = fmt.Sprintf("[%12.6f] %s", l.True.Sub(m.Up).Seconds(), text)
			}
			fmt.Fprintf(&b, "%s %s %s%s: %s\n", l.True.Add(by).Format(time.Stamp), m.Name, l.Writer, pid, text)
		}
		out.Files["nodes/"+m.Name+"/logs/"+log.Name+".log"] = []byte(b.String())
	}
	return out
}
