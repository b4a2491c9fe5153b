// Package judge compares a report of kubectl-restartwhy with what really happened, and formats the comparison as a
// table.
//
// It may import the standard library and the scorer that corpus and field share. It reads the report as any script
// would: from its JSON, by the documented names. It runs nothing.
package judge

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Unknown is the cause, and the confidence, of an honest "unknown".
const Unknown = "unknown"

const (
	proven = "proven"
	likely = "likely"
)

// Report is the part of a RestartReport that is judged.
type Report struct {
	Kind     string     `json:"kind"`
	Items    []Item     `json:"items"`
	Evidence []Evidence `json:"evidence"`
	Gaps     []Gap      `json:"gaps"`
}

// Evidence is where one piece of evidence came from.
type Evidence struct {
	Source struct {
		Kind string `json:"kind"`
		Node string `json:"node"`
	} `json:"source"`
}

// Gap is one source that yielded nothing.
type Gap struct {
	Source string `json:"source"`
	Node   string `json:"node"`
	Why    string `json:"why"`
}

// Lacks names the kinds of evidence that a report has none of for a node (the API server's evidence belongs to no
// node), with the report's own reason. Without this check a tier with a broken collection would pass as an honest lower
// tier.
func (r Report) Lacks(node string, kinds ...string) []string {
	var out []string
	for _, kind := range kinds {
		if slices.ContainsFunc(r.Evidence, func(e Evidence) bool {
			return e.Source.Kind == kind && (e.Source.Node == node || e.Source.Node == "")
		}) {
			continue
		}
		why := "no gap says why"
		for _, g := range r.Gaps {
			if g.Source == kind && (g.Node == node || g.Node == "") {
				why = g.Why
			}
		}
		out = append(out, fmt.Sprintf("%s of %s (%s)", kind, node, why))
	}
	return out
}

// Holes returns what a node's journal lost of its logs before anyone read them: the kernel's buffer overflowed, or a
// unit wrote too much. Then the evidence is incomplete, however complete the collection was.
func (r Report) Holes(node string) []string {
	var out []string
	for _, g := range r.Gaps {
		if g.Node == node && strings.Contains(g.Why, "the journal missed ") ||
			g.Node == node && strings.Contains(g.Why, "the journal dropped ") {
			out = append(out, g.Source+" of "+node+": "+g.Why)
		}
	}
	return out
}

// Since returns the report without what happened before a time. An init container that runs again exited long before:
// its restart is when the next instance starts.
func (r Report) Since(t time.Time) Report {
	r.Items = slices.DeleteFunc(slices.Clone(r.Items), func(i Item) bool {
		return i.Time.Before(t) && i.To.StartedAt.Before(t)
	})
	return r
}

// Until returns the report without what happened from a time on.
func (r Report) Until(t time.Time) Report {
	r.Items = slices.DeleteFunc(slices.Clone(r.Items), func(i Item) bool { return !i.Time.Before(t) })
	return r
}

// Item is one restart of the report.
type Item struct {
	Namespace string    `json:"namespace"`
	Pod       string    `json:"pod"`
	Container string    `json:"container"`
	Kind      string    `json:"kind"`
	Time      time.Time `json:"time"`
	From      struct {
		StartedAt time.Time `json:"startedAt"`
		ExitCode  int       `json:"exitCode"`
	} `json:"from"`
	To struct {
		StartedAt time.Time `json:"startedAt"`
	} `json:"to"` // the next instance, if there is one
	Verdict Verdict `json:"verdict"`
}

// Verdict is the tool's verdict about one restart.
type Verdict struct {
	Cause      string `json:"cause"`
	Mechanism  string `json:"mechanism"`
	Confidence string `json:"confidence"`
	Summary    string `json:"summary"`
	// Alternatives are other causes that remain possible.
	Alternatives []struct {
		Cause string `json:"cause"`
	} `json:"alternatives"`
	Missing []struct {
		What string `json:"what"`
	} `json:"missing"`
}

// blind reports whether a verdict is open and says itself that a log of the node does not cover the end: the kernel's
// buffer may have overflowed before the node's journal read it, and nothing else shows that.
func (v *Verdict) blind() bool {
	if v == nil || v.Confidence == proven || v.Confidence == likely {
		return false
	}
	for _, m := range v.Missing {
		if strings.Contains(m.What, "'s log around the end") {
			return true
		}
	}
	return false
}

// Read parses a report and rejects anything else, so that an empty answer is never judged as "nothing restarted".
func Read(raw []byte) (Report, error) {
	var r Report
	if err := json.Unmarshal(raw, &r); err != nil {
		return Report{}, fmt.Errorf("read report: %w", err)
	}
	if r.Kind != "RestartReport" {
		return Report{}, fmt.Errorf("read report: kind is %q, want RestartReport", r.Kind)
	}
	return r, nil
}
