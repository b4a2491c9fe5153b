package timeline

import (
	"cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// controlled is a container of the pods of one controller, or of a pod without one.
// Of two of one name, a Deployment and a DaemonSet, the first is known by what is above its pods' own controller.
type controlled struct{ namespace, top, direct string }

func (r *Restart) controlled() controlled {
	c := ControllerOf(r.PodName, r.Node)
	if c.Top != "" {
		return controlled{r.Namespace, c.Top, ""}
	}
	return controlled{r.Namespace, "", cmp.Or(c.Direct, r.PodName)}
}

// kin gives each restart of which nothing is told the newest end that is told of the same container, or of another pod
// of its controller. People look at one end of many, and at one pod of several that fare alike. The restarts are in
// order.
func (t *History) kin() {
	newest := map[controlled]*Restart{}
	var untold []*Restart
	for _, r := range t.Restarts {
		switch {
		case r.WholePod() || r.Kind == KindNone || r.PodName == evidence.Unnamed:
		case r.From.ExitCode != nil || r.From.Reason != "":
			newest[r.controlled()] = r
		default:
			untold = append(untold, r)
		}
	}
	for _, r := range untold {
		kin := newest[r.controlled()]
		if kin != nil && (r.Container == kin.Container || r.Container == evidence.Unnamed ||
			kin.Container == evidence.Unnamed) {
			r.Kin = kin
		}
	}
}
