package timeline

import (
	"cmp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/controller"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// controlled identifies a container of the pods of one controller, or of a pod without one. A Deployment and a
// DaemonSet of one name differ: for the first, the pods' direct controller has another one above it.
type controlled struct{ namespace, top, direct string }

func (r *Restart) controlled() controlled {
	c := controller.Of(r.PodName, r.Node)
	if c.Top != "" {
		return controlled{r.Namespace, c.Top, ""}
	}
	return controlled{r.Namespace, "", cmp.Or(c.Direct, r.PodName)}
}

// kin links each restart without exit code and reason to the newest end that has one, of the same container or of
// another pod of its controller: people look at one end of many, and at one of several pods with the same problem. The
// restarts are sorted.
func (t *History) kin() {
	var told, untold []*Restart
	for _, r := range t.Restarts {
		switch {
		case r.WholePod() || r.Kind == KindNone || r.PodName == evidence.Unnamed:
		case r.From.ExitCode != nil || r.From.Reason != "":
			told = append(told, r)
		default:
			untold = append(untold, r)
		}
	}
	if len(untold) == 0 {
		return
	}
	newest := map[controlled]*Restart{}
	for _, r := range told {
		newest[r.controlled()] = r
	}
	for _, r := range untold {
		kin := newest[r.controlled()]
		if kin != nil && (r.Container == kin.Container || r.Container == evidence.Unnamed ||
			kin.Container == evidence.Unnamed) {
			r.Kin = kin
		}
	}
}
