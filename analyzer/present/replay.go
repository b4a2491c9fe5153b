package present

import (
	"fmt"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// Replay is the kubelet's decision about a pod: first its outcome, then how it gets there.
func Replay(r *report.Replay) []document.Block {
	d := &r.Decision
	title := fmt.Sprintf("Pod %s/%s, decided by kubelet %s", r.Namespace, r.Pod, d.Kubelet)
	if r.Extrapolated {
		title += " (modelled as " + d.ModelledAs + ", the newest that is known)"
	}
	out := []document.Block{document.Title(1, title)}
	out = append(out, listed(document.Fields, premises(d))...)
	var outcome []document.ListItem
	for _, line := range replayOutcome(r) {
		outcome = append(outcome, document.ListItem{Text: document.Say(line), Anchor: document.Anchor{Copy: line}})
	}
	out = append(out, Section("Outcome", 2, document.Bullets, outcome)...)
	var status []document.ListItem
	for i := range r.Readiness {
		status = append(status, readiness(&r.Readiness[i]))
	}
	out = append(out, Section("What the status shows after the kubelet's start (the containers keep running)",
		2, document.Bullets, status)...)
	out = append(out, document.Title(2, "How the kubelet decides"))
	return append(out, branches(d)...)
}

func replayOutcome(r *report.Replay) (out []string) {
	switch {
	case r.Refused:
		out = append(out, "the pod is rejected: it fails, its running containers are killed, and nothing restarts")
	case r.KillPod && r.CreateSandbox:
		out = append(out, "the whole pod is killed and gets a new sandbox")
	case r.KillPod:
		out = append(out, "the whole pod is killed and gets no new sandbox")
	case r.NoNetwork:
		out = append(out, "nothing is started and nothing is stopped")
	}
	for _, k := range r.Kill {
		out = append(out, "kill "+k.Container+": "+k.Message)
	}
	for _, s := range r.Start {
		line := "start " + s.Kind + " " + s.Container
		if s.RestartCount != nil {
			line += fmt.Sprintf(", restart count %d", *s.RestartCount)
		}
		if s.NotBefore != nil {
			line += ", not before " + s.NotBefore.UTC().Format(time.RFC3339)
		}
		out = append(out, line)
	}
	if len(out) == 0 {
		out = append(out, "nothing: every container stays as it is")
	}
	return out
}

func readiness(r *report.ReplayReadiness) document.ListItem {
	e := document.Entry(r.Container)
	if r.If != "" {
		e.Text = document.Say(r.Container + ", if " + r.If)
	}
	for _, s := range r.Status {
		var words []string
		if !s.Started {
			words = append(words, "not started")
		}
		if s.Ready {
			words = append(words, "ready")
		} else {
			words = append(words, "not ready")
		}
		e.Below = append(e.Below, document.Say(s.When+": "+strings.Join(words, ", ")+" ("+s.Why+")"))
	}
	return e
}
