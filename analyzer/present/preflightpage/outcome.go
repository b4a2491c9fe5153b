package preflightpage

import (
	"fmt"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/present"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// Watched says how a watched preflight ended.
func Watched(s report.PreflightWatched) string {
	text := fmt.Sprintf("Watched for %s: %d of %s replaced, %d settled",
		s.For.Round(time.Second), s.Exchanged, report.Count(s.Nodes, "kubelet"), s.Settled)
	if s.Exchanged > 0 {
		text += ": " + outcomeCounts(&s.Count)
	}
	if s.Changed > 0 {
		text += fmt.Sprintf("; on %s containers changed, and no start of the kubelet was seen", report.Count(s.Changed, "node"))
	}
	return text
}

// outcomeCounts compares what was predicted with what happened, omitting zeros.
func outcomeCounts(c *report.PreflightOutcomeCount) string {
	var parts []string
	if all := c.Restarted + c.Waiting + c.Missed; all > 0 {
		text := fmt.Sprintf("%d of %s that would restart did", c.Restarted, report.Count(all, "container"))
		if c.Waiting > 0 {
			text += fmt.Sprintf(", %d not yet", c.Waiting)
		}
		if c.Missed > 0 {
			text += fmt.Sprintf(", %d did not", c.Missed)
		}
		parts = append(parts, text)
	}
	if all := c.Stayed + c.Unforeseen; all > 0 {
		parts = append(parts, fmt.Sprintf("%d of %d that would stay did", c.Stayed, all))
	}
	for _, open := range []struct {
		word              string
		restarted, stayed int
	}{{"may", c.MayRestarted, c.MayStayed}, {"unknown", c.UnknownRestarted, c.UnknownStayed}} {
		if open.restarted+open.stayed > 0 {
			parts = append(parts, fmt.Sprintf("%s: %d restarted, %d stayed", open.word, open.restarted, open.stayed))
		}
	}
	for _, rest := range []struct {
		n    int
		word string
	}{{c.Moved, "moved or done"}, {c.NotRunning, "did not run"}, {c.Unpredicted, "newer than the prediction"}} {
		if rest.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", rest.n, rest.word))
		}
	}
	if len(parts) == 0 {
		return "no containers to compare"
	}
	return strings.Join(parts, "; ")
}

func outcomeHead(o *report.PreflightOutcome) string {
	text := o.Node + ": "
	switch o.Seen {
	case report.SeenVersion:
		text += fmt.Sprintf("kubelet %s → %s", o.From, o.Now)
	case report.SeenStart:
		text += "kubelet started again"
	default:
		text += "containers changed, no start of the kubelet was seen"
	}
	if o.OtherVersion {
		text += fmt.Sprintf(", not the requested %s", o.To)
	}
	if o.Settled {
		text += ", settled"
	}
	return text
}

// outcomeItems is how many containers of a node get a line.
const outcomeItems = 30

// Outcome compares a node's predictions with what happened: a line, and below it the notable containers.
func Outcome(o *report.PreflightOutcome) []document.Block {
	list := document.List{}
	for rank := range 4 {
		for i := range o.Items {
			it := &o.Items[i]
			if at, words := notable(it); at == rank && words != "" {
				list.Entries = append(list.Entries,
					document.Entry(fmt.Sprintf("%s: %s/%s %s (%s)", words, it.Namespace, it.Pod, it.Container, it.Rule)))
			}
		}
	}
	shown, left := present.First(list.Entries, outcomeItems)
	if list.Entries = shown; left > 0 {
		list.Entries = append(list.Entries, document.Entry(fmt.Sprintf("and %d more (-o json)", left)))
	}
	return []document.Block{document.Para(outcomeHead(o) + ": " + outcomeCounts(&o.Count)), list}
}

// notable says why a container gets a line, and the rank of the line; "" for a container without one.
func notable(it *report.PreflightOutcomeItem) (rank int, words string) {
	wrong := it.Verdict == report.VerdictWrong
	switch {
	case wrong && it.Prediction == report.Stays:
		return 0, string(it.Became) + " although predicted to stay"
	case wrong && it.Prediction == report.Restarts:
		return 1, "did not restart although predicted to"
	case it.Verdict == report.VerdictWaiting:
		return 2, "has not restarted yet"
	case it.Verdict == report.VerdictOpen:
		return 3, string(it.Prediction) + ", " + string(it.Became)
	}
	return 0, ""
}
