package timeline

import (
	"cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// controlled is a container of the pods of one controller.
type controlled struct{ namespace, controller string }

// kin gives each restart of which nothing is told the newest one that is told of another pod of its controller. People
// look at one pod of several that fare alike. The restarts are in order.
func (t *History) kin() {
	newest := map[controlled]*Restart{}
	var untold []*Restart
	for _, r := range t.Restarts {
		if r.WholePod() || r.Kind == KindNone {
			continue
		}
		c := ControllerOf(r.PodName, r.Node)
		key := controlled{r.Namespace, cmp.Or(c.Top, c.Direct)}
		switch {
		case key.controller == "":
		case r.From.ExitCode != nil || r.From.Reason != "":
			newest[key] = r
		default:
			untold = append(untold, r)
		}
	}
	for _, r := range untold {
		c := ControllerOf(r.PodName, r.Node)
		if kin := newest[controlled{r.Namespace, cmp.Or(c.Top, c.Direct)}]; kin != nil && kin.PodName != r.PodName &&
			(r.Container == kin.Container || r.Container == evidence.Unnamed || kin.Container == evidence.Unnamed) {
			r.Kin = kin
		}
	}
}
