package subject

import (
	"cmp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file finds the clock of lines that name no container and so cannot be compared with a record: those of systemd
// and of the node's other daemons. All lines of one file were dated by one clock, and parsed in one zone.

// file is one file of a node's logs.
type file struct{ node, where string }

// sharedFiles returns the log whose clock dates each file; the kubelet's gives the best comparison.
func sharedFiles(obs []Seen) map[file]timeline.Clock {
	files := map[file]timeline.Clock{}
	for i := range obs {
		o := obs[i].Observation
		at := file{cmp.Or(o.Source.Node, o.Subject.Node), o.Source.Where}
		switch o.Source.Kind {
		case evidence.SourceKubeletLog:
			files[at] = timeline.Clock{Node: at.node, Source: o.Source.Kind}
		case evidence.SourceRuntimeLog:
			if _, ok := files[at]; !ok {
				files[at] = timeline.Clock{Node: at.node, Source: o.Source.Kind}
			}
		}
	}
	return files
}

// clockOf returns the clock that dated an observation.
func clockOf(o *evidence.Observation, files map[file]timeline.Clock) timeline.Clock {
	own := timeline.Clock{Node: cmp.Or(o.Source.Node, o.Subject.Node), Source: o.Source.Kind}
	if own.Source != evidence.SourceSystemd && own.Source != evidence.SourceHostLog {
		return own
	}
	if c, ok := files[file{own.Node, o.Source.Where}]; ok {
		return c
	}
	return own
}
