package predict

import (
	"slices"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/sim"
)

// difference is one point in which a prediction differs from what happened.
type difference struct {
	point    point
	name     string // the container that it is about
	evidence []string
}

// point names what differs.
type point uint8

const (
	notKilled   point = iota // the decision does not stop the container
	notStarted               // it was restarted, and the decision would not restart it
	newSandbox               // the pod kept its sandbox, and the decision replaces it
	sameSandbox              // the pod got another sandbox, and the decision keeps it
	initRuns                 // init containers did not run again, and the decision runs them
	initStays                // they did, and the decision leaves them alone
	ranOn                    // another container kept running, and the decision stops it
)

// text describes the difference for a reader of the decision.
func (d difference) text() string {
	switch d.point {
	case notKilled:
		return "the kubelet would not have stopped " + d.name
	case notStarted:
		return d.name + " restarted, but the kubelet would not have restarted it"
	case newSandbox:
		return d.name + " restarted in the same sandbox, but the kubelet would have created a new one"
	case sameSandbox:
		return "the pod got a new sandbox, but the kubelet would have kept the old one"
	case initRuns:
		return "init container " + d.name + " did not run again, but the kubelet would have run it first"
	case initStays:
		return "init containers ran again, but the kubelet would have left them alone"
	case ranOn:
		return "container " + d.name + " kept running, but the kubelet would have stopped it too"
	}
	return ""
}

// compare compares an outcome with what happened. Unknown points never differ.
func compare(s sim.Hypothesis, who string, o *sim.Outcome, h *happened) []difference {
	var out []difference
	if s.Kills() && !slices.Contains(o.Ended, who) {
		out = append(out, difference{notKilled, who, nil})
	}
	if h.started && !slices.Contains(o.Started, who) {
		out = append(out, difference{notStarted, who, h.startedEvidence})
	}
	switch {
	case o.NewSandbox && h.sandbox == finding.No:
		out = append(out, difference{newSandbox, who, h.sandboxEvidence})
	case !o.NewSandbox && h.sandbox == finding.Yes:
		out = append(out, difference{sameSandbox, who, h.sandboxEvidence})
	}
	switch {
	case o.InitAgain && h.initKept != nil && o.NewSandbox:
		out = append(out, difference{initRuns, h.initKept.name, h.initKept.evidence})
	case !o.InitAgain && h.initAgain.Answer == finding.Yes:
		out = append(out, difference{initStays, "", h.initAgain.Evidence})
	}
	for _, c := range h.ranOn {
		if slices.Contains(o.Ended, c.name) || s == sim.NodeDown {
			out = append(out, difference{ranOn, c.name, c.evidence})
		}
	}
	return out
}
