package command

import (
	"fmt"
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// logsRead names what was read, by source, with its nodes and times: "no restarts" in the log of another hour is an
// answer to another question.
func logsRead(s *evidence.Snapshot) (parts []string) {
	spans := slices.Clone(s.Read)
	for _, c := range s.Coverage {
		spans = append(spans, evidence.Span{Source: c.Source, Node: c.Node})
	}
	var kinds []evidence.SourceKind
	nodes := map[evidence.SourceKind][]string{}
	reach := map[evidence.SourceKind]evidence.Span{}
	for _, r := range spans {
		if !slices.Contains(kinds, r.Source) {
			kinds = append(kinds, r.Source)
		}
		if r.Node != "" && !slices.Contains(nodes[r.Source], r.Node) {
			nodes[r.Source] = append(nodes[r.Source], r.Node)
		}
		all := reach[r.Source]
		if !r.From.IsZero() && (all.From.IsZero() || r.From.Before(all.From)) {
			all.From = r.From
		}
		all.Until = evidence.Later(all.Until, r.Until)
		reach[r.Source] = all
	}
	for _, kind := range kinds {
		text := string(kind)
		switch of := nodes[kind]; {
		case len(of) == 1:
			text += " of " + of[0]
		case len(of) > 1:
			text += fmt.Sprintf(" of %d nodes", len(of))
		}
		if r := reach[kind]; !r.From.IsZero() {
			text += " (" + r.From.UTC().Format(time.DateTime) + " to " + until(r.From, r.Until) + ")"
		}
		parts = append(parts, text)
	}
	return parts
}

// until is the end of a time, without the day where that is the one of its beginning.
func until(from, end time.Time) string {
	const day = "2006-01-02"
	if from.UTC().Format(day) == end.UTC().Format(day) {
		return end.UTC().Format("15:04:05Z")
	}
	return end.UTC().Format("2006-01-02 15:04:05Z")
}
