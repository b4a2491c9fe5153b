package cli

import (
	"fmt"
	"io"

	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// running prints since when the containers of the selected pods have been running, or why they are not: "nothing
// restarted" is an answer, too. It belongs on stderr.
func running(w io.Writer, s *evidence.Snapshot, asked func(*evidence.Pod) bool, container string) {
	state := map[[2]string]*evidence.Observation{} // by pod UID and container: the current one
	for i := range s.Observations {
		o := &s.Observations[i]
		if f, ok := o.Fact.(evidence.ContainerRecord); ok && o.Source.Kind == evidence.SourceAPI && !f.Last {
			state[[2]string{o.Subject.PodUID, o.Subject.Container}] = o
		}
	}
	for i := range s.Pods {
		p := &s.Pods[i]
		if !asked(p) {
			continue
		}
		for j := range p.Containers {
			c := &p.Containers[j]
			if o := state[[2]string{p.UID, c.Name}]; o != nil && (container == "" || container == c.Name) {
				fmt.Fprintf(w, "%s/%s container %s: %s\n", p.Namespace, p.Name, c.Name,
					standing(o.Fact.(evidence.ContainerRecord), s))
			}
		}
	}
}

func standing(f evidence.ContainerRecord, s *evidence.Snapshot) string {
	switch f.State {
	case evidence.StateRunning:
		text := "runs"
		if !f.Started.IsZero() {
			text = fmt.Sprintf("has been running for %s, since %s", duration.HumanDuration(s.CollectedAt.Sub(f.Started)),
				f.Started.UTC().Format("2006-01-02 15:04:05Z"))
		}
		if f.RestartCount == 0 {
			return text + ", and never restarted"
		}
		return text
	case evidence.StateExited:
		if f.ExitCode != nil && *f.ExitCode == 0 {
			return "completed, as expected"
		}
		return "ended"
	}
	if f.Reason != "" {
		return "has not been started: " + f.Reason
	}
	return "has not been started"
}
