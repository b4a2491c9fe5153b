// Package clocks has what happens to the clock of a node, and to the times that a journal gives.
package clocks

import (
	"fmt"
	"maps"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/entry"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

// Steps are how far a clock is set, in both directions.
var Steps = []time.Duration{100 * time.Millisecond, time.Second, 5 * time.Second,
	time.Minute, 5 * time.Minute, time.Hour}

var (
	nodeTime  = regexp.MustCompile(`"(startedAt|finishedAt|firstTimestamp|lastTimestamp|eventTime)":\s*"([^"]+)"`)
	nodeNanos = regexp.MustCompile(`"(createdAt|startedAt|finishedAt)":\s*(\d{19})`)
)

// Stepped returns an entry whose node's clock was set at a moment: every later time from the node is shifted. Times of
// the API server stay, and so do whole seconds if the step is smaller than a second.
func Stepped(e *entry.Entry, m *machine.Machine, f machine.Form, from time.Time, by time.Duration) *entry.Entry {
	c := m.Clone()
	c.Each(func(_ *machine.Log, l *machine.Line) {
		if !l.True.Before(from) {
			l.Step += by
		}
	})
	out := c.Put(e, f)
	out.Files = maps.Clone(out.Files)
	for p, data := range out.Files {
		if strings.HasSuffix(p, ".json") {
			out.Files[p] = redated(data, from, by)
		}
	}
	return out
}

// redated shifts those times in a node's objects that are not before a moment.
func redated(data []byte, from time.Time, by time.Duration) []byte {
	data = nodeTime.ReplaceAllFunc(data, func(s []byte) []byte {
		f := nodeTime.FindSubmatch(s)
		t, err := time.Parse(time.RFC3339Nano, string(f[2]))
		if err != nil || t.Before(from) {
			return s
		}
		if t.Nanosecond() != 0 {
			return fmt.Appendf(nil, `"%s":"%s"`, f[1], t.Add(by).Format(time.RFC3339Nano))
		}
		return fmt.Appendf(nil, `"%s":"%s"`, f[1], t.Add(by.Truncate(time.Second)).Format(time.RFC3339))
	})
	return nodeNanos.ReplaceAllFunc(data, func(s []byte) []byte {
		f := nodeNanos.FindSubmatch(s)
		n, err := strconv.ParseInt(string(f[2]), 10, 64)
		if err != nil || time.Unix(0, n).Before(from) {
			return s
		}
		return fmt.Appendf(nil, `"%s":%d`, f[1], n+int64(by))
	})
}

// Stalled returns an entry whose journal stored nothing from a moment on for some time; what was written then is stored
// afterwards. The kernel's ring has its own times.
func Stalled(e *entry.Entry, m *machine.Machine, f machine.Form, from time.Time, long time.Duration) *entry.Entry {
	c := m.Clone()
	c.Each(func(_ *machine.Log, l *machine.Line) {
		if late := from.Add(long).Sub(l.True); l.Writer != "kernel" && late > l.Late && !l.True.Before(from) {
			l.Late = late
		}
	})
	return c.Put(e, f)
}
