package pasted

import (
	"regexp"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/kubeletmsg"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// message parses the bare message of a kubelet event.
func message(s string) evidence.Fact {
	if k := kubeletmsg.ParseKill(s); k.Reason != evidence.KillOther {
		return evidence.KillDecided{Reason: k.Reason, Message: safetext.Clean(s), Count: 1}
	}
	if p, ok := kubeletmsg.ParseProbe(s); ok {
		return evidence.ProbeFailed{Probe: p.Type, Errored: p.Errored, Output: safetext.Clean(p.Output), Count: 1}
	}
	if image := kubeletmsg.ParseImage(s); image != "" {
		return evidence.ImageSeen{Image: safetext.Ident(image)}
	}
	return nil
}

// gap is what kubectl prints between two columns.
var gap = regexp.MustCompile(`\t+|\s{2,}`)

// reason matches event reasons.
var reason = regexp.MustCompile(`^[A-Z][A-Za-z]{2,60}$`)

// event parses a row of `kubectl describe` or `kubectl get events`: the type, the reason, and the message, which is the
// last column.
func event(line string) (Line, bool) {
	cells := gap.Split(line, -1)
	for n, c := range cells {
		if c != "Normal" && c != "Warning" || n+2 >= len(cells) || n > 2 || !reason.MatchString(cells[n+1]) {
			continue
		}
		out := Line{Reason: cells[n+1], Message: strings.TrimPrefix(strings.Join(cells[n+2:], " "),
			"(combined from similar events): ")}
		// The message comes after the age, the source or the object: only the age has blanks, "2m (x5 over 3m)".
		for from := n + 2; from < len(cells); from++ {
			if f := message(strings.Join(cells[from:], " ")); f != nil {
				out.Message, out.Facts = strings.Join(cells[from:], " "), []evidence.Fact{f}
				return out, true
			}
		}
		out.Message = cells[len(cells)-1]
		return out, true
	}
	// Reason: message, as reports print events.
	if r, m, ok := strings.Cut(line, ": "); ok && reason.MatchString(r) {
		if f := message(m); f != nil {
			return Line{Reason: r, Message: m, Facts: []evidence.Fact{f}}, true
		}
	}
	return Line{}, false
}
