package story

import (
	"fmt"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

// TaskRow returns a row of the table in the kernel's out-of-memory report.
func TaskRow(pid int, name string) string {
	return fmt.Sprintf("[%7d]     0 %5d    67500    65536   614400        0           999 %s", pid, pid, name)
}

// Has matches lines that contain any of the words.
func Has(words ...string) func(*machine.Line) bool {
	return func(l *machine.Line) bool {
		for _, w := range words {
			if strings.Contains(l.Text, w) {
				return true
			}
		}
		return false
	}
}

// Local shifts only klog's headers, from a moment on: the node's time zone, or the hour of its summer time.
func Local(m *machine.Machine, from time.Time, by time.Duration) *machine.Machine {
	c := m.Clone()
	c.Each(func(_ *machine.Log, l *machine.Line) {
		if l.Writer == "kubelet" && !l.True.Before(from) {
			l.Text = machine.Stamped(l.Text, by)
		}
	})
	return c
}

// Zones are offsets of a node's local time, which klog's headers are in.
var Zones = []time.Duration{2 * time.Hour, -5 * time.Hour, 5*time.Hour + 30*time.Minute}
