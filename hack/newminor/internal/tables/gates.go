package tables

import (
	"maps"
	"slices"
)

// gate is a row of gates.json.
type gate struct {
	Last   int  `json:"last,omitempty"`
	Locked int  `json:"locked,omitempty"`
	Value  bool `json:"value,omitempty"`
}

// gatesTable keeps the table's entries for minor versions before Oldest: gates that ended by then, and locks that
// existed then. A lock of Oldest itself is in the inventory too.
func gatesTable(all map[string]gate, m Minors) {
	for name, g := range all {
		if g.Last >= Oldest {
			g.Last = 0
		}
		if g.Locked >= Oldest {
			g.Locked, g.Value = 0, false
		}
		all[name] = g
	}
	for minor := m.First(); minor <= m.Last(); minor++ {
		for name, stage := range m.knows(minor) {
			g := all[name]
			g.Last = minor
			if stage.Locked && g.Locked == 0 {
				g.Locked, g.Value = minor, stage.Default
			}
			all[name] = g
		}
	}
	for name, g := range all {
		if g.Last == m.Last() {
			g.Last = 0 // it still exists
		}
		all[name] = g
	}
	maps.DeleteFunc(all, func(_ string, g gate) bool { return g.Last == 0 && g.Locked == 0 })
}

// newGatesTable lists the gates that a minor version knows and the one before it does not.
func newGatesTable(all map[int][]string, m Minors) {
	clear(all)
	for minor := m.First() + 1; minor <= m.Last(); minor++ {
		before := m.knows(minor - 1)
		for name := range m.knows(minor) {
			if _, known := before[name]; !known {
				all[minor] = append(all[minor], name)
			}
		}
		slices.Sort(all[minor])
	}
}

// foundByHand are flags that end with a minor version and that are not named anywhere in the sources of the modules: up
// to 1.25 the kubelet included klog's own flag set completely (component-base logs.go AddFlags); since 1.26 only v and
// vmodule.
var foundByHand = map[int][]string{
	26: {
		"add-dir-header", "alsologtostderr", "log-backtrace-at", "log-dir", "log-file", "log-file-max-size", "logtostderr",
		"one-output", "skip-headers", "skip-log-headers", "stderrthreshold",
	},
}

func flagsTable(all map[int][]string, m Minors) {
	maps.DeleteFunc(all, func(minor int, _ []string) bool { return minor > Oldest })
	for minor := m.First() + 1; minor <= m.Last(); minor++ {
		gone := slices.Clone(foundByHand[minor])
		for _, flag := range m.At(minor - 1).Flags {
			if !slices.Contains(m.At(minor).Flags, flag) {
				gone = append(gone, flag)
			}
		}
		if len(gone) > 0 {
			slices.Sort(gone)
			all[minor] = slices.Compact(gone)
		}
	}
}
